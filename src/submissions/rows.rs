//! The second reading of a table: its rows, one by one.

use super::SubmissionError;
use super::columns::{Columns, Layout};
use crate::deck::Input;
use std::io::{self, Read};
use std::path::{Component, Path, PathBuf};

/// A row of a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    /// Its number in the spreadsheet, as Excel counts: empty lines too.
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
        if Input::of_ending(path).is_none() {
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
    records: Records<R>,
    columns: Columns,
}

impl<R: Read> Rows<R> {
    /// Rows of a table that begins with its header.
    pub fn of(table: R, layout: Layout, columns: Columns) -> Rows<R> {
        Rows {
            records: Records::of(table, layout),
            columns,
        }
    }

    /// The next row; rows without any cell that says something are passed over.
    ///
    /// # Errors
    /// A file that cannot be read on.
    pub fn next_row(&mut self) -> Result<Option<Row>, SubmissionError> {
        let Some(number) = self.records.next()? else {
            return Ok(None);
        };
        let record = &self.records.record;
        let text = |at: Option<usize>| {
            let cell = String::from_utf8_lossy(record.get(at?)?);
            let cell = cell.trim();
            (!cell.is_empty()).then(|| cell.to_owned())
        };
        Ok(Some(Row {
            number,
            player: text(self.columns.player),
            time: text(self.columns.time),
            format: text(self.columns.format),
            deck: record.get(self.columns.deck).unwrap_or(&[]).to_vec(),
        }))
    }
}

/// The records of a table that say something, with their numbers in the spreadsheet.
#[derive(Debug)]
pub(super) struct Records<R> {
    /// The table, its last line ended as the others are.
    reader: csv::Reader<io::Chain<R, &'static [u8]>>,
    /// The record read last.
    pub(super) record: csv::ByteRecord,
    layout: Layout,
    /// The row read last.
    number: u64,
    /// New lines within the cells so far: those that end no row.
    inside: u64,
}

impl<R: Read> Records<R> {
    pub(super) fn of(table: R, layout: Layout) -> Records<R> {
        Records {
            reader: csv::ReaderBuilder::new()
                .delimiter(layout.separator)
                .flexible(true)
                .has_headers(false)
                .buffer_capacity(1 << 16)
                .from_reader(table.chain(match layout.crlf {
                    true => &b"\r\n"[..],
                    false => b"\n",
                })),
            record: csv::ByteRecord::new(),
            layout,
            number: 0,
            inside: 0,
        }
    }

    /// Reads the next record below the header. The answer is its row.
    pub(super) fn next(&mut self) -> Result<Option<u64>, SubmissionError> {
        loop {
            let read = self.reader.read_byte_record(&mut self.record);
            if !read.map_err(|error| SubmissionError::File(error.to_string()))? {
                return Ok(None);
            }
            let header = self.number == 0;
            // The reader passes over empty lines, and a spreadsheet counts them. It has read
            // the LF behind a record, except that of CRLF.
            self.inside += memchr::memchr_iter(b'\n', self.record.as_slice()).count() as u64;
            let lines = self.reader.position().line() - 1;
            let ended = lines.saturating_sub(self.inside) + u64::from(self.layout.crlf);
            self.number = ended.max(self.number + 1);
            if !header && !self.record.iter().all(|cell| cell.trim_ascii().is_empty()) {
                return Ok(Some(self.number));
            }
        }
    }
}
