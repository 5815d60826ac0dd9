//! Why a question has no answer: the one error that a person sees.

#![warn(missing_docs)]

use crate::yaml::FileError;
use serde::{Deserialize, Serialize};
use std::fmt;

/// Why a question has no answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Problem {
    /// What it is about.
    pub kind: ProblemKind,
    /// What is wrong, one or two sentences.
    pub message: String,
    /// One thing to do about it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub help: Option<String>,
    /// Where in the text that was given, if the problem has a place.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<Place>,
    /// The file that cannot be used, with its text and all its problems, if that is what is wrong.
    #[serde(skip)]
    pub file: Option<Box<FileError>>,
}

/// What a problem is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum ProblemKind {
    /// There is no such game, format, list or card.
    NotFound,
    /// A game's files, cards, settings or lists are wrong.
    Game,
    /// The deck cannot be read.
    Deck,
    /// A query, wish or number that cannot be asked.
    Query,
    /// No deck or repair satisfies what was asked.
    Impossible,
    /// The search limit or work limit was reached before there was an answer.
    Limit,
    /// A match cannot be dealt, read or continued so.
    Match,
    /// A fault in decklaw.
    Defect,
}

/// A place in a text that was given.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Place {
    /// The text: a query as it was given, or the name of a file.
    pub source: String,
    /// The first byte.
    pub from: usize,
    /// The byte after the last.
    pub to: usize,
}

impl Problem {
    /// A problem of a kind.
    pub fn new(kind: ProblemKind, message: impl Into<String>) -> Problem {
        Problem { kind, message: message.into(), help: None, place: None, file: None }
    }

    /// An error with its causes, in one message.
    pub fn of(kind: ProblemKind, error: &(dyn std::error::Error + 'static)) -> Problem {
        let mut message = error.to_string();
        let mut cause = error.source();
        while let Some(inner) = cause {
            let inner_message = inner.to_string();
            if !message.ends_with(&inner_message) {
                message.push_str(": ");
                message.push_str(&inner_message);
            }
            cause = inner.source();
        }
        Problem::new(kind, message)
    }

    /// The same with the file that it is in, before what is wrong.
    #[must_use]
    pub fn within(mut self, file: &str) -> Problem {
        self.message = format!("{file}: {}", self.message);
        self
    }

    /// The same with one thing to do about it, as a sentence; no words are none.
    #[must_use]
    pub fn with_help(mut self, help: impl AsRef<str>) -> Problem {
        let help = crate::text::sentence(help.as_ref());
        self.help = Some(help).filter(|help| !help.is_empty());
        self
    }

    /// The same with the place where it is: bytes of a text that was given.
    #[must_use]
    pub fn at(mut self, source: impl Into<String>, span: impl Into<crate::text::Span>) -> Problem {
        let span = span.into();
        self.place = Some(Place { source: source.into(), from: span.start, to: span.end });
        self
    }
}

impl From<FileError> for Problem {
    fn from(error: FileError) -> Problem {
        let problem = Problem::new(ProblemKind::Game, error.to_string());
        Problem { file: Some(Box::new(error)), ..problem }
    }
}

impl fmt::Display for Problem {
    /// The message alone.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.message)
    }
}

impl std::error::Error for Problem {}
