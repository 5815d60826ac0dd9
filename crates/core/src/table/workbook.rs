//! Workbooks: `.xlsx` and `.ods`.
//!
//! A workbook of two kilobytes may say that it has four thousand million rows. So nothing is
//! unpacked, and no cell made, before it is counted against a budget: parts are unpacked up to
//! [`MOST_UNPACKED`] bytes, and what reads them sees these bytes alone; cells that a sheet repeats
//! are counted before they are; and a sheet is as large as the rectangle that its cells need.

use super::{Row, TableError};
use crate::limits::workbook::{
    LARGEST, MOST_CELLS, MOST_COLUMNS, MOST_PARTS, MOST_ROWS, MOST_TEXT, MOST_UNPACKED,
};
use calamine::{
    Data, ExcelDateTime, Ods, Reader, SheetType, SheetVisible, Xlsx, open_workbook_from_rs,
};
use quick_xml::events::attributes::Attribute;
use quick_xml::events::{BytesStart, Event};
use std::collections::BTreeMap;
use std::io::{Cursor, Read, Write};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipArchive, ZipWriter};

/// The rows of a sheet that say something: of the one of that name, or of the only one that is
/// not empty.
pub(super) fn rows(bytes: &[u8], sheet: Option<&str>) -> Result<Vec<Row>, TableError> {
    if bytes.len() > LARGEST {
        return Err(too_large());
    }
    let has = |part: &[u8]| memchr::memmem::find(bytes, part).is_some();
    if has(b"opendocument.spreadsheet") {
        let parts = unpack(bytes)?;
        let content = parts.iter().find(|part| part.name == "content.xml");
        content.map_or(Ok(()), |content| repeats(&content.bytes))?;
        let parts = Cursor::new(stored(&parts)?);
        let book: Ods<_> = open_workbook_from_rs(parts).map_err(|e| broken(&e))?;
        read(Book::Ods(book), sheet)
    } else if has(b"xl/workbook") {
        let parts = Cursor::new(stored(&unpack(bytes)?)?);
        let book: Xlsx<_> = open_workbook_from_rs(parts).map_err(|e| broken(&e))?;
        read(Book::Xlsx(Box::new(book)), sheet)
    } else {
        Err(TableError::new(
            "this is a packed file, but neither `.xlsx` nor `.ods`",
            "copy what it holds into a text file or a spreadsheet",
        ))
    }
}

fn too_large() -> TableError {
    TableError::new(
        "this workbook is larger than any table of cards or decks",
        "save the one sheet as `CSV UTF-8`",
    )
}

/// A part of a workbook that says something of its cells.
struct Part {
    name: String,
    bytes: Vec<u8>,
}

/// Unpacks a workbook. What its directory says of sizes is not believed.
fn unpack(bytes: &[u8]) -> Result<Vec<Part>, TableError> {
    let mut archive = ZipArchive::new(Cursor::new(bytes)).map_err(|e| broken(&e))?;
    if archive.len() > MOST_PARTS {
        return Err(too_large());
    }
    let mut left = MOST_UNPACKED;
    let mut parts: Vec<Part> = Vec::new();
    for at in 0..archive.len() {
        let part = archive.by_index(at).map_err(|e| broken(&e))?;
        let name = part.name().map_err(|e| broken(&e))?.into_owned();
        let says = name == "mimetype" || name.ends_with(".xml") || name.ends_with(".rels");
        // Pictures and other parts without text; of two parts with one name the first is read.
        if !says || parts.iter().any(|part| part.name == name) {
            continue;
        }
        let mut bytes = Vec::new();
        let read = part.take(left + 1).read_to_end(&mut bytes);
        let read = read.map_err(|e| broken(&e))? as u64;
        left = left.checked_sub(read).ok_or_else(too_large)?;
        if name != "mimetype" {
            whole(&bytes)?;
        }
        parts.push(Part { name, bytes });
    }
    Ok(parts)
}

/// Refuses XML that ends within an element, or names a cell that no sheet has: what reads it
/// would wait for the end for ever, or reckon with another cell.
fn whole(xml: &[u8]) -> Result<(), TableError> {
    let mut reader = quick_xml::Reader::from_reader(xml);
    let (mut buffer, mut depth) = (Vec::new(), 0_u64);
    loop {
        buffer.clear();
        let event = reader.read_event_into(&mut buffer).map_err(|e| broken(&e))?;
        if let Event::Start(tag) | Event::Empty(tag) = &event {
            // A reader allocates this number of texts in advance.
            if times(tag, "uniqueCount") > MOST_CELLS {
                return Err(too_large());
            }
            for at in ["r", "ref"] {
                let at = tag.try_get_attribute(at).map_err(|e| broken(&e))?;
                if at.is_some_and(|at| !at.value.split([':', ' ']).all(is_cell)) {
                    return Err(broken(&"it names a cell that no sheet has"));
                }
            }
        }
        match event {
            Event::Start(_) => depth += 1,
            Event::End(_) => depth = depth.saturating_sub(1),
            Event::Eof if depth == 0 => return Ok(()),
            Event::Eof => return Err(broken(&"it ends too soon")),
            _ => {}
        }
    }
}

/// Whether a name can be that of a cell, a row or a column: `B3`, `3`, `$B`.
fn is_cell(name: &str) -> bool {
    let name = name.replace('$', "");
    let digits = name.trim_start_matches(|letter: char| letter.is_ascii_alphabetic());
    let is_number = digits.bytes().all(|digit| digit.is_ascii_digit());
    name.len() - digits.len() <= 3 && digits.len() <= 7 && is_number
}

/// The same parts as a file that unpacks to no more than it is.
fn stored(parts: &[Part]) -> Result<Vec<u8>, TableError> {
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
    for part in parts {
        archive.start_file(part.name.as_str(), options).map_err(|e| broken(&e))?;
        archive.write_all(&part.bytes).map_err(|e| broken(&e))?;
    }
    let archive = archive.finish().map_err(|e| broken(&e))?;
    Ok(archive.into_inner())
}

/// Refuses an `.ods` whose cells and rows repeat to more than a sheet that is read. A repeated
/// cell at the end of a row and a repeated row at the end of a sheet count only where they hold
/// something.
fn repeats(content: &[u8]) -> Result<(), TableError> {
    let mut reader = quick_xml::Reader::from_reader(content);
    reader.config_mut().check_end_names = false;
    let mut buffer = Vec::new();
    // Empty rows that count once a filled one follows, and the cells counted in this sheet.
    let (mut empty_rows, mut cells, mut width) = (0_u64, 0_u64, 0_u64);
    let (mut row_repeats, mut row_cells, mut row_filled) = (1_u64, 0_u64, 0_u64);
    // The bytes of a cell, with the spaces that it repeats; those of a row and of all rows with the
    // copies that are made of them.
    let (mut cell_bytes, mut cell_repeats, mut row_copies, mut copies) = (0, 1, 0_u64, 0_u64);
    loop {
        buffer.clear();
        let before = reader.buffer_position();
        let event = reader.read_event_into(&mut buffer).map_err(|e| broken(&e))?;
        match &event {
            Event::Start(tag) | Event::Empty(tag) => match tag.name().as_ref() {
                // All sheets are in memory together.
                "table:table" => (empty_rows, width) = (0, 0),
                "text:s" => cell_bytes = u64::saturating_add(cell_bytes, times(tag, "text:c")),
                "table:table-row" => {
                    row_repeats = times(tag, "table:number-rows-repeated");
                    (row_cells, row_filled, row_copies) = (0, 0, 0);
                }
                "table:table-cell" | "table:covered-table-cell" => {
                    cell_repeats = times(tag, "table:number-columns-repeated");
                    row_cells = row_cells.saturating_add(cell_repeats);
                    cell_bytes = 0;
                    // One that holds something has text, a type or a formula.
                    if matches!(event, Event::Start(_)) || tag.attributes().any(says) {
                        row_filled = row_cells;
                        cell_bytes = reader.buffer_position() - before;
                        let more = cell_bytes.saturating_mul(cell_repeats - 1);
                        row_copies = row_copies.saturating_add(more);
                    }
                }
                _ => {}
            },
            Event::Text(text) => cell_bytes = cell_bytes.saturating_add(text.len() as u64),
            Event::End(tag)
                if matches!(
                    tag.name().as_ref(),
                    "table:table-cell" | "table:covered-table-cell"
                ) =>
            {
                row_copies = row_copies.saturating_add(cell_bytes.saturating_mul(cell_repeats));
            }
            Event::End(tag) if tag.name().as_ref() == "table:table-row" => {
                if row_filled == 0 {
                    empty_rows = empty_rows.saturating_add(row_repeats);
                    continue;
                }
                copies = copies.saturating_add(row_copies.saturating_mul(row_repeats));
                if copies > 4 * MOST_TEXT {
                    return Err(too_large());
                }
                width = width.max(row_filled);
                let rows = row_repeats.saturating_add(std::mem::take(&mut empty_rows));
                cells = cells.saturating_add(rows.saturating_mul(width));
                if cells > MOST_CELLS || row_filled > u64::from(MOST_COLUMNS) {
                    return Err(TableError::new(
                        format!(
                            "a sheet has more than {MOST_COLUMNS} columns or {MOST_CELLS} cells, \
                             those that it repeats included"
                        ),
                        "keep the table alone in it",
                    ));
                }
            }
            Event::Eof => return Ok(()),
            _ => {}
        }
    }
}

/// Whether an attribute is more than the style of a cell or the number of its repeats.
fn says(attribute: Result<Attribute<'_>, quick_xml::events::attributes::AttrError>) -> bool {
    const LOOKS: [&str; 2] = ["table:style-name", "table:number-columns-repeated"];
    attribute.is_ok_and(|attribute| !LOOKS.contains(&attribute.key.as_ref()))
}

/// The number of repeats in an attribute of an element.
fn times(tag: &BytesStart<'_>, attribute: &str) -> u64 {
    let value = tag.try_get_attribute(attribute).ok().flatten();
    let value = value.and_then(|value| value.value.trim().parse().ok());
    value.unwrap_or(1).max(1)
}

fn broken(error: &dyn std::fmt::Display) -> TableError {
    let said = error.to_string();
    let said = crate::text::escape_control(&said, false);
    TableError::new(
        format!("this workbook cannot be read ({said})"),
        "open it in a spreadsheet and save it again",
    )
}

enum Book {
    Xlsx(Box<Xlsx<Cursor<Vec<u8>>>>),
    Ods(Ods<Cursor<Vec<u8>>>),
}

/// The cells of a sheet by row and column, both from 0.
type Cells = BTreeMap<(u32, u32), String>;

fn read(mut book: Book, sheet: Option<&str>) -> Result<Vec<Row>, TableError> {
    let sheets = match &book {
        Book::Xlsx(book) => book.sheets_metadata(),
        Book::Ods(book) => book.sheets_metadata(),
    };
    let tables = sheets.iter().filter(|sheet| sheet.typ == SheetType::WorkSheet);
    let shown = tables.clone().filter(|sheet| sheet.visible == SheetVisible::Visible);
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
        return in_rows(book.cells(name)?);
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
        1 => filled.pop().map_or_else(|| Ok(Vec::new()), |(_, cells)| in_rows(cells)),
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

impl Book {
    /// The cells of a sheet that are not empty.
    fn cells(&mut self, sheet: &str) -> Result<Cells, TableError> {
        let mut cells = Cells::new();
        let mut room = MOST_TEXT;
        match self {
            Book::Xlsx(book) => {
                let mut reader = book.worksheet_cells_reader(sheet).map_err(|e| broken(&e))?;
                while let Some(cell) = reader.next_cell().map_err(|e| broken(&e))? {
                    let at = cell.get_position();
                    keep(&mut cells, &mut room, at, cell.get_value().clone().into())?;
                }
            }
            Book::Ods(book) => {
                let range = book.worksheet_range(sheet).map_err(|e| broken(&e))?;
                let (top, left) = range.start().unwrap_or_default();
                for (row, column, value) in range.used_cells() {
                    let at = (top + row as u32, left + column as u32);
                    keep(&mut cells, &mut room, at, value.clone())?;
                }
            }
        }
        Ok(cells)
    }
}

/// Keeps a cell that says something, as long as `left` bytes of text are.
fn keep(
    cells: &mut Cells,
    left: &mut u64,
    (row, column): (u32, u32),
    value: Data,
) -> Result<(), TableError> {
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
                "fix its formula, or write the value itself",
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
            format!("the cell {} holds a letter that was lost", named(row, column)),
            "write it again",
        ));
    }
    if column >= MOST_COLUMNS || row >= MOST_ROWS || cells.len() as u64 >= MOST_CELLS {
        return Err(TableError::at(
            line,
            format!(
                "the sheet has more than {MOST_COLUMNS} columns, {MOST_ROWS} rows or \
                 {MOST_CELLS} cells"
            ),
            "keep the table alone in it",
        ));
    }
    // One text may be in every cell.
    *left = left.checked_sub(text.len() as u64).ok_or_else(too_large)?;
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
        clock.checked_add(jiff::SignedDuration::from_secs(more)).ok()
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
fn in_rows(cells: Cells) -> Result<Vec<Row>, TableError> {
    let width = cells.keys().map(|(_, column)| column + 1).max().unwrap_or(0) as usize;
    let mut filled: Vec<u32> = cells.keys().map(|(row, _)| *row).collect();
    filled.dedup();
    if filled.len() as u64 * width as u64 > MOST_CELLS {
        let last = cells.keys().max_by_key(|(_, column)| *column);
        let last = last.map_or_else(String::new, |(row, column)| named(*row, *column));
        return Err(TableError::new(
            format!(
                "the sheet has {} rows of {width} columns, which is more than {MOST_CELLS} cells; \
                 the last column is that of {last}",
                filled.len()
            ),
            "keep the table alone in it",
        ));
    }
    let mut cells = cells.into_iter().peekable();
    let row = |row: u32| {
        let mut own = vec![String::new(); width];
        while let Some(((_, column), text)) = cells.next_if(|((at, _), _)| *at == row) {
            own[column as usize] = text;
        }
        Row::new(u64::from(row) + 1, own.iter().map(String::as_str))
    };
    Ok(filled.into_iter().map(row).collect())
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
