//! The second reading of a table: its rows, one by one.

use super::SubmissionError;
use super::columns::{Columns, Separator};
use std::io::Read;
use std::path::{Component, Path, PathBuf};

/// Endings of the files that a row may name in place of a deck.
const ENDINGS: [&str; 4] = ["txt", "yaml", "yml", "json"];

/// A row of a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    /// Its number in the spreadsheet, the header being row 1.
    pub number: u64,
    /// Who hands the deck in.
    pub player: Option<String>,
    /// When, as the form wrote it.
    pub time: Option<String>,
    /// Which format it is for.
    pub format: Option<String>,
    /// The deck's cell.
    pub deck: Vec<u8>,
}

/// What a deck's cell is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Cell {
    /// Nothing.
    Empty,
    /// The deck itself.
    Deck,
    /// The name of a deck's file, beneath the table's folder.
    File(PathBuf),
    /// The name of a file that a row must not name, and why.
    Refused(String),
}

impl Row {
    /// What the deck's cell is. A cell of one line that ends as a deck file does names a file;
    /// it must be beneath the table's folder, without `..` and not by a link out of it.
    pub fn cell(&self, folder: &Path) -> Cell {
        // Nearly every deck is seen to have many lines without reading it as text.
        if let trimmed @ [first, .., last] = self.deck.trim_ascii()
            && first.is_ascii()
            && last.is_ascii()
            && memchr::memchr2(b'\n', b'\r', trimmed).is_some()
        {
            return Cell::Deck;
        }
        let text = String::from_utf8_lossy(&self.deck);
        let text = text.trim();
        if text.is_empty() {
            return Cell::Empty;
        }
        if text.contains(['\n', '\r']) {
            return Cell::Deck;
        }
        if text.contains("://") {
            return Cell::Refused(format!("`{text}` is an address, and decks are not fetched"));
        }
        let path = Path::new(text);
        let ending = path.extension().and_then(|ending| ending.to_str());
        if !ending.is_some_and(|ending| ENDINGS.contains(&ending)) {
            return Cell::Deck;
        }
        let outside = || Cell::Refused(format!("`{text}` is outside of the table's folder"));
        let plain = |part: Component<'_>| matches!(part, Component::Normal(_) | Component::CurDir);
        if !path.components().all(plain) || text.contains('\\') {
            return outside();
        }
        let (Ok(folder), Ok(place)) = (folder.canonicalize(), folder.join(path).canonicalize())
        else {
            return Cell::Refused(format!("there is no file `{text}` beside the table"));
        };
        if !place.starts_with(&folder) {
            return outside();
        }
        Cell::File(place)
    }
}

/// Reads the rows of a table.
#[derive(Debug)]
pub struct Rows<R> {
    reader: csv::Reader<R>,
    record: csv::ByteRecord,
    columns: Columns,
    number: u64,
}

impl<R: Read> Rows<R> {
    /// Rows of a table that begins with its header.
    pub fn of(table: R, separator: Separator, columns: Columns) -> Rows<R> {
        Rows {
            reader: reader(table, separator),
            record: csv::ByteRecord::new(),
            columns,
            number: 1,
        }
    }

    /// The next row; rows without any cell that says something are passed over.
    ///
    /// # Errors
    /// A file that cannot be read on.
    pub fn next_row(&mut self) -> Result<Option<Row>, SubmissionError> {
        loop {
            match self.reader.read_byte_record(&mut self.record) {
                Ok(true) => {}
                Ok(false) => return Ok(None),
                Err(error) => return Err(SubmissionError::File(error.to_string())),
            }
            self.number += 1;
            if self.record.iter().all(|cell| cell.trim_ascii().is_empty()) {
                continue;
            }
            let text = |at: Option<usize>| {
                let cell = String::from_utf8_lossy(self.record.get(at?)?);
                let cell = cell.trim();
                (!cell.is_empty()).then(|| cell.to_owned())
            };
            return Ok(Some(Row {
                number: self.number,
                player: text(self.columns.player),
                time: text(self.columns.time),
                format: text(self.columns.format),
                deck: self.record.get(self.columns.deck).unwrap_or(&[]).to_vec(),
            }));
        }
    }
}

pub(super) fn reader<R: Read>(table: R, separator: Separator) -> csv::Reader<R> {
    csv::ReaderBuilder::new()
        .delimiter(separator.0)
        .flexible(true)
        .buffer_capacity(1 << 16)
        .from_reader(table)
}
