//! Where the work ends before the proof: the best that was found, and a bound that holds.

use super::calls::{run, text};
use super::worlds::{HARD, hard, judge, read};
use crate::common::Random;
use decklaw::resolve::Decklist;
use decklaw::rules::Holding;
use decklaw::solve::{Repair, Wish, Wishes, repair};
use serde_json::Value;
use std::fmt::Write as _;

const COLOURS: [&str; 4] = ["green", "red", "blue", "colourless"];

/// A pool of so many spells and nine Shells.
fn cards(random: &mut Random, spells: usize) -> String {
    let mut out = "name,type,colour,mana,viable,text,set\n".to_owned();
    for colour in &COLOURS[..3] {
        for at in 0..3 {
            let _ = writeln!(out, "{colour} Shell {at},shell,{colour},,,,");
        }
    }
    for at in 0..spells {
        let colour = COLOURS[random.below(4)];
        let (mana, set) = (1 + random.below(9), random.below(30));
        let viable = ["", "red", "green", "blue", "red;green"][random.below(5)];
        let _ = writeln!(out, "Card {at:04},spell,{colour},{mana},{viable},,set{set}");
    }
    out
}

#[test]
fn what_is_not_proven_says_so_and_its_bound_holds() {
    let (mut limited, mut between) = (0, 0);
    for seed in [0, 6, 26, 35, 36, 40, 45, 55, 66] {
        let mut random = Random::new(seed);
        let deck = hard(seed);
        let ids: Vec<_> = deck.pool().ids().collect();
        // Not as many copies of each card as the rules allow, so that one does not stand for
        // another.
        let owned = ids.iter().map(|_| random.below(4) as i64 + 3).collect();
        let mut wishes =
            Wishes { must: vec![Wish::own(owned, "a collection")], ..Wishes::default() };
        let Repair::Found(best) = repair(&deck, &wishes) else {
            continue;
        };
        assert!(best.optimal(), "{seed}");
        for effort in (20..=320).step_by(50) {
            wishes.effort = effort;
            let Repair::Found(found) = repair(&deck, &wishes) else {
                continue;
            };
            assert!(found.deck.is_legal(), "{seed} {effort}");
            assert!(wishes.must[0].holds(&deck, &found.deck), "{seed} {effort}");
            let changes = deck.changes_to(&found.deck);
            let moved: i64 = changes.iter().map(|change| (change.to - change.from).abs()).sum();
            assert_eq!(found.distance, moved, "{seed} {effort}");
            // Proven or not, what is said of the smallest distance is true.
            assert!(found.bound() <= best.distance, "{seed} {effort}");
            assert!(best.distance <= found.distance, "{seed} {effort}");
            assert_eq!(found.optimal(), found.bound() == found.distance, "{seed} {effort}");
            limited += usize::from(!found.optimal());
            between += usize::from(!found.optimal() && found.distance > best.distance);
        }
    }
    assert!(limited > 0 && between > 0, "{limited} {between}");
}

#[test]
fn wishes_that_no_search_settles_still_come_to_a_legal_deck() {
    let folder = tempfile::tempdir().unwrap();
    let pool = cards(&mut Random::new(1), 150);
    std::fs::write(folder.path().join("cards.csv"), pool).unwrap();
    // Several totals at once, each to be met exactly: nobody knows how to decide that quickly.
    let hard = "sum(mana) [viable:red] = 61 and sum(mana) [viable:green] = 67 and sum(mana) [viable:blue] = 59 and sum(mana) [set:set1] = 13 and sum(mana) [set:set2] = 17";
    let arguments = ["build", "shell", "--cards", "cards.csv", "--prefer", hard];
    let more = ["--prefer", "30+ [set:set5]", "--prefer", "no [mana:1]", "--effort", "0.02"];
    let json = [&arguments[..], &more, &["-o", "json"]].concat();
    let output = run(folder.path(), &json);
    assert!(output.status.success(), "{output:?}");
    let build: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(build["optimal"], false, "{build}");
    assert_eq!(build["after"]["verdict"], "legal");
    assert!(build["bound"].as_i64() <= build["distance"].as_i64());
    let output = run(folder.path(), &[&arguments[..], &more].concat());
    std::fs::write(folder.path().join("deck.txt"), &output.stdout).unwrap();
    assert!(text(&output.stderr).contains("limit was reached"), "{output:?}");
    let check = ["check", "deck.txt", "--cards", "shell=cards.csv"];
    assert!(run(folder.path(), &check).status.success());
}

/// Every fourth of the hard repairs; `cargo bench --bench repair` takes all and tells the time.
#[test]
fn hard_repairs_are_settled_with_proof() {
    let (mut mended, mut impossible) = (0, 0);
    for number in (0..HARD).step_by(4) {
        let deck = hard(number);
        match repair(&deck, &Wishes::default()) {
            Repair::Found(found) => {
                assert!(found.optimal(), "{number}: {} {}", found.distance, found.bound());
                assert!(found.deck.is_legal(), "{number}");
                mended += 1;
            }
            Repair::Impossible(conflict) => {
                assert!(conflict.irreducible, "{number}");
                impossible += 1;
            }
            Repair::Unknown => panic!("{number}: not settled"),
        }
    }
    assert!(mended > 30 && impossible > 2, "{mended} {impossible}");
}

/// However early the search ends, a deck is found that is legal and not far, and is not called more
/// than that.
#[test]
fn a_repair_that_is_near_is_found_without_any_search() {
    let judge = judge();
    let (mut found, mut extra, mut least) = (0, 0, 0);
    let games = ["decks/shell/", "decks/vanquishers/", "decks/versus/"];
    for (name, text) in crate::common::samples() {
        let text = String::from_utf8(text).unwrap_or_default();
        let is_of_these = games.iter().any(|game| name.starts_with(game));
        let deck = read(&judge, &text).filter(Decklist::is_legal);
        let Some(deck) = deck.filter(|_| is_of_these) else {
            continue;
        };
        let held: Vec<Holding> = deck.holdings().collect();
        for one in held.iter().step_by(7) {
            // One copy more, and another card less.
            let mut broken = deck.clone();
            broken.add(one.section, one.card, 1);
            let other = held[held.len() / 2];
            broken.add(other.section, other.card, -1);
            let best = match repair(&broken, &Wishes::default()) {
                Repair::Found(best) => best,
                none => panic!("{none:?}"),
            };
            let soon = Wishes { effort: 0, ..Wishes::default() };
            let Repair::Found(first) = repair(&broken, &soon) else {
                panic!("{name}: nothing near {}", best.distance);
            };
            assert!(first.deck.is_legal() && first.bound() <= best.distance);
            assert!(first.distance >= best.distance);
            assert_eq!(first.optimal(), first.bound() == first.distance);
            found += 1;
            extra += first.distance - best.distance;
            least += best.distance;
        }
    }
    assert!(found > 60 && extra * 2 < least, "{found}: {extra} more than {least}");
}
