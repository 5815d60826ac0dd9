//! Hard repairs: Shell decks with crowded extra and side decks over random pools, made again
//! from their numbers whenever they are wanted. Some of them cannot be repaired at all: all mana
//! even, or of 3 and 6 alone, and fewer cards than an extra deck asks for.

use super::support::Random;
use decklaw::format::{Catalogue, Rulebook};
use decklaw::pool::CardId;
use decklaw::resolve::Decklist;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::Arc;

/// How many hard repairs there are, numbered from 0.
pub(crate) const HARD: u64 = 240;

const COLOURS: [&str; 5] = ["green", "red", "blue", "green", "colourless"];

/// The deck of a number.
pub(crate) fn deck(number: u64) -> Decklist {
    let mut random = Random::new(1_000 + number);
    let mana: &[usize] = match number % 5 {
        0 | 1 => &[1, 2, 3, 4, 5, 6, 7, 8, 9],
        2 => &[3, 6],
        3 => &[2, 4, 6, 8],
        _ => &[0, 1, 2, 3, 4, 5, 6],
    };
    let spells = [40, 90, 200, 500][random.below(4)];
    let mut cards = "name,type,colour,mana,viable,text,set\n".to_owned();
    for colour in &COLOURS[..3] {
        for at in 0..3 {
            let _ = writeln!(cards, "{colour} Shell {at},shell,{colour},,,,");
        }
    }
    for at in 0..spells {
        let colour = COLOURS[random.below(5)];
        let mana = mana[random.below(mana.len())];
        let _ = writeln!(cards, "Card {at:04},spell,{colour},{mana},,,");
    }
    let format = Catalogue::built_in().format("shell").unwrap();
    let pool = Arc::new(format.game().read_cards(cards.as_bytes()).unwrap());
    let rulebook = Rulebook::new(&format, pool, None, &BTreeMap::new()).unwrap();
    let mut deck = Decklist::empty(Arc::new(rulebook));
    let ids: Vec<CardId> = deck.pool().ids().collect();
    let crowded = [
        ("main", 30 + random.below(30), 4),
        ("extra", 8 + random.below(12), 1 + random.below(2)),
        ("side", 8 + random.below(12), 4),
        ("shells", random.below(5), 1),
    ];
    for (section, lines, most) in crowded {
        let section = deck.section(section).unwrap();
        for _ in 0..lines {
            let card = ids[random.below(ids.len())];
            deck.set(section, card, 1 + random.below(most) as i64);
        }
    }
    deck
}
