//! Why a question has no answer.

use super::budget::Limit;
use decklaw_cards::query::QueryError;
use decklaw_text::problem::{Problem, ProblemKind};
use decklaw_text::text::counted;

/// Why a question about odds has no answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum OddsError {
    /// These cards have no such hand: there are too few or too many of them, or no opening hand is
    /// as given.
    #[error("{0}")]
    NoHand(Problem),
    /// The question takes more work or memory than its limit.
    #[error("`{query}` {excess}")]
    Limit {
        /// The query.
        query: String,
        /// The limit.
        limit: Limit,
        /// What the limit is, and how large the question is, in words.
        excess: String,
    },
    /// The question is wrong.
    #[error("{0}")]
    Question(#[from] Problem),
}

/// What to do about a question that is too large.
pub(super) const ASK_LESS: &str = "ask about fewer groups, cards or turns";

impl From<OddsError> for Problem {
    fn from(error: OddsError) -> Problem {
        let message = error.to_string();
        match error {
            OddsError::NoHand(problem) | OddsError::Question(problem) => problem,
            OddsError::Limit { limit, .. } => {
                let raise = match limit {
                    Limit::Work => ", or raise the limit with `--effort SECONDS`",
                    Limit::Memory => "",
                };
                Problem::new(ProblemKind::Limit, message).with_help(format!("{ASK_LESS}{raise}"))
            }
        }
    }
}

impl OddsError {
    /// A question that does not fit in its budget. `memory` is its limit in bytes.
    pub(super) fn beyond(limit: Limit, query: &str, size: &str, memory: u64) -> OddsError {
        let excess = match limit {
            Limit::Work => format!("takes more work than the limit allows: {size}"),
            Limit::Memory => {
                format!("needs more memory than the limit of {} MiB: {size}", memory >> 20)
            }
        };
        OddsError::Limit { query: query.to_owned(), limit, excess }
    }

    /// There is nothing to draw from.
    pub(crate) fn no_cards() -> OddsError {
        OddsError::no_hand("no cards to draw from")
    }

    /// A hand that is larger than its section.
    pub(super) fn too_large_a_hand(hand: u32, size: u32) -> OddsError {
        let hand = counted(i64::from(hand), "card");
        OddsError::no_hand(format!("{hand} cannot be drawn from {size}"))
    }

    /// Cards that have no such hand.
    pub(super) fn no_hand(message: impl Into<String>) -> OddsError {
        OddsError::NoHand(Problem::new(ProblemKind::Query, message))
    }
}

/// A question that is wrong, and what to do about it, or nothing.
pub(crate) fn wrong(message: impl Into<String>, help: &str) -> Problem {
    Problem::new(ProblemKind::Query, message).with_help(help)
}

/// The queries of a question other than those that are asked, in words.
pub(super) const KEPT: &str = "the query for kept hands";
pub(super) const GIVEN: &str = "the given query";

/// A query, path or total that cannot be read, or not be asked of the cards; `what` says which.
pub fn wrong_query(what: &str, text: &str, error: &QueryError) -> Problem {
    Problem::of(ProblemKind::Query, error).at(text, error.span).within(what)
}
