//! Names do nothing where they are shown: in a terminal, in the log of a CI service, in a spreadsheet.

use crate::{decklaw, text};
use std::path::Path;

/// An escape sequence, a C1 control, a direction mark and an end of a line.
const HOSTILE: &str = "a\u{1b}[2J\u{9b}31m\u{202e}b\nc";

/// The words of a call; `HOSTILE` becomes `hostile`.
fn words(call: &str, hostile: &str) -> Vec<String> {
    let words = call.split(' ').map(|word| word.replace("HOSTILE", hostile));
    words.collect()
}

/// Runs a call; its exit status, and all that it writes.
fn run(folder: &Path, call: &str, hostile: &str) -> (Option<i32>, String) {
    let words = words(call, hostile);
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let run = decklaw(folder, &words);
    (run.status.code(), text(&run.stdout) + &text(&run.stderr))
}

/// Whether a text could move a terminal's cursor, or show what is not there.
fn acts(said: &str) -> bool {
    let marks = [
        '\u{200e}', '\u{200f}', '\u{2066}', '\u{2067}', '\u{2068}', '\u{2069}',
    ];
    let acting = |c: char| {
        c != '\n' && (c.is_control() || marks.contains(&c) || matches!(c, '\u{202a}'..='\u{202e}'))
    };
    said.contains(acting)
}

/// Words of a call and names of files in messages, also in those of the command line's own reader.
#[test]
fn words_and_files_of_a_call_are_harmless_in_messages() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    write("d.txt", "Format: shell\n\nMain\n6 Moss Sprite\n");
    for call in [
        "HOSTILE",
        "check --HOSTILE",
        "check d.txt --color HOSTILE",
        "check d.txt --as-of HOSTILE",
        "check HOSTILE",
        "check d.txt --format HOSTILE",
        "check d.txt --cards HOSTILE",
        "check d.txt --banlist HOSTILE",
        "check d.txt --set HOSTILE",
        "check d.txt -o HOSTILE",
        "check HOSTILE*",
        "odds d.txt HOSTILE",
        "fix HOSTILE",
        "cards list --format shell HOSTILE",
        "match verify HOSTILE",
        "explain HOSTILE",
    ] {
        let (status, said) = run(folder.path(), call, HOSTILE);
        assert!(!acts(&said), "{call}: {said:?}");
        assert!(matches!(status, Some(0..=2)) && !said.is_empty(), "{call}");
        // A word of the call must not begin a line that could be taken for the program's own.
        assert!(!said.contains("\nc"), "{call}: {said:?}");
    }
    if cfg!(unix) {
        let name = format!("{HOSTILE}.txt");
        write(&name, "Format: shell\n\nMain\n6 Mos Sprite\nwhat\n");
        for call in [
            "check HOSTILE",
            "check .",
            "check HOSTILE -o github",
            "check HOSTILE -o junit",
            "stats HOSTILE",
            "fix HOSTILE",
            "odds HOSTILE",
        ] {
            let (_, said) = run(folder.path(), call, &name);
            let harmless = !acts(&said) && !said.contains("\nc.txt");
            assert!(harmless, "{call}: {said:?}");
        }
    }
}

/// A card file with cells guarded for a spreadsheet is read as the same cards: the guard is removed,
/// and an apostrophe of the name stays.
#[test]
fn a_guarded_card_file_comes_back_as_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let mut cards = "name,type,colour,mana,text\n".to_owned();
    for name in "=1+1|'Tis|+2 Sword|@home|'=x|Rain;=1+1|-3|a'b".split('|') {
        cards.push_str(&format!("\"{name}\",spell,red,1,\"=cmd;-x\"\n"));
    }
    std::fs::write(folder.path().join("cards.csv"), cards).unwrap();
    let list = |file: &str, kind: &str| {
        let words = [
            "cards", "list", "--format", "shell", "--cards", file, "-o", kind,
        ];
        let run = decklaw(folder.path(), &words);
        assert_eq!(run.status.code(), Some(0), "{}", text(&run.stderr));
        run.stdout
    };
    let cards = |file: &str| {
        let listed: serde_json::Value = serde_json::from_slice(&list(file, "json")).unwrap();
        listed["cards"].clone()
    };
    let guarded = list("cards.csv", "csv-excel");
    std::fs::write(folder.path().join("safe.csv"), guarded).unwrap();
    assert_eq!(cards("safe.csv"), cards("cards.csv"));
}

/// Whether a CI service would find a command of its own in a log: it looks behind white space.
fn commands(said: &str) -> bool {
    let begins = |line: &str| {
        let rest = line.trim_start().strip_prefix("::");
        rest.is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_alphabetic()))
    };
    said.lines().any(begins) || said.contains("##[") || said.contains("##vso[")
}

/// Files from unknown people, shown in the log of a CI service: decks, lists, cards, forms.
#[test]
fn what_is_shown_of_a_strangers_file_is_no_command_of_a_ci_service() {
    const FILES: [(&str, &str); 7] = [
        (
            "d.txt",
            "Format: shell\nName: HOSTILE\n\nMain\n6 HOSTILE\n3x\nHOSTILE\n",
        ),
        ("any.txt", "Format: any\n\nMain\n6 HOSTILE\n"),
        (
            "list.yaml",
            "schema: decklaw/banlist/1\nid: x\nHOSTILE\ngame: shell\n",
        ),
        (
            "other.yaml",
            "schema: decklaw/banlist/1\nid: x\ngame: shell\nname: X\neffective: 2026-01-01\nbanned:\n  - \"HOSTILE\"\n",
        ),
        (
            "cards.csv",
            "name,type\nHOSTILE,HOSTILE\n\"HOSTILE\",spell,x,y\n",
        ),
        (
            "form.csv",
            "Name,Deck\nHOSTILE,\"HOSTILE\nHOSTILE\"\nHOSTILE,b,HOSTILE\n",
        ),
        ("decklaw.yaml", "banlists: []\n"),
    ];
    let folder = tempfile::tempdir().unwrap();
    let mut shown = 0;
    for hostile in [
        "::error file=x::y",
        "##[group]z",
        "##vso[task.setvariable]q",
        "a ::set-output name=x::y",
        "\u{a0}::error::x",
        "\u{3000}\u{2003}::add-mask::x",
        "\u{1680}::warning::x",
    ] {
        for (name, text) in FILES {
            let text = text.replace("HOSTILE", hostile);
            std::fs::write(folder.path().join(name), text).unwrap();
        }
        for call in [
            "check d.txt",
            "check any.txt -v",
            "stats any.txt",
            "odds any.txt --hand 3 1+[]",
            "odds any.txt --hand 3 HOSTILE",
            "fix d.txt",
            "banlist check list.yaml",
            "banlist check other.yaml",
            "banlist show other.yaml",
            "cards check --format shell cards.csv",
            "cards list --format any --cards cards.csv",
            "check --submissions form.csv --format any -v",
            "check d.txt --banlist list.yaml",
            "explain HOSTILE",
        ] {
            let (status, said) = run(folder.path(), call, hostile);
            assert!(!commands(&said), "{call}: {said}");
            assert_ne!(status, Some(3), "{call}: {said}");
            shown += usize::from(said.contains("error") || said.contains("group"));
        }
    }
    assert!(shown > 20, "{shown}");
}

/// Cells of tables on standard output do nothing to a terminal, whoever wrote the names.
#[test]
fn cells_of_tables_have_no_escape_sequence() {
    let folder = tempfile::tempdir().unwrap();
    let hostile = "a\u{1b}[2J\u{9b}31m\u{7}";
    for (name, text) in [
        (
            "d.txt",
            "Format: any\nName: HOSTILE\nPlayer: HOSTILE\n\nMain\n6 HOSTILE\n",
        ),
        ("bad.txt", "Format: shell\n\nMain\n6 HOSTILE\n"),
        (
            "form.csv",
            "Name,Deck\nHOSTILE,\"Format: any\n\n1 HOSTILE\n\"\n",
        ),
    ] {
        let text = text.replace("HOSTILE", hostile);
        std::fs::write(folder.path().join(name), text).unwrap();
    }
    for kind in ["csv", "csv-excel"] {
        for call in [
            "check d.txt bad.txt",
            "check d.txt bad.txt --summary",
            "check --submissions form.csv",
            "stats d.txt",
            "odds d.txt --hand 2 1+[]",
            "cards list --format shell",
        ] {
            let words = words(&format!("{call} -o {kind}"), hostile);
            let words: Vec<&str> = words.iter().map(String::as_str).collect();
            let table = decklaw(folder.path(), &words);
            let said = text(&table.stdout);
            assert!(!said.is_empty(), "{call}: {}", text(&table.stderr));
            let acts = |c: char| c.is_control() && !matches!(c, '\n' | '\r' | '\t');
            assert!(!said.contains(acts), "{call}: {said:?}");
        }
    }
}
