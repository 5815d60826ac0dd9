//! What is shown does nothing, whatever names it repeats: in a terminal, in a pipe, in a
//! spreadsheet.

use crate::{command, decklaw, text};

/// An escape sequence, a C1 control, a direction mark and an end of a line.
const HOSTILE: &str = "a\u{1b}[2J\u{9b}31m\u{202e}b\nc";

/// Whether a text could move a terminal's cursor, or show what is not there.
fn acts(said: &str) -> bool {
    let plain = said.chars().filter(|c| *c != '\n');
    plain.into_iter().any(|c| {
        c.is_control() || matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    })
}

/// What the words of a call become in complaints, those of the reader of the command line too.
#[test]
fn words_of_a_call_are_harmless_in_complaints() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(
        folder.path().join("d.txt"),
        "Format: shell\n\nMain\n6 Moss Sprite\n",
    )
    .unwrap();
    let calls: [&[&str]; 16] = [
        &[HOSTILE],
        &["check", &format!("--{HOSTILE}")],
        &["check", "d.txt", "--color", HOSTILE],
        &["check", "d.txt", "--as-of", HOSTILE],
        &["check", HOSTILE],
        &["check", "d.txt", "--format", HOSTILE],
        &["check", "d.txt", "--cards", HOSTILE],
        &["check", "d.txt", "--banlist", HOSTILE],
        &["check", "d.txt", "--set", HOSTILE],
        &["check", "d.txt", "-o", HOSTILE],
        &["check", &format!("{HOSTILE}*")],
        &["odds", "d.txt", HOSTILE],
        &["fix", HOSTILE],
        &["cards", "list", "--format", "shell", HOSTILE],
        &["match", "verify", HOSTILE],
        &["explain", HOSTILE],
    ];
    for call in calls {
        let run = decklaw(folder.path(), call);
        let said = text(&run.stdout) + &text(&run.stderr);
        assert!(!acts(&said), "{call:?}: {said:?}");
        assert_ne!(run.status.code(), Some(3), "{call:?}");
        assert!(
            !run.stderr.is_empty() || run.status.code() != Some(2),
            "{call:?}"
        );
        // A word of the call must not begin a line that could be taken for the program's own.
        assert!(!said.contains("\nc"), "{call:?}: {said:?}");
    }
}

/// File names too, wherever a file is named.
#[cfg(unix)]
#[test]
fn names_of_files_are_harmless_in_complaints() {
    let folder = tempfile::tempdir().unwrap();
    let name = format!("{HOSTILE}.txt");
    std::fs::write(
        folder.path().join(&name),
        "Format: shell\n\nMain\n6 Mos Sprite\nwhat\n",
    )
    .unwrap();
    let calls: [&[&str]; 7] = [
        &["check", &name],
        &["check", "."],
        &["check", &name, "-o", "github"],
        &["check", &name, "-o", "junit"],
        &["stats", &name],
        &["fix", &name],
        &["odds", &name],
    ];
    for call in calls {
        let run = decklaw(folder.path(), call);
        let said = text(&run.stdout) + &text(&run.stderr);
        assert!(
            !acts(&said) && !said.contains("\nc.txt"),
            "{call:?}: {said:?}"
        );
    }
}

/// A card file that was made safe for a spreadsheet is the same cards when it comes back: what
/// guards a cell is taken off, and an apostrophe of the name's own stays.
#[test]
fn a_guarded_card_file_comes_back_as_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let names = [
        "=1+1",
        "'Tis",
        "+2 Sword",
        "@home",
        "'=x",
        "Rain;=1+1",
        "-3",
        "a'b",
    ];
    let mut cards = "name,type,colour,mana,text\n".to_owned();
    for name in names {
        cards.push_str(&format!("\"{name}\",spell,red,1,\"=cmd;-x\"\n"));
    }
    std::fs::write(folder.path().join("cards.csv"), cards).unwrap();
    let list = |file: &str, kind: &str| {
        let call = [
            "cards", "list", "--format", "shell", "--cards", file, "-o", kind,
        ];
        let run = command(folder.path(), &call).output().unwrap();
        assert_eq!(run.status.code(), Some(0), "{}", text(&run.stderr));
        run.stdout
    };
    let cards = |file: &str| {
        let listed: serde_json::Value = serde_json::from_slice(&list(file, "json")).unwrap();
        listed["cards"].clone()
    };
    std::fs::write(
        folder.path().join("safe.csv"),
        list("cards.csv", "csv-excel"),
    )
    .unwrap();
    assert_eq!(cards("safe.csv"), cards("cards.csv"));
}
