//! Tables for spreadsheets: comma-separated values, as they are or made safe to open.

use jiff::civil::{Date, DateTime};
use jiff::{SignedDuration, ToSpan};
use std::borrow::Cow;
use std::io::Write;

/// Who is going to read a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Flavour {
    /// A program: cells are written as they are but for control characters, lines end with LF.
    Plain,
    /// A spreadsheet: a byte-order mark, CRLF, and cells that would run made harmless, whichever
    /// of comma, semicolon and tab it takes to part them.
    Excel,
}

/// A cell as a spreadsheet may open it: text that it would take for a formula gets an
/// apostrophe before it. Whole and decimal numbers stay numbers. What begins again within the
/// cell, after a semicolon, a tab or the end of a line, is text of its own to a spreadsheet that
/// parts cells there, and is guarded too.
///
/// ```
/// use decklaw_text::spreadsheet::guarded;
/// assert_eq!(guarded("=1+1"), "'=1+1");
/// assert_eq!(guarded(" @SUM(A1)"), "' @SUM(A1)");
/// assert_eq!(guarded("Rain;=1+1"), "Rain;'=1+1");
/// assert_eq!(guarded(" \t\"=1+1"), "' \t'\"=1+1");
/// assert_eq!(guarded("-3"), "-3");
/// assert_eq!(guarded("Rain Caller"), "Rain Caller");
/// ```
pub fn guarded(cell: &str) -> Cow<'_, str> {
    // A dash alone is what people write for nothing, and no spreadsheet runs it.
    if cell == "-" || is_number(cell) {
        return Cow::Borrowed(cell);
    }
    guarded_text(cell)
}

/// The same where numbers are text too: the text before the first comma of a line begins the
/// whole line to a spreadsheet that parts cells elsewhere.
fn guarded_text(cell: &str) -> Cow<'_, str> {
    let said = cell.trim_start();
    // A program that trims the cell would remove the separator before a guard and leave the guard.
    let bare = cell[..cell.len() - said.len()].contains(PARTING);
    let mut out = String::new();
    if bare || runs(said) {
        out.push('\'');
    }
    let mut done = 0;
    for (at, _) in cell.match_indices(PARTING) {
        let after = at + 1;
        // The two characters of one line's end.
        if cell[at..].starts_with("\r\n") {
            continue;
        }
        if begins_badly(&cell[after..]) {
            out.push_str(&cell[done..after]);
            out.push('\'');
            done = after;
        }
    }
    if out.is_empty() {
        return Cow::Borrowed(cell);
    }
    out.push_str(&cell[done..]);
    Cow::Owned(out)
}

/// A cell as it was before it was [guarded]; one that was not is as it is. Of a text that begins
/// with an apostrophe and a formula nobody knows whether the apostrophe is its own: it is taken
/// for the guard.
///
/// ```
/// use decklaw_text::spreadsheet::unguarded;
/// assert_eq!(unguarded("Rain;'=1+1"), "Rain;=1+1");
/// assert_eq!(unguarded("'Tis"), "'Tis");
/// ```
pub fn unguarded(cell: &str) -> Cow<'_, str> {
    // A guard is put where a spreadsheet may begin a cell.
    let begins = |(at, _): (usize, &str)| at == 0 || cell[..at].ends_with(PARTING);
    if !cell.match_indices('\'').any(begins) {
        return Cow::Borrowed(cell);
    }
    // Whether the first one is a guard is seen by guarding what is left without it.
    let rest = cell.strip_prefix('\'');
    let candidates = [rest.map(unguarded_parts), Some(unguarded_parts(cell))];
    let mut candidates = candidates.into_iter().flatten();
    match candidates.find(|bare| guarded_text(bare) == cell) {
        Some(bare) if bare != cell => Cow::Owned(bare),
        _ => Cow::Borrowed(cell),
    }
}

/// A cell without the guards behind the separators in it.
fn unguarded_parts(cell: &str) -> String {
    let mut bare = String::with_capacity(cell.len());
    let mut begins = false;
    for (at, character) in cell.char_indices() {
        let rest = &cell[at + character.len_utf8()..];
        if !(begins && character == '\'' && begins_badly(rest)) {
            bare.push(character);
        }
        begins = PARTING.contains(&character);
    }
    bare
}

/// Where a spreadsheet may begin a cell within one that is quoted for another separator.
const PARTING: [char; 4] = [';', '\t', '\r', '\n'];

/// Whether what follows a separator within a cell could become a formula, or a cell that a
/// quotation mark makes run on into the next line. Quotation marks are gone when it is read.
fn begins_badly(rest: &str) -> bool {
    let part = rest.split(PARTING).next().unwrap_or(rest);
    let said = part.trim_start_matches(|first: char| first == '"' || first.is_whitespace());
    let ends_well = rest.starts_with([';', '\n']) || rest.starts_with("\r\n");
    runs(said) || said.is_empty() && !ends_well
}

fn runs(text: &str) -> bool {
    text.starts_with(['=', '+', '-', '@', '＝', '＋', '－', '＠'])
}

/// A cell as it is in the file: in quotation marks where any separator is in it.
fn quoted(cell: &str) -> Cow<'_, str> {
    if cell.contains(PARTING) || cell.contains([',', '"']) {
        return Cow::Owned(format!("\"{}\"", cell.replace('"', "\"\"")));
    }
    Cow::Borrowed(cell)
}

/// What a number most likely means where a date is wanted: spreadsheets keep a moment as the days
/// since the end of 1899 and a part of a day, and show that number in a cell without a format.
/// `None`: it is no such number, or of another century.
///
/// ```
/// use decklaw_text::spreadsheet::moment;
/// let shown = |text: &str| moment(text).map(|at| at.to_string());
/// assert_eq!(shown("45987").as_deref(), Some("2025-11-26T00:00:00"));
/// assert_eq!(shown("45987,75").as_deref(), Some("2025-11-26T18:00:00"));
/// assert_eq!(shown("20251126"), None);
/// ```
pub fn moment(text: &str) -> Option<DateTime> {
    const CENTURY: std::ops::RangeInclusive<i64> = 36_526..=73_050;
    const DAY: f64 = 86_400.0;
    let text = text.trim();
    let (days, part) = text.split_once(['.', ',']).unwrap_or((text, "0"));
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if !digits(days) || !digits(part) || part.is_empty() {
        return None;
    }
    let days: i64 = days.parse().ok().filter(|days| CENTURY.contains(days))?;
    let part: f64 = format!("0.{part}").parse().ok()?;
    // A part of a day is no whole number of seconds.
    let seconds = SignedDuration::from_secs((part * DAY).round() as i64);
    let day = Date::constant(1899, 12, 30).checked_add(days.days()).ok()?;
    day.at(0, 0, 0, 0).checked_add(seconds).ok()
}

/// A [moment] as people write it: a day alone where it has no clock, and no seconds where it has
/// none.
pub fn moment_in_words(at: DateTime) -> String {
    match (at.time() == jiff::civil::Time::midnight(), at.second()) {
        (true, _) => at.date().to_string(),
        (false, 0) => at.strftime("%Y-%m-%dT%H:%M").to_string(),
        (false, _) => at.to_string(),
    }
}

fn is_number(cell: &str) -> bool {
    let digits = cell.strip_prefix(['-', '+']).unwrap_or(cell);
    digits.starts_with(|first: char| first.is_ascii_digit()) && digits.parse::<f64>().is_ok()
}

/// A cell: what it says, and what kind of thing that is.
#[derive(Debug, Clone, PartialEq)]
pub enum Cell {
    /// Words, or nothing.
    Text(String),
    /// A whole number.
    Number(i64),
    /// Another number.
    Decimal(f64),
    /// A day.
    Day(Date),
    /// A time of day on a day.
    Time(DateTime),
}

impl Cell {
    /// Nothing.
    pub fn empty() -> Cell {
        Cell::Text(String::new())
    }

    /// Words where there are some, else nothing.
    pub fn some(text: Option<&str>) -> Cell {
        Cell::text(text.unwrap_or_default())
    }

    /// Whether there is nothing in it.
    pub fn is_empty(&self) -> bool {
        matches!(self, Cell::Text(text) if text.is_empty())
    }

    /// Words.
    pub fn text(text: impl Into<String>) -> Cell {
        Cell::Text(text.into())
    }

    /// A number where the text is just that, as it is written; else words.
    pub fn number(text: &str) -> Cell {
        let whole = text.parse::<i64>().ok().map(Cell::Number);
        let other = || text.parse::<f64>().ok().filter(|number| number.is_finite());
        let number = whole.or_else(|| other().map(Cell::Decimal));
        let number = number.filter(|number| number.shown() == text);
        number.unwrap_or_else(|| Cell::text(text))
    }

    /// A number where there is one, else nothing.
    pub fn maybe(number: Option<i64>) -> Cell {
        number.map_or_else(|| Cell::text(""), Cell::Number)
    }

    /// A number of things.
    pub fn count(number: usize) -> Cell {
        Cell::Number(i64::try_from(number).unwrap_or(i64::MAX))
    }

    /// The cell as text.
    pub fn shown(&self) -> String {
        match self {
            Cell::Text(text) => text.clone(),
            Cell::Number(number) => number.to_string(),
            Cell::Decimal(number) => number.to_string(),
            Cell::Day(day) => day.to_string(),
            Cell::Time(time) => time.strftime("%Y-%m-%d %H:%M:%S").to_string(),
        }
    }
}

/// A sheet of a workbook, or a table: its name, its columns, and its rows, each made when it is
/// written.
pub struct Sheet<'s> {
    /// The name.
    pub name: &'static str,
    /// The columns.
    pub columns: Vec<String>,
    /// The rows.
    pub rows: Box<dyn Iterator<Item = Vec<Cell>> + 's>,
}

impl<'s> Sheet<'s> {
    /// A sheet of a name.
    pub fn new<C: Into<String>>(
        name: &'static str,
        columns: impl IntoIterator<Item = C>,
        rows: impl IntoIterator<Item = Vec<Cell>, IntoIter: 's>,
    ) -> Sheet<'s> {
        Sheet {
            name,
            columns: columns.into_iter().map(Into::into).collect(),
            rows: Box::new(rows.into_iter()),
        }
    }

    /// The sheet as comma-separated values.
    ///
    /// # Errors
    /// None in practice; a writer's error otherwise.
    pub fn csv(self, flavour: Flavour) -> csv::Result<Vec<u8>> {
        let mut table = Table::new(Vec::new(), flavour, &self.columns)?;
        for row in self.rows {
            table.row(row.iter().map(Cell::shown))?;
        }
        table.finish()
    }
}

impl std::fmt::Debug for Sheet<'_> {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (name, columns) = (&self.name, &self.columns);
        write!(out, "Sheet {name:?} {columns:?}")
    }
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
    pub fn new<C: AsRef<str>>(mut to: W, flavour: Flavour, header: &[C]) -> csv::Result<Table<W>> {
        if flavour == Flavour::Excel {
            to.write_all("\u{feff}".as_bytes())?;
        }
        let mut table = Table::more(to, flavour);
        table.row(header)?;
        Ok(table)
    }

    /// Rows without a header and without a mark: what goes on where another table ended.
    pub fn more(to: W, flavour: Flavour) -> Table<W> {
        let mut builder = csv::WriterBuilder::new();
        if flavour == Flavour::Excel {
            builder.terminator(csv::Terminator::CRLF);
            // Cells come quoted: the writer knows of one separator, a spreadsheet of three.
            builder.quote_style(csv::QuoteStyle::Never);
        }
        Table { rows: builder.from_writer(to), flavour }
    }

    /// Writes a row.
    ///
    /// # Errors
    /// Those of the writer, and a row with more or fewer cells than the one before.
    pub fn row<C: AsRef<str>>(&mut self, cells: impl IntoIterator<Item = C>) -> csv::Result<()> {
        for (column, cell) in cells.into_iter().enumerate() {
            write_cell(&mut self.rows, self.flavour, column, cell.as_ref())?;
        }
        self.rows.write_record(None::<&[u8]>)
    }

    /// What was written to, with everything written out.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn finish(self) -> csv::Result<W> {
        self.rows.into_inner().map_err(|error| csv::Error::from(error.into_error()))
    }
}

/// Writes a cell of a column, counted from 0.
fn write_cell<W: Write>(
    rows: &mut csv::Writer<W>,
    flavour: Flavour,
    column: usize,
    cell: &str,
) -> csv::Result<()> {
    // Who looks at a table in a terminal is shown its cells, and nothing is done to it.
    let cell = &*crate::text::escape_cell(cell);
    match (flavour, column) {
        (Flavour::Plain, _) => rows.write_field(cell),
        (Flavour::Excel, 0) => rows.write_field(quoted(&guarded_text(cell)).as_bytes()),
        (Flavour::Excel, _) => rows.write_field(quoted(&guarded(cell)).as_bytes()),
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
        assert_eq!(text, "name,sum\n=cmd|' /C calc'!A0,-3\n\"a \"\"b\"\",\nc\",1.5\n");
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
            "=1", "+a", "-a", "@a", "\ta", "\ra", "\na", " =1", "\u{a0}=1", "-1+cmd", "+1-1",
            "-inf", "＝1",
        ] {
            assert_eq!(guarded(hostile), format!("'{hostile}"));
        }
        assert_eq!(guarded("\r=1"), "'\r'=1", "a line's end begins a cell");
        for escape_control in ["", "a", "1", "-", "-1", "+1.5", "-2e3", "a=b", "'a", "♠"] {
            assert_eq!(guarded(escape_control), escape_control);
        }
    }

    proptest::proptest! {
        #[test]
        fn no_separator_finds_a_formula(
            rows in proptest::collection::vec(
                proptest::collection::vec("[a=+@;,\"\t\r\n '\\-1]{0,8}", 3), 1..4,
            )
        ) {
            let mut table = Table::new(Vec::new(), Flavour::Excel, &["a", "b", "c"]).unwrap();
            for row in &rows {
                table.row(row).unwrap();
            }
            let bytes = table.finish().unwrap();
            for separator in [b',', b';', b'\t'] {
                let mut reader = csv::ReaderBuilder::new()
                    .delimiter(separator)
                    .has_headers(false)
                    .flexible(true)
                    .from_reader(&bytes[3..]);
                for record in reader.records() {
                    for cell in &record.unwrap() {
                        let runs = cell.starts_with(['=', '+', '-', '@', '\t', '\r']);
                        let escape_control = cell == "-" || is_number(cell);
                        assert!(!runs || escape_control, "{cell:?} of {rows:?}");
                    }
                }
            }
        }
    }
}
