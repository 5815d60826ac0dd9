//! What can go wrong.

use super::Report;
use std::ops::Range;

/// Why there is no answer. What it displays is a sentence for the person who asked.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// There is no such game or format, or its files, settings or cards are wrong.
    #[error("{0}")]
    Game(String),
    /// The text is no deck of the game: the report says at which places, and why.
    #[error("{}", .0.findings.first().map_or("it is no deck", |first| &first.message))]
    Unreadable(Box<Report>),
    /// A query, a wish or an option that cannot be asked of this deck.
    #[error("{message}")]
    Question {
        /// What is wrong, a sentence.
        message: String,
        /// The bytes of the query at which it is wrong, where there is such a place.
        span: Option<Range<usize>>,
    },
    /// There is nothing that satisfies what was asked: the rules and wishes that cannot hold
    /// together, a sentence each.
    #[error("there is no such deck: {}", .0.join("; "))]
    Impossible(Vec<String>),
    /// The work limit was reached before anything was found; whether there is anything is not
    /// known.
    #[error("the work limit was reached before any deck was found")]
    Unknown,
    /// A match that cannot be dealt or read, a sentence.
    #[error("{0}")]
    Match(String),
}

impl Error {
    pub(super) fn game(error: impl std::fmt::Display) -> Error {
        Error::Game(error.to_string())
    }

    pub(super) fn matched(error: impl std::fmt::Display) -> Error {
        Error::Match(error.to_string())
    }

    pub(super) fn question(error: impl std::fmt::Display) -> Error {
        Error::Question {
            message: error.to_string(),
            span: None,
        }
    }

    pub(super) fn query(error: &decklaw_core::query::QueryError) -> Error {
        Error::Question {
            message: error.to_string(),
            span: Some(error.span.start..error.span.end),
        }
    }

    pub(super) fn odds(error: decklaw_engine::odds::OddsError) -> Error {
        match &error {
            decklaw_engine::odds::OddsError::Query { error, .. } => Error::query(error),
            _ => Error::question(error),
        }
    }
}
