//! Thousands of unknown names. `tests/program/calls/fix.md` corrects a few.

use super::calls::run;
use std::fs::write;

#[test]
fn thousands_of_names_are_answered_like_a_few() {
    let folder = tempfile::tempdir().unwrap();
    let answer = |count: usize, call: &[&str], status: i32| -> serde_json::Value {
        let lines: String = (0..count).map(|at| format!("1 Nobody Knows {at}\n")).collect();
        let deck = format!("Format: shell\nMain\n{lines}");
        write(folder.path().join("deck.txt"), deck).unwrap();
        let output = run(folder.path(), &[call, &["-o", "json"]].concat());
        assert_eq!(output.status.code(), Some(status), "{call:?}: {output:?}");
        serde_json::from_slice(&output.stdout).unwrap()
    };
    let pairs = |found: &serde_json::Value| -> Vec<(String, String)> {
        let rooms = found["room"].as_array().unwrap().iter();
        let text = |room: &serde_json::Value, key: &str| room[key].as_str().unwrap().to_owned();
        rooms.map(|room| (text(room, "section"), text(room, "card"))).collect()
    };
    let few = answer(3, &["room", "deck.txt"], 0);
    for count in [3, 2400] {
        let checked = answer(count, &["check", "deck.txt"], 1);
        let unknown = checked["decks"][0]["findings"].as_array().unwrap().iter();
        let unknown = unknown.filter(|found| found["rule"] == "unknown-card");
        assert!(unknown.count() >= count, "every name is told");
        let fixed = answer(count, &["fix", "deck.txt"], 0);
        let gone = fixed["changes"].as_array().unwrap().iter();
        assert_eq!(gone.filter(|change| change["to"] == 0).count(), count);
        assert_eq!(fixed["optimal"], true);
        let rooms = answer(count, &["room", "deck.txt"], 0);
        assert_eq!(pairs(&rooms), pairs(&few));
    }
}
