//! What each seat brings, and what a setup does before anybody decides.

use crate::calls::{Desk, sample};
use serde_json::json;

#[test]
fn two_decks_make_a_match_of_their_players() {
    let desk = Desk::new();
    let deck = std::fs::read_to_string(sample("shell/ebb.txt")).unwrap();
    for (file, player) in [("a.txt", "Ann"), ("b.txt", "Ben")] {
        let lines = deck.lines().filter(|line| !line.starts_with("Player:"));
        let mut text: Vec<String> = lines.map(str::to_owned).collect();
        text.insert(1, format!("Player: {player}"));
        desk.write(file, text.join("\n"));
    }
    desk.run("new a.txt b.txt --to m.json").assert(0, &[]);
    let file = desk.json("m.json");
    assert_eq!(file["inputs"]["format"], "shell");
    assert_eq!(file["inputs"]["seats"][0]["name"], "Ann");
    assert_eq!(file["inputs"]["seats"][1]["name"], "Ben");
    for names in ["--player Ann --player ''", "--player ' '"] {
        desk.run(&format!("new vastrix {names}"))
            .assert(2, &["name is empty"]);
    }
}

#[test]
fn each_seat_may_bring_a_format_of_its_own() {
    let desk = Desk::new();
    let deck = std::fs::read_to_string(sample("vanquishers/quiet-ledgers.txt")).unwrap();
    let own = deck
        .lines()
        .find(|line| line.starts_with("Format:"))
        .unwrap()
        .trim_start_matches("Format:")
        .trim()
        .to_owned();
    let other = match own.as_str() {
        "vanquishers" => "vanquishers/competitive",
        _ => "vanquishers",
    };
    desk.write("a.txt", &deck);
    desk.write(
        "b.txt",
        deck.replacen(&format!("Format: {own}"), &format!("Format: {other}"), 1),
    );
    let made = desk.run("new a.txt b.txt --set starting_energy=3 --allow-illegal --to m.json");
    made.assert(0, &[]);
    let inputs = &desk.json("m.json")["inputs"];
    assert_eq!(inputs["format"], own.as_str());
    assert_eq!(inputs["seats"][0].get("format"), None);
    assert_eq!(inputs["seats"][1]["format"], other);
    assert_ne!(
        inputs["seats"][0]["deck"]["hash"],
        inputs["seats"][1]["deck"]["hash"]
    );
    desk.run("verify m.json").assert(0, &[]);
    // A format that starts otherwise, or none of the game, is refused in the call and in a file.
    for wrong in ["vanquishers/advanced", "shell", own.as_str()] {
        desk.change("m.json", "n.json", |file| {
            file["inputs"]["seats"][1]["format"] = wrong.into();
        });
        desk.run("verify n.json")
            .assert(1, &["cannot bring a deck"]);
    }
    desk.write(
        "c.txt",
        deck.replacen(&format!("Format: {own}"), "Format: vanquishers/advanced", 1),
    );
    desk.run("new a.txt c.txt --set starting_energy=3 --allow-illegal")
        .assert(2, &["do not start alike"]);
    desk.run("new a.txt gone.txt").assert(2, &["gone.txt"]);
    desk.run("new a.txt b.txt --deck a.txt")
        .assert(2, &["--deck"]);
}

/// "Shuffle … Each player draws 5 cards to start … Decide who goes first."
#[test]
fn versus_draws_before_it_is_decided_who_goes_first() {
    let desk = Desk::new();
    let deck = sample("versus/tide-and-ember.txt");
    let deck = match std::path::Path::new(&deck).exists() {
        true => deck,
        false => std::fs::read_dir(sample("versus"))
            .unwrap()
            .map(|entry| entry.unwrap().path().display().to_string())
            .find(|path| {
                let text = std::fs::read_to_string(path).unwrap();
                let format = text.lines().find(|line| line.starts_with("Format:"));
                format.is_some_and(|format| !format.contains("shared"))
            })
            .unwrap(),
    };
    desk.run(&format!(
        "new '{deck}' '{deck}' --allow-illegal --to m.json"
    ))
    .assert(0, &[]);
    let file = desk.json("m.json");
    assert_eq!(file["state"]["first"], json!(null));
    for seat in ["A", "B"] {
        let hand = &file["state"]["seats"][seat]["zones"]["hand"];
        assert_eq!(hand.as_array().unwrap().len(), 5);
    }
}
