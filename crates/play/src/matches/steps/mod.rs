//! The step kinds of a setup, one file each, and one line each in the list below.
//!
//! A step begins, which is all that most do; then it may await decisions, one by one.

mod course;
pub mod deal;
pub mod first_player;
pub mod mulligan;
pub mod pick;
pub mod place;
pub mod prompt;
pub mod reveal;
pub mod roll;
pub mod settle;
pub mod shuffle;
pub mod spec;
pub mod swap;
pub mod vote;

use crate::matches::choice::{Choice, When};
use crate::matches::error::MatchError;
use crate::matches::inputs::Inputs;
use crate::matches::log::decision::{Decision, Pending};
use crate::matches::random::{Seed, Stream};
use crate::matches::state::State;
use crate::matches::swaps::SwapJudge;
use crate::matches::table::Table;
use prompt::Prompt;
use serde::{Deserialize, Serialize};

/// One step of a setup.
#[derive(Debug, Clone, Deserialize, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Step {
    /// The step kind with its terms.
    #[serde(rename = "do")]
    pub action: StepKind,
    /// The options with which it happens.
    #[serde(default)]
    pub when: When,
}

/// What a step reads in addition to the state.
pub(in crate::matches) struct Context<'a> {
    pub(in crate::matches) steps: &'a [Step],
    pub(in crate::matches) inputs: &'a Inputs,
    pub(in crate::matches) seed: Seed,
    /// Who judges a deck after a swap.
    pub(in crate::matches) judge: Option<&'a dyn SwapJudge>,
}

impl Context<'_> {
    fn stream(&self, label: &str) -> Stream {
        Stream::new(&self.seed, label)
    }

    /// Whether an option is on.
    fn is_on(&self, option: Option<&String>) -> bool {
        option.is_some_and(|name| self.inputs.options.get(name) == Some(&Choice::Flag(true)))
    }
}

/// What a step names: each must be there.
#[derive(Debug, Default)]
pub(in crate::matches) struct Names<'a> {
    pub(in crate::matches) zones: Vec<&'a String>,
    pub(in crate::matches) options: Vec<&'a String>,
    pub(in crate::matches) settings: Vec<&'a String>,
    pub(in crate::matches) sections: Vec<&'a String>,
    pub(in crate::matches) records: Vec<&'a String>,
}

/// How a step kind works.
pub(in crate::matches) trait Act {
    /// What it names.
    fn names(&self) -> Names<'_> {
        Names::default()
    }

    /// What cannot be, after these steps, a sentence each.
    fn faults(&self, _before: &[Step]) -> Vec<String> {
        Vec::new()
    }

    /// Lays out what it needs on the table, before the first step begins.
    fn prepare(&self, _table: &mut Table) {}

    /// Does what needs no decision.
    ///
    /// # Errors
    /// Too few cards; a zone that this table does not have.
    fn begin(&self, _state: &mut State, _context: &Context<'_>) -> Result<(), MatchError> {
        Ok(())
    }

    /// The decisions that it awaits, in seat order; none: it is done.
    ///
    /// # Errors
    /// A zone that this table does not have.
    fn awaits(&self, _state: &State, _context: &Context<'_>) -> Result<Vec<Pending>, MatchError> {
        Ok(Vec::new())
    }

    /// Carries out a decision of a kind and seat that it awaits.
    ///
    /// # Errors
    /// A decision that is not allowed.
    fn decide(
        &self,
        _state: &mut State,
        _context: &Context<'_>,
        _decision: &Decision,
    ) -> Result<(), MatchError> {
        refused("this step awaits no decision")
    }

    /// Asks for something that it awaits.
    ///
    /// # Errors
    /// A zone that this table does not have.
    fn prompt(
        &self,
        _state: &State,
        _context: &Context<'_>,
        pending: &Pending,
    ) -> Result<Prompt, MatchError> {
        Ok(Prompt::of(pending, pending.step()))
    }

    /// Whether seats two apart are partners by it.
    fn has_partners(&self) -> bool {
        false
    }

    /// The zones of whose cards it wants a recorded field.
    fn looks_at(&self, _field: &str) -> Vec<&str> {
        Vec::new()
    }

    /// What it lets a player exchange before a game: the zone of the cards that are not played, and
    /// the sections with which they are exchanged.
    fn exchanges(&self) -> Option<(&str, Vec<&str>)> {
        None
    }
}

fn refused<T>(why: impl Into<String>) -> Result<T, MatchError> {
    Err(MatchError::refused(why))
}

macro_rules! kinds {
    ($($(#[$doc:meta])* $name:ident($terms:ty);)*) => {
        /// A step kind with its terms: the value of `do:` in a format file.
        #[derive(Debug, Clone, Deserialize, Serialize)]
        #[cfg_attr(test, derive(schemars::JsonSchema))]
        #[serde(rename_all = "kebab-case", deny_unknown_fields)]
        pub enum StepKind {
            $($(#[$doc])* $name($terms),)*
        }

        impl StepKind {
            pub(in crate::matches) fn act(&self) -> &dyn Act {
                match self {
                    $(StepKind::$name(terms) => terms,)*
                }
            }
        }
    };
}

kinds! {
    /// Shuffle a pile.
    Shuffle(shuffle::Shuffle);
    /// Deal hands.
    Deal(deal::Deal);
    /// Lay cards off a pile.
    Place(place::Place);
    /// Decide who begins.
    FirstPlayer(first_player::FirstPlayer);
    /// Roll for who begins.
    Roll(roll::Roll);
    /// Keep the hand or draw another.
    Mulligan(mulligan::Mulligan);
    /// Swap cards with the side deck.
    Swap(swap::Swap);
    /// Choose in secret and commit to it.
    Spec(spec::Spec);
    /// Reveal what was chosen in secret.
    Reveal(reveal::Reveal);
    /// Vote on what becomes of cards.
    Vote(vote::Vote);
    /// Pick cards in turn.
    Pick(pick::Pick);
    /// Carry out what was voted.
    Settle(settle::Settle);
}
