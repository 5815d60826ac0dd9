//! What stands beside a format file is checked with it, each with its place.

use crate::common::decklaw;
use crate::{TOY, TOY_CARDS, own_game};
use std::path::Path;

/// A copy of a built-in game, one of its files changed.
fn checked(file: &str, from: &str, to: &str) -> (Option<i32>, String) {
    let folder = tempfile::tempdir().unwrap();
    let own = folder.path().join("shell");
    std::fs::create_dir(&own).unwrap();
    let game = Path::new(env!("CARGO_MANIFEST_DIR")).join("formats/shell");
    for entry in std::fs::read_dir(game).unwrap() {
        let path = entry.unwrap().path();
        std::fs::copy(&path, own.join(path.file_name().unwrap())).unwrap();
    }
    let changed = own.join(file);
    let text = std::fs::read_to_string(&changed).unwrap();
    assert!(text.contains(from), "{from}");
    std::fs::write(&changed, text.replacen(from, to, 1)).unwrap();
    let run = decklaw(&own, &["formats", "check", "game.yaml"]);
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
    assert_eq!(
        files,
        ["game.yaml", "stats.yaml", "odds.yaml", "taste.yaml"]
    );
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
            "two statistics",
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
            .position(|line| line.trim_start().starts_with('·'));
        let marks = marks.unwrap_or_else(|| panic!("{to}: {said}"));
        let column = lines[marks].chars().position(|next| next == '─').unwrap();
        let marked: String = lines[marks - 1].chars().skip(column).collect();
        assert!(marked.starts_with(blamed), "{to}: {said}");
    }
}

#[test]
fn what_no_card_has_is_told_in_every_file_with_its_place() {
    for (file, from, to, told) in [
        (
            "odds.yaml",
            "mana<=2]",
            "mana<=2 colour:gren]",
            "no card has the `colour` `gren`; did you mean `green`?",
        ),
        (
            "odds.yaml",
            "expect: sum(mana)",
            "expect: 'sum(mana) [mana>=77]'",
            "no card has `mana>=77`; cards have 0 to",
        ),
        (
            "odds.yaml",
            "[type:spell mana>=1 mana<=2]",
            "[type:shell mana>=1]",
            "no card is in `[type:shell mana>=1]`",
        ),
        (
            "taste.yaml",
            "main: 8+ [colour:red]",
            "main: 8+ [colour:rde]",
            "did you mean `red`?",
        ),
        (
            "stats.yaml",
            "type:spell colour:green",
            "type:spell colour:geen",
            "did you mean `green`?",
        ),
    ] {
        let (status, said) = checked(file, from, to);
        // None of it is wrong: a pool may lag behind its files.
        assert_eq!(status, Some(0), "{to}: {said}");
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("formats/shell");
        let text = std::fs::read_to_string(folder.join(file)).unwrap();
        let line = text[..text.find(from).unwrap()].lines().count();
        let place = format!("{file}:{line}:");
        let notice = said.lines().find(|line| line.starts_with(&place));
        let notice = notice.unwrap_or_else(|| panic!("{place} {said}"));
        assert!(notice.contains("notice: in the query `"), "{notice}");
        assert!(notice.contains(told), "{notice}");
    }
    // What cannot be asked at all is wrong.
    for (from, to, told) in [
        (
            "main: 8+ [colour:red]",
            "main: 8+ [color:red]",
            "no field `color`",
        ),
        (
            "main: 8+ [colour:red]",
            "mian: 8+ [colour:red]",
            "no section `mian`",
        ),
        (
            "main: 8+ [colour:red]",
            "main: 8+ [colour:red",
            "never closed",
        ),
    ] {
        let (status, said) = checked("taste.yaml", from, to);
        assert_eq!(status, Some(1), "{to}: {said}");
        assert!(said.contains(told), "{to}: {said}");
    }
}

#[test]
fn what_no_card_has_is_told_of_a_setup_too() {
    let setup = "setups:\n  - seats: {between: [1, 1]}\n    decks: own\n    sections: [main]\n    records: {cost: {of: 'kind:QUERY'}}\n    zones: {seat: {pile: {seen: by-nobody, holds: main}}}\n    steps: [{do: {shuffle: {pile: pile}}}]\n";
    let check = |query: &str| {
        let folder = own_game(
            &format!("{TOY}{}", setup.replace("QUERY", query)),
            TOY_CARDS,
        );
        let run = decklaw(
            folder.path(),
            &["formats", "check", "formats/toy/game.yaml"],
        );
        String::from_utf8(run.stdout).unwrap()
    };
    assert!(!check("tree").contains("notice"), "{}", check("tree"));
    let said = check("tre");
    assert!(
        said.contains(":14:") && said.contains("notice: in the query `kind:tre`"),
        "{said}"
    );
    assert!(said.contains("did you mean `tree`?"), "{said}");
    let said = check("tree brid:2");
    assert!(
        said.contains("no field `brid`") && said.contains("─"),
        "{said}"
    );
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

/// What is wrong with how a match starts is told where it stands.
#[test]
fn a_setup_that_names_what_is_not_there_is_told_with_the_place() {
    const SETUP: &str = "setups:
  - seats: {between: [2, 2]}
    decks: own
    sections: [main, side]
    options: {night: {one-of: [no, yes], default: no}}
    records: {cost: {of: 'kind:a'}}
    zones:
      seat:
        deck: {seen: by-nobody, holds: main}
        side: {seen: by-owner, holds: side}
        hand: {seen: by-owner, when: {night: [no]}}
    counters: {life: {start: {card: {section: side, field: cost}}}}
    steps:
      - do: {shuffle: {pile: deck}}
      - do: {deal: {from: deck, to: hand, cards: {each: 3}}}
";
    let whole = format!("{TOY}{SETUP}");
    let folder = own_game(&whole, TOY_CARDS);
    let run = decklaw(folder.path(), &["formats", "check", "formats/toy"]);
    assert_eq!(run.status.code(), Some(0), "{run:?}");
    for (from, to, word, told) in [
        ("pile: deck", "pile: dek", "dek", "names the zone `dek`"),
        ("from: deck", "from: dock", "dock", "names the zone `dock`"),
        ("holds: main", "holds: mian", "mian", "holds `mian`"),
        ("[main, side]", "[main, syde]", "syde", "no section `syde`"),
        (
            "field: cost",
            "field: hp",
            "hp",
            "the field `hp`, which is not among the `records`",
        ),
        (
            "section: side",
            "section: sight",
            "sight",
            "a card of `sight`, which is no section",
        ),
        (
            "default: no",
            "default: off",
            "off",
            "the default of `night`",
        ),
        (
            "{night: [no]}",
            "{nacht: [no]}",
            "nacht",
            "the option `nacht`",
        ),
        (
            "{between: [2, 2]}",
            "{between: [2, 7]}",
            "{between",
            "1 to 4 seats",
        ),
    ] {
        assert!(whole.contains(from), "{from}");
        let wrong = whole.replacen(from, to, 1);
        let folder = own_game(&wrong, TOY_CARDS);
        let run = decklaw(folder.path(), &["formats", "check", "formats/toy"]);
        let said = String::from_utf8(run.stdout).unwrap();
        assert_eq!(run.status.code(), Some(1), "{said}");
        let file = std::fs::read_to_string(folder.path().join("formats/toy/game.yaml")).unwrap();
        let at = file.find(to).unwrap() + to.find(word).unwrap();
        let line = file[..at].matches('\n').count() + 1;
        let column = at - file[..at].rfind('\n').unwrap();
        let place = format!(":{line}:{column}: setup: ");
        let found = said
            .lines()
            .any(|one| one.contains(&place) && one.contains(told));
        assert!(found, "{place}{told}\n{said}");
    }
}

/// A folder of another name than its game is told by whoever looks for the game.
#[test]
fn a_game_in_a_folder_of_another_name_is_told() {
    let folder = own_game(TOY, TOY_CARDS);
    let formats = folder.path().join("formats");
    std::fs::rename(formats.join("toy"), formats.join("tory")).unwrap();
    std::fs::write(folder.path().join("deck.txt"), "Format: toy\n1 Ash\n").unwrap();
    let own = folder.path().join("decklaw.yaml");
    std::fs::write(own, "formats: [formats]\n").unwrap();
    let told = "the game is called `toy` here, and its folder `tory`";
    for (call, status) in [
        (vec!["formats", "check", "formats/tory"], 1),
        (vec!["formats", "check", "formats/tory/game.yaml"], 0),
        (vec!["check", "deck.txt"], 2),
        (vec!["build", "toy"], 2),
    ] {
        let run = decklaw(folder.path(), &call);
        let said = String::from_utf8_lossy(&run.stdout) + String::from_utf8_lossy(&run.stderr);
        assert!(said.contains(told), "{call:?}: {said}");
        assert_eq!(run.status.code(), Some(status), "{call:?}: {said}");
    }
}
