//! The first reading of a table: which row of each player counts.

use super::columns::{Columns, Layout};
use super::rows::Records;
use super::stamp::Stamp;
use super::time::{Moment, Seen, TimeOrder, Times, Zones};
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
    timed: bool,
    rows: u64,
    /// The row that counts in place of a replaced one.
    by: FxHashMap<u64, u64>,
    /// The rows, ascending, that a row replaces.
    replaces: FxHashMap<u64, Vec<u64>>,
    /// Of a player with several rows, by the one that counts: those without a time that is
    /// understood, ascending.
    unread: FxHashMap<u64, Vec<u64>>,
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
        layout: Layout,
        columns: &Columns,
        order: Option<TimeOrder>,
    ) -> Result<Survey, SubmissionError> {
        let mut entries: Vec<Entry> = Vec::new();
        let mut seen = Seen::default();
        let mut records = Records::of(table, layout);
        let mut rows = 0;
        while let Some(row) = records.next()? {
            rows += 1;
            let cell = |at: Option<usize>| {
                let text = String::from_utf8_lossy(records.record.get(at?)?);
                (!text.trim().is_empty()).then_some(text)
            };
            let stamp = cell(columns.time).and_then(|time| Stamp::read(&time));
            if let Some(stamp) = &stamp {
                seen.look(stamp);
            }
            if let Some(player) = cell(columns.player) {
                let who = who(player.trim());
                entries.push(Entry { who, row, stamp });
            }
        }
        let times = seen.times(order)?;
        let when = |stamp: Stamp| times.place(stamp).map(|moment| times.key(moment));
        let mut entries: Vec<(Who, Option<DateTime>, u64)> = entries
            .into_iter()
            .map(|Entry { who, row, stamp }| (who, stamp.and_then(when), row))
            .collect();
        entries.sort_unstable();
        let mut survey = Survey {
            times,
            timed: columns.time.is_some(),
            rows,
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
