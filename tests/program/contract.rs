//! The keys of JSON and the columns of tables, written out: what other programs rely on.

use super::command::{decklaw, root};
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::Path;

const FINDING: &str =
    "rule code severity section cards message help limit actual source line column";
const DECK: &str = "deck format name player verdict cards hash findings meters";
const METER: &str = "rule section text value low high";

fn json(arguments: &[&str]) -> Value {
    let output = decklaw(root(), arguments);
    serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{arguments:?}: {output:?}"))
}

fn columns(arguments: &[&str]) -> Vec<String> {
    let output = decklaw(root(), arguments);
    let text = String::from_utf8(output.stdout).unwrap();
    let mut table = csv::Reader::from_reader(text.as_bytes());
    let header = table.headers().unwrap().iter().map(str::to_owned);
    header.collect()
}

#[track_caller]
fn has_keys(value: &Value, keys: &str) {
    let known: BTreeSet<&str> = keys.split(' ').collect();
    let own = value.as_object().unwrap_or_else(|| panic!("{value}"));
    let own: BTreeSet<&str> = own.keys().map(String::as_str).collect();
    assert_eq!(own, known, "{value}");
}

/// Columns by their names, parted by `, `.
fn named(names: &str) -> Vec<String> {
    names.split(", ").map(str::to_owned).collect()
}

#[test]
fn check_has_these_keys() {
    let checked = json(&["check", "decks/shell", "-o", "json"]);
    has_keys(&checked, "schema as_of decks rules inputs");
    assert_eq!(checked["schema"], "decklaw/check/1");
    let decks = checked["decks"].as_array().unwrap();
    let mut fixes = 0;
    for deck in decks {
        has_keys(deck, DECK);
        for meter in deck["meters"].as_array().unwrap() {
            has_keys(meter, METER);
        }
        for finding in deck["findings"].as_array().unwrap() {
            let mut finding = finding.clone();
            if let Some(fix) = finding.as_object_mut().unwrap().remove("fix") {
                for one in fix.as_array().unwrap() {
                    has_keys(one, "section card to");
                    fixes += 1;
                }
            }
            has_keys(&finding, FINDING);
        }
    }
    assert!(fixes > 0, "no finding has a fix");
    let output = decklaw(root(), &["check", "decks/shell/ebb.txt", "-o", "ndjson"]);
    let line = String::from_utf8(output.stdout).unwrap();
    assert!(
        line.starts_with("{\"schema\":\"decklaw/verdict/1\","),
        "{line}"
    );
    let line: Value = serde_json::from_str(&line).unwrap();
    has_keys(&line, &format!("schema {DECK} rules"));
    // What a program reads back is the same report.
    let report: decklaw::judge::Report = serde_json::from_value(line.clone()).unwrap();
    assert!(report.is_legal());
    let again = serde_json::to_value(&report).unwrap();
    has_keys(&again, DECK);
    assert_eq!(again["meters"], line["meters"]);
}

#[test]
fn check_has_these_columns() {
    const INPUTS: &str = "banlist sha256, locked for, lock seal, not built in";
    let finding = "deck, player, format, verdict, rule, severity, section, cards, limit, actual, line, column, message, help, source, code, banlist";
    let all = columns(&["check", "decks/shell", "-o", "csv"]);
    assert_eq!(all, named(&format!("{finding}, {INPUTS}")));
    let summary = columns(&["check", "decks/shell", "-o", "csv", "--summary"]);
    let deck = "player, deck, format, name, verdict, cards, shells, main, extra, side, errors, warnings, notices, first finding, banlist, hash, remark";
    assert_eq!(summary, named(&format!("{deck}, {INPUTS}")));
    let form = "player id, row, time, late, counts, replaces, beside, file";
    let call = [
        "check",
        "--submissions",
        "docs/evening/form.csv",
        "-o",
        "csv",
    ];
    assert_eq!(
        columns(&call),
        named(&format!("{finding}, {INPUTS}, {form}"))
    );
}

#[test]
fn no_deck_is_missing_from_a_table() {
    let checked = json(&["check", "decks", "-o", "json"]);
    let decks = checked["decks"].as_array().unwrap();
    let names = |decks: &mut dyn Iterator<Item = String>| decks.collect::<BTreeSet<String>>();
    let all = names(
        &mut decks
            .iter()
            .map(|deck| deck["deck"].as_str().unwrap().to_owned()),
    );
    for call in [&["-o", "csv"][..], &["-o", "csv", "--summary"]] {
        let output = decklaw(root(), &[&["check", "decks"], call].concat());
        let mut table = csv::Reader::from_reader(output.stdout.as_slice());
        let header = table.headers().unwrap().clone();
        let at = header.iter().position(|name| name == "deck").unwrap();
        let rows = table.records().map(|row| row.unwrap()[at].to_owned());
        assert_eq!(names(&mut { rows }), all, "{call:?}");
    }
}

#[test]
fn stats_and_odds_have_these_keys_and_columns() {
    let stats = json(&["stats", "decks/shell/ebb.txt", "-o", "json"]);
    has_keys(&stats, "schema as_of rules decks inputs");
    for deck in stats["decks"].as_array().unwrap() {
        has_keys(
            deck,
            "deck format name player cards different unknown metrics",
        );
        for metric in deck["metrics"].as_array().unwrap() {
            match metric.get("counts") {
                Some(counts) => {
                    has_keys(metric, "id name counts");
                    let mut counts = counts.as_array().unwrap().iter();
                    counts
                        .by_ref()
                        .for_each(|count| has_keys(count, "key value"));
                }
                None => has_keys(metric, "id name sum cards mean mean_fraction"),
            }
        }
    }
    let stats = columns(&["stats", "decks/shell/ebb.txt", "-o", "csv"]);
    assert_eq!(stats, named("deck, metric, key, value, not built in"));
    let ask = [
        "odds",
        "decks/vanquishers/quiet-ledgers.txt",
        "1+ [type:weapon]",
        "--turns",
        "1",
    ];
    let odds = json(&[&ask[..], &["-o", "json"]].concat());
    has_keys(&odds, "schema deck population hand policy answers inputs");
    has_keys(&odds["policy"], "mulligan limit bottom keep");
    for answer in odds["answers"].as_array().unwrap() {
        has_keys(answer, "query probability fraction method turns");
        for turn in answer["turns"].as_array().unwrap() {
            has_keys(turn, "turn seen probability fraction method");
        }
    }
    let table = [&ask[..], &["-o", "csv"]].concat();
    let odds = "deck, query, name, hand, turn, seen, value, probability, fraction, method, mulligan, limit, keep, not built in";
    assert_eq!(columns(&table), named(odds));
    let output = decklaw(root(), &table);
    let mut rows = csv::Reader::from_reader(output.stdout.as_slice());
    let turns: Vec<String> = rows
        .records()
        .map(|row| row.unwrap()[4].to_owned())
        .collect();
    assert_eq!(turns, ["0", "1"]);
}

#[test]
fn every_answer_with_a_table_is_a_workbook_too() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("out.xlsx");
    let output = format!("xlsx={}", file.display());
    for call in [
        &["check", "decks/shell"][..],
        &["stats", "decks/shell"],
        &["odds", "decks/vanquishers/quiet-ledgers.txt", "1+ []"],
        &["room", "decks/shell/ebb.txt"],
        &["cards", "list", "--format", "shell"],
    ] {
        let _ = std::fs::remove_file(&file);
        decklaw(root(), &[call, &["-o", &output]].concat());
        let bytes = std::fs::read(Path::new(&file)).unwrap_or_default();
        assert!(bytes.starts_with(b"PK"), "{call:?}");
    }
}

/// Where the work limit ends a search, some card may have more room, and `room` says so.
#[test]
fn room_that_was_cut_says_so() {
    let rooms = |effort: &str| {
        let call = ["room", "decks/shell/overspent.txt", "-o", "json"];
        let ran = decklaw(root(), &[&call[..], &["--effort", effort]].concat());
        let answer: Value = serde_json::from_slice(&ran.stdout).unwrap();
        let is_noted = String::from_utf8_lossy(&ran.stderr).contains("work limit");
        assert_eq!(answer.get("cut").is_some(), is_noted, "{answer}");
        let all = answer["room"].as_array().unwrap();
        let more = all
            .iter()
            .map(|room| room["more"].as_i64().unwrap_or(i64::MAX));
        (is_noted, more.collect::<Vec<i64>>())
    };
    let ((is_cut, few), (is_whole, all)) = (rooms("0.01"), rooms("10"));
    assert!(is_cut && !is_whole);
    assert_eq!(few.len(), all.len());
    assert!(few.iter().zip(&all).all(|(few, all)| few <= all));
    assert_ne!(few, all);
}
