//! `formats check` on a game of one's own: the files beside the format file count too.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod beside;
#[path = "../common/mod.rs"]
mod common;
mod decks;
mod foreign;
mod manual;
mod rules;
mod sayings;
mod together;
mod validators;
mod words;

use common::decklaw;

/// A game of one's own in a folder: its format file and its cards.
fn own_game(game: &str, cards: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let own = folder.path().join("formats/toy");
    std::fs::create_dir_all(&own).unwrap();
    let head = "schema: decklaw/format/1\ngame: toy\nname: Toy\ntext: none\n";
    std::fs::write(own.join("game.yaml"), format!("{head}{game}")).unwrap();
    std::fs::write(own.join("cards.csv"), cards).unwrap();
    folder
}

const TOY: &str = "fields:
  - {name: kind, kind: word}
  - {name: cost, kind: number}
sections: [{id: main, name: main deck, shuffled: true}, {id: side, name: side deck}]
formats: [{id: toy, name: Toy}]
";

const TOY_CARDS: &str = "name,kind,cost\nAsh,tree,1\nElm,tree,2\nRook,bird,3\n";

/// The rules of a toy game, one a line, each `must` in braces.
fn rules(rules: &[&str]) -> String {
    let rule = |must: &&str| format!("  - {{id: only, source: s, about: a, {must}}}\n");
    let rules: String = rules.iter().map(rule).collect();
    format!("{TOY}rules:\n{rules}")
}

/// What `formats check` says of a game of one's own, and its status.
fn told_of(game: &str, cards: &str) -> (Option<i32>, String) {
    let folder = own_game(game, cards);
    let call = ["formats", "check", "formats/toy/game.yaml"];
    let run = decklaw(folder.path(), &call);
    (run.status.code(), String::from_utf8(run.stdout).unwrap())
}
