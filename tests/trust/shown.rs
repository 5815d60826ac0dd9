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

/// Whether a CI service would find a command of its own in a log: it looks behind white space.
fn commands(said: &str) -> bool {
    let begins = |line: &str| {
        let rest = line.trim_start().strip_prefix("::");
        rest.is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_alphabetic()))
    };
    said.lines().any(begins) || said.contains("##[") || said.contains("##vso[")
}

/// Files of strangers, shown in the log of a CI service: decks, lists, cards, games, tables.
#[test]
fn what_is_shown_of_a_strangers_file_is_no_command_of_a_ci_service() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
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
        write(
            "d.txt",
            &format!("Format: shell\nName: {hostile}\n\nMain\n6 {hostile}\n3x\n{hostile}\n"),
        );
        write("any.txt", &format!("Format: any\n\nMain\n6 {hostile}\n"));
        write(
            "list.yaml",
            &format!("schema: decklaw/banlist/1\nid: x\n{hostile}\ngame: shell\n"),
        );
        write(
            "other.yaml",
            &format!(
                "schema: decklaw/banlist/1\nid: x\ngame: shell\nname: X\neffective: 2026-01-01\nbanned:\n  - \"{hostile}\"\n"
            ),
        );
        write(
            "cards.csv",
            &format!("name,type\n{hostile},{hostile}\n\"{hostile}\",spell,x,y\n"),
        );
        write(
            "form.csv",
            &format!("Name,Deck\n{hostile},\"{hostile}\n{hostile}\"\n{hostile},b,{hostile}\n"),
        );
        write("decklaw.yaml", "banlists: []\n");
        let calls: [&[&str]; 14] = [
            &["check", "d.txt"],
            &["check", "any.txt", "-v"],
            &["stats", "any.txt"],
            &["odds", "any.txt", "--hand", "3", "1+ []"],
            &["odds", "any.txt", "--hand", "3", hostile],
            &["fix", "d.txt"],
            &["banlist", "check", "list.yaml"],
            &["banlist", "check", "other.yaml"],
            &["banlist", "show", "other.yaml"],
            &["cards", "check", "--format", "shell", "cards.csv"],
            &["cards", "list", "--format", "any", "--cards", "cards.csv"],
            &[
                "check",
                "--submissions",
                "form.csv",
                "--format",
                "any",
                "-v",
            ],
            &["check", "d.txt", "--banlist", "list.yaml"],
            &["explain", hostile],
        ];
        for call in calls {
            let run = decklaw(folder.path(), call);
            let said = text(&run.stdout) + &text(&run.stderr);
            assert!(!commands(&said), "{call:?}: {said}");
            assert_ne!(run.status.code(), Some(3), "{call:?}: {said}");
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
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    write(
        "d.txt",
        &format!("Format: any\nName: {hostile}\nPlayer: {hostile}\n\nMain\n6 {hostile}\n"),
    );
    write("bad.txt", &format!("Format: shell\n\nMain\n6 {hostile}\n"));
    write(
        "form.csv",
        &format!("Name,Deck\n{hostile},\"Format: any\n\n1 {hostile}\n\"\n"),
    );
    for kind in ["csv", "csv-excel"] {
        let calls: [&[&str]; 6] = [
            &["check", "d.txt", "bad.txt"],
            &["check", "d.txt", "bad.txt", "--summary"],
            &["check", "--submissions", "form.csv"],
            &["stats", "d.txt"],
            &["odds", "d.txt", "--hand", "2", "1+ []"],
            &["cards", "list", "--format", "shell"],
        ];
        for call in calls {
            let run = decklaw(folder.path(), &[call, &["-o", kind]].concat());
            let said = text(&run.stdout);
            assert!(!said.is_empty(), "{call:?}: {}", text(&run.stderr));
            let acts = |c: char| c.is_control() && !matches!(c, '\n' | '\r' | '\t');
            assert!(!said.contains(acts), "{call:?}: {said:?}");
        }
    }
}
