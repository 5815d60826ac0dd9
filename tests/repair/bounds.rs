//! Bounds that numbers of cards raise, over many cards that are alike but for the rows that say
//! so: a condition of a bound must not hide from the search how few copies it allows.

use crate::common::table_text as text;
use decklaw::format::{Game, Rulebook};
use decklaw::resolve::Decklist;
use decklaw::solve::{Repair, Wishes, repair};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::Arc;

/// One leader, which may raise the copies of a card, and a warning next to the errors.
fn game(least: usize, most: &str, warned: bool) -> String {
    let warning = if warned {
        "  - {id: house, severity: warning, source: s, about: a, \
         must: {matching: {sections: [main], field: house, by: [leader], mode: all}}}\n"
    } else {
        ""
    };
    let game = text("game of raised bounds").replace("LEAST", &least.to_string());
    game.replace("MOST", most) + warning
}

fn cards(units: usize) -> String {
    let mut csv = "name,type,house,title,plus\n".to_owned();
    for (at, (house, plus)) in [("a", "1"), ("b", ""), ("c", ""), ("d", "")].iter().enumerate() {
        writeln!(csv, "L{at},leader,{house},L{at},{plus}").unwrap();
    }
    for at in 0..units {
        let house = ["a", "b", "c", "d"][at % 4];
        writeln!(csv, "U{at},unit,{house},T{},", at / 2).unwrap();
    }
    csv
}

#[test]
fn bounds_that_a_card_raises_hide_no_deck_from_the_search() {
    let raised = "max: [1, {base: 0, field: plus, of: [leader]}]";
    let of_title = "by: [title], max: [1, {base: 0, field: plus, of: [leader]}]";
    // The least that the rules leave: a leader, and the cards that are missing.
    for (least, units, most, held) in [
        (40, 60, raised, 0),
        (40, 60, raised, 13),
        (40, 150, raised, 0),
        (40, 21, raised, 0),
        (25, 150, of_title, 0),
        (25, 60, of_title, 5),
    ] {
        for warned in [false, true] {
            let text = game(least, most, warned);
            let game = Game::read("game.yaml", &text)
                .unwrap_or_else(|error| panic!("{text}\n{:?}", error.problems));
            let game = Arc::new(game);
            let pool = Arc::new(game.read_cards(cards(units).as_bytes()).unwrap());
            let format = game.formats().remove(0);
            let rulebook = Rulebook::new(&format, pool, None, &BTreeMap::new()).unwrap();
            let mut deck = Decklist::empty(Arc::new(rulebook));
            for at in 0..held {
                let card = deck.find(&format!("U{}", 2 * at)).unwrap();
                deck.set(1, card, 1);
            }
            let case = format!("{least} of {units} cards, {held} held, {most}, {warned}");
            let Repair::Found(found) = repair(&deck, &Wishes::default()) else {
                panic!("no answer: {case}");
            };
            assert!(found.optimal() && found.deck.is_legal(), "{case}");
            assert_eq!(found.distance, 1 + (least - held) as i64, "{case}");
        }
    }
}
