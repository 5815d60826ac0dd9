//! The first reading of a table: which row of each player counts.

use super::columns::Columns;
use super::stamp::Stamp;
use super::table::{Place, Records, Source, Stretch, Table};
use super::time::{Moment, Seen, TimeOrder, Times, Zones};
use super::{Submission, SubmissionError};
use crate::name::fold;
use crate::table::Checked;
use jiff::civil::DateTime;
use rayon::slice::ParallelSliceMut;
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
    timed: bool,
    rows: u64,
    stretches: Vec<Stretch>,
    /// The row that counts in place of a replaced one.
    by: FxHashMap<u64, u64>,
    /// The rows, ascending, that a row replaces.
    replaces: FxHashMap<u64, Vec<u64>>,
    /// Of a player with several rows, by the one that counts: those without a time that is
    /// understood, ascending.
    unread: FxHashMap<u64, Vec<u64>>,
}

/// What is kept of rows while the table is read for the first time.
#[derive(Default)]
struct Looked {
    rows: u64,
    seen: Seen,
    entries: Vec<Entry>,
}

/// A row of a player: some 48 bytes.
struct Entry {
    who: Who,
    row: u64,
    stamp: Option<Stamp>,
}

impl Looked {
    /// Looks at the record read last.
    fn look<R: Read>(&mut self, records: &Records<R>, row: u64, columns: &Columns) {
        if !records.says_something() {
            return;
        }
        self.rows += 1;
        let stamp = records.cell(columns.time).and_then(Stamp::read);
        if let Some(stamp) = &stamp {
            self.seen.look(stamp);
        }
        if let Some(player) = records.cell(columns.player) {
            let who = who(player);
            self.entries.push(Entry { who, row, stamp });
        }
    }
}

/// The bytes of a stretch, unless its last row takes it further.
const STRETCH: u64 = 1 << 17;
/// The most rows of a stretch.
const STRETCH_ROWS: usize = 256;

/// Looks through a table. The answer is also the table in stretches.
fn look_through<S: Source + ?Sized>(
    table: &Table<'_, S>,
) -> Result<(Looked, Vec<Stretch>), SubmissionError> {
    let origin = Place {
        byte: table.layout.start,
        lines: 0,
        row: 0,
    };
    let bytes = table.source.read_from(origin.byte)?;
    let before = u64::from(origin.byte > 0);
    let bytes = Checked::new(bytes, table.layout.separator, before);
    let mut records = Records::of(bytes, table.layout, origin)?;
    let columns = records.record.len();
    let (mut looked, mut stretches) = (Looked::default(), Vec::new());
    let (mut begun, mut rows) = (origin, 0);
    loop {
        let row = records.next()?;
        if let Some(row) = row {
            // What stands behind the last column was part of a cell before it.
            let mut behind = records.record.iter().skip(columns);
            if behind.any(|cell| !cell.trim_ascii().is_empty()) {
                let cells = records.record.len();
                return Err(SubmissionError::File(format!(
                    "row {row} has {cells} cells where the header names {columns}; put a cell that holds a separator in quotation marks"
                )));
            }
            looked.look(&records, row, &table.columns);
            rows += 1;
        }
        let end = records.place();
        if rows >= STRETCH_ROWS || end.byte - begun.byte >= STRETCH || row.is_none() {
            stretches.push(Stretch {
                from: begun,
                to: end.byte,
            });
            (begun, rows) = (end, 0);
        }
        if row.is_none() {
            return Ok((looked, stretches));
        }
    }
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
    /// Reads a table. The latest row of a player counts: by its time where
    /// there is a column of times (a row whose time cannot be read stands before all others),
    /// else by its place. Players are the same whose names are but for case and white space.
    /// `order` says how dates are written where they do not say it themselves.
    ///
    /// # Errors
    /// A file that cannot be read, quotation marks out of place, or times that can be read in
    /// two ways.
    pub fn of<S: Source + ?Sized>(
        table: &Table<'_, S>,
        order: Option<TimeOrder>,
    ) -> Result<Survey, SubmissionError> {
        let (looked, stretches) = look_through(table)?;
        let Looked {
            rows,
            seen,
            entries,
        } = looked;
        let times = seen.times(order)?;
        let when = |stamp: Stamp| times.place(stamp).map(|moment| times.key(moment));
        let mut entries: Vec<(Who, Option<DateTime>, u64)> = entries
            .into_iter()
            .map(|Entry { who, row, stamp }| (who, stamp.and_then(when), row))
            .collect();
        entries.par_sort_unstable();
        let mut survey = Survey {
            times,
            timed: table.columns.time.is_some(),
            rows,
            stretches,
            by: FxHashMap::default(),
            replaces: FxHashMap::default(),
            unread: FxHashMap::default(),
        };
        for same in entries.chunk_by(|one, next| one.0 == next.0) {
            if let [earlier @ .., (_, _, last)] = same
                && !earlier.is_empty()
            {
                let mut rows: Vec<u64> = earlier.iter().map(|(_, _, row)| *row).collect();
                rows.sort_unstable();
                survey.by.extend(rows.iter().map(|row| (*row, *last)));
                survey.replaces.insert(*last, rows);
                let unread = same.iter().filter(|(_, when, _)| when.is_none());
                let mut unread: Vec<u64> = unread.map(|(_, _, row)| *row).collect();
                unread.sort_unstable();
                if survey.timed && !unread.is_empty() {
                    survey.unread.insert(*last, unread);
                }
            }
        }
        Ok(survey)
    }

    /// How many rows there are.
    pub fn rows(&self) -> u64 {
        self.rows
    }

    /// The table in stretches, from its first to its last.
    pub fn stretches(&self) -> &[Stretch] {
        &self.stretches
    }

    /// The rows that do not count, ascending, and the one that does in place of each.
    pub fn replaced(&self) -> Vec<(u64, u64)> {
        let mut replaced: Vec<(u64, u64)> = self.by.iter().map(|(row, by)| (*row, *by)).collect();
        replaced.sort_unstable();
        replaced
    }

    /// How many rows count.
    pub fn counting(&self) -> u64 {
        self.rows - self.by.len() as u64
    }

    /// What is to be said of the zones of the table's times and of a deadline's, where they
    /// cannot be compared.
    pub fn of_zones(&self, deadline: Option<Moment>) -> Option<&'static str> {
        match (self.times.zones(), deadline.map(|deadline| deadline.zone)) {
            (Zones::Some, _) => Some(
                "some times say their zone and some do not, so that they are compared as the clocks show them",
            ),
            (Zones::All, Some(None)) => Some(
                "the times say their zones and the deadline does not, so that they are compared as the clocks show them; a deadline such as 2026-03-01T18:00+01:00 says its zone",
            ),
            (Zones::None, Some(Some(_))) => Some(
                "the deadline says its zone and the times do not, so that they are compared as the clocks show them",
            ),
            _ => None,
        }
    }

    /// Whether a row counts. `time` is the row's own.
    pub fn counted(&self, row: u64, time: Option<&str>, deadline: Option<Moment>) -> Counted {
        if let Some(by) = self.by.get(&row) {
            return Counted::ReplacedBy(*by);
        }
        let mut unread = self.unread.get(&row).cloned().unwrap_or_default();
        let mut late = false;
        if let Some(due) = deadline {
            match time.and_then(|time| self.times.read(time)) {
                Some(given) => late = self.times.is_after(given, due),
                None if unread.binary_search(&row).is_err() => {
                    unread.push(row);
                    unread.sort_unstable();
                }
                None => {}
            }
        }
        Counted::Yes(Submission {
            row,
            time: time.map(str::to_owned),
            late,
            replaces: self.replaces.get(&row).cloned().unwrap_or_default(),
            times_not_understood: unread,
        })
    }
}

fn who(player: &str) -> Who {
    let digest = Sha256::digest(fold(player).as_bytes());
    let mut who = [0; 16];
    who.copy_from_slice(&digest[..16]);
    who
}
