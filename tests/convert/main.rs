//! `decklaw convert` from outside: foreign lists in, foreign lists out, and sheets.
#![allow(clippy::unwrap_used)]

mod foreign;
mod print;
mod round_trips;
mod sheets;
mod structure;

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

/// What a run said.
struct Ran {
    status: i32,
    out: String,
    told: String,
}

fn decklaw(arguments: &[&str], input: &[u8]) -> Ran {
    let mut child = Command::new(env!("CARGO_BIN_EXE_decklaw"))
        .args(arguments)
        .env("DECKLAW_CONFIG", "tests/no-configuration")
        .env("COLUMNS", "80")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // A run that refuses its call does not read on.
    let _ = child.stdin.take().unwrap().write_all(input);
    let ran = child.wait_with_output().unwrap();
    Ran {
        status: ran.status.code().unwrap(),
        out: String::from_utf8(ran.stdout).unwrap(),
        told: String::from_utf8(ran.stderr).unwrap(),
    }
}

/// The text dialect of a deck that is given on standard input.
fn text_of(from: &str, format: &str, deck: &str) -> Ran {
    let call = [
        "convert",
        "-",
        "--from",
        from,
        "--format",
        format,
        "--to-format",
        "text",
    ];
    decklaw(&call, deck.as_bytes())
}

/// The hash of a deck file.
fn hash(path: &Path, more: &[&str]) -> String {
    let mut call = vec!["check", path.to_str().unwrap(), "-o", "ndjson"];
    call.extend(more);
    let ran = decklaw(&call, b"");
    let deck: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
    deck["hash"]
        .as_str()
        .unwrap_or_else(|| panic!("{}", ran.out))
        .to_owned()
}

/// The kind to write is that of the file's ending, or it is asked for.
#[test]
fn the_ending_of_the_file_names_the_kind() {
    let folder = tempfile::tempdir().unwrap();
    let deck = "decks/shell/ebb.txt";
    for ending in ["txt", "yaml", "json", "cod"] {
        let file = folder.path().join(format!("ebb.{ending}"));
        let ran = decklaw(&["convert", deck, "--to", file.to_str().unwrap()], b"");
        assert_eq!(ran.status, 0, "{ending}: {}", ran.told);
        let given: &[&str] = if ending == "cod" {
            &["--format", "shell"]
        } else {
            &[]
        };
        assert_eq!(hash(&file, given), hash(Path::new(deck), &[]), "{ending}");
    }
    let table = folder.path().join("ebb.csv");
    let ran = decklaw(&["convert", deck, "--to", table.to_str().unwrap()], b"");
    assert_eq!(ran.status, 0, "{}", ran.told);
    let written = std::fs::read_to_string(&table).unwrap();
    assert!(written.starts_with("count,name,section\n"), "{written}");
    let other = folder.path().join("ebb.docx");
    for place in [&["--to", other.to_str().unwrap()][..], &[]] {
        let ran = decklaw(&[&["convert", deck][..], place].concat(), b"");
        assert_eq!(ran.status, 2);
        assert!(ran.told.contains("--to-format"), "{}", ran.told);
    }
}
