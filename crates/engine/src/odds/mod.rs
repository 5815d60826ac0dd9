//! Exact odds: how likely a hand, or a draw by some turn, holds what the deck needs.
//!
//! A [`HandQuery`] is a condition on a hand, a [`Population`] the cards that it is drawn from.
//! Everything is counted in whole numbers, and nothing is rounded before it is shown.
//!
//! | module | |
//! |---|---|
//! | `conditions` | queries as formulas over weighted sums |
//! | `atoms` | cards that no condition distinguishes |
//! | `diagram`, `residual` | a formula as a decision diagram, atom by atom |
//! | `play` | deals, mulligans, draws and totals: one recursion |
//! | `path` | conditions on the first cards of a deck, one after another |
//! | `ask`, `run`, `report` | one query; all queries of a question; the answers |

mod ask;
mod atoms;
mod budget;
mod conditions;
mod diagram;
mod error;
mod fraction;
mod hands;
mod keep_rule;
mod lint;
mod number;
mod path;
mod play;
mod policy;
mod population;
pub mod render;
mod report;
mod residual;
mod run;
mod sample;
mod schedule;
mod totals;
mod work;

pub(crate) use ask::ask_counting;
pub use ask::{Answer, BestKeep, Request, TurnAnswer, ask, ask_total};
pub(crate) use atoms::kinds;
pub use budget::{DEFAULT_MEMORY, DEFAULT_WORK, Limit};
pub use conditions::check;
pub(crate) use error::wrong;
pub use error::{OddsError, wrong_query};
pub use fraction::Fraction;
pub use keep_rule::KeepRule;
pub use number::choose;
pub use path::Path;
pub use policy::{Keep, Mulligan, Policy, PolicyJson};
pub use population::{DrawnSection, Population};
pub use report::{AnswerJson, OddsReport, ReportEntry, Value};
pub use run::{OddsQuestion, answer, request};
pub use sample::{Deal, deals};
pub use schedule::{
    DrawEvent, DrawSchedule, Events, MulliganDefaults, MulliganKind, OddsDefaults, Preset,
};
pub use totals::{Distribution, Mean};
pub use work::{Atom, Work};

pub use decklaw_cards::query::{HandQuery, TotalQuery};
pub use decklaw_rules::format::ODDS;
