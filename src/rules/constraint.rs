//! What every rule kind answers.

use super::linear::Unknown;
use super::{Contents, Holding, Ledger, Linear, SectionSet, Violation};
use crate::pool::{CardId, Pool};
use std::fmt::Debug;

/// A condition on which something is asked.
#[derive(Debug)]
pub struct Asking {
    /// What must hold, a clause.
    pub words: String,
    /// The flag that is 1 just where it holds.
    pub holds: Unknown,
    /// Whether all of the demand is asked on it, and not a part alone.
    pub of_all: bool,
}

/// A demand on decks, ready to be asked.
///
/// This is the one authority on its rule: the same constraint says whether a deck meets it
/// ([`judge`](Constraint::judge)), which decks would ([`linear`](Constraint::linear)), what it
/// demands ([`demand`](Constraint::demand)), how its budget stands
/// ([`ledger`](Constraint::ledger)), and whether a section takes a card at all
/// ([`refuses`](Constraint::refuses)).
pub trait Constraint: Debug + Send + Sync {
    /// Adds what a deck's contents break, or what could not be verified of them. A deck
    /// that meets the demand costs no allocation.
    fn judge(&self, contents: &Contents<'_>, found: &mut Vec<Violation>);

    /// What the rule demands, as a sentence made from its own numbers.
    fn demand(&self) -> String;

    /// Adds what the rule demands in linear form: whole numbers of copies satisfy it just
    /// where [`judge`](Constraint::judge) finds no error.
    fn linear(&self, linear: &mut Linear<'_>);

    /// The account of a deck's budget, for rules that have one.
    fn ledger(&self, _contents: &Contents<'_>) -> Option<Ledger> {
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

    /// The choices that it waits for, since the deck does not declare them, each with a value that it
    /// may have.
    fn awaits(&self) -> Vec<(String, String)> {
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

    /// The conditions on which it, or a part of it, is asked, with unknowns that say whether each
    /// holds.
    fn conditions(&self, _linear: &mut Linear<'_>) -> Vec<Asking> {
        Vec::new()
    }

    /// Demands the opposite in linear form, where that can be said exactly: whole numbers of copies
    /// satisfy it just where a deck breaks the rule. Whether it could be.
    fn opposite(&self, _linear: &mut Linear<'_>) -> bool {
        false
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
