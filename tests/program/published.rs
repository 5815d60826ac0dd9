//! Cards as public databases publish them, read by the example games that say how.
//!
//! `tests/published` holds excerpts in each database's own shape: names and numbers, no texts.

use decklaw::banlist::Lists;
use decklaw::deck::Input;
use decklaw::format::{Catalogue, Game};
use decklaw::judge::Judge;
use decklaw::pool::Pool;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::sync::Arc;

const EXCERPTS: [(&str, &str); 2] = [("netrunner", "json"), ("yugioh", "json")];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn excerpt(game: &str, kind: &str) -> Vec<u8> {
    std::fs::read(root().join(format!("tests/published/{game}.{kind}"))).unwrap()
}

fn game_text(game: &str) -> String {
    std::fs::read_to_string(root().join(format!("examples/games/{game}/game.yaml"))).unwrap()
}

fn pool(game: &str, kind: &str) -> Pool {
    let own = Game::read("game.yaml", &game_text(game)).unwrap();
    own.read_cards(&excerpt(game, kind)).unwrap()
}

/// A card as JSON, its lists sorted.
fn card(pool: &Pool, name: &str) -> Value {
    let mut card = pool.card(pool.find(name).unwrap_or_else(|| panic!("{name}")));
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
    for (game, kind) in EXCERPTS {
        let own = Game::read("game.yaml", &game_text(game)).unwrap();
        let cards = pool(game, kind);
        assert_eq!(Arc::new(own).try_rules(&cards), [], "{game}");
        // Both faces of a card may be of one type.
        let mut remarks = cards.remarks();
        remarks.retain(|told| !told.ends_with("twice as its `types`, which counts once"));
        assert_eq!(remarks, Vec::<String>::new(), "{game}");
        let told = cards.passed_over().join("\n");
        assert!(
            told.contains("of the records passed over"),
            "{game}: {told}"
        );
    }
}

/// The facts of the example's own table and those of the database are the same cards.
#[test]
fn a_database_and_the_table_say_the_same_of_a_card() {
    for (game, least) in [("netrunner", 27), ("yugioh", 13)] {
        let own = Game::read("game.yaml", &game_text(game)).unwrap();
        let table = std::fs::read(root().join(format!("examples/games/{game}/cards.csv"))).unwrap();
        let table = own.read_cards(&table).unwrap();
        let published = pool(game, "json");
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

#[test]
fn each_mapping_makes_the_cards_that_are_meant() {
    for (game, kind, name, expected) in [
        (
            "netrunner",
            "json",
            "Hedge Fund",
            r#"{"name":"Hedge Fund","side":"corp","faction":"neutral","type":"operation","influence":0,"set":["sg"]}"#,
        ),
        (
            "netrunner",
            "json",
            "Mumba Temple",
            r#"{"name":"Mumba Temple","side":"corp","faction":"neutral","type":"asset","influence":2,"alliance":"few-ice","set":["bf"]}"#,
        ),
        (
            "yugioh",
            "json",
            "Monster Reborn",
            r#"{"name":"Monster Reborn","type":"spell","kind":["normal"],"id":["83764718","83764719"]}"#,
        ),
        (
            "yugioh",
            "json",
            "Magician of Faith",
            r#"{"name":"Magician of Faith","type":"monster","kind":["effect","flip"],"level":1,"atk":300,"def":400,"id":["31560081"]}"#,
        ),
    ] {
        let expected: Value = serde_json::from_str(expected).unwrap();
        assert_eq!(card(&pool(game, kind), name), expected, "{game}");
    }
    assert!(pool("yugioh", "json").find("Sheep Token").is_none());
}

/// Decks are found as they are by the table of the same game.
#[test]
fn decks_are_judged_alike_by_a_table_and_by_the_database() {
    for (game, decks) in [
        (
            "netrunner",
            [
                "Format: netrunner/corp\nIdentity\n1 NBN: Reality Plus\nDeck\n2 Anoetic Void\n6 Sprint\n3 Jeeves Model Bioroids\n",
                "Format: netrunner/corp\nIdentity\n1 NBN: Reality Plus\nDeck\n9 Offworld Office\n35 Hedge Fund\n2 Longevity Serum\n1 Mumba Temple\n",
                "Format: netrunner/runner\nIdentity\n1 The Professor: Keeping Knowledge\nDeck\n3 Sure Gamble\n1 Carnivore\n1 Hedge Fund\n",
            ],
        ),
        (
            "yugioh",
            [
                "Format: yugioh\nMain\n3 Kuriboh\n1 Thousand-Eyes Restrict\nExtra\n1 Summoned Skull\n",
                "Format: yugioh\nMain\n38 Kuriboh\n2 Mirror Force\nSide\n2 Mirror Force\n",
                "Format: yugioh\nMain\n3 Jinzo\n3 Scapegoat\n3 Solemn Judgment\n",
            ],
        ),
    ] {
        let judge = || {
            let mut catalogue = Catalogue::built_in();
            let folder: PathBuf = root().join("examples/games").join(game);
            catalogue.add_game(&folder).unwrap();
            Judge::new(catalogue, Lists::default(), "2026-01-01".parse().unwrap())
        };
        let (table, database) = (judge(), judge());
        let database = database.with_cards(
            Some(game.to_owned()),
            format!("{game}.json"),
            excerpt(game, "json"),
        );
        for deck in decks {
            let found = |judge: &Judge| {
                let report = judge
                    .judge("deck.txt", deck.as_bytes(), Input::Text)
                    .unwrap();
                report.findings
            };
            let found_by_table = found(&table);
            assert!(!found_by_table.is_empty(), "{deck}");
            assert_eq!(found_by_table, found(&database), "{deck}");
        }
    }
}
