//! Lists and queries that `fix` and `build` are given.

use crate::command::{run, text};
use std::process::Command;

#[test]
fn a_collection_is_read_as_any_spreadsheet_writes_it() {
    let folder = tempfile::tempdir().unwrap();
    for separator in [",", ";", "\t"] {
        let rows = [
            ["count", "name", "set"],
            ["20", "Marguerite Sluice", "x"],
            ["1", "\"Nobody, of nowhere\"", "y"],
        ];
        let rows = rows.map(|row| row.join(separator));
        std::fs::write(folder.path().join("own.csv"), rows.join("\r\n")).unwrap();
        let output = run(folder.path(), &["build", "versus/fast", "--own", "own.csv"]);
        assert!(output.status.success(), "{separator:?}: {output:?}");
        assert!(text(&output.stdout).contains("20 Marguerite Sluice"));
        assert!(text(&output.stderr).contains("`Nobody, of nowhere`"));
    }
    for (wrong, said) in [
        ("", "no header"),
        ("name;price\nOwl;3\n", "`count` is missing"),
        ("count;name\n1,5;Owl\n", "line 2"),
        ("sep=;\ncount;name\n1,5;Owl\n", "line 3"),
    ] {
        std::fs::write(folder.path().join("own.csv"), wrong).unwrap();
        let output = run(folder.path(), &["build", "versus/fast", "--own", "own.csv"]);
        assert_eq!(output.status.code(), Some(2), "{wrong:?}");
        assert!(text(&output.stderr).contains(said), "{wrong:?}: {output:?}");
    }
}

#[test]
fn a_deck_of_a_format_that_does_not_exist_is_unreadable_to_every_command() {
    let folder = tempfile::tempdir().unwrap();
    let source = "Format: nogame\n\nMain\n3 Owl\n";
    std::fs::write(folder.path().join("deck.txt"), source).unwrap();
    for arguments in [
        &["check", "deck.txt"][..],
        &["fix", "deck.txt"],
        &["fix", "deck.txt", "--write"],
        &["room", "deck.txt"],
        &["odds", "deck.txt", "1+ [Owl]", "--hand", "2"],
    ] {
        let output = run(folder.path(), arguments);
        assert_eq!(output.status.code(), Some(1), "{arguments:?}: {output:?}");
        let said = text(&output.stdout) + &text(&output.stderr);
        assert!(said.contains("`nogame`"), "{said}");
    }
    // Named in the call, it is the call that is wrong.
    let output = run(folder.path(), &["fix", "deck.txt", "--format", "nogame"]);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
}

#[test]
fn card_queries_may_begin_with_not() {
    let folder = tempfile::tempdir().unwrap();
    let source = "Format: versus/fast\nMain\n19 Marguerite Sluice\n";
    std::fs::write(folder.path().join("deck.txt"), source).unwrap();
    let arguments = [
        "fix",
        "deck.txt",
        "--only",
        "-type:trap -type:item",
        "--keep",
        "-type:trap",
    ];
    let output = run(folder.path(), &arguments);
    assert!(output.status.success(), "{output:?}");
    assert!(text(&output.stdout).contains("1 change,"), "{output:?}");
    let output = run(
        folder.path(),
        &["fix", "deck.txt", "--only", "-type:nothing", "--write"],
    );
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("in `only`"), "{output:?}");
    // In a list of cards the options may stand behind the query.
    for query in [
        &["-type:trap"][..],
        &["type:trap"],
        &["sluice", "type:character"],
    ] {
        let arguments = [&["cards", "list"], query, &["--format", "versus/fast"]].concat();
        let output = run(folder.path(), &arguments);
        assert!(output.status.success(), "{query:?}: {output:?}");
        let shown = text(&output.stdout);
        let traps = query.contains(&"type:trap");
        assert_eq!(shown.contains("Tripwire Bells"), traps, "{shown}");
        assert_eq!(shown.contains("Marguerite Sluice"), !traps, "{shown}");
    }
}

#[test]
fn a_folder_is_no_deck() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("decks")).unwrap();
    // `odds` answers for every deck of a folder, and this one has none.
    for command in ["fix", "odds"] {
        let output = run(folder.path(), &[command, "decks"]);
        assert_eq!(output.status.code(), Some(2));
        assert!(text(&output.stderr).contains("folder"), "{output:?}");
    }
}

#[test]
fn a_diff_is_coloured_where_that_is_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    let source = "Format: versus/fast\nMain\n19 Marguerite Sluice\n3 No\u{9b}body\n";
    std::fs::write(folder.path().join("deck.txt"), source).unwrap();
    let arguments = ["fix", "deck.txt", "--only", "\"Marguerite Sluice\""];
    let plain = run(folder.path(), &arguments);
    let plain = text(&plain.stdout);
    assert!(!plain.contains('\u{1b}'), "{plain:?}");
    let always = [&arguments[..], &["--color", "always"]].concat();
    let coloured = text(&run(folder.path(), &always).stdout);
    assert!(
        coloured.contains("\u{1b}[32m  + 1 Marguerite Sluice"),
        "{coloured:?}"
    );
    assert!(coloured.contains("\u{1b}[31m  - 3 No"), "{coloured:?}");
    assert!(!coloured.contains('\u{9b}'), "{coloured:?}");
    let bare = coloured
        .replace("\u{1b}[32m", "")
        .replace("\u{1b}[31m", "")
        .replace("\u{1b}[33m", "")
        .replace("\u{1b}[0m", "");
    assert_eq!(bare, plain);
    // A file gets none.
    let to_file = [&always[..], &["-o", "human=diff.txt"]].concat();
    assert!(run(folder.path(), &to_file).status.success());
    assert_eq!(
        std::fs::read_to_string(folder.path().join("diff.txt")).unwrap(),
        plain
    );
}

#[test]
fn odds_fit_a_terminal_of_40_columns_and_say_the_same() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::copy("decks/shell/ebb.txt", folder.path().join("deck.txt")).unwrap();
    let odds = |columns: Option<&str>| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_decklaw"));
        command
            .current_dir(folder.path())
            .env("DECKLAW_CONFIG", folder.path().join("no-configuration"))
            .env_remove("COLUMNS")
            .args(["odds", "deck.txt", "1+ [mana:3] and 2+ [colour:green]"])
            .args(["--turns", "4", "--keep-hand", "best"]);
        command.envs(columns.map(|columns| ("COLUMNS", columns)));
        text(&command.output().unwrap().stdout)
    };
    let (wide, narrow) = (odds(None), odds(Some("40")));
    assert!(wide.lines().any(|line| line.chars().count() > 40), "{wide}");
    for line in narrow.lines() {
        // A word that is longer than a line stays whole.
        let words = line.split_whitespace().count();
        assert!(line.chars().count() <= 40 || words == 1, "{line}\n{narrow}");
    }
    let words =
        |text: &str| -> Vec<String> { text.split_whitespace().map(str::to_owned).collect() };
    assert_eq!(words(&wide), words(&narrow));
}

#[test]
fn every_line_of_a_repair_fits_a_terminal_of_40_columns() {
    let folder = tempfile::tempdir().unwrap();
    for (case, arguments) in [
        ("decks/vainqueur/misfiled.txt", &[][..]),
        ("shell/side-overlap_bad", &[]),
        ("vanquishers/hero_bad", &[]),
        ("shell/points_bad", &["--only", "type:token"]),
        ("shell/side-overlap", &["swap", "in: \"Cloister Weed\" 1"]),
    ] {
        std::fs::write(folder.path().join("deck.txt"), crate::decks::text(case)).unwrap();
        let (command, arguments) = match arguments {
            ["swap", rest @ ..] => ("swap", rest),
            all => ("fix", all),
        };
        let output = Command::new(env!("CARGO_BIN_EXE_decklaw"))
            .current_dir(folder.path())
            .env("DECKLAW_CONFIG", folder.path().join("no-configuration"))
            .env("COLUMNS", "40")
            .args([command, "deck.txt", "--as-of", "2026-03-01"])
            .args(arguments)
            .output()
            .unwrap();
        let shown = text(&output.stdout);
        assert!(!shown.is_empty(), "{case}: {output:?}");
        for line in shown.lines() {
            assert!(line.chars().count() <= 40, "{case}: {line}\n{shown}");
        }
    }
}
