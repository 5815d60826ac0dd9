//! Names do nothing where they are shown: in a terminal, in the log of a CI service, in a
//! spreadsheet.

use super::{decklaw, text};
use std::path::Path;

/// An escape sequence, a C1 control, a direction mark and an end of a line; then commands of CI
/// services, which look for them after white space, too.
const HOSTILE: [&str; 8] = [
    "a\u{1b}[2J\u{9b}31m\u{7}\u{202e}b\nc",
    "::error file=x::y",
    "##[group]z",
    "##vso[task.setvariable]q",
    "a ::set-output name=x::y",
    "\u{a0}::error::x",
    "\u{3000}\u{2003}::add-mask::x",
    "\u{1680}::warning::x",
];

/// Files of unknown people; `HOSTILE` is one of the words.
const FILES: [(&str, &str); 6] = [
    ("d.txt", "Format: shell\nName: HOSTILE\nPlayer: HOSTILE\n\nMain\n6 HOSTILE\n3x\nHOSTILE\n"),
    ("any.txt", "Format: any\nName: HOSTILE\n\nMain\n6 HOSTILE\n"),
    ("list.yaml", "schema: decklaw/banlist/1\nid: x\nHOSTILE\ngame: shell\n"),
    (
        "other.yaml",
        "schema: decklaw/banlist/1\nid: x\ngame: shell\nname: X\neffective: 2026-01-01\nbanned:\n  - \"HOSTILE\"\n",
    ),
    ("cards.csv", "name,type\nHOSTILE,HOSTILE\n\"HOSTILE\",spell,x,y\n"),
    (
        "form.csv",
        "Name,Deck\nHOSTILE,\"HOSTILE\nHOSTILE\"\nHOSTILE,\"Format: any\n\n1 HOSTILE\n\"\n",
    ),
];

/// Whether a text could move a terminal's cursor, or show what is not there.
fn acts(said: &str) -> bool {
    let marks =
        "\u{200e}\u{200f}\u{2066}\u{2067}\u{2068}\u{2069}\u{202a}\u{202b}\u{202c}\u{202d}\u{202e}";
    let is_plain = |letter: char| matches!(letter, '\n' | '\r' | '\t');
    said.contains(|letter: char| {
        !is_plain(letter) && (letter.is_control() || marks.contains(letter))
    })
}

/// Whether a CI service would find a command of its own in a log.
fn commands(said: &str) -> bool {
    let begins = |line: &str| {
        let rest = line.trim_start().strip_prefix("::");
        rest.is_some_and(|rest| rest.starts_with(|letter: char| letter.is_ascii_alphabetic()))
    };
    said.lines().any(begins) || said.contains("##[") || said.contains("##vso[")
}

fn all_calls(folder: &Path, hostile: &str) {
    for call in crate::common::table("calls that show") {
        let words: Vec<String> =
            call.split(' ').map(|word| word.replace("HOSTILE", hostile)).collect();
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let run = decklaw(folder, &words);
        let said = text(&run.stdout) + &text(&run.stderr);
        let is_table = call.contains("csv");
        assert!(is_table || !commands(&said), "{call}: {said}");
        // Direction marks of a name stay in a cell, which shows nothing but this name.
        let is_control =
            |letter: char| letter.is_control() && !matches!(letter, '\n' | '\r' | '\t');
        let is_harmful = if is_table { said.contains(is_control) } else { acts(&said) };
        assert!(!is_harmful, "{call}: {said:?}");
        assert!(matches!(run.status.code(), Some(0..=2)), "{call}: {said}");
        assert!(!said.is_empty(), "{call}");
    }
}

#[test]
fn names_are_harmless_where_they_are_shown() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    for hostile in HOSTILE {
        for (name, text) in FILES {
            let text = text.replace("HOSTILE", hostile);
            std::fs::write(folder.join(name), text).unwrap();
        }
        all_calls(folder, hostile);
    }
    if cfg!(unix) {
        // The name of a file, which is also found in its folder.
        let name = format!("{}.txt", HOSTILE[0]);
        std::fs::write(folder.join(&name), "Format: shell\n\nMain\n6 Mos Sprite\nwhat\n").unwrap();
        all_calls(folder, &name);
        let run = decklaw(folder, &["check", ".", "-o", "github"]);
        let said = text(&run.stdout) + &text(&run.stderr);
        assert!(!acts(&said) && !said.contains("\nc.txt"), "{said:?}");
    }
}

/// A card file with cells guarded for a spreadsheet is read as the same cards: the guard is
/// removed, and an apostrophe of the name stays.
#[test]
fn a_guarded_card_file_comes_back_as_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let mut cards = "name,type,colour,mana,text\n".to_owned();
    for name in "=1+1|'Tis|+2 Sword|@home|'=x|Rain;=1+1|-3|a'b".split('|') {
        cards.push_str(&format!("\"{name}\",spell,red,1,\"=cmd;-x\"\n"));
    }
    std::fs::write(folder.path().join("cards.csv"), cards).unwrap();
    let list = |file: &str, kind: &str| {
        let words = ["cards", "list", "--format", "shell", "--cards", file, "-o", kind];
        decklaw(folder.path(), &words).stdout
    };
    let cards = |file: &str| {
        let listed: serde_json::Value = serde_json::from_slice(&list(file, "json")).unwrap();
        listed["cards"].clone()
    };
    let guarded = list("cards.csv", "csv-excel");
    std::fs::write(folder.path().join("safe.csv"), guarded).unwrap();
    assert_eq!(cards("safe.csv"), cards("cards.csv"));
}
