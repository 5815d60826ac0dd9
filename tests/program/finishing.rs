//! Decks that a player began are finished: what is there stays as far as it can, and `fix` says
//! where that is what a deck needs.

use crate::common::{decklaw, json, run};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;

/// Copies by section and card.
type Cards = BTreeMap<(String, String), i64>;

fn answer(folder: &Path, arguments: &[&str]) -> Value {
    json(&decklaw(folder, &[arguments, &["-o", "json"]].concat()))
}

fn cards(deck: &Value) -> Cards {
    let mut cards = Cards::new();
    for (section, lines) in deck["sections"].as_object().unwrap() {
        for line in lines.as_array().unwrap() {
            // A deck's own file has lines as they are written.
            let (count, name) = match line.as_str().and_then(|line| line.split_once(' ')) {
                Some((count, name)) => (count.parse().unwrap(), name),
                None => (line["count"].as_i64().unwrap(), line["name"].as_str().unwrap()),
            };
            *cards.entry((section.clone(), name.to_owned())).or_default() += count;
        }
    }
    cards
}

/// The lines of a deck's text but for every second one with cards.
fn half(text: &str, from: usize) -> String {
    let mut at: usize = from;
    let stays = |line: &&str| {
        let is_card = line.starts_with(|first: char| first.is_ascii_digit());
        at += usize::from(is_card);
        !is_card || at.is_multiple_of(2)
    };
    // A total of what is gone would no longer be right.
    let lines = text.lines().filter(stays).map(|line| match line.rsplit_once(" (") {
        Some((word, total)) if total.trim_end_matches([')', ':']).parse::<u32>().is_ok() => word,
        _ => line,
    });
    lines.map(|line| line.to_owned() + "\n").collect()
}

/// Every legal deck that is shipped, half of it taken out: since the whole one is legal, all that
/// is left can stay, and does.
#[test]
fn half_of_a_legal_deck_of_any_format_is_finished_and_stays_whole() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = tempfile::tempdir().unwrap();
    let mut formats = BTreeMap::new();
    for game in ["shell", "vainqueur", "vanquishers", "vastrix", "versus"] {
        for deck in std::fs::read_dir(root.join("decks").join(game)).unwrap() {
            let deck = deck.unwrap().path();
            // One has its cards by other names.
            let is_other = deck.ends_with("typed-on-a-train.txt");
            if is_other || deck.extension().is_none_or(|ending| ending != "txt") {
                continue;
            }
            let checked = answer(root, &["check", deck.to_str().unwrap()]);
            let told = &checked["decks"][0];
            if told["verdict"] != "legal" {
                continue;
            }
            let text = std::fs::read_to_string(&deck).unwrap();
            for from in 0..2 {
                let what = format!("{}, {from}", deck.display());
                std::fs::write(folder.path().join("half.txt"), half(&text, from)).unwrap();
                let built = answer(folder.path(), &["build", "--from", "half.txt"]);
                assert_eq!(built["after"]["verdict"], "legal", "{what}");
                assert_eq!(built["format"], told["format"], "{what}");
                assert_eq!(built["preferred"][0]["missed"], 0, "{what}");
                let asked = [
                    "convert",
                    "half.txt",
                    "--to-format",
                    "json",
                    "--to",
                    "half.json",
                    "--replace",
                ];
                assert!(decklaw(folder.path(), &asked).status.success(), "{what}");
                let begun = std::fs::read_to_string(folder.path().join("half.json")).unwrap();
                let begun = cards(&serde_json::from_str(&begun).unwrap());
                let after = cards(&built["deck"]);
                for (card, copies) in &begun {
                    assert!(after.get(card) >= Some(copies), "{what}: {card:?}");
                }
                // What people read is that deck.
                let ran = run(folder.path(), "build --from half.txt");
                std::fs::write(folder.path().join("whole.txt"), &ran.stdout).unwrap();
                let read = answer(folder.path(), &["check", "whole.txt"]);
                assert_eq!(read["decks"][0]["hash"], built["after"]["hash"], "{what}");
                *formats.entry(told["format"].to_string()).or_insert(0) += 1;
            }
        }
    }
    assert!(formats.len() >= 10, "{formats:?}");
}
