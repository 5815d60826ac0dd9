//! `decklaw swap`: what it counts, and what it says of the side deck.

use crate::command::{run, text};
use serde_json::Value;

/// A registered deck whose side deck has three copies of a card, so that one of them alone
/// can come in: then the card is in both.
fn registered() -> String {
    crate::decks::text("shell/side-overlap")
}

fn distance_of(fix: &Value) -> i64 {
    let changes = fix["changes"].as_array().unwrap().iter();
    let moved = changes
        .map(|change| (change["to"].as_i64().unwrap() - change["from"].as_i64().unwrap()).abs());
    moved.sum()
}

#[test]
fn a_swap_counts_both_ends_of_each_move() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("deck.txt"), registered()).unwrap();
    for wish in [
        "in: \"Cloister Weed\"",
        "in: \"Cloister Weed\" 2",
        "in: \"Foxglove Tariff\" 3; in: \"Pollen Court\"",
        "out: \"Boundary Oak\"",
    ] {
        let output = run(folder.path(), &["swap", "deck.txt", wish, "-o", "json"]);
        assert_eq!(output.status.code(), Some(0), "{wish}: {output:?}");
        let fix: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(fix["distance"], distance_of(&fix), "{wish}: {fix}");
        assert_eq!(fix["bound"], fix["distance"], "{wish}: {fix}");
        assert_eq!(fix["optimal"], true, "{wish}: {fix}");
    }
}

#[test]
fn what_a_side_deck_may_hold_is_advice_after_a_swap_everywhere() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("deck.txt");
    std::fs::write(&file, registered()).unwrap();
    // Of the two copies in the side deck one comes in: the card is then in both.
    let wish = "in: \"Cloister Weed\" 1";
    let output = run(folder.path(), &["swap", "deck.txt", wish, "-o", "json"]);
    let fix: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(fix["after"]["verdict"], "legal", "{fix}");
    let findings = fix["after"]["findings"].as_array().unwrap();
    assert!(findings.iter().any(|found| found["rule"] == "side-overlap"));
    assert!(findings.iter().all(|found| found["severity"] != "error"));
    let human = run(folder.path(), &["swap", "deck.txt", wish]);
    let shown = text(&human.stdout);
    assert!(shown.contains("warning: side-overlap"), "{shown}");
    assert!(!shown.contains("error"), "{shown}");
    assert!(human.stderr.is_empty());
    // Written, it is the deck as played, and that is said.
    let written = run(folder.path(), &["swap", "deck.txt", wish, "--write"]);
    assert_eq!(written.status.code(), Some(0));
    let said = text(&written.stderr);
    assert!(said.contains("as it is played after the swap"), "{said}");
    assert!(said.contains("side-overlap"), "{said}");
    let check = run(folder.path(), &["check", "deck.txt"]);
    assert_eq!(check.status.code(), Some(1));
    // From there the next swap goes on.
    let back = run(
        folder.path(),
        &["swap", "deck.txt", "in: \"Cloister Weed\" 1", "-o", "json"],
    );
    assert_eq!(back.status.code(), Some(0), "{back:?}");
}

#[test]
fn what_no_swap_can_mend_is_no_swap() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("deck.txt");
    let one_extra = registered() + "\nExtra\n1 Copse Made of Doors\n";
    std::fs::write(&file, &one_extra).unwrap();
    let arguments = ["swap", "deck.txt", "in: \"Cloister Weed\" 2"];
    let output = run(folder.path(), &arguments);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    assert!(text(&output.stdout).contains("extra-size: "), "{output:?}");
    let mut writing = arguments.to_vec();
    writing.push("--write");
    assert_eq!(run(folder.path(), &writing).status.code(), Some(1));
    assert_eq!(std::fs::read_to_string(&file).unwrap(), one_extra);
}
