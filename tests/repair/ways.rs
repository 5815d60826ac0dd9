//! The nearest ways to mend a deck, against all legal decks around it.

use crate::support::Random;
use crate::worlds::{FORMATS, garbage, mutated, rulebook, slots};
use decklaw::pool::CardId;
use decklaw::resolve::Decklist;
use decklaw::solve::{Repair, Wishes, repair, ways};
use std::sync::Arc;

/// Every deck that differs by at most so many copies.
fn around(deck: &Decklist, slots: &[(u16, CardId)], most: i64, see: &mut dyn FnMut(&Decklist)) {
    let Some(((section, card), rest)) = slots.split_first() else {
        see(deck);
        return;
    };
    let held = deck.copies(*section, *card);
    for by in -most.min(held)..=most {
        let mut next = deck.clone();
        next.set(*section, *card, held + by);
        around(&next, rest, most - by.abs(), see);
    }
}

/// The copies that change, by place.
fn edit(slots: &[(u16, CardId)], before: &Decklist, after: &Decklist) -> Vec<i64> {
    let by = |(section, card): &(u16, CardId)| {
        after.copies(*section, *card) - before.copies(*section, *card)
    };
    slots.iter().map(by).collect()
}

/// Whether all that one edit does is part of another.
fn is_part(one: &[i64], other: &[i64]) -> bool {
    let mut pairs = one.iter().zip(other);
    pairs.all(|(one, other)| match one.signum() {
        0 => true,
        1 => other >= one,
        _ => other <= one,
    })
}

fn distance(edit: &[i64]) -> i64 {
    edit.iter().map(|by| by.abs()).sum()
}

#[test]
fn ways_are_the_nearest_legal_decks_that_change_no_more_than_they_must() {
    const COUNT: usize = 4;
    let (mut compared, mut several, mut complete) = (0, 0, 0);
    for format in FORMATS {
        for seed in 0..60 {
            let mut random = Random::new(seed * 91 + 7 + format.len() as u64);
            let rulebook = rulebook(format, &mut random);
            let empty = Decklist::empty(Arc::clone(&rulebook));
            let deck = match (seed % 4, repair(&empty, &Wishes::default())) {
                (0, _) => garbage(&rulebook, &mut random),
                (edits, Repair::Found(found)) => {
                    mutated(&found.deck, 2 * edits as usize, &mut random)
                }
                _ => continue,
            };
            let Repair::Found(first) = repair(&deck, &Wishes::default()) else {
                continue;
            };
            let slots = slots(&deck);
            let most = if slots.len() <= 8 { 5 } else { 3 };
            if first.distance == 0
                || first.distance > most
                || deck.holdings().any(|held| !deck.knows(held.card))
            {
                continue;
            }
            let mut legal: Vec<Vec<i64>> = Vec::new();
            around(&deck, &slots, most, &mut |other| {
                if other.is_legal() {
                    legal.push(edit(&slots, &deck, other));
                }
            });
            let minimal = |edit: &&Vec<i64>| {
                legal
                    .iter()
                    .all(|other| other == *edit || !is_part(other, edit))
            };
            let mut minimal: Vec<&Vec<i64>> = legal.iter().filter(minimal).collect();
            minimal.sort_by_key(|edit| distance(edit));
            let found = ways(&deck, &Wishes::default(), *first, COUNT);
            let what = format!("{format} {seed}: {:?}", deck.listing());
            let edits: Vec<Vec<i64>> = found
                .found
                .iter()
                .map(|way| edit(&slots, &deck, &way.deck))
                .collect();
            for (at, (edit, way)) in edits.iter().zip(&found.found).enumerate() {
                assert_eq!(distance(edit), way.distance, "{what}");
                assert!(!edits[..at].contains(edit), "{what}: twice");
                assert!(way.optimal(), "{what}: not proven");
                if distance(edit) <= most {
                    assert!(minimal.contains(&edit), "{what}: {edit:?} changes too much");
                    assert_eq!(distance(edit), distance(minimal[at]), "{what}: {edit:?}");
                } else {
                    assert!(minimal.len() <= at, "{what}: {:?} is nearer", minimal[at]);
                }
            }
            if edits.len() < COUNT {
                assert!(found.complete, "{what}");
                assert!(minimal.len() <= edits.len(), "{what}: {minimal:?}");
                complete += 1;
            }
            compared += 1;
            several += usize::from(edits.len() > 1);
        }
    }
    assert!(
        compared >= 100 && several >= 80 && complete >= 3,
        "{compared} {several} {complete}"
    );
}
