//! The first reading of a table: which row of each player counts.

use super::columns::{Columns, Separator};
use super::rows::reader;
use super::time::{Seen, Stamp, TimeOrder, Times};
use super::{Submission, SubmissionError};
use crate::name::fold;
use jiff::civil::DateTime;
use rustc_hash::FxHashMap;
use sha2::{Digest, Sha256};
use std::io::Read;

/// Whom a row is of: a digest of the folded name, which is as good as the name and short.
type Who = [u8; 16];

/// What a table's rows come to, before any deck is judged. What it keeps grows with the rows
/// that another one replaces, not with the others.
#[derive(Debug, Clone)]
pub struct Survey {
    times: Times,
    /// The row that counts in place of a replaced one.
    by: FxHashMap<u64, u64>,
    /// The rows, ascending, that a row replaces.
    replaces: FxHashMap<u64, Vec<u64>>,
}

/// A row while the table is read for the first time: some 48 bytes.
struct Entry {
    who: Who,
    row: u64,
    stamp: Option<Stamp>,
}

/// Whether a row counts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Counted {
    /// It does, and this is said of it.
    Yes(Submission),
    /// A later row of the same player does.
    ReplacedBy(u64),
}

impl Survey {
    /// Reads a table from its header on. The latest row of a player counts: by its time where
    /// there is a column of times (a row whose time cannot be read stands before all others),
    /// else by its place. Players are the same whose names are but for case and white space.
    /// `order` says how dates are written where they do not say it themselves.
    ///
    /// # Errors
    /// A file that cannot be read, or times that can be read in two ways.
    pub fn of(
        table: impl Read,
        separator: Separator,
        columns: &Columns,
        order: Option<TimeOrder>,
    ) -> Result<Survey, SubmissionError> {
        let mut entries: Vec<Entry> = Vec::new();
        let mut seen = Seen::default();
        let mut reader = reader(table, separator);
        let mut record = csv::ByteRecord::new();
        let mut row = 1_u64;
        loop {
            match reader.read_byte_record(&mut record) {
                Ok(true) => row += 1,
                Ok(false) => break,
                Err(error) => return Err(SubmissionError::File(error.to_string())),
            }
            let cell = |at: Option<usize>| {
                let text = String::from_utf8_lossy(record.get(at?)?);
                (!text.trim().is_empty()).then_some(text)
            };
            let Some(player) = cell(columns.player) else {
                continue;
            };
            let stamp = cell(columns.time).and_then(|time| Stamp::read(&time));
            if let Some(stamp) = &stamp {
                seen.look(stamp);
            }
            let who = who(player.trim());
            entries.push(Entry { who, row, stamp });
        }
        let times = seen.times(order)?;
        let when = |entry: &Entry| entry.stamp.and_then(|stamp| times.place(stamp));
        entries.sort_unstable_by_key(|entry| (entry.who, when(entry), entry.row));
        let mut survey = Survey {
            times,
            by: FxHashMap::default(),
            replaces: FxHashMap::default(),
        };
        for same in entries.chunk_by(|one, next| one.who == next.who) {
            if let [earlier @ .., last] = same
                && !earlier.is_empty()
            {
                let mut rows: Vec<u64> = earlier.iter().map(|entry| entry.row).collect();
                rows.sort_unstable();
                survey.by.extend(rows.iter().map(|row| (*row, last.row)));
                survey.replaces.insert(last.row, rows);
            }
        }
        Ok(survey)
    }

    /// Whether a row counts. `time` is the row's own.
    pub fn counted(&self, row: u64, time: Option<&str>, deadline: Option<DateTime>) -> Counted {
        if let Some(by) = self.by.get(&row) {
            return Counted::ReplacedBy(*by);
        }
        let given = time.and_then(|time| self.times.read(time));
        Counted::Yes(Submission {
            row,
            time: time.map(str::to_owned),
            late: deadline.zip(given).is_some_and(|(due, given)| given > due),
            replaces: self.replaces.get(&row).cloned().unwrap_or_default(),
        })
    }
}

fn who(player: &str) -> Who {
    let digest = Sha256::digest(fold(player).as_bytes());
    let mut who = [0; 16];
    who.copy_from_slice(&digest[..16]);
    who
}
