//! Every case deck of the rules can be mended.

use crate::support::{judge, read};
use decklaw::banlist::Lists;
use decklaw::format::Catalogue;
use decklaw::judge::Judge;
use decklaw::origin::Origin;
use decklaw::solve::{Choosing, Repair, Wishes, repair};
use std::path::Path;

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
            assert!(found.optimal(), "{}", file.display());
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

/// What identity cards permit by a choice that is not declared: a repair that may declare nothing
/// leaves no such card there, and knows that nothing is nearer.
#[test]
fn who_asks_for_a_choice_that_is_not_declared_goes() {
    let mut catalogue = Catalogue::built_in();
    let folder = Path::new("tests/cases/configuration/formats");
    catalogue.add_folder(folder, &Origin::Call).unwrap();
    let judge = Judge::new(catalogue, Lists::default(), "2026-06-01".parse().unwrap());
    for kind in ["permitted", "total-permits", "copies-permits"] {
        // The limits hold one card that nobody permits.
        let text = format!("Format: grove/{kind}\n\nLeader\n1 Ada\nMain\n1 Fog\n");
        let deck = read(&judge, &text).unwrap();
        assert!(!deck.is_legal(), "{kind}");
        let wishes = Wishes {
            choosing: Choosing::Nothing,
            ..Wishes::default()
        };
        match repair(&deck, &wishes) {
            Repair::Found(found) => {
                assert!(
                    found.deck.is_legal() && found.optimal(),
                    "{kind}: {found:?}"
                );
                assert_eq!(found.distance, 1, "{kind}");
            }
            other => panic!("{kind}: {other:?}"),
        }
    }
}
