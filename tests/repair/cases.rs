//! Every case deck of the rules can be repaired.

use super::support::{judge, read};
use decklaw::solve::{Repair, Wishes, repair};

#[test]
fn every_case_deck_is_repaired_and_stays_so() {
    let judge = judge();
    let mut seen = 0;
    // The small game has no pool to repair from.
    for game in crate::common::cases::GAMES.into_iter().filter(|game| *game != "grove") {
        for (name, text) in crate::common::cases::of_game(game) {
            let Some(deck) = read(&judge, &text) else {
                continue;
            };
            let found = match repair(&deck, &Wishes::default()) {
                Repair::Found(found) => found,
                other => panic!("{name}: {other:?}"),
            };
            assert!(found.deck.is_legal(), "{name}");
            assert!(found.optimal(), "{name}");
            assert_eq!(found.distance == 0, deck.is_legal(), "{name}");
            match repair(&found.deck, &Wishes::default()) {
                Repair::Found(again) => assert_eq!(again.distance, 0, "{name}"),
                other => panic!("{name}: {other:?}"),
            }
            seen += 1;
        }
    }
    assert!(seen > 200, "{seen}");
}
