//! Tables for spreadsheets: comma-separated values, as they are or made safe to open.

use std::borrow::Cow;
use std::io::Write;

/// Who is going to read a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Flavour {
    /// A program: cells are written as they are, lines end with LF.
    Plain,
    /// A spreadsheet: a byte-order mark, CRLF, and cells that would run made harmless.
    Excel,
}

/// A cell as a spreadsheet may open it: text that it would take for a formula gets an
/// apostrophe before it. Whole and decimal numbers stay numbers.
///
/// ```
/// use decklaw::spreadsheet::guarded;
/// assert_eq!(guarded("=1+1"), "'=1+1");
/// assert_eq!(guarded(" \t@SUM(A1)"), "' \t@SUM(A1)");
/// assert_eq!(guarded("-3"), "-3");
/// assert_eq!(guarded("Rain Caller"), "Rain Caller");
/// ```
pub fn guarded(cell: &str) -> Cow<'_, str> {
    let runs = |first: char| matches!(first, '=' | '+' | '-' | '@' | '＝' | '＋' | '－' | '＠');
    let starts_bare = cell.starts_with(['\t', '\r', '\n']);
    let hostile = starts_bare || cell.trim_start().starts_with(runs);
    // A dash alone is what people write for nothing, and no spreadsheet runs it.
    if hostile && cell != "-" && !is_number(cell) {
        Cow::Owned(format!("'{cell}"))
    } else {
        Cow::Borrowed(cell)
    }
}

fn is_number(cell: &str) -> bool {
    let digits = cell.strip_prefix(['-', '+']).unwrap_or(cell);
    digits.starts_with(|first: char| first.is_ascii_digit()) && digits.parse::<f64>().is_ok()
}

/// Writes rows of cells.
#[derive(Debug)]
pub struct Table<W: Write> {
    rows: csv::Writer<W>,
    flavour: Flavour,
}

impl<W: Write> Table<W> {
    /// A table that begins with these column names; in [`Flavour::Excel`] with the mark
    /// before them.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn new(mut to: W, flavour: Flavour, header: &[&str]) -> csv::Result<Table<W>> {
        let mut builder = csv::WriterBuilder::new();
        if flavour == Flavour::Excel {
            to.write_all("\u{feff}".as_bytes())?;
            builder.terminator(csv::Terminator::CRLF);
        }
        let mut table = Table {
            rows: builder.from_writer(to),
            flavour,
        };
        table.row(header.iter().copied())?;
        Ok(table)
    }

    /// Rows without a header and without a mark: what goes on where another table ended.
    pub fn more(to: W, flavour: Flavour) -> Table<W> {
        let mut builder = csv::WriterBuilder::new();
        if flavour == Flavour::Excel {
            builder.terminator(csv::Terminator::CRLF);
        }
        Table {
            rows: builder.from_writer(to),
            flavour,
        }
    }

    /// Writes a row.
    ///
    /// # Errors
    /// Those of the writer, and a row with more or fewer cells than the one before.
    pub fn row<C: AsRef<str>>(&mut self, cells: impl IntoIterator<Item = C>) -> csv::Result<()> {
        for cell in cells {
            match self.flavour {
                Flavour::Plain => self.rows.write_field(cell.as_ref())?,
                Flavour::Excel => self.rows.write_field(guarded(cell.as_ref()).as_bytes())?,
            }
        }
        self.rows.write_record(None::<&[u8]>)
    }

    /// What was written to, with everything written out.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn finish(self) -> csv::Result<W> {
        self.rows
            .into_inner()
            .map_err(|error| csv::Error::from(error.into_error()))
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn written(flavour: Flavour) -> Vec<u8> {
        let mut table = Table::new(Vec::new(), flavour, &["name", "sum"]).unwrap();
        table.row(["=cmd|' /C calc'!A0", "-3"]).unwrap();
        table.row(["a \"b\",\nc", "1.5"]).unwrap();
        table.finish().unwrap()
    }

    #[test]
    fn a_program_gets_the_cells_as_they_are() {
        let text = String::from_utf8(written(Flavour::Plain)).unwrap();
        assert_eq!(
            text,
            "name,sum\n=cmd|' /C calc'!A0,-3\n\"a \"\"b\"\",\nc\",1.5\n"
        );
    }

    #[test]
    fn a_spreadsheet_gets_nothing_that_runs() {
        let text = String::from_utf8(written(Flavour::Excel)).unwrap();
        assert_eq!(
            text,
            "\u{feff}name,sum\r\n'=cmd|' /C calc'!A0,-3\r\n\"a \"\"b\"\",\nc\",1.5\r\n"
        );
    }

    #[test]
    fn what_a_spreadsheet_runs_is_guarded_and_nothing_else() {
        for hostile in [
            "=1", "+a", "-a", "@a", "\ta", "\r=1", "\n=1", " =1", "\u{a0}=1", "-1+cmd", "+1-1",
            "-inf", "＝1",
        ] {
            assert_eq!(guarded(hostile), format!("'{hostile}"));
        }
        for harmless in ["", "a", "1", "-", "-1", "+1.5", "-2e3", "a=b", "'a", "♠"] {
            assert_eq!(guarded(harmless), harmless);
        }
    }
}
