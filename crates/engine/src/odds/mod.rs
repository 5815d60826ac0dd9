//! Exact odds: how likely a hand, or a draw by some turn, holds what the deck needs.
//!
//! A [`HandQuery`] says what a hand must hold, a [`Population`] is what it is drawn from.
//! Everything is counted in whole numbers; nothing is rounded before it is shown.

mod answer;
mod atoms;
mod chain;
mod chart;
mod condition;
mod deal;
mod dice;
mod expect;
mod hands;
mod kinds;
mod number;
mod path;
mod policy;
mod population;
mod question;
mod remainder;
pub mod render;
mod rule;
mod schedule;
mod session;
mod total;
mod work;

pub(crate) use answer::ask_counting;
pub use answer::{Answer, BestKeep, Request, TurnAnswer, ask, ask_path};
pub use chain::Mulligan;
pub use condition::check;
pub use deal::{Deal, deals};
pub use expect::{Distribution, Mean};
pub(crate) use kinds::kinds;
pub use number::{Fraction, choose};
pub use path::Path;
pub use policy::{Keep, Policy};
pub use population::{Drawn, Population};
pub use question::DEFAULT_WORK;
use question::Question;
pub use rule::KeepRule;
pub use schedule::{
    DrawEvent, DrawSchedule, Events, MulliganDefaults, MulliganKind, OddsDefaults, Preset,
};
pub use session::{Asked, Found, OddsReport, Refused, Reply, answer, keep_in_words, request};
pub use total::{TotalAnswer, TurnTotal, ask_total};
pub use work::{Atom, Work};

pub use decklaw_core::query::{HandQuery, TotalQuery};

use decklaw_core::problem::{Problem, ProblemKind};
use decklaw_core::query::QueryError;
use decklaw_core::text::{counted, there_are};

pub use decklaw_core::format::ODDS;

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
    #[error("{} cannot be drawn from {size}", counted(i64::from(*hand), "card"))]
    HandTooLarge {
        /// Cards wanted.
        hand: u32,
        /// Cards there are.
        size: u32,
    },
    /// The old hand is set aside, and the others are fewer than a hand.
    #[error(
        "no mulligan is possible: with {hand} cards set aside, {} left for a new hand of {hand}",
        there_are(i64::from(size.saturating_sub(*hand)))
    )]
    TooFewToSetAside {
        /// Cards of a hand.
        hand: u32,
        /// Cards of the deck.
        size: u32,
    },
    /// More cards are put under the deck than a hand has.
    #[error("{} cannot be bottomed from a hand of {hand}", counted(i64::from(*bottom), "card"))]
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
    /// A section that the deck does not have.
    #[error("the deck has no section `{section}`; it has {known}")]
    NoSection {
        /// The section wanted.
        section: String,
        /// The deck's sections, as a list in words.
        known: String,
    },
    /// What a game's file says of its odds cannot be read.
    #[error("{name}: {message}")]
    GameFile {
        /// The file's name.
        name: String,
        /// What is wrong.
        message: String,
    },
    /// A question whose hand size nobody gave.
    #[error("the game's rules text gives no hand size")]
    NoHand,
    /// Nothing was asked, and the game has no questions of its own.
    #[error("nothing is asked; give a query, as in '1+ \"Name of a card\"'")]
    NothingAsked,
    /// A seat that the game does not have.
    #[error("there is no seat {seat}; the seats go from 1 to {seats}")]
    NoSeat {
        /// The seat wanted.
        seat: u32,
        /// Seats there are.
        seats: u32,
    },
    /// A seat of a game in which every seat draws alike.
    #[error("every seat of this game draws alike, so that seat {seat} changes nothing")]
    SeatsAlike {
        /// The seat wanted.
        seat: u32,
    },
    /// Turns, where nothing says how many cards a turn draws.
    #[error("this game has no draw schedule")]
    NoSchedule,
    /// More turns than are answered for.
    #[error("{turns} turns are too many; at most 1000 are answered for")]
    TooManyTurns {
        /// Turns wanted.
        turns: u32,
    },
    /// Mulligans, where the game has none and no kind was given.
    #[error("this game has no mulligan")]
    NoMulligan,
    /// Mulligans, and that there are none.
    #[error("where there is no mulligan, none is taken")]
    NoneTaken,
    /// Cards bottomed after more mulligans than are taken.
    #[error(
        "what is bottomed is said for 0, 1, 2… mulligans in turn, and at most {} taken",
        match limit { 1 => "1 is".to_owned(), limit => format!("{limit} are") }
    )]
    BottomBeyond {
        /// Mulligans taken.
        limit: u32,
    },
    /// More mulligans than the game's rules make sense of.
    #[error("{limit} mulligans are too many; this game makes sense of at most {most}")]
    BeyondTheGame {
        /// Mulligans wanted.
        limit: u32,
        /// Mulligans that make sense.
        most: u32,
    },
    /// An event that changes no draw of the game.
    #[error("no `{event}` changes how this game draws")]
    NoEvent {
        /// What it was called.
        event: String,
    },
    /// Something that happens before the first turn.
    #[error("turns are counted from 1, so `{event}` cannot be in turn 0")]
    TurnZero {
        /// What it was called.
        event: String,
    },
    /// More events than one game can see.
    #[error("`{event}` is said of {count} turns, and it can happen {} in a game", times(*most))]
    TooManyEvents {
        /// What they were called.
        event: String,
        /// Events told of.
        count: usize,
        /// The most there can be.
        most: u32,
    },
    /// More sample hands than are dealt.
    #[error("{count} sample hands are too many; at most 10000 are dealt")]
    TooManyDeals {
        /// Hands wanted.
        count: u32,
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
        span: decklaw_core::text::Span,
    },
    /// A question that exceeds the work limit.
    #[error("`{query}` takes more work than the limit allows")]
    TooMuchWork {
        /// What was asked.
        query: String,
    },
    /// A query that cannot be understood.
    #[error("{what}: {error}")]
    Query {
        /// Which query it is.
        what: Part,
        /// Its text, in which `error` points.
        text: String,
        /// What is wrong, and where.
        error: QueryError,
    },
}

fn times(number: u32) -> String {
    match number {
        1 => "once".to_owned(),
        2 => "twice".to_owned(),
        many => format!("{many} times"),
    }
}

/// The parts of a question that are written as queries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// What a hand must hold.
    Query,
    /// What the game's players ask.
    Preset,
    /// The conditions of a path.
    Path,
    /// A total whose mean is asked.
    Expect,
    /// When a hand is kept.
    Keep,
    /// What the first hand is known to hold.
    Given,
}

impl std::fmt::Display for Part {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str(match self {
            Part::Query => "the query",
            Part::Preset => "the preset",
            Part::Path => "the path",
            Part::Expect => "the total",
            Part::Keep => "the query of what is kept",
            Part::Given => "the query of what is given",
        })
    }
}

impl From<&OddsError> for Problem {
    fn from(error: &OddsError) -> Problem {
        let kind = match error {
            OddsError::TooMuchWork { .. } => ProblemKind::Limit,
            OddsError::GameFile { .. } => ProblemKind::Game,
            _ => ProblemKind::Query,
        };
        let problem = Problem::of(kind, error).with_help(error.help().unwrap_or_default());
        match error {
            OddsError::Query { text, error, .. } => problem.at(text, error.span),
            OddsError::Path { text, span, .. } => problem.at(text, *span),
            _ => problem,
        }
    }
}

impl OddsError {
    /// What to do about it.
    pub fn help(&self) -> Option<&'static str> {
        match self {
            OddsError::NoHand => {
                Some("give the number of cards in the opening hand, with `--hand N`")
            }
            OddsError::NoSchedule => Some("give the number of cards drawn, with `--draws N`"),
            OddsError::NoMulligan => {
                Some("choose the mulligan, with `--policy aside` or `--policy shuffle`")
            }
            OddsError::TooMuchWork { .. } => Some("raise the work limit, with `--effort SECONDS`"),
            OddsError::NoneTaken => {
                Some("leave `at most` out of `--policy`, or begin it with `aside` or `shuffle`")
            }
            OddsError::BottomBeyond { .. } => {
                Some("shorten the list after `bottom` in `--policy`, or raise `at most`")
            }
            OddsError::SeatsAlike { .. } => Some("leave out `--seat`"),
            OddsError::NoEvent { .. } => Some("leave out `--event`"),
            _ => None,
        }
    }

    pub(crate) fn too_much_work(query: &str) -> OddsError {
        OddsError::TooMuchWork {
            query: query.to_owned(),
        }
    }

    /// What is wrong with a query, and with which.
    pub fn query(what: Part, text: &str, error: QueryError) -> OddsError {
        let text = text.to_owned();
        OddsError::Query { what, text, error }
    }
}
