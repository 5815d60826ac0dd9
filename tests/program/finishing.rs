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

const GAME: &str = "schema: decklaw/format/1
game: grove
name: Grove
text: none
fields:
  - {name: kind, kind: word, values: [tree, bird, stone]}
sections: [{id: main, name: main deck, shuffled: true}]
formats: [{id: grove, name: Grove}]
rules:
  - {id: size, source: s, about: a, must: {size: {sections: [main], exactly: 6}}}
  - {id: copies, source: s, about: a, must: {copies: {sections: [main], max: 3}}}
  - {id: stones, source: s, about: a, demand: 'main [kind:stone] >= 1'}
";
const CARDS: [(&str, &str); 4] =
    [("Ash", "tree"), ("Elm", "tree"), ("Rook", "bird"), ("Flint", "stone")];

fn grove() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let game = folder.path().join("config/formats/grove");
    std::fs::create_dir_all(&game).unwrap();
    std::fs::write(game.join("game.yaml"), GAME).unwrap();
    let rows = CARDS.map(|(name, kind)| format!("{name},{kind}\n"));
    std::fs::write(game.join("cards.csv"), format!("name,kind\n{}", rows.concat())).unwrap();
    let odds = "hand: [3]\n";
    std::fs::write(game.join("odds.yaml"), odds).unwrap();
    folder
}

fn text(deck: [i64; 4]) -> String {
    let lines = CARDS.iter().zip(deck).filter(|(_, copies)| *copies > 0);
    let lines = lines.map(|((name, _), copies)| format!("{copies} {name}\n"));
    "Format: grove\nMain\n".to_owned() + &lines.collect::<String>()
}

/// Every deck of a small game that keeps its rules, counted out: what is finished keeps most of its
/// cards, then is nearest to what is preferred, and then is the nearest.
#[test]
fn of_all_decks_of_a_small_game_one_is_taken_in_which_most_cards_stay() {
    let folder = grove();
    let legal = || {
        let decks = (0..256).map(|code| [code % 4, code / 4 % 4, code / 16 % 4, code / 64]);
        decks.filter(|deck| deck.iter().sum::<i64>() == 6 && deck[3] > 0)
    };
    let mut gone = 0;
    for begun in [
        [0, 0, 0, 0],
        [1, 0, 2, 0],
        [3, 3, 0, 0],
        [5, 0, 0, 0],
        [2, 2, 2, 2],
        [4, 4, 4, 4],
        [0, 1, 0, 3],
    ] {
        std::fs::write(folder.path().join("begun.txt"), text(begun)).unwrap();
        for (prefer, far) in [
            (
                "3+ [kind:tree]",
                (|deck: &[i64; 4]| (3 - deck[0] - deck[1]).max(0)) as fn(&[i64; 4]) -> i64,
            ),
            ("2 [kind:bird]", |deck| (2 - deck[2]).abs()),
        ] {
            let away = |deck: &[i64; 4]| {
                let each = || begun.iter().zip(deck);
                let missing: i64 = each().map(|(old, new)| (old - new).max(0)).sum();
                let distance: i64 = each().map(|(old, new)| (old - new).abs()).sum();
                (missing, far(deck), distance)
            };
            let best = legal().map(|deck| away(&deck)).min().unwrap();
            let built =
                answer(folder.path(), &["build", "--from", "begun.txt", "--prefer", prefer]);
            let after = cards(&built["deck"]);
            let copies =
                |name: &str| *after.get(&("main".to_owned(), name.to_owned())).unwrap_or(&0);
            let after = CARDS.map(|(name, _)| copies(name));
            assert!(legal().any(|deck| deck == after), "{begun:?}: {built}");
            assert_eq!(away(&after), best, "{begun:?} {prefer}: {built}");
            assert_eq!(built["preferred"][0]["missed"], best.0, "{built}");
            assert_eq!(built["preferred"][1]["missed"], best.1, "{built}");
            assert_eq!(
                (built["distance"].as_i64(), &built["optimal"]),
                (Some(best.2), &true.into())
            );
            gone += usize::from(best.0 > 0);
        }
    }
    assert!(gone >= 6, "{gone}");
}
