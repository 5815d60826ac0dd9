//! Cards as public databases publish them, read by the example games that say how.
//!
//! `tests/published` holds excerpts in each database's own shape: names and numbers, no texts.

use super::common::decklaw as run;
use decklaw::banlist::Lists;
use decklaw::deck::Input;
use decklaw::format::{Catalogue, Game};
use decklaw::judge::Judge;
use decklaw::pool::Pool;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::sync::Arc;

const EXCERPTS: [(&str, &str); 6] = [
    ("netrunner", "json"),
    ("arkham", "json"),
    ("yugioh", "json"),
    ("starwars", "json"),
    ("commander", "json"),
    ("constructed", "xml"),
];

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
    for (game, least) in [("netrunner", 27), ("yugioh", 13), ("arkham", 53)] {
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
        (
            "arkham",
            "json",
            "Machete",
            r#"{"name":"Machete","title":"Machete","type":"asset","class":["Guardian"],"level":0,"id":["01020","01520"]}"#,
        ),
        (
            "arkham",
            "json",
            "Easy Mark (1)",
            r#"{"name":"Easy Mark (1)","title":"Easy Mark","type":"event","class":["Rogue"],"level":1,"limit":3,"myriad":1,"id":["06026"]}"#,
        ),
        (
            "arkham",
            "json",
            "Bounty Contracts",
            r#"{"name":"Bounty Contracts","title":"Bounty Contracts","type":"asset","class":["Neutral"],"limit":1,"role":["permanent","signature"],"owner":"Tony","id":["06010"]}"#,
        ),
        (
            "starwars",
            "json",
            "Luke Skywalker, Jedi Knight",
            r#"{"name":"Luke Skywalker, Jedi Knight","type":"Unit","aspects":["Heroism","Vigilance"],"traits":["FORCE","JEDI","REBEL"],"arenas":["Ground"],"cost":7,"power":6,"hp":7,"set":"SOR"}"#,
        ),
        (
            "commander",
            "json",
            "Sol Ring",
            r#"{"name":"Sol Ring","types":["Artifact"],"mana":1,"legal":"legal","rarity":"uncommon","set":"c21"}"#,
        ),
        (
            "commander",
            "json",
            "Fire // Ice",
            r#"{"name":"Fire // Ice","types":["Instant"],"identity":["R","U"],"mana":4,"legal":"legal","rarity":"uncommon","set":"apc"}"#,
        ),
        (
            "constructed",
            "xml",
            "Fire // Ice",
            r#"{"name":"Fire // Ice","types":["Instant"],"colours":["R","U"],"mana":4,"set":["APC"],"modern":"legal","legacy":"legal","vintage":"legal","pauper":"legal"}"#,
        ),
        (
            "constructed",
            "xml",
            "Black Lotus",
            r#"{"name":"Black Lotus","types":["Artifact"],"mana":0,"set":["LEA"],"legacy":"banned","vintage":"restricted"}"#,
        ),
    ] {
        let expected: Value = serde_json::from_str(expected).unwrap();
        assert_eq!(card(&pool(game, kind), name), expected, "{game}");
    }
    for (game, kind, absent) in [
        ("yugioh", "json", "Sheep Token"),
        ("arkham", "json", "Random Basic Weakness"),
        ("arkham", "json", "Ghoul Minion"),
        ("commander", "json", "Goblin"),
        ("constructed", "xml", "Goblin"),
    ] {
        assert!(pool(game, kind).find(absent).is_none(), "{game}");
    }
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
        (
            "arkham",
            [
                "Format: arkham\nInvestigator\n1 Roland Banks\nMain\n2 Beat Cop\n1 Beat Cop (2)\n",
                "Format: arkham\nInvestigator\n1 Daisy Walker\nMain\n1 Tony's Quarry\n",
                "Format: arkham\nInvestigator\n1 Jenny Barnes\nMain\n2 Ace in the Hole (3)\n4 Easy Mark (1)\n1 Shotgun (4)\n",
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

#[test]
fn what_is_passed_over_is_said_where_a_file_is_checked() {
    let folder = tempfile::tempdir().unwrap();
    let games = folder.path().join("formats");
    std::fs::create_dir_all(games.join("netrunner")).unwrap();
    std::fs::write(games.join("netrunner/game.yaml"), game_text("netrunner")).unwrap();
    std::fs::write(
        games.join("netrunner/cards.json"),
        excerpt("netrunner", "json"),
    )
    .unwrap();
    std::fs::write(folder.path().join("decklaw.yaml"), "formats: [formats]\n").unwrap();
    std::fs::write(folder.path().join("db.json"), excerpt("netrunner", "json")).unwrap();
    let output = run(
        folder.path(),
        &["cards", "check", "--format", "netrunner/corp", "db.json"],
    );
    let (said, told) = (
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr),
    );
    assert!(
        output.status.success() && said.contains("in order, 27 cards"),
        "{said}{told}"
    );
    assert!(
        told.contains("`keywords`") && told.contains("`uniqueness`"),
        "{told}"
    );
}

/// Cards are read by the game's own mapping, whether or not it has cards already, and whether or
/// not its rules could judge a deck without them.
#[test]
fn cards_are_checked_for_a_game_that_has_none() {
    let folder = tempfile::tempdir().unwrap();
    let games = root().join("examples/games").display().to_string();
    let configuration = format!("formats: [{games:?}]\n");
    std::fs::write(folder.path().join("decklaw.yaml"), configuration).unwrap();
    for (game, kind) in [
        ("starwars", "json"),
        ("commander", "json"),
        ("constructed", "xml"),
    ] {
        let file = format!("db.{kind}");
        std::fs::write(folder.path().join(&file), excerpt(game, kind)).unwrap();
        let format = Game::read("game.yaml", &game_text(game)).unwrap();
        let formats: Vec<String> = Arc::new(format)
            .formats()
            .iter()
            .map(|one| one.id().to_owned())
            .collect();
        for format in formats {
            let output = run(
                folder.path(),
                &["cards", "check", "--format", &format, &file],
            );
            let said = String::from_utf8_lossy(&output.stdout).into_owned();
            assert_eq!(output.status.code(), Some(0), "{format}: {output:?}");
            assert!(said.contains("in order, "), "{format}: {said}");
        }
    }
    // What is wrong with the file is said, and no deck is judged without cards.
    std::fs::write(
        folder.path().join("db.json"),
        "{\"data\": [{\"Name\": \"Yoda\", \"Cost\": \"much\"}]}",
    )
    .unwrap();
    let output = run(
        folder.path(),
        &["cards", "check", "--format", "starwars", "db.json"],
    );
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(
        output.status.code() == Some(1) && said.contains("much"),
        "{output:?}"
    );
    std::fs::write(
        folder.path().join("deck.txt"),
        "Format: starwars\nMain\n1 Yoda\n",
    )
    .unwrap();
    let output = run(folder.path(), &["check", "deck.txt"]);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    let output = run(
        folder.path(),
        &["cards", "check", "--format", "starwras", "db.json"],
    );
    assert_eq!(output.status.code(), Some(2), "{output:?}");
}
