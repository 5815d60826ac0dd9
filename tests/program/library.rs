//! The library against the program: where a call says nothing more, both answer the same.

use crate::common::{root, samples};
use decklaw::{
    Build, Fix, Game, JudgeOptions, LegalDeck, Library, Odds, Problem, ProblemKind, Room, Seed,
    Stats, Swap, Table, Tune, Verdict,
};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// The program's answer in JSON; none where it refuses.
fn program(arguments: &[&str]) -> Option<Value> {
    let ran = crate::common::decklaw(root(), &[arguments, &["-o", "json"]].concat());
    serde_json::from_slice(&ran.stdout).ok()
}

/// The game of a deck as the program found it out.
fn game_of(entry: &Value) -> Option<Game> {
    Game::built_in(entry["format"].as_str()?).ok()
}

/// An answer as JSON, without what the deck is called; nothing where it is refused.
fn answer(given: Result<impl serde::Serialize, Problem>) -> Option<Value> {
    given.ok().map(|answer| unnamed(serde_json::to_value(answer).unwrap()))
}

fn unnamed(mut answer: Value) -> Value {
    answer["deck"] = Value::Null;
    if let Some(deck) = answer.pointer_mut("/decks/0/deck") {
        *deck = Value::Null;
    }
    answer
}

/// Every sample deck that can be read: its path, its game, and the deck.
fn read() -> Vec<(String, Game, decklaw::Deck)> {
    let whole = program(&["check", "decks"]).unwrap();
    let entries = whole["decks"].as_array().unwrap();
    let mut found = Vec::new();
    for (path, bytes) in samples() {
        let entry = entries.iter().find(|entry| entry["deck"] == *path);
        let Some((entry, game)) = entry.and_then(|entry| Some((entry, game_of(entry)?))) else {
            continue;
        };
        let report = game.check(&bytes);
        assert_eq!(answer(Ok(&report)), Some(unnamed(entry.clone())), "{path}");
        let many = game.check_many(&[&bytes, &bytes, &bytes]);
        assert!(many.len() == 3 && many.iter().all(|one| *one == report));
        // Only what is legal is a legal deck.
        let is_legal = game.read(&bytes).is_ok_and(|deck| deck.legal().is_ok());
        assert_eq!(is_legal, entry["verdict"] == "legal", "{path}");
        if let Ok(deck) = game.read(&bytes) {
            found.push((path, game, deck));
        }
    }
    found
}

#[test]
fn an_answer_about_a_deck_is_that_of_the_command() {
    let mut answered: BTreeMap<&str, usize> = BTreeMap::new();
    let mut same = |command: &'static str, own: Option<Value>, path: &str, more: &[&str]| {
        let printed = program(&[&[command, path], more].concat()).map(unnamed);
        assert_eq!(own, printed, "{command} {path} {more:?}");
        *answered.entry(command).or_default() += usize::from(own.is_some());
    };
    for (path, game, deck) in read() {
        let fixed = deck.ask(Fix::default());
        if let Some(text) = fixed.as_ref().ok().and_then(|fixed| fixed.text()) {
            let again = serde_json::to_value(fixed.as_ref().unwrap()).unwrap();
            assert_eq!(again["after"]["hash"], json!(game.read(text).unwrap().hash()));
            // What else the player wrote stays.
            let comments = |text: &str| text.lines().filter(|line| line.starts_with('#')).count();
            assert_eq!(comments(text), comments(deck.text()), "{path}");
        }
        same("fix", answer(fixed), &path, &[]);
        same("stats", answer(deck.ask(Stats::default())), &path, &[]);
        same("room", answer(deck.ask(Room::default())), &path, &[]);
        // The first card is asked for, put in and taken out.
        let (_, name, _) = deck.cards().next().unwrap();
        let name = name.replace('"', "");
        let query = format!("1+ \"{name}\"");
        same("odds", answer(deck.ask(Odds::of(&query))), &path, &[&query]);
        for wish in ["in", "out"].map(|way| format!("{way}: \"{name}\"")) {
            let swap = Swap { wish: wish.clone(), ..Swap::default() };
            same("swap", answer(deck.ask(swap)), &path, &[&wish]);
        }
    }
    let ebb = "decks/shell/ebb.txt";
    let game = Game::built_in("shell").unwrap();
    let deck = game.read(std::fs::read(root().join(ebb)).unwrap()).unwrap();
    let tune = Tune { changes: Some(2), ..Tune::of("1+ [mana<=1]") };
    let tuned = deck.ask(tune).unwrap();
    for step in &tuned.steps {
        let deck = game.read(step.text().unwrap()).unwrap();
        assert_eq!(deck.hash(), step.deck.as_ref().unwrap().hash());
    }
    same("tune", answer(Ok(tuned)), ebb, &["1+ [mana<=1]", "--changes", "2"]);
    for (command, least) in [("fix", 20), ("room", 20), ("stats", 20), ("odds", 15), ("swap", 3)] {
        assert!(answered[command] > least, "{answered:?}");
    }
}

#[test]
fn a_deck_that_is_built_is_that_of_build() {
    let mut built = 0;
    for format in Game::all_built_in() {
        let own = Game::built_in(&format).unwrap().ask(Build::default()).ok();
        built += usize::from(own.as_ref().is_some_and(|own| own.outcome.found().is_ok()));
        let own = own.map(|own| serde_json::to_value(own).unwrap());
        assert_eq!(own, program(&["build", &format]), "{format}");
    }
    assert!(built > 8, "{built}");
}

#[test]
fn a_deck_that_is_finished_is_that_of_build_from() {
    let folder = tempfile::tempdir().unwrap();
    let (mut finished, mut whole) = (0, BTreeSet::new());
    for (path, game, deck) in read() {
        // Each second of its lines, as a file and as a text.
        let mut half = format!("Format: {}\n", game.format());
        for (section, name, copies) in deck.cards().step_by(2) {
            half += &format!("\n{section}\n{copies} {name}\n");
        }
        let file = folder.path().join("half.txt");
        std::fs::write(&file, &half).unwrap();
        let is_legal = deck.legal().is_ok();
        let Ok(deck) = game.read(&half) else {
            continue;
        };
        let half_file = file.to_str().unwrap();
        let shown = program(&["build", "--from", half_file]);
        match (deck.ask(Build::default()), shown) {
            (Ok(built), Some(shown)) => {
                let own = serde_json::to_value(&built).unwrap();
                for key in ["deck", "distance", "optimal", "after", "odds"] {
                    assert_eq!(own[key], shown[key], "{path}: {key}");
                }
                finished += usize::from(built.outcome.found().is_ok());
                // Since the whole one is legal, all that is left can stay, and does.
                if is_legal {
                    assert_eq!(shown["after"]["verdict"], "legal", "{path}");
                    assert_eq!(shown["preferred"][0]["missed"], 0, "{path}");
                    let printed = crate::common::decklaw(root(), &["build", "--from", half_file]);
                    let printed = game.read(&printed.stdout).unwrap();
                    assert_eq!(shown["after"]["hash"], json!(printed.hash()), "{path}");
                    let copies = |deck: &decklaw::Deck, one: (&str, &str)| -> u64 {
                        let own = deck.cards().filter(|card| (card.0, card.1) == one);
                        own.map(|(_, _, copies)| u64::from(copies)).sum()
                    };
                    for (section, name, _) in deck.cards() {
                        let one = (section, name);
                        assert!(copies(&printed, one) >= copies(&deck, one), "{path}: {name}");
                    }
                    whole.insert(game.format().to_owned());
                }
            }
            (Err(_), None) => {}
            (own, shown) => panic!("{path}: {own:?} {shown:?}"),
        }
    }
    assert!(finished > 15 && whole.len() >= 10, "{finished} {whole:?}");
}

#[test]
fn a_match_is_that_of_match_new_and_of_legal_decks_alone() {
    let game = Game::built_in("shell").unwrap();
    let path = root().join("decks/shell/ebb.txt");
    let legal: LegalDeck = game.read(std::fs::read(&path).unwrap()).unwrap().legal().unwrap();
    let table = Table::deal(&[legal.clone(), legal], Seed::text("spring")).unwrap();
    let path = path.display().to_string();
    let new = ["match", "new", "shell", "--deck", &path, "--deck", &path];
    let ran = crate::common::decklaw(root(), &[&new[..], &["--seed", "spring"]].concat());
    let own: Value = serde_json::from_str(&table.to_json()).unwrap();
    let shown = crate::common::json(&ran);
    assert_eq!(own, shown);
    // A file that was changed is not what it says.
    let changed = table.to_json().replacen("\"count\": 3", "\"count\": 2", 1);
    assert!(Table::verify(&game, changed.as_bytes()).is_err());
    assert!(Table::verify(&game, table.to_json().as_bytes()).is_ok());
}

#[test]
fn what_is_wrong_is_said_with_its_place() {
    let game = Game::built_in("shell").unwrap();
    let deck = game.read(std::fs::read(root().join("decks/shell/ebb.txt")).unwrap()).unwrap();
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
    // The library reports the encoding of a text as the program does.
    let utf_16 = |text: &str| -> Vec<u8> {
        let units = text.encode_utf16().flat_map(u16::to_le_bytes);
        [0xff, 0xfe].into_iter().chain(units).collect()
    };
    let text = "Main\n2 Café Rain\n";
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("utf-16.txt");
    std::fs::write(&file, utf_16(&format!("Format: shell\n{text}"))).unwrap();
    let shown = program(&["check", file.to_str().unwrap()]).unwrap();
    let rules = |findings: &Value| -> Vec<String> {
        let all = findings.as_array().unwrap().iter();
        all.map(|one| one["code"].as_str().unwrap().to_owned()).collect()
    };
    let report = serde_json::to_value(game.check(utf_16(text))).unwrap();
    assert_eq!(rules(&report["findings"]), rules(&shown["decks"][0]["findings"]));
    assert!(rules(&report["findings"]).len() > 2, "{report}");
    let nothing = game.check([0xff, 0xfe, 0x00]);
    assert_eq!(nothing.verdict, Verdict::Unreadable);
    let nobody = Table::deal(&[], Seed::text("a")).unwrap_err();
    assert_eq!(nobody.kind, ProblemKind::Match);
}

/// A report is shown as its verdict and a line for each finding, and is the same as another that is
/// written alike.
#[test]
fn a_report_is_shown_as_lines_and_compared_as_written() {
    let game = Game::built_in("shell").unwrap();
    let decks = ["Main\n4 Pip\n", "Main\n5 Pip\n", "Name: X\nMain\n4 Pip\n", "Main\n4 Pip\n4\n"];
    let reports = game.check_many(&decks);
    for (at, one) in reports.iter().enumerate() {
        for (other_at, other) in reports.iter().enumerate() {
            assert_eq!(one == other, at == other_at, "{one}\n{other}");
        }
        assert_eq!(*one, game.check(decks[at]));
        let shown = one.to_string();
        let mut lines = shown.lines();
        assert_eq!(lines.next(), Some(&*format!("{}: {}", one.deck, one.verdict)));
        for finding in &one.findings {
            let line = lines.next().unwrap();
            let place = finding.line.map_or(String::new(), |line| format!("line {line}: "));
            let (severity, code) = (finding.severity, &finding.code);
            assert_eq!(line, format!("{place}{severity} {code}: {}", finding.message));
        }
        assert_eq!(lines.next(), None);
    }
}
