//! What somebody met who wrote other games down: each message or answer that was wrong there.

use super::{decklaw, own_game};
use serde_json::Value;
use tempfile::TempDir;

const GAME: &str = r#"fields:
  - {name: title, kind: text}
  - {name: class, kind: list}
  - {name: level, kind: number}
  - {name: adds, kind: number}
  - {name: options, kind: query}
sections: [{id: hero, name: hero section}, {id: main, name: main deck, shuffled: true}, {id: second, name: second deck, shuffled: true}]
settings: [{name: earned, about: What was earned., default: 0}]
formats: [{id: toy, name: Toy}]
rules:
  - {id: copies, source: p, about: Three of a title., must: {copies: {sections: [main, second], by: [title], max: 3}}}
  - {id: levels, source: p, about: Levels are earned., must: {total: {sections: [main], field: level, max: [earned, {base: 0, field: adds, of: [hero]}]}}}
  - {id: size, source: p, about: Size., must: {size: {sections: [main], max: [3, {base: 0, field: adds, of: [main]}]}}}
  - {id: options, source: p, about: Options., must: {permitted: {sections: [main], by: [hero], field: options}}}
"#;
const CARDS: &str = "name,title,class,level,adds,options
Hero,Hero,,,,class:a or class:c
Fan,Fan,a,,,
Fan (new),Fan,a,,,
Big,Big,a,3,,
Bag,Bag,a,,5,
Off,Off,b,,,
Lamp,Lamp,a,,,
Rope,Rope,a,,,
";

fn game() -> TempDir {
    own_game(GAME, CARDS)
}

/// What a command with `-o json` says of a deck.
fn asked(folder: &TempDir, lines: &str, call: &[&str]) -> Value {
    let deck = folder.path().join("deck.txt");
    std::fs::write(deck, format!("Format: toy\n{lines}")).unwrap();
    let run = decklaw(folder.path(), &[call, &["-o", "json"]].concat());
    serde_json::from_slice(&run.stdout).unwrap()
}

fn message(told: &Value) -> &str {
    told["decks"][0]["findings"][0]["message"].as_str().unwrap()
}

#[test]
fn a_limit_of_nothing_names_the_setting_that_makes_it_so() {
    let told = asked(&game(), "Main\n1 Big\n", &["check", "deck.txt"]);
    let said = "the main deck must have no level (`earned` is 0); there are 3";
    assert_eq!(message(&told), said, "{told}");
    let given = ["check", "deck.txt", "--set", "earned=2"];
    let told = asked(&game(), "Main\n1 Big\n", &given);
    assert!(!message(&told).contains("earned"), "{told}");
}

#[test]
fn copies_of_one_title_name_every_card_and_mark_every_line() {
    let folder = game();
    let lines = "Main\n3 Fan\nSecond\n1 Fan (new)\n";
    let told = asked(&folder, lines, &["check", "deck.txt"]);
    let said = message(&told);
    assert!(said.contains("(`Fan` and `Fan (new)`)"), "{said}");
    let run = decklaw(folder.path(), &["check", "deck.txt"]);
    let shown = String::from_utf8_lossy(&run.stdout).into_owned();
    assert!(
        shown.contains("3 │ 3 Fan\n") && shown.contains("5 │ 1 Fan (new)\n"),
        "{shown}"
    );
}

#[test]
fn what_is_permitted_is_told() {
    let lines = "Hero\n1 Hero\nMain\n1 Off\n";
    let told = asked(&game(), lines, &["check", "deck.txt"]);
    let said = "`Hero` may not use `Off`; permitted: cards of class a or of class c";
    assert_eq!(message(&told), said, "{told}");
}

#[test]
fn of_equal_edits_one_takes_out() {
    // One more `Bag` would let five more in.
    let told = asked(
        &game(),
        "Main\n1 Fan\n1 Lamp\n2 Rope\n",
        &["fix", "deck.txt"],
    );
    let changes = told["changes"].as_array().unwrap();
    assert_eq!(changes.len(), 1, "{told}");
    assert!(changes[0]["to"].as_i64() < changes[0]["from"].as_i64());
}

#[test]
fn odds_say_where_several_decks_could_be_drawn_from() {
    let folder = game();
    let lines = "Main\n3 Fan\nSecond\n3 Rope\n";
    let call = ["odds", "deck.txt", "1+ \"Rope\"", "--hand", "2"];
    let told = asked(&folder, lines, &call);
    let said = "Cards are drawn from the main deck, and not from the second deck.";
    assert_eq!(told["notes"][0], said, "{told}");
    let call = [&call[..], &["--section", "second"]].concat();
    let told = asked(&folder, lines, &call);
    assert_eq!(told["answers"][0]["probability"], 1.0, "{told}");
    assert!(!told.to_string().contains("drawn from"), "{told}");
    // And where there is but one, nothing is to be said.
    let told = asked(&folder, "Main\n3 Rope\n", &call[..5]);
    assert!(!told.to_string().contains("drawn from"), "{told}");
}

/// What counts too many cards of a kind says which there are, for people and for programs.
#[test]
fn too_many_of_a_kind_are_named() {
    let rules = "rules:
  - {id: few, source: p, about: One dear card., must: {size: {sections: [main], cards: 'level>=1', max: 1, called: dear card}}, says: \"too dear: {cards}\"}
  - {id: kinds, source: p, about: Two kinds of plain cards., must: {distinct: {sections: [main, second], cards: -level, max: 2}}}
";
    let game = GAME.replacen("rules:\n", rules, 1);
    let cards = format!("{CARDS}Huge,Huge,a,4,,\n");
    let folder = own_game(&game, &cards);
    let told = asked(&folder, "Main\n1 Big\n1 Huge\n", &["check", "deck.txt"]);
    let found = told["decks"][0]["findings"].as_array().unwrap();
    let of = |rule: &str| {
        found
            .iter()
            .find(|one| one["rule"] == rule)
            .unwrap()
            .clone()
    };
    assert_eq!(of("few")["cards"], serde_json::json!(["Big", "Huge"]));
    assert_eq!(of("few")["message"], "too dear: `Big` and `Huge`");
    assert_eq!(
        of("few")["help"],
        "remove 1 dear card, such as `Big` or `Huge`"
    );
    let lines = "Main\n1 Lamp\n1 Rope\nSecond\n1 Fan\n1 Lamp\n";
    let told = asked(&folder, lines, &["check", "deck.txt"]);
    let found = told["decks"][0]["findings"].as_array().unwrap();
    let kinds = found.iter().find(|one| one["rule"] == "kinds").unwrap();
    assert_eq!(kinds["cards"], serde_json::json!(["Fan", "Lamp", "Rope"]));
}
