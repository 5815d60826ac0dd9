//! Why a question has no answer.

use super::diagram::Limit;
use decklaw_cards::query::QueryError;
use decklaw_text::problem::{Problem, ProblemKind};
use decklaw_text::text::counted;

/// Why a question about odds has no answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum OddsError {
    /// There is nothing to draw from.
    #[error("no cards to draw from")]
    NoCards,
    /// The section has too many cards.
    #[error("{size} cards are too many; at most 1000000 are counted")]
    TooManyCards {
        /// The cards.
        size: u64,
    },
    /// The hand is larger than the section.
    #[error("{} cannot be drawn from {size}", counted(i64::from(*hand), "card"))]
    HandTooLarge {
        /// Cards of the hand.
        hand: u32,
        /// Cards of the section.
        size: u32,
    },
    /// The cards left by a hand that is set aside are fewer than a hand.
    #[error(
        "no mulligan is possible: a hand of {hand} that is set aside leaves {} of {size}",
        counted(i64::from(size.saturating_sub(*hand)), "card")
    )]
    TooFewToSetAside {
        /// Cards of a hand.
        hand: u32,
        /// Cards of the section.
        size: u32,
    },
    /// No first hand is as given.
    #[error("no opening hand satisfies `{given}`")]
    NeverGiven {
        /// The condition.
        given: String,
    },
    /// The question takes more work than its limit.
    #[error("`{query}` takes more work than the limit allows: {size}")]
    TooMuchWork {
        /// The query.
        query: String,
        /// How large the question is, in words.
        size: String,
    },
    /// The question needs more memory than its limit, however much work it may take.
    #[error("`{query}` needs more memory than the limit of {} MiB: {size}", limit >> 20)]
    TooMuchMemory {
        /// The query.
        query: String,
        /// How large the question is, in words.
        size: String,
        /// The limit in bytes.
        limit: u64,
    },
    /// A query or path cannot be read, or not be asked of the cards.
    #[error("{what}: {error}")]
    Query {
        /// Which query it is.
        what: Part,
        /// Its text, in which `error` points.
        text: String,
        /// What is wrong, and where.
        error: QueryError,
    },
    /// The question or the odds file of the game is wrong.
    #[error("{}", _0.message)]
    Problem(Box<Problem>),
}

/// The parts of a question that are queries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// A hand query.
    Query,
    /// A path.
    Path,
    /// A total.
    Expect,
    /// When a hand is kept.
    Keep,
    /// The condition on the first hand.
    Given,
}

impl std::fmt::Display for Part {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str(match self {
            Part::Query => "the query",
            Part::Path => "the path",
            Part::Expect => "the total",
            Part::Keep => "the query for kept hands",
            Part::Given => "the given query",
        })
    }
}

impl From<&OddsError> for Problem {
    fn from(error: &OddsError) -> Problem {
        match error {
            OddsError::Problem(problem) => (**problem).clone(),
            OddsError::Query { text, error: at, .. } => {
                Problem::of(ProblemKind::Query, error).at(text, at.span)
            }
            OddsError::TooMuchWork { .. } => Problem::of(ProblemKind::Limit, error).with_help(
                "ask about fewer groups, cards or turns, or raise the limit with `--effort SECONDS`",
            ),
            OddsError::TooMuchMemory { .. } => Problem::of(ProblemKind::Limit, error)
                .with_help("ask about fewer groups, cards or turns"),
            _ => Problem::of(ProblemKind::Query, error),
        }
    }
}

impl OddsError {
    /// A question that does not fit in its budget. `memory` is its limit in bytes.
    pub(super) fn beyond(limit: Limit, query: &str, size: String, memory: u64) -> OddsError {
        let query = query.to_owned();
        match limit {
            Limit::Work => OddsError::TooMuchWork { query, size },
            Limit::Memory => OddsError::TooMuchMemory { query, size, limit: memory },
        }
    }

    /// A question that is wrong, and what to do about it, or nothing.
    pub(super) fn question(message: impl Into<String>, help: &str) -> OddsError {
        let problem = Problem::new(ProblemKind::Query, message);
        OddsError::Problem(Box::new(problem.with_help(help)))
    }

    /// What is wrong with a query, and which query it is.
    pub fn query(what: Part, text: &str, error: QueryError) -> OddsError {
        let text = text.to_owned();
        OddsError::Query { what, text, error }
    }
}
