//! `decklaw odds` as a caller meets it: decks as files, exit statuses, places in queries.
#![allow(clippy::unwrap_used)]

use std::process::{Command, Output};

fn decklaw(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_decklaw"))
        .arg("odds")
        .args(arguments)
        .output()
        .unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn json(arguments: &[&str]) -> serde_json::Value {
    let output = decklaw(arguments);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn a_query_is_answered_under_the_games_own_policy() {
    let found = json(&[
        "decks/shell/ebb.txt",
        "1+ [colour:red]",
        "--turns",
        "3",
        "-o",
        "json",
    ]);
    assert_eq!(found["schema"], "decklaw/odds/1");
    assert_eq!(found["hand"], 6);
    assert_eq!(found["policy"]["mulligan"], "aside");
    assert_eq!(found["policy"]["limit"], 1);
    assert_eq!(found["policy"]["bottom"], serde_json::json!([0, 0]));
    let turns = found["answers"][0]["turns"].as_array().unwrap();
    let seen: Vec<_> = turns
        .iter()
        .map(|turn| turn["seen"].as_u64().unwrap())
        .collect();
    assert_eq!(seen, [6, 7, 8]);
}

#[test]
fn every_game_answers_without_a_query() {
    for (deck, more) in [
        ("decks/shell/ebb.txt", None),
        ("decks/vainqueur/low-water.txt", Some("--hand=5")),
        ("decks/versus/two-rivers.txt", None),
        ("decks/vanquishers/first-frost.txt", None),
        ("decks/vastrix/travelling-pack.txt", None),
    ] {
        let mut arguments = vec![deck, "-o", "json"];
        arguments.extend(more);
        let found = json(&arguments);
        assert!(!found["answers"].as_array().unwrap().is_empty(), "{deck}");
    }
}

#[test]
fn a_deck_of_any_game_needs_a_hand() {
    let deck = "decks/any/poker-pack.txt";
    let query = "2+ [\"Ace of Clubs\" or \"Ace of Spades\"]";
    let found = json(&[deck, query, "--hand", "5", "-o", "json"]);
    assert_eq!(found["answers"][0]["fraction"], "5/663");
    let refused = decklaw(&[deck, query]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(text(&refused.stderr).contains("--hand"));
}

#[test]
fn wrong_calls_say_what_and_where() {
    let deck = "decks/shell/ebb.txt";
    for (arguments, word) in [
        (&["1+ [colur:red]"][..], "        ^^^^^"),
        (
            &["1+ []", "--hand", "57"],
            "57 cards cannot be drawn from 56",
        ),
        (&["1+ []", "--hand", "-1"], "invalid value '-1'"),
        (&["1+ []", "--hand", "99999999999"], "invalid value"),
        (&["1+ []", "--given", "7+ []"], "no opening hand"),
        (&["1+ []", "--section", "sde"], "no section `sde`"),
        (&["1+ []", "-o", "xml"], "no output `xml`"),
        (&["some mana (1+ []"], "never closed"),
    ] {
        let refused = decklaw(&[&[deck], arguments].concat());
        assert_eq!(refused.status.code(), Some(2), "{arguments:?}");
        let said = text(&refused.stderr);
        assert!(said.contains(word), "{arguments:?}: {said}");
        assert!(refused.stdout.is_empty());
    }
}

#[test]
fn pictures_tables_and_work_are_written() {
    let folder = tempfile::tempdir().unwrap();
    let svg = folder.path().join("odds.svg");
    let arguments = [
        "decks/shell/ebb.txt",
        "1+ [colour:red]",
        "--show-work",
        "--svg",
    ];
    let output = decklaw(&[&arguments[..], &[svg.to_str().unwrap()]].concat());
    assert!(text(&output.stdout).contains("any other card"));
    assert!(std::fs::read_to_string(svg).unwrap().starts_with("<svg"));
    let table = decklaw(&["decks/shell/ebb.txt", "1+ [colour:red]", "-o", "csv"]);
    assert_eq!(text(&table.stdout).lines().count(), 2);
}
