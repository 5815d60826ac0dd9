//! What every rule kind answers.

use super::demand::{Cond, Rows};
use super::{Contents, Holding, Linear, Reading, SectionSet, Violation};
use crate::pool::{CardId, Pool};
use std::borrow::Cow;
use std::fmt::Debug;

/// A condition on which something is asked.
#[derive(Debug)]
pub struct Asking {
    /// What must hold, a clause.
    pub words: String,
    /// The same, to be asked of decks.
    pub cond: Cond,
    /// Whether all of the demand is asked on it, and not a part alone.
    pub of_all: bool,
}

/// A demand on decks, ready to be asked.
///
/// A kind of rule says what it demands as a [condition](Constraint::cond), from which the solver's
/// rows and the opposite follow, and tells in its own words how a deck [breaks](Constraint::judge)
/// it and what it [demands](Constraint::demand).
pub trait Constraint: Debug + Send + Sync {
    /// Adds what a deck's contents break, or what could not be verified of them. A deck
    /// that meets the demand costs no allocation.
    fn judge(&self, contents: &Contents<'_>, found: &mut Vec<Violation>);

    /// What the rule demands, as a sentence made from its own numbers.
    fn demand(&self) -> String;

    /// What it demands, as a condition on decks: it holds just where [`judge`](Constraint::judge)
    /// finds no error. Cards that the pool does not know and that stay in the deck leave open what
    /// depends on them. `of` says which cards sections refuse, and which unknown cards stay.
    fn cond(&self, of: &Linear<'_>) -> Cow<'_, Cond>;

    /// How the budget or size that it bounds stands; `None`: it bounds none, or the deck has
    /// nothing of it and needs nothing.
    fn meter(&self, _contents: &Contents<'_>) -> Option<Reading> {
        None
    }

    /// Whether the demand is about which cards a section takes at all: what it
    /// [refuses](Constraint::refuses) is set aside before other rules are asked.
    fn is_gate(&self) -> bool {
        false
    }

    /// The sections that by this rule can take no further card, whatever else comes to the deck,
    /// while those of `full` take none.
    fn full(&self, _contents: &Contents<'_>, _full: SectionSet) -> SectionSet {
        SectionSet::default()
    }

    /// The sections in one of which a card must come in to mend a shortfall, whatever else does;
    /// `None`: something else could mend it too.
    fn filled_in(&self) -> Option<SectionSet> {
        None
    }

    /// The cards of a deck that it counts, each once, for a message; none where it judges cards one by
    /// one.
    fn counted(&self, _contents: &Contents<'_>) -> Vec<CardId> {
        Vec::new()
    }

    /// The sections whose cards say which others the deck may have, such as that of a leader.
    fn heads(&self) -> SectionSet {
        SectionSet::default()
    }

    /// Why no deck over this pool, or every deck, meets the demand, a sentence; `None` where
    /// it can be met and can be broken, as far as can be told.
    fn idle(&self, _pool: &Pool) -> Option<String> {
        None
    }

    /// What the cards of this pool say that may well be meant otherwise, a sentence.
    fn doubt(&self, _pool: &Pool) -> Option<String> {
        None
    }

    /// The conditions on which it, or a part of it, is asked.
    fn conditions(&self) -> Vec<Asking> {
        Vec::new()
    }

    /// Whether the section does not take this card. A refused holding takes no further part
    /// in a deck's rules.
    fn refuses(&self, _holding: &Holding) -> bool {
        false
    }

    /// Whether any holding is [refused](Constraint::refuses).
    fn refuses_any(&self, contents: &Contents<'_>) -> bool {
        contents.all().iter().any(|holding| self.refuses(holding))
    }
}

impl dyn Constraint {
    /// Demands it in linear form, for the tag that stands there.
    pub fn demand_in(&self, linear: &mut Linear<'_>) {
        let cond = self.cond(linear);
        Rows::of(linear).demand(&cond);
    }
}
