//! Room by brute force: one copy more at a time, every rule judged, and a legal deck searched for
//! where one breaks.

use decklaw::pool::{CardId, CardSet};
use decklaw::resolve::Decklist;
use decklaw::rules::{Failing, Judgement, Severity};
use decklaw::solve::{DEFAULT_EFFORT, Repair, Rooms, Wish, Wishes, repair};

/// More copies than this are not compared.
const MOST: i64 = 12;

/// The rooms that were compared.
#[derive(Debug, Default)]
pub(crate) struct Compared {
    pub(crate) limited: usize,
    pub(crate) unlimited: usize,
}

/// What is wrong with more copies of a card that adding cards could not repair, and was not so
/// before: asked of every rule, without any shortcut.
fn breaks(before: &Decklist, after: &Decklist, (section, card): (u16, CardId)) -> bool {
    let excesses = |deck: &Decklist| -> Vec<Judgement> {
        let rulebook = deck.rulebook();
        let mut found = deck.judge();
        found.retain(|found| {
            found.violation.failing == Failing::Excess
                && rulebook.severity(found) == Severity::Error
                && rulebook.rules()[found.rule].kind != "unknown-card"
        });
        found
    };
    let over = |found: &Judgement| {
        let numbers = found.violation.actual.zip(found.violation.limit);
        numbers.map_or(0, |(actual, limit)| (actual - limit).abs())
    };
    let known = excesses(before);
    excesses(after).iter().any(|found| {
        let (own, rule) = (&found.violation, found.rule);
        own.is_of(card, section)
            || !known.iter().any(|old| {
                (old.rule, &old.violation.cards, old.violation.section)
                    == (rule, &own.cards, own.section)
                    && over(old) >= over(found)
            })
    })
}

/// Whether some legal deck has all cards of this one; `None`: not found out.
fn is_part_of_a_legal_deck(deck: &Decklist) -> Option<bool> {
    let wishes = Wishes { must: vec![Wish::uses(deck, "the deck")], ..Wishes::default() };
    match repair(deck, &wishes) {
        Repair::Found(found) => {
            assert!(found.deck.is_legal());
            Some(true)
        }
        Repair::Impossible(_) => Some(false),
        Repair::Unknown => None,
    }
}

/// How many more copies fit; `None`: a search was cut short.
fn brute(deck: &Decklist, place: (u16, CardId)) -> Option<i64> {
    for copies in 1..=MOST {
        let mut fuller = deck.clone();
        fuller.add(place.0, place.1, copies);
        if breaks(deck, &fuller, place) && !is_part_of_a_legal_deck(&fuller)? {
            return Some(copies - 1);
        }
    }
    Some(MOST)
}

impl Compared {
    /// Compares the room of every card in every section with brute force.
    pub(crate) fn compare(&mut self, deck: &Decklist, what: &str) {
        let rooms = Rooms::of(deck).within(1_000 * DEFAULT_EFFORT);
        for room in rooms.all(&CardSet::of(deck.pool().len(), |_| true)) {
            let Some(fits) = brute(deck, (room.section, room.card)) else {
                continue;
            };
            let more = room.more.map_or(MOST, |more| more.min(MOST));
            let name = deck.name(room.card);
            assert_eq!(
                more,
                fits,
                "{what}: {name} {room:?}\n{:?}\n{:?}",
                deck.listing(),
                deck.errors()
            );
            if fits < MOST {
                self.limited += 1;
            } else {
                self.unlimited += 1;
            }
        }
    }
}
