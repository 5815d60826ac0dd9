//! Brute force: of small decks every nearer one is tried, and none may be legal.

use crate::support::Random;
use crate::worlds::{FORMATS, garbage, mutated, rulebook, slots};
use decklaw::pool::CardId;
use decklaw::resolve::Decklist;
use decklaw::solve::{Repair, Wish, Wishes, repair};
use std::sync::Arc;

/// Whether any deck at just this distance passes a test; `None`: too many to try.
fn any_at(
    deck: &Decklist,
    slots: &[(u16, CardId)],
    distance: i64,
    budget: &mut u32,
    test: &mut dyn FnMut(&Decklist) -> bool,
) -> Option<bool> {
    if distance == 0 {
        *budget = budget.checked_sub(1)?;
        return Some(test(deck));
    }
    for (at, (section, card)) in slots.iter().enumerate() {
        let held = deck.copies(*section, *card);
        for moved in 1..=distance {
            for by in [moved, -moved] {
                if held + by < 0 {
                    continue;
                }
                let mut next = deck.clone();
                next.set(*section, *card, held + by);
                if any_at(&next, &slots[at + 1..], distance - moved, budget, test)? {
                    return Some(true);
                }
            }
        }
    }
    Some(false)
}

/// Compares a repair with brute force. Answers whether it could be compared in full.
fn compare(deck: &Decklist, wishes: &Wishes, what: &str) -> bool {
    let slots = slots(deck);
    let mut fits = |after: &Decklist| {
        after.is_legal() && wishes.must.iter().all(|wish| wish.holds(deck, after))
    };
    let solved = repair(deck, wishes);
    let nearest = match &solved {
        Repair::Found(found) => {
            assert!(found.optimal(), "{what}");
            assert!(fits(&found.deck), "{what}");
            let moved: i64 = deck
                .changes_to(&found.deck)
                .iter()
                .map(|change| (change.from - change.to).abs())
                .sum();
            assert_eq!(moved, found.distance, "{what}");
            assert_eq!(found.bound(), found.distance, "{what}");
            found.distance
        }
        Repair::Impossible(_) => i64::MAX,
        Repair::Unknown => panic!("{what}: unknown"),
    };
    let mut budget = 800;
    let mut distance = 0;
    while distance < nearest {
        match any_at(deck, &slots, distance, &mut budget, &mut fits) {
            Some(nearer) => assert!(!nearer, "{what}: {distance} < {nearest}"),
            None => return false,
        }
        distance += 1;
    }
    true
}

fn worlds(seeds: std::ops::Range<u64>, mut see: impl FnMut(&str, Decklist, &mut Random)) {
    for format in FORMATS {
        for seed in seeds.clone() {
            let mut random = Random::new(seed * 64 + format.len() as u64);
            let rulebook = rulebook(format, &mut random);
            let start = match seed % 3 {
                0 => garbage(&rulebook, &mut random),
                edits => {
                    let empty = Decklist::empty(Arc::clone(&rulebook));
                    match repair(&empty, &Wishes::default()) {
                        Repair::Found(found) => {
                            mutated(&found.deck, edits as usize + 1, &mut random)
                        }
                        _ => garbage(&rulebook, &mut random),
                    }
                }
            };
            see(&format!("{format} {seed}"), start, &mut random);
        }
    }
}

#[test]
fn no_nearer_deck_is_legal() {
    let (mut whole, mut all) = (0, 0);
    worlds(0..45, |what, deck, _| {
        whole += i32::from(compare(&deck, &Wishes::default(), what));
        all += 1;
    });
    assert!(whole * 2 > all, "{whole} of {all} were compared in full");
}

#[test]
fn no_nearer_deck_satisfies_the_wishes() {
    worlds(100..125, |what, deck, random| {
        let rulebook = Arc::clone(deck.rulebook());
        let texts = [
            "2+ [card]",
            "no \"Card 1\"",
            "1..2 [\"Card 2\"] or 3+ [\"Card 0\"]",
            "not (1 [card] or 2 [card])",
        ];
        let text = texts[random.below(texts.len())];
        let wish = match text.contains("\"Card 2\"") || text.contains("\"Card 1\"") {
            true if deck.pool().find("Card 2").is_none() => return,
            _ => Wish::parse(text, &rulebook).unwrap(),
        };
        let mut wishes = Wishes {
            must: vec![wish],
            ..Wishes::default()
        };
        match random.below(3) {
            0 => wishes
                .must
                .push(Wish::keep("\"Card 0\"", deck.pool()).unwrap()),
            1 => wishes
                .must
                .push(Wish::only("-\"Card 0\"", deck.pool()).unwrap()),
            _ => wishes.must.push(Wish::own(
                deck.pool().ids().map(|_| random.below(6) as i64).collect(),
                "it",
            )),
        }
        compare(&deck, &wishes, &format!("{what} {text}"));
    });
}
