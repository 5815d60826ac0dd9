//! Submissions: a form's export, one row a player, turned into decks to judge.
//!
//! A [`Table`]'s rows are read twice: [`Survey::of`] learns which row of each player counts,
//! then [`Rows`] gives the rows one by one, so that memory does not grow with their decks. The
//! first reading tells [`Stretch`]es of rows, so that several threads can judge the second.

mod carry;
mod columns;
mod deadline;
mod rows;
mod stamp;
mod survey;
mod table;
mod time;
mod who;

pub use crate::table::{Layout, read_header};
pub use carry::Carry;
pub use columns::{Columns, DeckColumn, Identity, Role};
pub use deadline::{Deadline, Late, zone};
pub use rows::{Cell, Row, Rows};
pub use survey::{Counted, Survey, Terms};
pub use table::{Source, Stretch, Table, TableFile};
pub use time::{Moment, TimeOrder, Times, Zones};

use serde::{Serialize, Serializer};

/// What a form says of a deck besides the deck itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Submission {
    /// The row in the spreadsheet, as Excel counts: empty lines too.
    pub row: u64,
    /// When it was handed in, as the form wrote it.
    pub time: Option<String>,
    /// Whether that was after the deadline.
    pub late: bool,
    /// Other rows of the same player, which this one replaces.
    pub replaces: Vec<u64>,
    /// Of this row and those that it replaces, the ones whose time is missing or not
    /// understood, where that matters: with a deadline, or to tell the latest row.
    pub times_not_understood: Vec<u64>,
    /// What tells its player from others of the same name.
    pub identity: Option<String>,
    /// Whether it is the player's deck; a late one may be judged beside the one that is.
    pub counts: bool,
    /// Of a row that counts, a late one of the same player; of such a late one, the row that
    /// counts.
    pub beside: Option<u64>,
    /// Rows of other players of the same name.
    pub namesakes: Vec<u64>,
    /// Whether the row has no deck at all.
    pub empty: bool,
    /// The file that holds the deck, as the row names it.
    pub file: Option<String>,
    /// The cells of columns that are carried along, by what these are called.
    #[serde(serialize_with = "as_map", skip_serializing_if = "Vec::is_empty")]
    pub carried: Vec<(String, String)>,
}

fn as_map<S: Serializer>(pairs: &[(String, String)], to: S) -> Result<S::Ok, S::Error> {
    to.collect_map(pairs.iter().map(|(key, value)| (key, value)))
}

impl Submission {
    /// What an organiser should know of the row; empty where there is nothing.
    pub fn remark(&self) -> String {
        let mut remarks = Vec::new();
        match (self.late, self.counts, self.beside) {
            (true, false, Some(row)) => remarks.push(format!("late; row {row} counts")),
            (true, ..) => remarks.push("late".to_owned()),
            (false, _, Some(row)) => remarks.push(format!("row {row} came late")),
            (false, _, None) => {}
        }
        match self.times_not_understood.as_slice() {
            [] => {}
            [row] if *row == self.row && self.time.is_none() => remarks.push("no time".to_owned()),
            [row] if *row == self.row => remarks.push("time not understood".to_owned()),
            unread => remarks.push(format!("time not understood in {}", rows(unread))),
        }
        if !self.replaces.is_empty() {
            remarks.push(format!("replaces {}", rows(&self.replaces)));
        }
        if !self.namesakes.is_empty() {
            remarks.push(format!("not the player of {}", rows(&self.namesakes)));
        }
        remarks.join("; ")
    }

    /// Whether it was late, for a table: `yes`, `no`, or `unknown` where its time is missing or
    /// not understood.
    pub fn lateness(&self) -> &'static str {
        match (self.late, self.times_not_understood.contains(&self.row)) {
            (true, _) => "yes",
            (false, true) => "unknown",
            (false, false) => "no",
        }
    }
}

/// Rows in words: `rows 3 and 5`.
fn rows(rows: &[u64]) -> String {
    let noun = if rows.len() == 1 { "row" } else { "rows" };
    let rows: Vec<String> = rows.iter().map(u64::to_string).collect();
    format!("{noun} {}", crate::text::listed(&rows, "and"))
}

/// Why a form's export cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum SubmissionError {
    /// It cannot be read, or is no table.
    #[error("{0}")]
    File(String),
    /// Its columns are not what was asked for.
    #[error("{0}")]
    Columns(String),
    /// Its times can be read in two ways.
    #[error("{0}")]
    Times(String),
}

impl From<crate::table::TableError> for SubmissionError {
    fn from(error: crate::table::TableError) -> SubmissionError {
        SubmissionError::File(error.to_string())
    }
}

impl From<std::io::Error> for SubmissionError {
    fn from(error: std::io::Error) -> SubmissionError {
        SubmissionError::File(error.to_string())
    }
}
