//! The library against the program: where a call says nothing more, both answer the same.

use decklaw::{
    Build, Fix, Game, JudgeOptions, LegalDeck, Library, Odds, ProblemKind, Room, Seed, Stats, Swap,
    Table, Tune, Verdict,
};
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

/// An answer of the library is the one of the program, but for what the deck is called.
#[track_caller]
fn same(own: &impl serde::Serialize, told: &Value, what: &str) {
    let mut own = serde_json::to_value(own).unwrap();
    let mut told = told.clone();
    own["deck"] = Value::Null;
    told["deck"] = Value::Null;
    assert_eq!(own, told, "{what}");
}

/// Every sample deck that can be read: its path, its game, and the deck.
fn read() -> Vec<(String, Game, decklaw::Deck)> {
    let whole = program(&["check", "decks"]).unwrap();
    let entries = whole["decks"].as_array().unwrap();
    let mut found = Vec::new();
    for (path, bytes) in decks() {
        let entry = entries.iter().find(|entry| entry["deck"] == *path);
        let Some(game) = entry.and_then(game_of) else {
            continue;
        };
        if let Ok(deck) = game.read(&bytes) {
            found.push((path, game, deck));
        }
    }
    assert!(found.len() > 20);
    found
}

#[test]
fn a_deck_is_checked_as_check_does() {
    let whole = program(&["check", "decks"]).unwrap();
    let entries = whole["decks"].as_array().unwrap();
    let mut checked = 0;
    for (path, bytes) in decks() {
        let entry = entries.iter().find(|entry| entry["deck"] == *path);
        let Some((entry, game)) = entry.and_then(|entry| Some((entry, game_of(entry)?))) else {
            continue;
        };
        let report = game.check(&bytes);
        same(&report, entry, &path);
        let many = game.check_many(&[&bytes, &bytes, &bytes]);
        assert!(many.len() == 3 && many.iter().all(|one| *one == report));
        // Only what is legal is a legal deck.
        let legal = game.read(&bytes).map(|deck| deck.legal().is_ok());
        assert_eq!(
            legal.unwrap_or(false),
            entry["verdict"] == "legal",
            "{path}"
        );
        checked += 1;
    }
    assert!(checked > 20, "{checked}");
}

#[test]
fn odds_and_statistics_are_those_of_odds_and_stats() {
    let mut asked = 0;
    for (path, _, deck) in read() {
        let told = program(&["stats", &path]).unwrap();
        let stats = serde_json::to_value(deck.ask(Stats::default()).unwrap()).unwrap();
        let (own, told) = (&stats["decks"][0], &told["decks"][0]);
        assert_eq!(own["metrics"], told["metrics"], "{path}");
        let name = deck
            .cards()
            .next()
            .map(|(_, name, _)| name.replace('"', ""));
        let query = format!("1+ \"{}\"", name.unwrap_or_default());
        let told = program(&["odds", &path, &query]);
        match (deck.ask(Odds::of(&query)), told) {
            (Ok(odds), Some(told)) => {
                same(&odds, &told, &path);
                asked += 1;
            }
            (Err(_), None) => {}
            (own, told) => panic!("{path}: {query}: {own:?} {told:?}"),
        }
    }
    assert!(asked > 15, "{asked}");
}

#[test]
fn a_fix_is_that_of_fix() {
    let mut found = 0;
    for (path, game, deck) in read() {
        let told = program(&["fix", &path]).unwrap();
        let fixed = deck.ask(Fix::default()).unwrap();
        same(&fixed, &told, &path);
        if let Some(text) = fixed.text() {
            let again = game.read(text).unwrap();
            assert_eq!(json!(again.hash()), told["after"]["hash"], "{path}");
            // What the player wrote besides stays.
            let comments = |text: &str| text.lines().filter(|line| line.starts_with('#')).count();
            assert_eq!(comments(text), comments(deck.text()), "{path}");
            found += 1;
        }
    }
    assert!(found > 20, "{found}");
}

#[test]
fn room_and_swaps_are_those_of_room_and_swap() {
    let (mut rooms, mut swaps) = (0, 0);
    for (path, _, deck) in read() {
        let room = deck.ask(Room::default()).unwrap();
        same(&room, &program(&["room", &path]).unwrap(), &path);
        rooms += 1;
        // The first card of each section, brought in and taken out.
        let mut seen = std::collections::BTreeSet::new();
        let firsts = deck
            .cards()
            .filter(|(section, ..)| seen.insert(section.to_string()));
        let wishes: Vec<String> = firsts
            .flat_map(|(_, name, _)| ["in", "out"].map(|way| format!("{way}: \"{name}\"")))
            .collect();
        for wish in wishes {
            let swap = Swap {
                wish: wish.clone(),
                ..Swap::default()
            };
            match (deck.ask(swap), program(&["swap", &path, &wish])) {
                (Ok(swapped), Some(told)) => {
                    same(&swapped, &told, &format!("{path}: {wish}"));
                    swaps += usize::from(swapped.is_found());
                }
                (Err(problem), None) => assert_eq!(problem.kind, ProblemKind::Query),
                (own, told) => panic!("{path}: {wish}: {own:?} {told:?}"),
            }
        }
    }
    assert!(rooms > 20 && swaps > 3, "{rooms} {swaps}");
}

#[test]
fn an_exchange_is_that_of_tune() {
    let ebb = "decks/shell/ebb.txt";
    let game = Game::built_in("shell").unwrap();
    let deck = game.read(std::fs::read(root().join(ebb)).unwrap()).unwrap();
    let tune = Tune {
        changes: Some(2),
        ..Tune::of("1+ [mana<=1]")
    };
    let tuned = deck.ask(tune).unwrap();
    let told = program(&["tune", ebb, "1+ [mana<=1]", "--changes", "2"]).unwrap();
    same(&tuned, &told, ebb);
    for step in &tuned.steps {
        let deck = game.read(step.text.as_deref().unwrap()).unwrap();
        assert_eq!(deck.hash(), step.after.as_ref().unwrap().hash);
    }
}

#[test]
fn a_deck_that_is_built_is_that_of_build() {
    let mut built = 0;
    for format in Game::all_built_in() {
        let game = Game::built_in(&format).unwrap();
        match (game.ask(Build::default()), program(&["build", &format])) {
            (Ok(answer), Some(told)) => {
                assert_eq!(serde_json::to_value(&answer).unwrap(), told, "{format}");
                built += usize::from(answer.deck.is_some());
            }
            (Err(_), None) => {}
            (own, told) => panic!("{format}: {own:?} {told:?}"),
        }
    }
    assert!(built > 8, "{built}");
}

#[test]
fn a_deck_that_is_finished_is_that_of_build_from() {
    let folder = tempfile::tempdir().unwrap();
    let mut finished = 0;
    for (path, game, deck) in read() {
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
        match (deck.ask(Build::default()), told) {
            (Ok(built), Some(told)) => {
                let own = serde_json::to_value(&built).unwrap();
                for key in ["deck", "distance", "optimal", "after", "odds"] {
                    assert_eq!(own[key], told[key], "{path}: {key}");
                }
                finished += usize::from(built.deck.is_some());
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
    let wrong = deck.ask(Odds::of("1+ [manna<=2]")).unwrap_err();
    assert_eq!(wrong.kind, ProblemKind::Query);
    let place = wrong.place.unwrap();
    assert_eq!(&place.source[place.from..place.to], "manna");
    let unknown = Game::built_in("no-such-game").unwrap_err();
    assert_eq!(unknown.kind, ProblemKind::NotFound);
    let options = JudgeOptions {
        settings: [("nothing".to_owned(), "1".to_owned())].into(),
        ..JudgeOptions::default()
    };
    let unused = Game::of(Library::built_in().with_options(options), "shell");
    assert_eq!(unused.unwrap_err().kind, ProblemKind::Game);
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
    assert_eq!(nothing.verdict, Verdict::Unreadable);
    let nobody = Table::deal(&[], Seed::text("a")).unwrap_err();
    assert_eq!(nobody.kind, ProblemKind::Match);
}
