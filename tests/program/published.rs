//! Cards as public databases publish them, read by the example games that say how.
//!
//! `tests/published` holds excerpts in each database's own shape: names and numbers, no texts.

use crate::common::root;
use decklaw::format::Game;
use decklaw::pool::{NameField, Pool};
use serde_json::Value;
use std::sync::Arc;

const EXCERPTS: [&str; 2] = ["netrunner", "yugioh"];

fn game_text(game: &str) -> String {
    std::fs::read_to_string(root().join(format!("examples/games/{game}/game.yaml"))).unwrap()
}

fn pool(game: &str) -> Pool {
    let own = Game::read("game.yaml", &game_text(game)).unwrap();
    let excerpt = root().join(format!("tests/published/{game}.json"));
    own.read_cards(&std::fs::read(excerpt).unwrap()).unwrap()
}

/// A card as JSON, its lists sorted.
fn card(pool: &Pool, name: &str) -> Value {
    let mut card =
        pool.card(pool.look_up(name, NameField::Name).card().unwrap_or_else(|| panic!("{name}")));
    for value in card.as_object_mut().unwrap().values_mut() {
        if let Some(list) = value.as_array_mut() {
            list.sort_by_key(Value::to_string);
        }
    }
    card
}

/// Every rule's examples hold on the excerpt.
#[test]
fn the_rules_hold_on_what_each_database_publishes() {
    for game in EXCERPTS {
        let own = Game::read("game.yaml", &game_text(game)).unwrap();
        let cards = pool(game);
        assert_eq!(Arc::new(own).try_rules(&cards, &decklaw::deck::lines_of), [], "{game}");
        // Both faces of a card may be of one type.
        let mut remarks = cards.remarks();
        remarks.retain(|told| !told.ends_with("twice as its `types`, which counts once"));
        assert_eq!(remarks, Vec::<String>::new(), "{game}");
        let told = cards.passed_over().join("\n");
        assert!(told.contains("of the records ignored"), "{game}: {told}");
    }
}

/// The facts of the example's own table and those of the database are the same cards.
#[test]
fn a_database_and_the_table_say_the_same_of_a_card() {
    for (game, least) in [("netrunner", 27), ("yugioh", 13)] {
        let own = Game::read("game.yaml", &game_text(game)).unwrap();
        let table = std::fs::read(root().join(format!("examples/games/{game}/cards.csv"))).unwrap();
        let table = own.read_cards(&table).unwrap();
        let published = pool(game);
        assert_eq!(published.remarks(), Vec::<String>::new(), "{game}");
        let mut met = 0;
        for id in published.ids() {
            let name = published.name(id);
            let (mut theirs, mut ours) = (card(&published, name), card(&table, name));
            for key in ["id", "set"] {
                theirs.as_object_mut().unwrap().remove(key);
                ours.as_object_mut().unwrap().remove(key);
            }
            assert_eq!(theirs, ours, "{game}");
            met += 1;
        }
        assert_eq!(met, least, "{game}");
    }
}

/// What the tables of the examples leave out: ids and sets; and what is no card is none.
#[test]
fn each_mapping_makes_the_cards_that_are_meant() {
    for (game, expected) in [
        (
            "netrunner",
            r#"{"name":"Mumba Temple","side":"corp","faction":"neutral","type":"asset","influence":2,"alliance":"few-ice","set":["bf"]}"#,
        ),
        (
            "yugioh",
            r#"{"name":"Monster Reborn","type":"spell","kind":["normal"],"id":["83764718","83764719"]}"#,
        ),
    ] {
        let expected: Value = serde_json::from_str(expected).unwrap();
        assert_eq!(card(&pool(game), expected["name"].as_str().unwrap()), expected, "{game}");
    }
    assert!(pool("yugioh").look_up("Sheep Token", NameField::Name).card().is_none());
}
