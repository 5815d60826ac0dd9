//! Words of the command line that are not UTF-8: paths work, and everything else is a wrong call.

use super::super::common::{command, said};
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

const WORD: &[u8] = b"caf\xe9.txt";

/// The commands that do something, with the words that call each.
fn commands() -> Vec<Vec<String>> {
    fn leaves(command: &clap::Command, words: &[String], all: &mut Vec<Vec<String>>) {
        let mut inner = command.get_subcommands().filter(|own| own.get_name() != "help").peekable();
        if inner.peek().is_none() {
            all.push(words.to_vec());
        }
        for own in inner {
            leaves(own, &[words, &[own.get_name().to_owned()]].concat(), all);
        }
    }
    let mut all = Vec::new();
    // Only a command that is called has its options; its subcommands are there from the start.
    let mut program = decklaw::cli::command();
    program.build();
    leaves(&program, &[], &mut all);
    all
}

#[test]
fn no_word_ends_a_command_with_a_defect() {
    let folder = tempfile::tempdir().unwrap();
    let odd = OsStr::from_bytes(WORD);
    let all = commands();
    assert!(all.len() > 40, "{all:?}");
    for words in &all {
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let calls: [&[&OsStr]; 5] = [
            &[odd, OsStr::new("--no-such")],
            &[OsStr::from_bytes(b"--caf\xe9")],
            &[OsStr::new("--format"), odd, OsStr::new("--no-such")],
            &[OsStr::new("--to"), odd, OsStr::new("--no-such")],
            &[OsStr::from_bytes(b"-ocaf\xe9=x"), OsStr::new("--no-such")],
        ];
        for call in calls {
            let run = command(folder.path(), &words).args(call).output().unwrap();
            assert_eq!(run.status.code(), Some(2), "{words:?} {call:?}: {}", said(&run));
            assert!(!said(&run).contains("panicked"), "{words:?} {call:?}: {}", said(&run));
        }
        // These wait for a browser.
        if !matches!(words[..], ["edit" | "serve"] | ["match", "play"]) {
            let run = command(folder.path(), &words).arg(odd).output().unwrap();
            assert!(matches!(run.status.code(), Some(0..=2)), "{words:?}: {}", said(&run));
        }
    }
    for call in [&[odd][..], &[OsStr::new("--color"), odd]] {
        let run = command(folder.path(), &[]).args(call).output().unwrap();
        assert_eq!(run.status.code(), Some(2), "{call:?}: {}", said(&run));
    }
}

#[test]
fn paths_that_are_not_utf_8_are_read_and_written() {
    let folder = tempfile::tempdir().unwrap();
    let odd = OsStr::from_bytes(WORD);
    let deck = crate::common::root().join("decks/shell/ash-and-acorn.txt");
    if std::fs::copy(deck, folder.path().join(odd)).is_err() {
        // A file system that takes no such name.
        return;
    }
    for words in [
        &["check"][..],
        &["odds", "--hand", "6"],
        &["stats"],
        &["fix"],
        &["room"],
        &["print", "--sheet"],
    ] {
        let run = command(folder.path(), words).arg(odd).output().unwrap();
        assert_eq!(run.status.code(), Some(0), "{words:?}: {}", said(&run));
    }
    let to = OsStr::from_bytes(b"\xe9.json");
    let mut call = command(folder.path(), &["convert", "--to-format", "json", "--to"]);
    let run = call.arg(to).arg(odd).output().unwrap();
    assert_eq!(run.status.code(), Some(0), "{}", said(&run));
    assert!(Path::new(&folder.path().join(to)).exists());
    let run = command(folder.path(), &["check", "."]).output().unwrap();
    assert_eq!(run.status.code(), Some(0), "{}", said(&run));
}
