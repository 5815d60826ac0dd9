//! How a match command fails.

use crate::cli::{Refusal, terminal};
use crate::matches::MatchError;

/// Why a match command failed, and whose answer it is.
#[derive(Debug)]
pub(super) enum Failure {
    /// The call is wrong.
    Call(String),
    /// The answer is no.
    Refused(String),
}

impl Failure {
    pub(super) fn call(message: impl Into<String>) -> Failure {
        Failure::Call(message.into())
    }

    pub(super) fn refused(message: impl Into<String>) -> Failure {
        Failure::Refused(message.into())
    }
}

impl From<Refusal> for Failure {
    fn from(Refusal(message): Refusal) -> Failure {
        Failure::Call(message)
    }
}

impl From<MatchError> for Failure {
    fn from(error: MatchError) -> Failure {
        match error {
            MatchError::Call(told) => Failure::call(told.message),
            MatchError::Refused(told) => Failure::refused(told.message),
        }
    }
}

/// Says what somebody should know of a file that is all right.
pub(super) fn warn(message: &str) {
    terminal::complain("warning", message);
}
