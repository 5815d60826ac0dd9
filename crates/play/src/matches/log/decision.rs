//! Decisions of the setup, and what a setup awaits, as match files record both.

use crate::matches::seat::SeatId;
use crate::matches::table::Roll;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What people or chance decided in a setup.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "step", rename_all = "kebab-case")]
pub enum Decision {
    /// Who begins.
    FirstPlayer(FirstPlayer),
    /// Swap cards with the side deck, or none.
    Swap {
        /// Who swaps.
        seat: SeatId,
        /// What each section swaps; a section that swaps nothing is left out.
        #[serde(flatten)]
        sections: BTreeMap<String, SwappedCards>,
    },
    /// Keep the hand, or draw another.
    Mulligan {
        /// Whose hand.
        seat: SeatId,
        /// What becomes of it.
        #[serde(flatten)]
        choice: HandChoice,
    },
    /// Dice for who begins.
    Roll(Dice),
    /// Commit to a secret choice.
    Spec {
        /// Who chooses.
        seat: SeatId,
        /// The digest of the choice, 64 hex digits.
        commit: String,
    },
    /// Open a secret choice.
    Reveal {
        /// Who chose.
        seat: SeatId,
        /// The choice.
        spec: String,
        /// What was hashed with it, 64 hex digits.
        nonce: String,
    },
    /// A vote on what becomes of cards.
    Vote {
        /// The moment of the vote.
        when: String,
        /// Who votes.
        seat: SeatId,
        /// What for.
        choice: String,
    },
    /// A card of a draft.
    Pick {
        /// Who picks.
        seat: SeatId,
        /// Which card.
        #[serde(flatten)]
        card: PickedCard,
    },
}

/// Who begins a game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "by", rename_all = "lowercase")]
pub enum FirstPlayer {
    /// Chance decides.
    Random,
    /// This seat.
    Choice {
        /// The seat.
        seat: SeatId,
    },
}

/// Cards that a section swaps with the side deck, by their ids in ascending order.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SwappedCards {
    /// To the side deck.
    pub out: Vec<String>,
    /// From the side deck.
    pub r#in: Vec<String>,
}

/// What becomes of a hand.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "choice", rename_all = "lowercase")]
pub enum HandChoice {
    /// It is kept.
    Keep {
        /// The cards that go to the bottom of the deck, the last one lowest.
        #[serde(default)]
        bottom: Vec<String>,
    },
    /// Another one is drawn.
    Mulligan,
}

/// Where the values of dice come from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "by", rename_all = "lowercase")]
pub enum Dice {
    /// From chance.
    Random,
    /// From dice that players threw.
    Given {
        /// The value of each seat that rolls.
        values: Roll,
    },
}

/// A card that is picked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum PickedCard {
    /// The one in a slot.
    Slot(PoolSlot),
    /// One that chance picks.
    Chance {
        /// Always `random`.
        by: Random,
    },
}

/// The word for chance.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Random {
    /// Chance.
    Random,
}

/// A slot of a pool.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct PoolSlot {
    /// Whose pool, where each seat has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pool: Option<SeatId>,
    /// The slot, from 0.
    pub slot: usize,
}

/// A decision that a setup awaits.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "step", rename_all = "kebab-case")]
pub enum Pending {
    /// Who begins.
    FirstPlayer {
        /// The seats that may begin, where not all may.
        #[serde(skip_serializing_if = "Option::is_none")]
        seats: Option<Vec<SeatId>>,
    },
    /// A seat's swap.
    Swap {
        /// The seat.
        seat: SeatId,
    },
    /// A seat's hand.
    Mulligan {
        /// The seat.
        seat: SeatId,
        /// `keep` and, where another hand may be drawn, `mulligan`.
        choices: Vec<&'static str>,
        /// How many cards go to the bottom on keeping.
        bottom: usize,
    },
    /// A roll of the dice.
    Roll {
        /// How often dice were rolled before.
        round: usize,
        /// The seats that roll.
        seats: Vec<SeatId>,
    },
    /// A seat's commitment to a secret choice.
    Spec {
        /// The seat.
        seat: SeatId,
    },
    /// What opens a seat's secret choice.
    Reveal {
        /// The seat.
        seat: SeatId,
    },
    /// A seat's vote.
    Vote {
        /// The moment of the vote.
        when: String,
        /// The seat.
        seat: SeatId,
        /// What can be voted for. Match files do not have it.
        #[serde(skip)]
        choices: Vec<String>,
    },
    /// A seat's pick.
    Pick {
        /// Who picks.
        seat: SeatId,
        /// Who gets the card.
        to: SeatId,
        /// The slots that may be picked.
        legal: Vec<PoolSlot>,
    },
}

/// The steps of decisions, in alphabetical order.
pub(super) const DECISIONS: [&str; 8] =
    ["first-player", "mulligan", "pick", "reveal", "roll", "spec", "swap", "vote"];

impl Decision {
    /// The word of its step.
    pub fn step(&self) -> &'static str {
        match self {
            Decision::FirstPlayer(_) => "first-player",
            Decision::Swap { .. } => "swap",
            Decision::Mulligan { .. } => "mulligan",
            Decision::Roll(_) => "roll",
            Decision::Spec { .. } => "spec",
            Decision::Reveal { .. } => "reveal",
            Decision::Vote { .. } => "vote",
            Decision::Pick { .. } => "pick",
        }
    }

    /// Whose it is; `None`: the table's.
    pub fn seat(&self) -> Option<SeatId> {
        match self {
            Decision::FirstPlayer(_) | Decision::Roll(_) => None,
            Decision::Swap { seat, .. }
            | Decision::Mulligan { seat, .. }
            | Decision::Spec { seat, .. }
            | Decision::Reveal { seat, .. }
            | Decision::Vote { seat, .. }
            | Decision::Pick { seat, .. } => Some(*seat),
        }
    }
}

impl Pending {
    /// The word of its step.
    pub fn step(&self) -> &'static str {
        match self {
            Pending::FirstPlayer { .. } => "first-player",
            Pending::Swap { .. } => "swap",
            Pending::Mulligan { .. } => "mulligan",
            Pending::Roll { .. } => "roll",
            Pending::Spec { .. } => "spec",
            Pending::Reveal { .. } => "reveal",
            Pending::Vote { .. } => "vote",
            Pending::Pick { .. } => "pick",
        }
    }

    /// Who decides; `None`: the table.
    pub fn seat(&self) -> Option<SeatId> {
        match self {
            Pending::FirstPlayer { .. } | Pending::Roll { .. } => None,
            Pending::Swap { seat }
            | Pending::Mulligan { seat, .. }
            | Pending::Spec { seat }
            | Pending::Reveal { seat }
            | Pending::Vote { seat, .. }
            | Pending::Pick { seat, .. } => Some(*seat),
        }
    }

    /// The decision that one player alone need not be asked for: chance where it can decide, and no
    /// swap.
    pub(in crate::matches) fn settled_alone(&self) -> Option<Decision> {
        match self {
            Pending::FirstPlayer { .. } => Some(Decision::FirstPlayer(FirstPlayer::Random)),
            Pending::Roll { .. } => Some(Decision::Roll(Dice::Random)),
            Pending::Swap { seat } => {
                Some(Decision::Swap { seat: *seat, sections: BTreeMap::new() })
            }
            _ => None,
        }
    }
}
