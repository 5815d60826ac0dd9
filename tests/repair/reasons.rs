//! The reasons that `fix` and `build` give.

use crate::command::{run, text};
use serde_json::Value;

#[test]
fn both_ends_of_an_exchange_serve_the_rule_that_was_broken() {
    let folder = tempfile::tempdir().unwrap();
    let deck = "decks/vanquishers/borrowed-guns.txt";
    std::fs::copy(deck, folder.path().join("deck.txt")).unwrap();
    // Among equals the Hero stays; here the gun does.
    let call = ["fix", "deck.txt", "--keep", "pepperbox", "-o", "json"];
    let output = run(folder.path(), &call);
    let fix: Value = serde_json::from_slice(&output.stdout).unwrap();
    let changes = fix["changes"].as_array().unwrap();
    // The deck breaks two rules, and each change is for one of the two.
    let heroes: Vec<&Value> = changes
        .iter()
        .filter(|change| change["section"] == "hero")
        .collect();
    assert_eq!(heroes.len(), 2, "{fix}");
    for change in heroes {
        assert_eq!(
            change["rules"],
            serde_json::json!(["hero-restriction"]),
            "{fix}"
        );
    }
    for change in changes.iter().filter(|change| change["section"] == "main") {
        assert_eq!(change["rules"], serde_json::json!(["copies"]), "{fix}");
    }
}

#[test]
fn a_game_s_own_words_stand_in_its_sentences() {
    let folder = tempfile::tempdir().unwrap();
    let deck = "decks/vanquishers/borrowed-guns.txt";
    std::fs::copy(deck, folder.path().join("deck.txt")).unwrap();
    let arguments = ["fix", "deck.txt", "--keep", "type:hero or pepperbox"];
    let output = run(folder.path(), &arguments);
    assert_eq!(output.status.code(), Some(1));
    let said = text(&output.stdout);
    let said = said.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(
        said.contains("permitted by the card in the Hero section"),
        "{said}"
    );
    assert!(!said.contains("identity"), "{said}");
}

#[test]
fn what_is_preferred_and_not_met_is_said_as_it_was_asked() {
    let folder = tempfile::tempdir().unwrap();
    let wish = "25+ [type:trap]";
    let output = run(folder.path(), &["build", "versus/fast", "--prefer", wish]);
    assert!(output.status.success());
    // A deck of 20 cards has 20 traps at most.
    let said = text(&output.stderr);
    assert!(
        said.contains("not met: 25+ [type:trap]; it is 5 away"),
        "{said}"
    );
    let arguments = ["build", "versus/fast", "--prefer", wish, "-o", "json"];
    let build: Value = serde_json::from_slice(&run(folder.path(), &arguments).stdout).unwrap();
    let preferred = serde_json::json!([{"wish": wish, "missed": 5}]);
    assert_eq!(build["preferred"], preferred);
    // Among rules that contradict each other a wish is told apart from them.
    let output = run(folder.path(), &["build", "versus/fast", "--wish", wish]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("wished: 25+ [type:trap]"));
}
