//! Submissions: what the columns of a form's export hold, and the report on a deck from one.

mod columns;
mod deadline;
mod headings;
mod rows;
mod stamp;
mod time;

pub use columns::{Columns, DeckColumn, Identity, PeopleColumns, UnreadColumn, looks_like_a_deck};
pub use deadline::{Deadline, zone};
pub use rows::{Cell, Row, surplus};
pub use time::{Moment, TimeOrder, Times, Zones};

use jiff::civil::DateTime;
use serde::{Deserialize, Serialize};

/// What a form says of a deck apart from the deck itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Submission {
    /// The row in the spreadsheet, as Excel counts: empty lines too.
    pub row: u64,
    /// The time in the form.
    pub time: Option<String>,
    /// The same where it was understood, as clocks at the event show it.
    #[serde(skip)]
    pub at: Option<DateTime>,
    /// Whether that was after the deadline.
    pub late: bool,
    /// Other rows of the same player, which this one replaces.
    pub replaces: Vec<u64>,
    /// Of this row and those that it replaces, the ones whose time is missing or not
    /// understood, where that matters: with a deadline, or to find the latest row.
    pub times_not_understood: Vec<u64>,
    /// What distinguishes the player from others of the same name.
    pub identity: Option<String>,
    /// Whether it is the player's deck; a late one may be judged as well.
    pub counts: bool,
    /// Of a row that counts, a late one of the same player; of such a late one, the row that
    /// counts.
    pub beside: Option<u64>,
    /// Why its player is in doubt, in words: in an event the organiser is asked before it counts.
    #[serde(skip)]
    pub asked: Option<&'static str>,
    /// Whether the row has no deck at all.
    pub empty: bool,
    /// The file that holds the deck, as the row names it.
    pub file: Option<String>,
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
        let said = self.times_not_understood.contains(&self.row);
        if let Some(asked) = self.asked.filter(|_| !said) {
            remarks.push(format!("to ask about: {asked}"));
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
    format!("{noun} {}", decklaw_text::text::listed(&rows, "and"))
}

/// Why a form's export cannot be read.
#[derive(Debug, thiserror::Error)]
#[error("{message}")]
pub struct SubmissionError {
    /// What is wrong.
    pub message: String,
    /// What to do about it; may be empty.
    pub help: String,
    /// Whether it is that no column is plainly the deck.
    pub lacks_deck: bool,
}

impl SubmissionError {
    fn new(message: impl Into<String>, help: impl Into<String>) -> SubmissionError {
        SubmissionError { message: message.into(), help: help.into(), lacks_deck: false }
    }

    /// The first row is a row of the form.
    pub fn no_header() -> SubmissionError {
        SubmissionError::new(
            "the first row is a player's, not the names of the columns",
            "put a line such as `player,deck` above it",
        )
    }
}
