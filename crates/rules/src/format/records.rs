//! Records of public card databases, read by a game.

#![allow(clippy::unwrap_used)]

use crate::format::Game;
use decklaw_cards::pool::Pool;
use decklaw_text::spreadsheet::unguarded;
use proptest::prelude::*;
use serde_json::{Value, json};

const GAME: &str = "
schema: decklaw/format/1
game: reef
name: Reef
text: None
fields:
  - {name: cost, kind: number}
  - {name: clan, kind: word}
  - {name: traits, kind: list}
  - {name: words, kind: text}
formats: [{id: reef, name: Reef}]
";

fn game(cards: &str) -> Game {
    Game::read("game.yaml", &format!("{GAME}{cards}")).unwrap()
}

fn cards(pool: &Pool) -> Vec<Value> {
    pool.ids().map(|card| pool.card(card)).collect()
}

fn wrong(game: &Game, text: &str) -> String {
    game.read_cards(text.as_bytes()).unwrap_err().to_string()
}

/// A card as both files say it.
#[derive(Debug, Clone)]
struct Card {
    cost: Option<u16>,
    clan: String,
    traits: Vec<String>,
    words: String,
}

fn card() -> impl Strategy<Value = Card> {
    let word = "[A-Za-zéß&<>\"][A-Za-zéß&<>\"' ]{0,8}[a-z]";
    let parts = (
        proptest::option::of(0_u16..9999),
        prop_oneof![Just(String::new()), word],
        proptest::collection::vec(word, 0..4),
        prop_oneof![
            Just(String::new()),
            "[A-Za-z0-9][A-Za-z0-9 ,;:\\\\/&<>\"'{}\\[\\]-]{0,20}[a-z]"
        ]
        .prop_filter("a table takes this apostrophe for a guard", |text: &String| {
            unguarded(text) == *text
        }),
    );
    let trimmed = |text: String| text.trim().to_owned();
    parts.prop_map(move |(cost, clan, traits, words)| Card {
        cost,
        clan: trimmed(clan),
        traits: traits.into_iter().map(trimmed).collect(),
        words: trimmed(words),
    })
}

proptest! {
    /// A table and the same records in JSON are the same pool.
    #[test]
    fn all_ways_to_write_cards_are_one_pool(cards in proptest::collection::vec(card(), 1..8)) {
        let own = game("");
        let mut table = csv::Writer::from_writer(Vec::new());
        table.write_record(["name", "cost", "clan", "traits", "words"]).unwrap();
        let mut records = Vec::new();
        for (at, card) in cards.iter().enumerate() {
            let name = format!("Card {at}");
            let cost = card.cost.map(|cost| cost.to_string()).unwrap_or_default();
            let traits = card.traits.join(";");
            table.write_record([&name, &cost, &card.clan, &traits, &card.words]).unwrap();
            let record = json!({"name": name, "cost": card.cost, "clan": card.clan,
                "traits": card.traits, "words": card.words});
            records.push(record);
        }
        let expected = own.read_cards(&table.into_inner().unwrap()).unwrap();
        let list = Value::Array(records.clone());
        let nested = json!({"total": 3, "data": {"a": list}, "more": []}).to_string();
        let columns = "
  columns:
    - {name: name, from: name}
    - {name: cost, from: cost}
    - {name: clan, from: clan}
    - {name: traits, from: \"traits[]\"}
    - {name: words, from: words}";
        for (cards, file) in [
            (String::new(), serde_json::to_string_pretty(&list).unwrap()),
            (String::new(), list.to_string()),
            ("cards: {rows: \"data.a[]\"}".to_owned(), nested.clone()),
            ("cards: {rows: \"data[][]\"}".to_owned(), nested.replace(", \"more\":[]", "")),
            (format!("cards:{columns}"), list.to_string()),
        ] {
            let game = game(&cards);
            let read = game.read_cards(file.as_bytes());
            let read = read.map_err(|error| TestCaseError::fail(format!("{error}: {file}")))?;
            prop_assert_eq!(self::cards(&read), self::cards(&expected), "{}", file);
            prop_assert!(read.remarks().iter().all(|remark| !remark.contains("ignored")));
        }
    }

    /// Any file is read or refused, without a panic.
    #[test]
    fn no_bytes_make_it_stumble(text in "[\\[{][\\[\\]{}<>/\":,a-e0-9 \\n&;!?-]{0,60}") {
        for cards in ["", "cards: {rows: \"a[].b\"}", "cards: {columns: [{name: name, from: a}]}"] {
            let _ = game(cards).read_cards(text.as_bytes());
        }
    }
}

#[test]
fn a_mapping_makes_cards_of_what_a_database_publishes() {
    let mapping = "
cards:
  rows: data[]
  columns:
    - {name: name, from: [title, subtitle], join: \": \"}
    - {name: id, from: \"arts[].id\"}
    - {name: cost, from: price, map: {X: \"\"}}
    - {name: clan, from: clan_code, map: {neutral-sea: neutral, neutral-land: neutral}}
    - {name: traits, from: [keywords, faces], split: \" - \", map: {Fish: fish; swimmer, Odd: \"\"}}
    - {name: words, from: title, map: {Crab: walks}, else: swims}
";
    let own = game(mapping);
    let file = json!({"version": 1, "data": [
        {"title": "Crab", "price": "X", "clan_code": "neutral-sea", "keywords": "Fish - Odd", "faces": [{"no": 1}], "stars": 5},
        {"title": "Eel", "subtitle": "The Long", "price": 2.0, "keywords": "Snake", "arts": [{"id": 7}, {"id": 8}]},
    ]});
    let error = wrong(&own, &file.to_string());
    assert!(
        error.contains("record 1, column `traits`: the value at `faces` has several parts"),
        "{error}"
    );
    let own = game(&mapping.replace("[keywords, faces]", "keywords"));
    let pool = own.read_cards(file.to_string().as_bytes()).unwrap();
    assert_eq!(
        cards(&pool),
        [
            json!({"name": "Crab", "clan": "neutral", "traits": ["fish", "swimmer"], "words": "walks"}),
            json!({"name": "Eel: The Long", "id": ["7", "8"], "cost": 2, "traits": ["Snake"], "words": "swims"}),
        ]
    );
    let told = pool.passed_over().join("\n");
    let part = "`faces` and `stars` of the records ignored";
    assert!(told.contains(part), "{told}");
    assert_eq!(pool.remarks(), Vec::<String>::new());
}

/// The game without or with a mapping, a file, and words of the message.
const PROBLEMS: &str = r#"
    plain => [{"name": "Ash"}, {"name": "Ash"}] => record 2, column `name`: `Ash` is in record 1 already
    plain => [{"name": "Ash", "cost": 1.5}] => record 1, column `cost`: `1.5` is not a whole number
    plain => [{"name": "Ash", "name": "Bee"}] => the key `name` is here twice
    plain => [{"name": "Ash"}, 3] => record 2: this is a word or a list
    plain => [{"name": "Ash", "traits": ["a;b", "c"]}] => record 1, column `traits`: `a;b` is one of several words
    plain => [{"name": "Ash", "price": 1}] => this game's cards have no such column
    plain => [{"title_of": "Ash"}] => no record has a `name`: they have `title_of`
    plain => {"data": [{"name": "Ash"}]} => no record has a `name`: they have `data`
    plain => [] => no record has a `name`
    plain => [{"name": "Ash", "cost": 123456789012345678901234567890}] => too large to be read exactly
    mapped => {"cards": []} => no records at `data`; the keys here are `cards`
    mapped => {"data": [], "data": []} => the key `data` is here twice
    mapped => {"data": [{"title": "Ash", "clans": ["a", "b"]}]} => record 1, column `clan`: 2 words where one is expected (`a` and `b`)
    mapped => {"data": [{"title": ""}]} => record 1, column `name`: a card needs a name
    mapped => {"data": 3} => a list of records
"#;

#[test]
fn problems_have_the_place_of_their_record() {
    let plain = game("");
    let mapped = game(
        "cards: {rows: \"data[]\", columns: [{name: name, from: title}, {name: clan, from: clans}]}",
    );
    for case in PROBLEMS.trim().lines() {
        let [game, file, words] = case.trim().split(" => ").collect::<Vec<_>>()[..] else {
            panic!("{case}");
        };
        let game = if game == "plain" { &plain } else { &mapped };
        let error = wrong(game, file);
        assert!(error.contains(words), "{case}: {error}");
    }
    let pool = mapped.read_cards(b"{\"data\": [{\"title\": \"Ash\"}]}").unwrap();
    assert_eq!(
        pool.remarks(),
        ["no record has anything at `clans`, so that no card has a value in `clan`"]
    );
}

/// A stranger's file is bounded in every direction.
#[test]
fn hostile_files_are_refused() {
    let own = game("");
    let deep = |open: &str, close: &str| format!("{}{}", open.repeat(20_000), close.repeat(20_000));
    let values = format!("[{{\"name\": [{}1]}}]", "1,".repeat(60_000));
    for (file, told) in [
        (deep("[", "]"), "recursion limit"),
        (deep("{\"a\":", "}"), "recursion limit"),
        (values, "more than 50000 values"),
        ("[{\"name\": \"Ash\"}] x".to_owned(), "not JSON"),
    ] {
        let error = wrong(&own, &file);
        assert!(error.contains(told), "{}: {error}", &file[..40.min(file.len())]);
    }
    let keys: String = (0..50_000).map(|at| format!("\"k{at}\": 1, ")).collect();
    let keys = format!("[{{{keys}\"name\": \"Ash\"}}]");
    assert!(wrong(&own, &keys).contains("more than 50000 values"));
    let keys = keys.replace("\"k1\": 1, ", "").replace("\"k2\": 1, ", "");
    assert!(wrong(&own, &keys).contains("more than 64 different values"));
    // A page of the web where a file should have been fetched.
    assert!(wrong(&own, "<!DOCTYPE html><html></html>").contains("web page"));
    let utf16: Vec<u8> = std::iter::once(0xfeff)
        .chain("[{\"name\": \"Ash\"}]".encode_utf16())
        .flat_map(u16::to_le_bytes)
        .collect();
    let pool = own.read_cards(&utf16).unwrap();
    assert_eq!((pool.len(), pool.remarks().len()), (1, 1));
}

#[test]
fn a_mapping_that_cannot_be_meant_is_refused() {
    let problems = r#"
        cards: {columns: [{name: cost, from: a}]} => no column is `name`
        cards: {columns: [{name: name, from: a}, {name: price, from: a}]} => no field `price`
        cards: {columns: [{name: name, from: a}, {name: name, from: b}]} => given twice
        cards: {columns: [{name: name, from: a..b}]} => 
        cards: {rows: "a[0]"} => is not a path
        cards: {columns: [{name: name, from: a}, {name: cost, from: b, map: {X: many}}]} => `many` is not a whole number
        cards: {colums: []} => colums
    "#;
    for case in problems.trim().lines() {
        let (cards, words) = case.trim().split_once(" =>").unwrap();
        let error = Game::read("game.yaml", &format!("{GAME}{cards}")).unwrap_err();
        let problem = &error.problems[0].message;
        assert!(problem.contains(words.trim()), "{case}: {problem}");
    }
}

/// The example of `docs/cove`.
#[test]
fn the_example_of_a_database_is_read() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/cove");
    let own = std::fs::read_to_string(root.join("game.yaml")).unwrap();
    let own = Game::read("game.yaml", &own).unwrap();
    let read = |bytes: &[u8]| own.read_cards(bytes).unwrap();
    let table =
        "name,clan,keywords,cost,modern\nCrab,neutral,Shell;Claw,2,legal\nEel,reef,Fish,,\n";
    let json = read(&std::fs::read(root.join("cards.json")).unwrap());
    assert_eq!(cards(&json), cards(&read(table.as_bytes())));
    assert_eq!(json.passed_over().len(), 1);
}
