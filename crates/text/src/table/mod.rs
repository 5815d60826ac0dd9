//! Tables as people have them: CSV with `,`, `;` or tabs, `.xlsx` and `.ods`.
//!
//! [`read`] reads a table's bytes to rows without guesses: a cell that is not closed, text behind a
//! closing quotation mark and a workbook of several sheets are errors with a place and advice.

mod header;
mod layout;
mod quotes;
mod row;
#[cfg(feature = "xlsx")]
mod workbook;

pub use header::{COUNTS, RepeatedColumn, SECTIONS, column, is_aside, key, quoted};
pub use layout::{Layout, read_header};
pub use quotes::wrong as misquoted;
pub use row::{Place, Row, Unit};

#[cfg(feature = "xlsx")]
use workbook::rows as rows_of_workbook;

use crate::ReadError;
use crate::spreadsheet::unguarded;
use crate::text::{DecodedText, counted, decode};
use std::borrow::Cow;
use std::path::{Path, PathBuf};

/// A table: its header and the rows that are not empty.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sheet {
    /// The header.
    pub header: Vec<String>,
    /// The number of its row.
    pub header_row: u64,
    /// The rows below it.
    pub rows: Vec<Row>,
    /// Notes for people, for example that the file was read as UTF-16.
    pub notes: Vec<String>,
    /// The separator of a text; `None` for a workbook or records.
    pub separator: Option<char>,
    /// The unit of its rows in the file.
    pub unit: Unit,
    /// Notes about data that was left out because the game's file asks for that.
    pub aside: Vec<String>,
}

/// A table's text in UTF-8 without a byte order mark, and notes about the file.
pub(crate) type AsText<'b> = (Cow<'b, str>, Vec<String>);

/// Whether bytes are a workbook: a ZIP archive.
pub fn is_workbook(bytes: &[u8]) -> bool {
    bytes.starts_with(b"PK\x03\x04")
}

#[cfg(not(feature = "xlsx"))]
fn rows_of_workbook(_: &[u8], _: Option<&str>) -> Result<Vec<Row>, ReadError> {
    Err(ReadError::new(
        "this is a workbook, and this program was built without reading them",
        "save the one sheet as `CSV UTF-8`",
    ))
}

/// Refuses a workbook where text is asked for.
pub fn refuse_workbook(bytes: &[u8]) -> Result<(), ReadError> {
    if is_workbook(bytes) {
        Err(ReadError::new(
            "this is a workbook, and only text is read here",
            "copy the lines of its sheet, or save the sheet as `CSV UTF-8`",
        ))
    } else {
        Ok(())
    }
}

/// Refuses a document of another program, such as a PDF.
pub fn refuse_document(bytes: &[u8]) -> Result<(), ReadError> {
    let document = crate::text::document(bytes);
    document.map_or(Ok(()), |document| Err(ReadError::new(document.message, document.help)))
}

/// A file's path and the sheet that is named after it: `cards.xlsx#Sheet 2`. A file with the whole
/// name comes first.
///
/// ```
/// let (path, sheet) = decklaw_text::table::named("cards.xlsx#Sheet 2".as_ref());
/// assert_eq!((path.to_str(), sheet.as_deref()), (Some("cards.xlsx"), Some("Sheet 2")));
/// ```
pub fn named(path: &Path) -> (PathBuf, Option<String>) {
    let text = path.to_str().filter(|_| !path.exists());
    let parts = text.and_then(|text| {
        let lower = text.to_ascii_lowercase();
        [".xlsx#", ".ods#", ".xlsm#"].iter().find_map(|mark| {
            let at = lower.find(mark)? + mark.len();
            Some((&text[..at - 1], &text[at..]))
        })
    });
    match parts {
        Some((file, sheet)) => (PathBuf::from(file), Some(sheet.to_owned())),
        None => (path.to_owned(), None),
    }
}

/// A table's bytes as text: a workbook's sheet is written as CSV, a line for each of its rows
/// where `lines`, so that lines are rows.
pub fn as_text<'b>(
    bytes: &'b [u8],
    sheet: Option<&str>,
    lines: bool,
) -> Result<AsText<'b>, ReadError> {
    if is_workbook(bytes) {
        let rows = rows_of_workbook(bytes, sheet)?;
        return Ok((Cow::Owned(written(&rows, lines)), Vec::new()));
    }
    if let Some(sheet) = sheet {
        return Err(ReadError::new(
            format!("not a workbook, so it has no sheet `{sheet}`"),
            "leave the sheet out",
        ));
    }
    refuse_document(bytes)?;
    let DecodedText { text, encoding } = decode(bytes)?;
    let notes = encoding.note().map(str::to_owned);
    Ok((text, notes.into_iter().collect()))
}

/// Rows as CSV, parted by commas. Rows that are missing are empty lines.
fn written(rows: &[Row], lines: bool) -> String {
    let mut text = String::new();
    let mut line = 1;
    for (at, row) in rows.iter().enumerate() {
        text.extend((line..row.number).map(|_| '\n'));
        line = row.number + 1;
        for (column, cell) in row.cells().enumerate() {
            if column > 0 {
                text.push(',');
            }
            // The header's are all quoted, so that nothing in them seems to part its cells.
            if at > 0 && !cell.contains([',', '"', '\r', '\n']) {
                text.push_str(cell);
                continue;
            }
            text.push('"');
            for character in cell.chars() {
                match character {
                    '"' => text.push_str("\"\""),
                    '\r' if lines => {}
                    '\n' if lines => text.push(' '),
                    other => text.push(other),
                }
            }
            text.push('"');
        }
        text.push('\n');
    }
    text
}

/// Reads a table in text, and unpacks no workbook. It is for untrusted data.
///
/// # Errors
/// A workbook, and what [`read`] refuses.
pub fn read_text(bytes: &[u8]) -> Result<Sheet, ReadError> {
    refuse_workbook(bytes)?;
    read(bytes, None)
}

/// Reads a table. Of a workbook it is the `sheet` of that name, or the only one that is not
/// empty.
///
/// # Errors
/// Bytes that are no table; see [`ReadError`].
///
/// ```
/// let sheet = decklaw_text::table::read(b"Name;Qty\n\"Moss; Sprite\";3\n", None)?;
/// assert_eq!(sheet.header, ["Name", "Qty"]);
/// assert_eq!(sheet.rows[0].cell(0), "Moss; Sprite");
/// assert!(decklaw_text::table::read(b"Name,Qty\n\"Moss", None).is_err());
/// # Ok::<(), decklaw_text::ReadError>(())
/// ```
pub fn read(bytes: &[u8], sheet: Option<&str>) -> Result<Sheet, ReadError> {
    if is_workbook(bytes) {
        let rows = rows_of_workbook(bytes, sheet)?;
        return of_rows(rows, Vec::new(), None);
    }
    let (text, notes) = as_text(bytes, sheet, false)?;
    of_text(&text, notes)
}

fn of_text(text: &str, notes: Vec<String>) -> Result<Sheet, ReadError> {
    let layout = Layout::of(text.as_bytes());
    if let Some(error) = quotes::wrong(text.as_bytes(), layout.separator) {
        return Err(error);
    }
    let (before, table) = layout.table(text.as_bytes());
    let mut reader = csv::ReaderBuilder::new()
        .delimiter(layout.separator)
        .has_headers(false)
        .flexible(true)
        .from_reader(table);
    let mut rows = Vec::new();
    let mut record = csv::StringRecord::new();
    let broken = |error: csv::Error| ReadError::new(error.to_string(), "");
    // A first line of `sep=;` is none of the rows that a spreadsheet shows.
    let (mut from, mut line, mut sheet_row) = (0, before + 1, 0);
    while reader.read_record(&mut record).map_err(broken)? {
        let end = usize::try_from(reader.position().byte()).unwrap_or(table.len());
        let taken = table.get(from..end).unwrap_or_default();
        // Empty lines before a row belong to where its reading began.
        let empty = taken.iter().take_while(|byte| matches!(byte, b'\r' | b'\n'));
        let empty = empty.filter(|byte| **byte == b'\n').count() as u64;
        // The reader would trim a row in two copies of it.
        let mut row = Row::new(line + empty, record.iter().map(str::trim));
        // The reader leaves the LF of a row that ends with CRLF.
        let ended =
            from > 0 && table.get(from - 1) == Some(&b'\r') && taken.first() == Some(&b'\n');
        sheet_row += empty + 1 - u64::from(ended);
        row.sheet_row = sheet_row;
        rows.push(row);
        line += memchr::memchr_iter(b'\n', taken).count() as u64;
        from = end;
    }
    of_rows(rows, notes, Some(char::from(layout.separator)))
}

/// Reads a text as Windows-1252 where [`read`] refuses it: only names of known cards show
/// that it is. `None`: it is not such a text.
pub fn read_western(bytes: &[u8]) -> Option<Sheet> {
    if is_workbook(bytes) {
        return None;
    }
    let western = crate::text::western(bytes)?;
    let mut sheet = read(western.as_bytes(), None).ok()?;
    let note = crate::text::Encoding::Windows1252.note();
    sheet.notes.extend(note.map(str::to_owned));
    Some(sheet)
}

/// Reads a text in which a few bytes are not UTF-8: each is `\u{fffd}` in its cell. `None`: it is
/// no such text.
pub fn read_lossy(bytes: &[u8]) -> Option<Sheet> {
    let is_binary = is_workbook(bytes) || memchr::memchr(0, bytes).is_some();
    if is_binary || crate::text::document(bytes).is_some() {
        return None;
    }
    let text = String::from_utf8_lossy(crate::text::without_bom(bytes));
    let is_damaged = text.contains('\u{fffd}');
    of_text(&text, Vec::new()).ok().filter(|_| is_damaged)
}

fn of_rows(
    rows: Vec<Row>,
    mut notes: Vec<String>,
    separator: Option<char>,
) -> Result<Sheet, ReadError> {
    let says = |row: &Row| row.cells().any(|cell| !cell.is_empty());
    let mut rows = rows.into_iter().filter(says);
    let Some(first) = rows.next() else {
        return Err(ReadError::new("it has no header", "name the columns in its first row"));
    };
    let cells = first.cells();
    let header: Vec<String> =
        cells.map(|cell| cell.trim_matches(crate::name::is_mark).trim().to_owned()).collect();
    let rows: Vec<Row> = rows.map(bare).collect();
    if separator.is_some() {
        notes.extend(uneven(&rows, header.len()));
    }
    Ok(Sheet {
        header,
        header_row: first.number,
        rows,
        notes,
        separator,
        unit: Unit::Line,
        aside: Vec::new(),
    })
}

/// That some rows of a text have a cell too many and others none. What is behind the last column
/// may say nothing: a separator too many before it has moved all the other cells by one.
fn uneven(rows: &[Row], columns: usize) -> Option<String> {
    let longer = |row: &&Row| row.len() > columns;
    let first = rows.iter().find(longer)?;
    let all = rows.iter().filter(longer).count();
    if all == rows.len() {
        return None;
    }
    let more = match all {
        1 => String::new(),
        all => format!(" and {} behind it", counted(all as i64 - 1, "other")),
    };
    Some(format!(
        "line {}{more} {} more cells than the header names columns: is a separator too many there?",
        first.number,
        if all == 1 { "has" } else { "have" },
    ))
}

/// A row without what keeps a spreadsheet from running its cells.
fn bare(row: Row) -> Row {
    if !row.cells().any(|cell| matches!(unguarded(cell), Cow::Owned(_))) {
        return row;
    }
    let cells: Vec<Cow<'_, str>> = row.cells().map(unguarded).collect();
    let mut bare = Row::new(row.number, cells.iter().map(|cell| cell.trim()));
    bare.sheet_row = row.sheet_row;
    bare
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn separators_and_line_numbers_are_those_of_the_file() {
        let sheet =
            read(b"\xef\xbb\xbfsep=;\r\nname;mana\r\n\r\n\"a\r\nb\";1\r\nc;2\r\n", None).unwrap();
        assert_eq!((sheet.header_row, sheet.separator), (2, Some(';')));
        let numbers: Vec<u64> = sheet.rows.iter().map(|row| row.number).collect();
        assert_eq!(numbers, [4, 6]);
        let tabs = read(b"name\tmana\nAnt, red\t1", None).unwrap();
        assert!(tabs.rows[0].cells().eq(["Ant, red", "1"]));
    }

    /// A separator too many moves a row's cells, and what is then behind the last column may be
    /// empty. An export that ends every row with a separator does no harm.
    #[test]
    fn rows_that_are_longer_than_others_are_told() {
        for (text, told) in [
            ("name,type,mana\nAnt,monster,3\nBee,,4,\n", "line 3 has more cells"),
            (
                "name,type\nAnt,trap,\nBee,trap\nCrow,,\nDove,,\n",
                "line 2 and 2 others behind it have more cells",
            ),
            ("name,type\nAnt,trap,\nBee,trap,\n", ""),
            ("name,type\nAnt,trap\nBee,trap\n", ""),
        ] {
            let notes = read(text.as_bytes(), None).unwrap().notes.join("\n");
            assert!(notes.contains(told) && notes.is_empty() == told.is_empty(), "{text}: {notes}");
        }
    }

    #[test]
    fn rows_are_counted_as_a_spreadsheet_counts_them() {
        let rows = |text: &str| -> Vec<u64> {
            let sheet = read(text.as_bytes(), None).unwrap();
            sheet.rows.iter().map(|row| row.sheet_row).collect()
        };
        for end in ["\n", "\r\n"] {
            let text = "a,b\n\"1\n2\",3\n\n4,5\n6,\"7\n\"\n8,9\n".replace('\n', end);
            assert_eq!(rows(&text), [2, 4, 5, 6], "{text:?}");
        }
    }

    #[test]
    fn marks_out_of_place_are_told_with_their_line() {
        for (text, line, word) in [
            ("a,b\n1,\"2\n3,4\n", 2, "ends within"),
            ("a,b\n1,2\n5\" disc,4\n", 3, "alone within a cell"),
            ("a,b\n\"1\nx\"y,2\n", 3, "follows the quotation mark"),
            ("a,b\n1, \"2,3\"\n", 2, "alone within a cell"),
        ] {
            let error = read(text.as_bytes(), None).unwrap_err();
            assert_eq!(error.line, Some(line), "{text}");
            assert!(error.message.contains(word), "{error}");
            assert!(!error.help.is_empty());
        }
        let pair = read(b"a,b\nThe \"Red\" Ant,2\n", None).unwrap();
        assert!(pair.rows[0].cells().eq(["The \"Red\" Ant", "2"]));
    }

    proptest! {
        /// What a program writes by the rules of CSV is read as it was.
        #[test]
        fn what_is_written_is_read_again(
            cells in prop::collection::vec(prop::collection::vec("[ab,;\"\n]{0,5}z", 2..3), 1..6),
        ) {
            let rows: Vec<Row> = (1..).zip(&cells).map(|(number, cells)| Row::new(number, cells.iter().map(String::as_str))).collect();
            let text = written(&rows, false);
            let sheet = read(text.as_bytes(), None).unwrap();
            let again: Vec<Vec<&str>> = sheet.rows.iter().map(|row| row.cells().collect()).collect();
            let said = |cells: &Vec<String>| cells.iter().map(|cell| cell.trim().to_owned()).collect::<Vec<_>>();
            let truth: Vec<Vec<String>> = cells[1..].iter().map(said).collect();
            prop_assert_eq!(again, truth);
        }
    }
}
