//! The deck that was played against the deck that was handed in.

use super::Decklist;
use super::swap::{self, Exchange};
use std::collections::BTreeMap;
use std::fmt::Write;

/// Copies of a card in a section that differ, by the card's name.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Difference {
    /// The section's id.
    pub section: String,
    /// The card.
    pub card: String,
    /// Copies as registered.
    pub from: i64,
    /// Copies as played.
    pub to: i64,
}

/// What a deck is to the one that was registered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Played {
    /// The same.
    Same,
    /// The same after a side-swap that the game allows.
    Swapped(Vec<Difference>),
    /// The same after a swap that leaves a deck which is not legal, and what is wrong with it.
    BadSwap(Vec<Difference>, Vec<String>),
    /// Another deck.
    Other(Vec<Difference>),
}

impl Played {
    /// The answer in a word: `same`, `swapped`, `illegal-swap` or `other`.
    pub fn word(&self) -> &'static str {
        match self {
            Played::Same => "same",
            Played::Swapped(_) => "swapped",
            Played::BadSwap(..) => "illegal-swap",
            Played::Other(_) => "other",
        }
    }

    /// Whether it may be played.
    pub fn is_well(&self) -> bool {
        matches!(self, Played::Same | Played::Swapped(_))
    }

    /// The copies that differ, by section.
    pub fn differences(&self) -> &[Difference] {
        match self {
            Played::Same => &[],
            Played::Swapped(all) | Played::BadSwap(all, _) | Played::Other(all) => all,
        }
    }

    /// What is wrong with the swap, a sentence each.
    pub fn wrong(&self) -> &[String] {
        match self {
            Played::BadSwap(_, wrong) => wrong,
            Played::Same | Played::Swapped(_) | Played::Other(_) => &[],
        }
    }

    /// The answer in a sentence about the deck that is called so.
    pub fn sentence(&self, registered: &str) -> String {
        match self {
            Played::Same => format!("the same deck as {registered}"),
            Played::Swapped(_) => format!("{registered} after a legal side-swap"),
            Played::BadSwap(..) => format!("{registered} after a swap that leaves no legal deck"),
            Played::Other(_) => format!("not the deck of {registered}"),
        }
    }

    /// What differs: a line a card, below its section; then what is wrong with that.
    pub fn changes(&self) -> String {
        let mut out = String::new();
        let mut section = "";
        for difference in self.differences() {
            if difference.section != section {
                section = &difference.section;
                let _ = writeln!(out, "\n{section}");
            }
            let (from, to) = (difference.from, difference.to);
            let sign = if to > from { '+' } else { '-' };
            let (number, card) = ((to - from).abs(), &difference.card);
            let _ = writeln!(
                out,
                "  {sign} {number} {card} ({from} registered, {to} played)"
            );
        }
        if !self.wrong().is_empty() {
            out.push('\n');
        }
        for wrong in self.wrong() {
            let _ = writeln!(out, "error: {wrong}");
        }
        out
    }
}

/// Compares a deck with the one that was registered for the same format. A side-swap keeps
/// every card of the side deck and the sections that swap with it together, changes nothing
/// else, and leaves a legal deck; what the rules say of the side deck holds as decks are
/// registered. Which sections swap says `exchange`, that of the deck's format if it has one.
pub fn played(registered: &Decklist, played: &Decklist, exchange: Option<&Exchange>) -> Played {
    let (before, after) = (by_name(registered), by_name(played));
    let mut differences = Vec::new();
    let keys = before
        .keys()
        .chain(after.keys().filter(|key| !before.contains_key(*key)));
    for key in keys {
        let copies = |deck: &Copies| deck.get(key).map_or(0, |(copies, _)| *copies);
        let (from, to) = (copies(&before), copies(&after));
        if from != to {
            let named = before.get(key).or_else(|| after.get(key));
            differences.push((
                key,
                Difference {
                    section: key.0.clone(),
                    card: named.map_or_else(String::new, |(_, name)| name.clone()),
                    from,
                    to,
                },
            ));
        }
    }
    differences.sort_by(|one, other| one.0.cmp(other.0));
    if differences.is_empty() {
        return Played::Same;
    }
    let Ok((side, groups)) = swap::sections(registered, exchange) else {
        return Played::Other(differences.into_iter().map(|(_, one)| one).collect());
    };
    let swaps: Vec<&str> = groups
        .iter()
        .chain([&side])
        .map(|section| registered.sections()[usize::from(*section)].as_str())
        .collect();
    let mut moved: BTreeMap<&str, i64> = BTreeMap::new();
    let mut elsewhere = false;
    for ((section, folded), difference) in &differences {
        elsewhere |= !swaps.contains(&section.as_str());
        *moved.entry(folded).or_default() += difference.to - difference.from;
    }
    let kept = !elsewhere && moved.values().all(|sum| *sum == 0);
    let differences = differences.into_iter().map(|(_, one)| one).collect();
    if !kept {
        return Played::Other(differences);
    }
    let mut staged = played.clone();
    let held: Vec<_> = staged.holdings().collect();
    for held in held.iter().filter(|held| !groups.contains(&held.section)) {
        staged.set(held.section, held.card, 0);
    }
    let wrong = super::broken(&staged);
    match wrong.is_empty() {
        true => Played::Swapped(differences),
        false => Played::BadSwap(differences, wrong),
    }
}

/// Copies and name by section and folded name.
type Copies = BTreeMap<(String, String), (i64, String)>;

fn by_name(deck: &Decklist) -> Copies {
    let entry = |held: decklaw_core::rules::Holding| {
        let name = deck.name(held.card);
        let section = deck.sections()[usize::from(held.section)].clone();
        let key = (section, decklaw_core::name::fold(name).into_owned());
        (key, (held.copies, name.to_owned()))
    };
    deck.holdings().map(entry).collect()
}
