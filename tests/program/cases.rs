//! Cases on disk (`tests/cases`): a deck, and just what `check` must find of it.
//!
//! A case says in its first comments what is expected: `# expect: SEVERITY RULE LINE` for each
//! finding (`-` for the deck as a whole) or `# expect: none`, and `# verdict: …`; `# set:` and
//! `# banlist:` are given to the call.

use crate::common::cases::{EXAMPLES, GAMES, of_game};
use crate::common::{command, root, tree};
use decklaw::banlist::{Banlist, Lists};
use decklaw::deck::{Input, OpenedDeck};
use decklaw::judge::{Finding, Judge, ReadDeck, Report, WhichList};
use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;

fn notes<'t>(text: &'t str, key: &str) -> Vec<&'t str> {
    let prefix = format!("# {key}: ");
    text.lines().filter_map(|line| line.strip_prefix(&prefix)).map(str::trim).collect()
}

/// The decks below a folder, with their paths.
fn texts(folder: &Path) -> impl Iterator<Item = (String, String)> + use<> {
    let files = tree(folder).into_iter().filter(|(name, _)| name.ends_with(".txt"));
    files.filter_map(|(name, bytes)| Some((name, String::from_utf8(bytes).ok()?)))
}

/// All cases, with their names.
fn cases() -> impl Iterator<Item = (String, String)> {
    GAMES.into_iter().flat_map(of_game)
}

/// The program in a folder, with the configuration of the cases.
fn decklaw(folder: &Path) -> Command {
    let mut call = command(folder, &[]);
    call.env("DECKLAW_CONFIG", folder.join("tests/cases/configuration"));
    call
}

fn check(folder: &Path, name: &str, text: &str) -> serde_json::Value {
    let own = tempfile::tempdir().expect("a folder");
    let path = own.path().join("deck.txt");
    std::fs::write(&path, text).expect("it can be written");
    let mut command = decklaw(folder);
    command.arg("check").arg(path).args(["-o", "json", "--as-of", "2026-03-01"]);
    for setting in notes(text, "set") {
        command.args(["--set", setting]);
    }
    for list in notes(text, "banlist") {
        command.args(["--banlist", list]);
    }
    let output = command.output().expect("the program runs");
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| {
        let stderr = String::from_utf8_lossy(&output.stderr);
        panic!("{name}: {error}: {stderr}")
    })
}

#[test]
fn every_case_is_found_as_it_says() {
    let root = root();
    let cases: Vec<_> = cases().collect();
    assert!(cases.len() > 400, "{} cases", cases.len());
    // The game of the kinds that no built-in game has.
    let own = decklaw(root)
        .args(["formats", "check", "tests/cases/configuration/formats/grove"])
        .output()
        .expect("the program runs");
    let said = String::from_utf8_lossy(&own.stdout);
    assert!(own.status.success(), "{said}");
    try_all(root, cases);
}

/// `calls/games.md` checks their games and lists.
#[test]
fn decks_of_the_example_games_are_found_as_they_say() {
    let root = root().join("examples/games");
    let cases = texts(&root.join("decks")).chain(EXAMPLES.into_iter().flat_map(of_game));
    let cases: Vec<_> = cases.collect();
    assert!(cases.len() > 20, "{} decks", cases.len());
    try_all(&root, cases);
}

fn try_all(root: &Path, cases: Vec<(String, String)>) {
    let mut wrong = Vec::new();
    for (name, text) in cases {
        let report = check(root, &name, &text);
        let deck = &report["decks"][0];
        let mut found: Vec<String> = deck["findings"]
            .as_array()
            .expect("findings")
            .iter()
            // The comments that say what a case expects may speak of a side deck.
            .filter(|finding| {
                !(finding["rule"] == "syntax"
                    && finding["line"] == 1
                    && finding["severity"] == "notice")
            })
            .map(|finding| {
                let word = |key: &str| finding[key].as_str().unwrap_or("?").to_owned();
                let line = finding["line"].as_u64().map_or("-".to_owned(), |line| line.to_string());
                format!("{} {} {line}", word("severity"), word("rule"))
            })
            .collect();
        let expected = notes(&text, "expect");
        assert!(!expected.is_empty(), "{name} expects nothing");
        let mut expected: Vec<String> =
            expected.into_iter().filter(|line| *line != "none").map(str::to_owned).collect();
        found.sort();
        expected.sort();
        let verdicts = notes(&text, "verdict");
        let verdict = deck["verdict"].as_str().unwrap_or("?");
        if found != expected || verdicts.iter().any(|expected| *expected != verdict) {
            wrong.push(format!(
                "{name}:\n  expected {expected:?} {verdicts:?}\n  found    {found:?} [{verdict:?}]"
            ));
        }
    }
    assert!(wrong.is_empty(), "{} cases differ\n{}", wrong.len(), wrong.join("\n"));
}

/// The judge that a case asks for.
fn judge_of(root: &Path, text: &str) -> Judge {
    let settings: BTreeMap<String, String> = notes(text, "set")
        .into_iter()
        .filter_map(|pair| pair.split_once('='))
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .collect();
    let list = notes(text, "banlist").first().map(|named| {
        let known = Lists::default().find(named).unwrap_or_default();
        match known.first() {
            Some(list) => WhichList::Named(Arc::clone(list)),
            None if *named == "none" => WhichList::Nothing,
            None => {
                let bytes = std::fs::read(root.join(named)).expect("a list");
                WhichList::Named(Arc::new(Banlist::read(named, &bytes).expect("a list")))
            }
        }
    });
    Judge::built_in(jiff::civil::date(2026, 3, 1))
        .with_settings(settings)
        .with_list(list.unwrap_or(WhichList::InForce))
}

fn judged(judge: &Judge, text: &str) -> Report {
    judge.judge("deck.txt", text.as_bytes(), Input::Text).expect("a verdict")
}

/// A deck's text with the copies that the fix of a finding names.
fn fixed(judge: &Judge, text: &str, finding: &Finding) -> Option<String> {
    let opened = OpenedDeck::plain(text.as_bytes(), Input::Text);
    let ReadDeck::Deck(deck) = judge.read(&opened, None).ok()? else {
        return None;
    };
    // Totals in headings are no longer right.
    let mut lines: Vec<String> = text
        .lines()
        .map(|line| match line.split_once(" (") {
            Some((word, total)) if total.trim_end_matches(')').parse::<u32>().is_ok() => word,
            _ => line,
        })
        .map(str::to_owned)
        .collect();
    let (list, sections) = (deck.list(), &deck.deck().sections);
    for fix in &finding.fix {
        let mut left = u32::try_from(fix.to).ok()?;
        for (line, card) in deck.deck().lines.iter().zip(deck.cards()) {
            let section = &sections[usize::from(line.section)].id;
            if **section == *fix.section && list.name(*card) == fix.card {
                let kept = left.min(line.count);
                left -= kept;
                lines[line.line as usize - 1] = match kept {
                    0 => String::new(),
                    kept => format!("{kept} {}", fix.card),
                };
            }
        }
    }
    Some(lines.join("\n"))
}

/// With the copies of its fix, a deck no longer has the finding.
#[test]
fn a_fix_resolves_its_finding() {
    let root = root();
    let (mut fixes, mut wrong) = (0, Vec::new());
    for (name, text) in cases().chain(texts(&root.join("decks"))) {
        let judge = judge_of(root, &text);
        for finding in judged(&judge, &text).findings {
            if finding.fix.is_empty() {
                continue;
            }
            fixes += 1;
            let key = |one: &Finding| (one.rule.clone(), one.section.clone(), one.cards.clone());
            let is_there = |deck: String| {
                let findings = judged(&judge, &deck).findings;
                findings.iter().any(|other| key(other) == key(&finding))
            };
            if fixed(&judge, &text, &finding).is_none_or(is_there) {
                wrong.push(format!("{name}: {finding}: {:?}", finding.fix));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(fixes > 40, "{fixes}");
}
