//! Whatever decides and is not built in stands in the JSON of commands about lists and matches.

use super::{decklaw, text};
use serde_json::Value;
use std::path::Path;

const LIST: &str = "schema: decklaw/banlist/1\nid: mine\ngame: shell\nname: Mine\n\
    effective: 2026-01-01\nbanned:\n  - Red Sun Statute\n";

/// A folder whose configuration brings a list and cards of one's own.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let (here, root) = (folder.path(), Path::new(env!("CARGO_MANIFEST_DIR")));
    std::fs::create_dir(here.join("lists")).unwrap();
    std::fs::write(here.join("lists/mine.yaml"), LIST).unwrap();
    let configuration = "banlists: [lists]\ncards: {shell: own-cards.csv}\n";
    std::fs::write(here.join("decklaw.yaml"), configuration).unwrap();
    std::fs::copy(
        root.join("formats/shell/cards.csv"),
        here.join("own-cards.csv"),
    )
    .unwrap();
    std::fs::copy(root.join("decks/shell/ebb.txt"), here.join("deck.txt")).unwrap();
    folder
}

/// The kinds of what a document says was not built in, and whether each has its digest.
fn given(document: &Value) -> Vec<&str> {
    let inputs = document["inputs"].as_array().unwrap();
    let kind = |input: &'_ Value| {
        let digest = input["sha256"].as_str().unwrap();
        assert_eq!(digest.len(), 64, "{input}");
    };
    inputs.iter().for_each(kind);
    inputs
        .iter()
        .map(|input| input["kind"].as_str().unwrap())
        .collect()
}

#[test]
fn commands_about_lists_and_matches_name_every_input() {
    let folder = folder();
    let run = |words: &[&str]| {
        let run = decklaw(folder.path(), words);
        assert_eq!(
            run.status.code(),
            Some(0),
            "{words:?}: {}",
            text(&run.stderr)
        );
        run
    };
    run(&[
        "match",
        "new",
        "shell",
        "--deck",
        "deck.txt",
        "--deck",
        "deck.txt",
        "--to",
        "match.json",
    ]);
    for (words, wanted) in [
        (&["banlist", "list"][..], &["banlist"][..]),
        (&["banlist", "show", "mine"], &["banlist"]),
        (
            &["banlist", "diff", "shell-sample-2026-01", "mine"],
            &["banlist"],
        ),
        (&["match", "verify", "match.json"], &["banlist", "cards"]),
    ] {
        let call = [words, &["-o", "json"]].concat();
        let told: Value = serde_json::from_slice(&run(&call).stdout).unwrap();
        assert_eq!(given(&told), wanted, "{words:?}: {told}");
    }
}
