//! Setting up by asking: questions in words, answers by number.

use crate::calls::{Desk, sample};
use serde_json::json;

/// Two decks of the Shell game that say whose they are.
fn shell_decks(desk: &Desk) {
    let deck = std::fs::read_to_string(sample("shell/ebb.txt")).unwrap();
    for (file, player) in [("a.txt", "Ann"), ("b.txt", "Ben")] {
        let lines = deck.lines().filter(|line| !line.starts_with("Player:"));
        let mut text: Vec<String> = lines.map(str::to_owned).collect();
        text.insert(1, format!("Player: {player}"));
        desk.write(file, text.join("\n"));
    }
}

#[test]
fn two_decks_make_a_match_and_play_asks_for_the_rest() {
    let desk = Desk::new();
    shell_decks(&desk);
    desk.run("new a.txt b.txt --to m.json").assert(0, &[]);
    let file = desk.json("m.json");
    assert_eq!(file["inputs"]["format"], "shell");
    assert_eq!(file["inputs"]["seats"][0]["name"], "Ann");
    assert_eq!(file["inputs"]["seats"][1]["name"], "Ben");
    // Swap nothing twice; B begins; A takes two hands and bottoms card 2; B keeps.
    let typed = "1\nswap nothing\n3\nmulligan\n2\n1\n2\n9\n1\nquit\n";
    let played = desk.call("match play m.json", typed);
    played.assert(0, &["numbers", "type the number of an answer"][1..]);
    for told in [
        "Seat A: Swap cards with the side deck?",
        "  1. swap nothing",
        "Who begins?",
        "  1. chance decides",
        "  3. seat B begins",
        "Seat A: Keep the opening hand?",
        "  2. mulligan: take another hand",
        "1 card of it to the bottom of the deck",
        "Which go to the bottom",
    ] {
        assert!(played.out.contains(told), "{told}: {}", played.out);
    }
    let file = desk.json("m.json");
    assert_eq!(file["state"]["phase"], "ready");
    assert_eq!(file["state"]["first"], "B");
    let hands = &file["state"]["seats"];
    assert_eq!(hands["A"]["zones"]["hand"].as_array().unwrap().len(), 5);
    assert_eq!(hands["B"]["zones"]["hand"].as_array().unwrap().len(), 6);
    let kept = &file["inputs"]["decisions"];
    assert_eq!(
        kept[3],
        json!({"step": "mulligan", "seat": "A", "choice": "mulligan"})
    );
    assert_eq!(kept[5]["bottom"].as_array().unwrap().len(), 1);
    desk.run("verify m.json").assert(0, &[]);
}

#[test]
fn cards_are_swapped_by_their_numbers() {
    let desk = Desk::new();
    shell_decks(&desk);
    desk.run("new a.txt b.txt --to m.json").assert(0, &[]);
    // Drizzle costs nothing: all its copies may come in. Their numbers are read off the list.
    let asked = desk.call("match play m.json", "2\n\n");
    let list = asked.out.split("What comes into main?").nth(1).unwrap();
    let numbers: Vec<&str> = list
        .lines()
        .filter(|line| line.ends_with(" Drizzle"))
        .map(|line| line.trim().split_once(". ").unwrap().0)
        .collect();
    assert!(!numbers.is_empty(), "{list}");
    let typed = format!("2\n\n{}\n\n\nquit\n", numbers.join(" "));
    let swapped = desk.call("match play m.json", &typed);
    swapped.assert(0, &[]);
    let decision = &desk.json("m.json")["inputs"]["decisions"][0];
    assert_eq!(decision["seat"], "A");
    assert_eq!(
        decision["main"]["in"].as_array().unwrap().len(),
        numbers.len()
    );
    assert_eq!(decision["main"]["out"], json!([]));
    assert_eq!(decision.get("shells"), None, "what stays is left out");
    assert!(
        swapped.out.contains("holds what was decided: 1 decision"),
        "{}",
        swapped.out
    );
}

#[test]
fn secret_choices_are_sealed_and_opened_at_one_keyboard() {
    let desk = Desk::new();
    desk.run("new vastrix --option battlerealm=true --to m.json")
        .assert(0, &[]);
    let played = desk.call("match play m.json", "3\n1\n1\nquit\n");
    played.assert(0, &[]);
    let state = &desk.json("m.json")["state"];
    assert_eq!(state["phase"], "ready");
    assert_eq!(state["seats"]["A"]["spec"], "beauty");
    assert_eq!(state["seats"]["B"]["spec"], "bravery");
    // Who leaves in between can open the seal by hand.
    desk.run("new vastrix --option battlerealm=true --to n.json")
        .assert(0, &[]);
    let left = desk.call("match play n.json", "4\n1\n2\n");
    let opens: Vec<&str> = left
        .out
        .lines()
        .filter(|line| line.contains("\"nonce\""))
        .collect();
    assert_eq!(opens.len(), 2, "{}", left.out);
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
