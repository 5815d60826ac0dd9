//! Errors of the packages beneath, as problems.

use decklaw_cards::query::QueryError;
use decklaw_text::{Problem, ProblemKind};
use std::fmt::Display;

/// A fault of decklaw itself.
pub fn defect() -> Problem {
    Problem::new(ProblemKind::Defect, "This is a defect in decklaw.")
        .with_help("Please report it with what you did.")
}

/// A game's files, cards, lists or settings that are wrong.
pub(crate) fn game(error: &impl Display) -> Problem {
    Problem::new(ProblemKind::Game, error.to_string())
}

/// A question that cannot be asked.
pub(crate) fn query(message: impl Display) -> Problem {
    Problem::new(ProblemKind::Query, message.to_string())
}

/// A deck that cannot be read, where its verdict says why.
pub(crate) fn unreadable() -> Problem {
    Problem::new(ProblemKind::Deck, "the deck cannot be read")
}

/// A query that cannot be understood; `what` says which one it is, if need be.
pub(crate) fn of_query(what: &str, text: &str, error: &QueryError) -> Problem {
    let message = match what {
        "" => error.to_string(),
        what => format!("in {what}: {error}"),
    };
    query(message).at(text, error.span)
}
