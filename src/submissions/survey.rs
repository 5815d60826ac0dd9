//! The first reading of a table: which row of each player counts.

use super::columns::{Columns, Separator};
use super::rows::reader;
use super::time::{Seen, TimeOrder, Times};
use super::{Submission, SubmissionError};
use crate::name::fold;
use jiff::civil::DateTime;
use rustc_hash::FxHashMap;
use sha2::{Digest, Sha256};
use std::io::Read;

/// Whom a row is of: a digest of the folded name, which is as good as the name and short.
type Who = [u8; 16];

/// What a table's rows come to, before any deck is judged.
#[derive(Debug, Clone)]
pub struct Survey {
    times: Times,
    /// The row that counts of each player.
    last: FxHashMap<Who, u64>,
    /// Rows that another one replaces, ascending, by the row that does.
    replaced: FxHashMap<u64, Vec<u64>>,
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
        let mut rows: Vec<(Who, u64, Option<String>)> = Vec::new();
        let mut seen = Seen::default();
        let mut reader = reader(table, separator);
        let mut record = csv::ByteRecord::new();
        let mut number = 1_u64;
        loop {
            match reader.read_byte_record(&mut record) {
                Ok(true) => {}
                Ok(false) => break,
                Err(error) => return Err(SubmissionError::File(error.to_string())),
            }
            number += 1;
            let cell = |at: Option<usize>| {
                let bytes = record.get(at?)?;
                let text = String::from_utf8_lossy(bytes).trim().to_owned();
                (!text.is_empty()).then_some(text)
            };
            let Some(player) = cell(columns.player) else {
                continue;
            };
            let time = cell(columns.time);
            if let Some(time) = &time {
                seen.look(time);
            }
            rows.push((who(&player), number, time));
        }
        let times = seen.times(order)?;
        type Best = (Option<DateTime>, u64);
        let mut best: FxHashMap<Who, Best> = FxHashMap::default();
        let when = |time: &Option<String>| time.as_deref().and_then(|time| times.read(time));
        for (who, row, time) in &rows {
            let this = (when(time), *row);
            let known = best.entry(*who).or_insert(this);
            *known = (*known).max(this);
        }
        let last: FxHashMap<Who, u64> = best.iter().map(|(who, (_, row))| (*who, *row)).collect();
        let mut replaced: FxHashMap<u64, Vec<u64>> = FxHashMap::default();
        for (who, row, _) in &rows {
            let by = last[who];
            if by != *row {
                replaced.entry(by).or_default().push(*row);
            }
        }
        Ok(Survey {
            times,
            last,
            replaced,
        })
    }

    /// Whether a row counts. `player` and `time` are the row's own.
    pub fn counted(
        &self,
        row: u64,
        player: Option<&str>,
        time: Option<&str>,
        deadline: Option<DateTime>,
    ) -> Counted {
        let winner = player.and_then(|player| self.last.get(&who(player)));
        match winner {
            Some(by) if *by != row => Counted::ReplacedBy(*by),
            _ => {
                let given = time.and_then(|time| self.times.read(time));
                let late = deadline.zip(given).is_some_and(|(due, given)| given > due);
                Counted::Yes(Submission {
                    row,
                    time: time.map(str::to_owned),
                    late,
                    replaces: self.replaced.get(&row).cloned().unwrap_or_default(),
                })
            }
        }
    }
}

fn who(player: &str) -> Who {
    let digest = Sha256::digest(fold(player).as_bytes());
    let mut who = [0; 16];
    who.copy_from_slice(&digest[..16]);
    who
}
