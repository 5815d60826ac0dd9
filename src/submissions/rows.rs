//! The second reading of a table: its rows, one by one.

use super::SubmissionError;
use super::columns::Columns;
use super::table::{Records, Source, Stretch, Table};
use crate::deck::Input;
use std::io::{Read, Take};
use std::path::{Component, Path, PathBuf};

/// A row of a table.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
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

/// Reads the rows of a stretch of a table.
#[derive(Debug)]
pub struct Rows<R> {
    records: Records<Take<R>>,
    columns: Columns,
    /// The row read last.
    row: Row,
}

impl<S: Source + ?Sized> Table<'_, S> {
    /// The rows of a stretch, such as a [`Survey`](super::Survey) tells.
    ///
    /// # Errors
    /// A file that cannot be read.
    pub fn rows(&self, stretch: Stretch) -> Result<Rows<impl Read + use<'_, S>>, SubmissionError> {
        let from = stretch.from;
        let bytes = self.source.read_from(from.byte)?;
        let bytes = bytes.take(stretch.to - from.byte);
        Ok(Rows {
            records: Records::of(bytes, self.layout, from)?,
            columns: self.columns,
            row: Row::default(),
        })
    }
}

impl<R: Read> Rows<R> {
    /// The next row; rows without any cell that says something are passed over.
    ///
    /// # Errors
    /// A file that cannot be read on.
    pub fn next_row(&mut self) -> Result<Option<&Row>, SubmissionError> {
        while let Some(number) = self.records.next()? {
            if !self.records.says_something() {
                continue;
            }
            let text = |at| self.records.cell(at).map(str::to_owned);
            self.row.number = number;
            self.row.player = text(self.columns.player);
            self.row.time = text(self.columns.time);
            self.row.format = text(self.columns.format);
            self.row.deck.clear();
            let deck = self.records.record.get(self.columns.deck);
            self.row.deck.extend_from_slice(deck.unwrap_or_default());
            return Ok(Some(&self.row));
        }
        Ok(None)
    }
}
