//! Why a match could not be made, read or advanced.

/// What went wrong, and whose answer it is: the caller's mistake, or a well-formed "no".
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum MatchError {
    /// The call itself is wrong: an unknown option, a value outside its domain, a setting
    /// that is missing (exit status 2).
    #[error("{0}")]
    Call(String),
    /// The call is well formed, and the answer is no: a decision not allowed now, too few
    /// cards to deal, a file that does not verify (exit status 1).
    #[error("{0}")]
    Refused(String),
}

impl MatchError {
    /// A mistake in the call.
    pub fn call(message: impl Into<String>) -> MatchError {
        MatchError::Call(message.into())
    }

    /// A refusal.
    pub fn refused(message: impl Into<String>) -> MatchError {
        MatchError::Refused(message.into())
    }

    /// The same as a refusal: what is a mistake in a call is a fault in a file.
    pub fn in_file(self) -> MatchError {
        match self {
            MatchError::Call(message) | MatchError::Refused(message) => {
                MatchError::Refused(message)
            }
        }
    }

    /// The same, said of something.
    pub fn about(self, what: &str) -> MatchError {
        match self {
            MatchError::Call(message) => MatchError::Call(format!("{what}: {message}")),
            MatchError::Refused(message) => MatchError::Refused(format!("{what}: {message}")),
        }
    }
}
