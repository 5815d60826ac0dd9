//! How a match command fails.

use crate::cli::{CliError, Run, answer};
use crate::matches::{ErrorDetail, MatchError};

/// Why a match command failed, and whose answer it is.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The call is wrong.
    Call(String),
    /// The answer is no.
    Refused(String),
}

impl Failure {
    pub(crate) fn call(message: impl Into<String>) -> Failure {
        Failure::Call(message.into())
    }

    pub(crate) fn refused(message: impl Into<String>) -> Failure {
        Failure::Refused(message.into())
    }

    pub(crate) fn message(&self) -> &str {
        let (Failure::Call(message) | Failure::Refused(message)) = self;
        message
    }
}

impl From<CliError> for Failure {
    fn from(CliError(message): CliError) -> Failure {
        Failure::Call(message)
    }
}

impl From<MatchError> for Failure {
    fn from(error: MatchError) -> Failure {
        let said = |error: ErrorDetail| {
            answer::with_help(&error.message, error.help.as_deref().unwrap_or_default())
        };
        match error {
            MatchError::Call(detail) => Failure::Call(said(detail)),
            MatchError::Refused(detail) => Failure::Refused(said(detail)),
        }
    }
}

/// Prints a note about a file that is all right.
pub(super) fn warn(run: &Run, message: &str) {
    run.complain("warning", message);
}
