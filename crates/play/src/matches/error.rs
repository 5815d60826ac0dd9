//! Why a match could not be made, read or advanced.

use decklaw_text::problem::{Problem, ProblemKind};
use std::fmt;
use std::ops::Deref;

/// What went wrong, and whose answer it is: the caller's mistake, or a well-formed "no".
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum MatchError {
    /// The call itself is wrong: an unknown option, a value outside its domain, a setting
    /// that is missing (exit status 2).
    #[error("{0}")]
    Call(ErrorDetail),
    /// The call is well formed, and the answer is no: a decision not allowed now, too few
    /// cards to deal, a file that does not verify (exit status 1).
    #[error("{0}")]
    Refused(ErrorDetail),
}

/// What an error is about, and a sentence for people.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ErrorDetail {
    /// What it is about.
    pub kind: MatchErrorKind,
    /// What is wrong, and where.
    pub message: String,
    /// What to do about it.
    pub help: Option<String>,
}

impl fmt::Display for ErrorDetail {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl Deref for ErrorDetail {
    type Target = str;

    fn deref(&self) -> &str {
        &self.message
    }
}

/// What an error of a match is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum MatchErrorKind {
    /// The setup in the format file.
    Setup,
    /// The seats, the players, and how many decks there are.
    Seats,
    /// A deck that the match cannot register.
    Deck,
    /// An option.
    Option,
    /// A setting.
    Setting,
    /// The seed, or what people bring to it.
    Chance,
    /// A decision that is not allowed, or not as it should be.
    Decision,
    /// A swap after which the deck is not legal.
    Swap,
    /// Too few cards.
    Cards,
    /// The games of one match, and their results.
    Series,
    /// A file that is no match file.
    File,
    /// A file that does not agree with itself.
    Proof,
    /// A move that the table cannot do.
    Move,
    /// What the operating system did not give.
    System,
}

impl MatchErrorKind {
    /// A word for the kind that never changes, for programs.
    ///
    /// ```
    /// assert_eq!(decklaw_play::matches::MatchErrorKind::Move.code(), "match.move");
    /// ```
    pub fn code(self) -> &'static str {
        match self {
            MatchErrorKind::Setup => "match.setup",
            MatchErrorKind::Seats => "match.seats",
            MatchErrorKind::Deck => "match.deck",
            MatchErrorKind::Option => "match.option",
            MatchErrorKind::Setting => "match.setting",
            MatchErrorKind::Chance => "match.chance",
            MatchErrorKind::Decision => "match.decision",
            MatchErrorKind::Swap => "match.swap",
            MatchErrorKind::Cards => "match.cards",
            MatchErrorKind::Series => "match.series",
            MatchErrorKind::File => "match.file",
            MatchErrorKind::Proof => "match.proof",
            MatchErrorKind::Move => "match.move",
            MatchErrorKind::System => "match.system",
        }
    }

    /// A mistake in the call.
    pub fn call(self, message: impl Into<String>) -> MatchError {
        MatchError::Call(self.detail(message))
    }

    /// A refusal.
    pub fn refused(self, message: impl Into<String>) -> MatchError {
        MatchError::Refused(self.detail(message))
    }

    fn detail(self, message: impl Into<String>) -> ErrorDetail {
        ErrorDetail { kind: self, message: message.into(), help: None }
    }
}

impl MatchError {
    /// What it is about.
    pub fn kind(&self) -> MatchErrorKind {
        let (MatchError::Call(detail) | MatchError::Refused(detail)) = self;
        detail.kind
    }

    /// The same with what to do about it.
    #[must_use]
    pub fn with_help(mut self, help: impl Into<String>) -> MatchError {
        let (MatchError::Call(detail) | MatchError::Refused(detail)) = &mut self;
        detail.help = Some(help.into());
        self
    }

    /// The same as a refusal: what is a mistake in a call is a fault in a file.
    pub fn in_file(self) -> MatchError {
        match self {
            MatchError::Call(detail) | MatchError::Refused(detail) => MatchError::Refused(detail),
        }
    }

    /// The same, said of something.
    pub fn about(mut self, what: &str) -> MatchError {
        let (MatchError::Call(detail) | MatchError::Refused(detail)) = &mut self;
        detail.message = format!("{what}: {}", detail.message);
        self
    }
}

impl From<&MatchError> for Problem {
    fn from(error: &MatchError) -> Problem {
        let (MatchError::Call(detail) | MatchError::Refused(detail)) = error;
        let help = detail.help.as_deref().unwrap_or_default();
        Problem::new(ProblemKind::Match, detail.message.as_str()).with_help(help)
    }
}
