//! Exact odds: how likely a hand, or a draw by some turn, holds what the deck needs.
//!
//! A [`HandQuery`] says what a hand must hold, a [`Population`] is what it is drawn from.
//! Everything is counted in whole numbers; nothing is rounded before it is shown.

mod answer;
mod atoms;
mod chain;
mod chart;
mod condition;
mod dice;
mod expect;
mod hands;
mod mulligans;
mod number;
mod path;
mod population;
mod question;
mod read;
mod rule;
mod simulate;
mod work;

pub use answer::{
    Answer, BestKeep, Keep, Likelihood, Policy, Request, TurnAnswer, ask, ask_path, ask_total,
};
pub use chain::Mulligan;
pub use condition::{HandQuery, TotalQuery};
pub use expect::{Distribution, Mean};
pub use mulligans::Mulligans;
pub use number::{Fraction, choose};
pub use path::Path;
pub use population::Population;
pub use question::{DEFAULT_WORK, Question};
pub use simulate::Simulated;
pub use work::{Atom, Work};

use crate::query::QueryError;

/// A question about odds that has no answer, and why.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum OddsError {
    /// There is nothing to draw from.
    #[error("there is no card to draw from")]
    NoCards,
    /// More cards than are counted here.
    #[error("{size} cards are too many; at most 1000000 are counted")]
    TooManyCards {
        /// How many there are.
        size: u64,
    },
    /// A hand that the cards do not suffice for.
    #[error("{hand} cards cannot be drawn from {size}")]
    HandTooLarge {
        /// Cards wanted.
        hand: u32,
        /// Cards there are.
        size: u32,
    },
    /// The old hand is set aside, and the others are fewer than a hand.
    #[error(
        "no mulligan is possible: with {hand} cards set aside, {} are left for a new hand of {hand}",
        size - hand
    )]
    TooFewToSetAside {
        /// Cards of a hand.
        hand: u32,
        /// Cards of the deck.
        size: u32,
    },
    /// More cards are put under the deck than a hand has.
    #[error("{bottom} cards cannot be bottomed from a hand of {hand}")]
    BottomTooLarge {
        /// Cards to put under the deck.
        bottom: u32,
        /// Cards of the hand.
        hand: u32,
    },
    /// More mulligans than are followed.
    #[error("{limit} mulligans are too many; at most 100 are followed")]
    TooManyMulligans {
        /// Mulligans wanted.
        limit: u32,
    },
    /// The best hand for nothing.
    #[error("`best` keeps the hand that is best for a query; a total alone has none")]
    NoGoal,
    /// What is given cannot happen.
    #[error("no opening hand satisfies `{given}`, so nothing follows from it")]
    NeverGiven {
        /// The condition.
        given: String,
    },
    /// The steps of a path do not grow.
    #[error("{message}")]
    Path {
        /// What is wrong with it.
        message: String,
        /// The path as written.
        text: String,
        /// Where it is wrong.
        span: crate::text::Span,
    },
    /// Something that cannot be simulated exceeds the work budget.
    #[error("this takes more work than the budget allows; raise it with --work")]
    TooMuchWork,
    /// A query that cannot be understood.
    #[error("{what}: {error}")]
    Query {
        /// Which query it is.
        what: &'static str,
        /// Its text, in which `error` points.
        text: String,
        /// What is wrong, and where.
        error: QueryError,
    },
}

impl OddsError {
    pub(crate) fn query(what: &'static str, text: &str, error: QueryError) -> OddsError {
        let text = text.to_owned();
        OddsError::Query { what, text, error }
    }
}
