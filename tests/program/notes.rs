//! What a reader left out, moved, split, decoded, read loosely and did not know is in every answer
//! about the deck: of every question and every command, in words and in JSON.

use crate::common::{json, run, said, table, text};
use decklaw::{Library, Question};
use serde_json::{Value, json as object};
use std::collections::BTreeSet;

/// A deck with each kind of note; its file is UTF-16.
const NOTED: &str = "Format: shell\n\n# 2 Pip\n6 Moss Sprite\n2 Rain Caller, 2 Dew Ledger\n\
    1 Kohlers Patience\n1 Nobodys Own Card\n\n2 Drizzle\n";

/// The same with headings and a side deck, so that no blank line is doubtful.
const HEADED: &str = "Format: shell\n\nMain\n6 Moss Sprite\n2 Rain Caller, 2 Dew Ledger\n\
    1 Kohlers Patience\n1 Nobodys Own Card\nSide\n2 Drizzle\nMaybeboard\n2 Pip\n";

/// A code, a line and cards.
type Kind = (&'static str, Option<u64>, &'static [&'static str]);

/// Each kind of note, with its line in that deck and its cards.
const KINDS: [Kind; 6] = [
    ("deck.recoded", None, &[]),
    ("deck.left-out", Some(3), &[]),
    ("deck.split", Some(5), &[]),
    ("unknown-card.lookalike", Some(6), &["Köhler's Patience"]),
    ("unknown-card.not-in-pool", Some(7), &["Nobodys Own Card"]),
    ("deck.blank-line", Some(9), &[]),
];

/// The same of the deck with headings.
const KINDS_HEADED: [Kind; 5] = [
    ("deck.recoded", None, &[]),
    ("deck.split", Some(5), &[]),
    ("unknown-card.lookalike", Some(6), &["Köhler's Patience"]),
    ("unknown-card.not-in-pool", Some(7), &["Nobodys Own Card"]),
    ("deck.left-out", Some(10), &["Pip"]),
];

/// What a program or a person is shown of each kind.
const WORDS: [&str; 5] = [
    "read as UTF-16",
    "is read as 2 cards",
    "`Kohlers Patience` is read as `Köhler's Patience`",
    "no card is called `Nobodys Own Card`",
    "2 Pip",
];

/// What is shown of a blank line.
const BLANK: &str = "the blank line above this card may begin another section";

fn utf16(text: &str) -> Vec<u8> {
    let units = std::iter::once(0xFEFF).chain(text.encode_utf16());
    units.flat_map(u16::to_le_bytes).collect()
}

/// The code, line and cards of each note or finding of a list.
fn kinds(notes: &Value) -> BTreeSet<(String, Option<u64>, Vec<String>)> {
    let of = |note: &Value| {
        let cards = note["cards"].as_array().unwrap().iter();
        let cards = cards.map(|card| card.as_str().unwrap().to_owned());
        (note["code"].as_str().unwrap().to_owned(), note["line"].as_u64(), cards.collect())
    };
    notes.as_array().unwrap_or_else(|| panic!("no notes: {notes}")).iter().map(of).collect()
}

#[track_caller]
fn has_every_kind(expected: &[Kind], notes: &Value, of: &str) {
    let found = kinds(notes);
    for (code, line, cards) in expected {
        let cards = cards.iter().map(|card| (*card).to_owned()).collect();
        let kind = ((*code).to_owned(), *line, cards);
        assert!(found.contains(&kind), "{of}: no {code} in {notes:#}");
    }
}

/// Commands about a deck, each a call in which `{}` is the deck. Their JSON has the notes at a place;
/// without one they have no JSON.
fn commands() -> impl Iterator<Item = (&'static str, &'static str, Option<&'static str>)> {
    table("commands about a deck").map(|row| {
        let mut parts = row.split(" | ");
        (parts.next().unwrap(), parts.next().unwrap(), parts.next())
    })
}

/// Commands whose verdicts have the notes as findings, those that open a page, and those whose
/// decks are read elsewhere.
const OTHERS: [&str; 4] = ["check", "edit", "match play", "stream"];

/// A folder with that deck, and an event in which a deck of Bob's counts.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    std::fs::create_dir(path.join("folder")).unwrap();
    for name in ["noted.txt", "folder/noted.txt"] {
        std::fs::write(path.join(name), utf16(NOTED)).unwrap();
    }
    std::fs::write(path.join("headed.txt"), utf16(HEADED)).unwrap();
    std::fs::write(path.join("form.csv"), "Name,Deck\nBob,\"Main\n3 Moss Sprite\"\n").unwrap();
    let new = "event new event --format shell --as-of 2026-05-01 --name C";
    for call in [new, "event import event form.csv --yes"] {
        let done = run(path, call);
        assert!(done.status.success(), "{call}: {}", said(&done));
    }
    folder
}

#[test]
fn every_command_about_a_deck_prints_every_note_of_it() {
    let folder = folder();
    for (_, call, place) in commands() {
        let call = call.replace("{}", "noted.txt");
        let is_headed = call.contains("headed.txt");
        let expected = if is_headed { &KINDS_HEADED[..] } else { &KINDS };
        let done = run(folder.path(), &call);
        let errors = text(&done.stderr);
        for words in WORDS.into_iter().chain((!is_headed).then_some(BLANK)) {
            let words = if is_headed && words == "2 Pip" { "2 cards left out" } else { words };
            let times = errors.matches(words).count();
            let decks = call.matches("noted.txt").count().max(1);
            assert!(
                (1..=decks).contains(&times),
                "{call}: `{words}` {times} times in\n{}",
                said(&done)
            );
        }
        let Some(place) = place else { continue };
        let call = format!("{call} -o json");
        let done = run(folder.path(), &call);
        let answer = json(&done);
        has_every_kind(expected, answer.pointer(place).unwrap_or(&Value::Null), &call);
        let errors = text(&done.stderr);
        assert!(WORDS[..4].iter().all(|words| errors.contains(words)), "{call}: {errors}");
    }
}

/// Where there is no answer, the problem comes with the notes: the cards that a question misses may
/// be those that were left out.
#[test]
fn a_command_that_ends_in_a_problem_prints_every_note() {
    let folder = folder();
    for (call, status) in [
        ("odds noted.txt '1+ \"Moss Sprite\"' --hand 900", 2),
        ("odds folder '1+ \"Moss Sprite\"' --hand 900", 2),
        ("odds noted.txt '1+ [no-such-field:1]'", 2),
        ("tune noted.txt '1+ [no-such-field:1]'", 2),
        ("fix noted.txt --only '[no-such-field:1]'", 2),
        ("swap headed.txt 'in: \"Nobodys Other Card\" 1'", 2),
        ("build shell --from noted.txt --wish '1+ [no-such-field:1]'", 2),
    ] {
        let done = run(folder.path(), call);
        let errors = text(&done.stderr);
        assert_eq!(done.status.code(), Some(status), "{call}: {errors}");
        assert!(errors.contains("error: ") && done.stdout.is_empty(), "{call}: {errors}");
        assert!(WORDS[..4].iter().all(|words| errors.contains(words)), "{call}: {errors}");
    }
}

#[test]
fn no_command_that_takes_a_deck_is_missing_here() {
    let takes_deck = |argument: &clap::Arg| {
        let names = argument.get_value_names().unwrap_or_default().iter();
        let words: BTreeSet<&str> = names.map(clap::builder::Str::as_str).collect();
        let is_named = words.iter().any(|word| word.split('|').any(|word| word == "DECK"));
        let is_first =
            words.contains("PATH") || ["deck", "decks"].contains(&argument.get_id().as_str());
        is_named || is_first && argument.get_long().is_none()
    };
    let leaves = crate::common::leaves().into_iter();
    let about = leaves.filter(|(_, command)| command.get_arguments().any(takes_deck));
    let about_decks: BTreeSet<String> = about.map(|(words, _)| words).collect();
    let known = commands().map(|(command, ..)| command).chain(OTHERS);
    let known: BTreeSet<String> = known.map(str::to_owned).collect();
    let missing: Vec<&String> = about_decks.difference(&known).collect();
    assert!(missing.is_empty(), "{missing:?}");
    assert!(about_decks.len() > 10, "{about_decks:?}");
}

#[test]
fn verdicts_have_every_note_as_a_finding_and_no_notes_besides() {
    let folder = folder();
    let done = run(folder.path(), "check noted.txt -o json");
    let answer = json(&done);
    has_every_kind(&KINDS, &answer["decks"][0]["findings"], "check");
    let headed = json(&run(folder.path(), "check headed.txt -o json"));
    has_every_kind(&KINDS_HEADED, &headed["decks"][0]["findings"], "check");
    assert_eq!((answer.get("notes"), answer["decks"][0].get("notes")), (None, None));
    let shown = text(&run(folder.path(), "check noted.txt").stdout);
    assert!(WORDS.iter().chain([&BLANK]).all(|words| shown.contains(words)), "{shown}");
    // What is quoted is the text that the bytes of the file were decoded to.
    assert!(shown.contains("7 │ 1 Nobodys Own Card"), "{shown}");
}

#[test]
fn workbooks_have_a_sheet_of_notes() {
    let folder = folder();
    let calls = [
        "room noted.txt",
        "odds noted.txt '1+ \"Moss Sprite\"'",
        "stats noted.txt",
        "tune noted.txt '1+ \"Moss Sprite\"' --changes 1 --effort 1",
        "event check event Bob noted.txt --dry",
    ];
    for call in calls {
        let done = run(folder.path(), &format!("{call} -o xlsx=book.xlsx --replace"));
        let book = std::fs::read(folder.path().join("book.xlsx"))
            .unwrap_or_else(|_| panic!("{call}: {}", said(&done)));
        let (sheet, _) = decklaw::table::as_text(&book, Some("notes"), true).unwrap();
        let mut rows = csv::ReaderBuilder::new().has_headers(false).from_reader(sheet.as_bytes());
        let rows = rows.records().map(Result::unwrap);
        let rows: Vec<Vec<String>> =
            rows.map(|row| row.iter().map(str::to_owned).collect()).collect();
        assert_eq!(rows[0], ["deck", "code", "message", "line", "cards"], "{call}");
        for (code, line, cards) in KINDS {
            let line = line.map_or(String::new(), |line| line.to_string());
            let is_it = |row: &&Vec<String>| {
                row[0] == "noted.txt"
                    && row[1] == code
                    && row[3] == line
                    && row[4] == cards.join("; ")
            };
            assert!(rows.iter().any(|row| is_it(&row)), "{call}: {code} in {rows:?}");
        }
    }
}

/// The words of a question about a deck with its further options; `None`: it is about no deck.
fn asked(question: &Question) -> Option<&'static str> {
    match question {
        Question::Check(_) => Some("check"),
        Question::Odds(_) => Some("odds"),
        Question::Fix(_) => Some("fix"),
        Question::Build(_) => Some("build"),
        Question::Tune(_) => Some("tune"),
        Question::Room(_) => Some("room"),
        Question::Swap(_) => Some("swap"),
        Question::Stats(_) => Some("stats"),
        Question::Read(_) => Some("read"),
        Question::Write(_) => Some("write"),
        Question::View(_) => Some("view"),
        Question::Compare(_) => Some("compare"),
        Question::Cards(_) | Question::Format(_) | Question::Faces(_) | Question::Replay(_) => None,
    }
}

#[test]
fn every_question_about_a_deck_answers_with_every_note_of_it() {
    // A question has text, so nothing of it is decoded.
    let each = [
        (object!({"ask": "check"}), "/findings"),
        (object!({"ask": "odds", "queries": ["1+ \"Moss Sprite\""]}), "/notes"),
        (object!({"ask": "fix", "effort": 1.0}), "/notes"),
        (object!({"ask": "build", "effort": 1.0}), "/notes"),
        (
            object!({"ask": "tune", "queries": ["1+ \"Pip\""], "changes": 1, "effort": 1.0}),
            "/notes",
        ),
        (object!({"ask": "room"}), "/notes"),
        (object!({"ask": "swap", "wish": "in: \"Drizzle\" 1"}), "/notes"),
        (object!({"ask": "stats"}), "/decks/0/notes"),
        (object!({"ask": "read"}), "/notes"),
        (object!({"ask": "read"}), "/check/findings"),
        (object!({"ask": "write", "to_format": "text"}), "/notes"),
        (object!({"ask": "write", "to_format": "sheet"}), "/notes"),
        (object!({"ask": "view"}), "/check/findings"),
        (object!({"ask": "compare", "with": "Format: shell\n\nMain\n3 Moss Sprite"}), "/notes"),
    ];
    let library = Library::built_in();
    let mut seen = BTreeSet::new();
    for (mut question, place) in each {
        let is_swap = question["ask"] == "swap";
        question["deck"] = if is_swap { HEADED } else { NOTED }.into();
        let question: Question = serde_json::from_value(question).unwrap();
        let word = asked(&question).unwrap();
        let answer = serde_json::to_value(decklaw::ask(&library, question).unwrap()).unwrap();
        let notes = answer.pointer(place).unwrap_or(&Value::Null);
        let expected = if is_swap { &KINDS_HEADED[1..] } else { &KINDS[1..] };
        has_every_kind(expected, notes, word);
        seen.insert(word);
    }
    let all = ["build", "check", "compare", "fix", "odds", "read", "room", "stats", "swap"];
    assert_eq!(seen, all.into_iter().chain(["tune", "view", "write"]).collect());
}

#[test]
fn a_file_in_another_encoding_says_so_to_every_question_of_the_library() {
    let deck = decklaw::Game::built_in("shell").unwrap().read(utf16(NOTED)).unwrap();
    let notes = deck.ask(decklaw::Room::default()).unwrap().notes;
    has_every_kind(&KINDS, &serde_json::to_value(notes).unwrap(), "room");
}

#[test]
fn a_deck_that_is_converted_keeps_what_is_no_part_of_it_as_a_comment() {
    let folder = folder();
    let convert = |kind: &str| {
        let done = run(folder.path(), &format!("convert headed.txt --to-format {kind}"));
        assert!(done.status.success(), "{}", said(&done));
        let note = "line 10: `maybeboard` is not part of the deck: 2 cards left out";
        assert!(text(&done.stderr).to_lowercase().contains(note), "{kind}: {}", said(&done));
        text(&done.stdout)
    };
    for (kind, file) in [("text", "again.txt"), ("yaml", "again.yaml")] {
        let written = convert(kind);
        assert!(written.ends_with("# Left out, Maybeboard: 2 Pip\n"), "{written}");
        // It is a comment for good: the file has the cards of the deck and no note of it.
        std::fs::write(folder.path().join(file), written).unwrap();
        let check = |file: &str| json(&run(folder.path(), &format!("check {file} -o json")));
        let (again, whole) = (check(file), check("headed.txt"));
        assert_eq!(again["decks"][0]["cards"], whole["decks"][0]["cards"]);
        assert!(!again.to_string().contains("deck.left-out"), "{again}");
    }
    for kind in ["json", "csv", "list --section main", "cod", "link"] {
        assert!(!convert(kind).contains("Pip"), "{kind}");
    }
}
