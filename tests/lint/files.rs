//! The files of a game: their names, their folder, and the commands that ask for them.

use crate::common::decklaw;
use crate::copy_game;
use std::path::Path;
use std::process::Output;

const TOY: &str = "schema: decklaw/format/1
game: toy
name: Toy
text: none
fields: [{name: kind, kind: word}, {name: cost, kind: number}]
sections: [{id: main, name: main deck, shuffled: true}]
";

fn toy(folder: &Path, formats: &str, cards: &str) {
    let own = folder.join("formats/toy");
    std::fs::create_dir_all(&own).unwrap();
    std::fs::write(own.join("game.yaml"), format!("{TOY}{formats}")).unwrap();
    std::fs::write(own.join("cards.csv"), cards).unwrap();
}

fn said(run: &Output) -> String {
    String::from_utf8_lossy(&run.stdout).into_owned() + &String::from_utf8_lossy(&run.stderr)
}

#[test]
fn card_files_count_their_lines_alike_however_they_end() {
    let cards = [
        "name,kind,cost",
        "Ash,tree,1",
        "",
        "Elm,tree,many",
        "Ash,tree,2",
        "Oak,tree",
    ];
    for ending in ["\n", "\r\n"] {
        let folder = tempfile::tempdir().unwrap();
        toy(
            folder.path(),
            "formats: [{id: toy, name: Toy}]\n",
            &cards.join(ending),
        );
        let call = ["cards", "check", "formats/toy/cards.csv", "--format", "toy"];
        let report = said(&decklaw(folder.path(), &call));
        for line in [
            "line 4, column `cost`",
            "line 5, column `name`",
            "line 6: 2 cells",
        ] {
            assert!(report.contains(line), "{ending:?}: {report}");
        }
    }
}

#[test]
fn a_game_says_which_format_its_id_alone_means() {
    for (default, verdict) in [("default: toy/b\n", "legal"), ("", "unreadable")] {
        let folder = tempfile::tempdir().unwrap();
        let formats = "formats: [{id: toy/a, name: A}, {id: toy/b, name: B}]\n";
        toy(folder.path(), &format!("{default}{formats}"), "name\nAsh\n");
        std::fs::write(folder.path().join("deck.txt"), "Format: toy\n1 Ash\n").unwrap();
        let run = decklaw(folder.path(), &["check", "deck.txt", "-o", "json"]);
        let answer: serde_json::Value = serde_json::from_slice(&run.stdout).unwrap();
        std::fs::write(folder.path().join("formats/toy/card.csv"), "name\n").unwrap();
        let report = said(&decklaw(
            folder.path(),
            &["formats", "check", "formats/toy"],
        ));
        assert!(report.contains("card.csv: notice: "), "{report}");
        assert_eq!(answer["decks"][0]["verdict"], verdict);
        assert_eq!(answer["decks"][0]["format"] == "toy/b", verdict == "legal");
    }
}

/// A game under another folder's name would leave the built-in game of its name in force.
#[test]
fn a_game_is_called_as_its_folder_is() {
    let folder = tempfile::tempdir().unwrap();
    let mine = folder.path().join("formats/mine");
    std::fs::create_dir_all(&mine).unwrap();
    copy_game("shell", &mine);
    std::fs::write(folder.path().join("decklaw.yaml"), "formats: [formats]\n").unwrap();
    let status = |call: &[&str]| {
        let run = decklaw(folder.path(), call);
        let is_named = said(&run).contains("called `shell` here, and its folder `mine`");
        (run.status.code(), is_named)
    };
    assert_eq!(
        status(&["formats", "check", "formats/mine"]),
        (Some(1), true)
    );
    assert_eq!(status(&["formats", "list"]), (Some(2), true));
    // One wrong folder hides no other game.
    assert_eq!(status(&["explain", "vainqueur/copies"]), (Some(0), false));
    std::fs::rename(&mine, folder.path().join("formats/shell")).unwrap();
    assert_eq!(
        status(&["formats", "check", "formats/shell"]),
        (Some(0), false)
    );
    assert_eq!(status(&["formats", "list"]), (Some(0), false));
}

#[test]
fn who_looks_for_a_game_in_another_folder_learns_where_it_is() {
    let folder = tempfile::tempdir().unwrap();
    toy(
        folder.path(),
        "formats: [{id: toy, name: Toy}]\n",
        "name\nAsh\n",
    );
    let formats = folder.path().join("formats");
    std::fs::rename(formats.join("toy"), formats.join("tory")).unwrap();
    std::fs::write(folder.path().join("deck.txt"), "Format: toy\n1 Ash\n").unwrap();
    std::fs::write(folder.path().join("decklaw.yaml"), "formats: [formats]\n").unwrap();
    for call in [["check", "deck.txt"], ["build", "toy"]] {
        let run = decklaw(folder.path(), &call);
        assert_eq!(run.status.code(), Some(2), "{run:?}");
        assert!(said(&run).contains("its folder `tory`"), "{run:?}");
    }
}

/// Judging a deck needs no setup; starting a match does.
#[test]
fn a_wrong_setup_stops_only_matches() {
    let folder = tempfile::tempdir().unwrap();
    let own = folder.path().join("formats/shell");
    std::fs::create_dir_all(&own).unwrap();
    copy_game("shell", &own);
    let game = std::fs::read_to_string(own.join("game.yaml")).unwrap();
    std::fs::write(
        own.join("game.yaml"),
        game.replacen("deck: {seen", "dekc: {seen", 1),
    )
    .unwrap();
    let deck = Path::new(env!("CARGO_MANIFEST_DIR")).join("decks/shell/ash-and-acorn.txt");
    let deck = deck.to_str().unwrap();
    assert_eq!(
        decklaw(folder.path(), &["check", deck]).status.code(),
        Some(0)
    );
    let call = ["match", "new", "shell", "--deck", deck, "--deck", deck];
    let run = decklaw(folder.path(), &call);
    assert_eq!(run.status.code(), Some(2), "{run:?}");
}
