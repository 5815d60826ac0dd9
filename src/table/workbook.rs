//! Workbooks: `.xlsx` and `.ods`.

use super::{Row, TableError};
use calamine::{
    Data, ExcelDateTime, Ods, Reader, SheetType, SheetVisible, Xlsx, open_workbook_from_rs,
};
use std::collections::BTreeMap;
use std::io::Cursor;

/// The largest workbook that is read, in bytes as it is packed.
const LARGEST: usize = 64 << 20;
/// The most bytes that its parts may say they unpack to.
const MOST_UNPACKED: u64 = 1 << 30;
/// The most columns of a sheet that are read.
const MOST_COLUMNS: u32 = 1024;
/// The most cells of a sheet that are read.
const MOST_CELLS: usize = 4_000_000;

/// The rows of a sheet that say something: of the one of that name, or of the only one that is
/// not empty.
pub(super) fn rows(bytes: &[u8], sheet: Option<&str>) -> Result<Vec<Row>, TableError> {
    if bytes.len() > LARGEST || unpacked(bytes) > MOST_UNPACKED {
        return Err(TableError::new(
            "this workbook is larger than any table of cards or decks",
            "save the one sheet as `CSV UTF-8`",
        ));
    }
    let has = |part: &[u8]| memchr::memmem::find(bytes, part).is_some();
    if has(b"opendocument.spreadsheet") {
        let book: Ods<_> = open_workbook_from_rs(Cursor::new(bytes)).map_err(|e| broken(&e))?;
        read(Book::Ods(book), sheet)
    } else if has(b"xl/workbook") {
        let book: Xlsx<_> = open_workbook_from_rs(Cursor::new(bytes)).map_err(|e| broken(&e))?;
        read(Book::Xlsx(Box::new(book)), sheet)
    } else {
        Err(TableError::new(
            "this is a packed file, but neither `.xlsx` nor `.ods`",
            "copy what it holds into a text file or a spreadsheet",
        ))
    }
}

fn broken(error: &dyn std::fmt::Display) -> TableError {
    let said = error.to_string();
    let said = crate::text::harmless(&said, false);
    TableError::new(
        format!("this workbook cannot be read ({said})"),
        "open it in a spreadsheet and save it again",
    )
}

/// What a file's parts say they unpack to: the sum over its directory.
fn unpacked(bytes: &[u8]) -> u64 {
    let entries = memchr::memmem::find_iter(bytes, b"PK\x01\x02");
    let size = |at: usize| bytes.get(at + 24..at + 28)?.try_into().ok();
    entries
        .filter_map(size)
        .map(|size| u64::from(u32::from_le_bytes(size)))
        .sum()
}

enum Book<'b> {
    Xlsx(Box<Xlsx<Cursor<&'b [u8]>>>),
    Ods(Ods<Cursor<&'b [u8]>>),
}

/// The cells of a sheet by row and column, both from 0.
type Cells = BTreeMap<(u32, u32), String>;

fn read(mut book: Book<'_>, sheet: Option<&str>) -> Result<Vec<Row>, TableError> {
    let sheets = match &book {
        Book::Xlsx(book) => book.sheets_metadata(),
        Book::Ods(book) => book.sheets_metadata(),
    };
    let tables = sheets
        .iter()
        .filter(|sheet| sheet.typ == SheetType::WorkSheet);
    let shown = tables
        .clone()
        .filter(|sheet| sheet.visible == SheetVisible::Visible);
    let (all, shown): (Vec<String>, Vec<String>) = (
        tables.map(|sheet| sheet.name.clone()).collect(),
        shown.map(|sheet| sheet.name.clone()).collect(),
    );
    if let Some(wanted) = sheet {
        let same = |name: &&String| crate::name::fold(name) == crate::name::fold(wanted);
        let Some(name) = all.iter().find(same) else {
            return Err(TableError::new(
                format!("the workbook has no sheet `{wanted}`"),
                format!("it has {}", super::quoted(&all)),
            ));
        };
        return Ok(in_rows(book.cells(name)?));
    }
    let mut filled = Vec::new();
    for name in shown {
        let cells = book.cells(&name)?;
        if !cells.is_empty() {
            filled.push((name, cells));
        }
    }
    match filled.len() {
        0 => Err(TableError::new("the workbook is empty", "")),
        1 => Ok(filled
            .pop()
            .map(|(_, cells)| in_rows(cells))
            .unwrap_or_default()),
        _ => {
            let names: Vec<String> = filled.into_iter().map(|(name, _)| name).collect();
            let first = &names[0];
            Err(TableError::new(
                format!("the workbook has several sheets: {}", super::quoted(&names)),
                format!("say which is meant, behind the file's name: `FILE.xlsx#{first}`"),
            ))
        }
    }
}

impl Book<'_> {
    /// The cells of a sheet that are not empty.
    fn cells(&mut self, sheet: &str) -> Result<Cells, TableError> {
        let mut cells = Cells::new();
        match self {
            Book::Xlsx(book) => {
                let mut reader = book.worksheet_cells_reader(sheet).map_err(|e| broken(&e))?;
                while let Some(cell) = reader.next_cell().map_err(|e| broken(&e))? {
                    let at = cell.get_position();
                    keep(&mut cells, at, cell.get_value().clone().into())?;
                }
            }
            Book::Ods(book) => {
                let range = book.worksheet_range(sheet).map_err(|e| broken(&e))?;
                let (top, left) = range.start().unwrap_or_default();
                for (row, column, value) in range.used_cells() {
                    let at = (top + row as u32, left + column as u32);
                    keep(&mut cells, at, value.clone())?;
                }
            }
        }
        Ok(cells)
    }
}

fn keep(cells: &mut Cells, (row, column): (u32, u32), value: Data) -> Result<(), TableError> {
    let line = u64::from(row) + 1;
    let text = match value {
        Data::Empty => return Ok(()),
        Data::String(text) | Data::DateTimeIso(text) | Data::DurationIso(text) => text,
        Data::Int(number) => number.to_string(),
        Data::Float(number) => number.to_string(),
        Data::Bool(value) => value.to_string(),
        Data::DateTime(time) => moment(time),
        Data::Error(error) => {
            return Err(TableError::at(
                line,
                format!("the cell {} holds the error {error}", named(row, column)),
                "mend its formula, or write the value itself",
            ));
        }
    };
    let text = text.trim();
    if text.is_empty() {
        return Ok(());
    }
    if text.contains(['\0', '\u{fffd}']) {
        return Err(TableError::at(
            line,
            format!(
                "the cell {} holds a letter that was lost",
                named(row, column)
            ),
            "write it again",
        ));
    }
    if column >= MOST_COLUMNS || cells.len() >= MOST_CELLS {
        return Err(TableError::at(
            line,
            format!("the sheet has more than {MOST_COLUMNS} columns or {MOST_CELLS} cells"),
            "keep the table alone in it",
        ));
    }
    cells.insert((row, column), text.to_owned());
    Ok(())
}

/// A date or a time as text that is read as one: `2026-03-01 18:00:00`.
fn moment(time: ExcelDateTime) -> String {
    if time.is_duration() {
        return time.as_f64().to_string();
    }
    let (year, month, day, hour, minute, second, milli) = time.to_ymd_hms_milli();
    // A sheet counts in parts of a day, which no second is a whole number of.
    let whole = |year: u16| {
        let date = jiff::civil::Date::new(year as i16, month as i8, day as i8).ok()?;
        let clock = date.at(hour as i8, minute as i8, second as i8, 0);
        let more = i64::from(milli >= 500);
        clock
            .checked_add(jiff::SignedDuration::from_secs(more))
            .ok()
    };
    match whole(year) {
        Some(at) if time.as_f64() < 1.0 => at.time().to_string(),
        Some(at) if at.time() == jiff::civil::Time::midnight() => at.date().to_string(),
        Some(at) => format!("{} {}", at.date(), at.time()),
        None => time.as_f64().to_string(),
    }
}

/// A cell as a spreadsheet names it: `B3`.
fn named(row: u32, column: u32) -> String {
    let (mut letters, mut rest) = (Vec::new(), column + 1);
    while rest > 0 {
        rest -= 1;
        letters.push(char::from(b'A' + (rest % 26) as u8));
        rest /= 26;
    }
    letters.reverse();
    format!("{}{}", letters.into_iter().collect::<String>(), row + 1)
}

/// Cells in rows, each as wide as the widest.
fn in_rows(cells: Cells) -> Vec<Row> {
    let width = cells
        .keys()
        .map(|(_, column)| column + 1)
        .max()
        .unwrap_or(0) as usize;
    let mut rows: Vec<(u64, Vec<String>)> = Vec::new();
    for ((row, column), text) in cells {
        let number = u64::from(row) + 1;
        if rows.last().is_none_or(|(last, _)| *last != number) {
            rows.push((number, vec![String::new(); width]));
        }
        if let Some((_, last)) = rows.last_mut() {
            last[column as usize] = text;
        }
    }
    rows.iter()
        .map(|(number, cells)| Row::new(*number, cells.iter().map(String::as_str)))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_named_as_a_spreadsheet_does() {
        assert_eq!(named(2, 1), "B3");
        assert_eq!(named(0, 25), "Z1");
        assert_eq!(named(9, 26), "AA10");
    }
}
