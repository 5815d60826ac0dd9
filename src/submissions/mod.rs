//! Submissions: a form's export, one row a player, turned into decks to judge.
//!
//! A file is read twice: [`Survey::of`] learns which row of each player counts, then
//! [`Rows`] gives the rows one by one, so that memory does not grow with their decks.

mod columns;
mod rows;
mod survey;
mod time;

pub use columns::{Columns, Role, Separator, read_header};
pub use rows::{Cell, Row, Rows};
pub use survey::{Counted, Survey};
pub use time::{TimeOrder, Times};

/// What a form says of a deck besides the deck itself.
#[derive(Debug, Clone, PartialEq, Eq, Default, serde::Serialize)]
pub struct Submission {
    /// The row in the spreadsheet, the header being row 1.
    pub row: u64,
    /// When it was handed in, as the form wrote it.
    pub time: Option<String>,
    /// Whether that was after the deadline.
    pub late: bool,
    /// Earlier rows of the same player, which this one replaces.
    pub replaces: Vec<u64>,
}

impl Submission {
    /// What an organiser should know of the row; empty where there is nothing.
    pub fn remark(&self) -> String {
        let mut remarks = Vec::new();
        if self.late {
            remarks.push("late".to_owned());
        }
        if !self.replaces.is_empty() {
            let rows: Vec<String> = self.replaces.iter().map(u64::to_string).collect();
            let noun = if rows.len() == 1 { "row" } else { "rows" };
            remarks.push(format!(
                "replaces {noun} {}",
                crate::text::listed(&rows, "and")
            ));
        }
        remarks.join("; ")
    }
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
