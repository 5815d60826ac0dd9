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
    let note =
        "note: decks: 6 files are no decks: 2 .docx, 1 .csv, 1 .png, 1 hidden, 1 without an ending";
    assert!(said.contains(note), "{said}");
}

#[test]
fn what_a_pattern_cannot_mean_is_told_without_jargon() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("file"), "").unwrap();
    for (pattern, said) in [
        ("decks/*.txt", "decks: there is no such file or folder"),
        ("*.txt", "`*.txt` matches no file"),
        ("file/*.txt", "matches no file"),
        ("[file", "`[file` is no pattern: a `[` is not closed"),
        ("[z-a]*", "`[z-a]` runs backwards"),
        ("{a,b", "a `{` is not closed"),
        ("*}", "a `}` closes nothing"),
        ("*\\", "nothing stands behind the last `\\`"),
    ] {
        let run = decklaw(folder.path(), &["check", pattern]);
        let told = text(&run.stderr);
        assert_eq!(run.status.code(), Some(2), "{told}");
        assert!(told.contains(said) && !told.contains("os error"), "{told}");
    }
}
