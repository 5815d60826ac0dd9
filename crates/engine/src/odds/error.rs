//! Why a question has no answer.

use decklaw_core::problem::{Problem, ProblemKind};
use decklaw_core::query::QueryError;
use decklaw_core::text::{Span, counted};

/// Why a question about odds has no answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum OddsError {
    /// There is nothing to draw from.
    #[error("there is no card to draw from")]
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
    /// More cards are bottomed than a hand has.
    #[error("{} cannot be bottomed from a hand of {hand}", counted(i64::from(*bottom), "card"))]
    BottomTooLarge {
        /// Cards to bottom.
        bottom: u32,
        /// Cards of the hand.
        hand: u32,
    },
    /// The policy has more mulligans than are computed.
    #[error("{limit} mulligans are too many; at most 100 are computed")]
    TooManyMulligans {
        /// Mulligans of the policy.
        limit: u32,
    },
    /// The deck does not have the section.
    #[error("the deck has no section `{section}`; it has {known}")]
    NoSection {
        /// The section asked for.
        section: String,
        /// The deck's sections, as a list in words.
        known: String,
    },
    /// The odds file of a game cannot be read.
    #[error("{name}: {message}")]
    GameFile {
        /// The file's name.
        name: String,
        /// What is wrong.
        message: String,
    },
    /// Neither the question nor the game has a hand size.
    #[error("the game's rules text gives no hand size")]
    NoHand,
    /// The question has no query, and the game has no presets.
    #[error("nothing is asked; give a query, such as '1+ \"Name of a card\"'")]
    NothingAsked,
    /// The game does not have the seat.
    #[error("there is no seat {seat}; the seats go from 1 to {seats}")]
    NoSeat {
        /// The seat asked for.
        seat: u32,
        /// The number of seats.
        seats: u32,
    },
    /// The question has a seat, and all seats of the game draw alike.
    #[error("every seat of this game draws alike, so seat {seat} changes nothing")]
    SeatsAlike {
        /// The seat asked for.
        seat: u32,
    },
    /// The question has turns, and the game has no draw schedule.
    #[error("this game has no draw schedule")]
    NoSchedule,
    /// The question has too many turns.
    #[error("{turns} turns are too many; at most 1000 are answered")]
    TooManyTurns {
        /// The turns asked for.
        turns: u32,
    },
    /// The policy has mulligans of no kind, and neither has the game.
    #[error("this game has no mulligan")]
    NoMulligan,
    /// The policy is `none` and has mulligans.
    #[error("the policy is `none`, but `at most` is not 0")]
    NoneTaken,
    /// The policy bottoms cards after more mulligans than are taken.
    #[error(
        "`bottom` has a number for more than {}",
        counted(i64::from(*limit), "mulligan")
    )]
    BottomBeyond {
        /// Mulligans taken at most.
        limit: u32,
    },
    /// The policy does not say how many cards are bottomed after some mulligans.
    #[error(
        "`bottom` has {}, but needs {}: the number after {} is missing",
        counted(i64::from(*given), "number"),
        limit + 1,
        counted(i64::from(*given), "mulligan")
    )]
    BottomMissing {
        /// The numbers in the list.
        given: u32,
        /// Mulligans taken at most.
        limit: u32,
    },
    /// The policy has more mulligans than make sense by the game's rules.
    #[error("{limit} mulligans are too many; this game makes sense of at most {most}")]
    BeyondTheGame {
        /// Mulligans of the policy.
        limit: u32,
        /// Mulligans that make sense.
        most: u32,
    },
    /// The event changes no draw of the game.
    #[error("no `{event}` changes how this game draws")]
    NoEvent {
        /// The name of the event.
        event: String,
    },
    /// The event is before the first turn.
    #[error("turns are counted from 1, so `{event}` cannot be in turn 0")]
    TurnZero {
        /// The name of the event.
        event: String,
    },
    /// The event occurs more often than it can.
    #[error("`{event}` has {count} turns, but can happen {} in a game", times(*most))]
    TooManyEvents {
        /// The name of the event.
        event: String,
        /// The turns it has.
        count: usize,
        /// The most turns there can be.
        most: u32,
    },
    /// More sample hands than are dealt.
    #[error("{count} sample hands are too many; at most 10000 are dealt")]
    TooManyDeals {
        /// The sample hands asked for.
        count: u32,
    },
    /// The best hand is kept for a total.
    #[error("`best` keeps the hand that is best for a query; a total alone has none")]
    NoGoal,
    /// No first hand is as given.
    #[error("no opening hand satisfies `{given}`")]
    NeverGiven {
        /// The condition.
        given: String,
    },
    /// A path cannot be read.
    #[error("{message}")]
    Path {
        /// What is wrong.
        message: String,
        /// The path as written.
        text: String,
        /// Where it is wrong.
        span: Span,
    },
    /// The question takes more work than its limit.
    #[error("`{query}` takes more work than the limit allows: {size}")]
    TooMuchWork {
        /// The query.
        query: String,
        /// How large the question is, in words.
        size: String,
    },
    /// A query cannot be read, or not be asked of the cards.
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

/// The parts of a question that are queries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// A hand query.
    Query,
    /// A preset of the game.
    Preset,
    /// The conditions of a path.
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
            Part::Preset => "the preset",
            Part::Path => "the path",
            Part::Expect => "the total",
            Part::Keep => "the query for kept hands",
            Part::Given => "the given query",
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
    /// One thing to do about it.
    pub fn help(&self) -> Option<&'static str> {
        Some(match self {
            OddsError::NoHand => "give the number of cards in the opening hand, with `--hand N`",
            OddsError::NoSchedule => "give the number of cards drawn, with `--draws N`",
            OddsError::NoMulligan => {
                "choose the mulligan, with `--policy aside` or `--policy shuffle`"
            }
            OddsError::TooMuchWork { .. } => {
                "ask about fewer groups, cards or turns, or raise the limit with `--effort SECONDS`"
            }
            OddsError::NoneTaken => {
                "leave `at most` out of `--policy`, or begin it with `aside` or `shuffle`"
            }
            OddsError::BottomBeyond { .. } => {
                "shorten the list after `bottom` in `--policy`, or raise `at most`"
            }
            OddsError::BottomMissing { .. } => {
                "in `--policy`, write a number after `bottom` for 0, 1, 2… mulligans each"
            }
            OddsError::SeatsAlike { .. } => "leave out `--seat`",
            OddsError::NoEvent { .. } => "leave out `--event`",
            _ => return None,
        })
    }

    /// What is wrong with a query, and which query it is.
    pub fn query(what: Part, text: &str, error: QueryError) -> OddsError {
        let text = text.to_owned();
        OddsError::Query { what, text, error }
    }
}
