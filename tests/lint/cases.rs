//! Small games as data, in `cases.txt`: what `formats check` reports of them, and how decks are
//! judged.

use crate::commands::console::copy;
use crate::common::{decklaw, root, run};
use std::cell::LazyCell;
use std::path::Path;

/// A change to a base game, and what is expected of the result.
struct Case<'t> {
    changes: Vec<&'t str>,
    expected: Vec<&'t str>,
}

fn cases(text: &str) -> Vec<Case<'_>> {
    let mut all: Vec<Case> = Vec::new();
    for line in text.lines() {
        if line.is_empty() || line.starts_with("# ") {
            continue;
        }
        if let Some(expected) = line.strip_prefix("  ") {
            all.last_mut().unwrap().expected.push(expected);
        } else if let Some(last) = all.last_mut().filter(|last| last.expected.is_empty()) {
            last.changes.push(line);
        } else {
            let (changes, expected) = (vec![line], Vec::new());
            all.push(Case { changes, expected });
        }
    }
    all
}

/// Writes a game with the changes of a case, and returns the name of the changed file and what was
/// put there.
fn write<'c>(folder: &Path, head: &str, cards: &str, changes: &[&'c str]) -> (&'c str, String) {
    let mut changed = ("game.yaml", String::new());
    if !head.is_empty() {
        let head = format!("schema: decklaw/format/1\ngame: toy\nname: Toy\ntext: none\n{head}\n");
        std::fs::write(folder.join("game.yaml"), head).unwrap();
        std::fs::write(folder.join("cards.csv"), cards).unwrap();
    }
    for change in changes {
        let (file, (from, to)) = if let Some((from, to)) = change.split_once(" =>") {
            let (file, from) = from
                .split_once(": ")
                .filter(|(file, _)| folder.join(file).exists())
                .unwrap_or(("game.yaml", from));
            (file, (from.to_owned(), to.trim_start().replace("; ", "\n")))
        } else {
            let id = if change.starts_with("id: ") { "" } else { "id: only, " };
            ("game.yaml", (String::new(), format!("  - {{{id}source: s, about: a, {change}}}\n")))
        };
        let path = folder.join(file);
        let mut text = std::fs::read_to_string(&path).unwrap();
        if from.is_empty() {
            if !text.contains("\nrules:\n") {
                text.push_str("rules:\n");
            }
            text.push_str(&to);
        } else {
            assert!(text.contains(&from), "{change}");
            text = text.replacen(&from, &to, 1);
        }
        std::fs::write(path, text).unwrap();
        changed = (file, to);
    }
    changed
}

/// The verdict and the codes of a deck, as a case writes them, and its findings.
fn judged(folder: &Path) -> (String, String) {
    let run = run(folder, "check deck.txt -o json");
    let answer = crate::common::json(&run);
    let deck = &answer["decks"][0];
    let mut words = vec![deck["verdict"].as_str().unwrap().to_owned()];
    for finding in deck["findings"].as_array().unwrap() {
        let (severity, code) =
            (finding["severity"].as_str().unwrap(), finding["code"].as_str().unwrap());
        words.push(if severity == "error" {
            code.to_owned()
        } else {
            format!("{severity}:{code}")
        });
    }
    (words.join(" "), deck["findings"].to_string())
}

#[test]
fn every_case_of_a_small_game_comes_out() {
    let text = include_str!("cases.txt").replace('\r', "");
    let mut wrong = String::new();
    for world in text.split("\n## ").skip(1) {
        let (head, rest) = world.split_once("---\n").unwrap();
        let (name, head) = head.split_once('\n').unwrap();
        let (cards, rest) = rest.split_once("\n\n").unwrap_or(("", rest));
        for Case { changes, expected } in cases(rest) {
            let folder = tempfile::tempdir().unwrap();
            let game = if head.is_empty() { name } else { "toy" };
            let own = folder.path().join("config/formats").join(game);
            std::fs::create_dir_all(&own).unwrap();
            if head.is_empty() {
                copy(&root().join("formats").join(name), &own);
            }
            let (file, put) = write(&own, head.trim_end(), cards, &changes);
            let checked = LazyCell::new(|| {
                let call = ["formats", "check", &format!("config/formats/{game}")];
                let run = decklaw(folder.path(), &call);
                (run.status.code(), String::from_utf8(run.stdout).unwrap())
            });
            for line in expected {
                let (kind, says) = line.split_once(' ').unwrap_or((line, ""));
                let status = match kind {
                    "!" => Some(1),
                    "~" | "ok" => Some(0),
                    "not" => checked.0.filter(|_| !checked.1.contains(says)),
                    _ => {
                        let (deck, judgement) = line.split_once(" => ").unwrap();
                        let deck = format!("Format: toy\n{}\n", deck.replace("; ", "\n"));
                        std::fs::write(folder.path().join("deck.txt"), deck).unwrap();
                        let mut parts = judgement.split(" | ");
                        let (mut found, mut findings) = judged(folder.path());
                        let codes = parts.next().unwrap();
                        if codes.contains("fix=") {
                            let run = run(folder.path(), "fix deck.txt -o json");
                            let fix = crate::common::json(&run);
                            assert_eq!(fix["optimal"], true, "{changes:?} {line}");
                            found = format!("{found} fix={}", fix["distance"]);
                            findings += &fix["changes"].to_string();
                        }
                        if found != codes || !parts.all(|part| findings.contains(part)) {
                            wrong += &format!("{changes:?}\n{line}\n{found}\n{findings}\n");
                        }
                        continue;
                    }
                };
                let (code, report) = &*checked;
                let place = says.strip_prefix('@').and_then(|says| says.split_once('@'));
                let says = place.map_or(says, |(_, says)| says).trim_start();
                let place = place.map(|(word, _)| {
                    let text = std::fs::read_to_string(own.join(file)).unwrap();
                    let from = if put.is_empty() {
                        0
                    } else {
                        let at = text.find(&put).unwrap();
                        text[..at].rfind('\n').map_or(0, |end| end + 1)
                    };
                    let at = from + text[from..].find(word).unwrap_or_else(|| panic!("{line}"));
                    let line = text[..at].matches('\n').count() + 1;
                    let column = text[..at].rfind('\n').map_or(at, |end| at - end - 1) + 1;
                    format!("{file}:{line}:{column}:")
                });
                let is_found = report.lines().any(|one| {
                    one.contains(says)
                        && place.as_ref().is_none_or(|place| one.contains(place))
                        && (kind != "~" || one.contains("notice"))
                });
                let is_clean = kind != "!" || !report.contains(&format!("{file}: in order"));
                let is_expected = ["ok", "not"].contains(&kind) || is_found && is_clean;
                if *code != status || !is_expected {
                    wrong += &format!("{changes:?}\n{line} {place:?}\n{report}\n");
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}
