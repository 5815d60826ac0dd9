//! Wishes: demands on a deck beyond the rules.

use super::Wish;
use super::taste::Taste;
use std::sync::Arc;

/// The steps that are a second of work on a machine of 2024: what a person gives in seconds is
/// counted in steps, so that the same call has the same answer on every machine.
pub const STEPS_A_SECOND: u64 = 50_000;

/// The steps that a repair may take by default: two seconds of work.
pub const DEFAULT_EFFORT: u64 = 2 * STEPS_A_SECOND;

/// The demands on a deck beyond the rules.
#[derive(Debug, Clone)]
pub struct Wishes {
    /// What must hold.
    pub must: Vec<Wish>,
    /// What should hold as far as can be, the first before the second, and so on.
    pub prefer: Vec<Wish>,
    /// The steps that may be taken.
    pub effort: u64,
    /// Which of alike cards come first: by folded name, or shuffled by this text. Those of a shaped
    /// deck are always shuffled.
    pub seed: Option<String>,
    /// What the format's advice counts for.
    pub advice: Advice,
    /// Whether the sections that were empty get the shape of a deck that players build, as far as
    /// the distance allows: kinds and numbers of cards in proportion, playsets of some and single
    /// copies of others.
    pub shaped: bool,
    /// What a deck should hold after all that is preferred and the format's advice.
    pub aims: Vec<Wish>,
    /// What chooses among decks that are equally near.
    pub taste: Option<Arc<Taste>>,
}

/// What the rules that are only advice count for; what can be followed is followed, rule by
/// rule in the format's order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Advice {
    /// Nothing.
    #[default]
    Ignored,
    /// It chooses among decks at the same distance.
    AtNoCost,
    /// It comes after what is preferred, and before the distance.
    First,
}

impl Default for Wishes {
    fn default() -> Wishes {
        Wishes {
            must: Vec::new(),
            prefer: Vec::new(),
            effort: DEFAULT_EFFORT,
            seed: None,
            advice: Advice::Ignored,
            shaped: false,
            aims: Vec::new(),
            taste: None,
        }
    }
}

impl Wishes {
    /// The steps for what comes after a search that left some: a quarter of all at least.
    pub(super) fn saved(&self, left: u64) -> u64 {
        left.max(self.effort / 4)
    }
}
