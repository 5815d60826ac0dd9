//! Moves that are recorded as decisions are: all of them, or none.

use crate::calls::{Desk, FIRST};
use serde_json::{Value, json};

/// The names of the cards in a seat's zone, in order.
fn names(file: &Value, seat: &str, zone: &str) -> Vec<String> {
    let slots = file["state"]["seats"][seat]["zones"][zone].as_array();
    let ids = slots.unwrap().iter().map(|slot| slot.as_str().unwrap());
    ids.map(|id| file["cards"][id].as_str().unwrap().to_owned())
        .collect()
}

fn sha256(value: &Value) -> String {
    use sha2::Digest;
    let bytes = serde_json_canonicalizer::to_vec(value).unwrap();
    let digest = sha2::Sha256::digest(bytes);
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

const DRAW: &str = r#"{"do":"draw","by":"A","from":"draw_pile","to":"hand","count":1}"#;
const PASS: &str = r#"{"do":"pass","by":"A"}"#;

/// A call that records these.
fn decide(entries: &[&str]) -> String {
    let entries = entries.iter().map(|entry| format!("'{entry}'"));
    let entries: Vec<String> = entries.collect();
    format!("decide m.json {} --to m.json", entries.join(" "))
}

#[test]
fn decisions_and_moves_are_one_log() {
    let desk = Desk::new();
    desk.run("new vastrix --seed qorvith-blenska-uthmar-p --to m.json")
        .assert(0, &[]);
    // Nothing moves before the setup is over, and no decision comes behind a move.
    desk.run(&decide(&[PASS])).assert(1, &["not finished"]);
    desk.run(&decide(&[FIRST, PASS, FIRST]))
        .assert(1, &["the setup is over"]);
    let before = desk.read("m.json");
    desk.run(&decide(&[FIRST, DRAW, r#"{"do":"pass","by":"B"}"#]))
        .assert(1, &["seat A's turn"]);
    assert_eq!(desk.read("m.json"), before, "all or none");
    for (entry, status) in [
        (r#"{"do":"win"}"#, 2),
        (r#"{"do":"pass"}"#, 1),
        (r#"{"do":"pass","by":"A","x":1}"#, 1),
        ("pass", 2),
    ] {
        desk.run(&decide(&[FIRST, entry])).assert(status, &[]);
    }
    desk.run(&decide(&[FIRST, DRAW])).assert(0, &[]);
    let drawn = desk.json("m.json");
    desk.run(&decide(&[FIRST])).assert(1, &["setup is over"]);
    desk.run(&decide(&[
        r#"{"do":"turn","by":"A","zone":"swap_bar","slot":2}"#,
        PASS,
        r#"{"do":"roll","by":"B","sides":20}"#,
    ]))
    .assert(0, &[]);
    let file = desk.json("m.json");
    assert_eq!(file["schema"], "decklaw/match/1");
    assert_eq!(file["log"][0], serde_json::from_str::<Value>(DRAW).unwrap());
    assert_eq!(file["log"].as_array().unwrap().len(), 4);
    assert_eq!(file["digests"]["log"], sha256(&file["log"]));
    assert_eq!(file["digests"]["state"], sha256(&file["state"]));
    assert_eq!(file["digests"]["inputs"], drawn["digests"]["inputs"]);
    assert_eq!(drawn["state"]["turn"], json!({"seat": "A", "number": 1}));
    assert_eq!(file["state"]["turn"], json!({"seat": "B", "number": 2}));
    let slot = &file["state"]["shared"]["zones"]["swap_bar"][2];
    assert_eq!(slot["lying"], json!({"sideways": true}));
    let told = desk.run("verify m.json").out;
    let log = file["digests"]["log"].as_str().unwrap();
    assert!(
        told.contains("4 moves included") && told.contains(log),
        "{told}"
    );
    let told: Value = serde_json::from_str(&desk.run("verify m.json -o json").out).unwrap();
    assert_eq!(
        (&told["moves"], &told["digests"]["log"]),
        (&json!(4), &json!(log))
    );
    // What happened stands behind the table, as everybody may know it.
    let shown = desk.run("show m.json").out;
    let (_, lines) = shown.split_once("\nMoves\n").unwrap();
    assert!(lines.contains("   1  Seat A drew a card.\n"), "{lines}");
    assert!(
        lines.contains("Seat B rolled ") && lines.contains(" of 20."),
        "{lines}"
    );
    desk.run("view m.json --seat A").assert(0, &[]);
    desk.run("export m.json --tabletop-simulator t.json")
        .assert(0, &[]);
    desk.run("next m.json --won A --to n.json").assert(0, &[]);
    assert_eq!(desk.json("n.json").get("log"), None);
    desk.change("m.json", "other.json", |file| {
        file["log"].as_array_mut().unwrap().remove(0);
        file["digests"]["log"] = json!(sha256(&file["log"]));
    });
    desk.run("verify other.json")
        .assert(1, &["verification failed"]);
}

#[test]
fn the_newest_move_is_taken_back() {
    let desk = Desk::new();
    desk.ready("m.json");
    let count = r#"{"do":"count","by":"A","seat":"A","counter":"goal","change":-2}"#;
    let undo = r#"{"do":"undo","by":"A"}"#;
    desk.run(&decide(&[count, undo])).assert(0, &[]);
    let file = desk.json("m.json");
    assert_eq!(file["state"]["seats"]["A"]["counters"]["goal"], 21);
    assert_eq!(file["log"].as_array().unwrap().len(), 2);
    desk.run("verify m.json").assert(0, &[]);
    desk.run(&decide(&[undo]))
        .assert(1, &["no move to take back"]);
    desk.run(&decide(&[DRAW, undo]))
        .assert(1, &["cannot be taken back"]);
    desk.run(&decide(&[count])).assert(0, &[]);
    desk.run(&decide(&[r#"{"do":"undo","by":"B"}"#]))
        .assert(1, &["another seat's"]);
    desk.run(&decide(&[undo])).assert(0, &[]);
}

#[test]
fn hidden_cards_are_looked_at_with_leave_only() {
    let desk = Desk::new();
    desk.ready("m.json");
    let start = desk.json("m.json");
    for done in [
        json!({"do": "look", "by": "A", "zone": "B.hand", "slot": 0, "count": 1, "to": ["A"]}),
        json!({"do": "random", "by": "A", "from": "B.hand", "to": "hand"}),
        json!({"do": "look", "by": "A", "zone": "swap_bar", "slot": 0, "count": 3, "to": ["A"], "leave": ["A"]}),
    ] {
        desk.run(&decide(&[&done.to_string()]))
            .assert(1, &["takes the leave of seat B"]);
    }
    let far = json!({"do": "look", "by": "A", "zone": "B.hand", "slot": 0, "count": 99, "to": ["A"], "leave": ["B"]});
    desk.run(&decide(&[&far.to_string()]))
        .assert(1, &["no such cards"]);
    // What is shown to all stands in the log that everybody may read.
    let own = json!({"do": "look", "by": "A", "zone": "hand", "slot": 0, "count": 1, "to": ["A"]});
    let all = json!({"do": "look", "by": "A", "zone": "hand", "slot": 1, "count": 1, "to": []});
    desk.run(&decide(&[&own.to_string(), &all.to_string()]))
        .assert(0, &[]);
    let hand = names(&start, "A", "hand");
    let shown = desk.run("show m.json").out;
    let (_, lines) = shown.split_once("\nMoves\n").unwrap();
    let lines: Vec<&str> = lines.lines().collect();
    assert!(
        lines[0].ends_with("looked at a card of their hand."),
        "{lines:?}"
    );
    assert!(
        lines[1].ends_with(&format!("showed {} of their hand to everybody.", hand[1])),
        "{lines:?}"
    );
}

#[test]
fn names_of_counters_cannot_act_on_a_terminal() {
    let desk = Desk::new();
    desk.ready("m.json");
    let evil = "x\u{1b}]0;owned\u{7}\n  hand (99): Forged";
    let count = json!({"do": "count", "by": "A", "seat": "A", "counter": evil, "change": 1});
    let answer = desk.run(&decide(&[&count.to_string()]));
    answer.assert(1, &["a counter cannot be called"]);
    assert!(!answer.error.contains('\u{1b}') && !answer.error.contains('\u{7}'));
    let plain =
        json!({"do": "count", "by": "A", "seat": "A", "counter": "story points", "change": 2});
    desk.run(&decide(&[&plain.to_string()])).assert(0, &[]);
    desk.change("m.json", "evil.json", |file| {
        file["log"][0]["counter"] = json!(evil);
    });
    let answer = desk.run("verify evil.json");
    answer.assert(1, &["move 1", "a counter cannot be called"]);
    assert!(!answer.error.contains('\u{1b}'));
}
