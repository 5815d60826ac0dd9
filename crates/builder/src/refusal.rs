//! Why there is no answer.

use decklaw_core::judge::JudgeError;
use decklaw_core::text::sentence;
use decklaw_play::matches::MatchError;
use serde::{Deserialize, Serialize};

/// Why there is no answer: a status as HTTP has it, and sentences for people.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Refusal {
    /// The status: from 400 for a question that is wrong, from 500 for a fault of who answers.
    pub status: u16,
    /// What is wrong.
    pub message: String,
    /// What to do about it; may be empty.
    pub help: String,
}

impl Refusal {
    /// A refusal of a status.
    pub fn new(status: u16, message: impl Into<String>, help: impl Into<String>) -> Refusal {
        Refusal {
            status,
            message: message.into(),
            help: help.into(),
        }
    }

    /// The question is wrong.
    pub fn wrong(message: impl Into<String>) -> Refusal {
        Refusal::new(400, message, "")
    }

    /// There is no such thing.
    pub fn none(what: &str) -> Refusal {
        Refusal::new(
            404,
            format!("There is no {what} here."),
            "Look at the address again, or begin at the first page.",
        )
    }

    /// A defect.
    pub fn defect() -> Refusal {
        Refusal::new(
            500,
            "This is a defect in decklaw.",
            "Please report it with what you did.",
        )
    }
}

impl From<&JudgeError> for Refusal {
    fn from(error: &JudgeError) -> Refusal {
        let help = sentence(&error.help().unwrap_or_default());
        Refusal::new(400, error.to_string(), help)
    }
}

impl From<&MatchError> for Refusal {
    fn from(error: &MatchError) -> Refusal {
        let (MatchError::Call(told) | MatchError::Refused(told)) = error;
        let help = sentence(told.help.as_deref().unwrap_or_default());
        Refusal::new(422, told.message.clone(), help)
    }
}
