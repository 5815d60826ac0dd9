//! A table's bytes and its records, from any place of it on.
//!
//! The rows of large tables are read by several threads at once, each from a [`RowBoundary`] between
//! two rows.

use super::SubmissionError;
use super::columns::Columns;
use crate::spreadsheet::unguarded;
use crate::table::{self, Layout, TableError, read_header};
use crate::text::{Encoding, western};
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// What a table is read from: by several threads at once, and by each from where it likes.
pub trait TableSource: Sync {
    /// The bytes from one on.
    ///
    /// # Errors
    /// A file that cannot be read.
    fn read_from(&self, start: u64) -> io::Result<impl Read>;
}

/// A table in a file, as it was at first: once it is changed or replaced it cannot be read on.
/// Or one in memory, such as of standard input.
#[derive(Debug, Clone)]
pub struct TableFile {
    path: PathBuf,
    /// Its length and the hour at which it was changed last; `None` where it is in memory.
    found: Option<(u64, Option<SystemTime>)>,
    /// The table as text, where the file is not just that: a workbook, or in another encoding
    /// than UTF-8.
    text: Option<Vec<u8>>,
    notes: Vec<String>,
    doubt: Option<Doubt>,
}

/// Why the bytes of a table may be in Windows-1252 or in another code page: only the decks in it
/// can tell.
#[derive(Debug, Clone)]
pub struct Doubt {
    /// The letters and marks that stand where none do in Western languages.
    pub marks: BTreeSet<char>,
    /// Why the table is refused where its decks do not tell.
    pub why: TableError,
}

/// The largest table that is read into memory, which one in UTF-8 need not be.
const LARGEST: u64 = 1 << 28;
/// The most bytes of a table that are looked at for its header.
const HEADER: u64 = 1 << 16;

impl TableFile {
    /// The table in a file.
    ///
    /// # Errors
    /// A file that cannot be read, or holds no table; see [`table::read`].
    pub fn of(path: &Path) -> Result<TableFile, SubmissionError> {
        TableFile::of_sheet(path, None)
    }

    /// The table in a file: of a workbook the `sheet` of that name, or the only one.
    ///
    /// # Errors
    /// A file that cannot be read, or holds no table; see [`table::read`].
    pub fn of_sheet(path: &Path, sheet: Option<&str>) -> Result<TableFile, SubmissionError> {
        let file = File::open(path)?;
        let about = file.metadata()?;
        let mut table = TableFile {
            path: path.to_owned(),
            found: Some((about.len(), about.modified().ok())),
            text: None,
            notes: Vec::new(),
            doubt: None,
        };
        if sheet.is_some() || !is_plain(file)? {
            let bytes = bounded(File::open(path)?)?;
            let bytes = bytes.ok_or(SubmissionError::TooLarge {
                most: LARGEST >> 20,
            })?;
            table.take(&bytes, sheet)?;
        }
        Ok(table)
    }

    /// A table that is read to its end at once, such as standard input. `called` is how it is
    /// told of.
    ///
    /// # Errors
    /// One that cannot be read, is larger than 256 MiB, or is no table; see [`table::read`].
    pub fn of_stream(called: &str, stream: impl Read) -> Result<TableFile, SubmissionError> {
        let bytes = bounded(stream)?;
        let bytes = bytes.ok_or(SubmissionError::StreamTooLarge {
            most: LARGEST >> 20,
        })?;
        let mut table = TableFile {
            path: PathBuf::from(called),
            found: None,
            text: None,
            notes: Vec::new(),
            doubt: None,
        };
        table.take(&bytes, None)?;
        Ok(table)
    }

    /// Keeps a table's bytes as text.
    fn take(&mut self, bytes: &[u8], sheet: Option<&str>) -> Result<(), SubmissionError> {
        let why = match table::as_text(bytes, sheet, false) {
            Ok((text, notes)) => {
                self.text = Some(text.into_owned().into_bytes());
                self.notes = notes;
                return Ok(());
            }
            Err(why) => why,
        };
        let plain = sheet.is_none() && !table::is_workbook(bytes);
        let western = western(bytes).filter(|western| plain && !western.doubtful.is_empty());
        let western = western.ok_or_else(|| why.clone())?;
        self.doubt = Some(Doubt {
            marks: western.marks(),
            why,
        });
        self.text = Some(western.text.into_bytes());
        self.notes
            .extend(Encoding::Windows1252.note().map(str::to_owned));
        Ok(())
    }

    /// Why it may be something else than Windows-1252, as which it is read for now: its rows may
    /// be asked, and nobody may be told of them before
    /// [`Judge::tells`](crate::Judge::tells) has said that their decks leave no doubt.
    pub fn doubt(&self) -> Option<&Doubt> {
        self.doubt.as_ref()
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What is to be known of how it was read: that it was read as UTF-16, say.
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// Its header, and how it is written.
    ///
    /// # Errors
    /// A file that cannot be read, or one without a header.
    pub fn header(&self) -> Result<(Vec<String>, Layout), SubmissionError> {
        let mut first = Vec::new();
        self.read_from(0)?.take(HEADER).read_to_end(&mut first)?;
        // A letter may have been cut in two.
        let whole = first.utf8_chunks().map(|chunk| chunk.valid().len()).next();
        let whole = whole.unwrap_or_default();
        read_header(&first[..whole]).map_err(SubmissionError::Header)
    }
}

/// All of a stream, unless it is larger than the largest table.
fn bounded(stream: impl Read) -> io::Result<Option<Vec<u8>>> {
    let mut bytes = Vec::new();
    let read = stream.take(LARGEST + 1).read_to_end(&mut bytes)?;
    Ok((read as u64 <= LARGEST).then_some(bytes))
}

/// Whether a file is text in UTF-8.
fn is_plain(mut file: File) -> io::Result<bool> {
    let mut piece = vec![0; 1 << 16];
    let mut left = 0;
    loop {
        let read = file.read(&mut piece[left..])?;
        let end = left + read;
        if read == 0 {
            return Ok(left == 0);
        }
        let valid = match std::str::from_utf8(&piece[..end]) {
            Ok(_) => end,
            Err(error) if error.error_len().is_none() => error.valid_up_to(),
            Err(_) => return Ok(false),
        };
        if crate::text::unfit(&piece[..valid]).is_some() || table::is_workbook(&piece[..end]) {
            return Ok(false);
        }
        piece.copy_within(valid..end, 0);
        left = end - valid;
    }
}

impl TableSource for TableFile {
    fn read_from(&self, start: u64) -> io::Result<impl Read> {
        let mut file = None;
        if let Some(found) = self.found {
            let opened = File::open(&self.path)?;
            let now = opened.metadata()?;
            if (now.len(), now.modified().ok()) != found {
                return Err(io::Error::other(
                    "it was changed while it was read; run the command again",
                ));
            }
            file = Some(opened);
        }
        let text: Box<dyn Read + '_> = match (&self.text, file) {
            (None, Some(mut file)) => {
                file.seek(SeekFrom::Start(start))?;
                Box::new(file)
            }
            (text, _) => {
                let text = text.as_deref().unwrap_or_default();
                Box::new(text.read_from(start)?)
            }
        };
        Ok(text)
    }
}

impl TableSource for [u8] {
    fn read_from(&self, start: u64) -> io::Result<impl Read> {
        let start = usize::try_from(start).unwrap_or(usize::MAX);
        Ok(self.get(start..).unwrap_or_default())
    }
}

/// A table whose header was read.
#[derive(Debug)]
pub struct Table<'t, S: ?Sized> {
    /// Its bytes.
    pub source: &'t S,
    /// How it is written.
    pub layout: Layout,
    /// Where its columns are.
    pub columns: Columns,
}

/// A place between two rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct RowBoundary {
    /// The bytes before it.
    pub(super) byte: u64,
    /// The line feeds before it, but for those within cells.
    pub(super) lines: u64,
    /// The row before it; 0 before the header.
    pub(super) row: u64,
}

/// Rows that follow each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stretch {
    pub(super) from: RowBoundary,
    /// The byte at which the next stretch begins.
    pub(super) to: u64,
}

/// A table, its last line ended as the others are. Before what is not its beginning stands an
/// empty line, behind which nothing is taken for a byte order mark.
type Between<R> = io::Chain<io::Chain<&'static [u8], R>, &'static [u8]>;

/// The records of a table below its header, with their numbers in the spreadsheet.
#[derive(Debug)]
pub(super) struct Records<R> {
    reader: csv::Reader<Between<R>>,
    /// How many empty lines stand before the table.
    lead: u64,
    /// The record read last.
    pub(super) record: csv::ByteRecord,
    crlf: bool,
    from: RowBoundary,
    /// The row read last.
    row: u64,
    /// New lines within the cells so far: those that end no row.
    inside: u64,
}

impl<R: Read> Records<R> {
    /// Records from a place on. `table` are the bytes from there.
    pub(super) fn of(
        table: R,
        layout: Layout,
        from: RowBoundary,
    ) -> Result<Records<R>, SubmissionError> {
        let first = from.byte == layout.start;
        let lead: &[u8] = if first { b"" } else { b"\n" };
        let end: &[u8] = if layout.crlf { b"\r\n" } else { b"\n" };
        let mut records = Records {
            reader: csv::ReaderBuilder::new()
                .delimiter(layout.separator)
                .flexible(true)
                .has_headers(false)
                .buffer_capacity(1 << 16)
                .from_reader(lead.chain(table).chain(end)),
            lead: lead.len() as u64,
            record: csv::ByteRecord::new(),
            crlf: layout.crlf,
            from,
            row: from.row,
            inside: 0,
        };
        if first {
            // The header.
            records.next()?;
        }
        Ok(records)
    }

    /// Reads the next record. The answer is its row.
    pub(super) fn next(&mut self) -> Result<Option<u64>, SubmissionError> {
        if !self.reader.read_byte_record(&mut self.record)? {
            return Ok(None);
        }
        // The reader passes over empty lines, and a spreadsheet counts them. It has read the LF
        // behind a record, except that of CRLF.
        self.inside += memchr::memchr_iter(b'\n', self.record.as_slice()).count() as u64;
        let ended = self.place().lines + u64::from(self.crlf);
        self.row = ended.max(self.row + 1);
        self.unguard();
        Ok(Some(self.row))
    }

    /// Takes away what keeps a spreadsheet from running the cells of the record read last.
    fn unguard(&mut self) {
        if memchr::memchr(b'\'', self.record.as_slice()).is_none() {
            return;
        }
        let text = |cell| std::str::from_utf8(cell).unwrap_or_default();
        let cells: Vec<Cow<'_, str>> = self
            .record
            .iter()
            .map(|cell| unguarded(text(cell)))
            .collect();
        if cells.iter().any(|cell| matches!(cell, Cow::Owned(_))) {
            let bare = cells.iter().map(|cell| cell.as_bytes()).collect();
            self.record = bare;
        }
    }

    /// Why nobody can tell which cell of the record read last is which, or what it says.
    pub(super) fn malformed(&self, header: &[String]) -> Option<String> {
        if self
            .record
            .iter()
            .any(|cell| std::str::from_utf8(cell).is_err())
        {
            let mend = crate::text::SAVE_AS_UTF8;
            return Some(format!("row {} is not UTF-8; {mend}", self.row));
        }
        let beyond = self.record.iter().skip(header.len());
        let says = |cell: &[u8]| !cell.trim_ascii().is_empty();
        beyond
            .clone()
            .any(says)
            .then(|| super::rows::too_long(self.row, self.record.len(), header.len()))
    }

    /// Whether the record read last has a cell that says something.
    pub(super) fn says_something(&self) -> bool {
        !self.record.iter().all(|cell| cell.trim_ascii().is_empty())
    }

    /// The text of a cell of the record read last, trimmed; `None` where it says nothing.
    pub(super) fn cell(&self, at: Option<usize>) -> Option<&str> {
        // Rows that are not UTF-8 are none.
        let cell = std::str::from_utf8(self.record.get(at?)?).unwrap_or_default();
        let trimmed = cell.trim();
        (!trimmed.is_empty()).then_some(trimmed)
    }

    /// The place behind the record read last.
    pub(super) fn place(&self) -> RowBoundary {
        let position = self.reader.position();
        let lines = (position.line() - 1).saturating_sub(self.lead + self.inside);
        RowBoundary {
            byte: self.from.byte + position.byte().saturating_sub(self.lead),
            lines: self.from.lines + lines,
            row: self.row,
        }
    }
}
