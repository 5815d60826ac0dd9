//! Why a match could not be made, read or advanced.

use decklaw_text::problem::{Problem, ProblemKind};

/// What went wrong, and whose answer it is: the caller's mistake, or a well-formed "no".
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum MatchError {
    /// The call itself is wrong: an unknown option, a value outside its domain, a setting
    /// that is missing (exit status 2).
    #[error("{0}")]
    Call(Problem),
    /// The call is well formed, and the answer is no: a decision not allowed now, too few
    /// cards to deal, a file that does not verify (exit status 1).
    #[error("{0}")]
    Refused(Problem),
}

impl MatchError {
    /// A mistake in the call.
    pub fn call(message: impl Into<String>) -> MatchError {
        MatchError::Call(Problem::new(ProblemKind::Match, message))
    }

    /// A refusal.
    pub fn refused(message: impl Into<String>) -> MatchError {
        MatchError::Refused(Problem::new(ProblemKind::Match, message))
    }

    /// The same with what to do about it.
    #[must_use]
    pub fn with_help(mut self, help: impl Into<String>) -> MatchError {
        let (MatchError::Call(problem) | MatchError::Refused(problem)) = &mut self;
        problem.help = Some(help.into());
        self
    }

    /// The same as a refusal: what is a mistake in a call is a fault in a file.
    pub fn in_file(self) -> MatchError {
        let (MatchError::Call(problem) | MatchError::Refused(problem)) = self;
        MatchError::Refused(problem)
    }

    /// The same, said of something.
    pub fn about(self, what: &str) -> MatchError {
        match self {
            MatchError::Call(problem) => MatchError::Call(problem.within(what)),
            MatchError::Refused(problem) => MatchError::Refused(problem.within(what)),
        }
    }
}

impl From<MatchError> for Problem {
    fn from(error: MatchError) -> Problem {
        let (MatchError::Call(mut problem) | MatchError::Refused(mut problem)) = error;
        let help = problem.help.take().unwrap_or_default();
        problem.with_help(help)
    }
}
