//! Whole corpora: every case deck of the rules, illegal decks of games as people know them, and thousands
//! of unknown names. A repair is found in every case, and what is proven of it has a proof.

use super::calls::run;
use super::worlds::{GAMES, edited, judge, legal, read, rulebook};
use crate::common::Random;
use crate::oracle::checker::{by_veripb, checked};
use decklaw::solve::{Repair, Wishes, certify, repair};

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

#[test]
fn decks_of_known_games_are_repaired_with_proof() {
    let folder = tempfile::tempdir().unwrap();
    let accepted = |what: &str, certificates: Vec<decklaw::solve::Certificate>| {
        for one in certificates {
            let says = checked(&one.instance, &one.proof);
            assert!(says.is_ok(), "{what}: {says:?} {}", one.claim);
            let by_veripb = by_veripb(folder.path(), &one.instance, &one.proof);
            assert_ne!(by_veripb, Some(false), "{what}: VeriPB, {}", one.claim);
        }
    };
    let mut fixes = 0;
    for game in GAMES {
        let mut random = Random::new(game.len() as u64);
        for seed in 0..1 {
            // Two decks of one clan need more.
            let cards = if game == "clans" { 200 } else { 110 };
            let rulebook = rulebook(game, cards, &mut random);
            let whole = legal(&rulebook, seed);
            assert!(whole.is_legal(), "{game} {seed}");
            for edits in [1, 4, 8] {
                let what = format!("{game} {seed} {edits}");
                let deck = edited(&whole, edits, &mut random);
                let wishes = Wishes::default();
                let repaired = repair(&deck, &wishes);
                let Repair::Found(found) = &repaired else {
                    panic!("{what}: {repaired:?}");
                };
                assert!(found.deck.is_legal() && found.optimal(), "{what}");
                fixes += usize::from(found.distance > 0);
                match certify(&deck, &wishes, &repaired) {
                    Ok(certificates) => accepted(&what, certificates),
                    Err(why) => panic!("{what}: {why}"),
                }
            }
        }
    }
    assert!(fixes > 15, "{fixes}");
}

/// `tests/program/calls/fix.md` corrects a few.
#[test]
fn thousands_of_names_are_answered_like_a_few() {
    let folder = tempfile::tempdir().unwrap();
    let answer = |count: usize, call: &[&str], status: i32| -> serde_json::Value {
        let lines: String = (0..count).map(|at| format!("1 Nobody Knows {at}\n")).collect();
        let deck = format!("Format: shell\nMain\n{lines}");
        std::fs::write(folder.path().join("deck.txt"), deck).unwrap();
        let output = run(folder.path(), &[call, &["-o", "json"]].concat());
        assert_eq!(output.status.code(), Some(status), "{call:?}: {output:?}");
        serde_json::from_slice(&output.stdout).unwrap()
    };
    let pairs = |found: &serde_json::Value| -> Vec<(String, String)> {
        let rooms = found["room"].as_array().unwrap().iter();
        let text = |room: &serde_json::Value, key: &str| room[key].as_str().unwrap().to_owned();
        rooms.map(|room| (text(room, "section"), text(room, "card"))).collect()
    };
    let few = answer(3, &["room", "deck.txt"], 0);
    for count in [3, 2400] {
        let checked = answer(count, &["check", "deck.txt"], 1);
        let unknown = checked["decks"][0]["findings"].as_array().unwrap().iter();
        let unknown = unknown.filter(|found| found["rule"] == "unknown-card");
        assert!(unknown.count() >= count, "every name is shown");
        let fixed = answer(count, &["fix", "deck.txt"], 0);
        let gone = fixed["changes"].as_array().unwrap().iter();
        assert_eq!(gone.filter(|change| change["to"] == 0).count(), count);
        assert_eq!(fixed["optimal"], true);
        let rooms = answer(count, &["room", "deck.txt"], 0);
        assert_eq!(pairs(&rooms), pairs(&few));
    }
}
