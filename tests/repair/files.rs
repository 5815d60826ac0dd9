//! What `decklaw fix --write` does to files: all that it prints, and nothing where it must not.
#![cfg(unix)]

use super::calls::{run, text};
use super::worlds::{judge, read};
use crate::common::command;
use std::io::Write as _;
use std::process::{Command, Stdio};

const SHORT: &str =
    "Format: versus/fast\nMain (19)\n9 Brinewick the Ferrier\n10 Marguerite Sluice\n";

/// What the printed diff says: section, card, copies more or fewer.
fn printed(shown: &str) -> Vec<(String, String, i64)> {
    let mut section = String::new();
    let mut changes = Vec::new();
    for line in shown.lines().skip(1).skip_while(|line| line.is_empty()) {
        let change = line.strip_prefix("  ").and_then(|line| {
            let (sign, rest) = line.split_at_checked(2)?;
            let sign = [("+ ", 1), ("- ", -1)].iter().find(|(known, _)| *known == sign)?;
            let (copies, rest) = rest.split_once(' ')?;
            let name = rest.split("  ").next()?.split(" (now ").next()?;
            Some((sign.1 * copies.parse::<i64>().ok()?, name.to_owned()))
        });
        match change {
            Some((by, name)) => changes.push((section.clone(), name, by)),
            None if line.is_empty() => section.clear(),
            None if section.is_empty() => line.clone_into(&mut section),
            None => {}
        }
    }
    changes
}

#[test]
fn the_printed_diff_done_by_hand_is_what_is_written() {
    let judge = judge();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("deck.txt");
    for case in [
        "shell/points_bad",
        "shell/side-overlap_bad",
        "vanquishers/hero_bad",
        "vastrix/whole-deck-double_bad",
        "decks/versus/half-mustered.txt",
        "decks/shell/too-many-copies.txt",
    ] {
        let source = crate::common::cases::text(case);
        std::fs::write(&file, &source).unwrap();
        let output = run(folder.path(), &["fix", "deck.txt", "--write"]);
        assert!(output.status.success(), "{case}: {output:?}");
        let shown = text(&output.stdout);
        let changes = printed(&shown);
        assert!(!changes.is_empty(), "{case}: {shown}");
        let mut by_hand = read(&judge, &source).unwrap();
        for (section, name, by) in changes {
            let section = by_hand.section(&section).unwrap_or_else(|| panic!("{shown}"));
            let card = by_hand.find(&name).unwrap_or_else(|| panic!("{name} {shown}"));
            by_hand.add(section, card, by);
        }
        let written = read(&judge, &std::fs::read_to_string(&file).unwrap()).unwrap();
        assert_eq!(written.hash(), by_hand.hash(), "{case}: {shown}");
    }
}

/// A collection from a pipe holds the command up after the deck was read: there is time to
/// change the file, however slow the machine.
#[test]
fn a_file_that_changed_since_it_was_read_is_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("deck.txt");
    let pipe = folder.path().join("own.csv");
    std::fs::write(&file, SHORT).unwrap();
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let call = ["fix", "deck.txt", "--write", "--own", "own.csv"];
    let running = command(folder.path(), &call)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // Opening waits for the command to open it as well.
    let mut collection = std::fs::File::options().write(true).open(&pipe).unwrap();
    let newer = SHORT.replace("Main", "# mine\nMain");
    std::fs::write(&file, &newer).unwrap();
    collection.write_all(b"count,name\n20,Brinewick the Ferrier\n20,Marguerite Sluice\n").unwrap();
    drop(collection);
    let output = running.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    assert!(text(&output.stderr).contains("changed since it was read"));
    assert_eq!(std::fs::read_to_string(&file).unwrap(), newer);
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 2);
}
