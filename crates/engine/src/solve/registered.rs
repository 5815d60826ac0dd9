//! The deck that was played against the deck that was submitted.

use super::Decklist;
use super::swap::{self, Exchange};
use decklaw_rules::rules::Holding;
use decklaw_text::name::fold;
use std::collections::BTreeMap;

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

/// How a deck compares with the one that was registered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeckComparison {
    word: &'static str,
    differences: Vec<Difference>,
    wrong: Vec<String>,
}

impl DeckComparison {
    /// The answer in a word: `same`, `swapped` (a side-swap that the game allows), `illegal-swap`
    /// (one that leaves an illegal deck) or `other`.
    pub fn word(&self) -> &'static str {
        self.word
    }

    /// The copies that differ, by section.
    pub fn differences(&self) -> &[Difference] {
        &self.differences
    }

    /// What is wrong with a swap that leaves an illegal deck, a sentence each.
    pub fn wrong(&self) -> &[String] {
        &self.wrong
    }
}

/// Compares a deck with the one that was registered for the same format. A side-swap keeps
/// every card of the side deck and the sections that swap with it together, changes nothing
/// else, and leaves a legal deck; what the rules say of the side deck holds as decks are
/// registered. `exchange` names the sections that swap, where the deck's format has some.
pub fn played(
    registered: &Decklist,
    played: &Decklist,
    exchange: Option<&Exchange>,
) -> DeckComparison {
    let differences = differences(registered, played);
    let is_kept = |(side, groups): &(u16, Vec<u16>)| {
        let swaps = |difference: &Difference| {
            let section = registered.section(&difference.section);
            section.is_some_and(|own| own == *side || groups.contains(&own))
        };
        let mut moved: BTreeMap<_, i64> = BTreeMap::new();
        for difference in &differences {
            *moved.entry(fold(&difference.card)).or_default() += difference.to - difference.from;
        }
        differences.iter().all(swaps) && moved.values().all(|sum| *sum == 0)
    };
    let mut wrong = Vec::new();
    let word = match swap::sections(registered, exchange) {
        _ if differences.is_empty() => "same",
        Ok(sections) if is_kept(&sections) => {
            let swapped = |held: &Holding| sections.1.contains(&held.section);
            wrong = super::broken(&played.holding(played.holdings().filter(swapped)));
            if wrong.is_empty() { "swapped" } else { "illegal-swap" }
        }
        _ => "other",
    };
    DeckComparison { word, differences, wrong }
}

fn differences(registered: &Decklist, played: &Decklist) -> Vec<Difference> {
    let mut found: BTreeMap<(String, String), Difference> = BTreeMap::new();
    for (deck, is_registered) in [(registered, true), (played, false)] {
        for held in deck.holdings() {
            let (card, section) = (deck.name(held.card), usize::from(held.section));
            let section = deck.sections()[section].clone();
            let key = (section.clone(), fold(card).into_owned());
            let own = found.entry(key).or_insert_with(|| Difference {
                section,
                card: card.to_owned(),
                from: 0,
                to: 0,
            });
            if is_registered { own.from = held.copies } else { own.to = held.copies }
        }
    }
    found.retain(|_, own| own.from != own.to);
    found.into_values().collect()
}
