//! Every case deck of the rules can be mended.

use crate::support::{judge, read};
use decklaw::solve::{Repair, Wishes, repair};

#[test]
fn every_case_deck_is_mended_and_stays_so() {
    let judge = judge();
    let mut seen = 0;
    for game in ["shell", "vainqueur", "versus", "vanquishers", "vastrix"] {
        let mut files: Vec<_> = std::fs::read_dir(format!("tests/cases/{game}"))
            .unwrap()
            .map(|file| file.unwrap().path())
            .collect();
        files.sort();
        for file in files {
            let text = std::fs::read_to_string(&file).unwrap();
            let Some(deck) = read(&judge, &text) else {
                continue;
            };
            let found = match repair(&deck, &Wishes::default()) {
                Repair::Found(found) => found,
                other => panic!("{}: {other:?}", file.display()),
            };
            assert!(found.deck.is_legal(), "{}", file.display());
            assert!(found.optimal, "{}", file.display());
            assert_eq!(found.distance == 0, deck.is_legal(), "{}", file.display());
            match repair(&found.deck, &Wishes::default()) {
                Repair::Found(again) => assert_eq!(again.distance, 0, "{}", file.display()),
                other => panic!("{}: {other:?}", file.display()),
            }
            seen += 1;
        }
    }
    assert!(seen > 200, "{seen}");
}
