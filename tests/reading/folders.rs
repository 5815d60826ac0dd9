//! Folders of all sorts of files.

use super::{decklaw, text};

#[test]
fn a_folder_says_what_it_passed_over_and_reads_tables_with_the_columns_of_a_deck() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, content: &str| {
        let path = folder.path().join("decks").join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, content).unwrap();
    };
    write("a.txt", "Format: any\n\n3 Ant\n");
    write("in/b.csv", "Qty;Card Name\n3;Ant\n");
    write(
        "in/c.cod",
        "<cockatrice_deck version=\"1\"><zone name=\"main\"><card number=\"3\" name=\"Ant\"/></zone></cockatrice_deck>",
    );
    for name in [
        "x.docx",
        "in/y.DOCX",
        "in/z.png",
        "README",
        ".hidden.txt",
        "in/cards.csv",
        // The files of a game, of an event, and the configuration.
        "game/game.yaml",
        "game/odds.yaml",
        "event/event.yaml",
        "event/lock",
        "decklaw.yaml",
    ] {
        write(name, "name,type\n");
    }
    let run = decklaw(
        folder.path(),
        &["check", "decks", "--format", "any", "-o", "ndjson"],
    );
    assert_eq!(
        text(&run.stdout).lines().count(),
        3,
        "{}",
        text(&run.stdout)
    );
    assert!(run.status.success());
    let hashes: Vec<serde_json::Value> = text(&run.stdout)
        .lines()
        .map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap()["hash"].clone())
        .collect();
    assert!(hashes.iter().all(|hash| *hash == hashes[0]));
    let said = text(&run.stderr);
    let note = "note: skipped 11 files in decks that are not decks: 4 .yaml, 2 .docx, 2 without an ending, 1 .csv, 1 .png, 1 hidden";
    assert!(said.contains(note), "{said}");
}

#[test]
fn what_a_pattern_cannot_mean_is_told_without_jargon() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("file"), "").unwrap();
    for (pattern, said) in [
        ("decks/*.txt", "`decks/*.txt` matches no file"),
        ("*.txt", "`*.txt` matches no file"),
        ("file/*.txt", "matches no file"),
        ("[file", "`[file` is no pattern: unclosed character class"),
        ("[z-a]*", "invalid range"),
        ("{a,b", "unclosed alternate group"),
        ("*}", "is no pattern"),
        ("*\\", "is no pattern"),
    ] {
        let run = decklaw(folder.path(), &["check", pattern]);
        let told = text(&run.stderr);
        assert_eq!(run.status.code(), Some(2), "{told}");
        assert!(told.contains(said) && !told.contains("os error"), "{told}");
    }
}

/// Files of games, lists and matches that stand among decks are told as what they are, each once.
#[test]
fn other_files_of_ours_are_no_decks_and_said_once() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = tempfile::tempdir().unwrap();
    let list = "banlists/vainqueur/sample-2026-01.yaml";
    let files = [root.join("formats/shell/game.yaml"), root.join(list)];
    for (at, file) in files.iter().enumerate() {
        std::fs::copy(file, folder.path().join(format!("file-{at}.yaml"))).unwrap();
    }
    let deck = root.join("decks/shell/ash-and-acorn.txt");
    let new = [
        "match",
        "new",
        deck.to_str().unwrap(),
        deck.to_str().unwrap(),
    ];
    let options = ["--allow-illegal", "--to", "match.json"];
    decklaw(folder.path(), &[&new[..], &options].concat());
    let run = decklaw(folder.path(), &["check", ".", "-o", "json"]);
    let told: serde_json::Value = serde_json::from_slice(&run.stdout).unwrap();
    let decks = told["decks"].as_array().unwrap();
    assert_eq!(decks.len(), files.len() + 1, "{told}");
    for deck in decks {
        assert_eq!(deck["verdict"], "unreadable");
        let findings = deck["findings"].as_array().unwrap();
        assert_eq!(findings.len(), 1, "{deck}");
        let message = findings[0]["message"].as_str().unwrap();
        assert!(
            message.starts_with("This is no deck: its `schema` is `decklaw/"),
            "{message}"
        );
    }
}
