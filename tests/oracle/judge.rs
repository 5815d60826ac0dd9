//! The naive judge: each rule of SPEC.md as a few plain loops over the cards of a deck.

mod shell;
mod small;
mod vanquishers;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

pub(crate) use self::small::versus_table;
pub(crate) use self::vanquishers::{MAXIMUM, minimum};
use crate::model::{Card, Deck, Pool};

/// What an organiser adds to the rules: a banlist, and settings that the rules text leaves open.
#[derive(Clone, Debug, Default)]
pub(crate) struct House {
    /// Folded names.
    pub(crate) banned: BTreeSet<String>,
    pub(crate) min: Option<u32>,
    pub(crate) max: Option<u32>,
    pub(crate) copies: Option<u32>,
    /// Versus, VARIATIONS 2: any composition is announced.
    pub(crate) any_composition: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    Legal,
    Incomplete,
    Illegal,
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Legal => "legal",
            Self::Incomplete => "incomplete",
            Self::Illegal => "illegal",
        })
    }
}

/// Whether adding cards could mend what is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    Shortfall,
    Excess,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Judgement {
    /// Rule ids with an error, and whether every one of its errors is a shortfall.
    faults: BTreeMap<&'static str, bool>,
    pub(crate) warnings: BTreeSet<&'static str>,
    /// Rules that a card outside the pool leaves open: an error, a warning or a notice may do.
    pub(crate) unsettled: BTreeSet<&'static str>,
}

impl Judgement {
    fn error(&mut self, rule: &'static str, fault: Fault) {
        let shortfalls_only = self.faults.entry(rule).or_insert(true);
        *shortfalls_only &= fault == Fault::Shortfall;
    }

    /// A number that must lie in a range.
    fn range(&mut self, rule: &'static str, actual: u32, min: u32, max: u32) {
        if actual < min {
            self.error(rule, Fault::Shortfall);
        }
        if actual > max {
            self.error(rule, Fault::Excess);
        }
    }

    fn warn(&mut self, rule: &'static str) {
        self.warnings.insert(rule);
    }

    fn unsettle(&mut self, rule: &'static str) {
        self.unsettled.insert(rule);
    }

    pub(crate) fn errors(&self) -> BTreeSet<&'static str> {
        self.faults.keys().copied().collect()
    }

    /// Legal without an error, incomplete where every error is a shortfall.
    pub(crate) fn verdict(&self) -> Verdict {
        if self.faults.is_empty() {
            Verdict::Legal
        } else if self.faults.values().all(|shortfall| *shortfall) {
            Verdict::Incomplete
        } else {
            Verdict::Illegal
        }
    }
}

/// A section after sorting: what it accepts, and names that the pool does not know. A card that
/// the section does not accept has been reported and is in neither.
#[derive(Debug, Default)]
struct Section<'a> {
    cards: Vec<(&'a Card, u32)>,
    /// Folded names.
    unknown: Vec<(String, u32)>,
}

impl Section<'_> {
    fn unknown_copies(&self) -> u32 {
        self.unknown.iter().map(|(_, copies)| copies).sum()
    }

    /// Copies of the cards that answer to a description.
    fn count(&self, wanted: impl Fn(&Card) -> bool) -> u32 {
        let found = self.cards.iter().filter(|(card, _)| wanted(card));
        found.map(|(_, copies)| copies).sum()
    }

    /// Every card, the unknown ones too.
    fn size(&self) -> u32 {
        self.count(|_| true) + self.unknown_copies()
    }

    /// Total mana of the cards that answer to a description.
    fn mana(&self, wanted: impl Fn(&Card) -> bool) -> u32 {
        let found = self.cards.iter().filter(|(card, _)| wanted(card));
        found.map(|(card, copies)| copies * mana(card)).sum()
    }

    /// Copies of every folded name, the unknown ones too.
    fn names(&self) -> BTreeMap<String, u32> {
        let known = self.cards.iter();
        let known = known.map(|(card, copies)| (card.folded.clone(), *copies));
        known.chain(self.unknown.iter().cloned()).collect()
    }

    /// A name that stands in both.
    fn shares_with(&self, other: &Section<'_>) -> bool {
        let others = other.names();
        self.names().keys().any(|name| others.contains_key(name))
    }
}

fn mana(card: &Card) -> u32 {
    card.number("mana").unwrap_or(0)
}

/// Adds up copies over lines and spellings, and sets aside what the section does not accept.
fn sort<'a>(
    deck: &Deck,
    section: &str,
    pool: &'a Pool,
    accepts: impl Fn(&Card) -> bool,
    judgement: &mut Judgement,
) -> Section<'a> {
    let mut sorted = Section::default();
    for (name, copies) in deck.copies(section) {
        match pool.find(&name) {
            None => {
                judgement.error("unknown-card", Fault::Excess);
                sorted.unknown.push((name, copies));
            }
            Some(card) if accepts(card) => sorted.cards.push((card, copies)),
            Some(_) => judgement.error("accepts", Fault::Excess),
        }
    }
    sorted
}

/// Judges a deck of any of the five games.
pub(crate) fn judge(deck: &Deck, pool: &Pool, house: &House) -> Judgement {
    let game = deck.format.split('/').next().unwrap();
    match game {
        "shell" => shell::judge(deck, pool),
        "vainqueur" => small::vainqueur(deck, pool, house),
        "versus" => small::versus(deck, pool, house),
        "vanquishers" => vanquishers::judge(deck, pool),
        "vastrix" => small::vastrix(deck, pool),
        other => panic!("no game {other:?}"),
    }
}
