//! `formats check` on a game of one's own: the files beside the format file count too.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::path::Path;
use std::process::{Command, Output};

fn decklaw(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_decklaw"))
        .args(arguments)
        .current_dir(folder)
        .env("DECKLAW_CONFIG", folder)
        .output()
        .unwrap()
}

/// A copy of a built-in game, one of its files changed.
fn checked(file: &str, from: &str, to: &str) -> (Option<i32>, String) {
    let folder = tempfile::tempdir().unwrap();
    let game = Path::new(env!("CARGO_MANIFEST_DIR")).join("formats/shell");
    for entry in std::fs::read_dir(game).unwrap() {
        let path = entry.unwrap().path();
        std::fs::copy(&path, folder.path().join(path.file_name().unwrap())).unwrap();
    }
    let changed = folder.path().join(file);
    let text = std::fs::read_to_string(&changed).unwrap();
    assert!(text.contains(from), "{from}");
    std::fs::write(&changed, text.replacen(from, to, 1)).unwrap();
    let run = decklaw(folder.path(), &["formats", "check", "game.yaml"]);
    (run.status.code(), String::from_utf8(run.stdout).unwrap())
}

#[test]
fn every_file_of_a_game_is_checked_with_its_place() {
    let (status, said) = checked("stats.yaml", "sections", "sections");
    assert_eq!(status, Some(0), "{said}");
    let files: Vec<&str> = said
        .lines()
        .filter_map(|line| line.split(':').next())
        .collect();
    assert_eq!(files, ["game.yaml", "stats.yaml", "odds.yaml"]);
    for (file, from, to, blamed, word) in [
        (
            "stats.yaml",
            "sections:",
            "section:",
            "section: [main]",
            "section",
        ),
        (
            "stats.yaml",
            "[main]",
            "[mian]",
            "mian]",
            "no section `mian`",
        ),
        (
            "stats.yaml",
            "id: colours",
            "id: curve",
            "curve, name: Colours",
            "twice",
        ),
        (
            "stats.yaml",
            ", count: mana",
            "",
            "curve, name",
            "needs a `count`",
        ),
        (
            "stats.yaml",
            "count: mana",
            "count: manna",
            "manna",
            "no field `manna`",
        ),
        (
            "stats.yaml",
            "sum: mana",
            "sum: colour",
            "colour",
            "is no number",
        ),
        ("stats.yaml", "type:spell", "tpye:spell", "\"tpye", "tpye"),
        (
            "odds.yaml",
            "section: main",
            "section: mian",
            "mian",
            "no section `mian`",
        ),
        ("odds.yaml", "presets:", "preset:", "preset:", "preset"),
        (
            "odds.yaml",
            "query: ",
            "query: 1+ [manna<3] or ",
            "1+ [manna",
            "manna",
        ),
        ("odds.yaml", "query: ", "query: 1+ [ or ", "1+ [ or", ""),
    ] {
        let (status, said) = checked(file, from, to);
        assert_eq!(status, Some(1), "{to}: {said}");
        let place = said
            .lines()
            .find(|line| line.starts_with(&format!("{file}:")));
        let place = place.unwrap_or_else(|| panic!("{to}: {said}"));
        assert!(place.contains(word), "{to}: {said}");
        // The marks stand under what is to blame.
        let lines: Vec<&str> = said.lines().collect();
        let marks = lines
            .iter()
            .position(|line| line.trim_start().starts_with('^'));
        let marks = marks.unwrap_or_else(|| panic!("{to}: {said}"));
        let column = lines[marks].find('^').unwrap();
        assert!(
            lines[marks - 1][column..].starts_with(blamed),
            "{to}: {said}"
        );
    }
}

#[test]
fn how_matches_start_is_told_to_who_starts_one() {
    let (status, said) = checked("game.yaml", "deck: {seen", "dekc: {seen");
    assert_eq!(status, Some(1), "{said}");
    assert!(
        said.contains("the zone `deck`, which is not there"),
        "{said}"
    );

    // Judging a deck does not ask for it.
    let folder = tempfile::tempdir().unwrap();
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let own = folder.path().join("formats/shell");
    std::fs::create_dir_all(&own).unwrap();
    for file in ["game.yaml", "cards.csv"] {
        let text = std::fs::read_to_string(root.join("formats/shell").join(file)).unwrap();
        std::fs::write(
            own.join(file),
            text.replacen("deck: {seen", "dekc: {seen", 1),
        )
        .unwrap();
    }
    let deck = root.join("decks/shell/ash-and-acorn.txt");
    let deck = deck.to_str().unwrap();
    let run = decklaw(folder.path(), &["check", deck]);
    assert_eq!(run.status.code(), Some(0), "{run:?}");
    let run = decklaw(
        folder.path(),
        &["match", "new", "shell", "--deck", deck, "--deck", deck],
    );
    let said = String::from_utf8(run.stderr).unwrap();
    assert_eq!(run.status.code(), Some(2), "{said}");
    assert!(
        said.contains("the zone `deck`, which is not there"),
        "{said}"
    );
}

#[test]
fn a_section_that_no_deck_has_is_no_row_of_zeros() {
    let folder = tempfile::tempdir().unwrap();
    let deck = "Format: any\n\nRoad\n1 Moss\n\nWeather\n2 Fog\n";
    std::fs::write(folder.path().join("deck.txt"), deck).unwrap();
    let counts = |section| decklaw(folder.path(), &["stats", "deck.txt", "--section", section]);
    let run = counts("weather");
    assert_eq!(run.status.code(), Some(0));
    let run = counts("Wether");
    let said = String::from_utf8(run.stderr).unwrap();
    assert_eq!(run.status.code(), Some(1), "{said}");
    assert!(
        said.contains("no section `Wether`; it has road and weather"),
        "{said}"
    );
}
