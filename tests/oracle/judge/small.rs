//! The three games whose rules fit a page: Vainqueur, Versus and VASTRIX.

use super::{Fault, House, Judgement, sort};
use crate::model::{Card, Deck, Pool};

const VAINQUEUR_TYPES: [&str; 4] = ["monster", "master", "battlefield", "spell"];
const VERSUS_TYPES: [&str; 3] = ["character", "item", "trap"];

fn is_one_of(card: &Card, types: &[&str]) -> bool {
    types.contains(&card.value("type"))
}

/// SPEC 2.1 (the rules text's The Deck).
pub(super) fn vainqueur(deck: &Deck, pool: &Pool, house: &House) -> Judgement {
    let mut found = Judgement::default();
    let accepts = |card: &Card| is_one_of(card, &VAINQUEUR_TYPES);
    let main = sort(deck, "main", pool, accepts, &mut found);
    // V1, V2: no banned card, by name.
    for name in main.names().keys() {
        if house.banned.contains(name) {
            found.error("banned", Fault::Excess);
        }
    }
    // V3: advice to play 50.
    if main.size() != 50 {
        found.warn("advised-size");
    }
    // V5: minimum, maximum and copy limit are lost; only an organiser can give them.
    let (min, max) = (house.min.unwrap_or(0), house.max.unwrap_or(u32::MAX));
    found.range("size", main.size(), min, max);
    for copies in main.names().values() {
        if *copies > house.copies.unwrap_or(u32::MAX) {
            found.error("copies", Fault::Excess);
        }
    }
    found
}

/// SPEC 3.1 (the rules text's BASICS and VARIATIONS).
pub(super) fn versus(deck: &Deck, pool: &Pool, house: &House) -> Judgement {
    let mut found = Judgement::default();
    // L2: characters, traps and items only.
    let accepts = |card: &Card| is_one_of(card, &VERSUS_TYPES);
    let main = sort(deck, "main", pool, accepts, &mut found);
    let (size, table) = versus_table(&deck.format);
    // L1: the exact size (3.4 (1)).
    found.range("size", main.size(), size, size);
    // L3: the table's composition; L4: an announced variation may leave it.
    let counts = VERSUS_TYPES.map(|kind| main.count(|card| card.is("type", kind)));
    // Unknown cards may be of any type, so only what is off with all of them warns.
    let strangers = main.size() - counts.iter().sum::<u32>();
    let off = |(count, wanted): (&u32, &u32)| count > wanted || count + strangers < *wanted;
    if counts.iter().zip(&table).any(off) && !house.any_composition {
        found.warn("composition");
    }
    found
}

/// Deck size, and characters, items and traps, of a Versus format.
pub(crate) fn versus_table(format: &str) -> (u32, [u32; 3]) {
    let mode = format.strip_prefix("versus/").unwrap_or("normal");
    let (mode, shared) = match mode.strip_suffix("-shared") {
        Some(mode) => (mode, 2),
        None => (mode, 1),
    };
    let (size, table) = match mode {
        "fast" => (20, [12, 5, 3]),
        "normal" => (30, [18, 8, 4]),
        "vs" => (40, [24, 11, 5]),
        other => panic!("no mode {other:?}"),
    };
    (size * shared, table.map(|count| count * shared))
}

/// SPEC 5.1 X1 (the rules text's Game Overview): each card of the pool exactly once.
pub(super) fn vastrix(deck: &Deck, pool: &Pool) -> Judgement {
    let mut found = Judgement::default();
    let main = sort(deck, "main", pool, |_| true, &mut found);
    let copies = main.names();
    for card in pool.cards() {
        let copies = copies.get(&card.folded).copied().unwrap_or(0);
        found.range("whole-deck", copies, 1, 1);
    }
    // A foreign card is an error of its own; whether the deck is then whole is left open.
    if !main.unknown.is_empty() && !found.faults.contains_key("whole-deck") {
        found.unsettle("whole-deck");
    }
    found
}
