//! The step kinds of a setup, one file each, and one line each in the list below.

pub mod asked;
pub mod build;
pub mod deal;
pub mod decision_text;
pub mod decisions;
pub mod first_player;
pub mod mulligan;
pub mod names;
pub mod pick;
pub mod place;
pub mod reveal;
pub mod roll;
pub mod settle;
pub mod shuffle;
pub mod spec;
pub mod step;
pub mod swap;
pub mod vote;

use names::Names;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use step::{Fields, Step, Terms};

/// What is known of a kind of step without a table.
struct About {
    awaits: Option<&'static str>,
    example: fn(&Value) -> Option<Fields>,
    alone: fn(&Value) -> Option<Value>,
}

macro_rules! kinds {
    ($($(#[$doc:meta])* $name:ident($terms:ty);)*) => {
        /// A step kind with its terms: what stands under `do:` in a format file.
        #[derive(Debug, Clone, Deserialize, Serialize)]
        #[cfg_attr(test, derive(schemars::JsonSchema))]
        #[serde(rename_all = "kebab-case", deny_unknown_fields)]
        pub enum StepKind {
            $($(#[$doc])* $name($terms),)*
        }

        impl StepKind {
            /// The step with its names found.
            pub fn compile<'a>(&'a self, names: &Names<'_>) -> Box<dyn Step + 'a> {
                match self {
                    $(StepKind::$name(terms) => terms.compile(names),)*
                }
            }
        }

        const ABOUT: &[About] = &[$(About {
            awaits: <$terms as Terms>::AWAITS,
            example: <$terms as Terms>::example,
            alone: <$terms as Terms>::alone,
        },)*];
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

/// Every word of a decision that a step kind can await, in order.
pub fn awaited() -> Vec<&'static str> {
    let mut words: Vec<_> = ABOUT.iter().filter_map(|about| about.awaits).collect();
    words.sort_unstable();
    words
}

fn about(step: &str) -> Option<&'static About> {
    ABOUT.iter().find(|about| about.awaits == Some(step))
}
