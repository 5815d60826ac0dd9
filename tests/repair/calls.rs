//! Calls of the program as rows of a YAML file: the files that they find, their exit status, and
//! what their answer has.

use super::worlds::{judge, read};
pub(crate) use crate::common::text;
use crate::common::{decklaw, words};
use decklaw::resolve::Decklist;
use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;
use std::process::Output;

/// One call, and those that follow it in the same folder.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    /// The text of `deck.txt`, a shipped deck or a case.
    deck: Option<String>,
    #[serde(default)]
    files: BTreeMap<String, String>,
    call: String,
    #[serde(default)]
    status: i32,
    /// JSON pointers and what is there; of `#/…` the length.
    #[serde(default)]
    is: BTreeMap<String, Value>,
    /// Names and numbers that the output has, or, after `!`, has not.
    #[serde(default)]
    has: Vec<String>,
    /// What `deck.txt` is after the call; as it was, unless a row says otherwise.
    becomes: Option<String>,
    #[serde(default)]
    then: Vec<Row>,
}

pub(crate) fn run(folder: &Path, arguments: &[&str]) -> Output {
    // Cards are the same on every day.
    let day: &[&str] =
        if arguments.first() == Some(&"cards") { &[] } else { &["--as-of", "2026-03-01"] };
    decklaw(folder, &[arguments, day].concat())
}

/// A list of changes comes to its distance, and leads to the deck that was judged.
fn changes_lead_to_the_deck(answer: &Value, source: &str, what: &str) {
    let Some(mut deck) = read(&judge(), source) else {
        return;
    };
    let mut distance = 0;
    for change in answer["changes"].as_array().unwrap() {
        let section = deck.section(change["section"].as_str().unwrap()).unwrap();
        let Some(card) = deck.find(change["card"].as_str().unwrap()) else {
            return;
        };
        let (from, to) = (change["from"].as_i64().unwrap(), change["to"].as_i64().unwrap());
        assert_eq!(deck.copies(section, card), from, "{what}");
        deck.set(section, card, to);
        distance += (to - from).abs();
    }
    assert_eq!(answer["distance"], distance, "{what}");
    assert!(answer["bound"].as_i64() <= answer["distance"].as_i64(), "{what}");
    if answer.get("renamed").is_none() {
        assert_eq!(answer["after"]["hash"], Decklist::hash(&deck), "{what}");
    }
}

fn check(folder: &Path, row: &Row) {
    let deck = folder.join("deck.txt");
    if let Some(named) = &row.deck {
        let is_text = named.contains('\n');
        let source = if is_text { named.clone() } else { crate::common::cases::text(named) };
        std::fs::write(&deck, source).unwrap();
    }
    for (file, text) in &row.files {
        let path = folder.join(file);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    let before = std::fs::read_to_string(&deck).unwrap_or_default();
    let words = words(&row.call);
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let output = run(folder, &words);
    let shown = text(&output.stdout) + &text(&output.stderr);
    let what = format!("{}\n{shown}", row.call);
    assert_eq!(output.status.code(), Some(row.status), "{what}");
    let after = std::fs::read_to_string(&deck).unwrap_or_default();
    match row.becomes.as_deref() {
        Some("*") => assert_ne!(after, before, "{what}"),
        other => assert_eq!(after, other.unwrap_or(&before), "{what}"),
    }
    let json = words.windows(2).any(|two| two == ["-o", "json"]);
    let answer: Value =
        if json { serde_json::from_slice(&output.stdout).expect(&what) } else { Value::Null };
    if answer["changes"].is_array()
        && answer["after"].is_object()
        && matches!(words[0], "fix" | "swap")
    {
        changes_lead_to_the_deck(&answer, &before, &what);
        assert_eq!(run(folder, &words).stdout, output.stdout, "the same bytes every time: {what}");
    }
    for (pointer, wanted) in &row.is {
        let found = match pointer.strip_prefix('#') {
            Some(list) => answer
                .pointer(list)
                .and_then(Value::as_array)
                .map_or(Value::Null, |all| all.len().into()),
            None => answer.pointer(pointer).cloned().unwrap_or_default(),
        };
        assert_eq!(found, *wanted, "{pointer}: {what}");
    }
    for part in &row.has {
        let absent = part.strip_prefix('!');
        assert_ne!(shown.contains(absent.unwrap_or(part)), absent.is_some(), "{part}: {what}");
    }
    if words[0] == "build" && row.status == 0 && !json && row.has.is_empty() {
        std::fs::write(&deck, &output.stdout).unwrap();
        let checked = run(folder, &["check", "deck.txt", "-o", "csv"]);
        assert!(checked.status.success(), "{what}");
        assert_eq!(run(folder, &words).stdout, output.stdout, "the same bytes every time: {what}");
    }
    for next in &row.then {
        check(folder, next);
    }
}

#[test]
fn calls_answer_as_their_rows_say() {
    let rows = std::fs::read_to_string("tests/repair/calls.yaml").unwrap();
    let rows: Vec<Row> = serde_yaml::from_str(&rows).unwrap();
    let fails = |row: &&Row| {
        let folder = tempfile::tempdir().unwrap();
        std::panic::catch_unwind(|| check(folder.path(), row)).is_err()
    };
    let failed: Vec<&str> = rows.iter().filter(fails).map(|row| row.call.as_str()).collect();
    assert!(failed.is_empty(), "{failed:#?}");
}
