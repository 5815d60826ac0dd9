//! Workbooks: `.xlsx` and `.ods`.
//!
//! A workbook of two kilobytes may say that it has four thousand million rows. So nothing is
//! unpacked, and no cell made, before it is counted against a budget: parts are unpacked as a stream
//! up to [`MOST_UNPACKED`] bytes and [`LONGEST_TEXT`] a text, and what reads them sees these bytes
//! alone; cells that a sheet repeats are counted before they are made; and a sheet is as large as the
//! rectangle that its cells need.

use super::Row;
use crate::ReadError;
use crate::limits::workbook::{
    LARGEST, LONGEST_TEXT, MOST_CELLS, MOST_COLUMNS, MOST_COPIES, MOST_ODS_CELLS, MOST_PARTS,
    MOST_ROWS, MOST_TEXT, MOST_UNPACKED,
};
use calamine::{
    Data, Dimensions, ExcelDateTime, Ods, Reader, SheetType, SheetVisible, Xlsx,
    open_workbook_from_rs,
};
use quick_xml::events::attributes::Attribute;
use quick_xml::events::{BytesStart, Event};
use std::collections::HashSet;
use std::io::{BufRead, BufReader, Cursor, ErrorKind, Read, Write};
use std::ops::Range;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipArchive, ZipWriter};

/// The rows of a sheet that say something: of the one of that name, or of the only one that is
/// not empty.
pub(super) fn rows(bytes: &[u8], sheet: Option<&str>) -> Result<Vec<Row>, ReadError> {
    if bytes.len() > LARGEST {
        return Err(too_large());
    }
    let has = |part: &[u8]| memchr::memmem::find(bytes, part).is_some();
    if has(b"opendocument.spreadsheet") {
        let (parts, spans) = stored(bytes)?;
        let book: Ods<_> = open_workbook_from_rs(Cursor::new(parts)).map_err(|e| broken(&e))?;
        read(Book::Ods(book, spans), sheet)
    } else if has(b"xl/workbook") {
        let (parts, _) = stored(bytes)?;
        let is_merged = memchr::memmem::find(&parts, b"mergeCell").is_some();
        let book: Xlsx<_> = open_workbook_from_rs(Cursor::new(parts)).map_err(|e| broken(&e))?;
        read(Book::Xlsx(Box::new(book), is_merged), sheet)
    } else {
        Err(ReadError::new(
            "this is a packed file, but neither `.xlsx` nor `.ods`",
            "copy what it holds into a text file or a spreadsheet",
        ))
    }
}

fn too_large() -> ReadError {
    ReadError::new(
        "this workbook is larger than any table of cards or decks",
        "save the one sheet as `CSV UTF-8`",
    )
}

/// The parts of a workbook that say something of its cells, as a file that unpacks to no more than
/// it is, and the cells of an `.ods` that span rows. Each is read as it is unpacked. What the
/// directory says of sizes is not believed.
fn stored(bytes: &[u8]) -> Result<(Vec<u8>, Vec<RowSpan>), ReadError> {
    let mut archive = ZipArchive::new(Cursor::new(bytes)).map_err(|e| broken(&e))?;
    if archive.len() > MOST_PARTS {
        return Err(too_large());
    }
    let mut copy = ZipWriter::new(Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
    let (mut names, mut left) = (HashSet::new(), MOST_UNPACKED);
    let mut spans = Vec::new();
    for at in 0..archive.len() {
        let part = archive.by_index(at).map_err(|e| broken(&e))?;
        let name = part.name().map_err(|e| broken(&e))?.into_owned();
        let is_xml = name.ends_with(".xml") || name.ends_with(".rels");
        // Pictures and other parts without text; of two parts with one name the first is read.
        if !(is_xml || name == "mimetype") || !names.insert(name.clone()) {
            continue;
        }
        copy.start_file(name.as_str(), options).map_err(|e| broken(&e))?;
        let mut part = PartReader { part, copy: &mut copy, left: &mut left, text: 0 };
        if is_xml {
            let mut repeats = (name == "content.xml").then(Repeats::default);
            whole(BufReader::new(part), repeats.as_mut())?;
            spans.extend(repeats.into_iter().flat_map(|repeats| repeats.spans));
        } else {
            std::io::copy(&mut part, &mut std::io::sink()).map_err(|e| unpacking(&e))?;
        }
    }
    Ok((copy.finish().map_err(|e| broken(&e))?.into_inner(), spans))
}

/// A part that is unpacked, up to what all parts may come to, and copied.
struct PartReader<'p, R> {
    part: R,
    copy: &'p mut ZipWriter<Cursor<Vec<u8>>>,
    /// The bytes that may still be unpacked.
    left: &'p mut u64,
    /// The bytes since the last tag began or ended: a reader keeps a text or a tag whole.
    text: usize,
}

impl<R: Read> Read for PartReader<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let read = self.part.read(buffer)?;
        let bytes = &buffer[..read];
        let mut from = 0;
        for at in memchr::memchr2_iter(b'<', b'>', bytes).chain([read]) {
            self.text += at - from;
            if self.text > LONGEST_TEXT {
                return Err(ErrorKind::FileTooLarge.into());
            }
            if at < read {
                (from, self.text) = (at, 0);
            }
        }
        let left = self.left.checked_sub(read as u64);
        *self.left = left.ok_or(ErrorKind::FileTooLarge)?;
        self.copy.write_all(bytes)?;
        Ok(read)
    }
}

/// An error while a part is unpacked: what is too large, or broken.
fn unpacking(error: &std::io::Error) -> ReadError {
    if error.kind() == ErrorKind::FileTooLarge { too_large() } else { broken(error) }
}

/// Refuses XML that ends within an element, or names a cell that no sheet has: what reads it
/// would wait for the end for ever, or reckon with another cell. `repeats` counts the cells of an
/// `.ods`.
fn whole(xml: impl BufRead, mut repeats: Option<&mut Repeats>) -> Result<(), ReadError> {
    let mut reader = quick_xml::Reader::from_reader(xml);
    let (mut buffer, mut depth) = (Vec::new(), 0_u64);
    loop {
        buffer.clear();
        let before = reader.buffer_position();
        let event = reader.read_event_into(&mut buffer).map_err(|error| match error {
            quick_xml::Error::Io(error) => unpacking(&error),
            error => broken(&error),
        })?;
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
        if let Some(repeats) = &mut repeats {
            repeats.count(&event, reader.buffer_position() - before)?;
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

/// A cell that spans rows of a sheet: its column, and the first and the last row. All count from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct RowSpan {
    sheet: usize,
    column: u32,
    top: u32,
    bottom: u32,
}

/// The cells and the bytes that an `.ods` comes to with what it repeats, which its reader makes
/// before it gives any: more than a sheet that is read is refused. A repeated cell at the end of a
/// row and a repeated row at the end of a sheet count only where they hold something.
#[derive(Default)]
struct Repeats {
    /// Empty rows that count once a filled one follows.
    empty_rows: u64,
    /// The cells of all sheets, which are in memory together, and the width of this one.
    cells: u64,
    width: u64,
    /// The row: how often it repeats, its cells, those up to the last that holds something, and the
    /// bytes of the copies that are made of them.
    row_repeats: u64,
    row_cells: u64,
    row_filled: u64,
    row_copies: u64,
    /// The bytes of a cell, with the spaces that it repeats, and how often it repeats.
    cell_bytes: u64,
    cell_repeats: u64,
    /// The bytes of all copies.
    copies: u64,
    /// The sheets that began, the row, and the one after it with its repeats.
    sheets: usize,
    row: u64,
    next_row: u64,
    /// The cells that span rows.
    spans: Vec<RowSpan>,
}

impl Repeats {
    /// Counts an event of so many bytes.
    fn count(&mut self, event: &Event<'_>, bytes: u64) -> Result<(), ReadError> {
        match event {
            Event::Start(tag) | Event::Empty(tag) => match tag.name().as_ref() {
                "table:table" => {
                    (self.empty_rows, self.width, self.next_row) = (0, 0, 0);
                    self.sheets += 1;
                }
                "text:s" => {
                    self.cell_bytes = self.cell_bytes.saturating_add(times(tag, "text:c"));
                }
                "table:table-row" => {
                    self.row_repeats = times(tag, "table:number-rows-repeated");
                    self.row = self.next_row;
                    self.next_row = self.next_row.saturating_add(self.row_repeats);
                    (self.row_cells, self.row_filled, self.row_copies) = (0, 0, 0);
                }
                "table:table-cell" | "table:covered-table-cell" => {
                    self.span(times(tag, "table:number-rows-spanned"))?;
                    self.cell_repeats = times(tag, "table:number-columns-repeated");
                    self.row_cells = self.row_cells.saturating_add(self.cell_repeats);
                    self.cell_bytes = 0;
                    // One that holds something has text, a type or a formula.
                    if matches!(event, Event::Start(_)) || tag.attributes().any(says) {
                        self.row_filled = self.row_cells;
                        self.cell_bytes = bytes;
                        let more = bytes.saturating_mul(self.cell_repeats - 1);
                        self.row_copies = self.row_copies.saturating_add(more);
                    }
                }
                _ => {}
            },
            Event::Text(text) => {
                self.cell_bytes = self.cell_bytes.saturating_add(text.len() as u64);
            }
            Event::End(tag) => match tag.name().as_ref() {
                "table:table-cell" | "table:covered-table-cell" => {
                    let copies = self.cell_bytes.saturating_mul(self.cell_repeats);
                    self.row_copies = self.row_copies.saturating_add(copies);
                }
                "table:table-row" => return self.row(),
                _ => {}
            },
            _ => {}
        }
        Ok(())
    }

    /// Keeps the next cell of the row if it spans rows.
    fn span(&mut self, rows: u64) -> Result<(), ReadError> {
        if rows < 2 {
            return Ok(());
        }
        if self.spans.len() as u64 >= MOST_ODS_CELLS {
            return Err(too_large());
        }
        let narrow = |number: u64| u32::try_from(number).unwrap_or(u32::MAX);
        self.spans.push(RowSpan {
            sheet: self.sheets.saturating_sub(1),
            column: narrow(self.row_cells),
            top: narrow(self.row),
            bottom: narrow(self.row.saturating_add(rows - 1)),
        });
        Ok(())
    }

    /// Counts a row that ends.
    fn row(&mut self) -> Result<(), ReadError> {
        if self.row_filled == 0 {
            self.empty_rows = self.empty_rows.saturating_add(self.row_repeats);
            return Ok(());
        }
        let copies = self.row_copies.saturating_mul(self.row_repeats);
        self.copies = self.copies.saturating_add(copies);
        if self.copies > MOST_COPIES {
            return Err(too_large());
        }
        self.width = self.width.max(self.row_filled);
        let rows = self.row_repeats.saturating_add(std::mem::take(&mut self.empty_rows));
        self.cells = self.cells.saturating_add(rows.saturating_mul(self.width));
        if self.cells > MOST_ODS_CELLS || self.row_filled > u64::from(MOST_COLUMNS) {
            return Err(ReadError::new(
                format!(
                    "a sheet has more than {MOST_COLUMNS} columns or {MOST_ODS_CELLS} cells, \
                     those that it repeats included"
                ),
                "keep the table alone in it",
            ));
        }
        Ok(())
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

fn broken(error: &dyn std::fmt::Display) -> ReadError {
    let said = error.to_string();
    let said = crate::text::escape_control(&said, false);
    ReadError::new(
        format!("this workbook cannot be read ({said})"),
        "open it in a spreadsheet and save it again",
    )
}

/// A workbook, and whether cells of it are merged, or which.
enum Book {
    Xlsx(Box<Xlsx<Cursor<Vec<u8>>>>, bool),
    Ods(Ods<Cursor<Vec<u8>>>, Vec<RowSpan>),
}

/// The cells of a sheet that are not empty: their rows and columns, both from 0, and their texts in
/// one piece.
#[derive(Default)]
struct Cells {
    cells: Vec<(u32, u32, Range<u32>)>,
    text: String,
}

fn read(mut book: Book, sheet: Option<&str>) -> Result<Vec<Row>, ReadError> {
    let sheets = match &book {
        Book::Xlsx(book, _) => book.sheets_metadata(),
        Book::Ods(book, _) => book.sheets_metadata(),
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
            return Err(ReadError::new(
                format!("the workbook has no sheet `{wanted}`"),
                format!("it has {}", super::quoted(&all)),
            ));
        };
        let cells = book.cells(name)?;
        drop(book);
        return in_rows(cells);
    }
    let (mut names, mut only) = (Vec::new(), Cells::default());
    for name in shown {
        let cells = book.cells(&name)?;
        if !cells.cells.is_empty() {
            only = if names.is_empty() { cells } else { Cells::default() };
            names.push(name);
        }
    }
    drop(book);
    match names.as_slice() {
        [] => Err(ReadError::new("the workbook is empty", "")),
        [_] => in_rows(only),
        [first, ..] => Err(ReadError::new(
            format!("the workbook has several sheets: {}", super::quoted(&names)),
            format!("say which is meant, behind the file's name: `FILE.xlsx#{first}`"),
        )),
    }
}

impl Book {
    /// The cells of a sheet that are not empty.
    fn cells(&mut self, sheet: &str) -> Result<Cells, ReadError> {
        let mut cells = Cells::default();
        let spans = match self {
            Book::Xlsx(book, is_merged) => {
                let mut reader = book.worksheet_cells_reader(sheet).map_err(|e| broken(&e))?;
                while let Some(cell) = reader.next_cell().map_err(|e| broken(&e))? {
                    let at = cell.get_position();
                    cells.keep(at, cell.get_value().clone().into())?;
                }
                drop(reader);
                let merged = if *is_merged {
                    book.merge_cells_by_sheet_name(sheet).map_err(|e| broken(&e))?
                } else {
                    Vec::new()
                };
                let span = |cell: Dimensions| {
                    let ((top, column), (bottom, _)) = (cell.start, cell.end);
                    RowSpan { sheet: 0, column, top, bottom }
                };
                merged.into_iter().map(span).collect()
            }
            Book::Ods(book, spans) => {
                let range = book.worksheet_range(sheet).map_err(|e| broken(&e))?;
                let (top, left) = range.start().unwrap_or_default();
                for (row, column, value) in range.used_cells() {
                    let at = (top + row as u32, left + column as u32);
                    cells.keep(at, value.clone())?;
                }
                let at = book.sheet_names().iter().position(|name| name == sheet);
                let own = spans.iter().filter(|span| Some(span.sheet) == at);
                own.copied().collect::<Vec<_>>()
            }
        };
        cells.fill(&spans)?;
        Ok(cells)
    }
}

impl Cells {
    /// Adds a cell that spans rows to each of them that has other cells: that is what it shows.
    fn fill(&mut self, spans: &[RowSpan]) -> Result<(), ReadError> {
        if spans.is_empty() {
            return Ok(());
        }
        self.cells.sort_by_key(|(row, column, _)| (*row, *column));
        let mut rows: Vec<u32> = self.cells.iter().map(|(row, ..)| *row).collect();
        rows.dedup();
        let (known, mut bytes) = (self.cells.len(), self.text.len());
        for RowSpan { column, top, bottom, .. } in spans {
            let place = |cell: &(u32, u32, Range<u32>)| (cell.0, cell.1);
            let of_sheet = self.cells.get(..known).unwrap_or_default();
            let Ok(at) = of_sheet.binary_search_by_key(&(*top, *column), place) else {
                continue;
            };
            let text = of_sheet[at].2.clone();
            let from = rows.partition_point(|row| row <= top);
            let below = rows.get(from..).unwrap_or_default().iter();
            for row in below.take_while(|row| *row <= bottom) {
                bytes += text.len();
                if bytes > MOST_TEXT || self.cells.len() as u64 >= MOST_CELLS {
                    return Err(too_large());
                }
                self.cells.push((*row, *column, text.clone()));
            }
        }
        Ok(())
    }

    /// Keeps a cell that says something, as far as there is room for its text.
    fn keep(&mut self, (row, column): (u32, u32), value: Data) -> Result<(), ReadError> {
        let line = u64::from(row) + 1;
        let text = match value {
            Data::Empty => return Ok(()),
            Data::String(text) | Data::DateTimeIso(text) | Data::DurationIso(text) => text,
            Data::Int(number) => number.to_string(),
            Data::Float(number) => number.to_string(),
            Data::Bool(value) => value.to_string(),
            Data::DateTime(time) => moment(time),
            Data::Error(error) => {
                return Err(ReadError::at(
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
            return Err(ReadError::at(
                line,
                format!("the cell {} holds a letter that was lost", named(row, column)),
                "write it again",
            ));
        }
        if column >= MOST_COLUMNS || row >= MOST_ROWS || self.cells.len() as u64 >= MOST_CELLS {
            return Err(ReadError::at(
                line,
                format!(
                    "the sheet has more than {MOST_COLUMNS} columns, {MOST_ROWS} rows or \
                     {MOST_CELLS} cells"
                ),
                "keep the table alone in it",
            ));
        }
        // One text may be in every cell.
        let start = self.text.len();
        if start + text.len() > MOST_TEXT {
            return Err(too_large());
        }
        self.text.push_str(text);
        self.cells.push((row, column, start as u32..self.text.len() as u32));
        Ok(())
    }
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

/// Cells in rows, each as wide as the widest. Of several at one place the last is kept.
fn in_rows(Cells { mut cells, text }: Cells) -> Result<Vec<Row>, ReadError> {
    let is_sorted = cells.is_sorted_by(|one, other| (one.0, one.1) < (other.0, other.1));
    if !is_sorted {
        cells.reverse();
        cells.sort_by_key(|(row, column, _)| (*row, *column));
        cells.dedup_by_key(|(row, column, _)| (*row, *column));
    }
    let last = cells.iter().max_by_key(|(_, column, _)| *column);
    let (last, width) = last.map_or((String::new(), 0), |(row, column, _)| {
        (named(*row, *column), *column as usize + 1)
    });
    let rows = cells.chunk_by(|one, other| one.0 == other.0);
    let number = rows.clone().count();
    if number as u64 * width as u64 > MOST_CELLS {
        return Err(ReadError::new(
            format!(
                "the sheet has {number} rows of {width} columns, which is more than {MOST_CELLS} \
                 cells; the last column is that of {last}"
            ),
            "keep the table alone in it",
        ));
    }
    let mut own = vec![""; width];
    let rows = rows.map(|cells| {
        own.fill("");
        for (_, column, range) in cells {
            own[*column as usize] = &text[range.start as usize..range.end as usize];
        }
        Row::new(u64::from(cells[0].0) + 1, own.iter().copied())
    });
    Ok(rows.collect())
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
