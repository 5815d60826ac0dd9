//! The front of the library against the program: where a call says nothing more, both answer the
//! same.

use decklaw::{Error, Fixed, Game, LegalDeck, Seed, Table};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::Command;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// What the program says as JSON; nothing, where it refuses.
fn program(arguments: &[&str]) -> Option<Value> {
    let ran = Command::new(env!("CARGO_BIN_EXE_decklaw"))
        .args(arguments)
        .args(["-o", "json"])
        .env("DECKLAW_CONFIG", "no-configuration")
        .current_dir(root())
        .output()
        .unwrap();
    serde_json::from_slice(&ran.stdout).ok()
}

/// Every deck of `decks/` with its path from the root, in text.
fn decks() -> Vec<(String, Vec<u8>)> {
    let mut found = Vec::new();
    let mut folders = vec![root().join("decks")];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path: PathBuf = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|ending| ending == "txt") {
                let name = path.strip_prefix(root()).unwrap().display().to_string();
                found.push((name, std::fs::read(path).unwrap()));
            }
        }
    }
    found.sort();
    assert!(found.len() > 20);
    found
}

/// The game of a deck as the program found it out.
fn game_of(entry: &Value) -> Option<Game> {
    Game::built_in(entry["format"].as_str()?).ok()
}

/// A deck in JSON, read by the format of another.
fn deck_of(like: &decklaw::Deck, json: &str) -> decklaw::Deck {
    let format = like.check().format.unwrap();
    let game = Game::built_in(&format).unwrap();
    game.read_as(json, decklaw::Input::Json).unwrap()
}

/// Everything that the front tells stands in what the program tells, with the same value.
#[track_caller]
fn stands_in(told: &Value, whole: &Value, what: &str) {
    match (told, whole) {
        (Value::Object(told), Value::Object(whole)) => {
            for (key, value) in told {
                stands_in(
                    value,
                    whole.get(key).unwrap_or(&Value::Null),
                    &format!("{what}.{key}"),
                );
            }
        }
        (Value::Array(told), Value::Array(whole)) => {
            assert_eq!(told.len(), whole.len(), "{what}");
            for (told, whole) in told.iter().zip(whole) {
                stands_in(told, whole, what);
            }
        }
        _ => assert_eq!(told, whole, "{what}"),
    }
}

#[test]
fn a_deck_is_checked_as_check_does() {
    let whole = program(&["check", "decks"]).unwrap();
    let entries = whole["decks"].as_array().unwrap();
    let mut same = 0;
    for (path, bytes) in decks() {
        let entry = entries.iter().find(|entry| entry["deck"] == *path);
        let Some((entry, game)) = entry.and_then(|entry| Some((entry, game_of(entry)?))) else {
            continue;
        };
        let report = game.check(&bytes);
        let mut told = serde_json::to_value(&report).unwrap();
        // The program names its own options as what to do about it, the library the settings.
        for finding in told["findings"].as_array_mut().unwrap() {
            finding.as_object_mut().unwrap().remove("help");
        }
        stands_in(&told, entry, &path);
        let many = game.check_many(&[&bytes, &bytes, &bytes]);
        assert!(many.len() == 3 && many.iter().all(|one| *one == report));
        // Only what is legal is a legal deck.
        let legal = game.read(&bytes).map(|deck| deck.legal().is_ok());
        assert_eq!(
            legal.unwrap_or(false),
            entry["verdict"] == "legal",
            "{path}"
        );
        same += 1;
    }
    assert!(same > 20, "{same}");
}

#[test]
fn odds_and_statistics_are_those_of_odds_and_stats() {
    let mut same = 0;
    for (path, bytes) in decks() {
        let Some(told) = program(&["stats", &path]) else {
            continue;
        };
        let entry = &told["decks"][0];
        let Some(game) = game_of(entry) else { continue };
        let Ok(deck) = game.read(&bytes) else {
            continue;
        };
        let stats = serde_json::to_value(deck.stats().unwrap()).unwrap();
        stands_in(&stats, entry, &path);
        let name = deck
            .cards()
            .next()
            .map(|(_, name, _)| name.replace('"', ""))
            .unwrap_or_default();
        let query = format!("1+ \"{name}\"");
        match (deck.odds(&query).ask(), program(&["odds", &path, &query])) {
            (Ok(odds), Some(told)) => {
                stands_in(
                    &serde_json::to_value(&odds).unwrap(),
                    &told["answers"][0],
                    &path,
                );
                assert_eq!(json!(odds.hand), told["hand"], "{path}");
                same += 1;
            }
            (Err(_), None) => {}
            (own, told) => panic!("{path}: {query}: {own:?} {told:?}"),
        }
    }
    assert!(same > 15, "{same}");
}

#[test]
fn a_repair_is_that_of_fix() {
    let mut same = 0;
    for (path, bytes) in decks() {
        let Some(told) = program(&["fix", &path]) else {
            continue;
        };
        let Some(report) = program(&["check", &path]) else {
            continue;
        };
        let Some(deck) = game_of(&report["decks"][0]).and_then(|game| game.read(&bytes).ok())
        else {
            continue;
        };
        match deck.fix().find() {
            Ok(Fixed::Proven(mended)) => {
                assert_eq!(told["optimal"], true, "{path}");
                assert_eq!(json!(mended.distance), told["distance"], "{path}");
                // What is told as JSON can be read as a deck again.
                let json = serde_json::to_value(&mended).unwrap();
                let again = json["deck"].to_string();
                let again = deck_of(&mended.deck, &again);
                assert_eq!(again.hash(), mended.deck.hash(), "{path}");
                assert_eq!(json!(mended.changes), told["changes"], "{path}");
                assert_eq!(json!(mended.deck.hash()), told["after"]["hash"], "{path}");
                // What the player wrote besides stays.
                let comments =
                    |text: &str| text.lines().filter(|line| line.starts_with('#')).count();
                assert_eq!(
                    comments(mended.deck.text()),
                    comments(deck.text()),
                    "{path}"
                );
                same += 1;
            }
            Ok(Fixed::Impossible(why)) => assert_eq!(json!(why), told["reasons"], "{path}"),
            other => panic!("{path}: {other:?}"),
        }
    }
    assert!(same > 20, "{same}");
}

#[test]
fn room_and_swaps_are_those_of_room_and_swap() {
    let (mut rooms, mut swaps) = (0, 0);
    for (path, bytes) in decks() {
        let Some(report) = program(&["check", &path]) else {
            continue;
        };
        let Some(deck) = game_of(&report["decks"][0]).and_then(|game| game.read(&bytes).ok())
        else {
            continue;
        };
        let told = program(&["room", &path]).unwrap();
        assert_eq!(json!(deck.room()), told["room"], "{path}");
        rooms += 1;
        // The first card of each section but the first, brought in and taken out.
        let mut seen = std::collections::BTreeSet::new();
        let firsts = deck
            .cards()
            .filter(|(section, ..)| seen.insert(section.to_string()));
        let wishes: Vec<String> = firsts
            .flat_map(|(_, name, _)| ["in", "out"].map(|way| format!("{way}: \"{name}\"")))
            .collect();
        for wish in wishes {
            match (deck.swap(&wish), program(&["swap", &path, &wish])) {
                (Ok(Fixed::Proven(mended)), Some(told)) => {
                    assert_eq!(told["optimal"], true, "{path}: {wish}");
                    assert_eq!(json!(mended.distance), told["distance"], "{path}: {wish}");
                    assert_eq!(json!(mended.changes), told["changes"], "{path}: {wish}");
                    assert_eq!(json!(mended.deck.hash()), told["after"]["hash"], "{path}");
                    swaps += 1;
                }
                (Ok(Fixed::Impossible(_)), Some(told)) => {
                    assert_eq!(told["after"], Value::Null, "{path}: {wish}: {told}");
                }
                (Err(Error::Question { .. }), None) => {}
                (own, told) => panic!("{path}: {wish}: {own:?} {told:?}"),
            }
        }
    }
    assert!(rooms > 20 && swaps > 3, "{rooms} {swaps}");
}

#[test]
fn an_exchange_is_that_of_tune() {
    let ebb = "decks/shell/ebb.txt";
    let deck = Game::built_in("shell")
        .unwrap()
        .read(std::fs::read(root().join(ebb)).unwrap())
        .unwrap();
    let tuned = deck.tune("1+ [mana<=1]").changes(2).find().unwrap();
    let told = program(&["tune", ebb, "1+ [mana<=1]", "--changes", "2"]).unwrap();
    assert_eq!(json!(tuned.before_fraction), told["before"]["fraction"]);
    for (step, told) in tuned.steps.iter().zip(told["steps"].as_array().unwrap()) {
        assert_eq!(json!(step.fraction), told["fraction"]);
        assert_eq!(json!(step.proven), told["optimal"]);
        assert_eq!(json!(step.deck.hash()), told["after"]["hash"]);
        assert_eq!(
            step.changes.len(),
            told["changes"].as_array().unwrap().len()
        );
    }
    assert_eq!(tuned.steps.len(), told["steps"].as_array().unwrap().len());
}

#[test]
fn a_deck_that_is_made_is_that_of_build() {
    let mut same = 0;
    for format in Game::all_built_in() {
        let game = Game::built_in(&format).unwrap();
        match (game.build().find(), program(&["build", &format])) {
            (Ok(built), Some(told)) => {
                assert_eq!(json!(built.deck.hash()), told["after"]["hash"], "{format}");
                assert_eq!(json!(built.proven), told["optimal"], "{format}");
                same += 1;
            }
            (Err(Error::Impossible(why)), Some(told)) => assert_eq!(json!(why), told["reasons"]),
            (Err(_), None) => {}
            (own, told) => panic!("{format}: {own:?} {told:?}"),
        }
    }
    assert!(same > 8, "{same}");
}

#[test]
fn a_deck_that_is_finished_is_that_of_build_from() {
    let folder = tempfile::tempdir().unwrap();
    let mut finished = 0;
    for (path, bytes) in decks() {
        let Some(report) = program(&["check", &path]) else {
            continue;
        };
        let Some(game) = game_of(&report["decks"][0]) else {
            continue;
        };
        let Ok(deck) = game.read(&bytes) else {
            continue;
        };
        // Each second of its lines, as a file and as a text.
        let mut half = format!("Format: {}\n", game.format());
        for (section, name, copies) in deck.cards().step_by(2) {
            half += &format!("\n{section}\n{copies} {name}\n");
        }
        let file = folder.path().join("half.txt");
        std::fs::write(&file, &half).unwrap();
        let Ok(deck) = game.read(&half) else {
            continue;
        };
        let told = program(&["build", "--from", file.to_str().unwrap()]);
        match (deck.finish().find(), told) {
            (Ok(built), Some(told)) => {
                assert_eq!(json!(built.deck.hash()), told["after"]["hash"], "{path}");
                assert_eq!(json!(built.proven), told["optimal"], "{path}");
                let copies = |changes: &Value| -> Vec<[Value; 4]> {
                    let keys = ["section", "card", "from", "to"];
                    let each = changes.as_array().unwrap().iter();
                    each.map(|one| keys.map(|key| one[key].clone())).collect()
                };
                let (own, theirs) = (copies(&json!(built.changes)), copies(&told["changes"]));
                assert_eq!(own, theirs, "{path}");
                finished += 1;
            }
            (Err(Error::Impossible(_)), Some(told)) => {
                assert!(told["after"].is_null(), "{path}");
            }
            (Err(_), None) => {}
            (own, told) => panic!("{path}: {own:?} {told:?}"),
        }
    }
    assert!(finished > 15, "{finished}");
}

#[test]
fn a_match_is_that_of_match_new_and_of_legal_decks_alone() {
    let game = Game::built_in("shell").unwrap();
    let path = root().join("decks/shell/ebb.txt");
    let legal: LegalDeck = game
        .read(std::fs::read(&path).unwrap())
        .unwrap()
        .legal()
        .unwrap();
    let table = Table::deal(&[legal.clone(), legal], Seed::text("spring")).unwrap();
    let path = path.display().to_string();
    let ran = Command::new(env!("CARGO_BIN_EXE_decklaw"))
        .args([
            "match", "new", "shell", "--deck", &path, "--deck", &path, "--seed", "spring",
        ])
        .env("DECKLAW_CONFIG", "no-configuration")
        .output()
        .unwrap();
    let own: Value = serde_json::from_str(&table.to_json()).unwrap();
    let told: Value = serde_json::from_slice(&ran.stdout).unwrap();
    assert_eq!(own, told);
    // A file that was changed is not what it says.
    let changed = table.to_json().replacen("\"count\": 3", "\"count\": 2", 1);
    assert!(Table::verify(&game, changed.as_bytes()).is_err());
    assert!(Table::verify(&game, table.to_json().as_bytes()).is_ok());
}

#[test]
fn what_is_wrong_is_said_with_its_place() {
    let game = Game::built_in("shell").unwrap();
    let deck = game
        .read(std::fs::read(root().join("decks/shell/ebb.txt")).unwrap())
        .unwrap();
    match deck.odds("1+ [manna<=2]").ask() {
        Err(Error::Question {
            span: Some(span), ..
        }) => assert_eq!(&"1+ [manna<=2]"[span], "manna"),
        other => panic!("{other:?}"),
    }
    assert!(matches!(
        Game::built_in("no-such-game"),
        Err(Error::Game(_))
    ));
    assert!(matches!(
        Game::options().setting("nothing", "1").built_in("shell"),
        Err(Error::Game(_))
    ));
    assert!(matches!(
        Game::options().day("soon").built_in("shell"),
        Err(Error::Game(_))
    ));
    // What a text is besides a deck is said, as the program says it.
    let utf_16 = |text: &str| -> Vec<u8> {
        let units = text.encode_utf16().flat_map(u16::to_le_bytes);
        [0xff, 0xfe].into_iter().chain(units).collect()
    };
    let text = "Main\n2 Café Rain\n";
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("utf-16.txt");
    std::fs::write(&file, utf_16(&format!("Format: shell\n{text}"))).unwrap();
    let told = program(&["check", file.to_str().unwrap()]).unwrap();
    let rules = |findings: &Value| -> Vec<String> {
        let all = findings.as_array().unwrap().iter();
        all.map(|one| one["code"].as_str().unwrap().to_owned())
            .collect()
    };
    let report = serde_json::to_value(game.check(utf_16(text))).unwrap();
    assert_eq!(
        rules(&report["findings"]),
        rules(&told["decks"][0]["findings"])
    );
    assert!(rules(&report["findings"]).len() > 2, "{report}");
    let nothing = game.check([0xff, 0xfe, 0x00]);
    assert_eq!(nothing.verdict, "unreadable");
    assert!(matches!(
        Table::deal(&[], Seed::text("a")),
        Err(Error::Match(_))
    ));
}
