//! The step kinds of a setup, one file each.

pub mod deal;
pub mod first_player;
pub mod mulligan;
pub mod pick;
pub mod place;
pub mod reveal;
pub mod roll;
pub mod settle;
pub mod shuffle;
pub mod spec;
pub mod swap;
pub mod vote;

use super::MatchError;
use super::build::Build;
use super::table::Table;
use serde::Deserialize;
use serde_json::Value;

/// How a step ended.
#[derive(Debug)]
pub enum Flow {
    /// It is done; the next one follows.
    Done,
    /// It awaits decisions: these.
    Awaiting(Vec<Value>),
}

/// What a step does to a table.
pub trait Step {
    /// The zones that it names.
    fn zones(&self) -> Vec<&str> {
        Vec::new()
    }

    /// The options that it names.
    fn options(&self) -> Vec<&str> {
        Vec::new()
    }

    /// The settings that it names.
    fn settings(&self) -> Vec<&str> {
        Vec::new()
    }

    /// Lays out what the step needs on the table, before the first step runs.
    fn prepare(&self, _table: &mut Table) {}

    /// Does the step, as far as the decisions carry it.
    ///
    /// # Errors
    /// A decision that is not allowed, too few cards, or a fault in the format file.
    fn run(&self, build: &mut Build<'_>) -> Result<Flow, MatchError>;
}

/// A step kind with its terms: what stands under `do:` in a format file.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Kind {
    /// Shuffle a pile.
    Shuffle(shuffle::Shuffle),
    /// Deal hands.
    Deal(deal::Deal),
    /// Lay cards off a pile.
    Place(place::Place),
    /// Decide who begins.
    FirstPlayer(first_player::FirstPlayer),
    /// Roll for who begins.
    Roll(roll::Roll),
    /// Keep the hand or draw another.
    Mulligan(mulligan::Mulligan),
    /// Swap cards with the side deck.
    Swap(swap::Swap),
    /// Choose in secret and commit to it.
    Spec(spec::Spec),
    /// Reveal what was chosen in secret.
    Reveal(reveal::Reveal),
    /// Vote on what becomes of cards.
    Vote(vote::Vote),
    /// Pick cards in turn.
    Pick(pick::Pick),
    /// Carry out what was voted.
    Settle(settle::Settle),
}

impl Kind {
    /// The step itself.
    pub fn as_step(&self) -> &dyn Step {
        match self {
            Kind::Shuffle(step) => step,
            Kind::Deal(step) => step,
            Kind::Place(step) => step,
            Kind::FirstPlayer(step) => step,
            Kind::Roll(step) => step,
            Kind::Mulligan(step) => step,
            Kind::Swap(step) => step,
            Kind::Spec(step) => step,
            Kind::Reveal(step) => step,
            Kind::Vote(step) => step,
            Kind::Pick(step) => step,
            Kind::Settle(step) => step,
        }
    }
}
