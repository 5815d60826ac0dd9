//! What a query asks for in vain is told in every place where one is taken.

use crate::common::{root, run, said, table, text};
use std::collections::BTreeSet;

/// A card query that is not understood or finds nothing, and what must be said of it, one of
/// these.
const SLIPS: [(&str, &[&str]); 4] = [
    ("mosss", &["no card name contains `mosss`; did you mean `moss`?"]),
    ("colour:gren", &["no card has the `colour` `gren`; did you mean `green`?"]),
    ("colur:green", &["no field `colur`; did you mean `colour`?"]),
    (
        "type:spell type:token",
        &[
            "no card matches",
            "no card is in",
            "no cards to print",
            "no card that can be drawn",
            "no such card",
            "unknown card",
            "0 cards",
        ],
    ),
];

/// Where a query is taken: the command and the option or place as its help calls it, and a call in
/// which `QUERY` is a place for a card query.
fn places() -> impl Iterator<Item = (&'static str, &'static str, &'static str)> {
    let rows = table("places of queries").map(|row| row.split(" | "));
    rows.map(|mut row| {
        let mut part = || row.next().unwrap();
        (part(), part(), part())
    })
}

/// Options that take a name in quotation marks and no query.
const NAMES_ALONE: [(&str, &str); 1] = [("swap", "QUERY")];

/// The commands that may take a query.
const COMMANDS: &str = "check,stream,fix,room,swap,build,odds,tune,stats,convert,print,cards list,cards show,match new";

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::copy(root().join("decks/shell/ebb.txt"), folder.path().join("deck.txt")).unwrap();
    folder
}

/// Words alone, whatever lines they stand in.
fn flat(said: &str) -> String {
    said.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn every_place_says_what_it_did_not_understand() {
    let folder = folder();
    let mut silent = Vec::new();
    for (command, place, call) in places() {
        for (query, wanted) in SLIPS {
            let run = run(folder.path(), &call.replace("QUERY", query));
            let said = flat(&said(&run));
            let refused = run.status.code() == Some(2);
            let field = query.starts_with("colur");
            if refused != field || !wanted.iter().any(|word| said.contains(word)) {
                silent.push(format!("{command} {place} `{query}`: {said}"));
            }
        }
    }
    assert!(silent.is_empty(), "{}", silent.join("\n"));
}

/// A place that is new and not in the table fails here.
#[test]
fn no_place_is_forgotten() {
    let folder = folder();
    let mut taken = BTreeSet::new();
    for command in COMMANDS.split(',') {
        let run = run(folder.path(), &format!("{command} --help"));
        for line in text(&run.stdout).lines() {
            let begins = line.trim_start();
            let mut words = begins.split_whitespace();
            let (first, second) = (words.next().unwrap_or(""), words.next().unwrap_or(""));
            let asks = |value: &str| {
                let value = value.trim_start_matches(['<', '[']);
                let path = command == "odds" && value.starts_with("PATH");
                path || ["HAND", "CARDS", "WISH", "TOTAL"]
                    .iter()
                    .any(|word| value.starts_with(word))
            };
            if first.starts_with("--") && asks(second) {
                taken.insert((command.to_owned(), first.to_owned()));
            } else if first.starts_with(['<', '[']) && asks(first) {
                taken.insert((command.to_owned(), "QUERY".to_owned()));
            }
        }
    }
    let known: BTreeSet<(String, String)> = places()
        .map(|(command, place, _)| (command, place))
        .chain(NAMES_ALONE)
        .map(|(command, place)| (command.to_owned(), place.to_owned()))
        .collect();
    let forgotten: Vec<_> = taken.difference(&known).collect();
    assert!(forgotten.is_empty(), "{forgotten:?}");
    let gone: Vec<_> = known.difference(&taken).collect();
    assert!(gone.is_empty(), "{gone:?}");
}
