//! Why an event cannot be used.

use crate::decision::DecisionRow;
use decklaw_text::Problem;

pub(crate) const ABOUT: &str = "event.yaml";
pub(crate) const ROWS: &str = "entries.db";

/// Why an event cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum EventError {
    /// A file cannot be read or written.
    #[error("{0}: {1}")]
    Io(String, std::io::Error),
    /// The folder is not an event.
    #[error("{0}: this folder is not an event; `decklaw event new` creates one")]
    NoEvent(String),
    /// `event.yaml` is wrong.
    #[error("{ABOUT}: {0}")]
    About(Problem),
    /// The rows cannot be read or written.
    #[error("{file}: {0}", file = ROWS)]
    Rows(#[from] rusqlite::Error),
    /// The folder, its lock or its rows cannot be used, in words.
    #[error("{0}")]
    Unusable(String),
    /// The lock has no rules for a deck.
    #[error(transparent)]
    Judge(#[from] Problem),
    /// The request is refused, in words.
    #[error("{0}")]
    Refused(String),
    /// Somebody decided about the same entry or player meanwhile.
    #[error("{author} decided about this meanwhile: {text}", author = .0.author, text = .1)]
    Conflict(Box<DecisionRow>, String),
    /// Other decisions rest on the one that is to be undone.
    #[error("this would take back {} that rest on it: {}", .0.len(), .0.join("; "))]
    Rests(Vec<String>),
}

impl EventError {
    pub(crate) fn of_rows(why: impl std::fmt::Display) -> EventError {
        EventError::Unusable(format!("{ROWS}: {why}"))
    }
}
