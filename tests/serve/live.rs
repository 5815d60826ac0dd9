//! What is told of the cards that a page shows: the room that the command line tells, where a
//! copy more would go.

use super::support::{BROKEN, Browser, start};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

const LEGAL: &str = include_str!("../../decks/shell/ebb.txt");

/// All that `room` says of a deck, by section and card.
fn commanded(folder: &Path, deck: &str) -> BTreeMap<(String, String), Value> {
    std::fs::write(folder.join("deck.txt"), deck).unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_decklaw"))
        .args(["room", "deck.txt", "--as-of", "2026-03-01", "-o", "json"])
        .env("DECKLAW_CONFIG", folder.join("none"))
        .current_dir(folder)
        .output()
        .unwrap();
    let said: Value = serde_json::from_slice(&output.stdout).unwrap();
    let rooms = said["room"].as_array().unwrap().iter();
    rooms.map(|room| (place(room), room.clone())).collect()
}

fn place(room: &Value) -> (String, String) {
    let part = |key: &str| room[key].as_str().unwrap().to_owned();
    (part("section"), part("card"))
}

#[test]
fn the_room_of_what_is_shown_is_that_of_the_command_line() {
    const SECTIONS: [&str; 4] = ["shells", "main", "extra", "side"];
    let data = tempfile::tempdir().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let running = start(data.path(), |_| ());
    let mut browser = Browser::new(running.address);
    for text in [LEGAL, BROKEN] {
        let known = commanded(folder.path(), text);
        let read = json!({"deck": text, "format": "shell"});
        let deck = browser.ask("read", &read).json()["deck"].clone();
        let ask = |into: &str, more: Value| {
            let mut ask = json!({"format": "shell", "deck": deck, "into": into});
            ask.as_object_mut()
                .unwrap()
                .extend(more.as_object().unwrap().clone());
            ask
        };
        for into in ["main", "side", "no-such-section"] {
            let find = json!({"search": {"query": "", "most": 80}});
            let first = browser.ask("view", &ask(into, find)).json();
            let found = first["search"]["cards"].as_array().unwrap();
            let look: Vec<&Value> = found.iter().map(|card| &card["name"]).collect();
            assert_eq!(look.len(), 80);
            let again = browser.ask("view", &ask(into, json!({"visible": look})));
            let again = again.json();
            assert_eq!(again["room"], first["room"]);
            assert!(again["search"].is_null());

            let mut told = BTreeSet::new();
            for room in again["room"].as_array().unwrap() {
                let mut said = known[&place(room)].clone();
                // The reason is given for cards of which no copy fits.
                if room["more"] != 0 {
                    said["message"] = Value::Null;
                }
                // A click allows no search: cards that fit only with others have no room yet.
                let more = |room: &Value| room["more"].as_i64().unwrap_or(i64::MAX);
                if more(room) < more(&said) {
                    let rule = room["rule"].as_str().unwrap();
                    assert!(["points", "side-distinct"].contains(&rule), "{room} {said}");
                } else {
                    assert_eq!(*room, said);
                }
                told.insert(place(room));
            }
            let takes = |card: &str| -> Vec<&str> {
                let there = |id: &&str| known.contains_key(&((*id).to_owned(), card.to_owned()));
                SECTIONS.into_iter().filter(there).collect()
            };
            let mut due = BTreeSet::new();
            let held = known.iter().filter(|(_, room)| room["has"] != 0);
            let held: Vec<&(String, String)> = held.map(|(place, _)| place).collect();
            let shown = look.iter().filter_map(|name| name.as_str());
            for card in shown.chain(held.iter().map(|(_, card)| card.as_str())) {
                let takes = takes(card);
                let goes = takes.iter().find(|id| **id == into).or(takes.first());
                due.extend(goes.map(|id| ((*id).to_owned(), card.to_owned())));
            }
            due.extend(held.iter().map(|place| (*place).clone()));
            assert_eq!(told, due);
            let all: BTreeMap<&str, Vec<&str>> = (held.iter())
                .map(|(_, card)| (card.as_str(), takes(card)))
                .collect();
            assert_eq!(again["takes"], json!(all));
        }
    }
}

#[test]
fn a_deck_is_judged_by_the_settings_that_its_player_gives_as_on_the_command_line() {
    const DECK: &str = include_str!("../../decks/vainqueur/barley-crown.txt");
    let data = tempfile::tempdir().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let running = start(data.path(), |_| ());
    let mut browser = Browser::new(running.address);
    let read = json!({"deck": DECK, "format": "vainqueur"});
    let plain = browser.ask("read", &read).json()["deck"].clone();
    std::fs::write(folder.path().join("deck.json"), plain.to_string()).unwrap();
    let with = |settings: Value| {
        let mut deck = plain.clone();
        deck["settings"] = settings;
        json!({"format": "vainqueur", "deck": deck})
    };
    let codes = |findings: &Value| -> Vec<String> {
        let findings = findings.as_array().unwrap().iter();
        let told = findings.map(|finding| format!("{} {}", finding["code"], finding["message"]));
        told.collect()
    };
    for set in [
        json!({"min": "40", "max": "60", "copies": "3"}),
        json!({"min": "300", "max": "400", "copies": "1"}),
        json!({"max": "20"}),
    ] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_decklaw"));
        command.args(["check", "deck.json", "--as-of", "2026-03-01", "-o", "json"]);
        for (name, value) in set.as_object().unwrap() {
            let value = value.as_str().unwrap();
            command.args(["--set", &format!("{name}={value}")]);
        }
        let output = command
            .env("DECKLAW_CONFIG", folder.path().join("none"))
            .current_dir(folder.path())
            .output()
            .unwrap();
        let said: Value = serde_json::from_slice(&output.stdout).unwrap();
        let told = browser.ask("view", &with(set.clone()));
        let told = told.json();
        assert_eq!(
            told["check"]["verdict"], said["decks"][0]["verdict"],
            "{set}"
        );
        assert_eq!(
            codes(&told["check"]["findings"]),
            codes(&said["decks"][0]["findings"]),
            "{set}"
        );
    }
    // The next deck is judged by the server's again; so is one that gives none.
    let open = |told: &Value| codes(&told["check"]["findings"]).concat().contains("unset");
    for none in [
        with(json!({})),
        json!({"format": "vainqueur", "deck": plain}),
    ] {
        assert!(open(&browser.ask("view", &none).json()));
    }
    // Papers say by what they were judged, files that they do not hold it.
    let given = with(json!({"min": "40", "max": "60", "copies": "3"}));
    let mut write = |kind: &str| {
        let mut ask = given.clone();
        ask["to_format"] = kind.into();
        browser.ask("write", &ask).json()
    };
    let sheet = write("sheet")["bytes"].as_str().unwrap().to_owned();
    let sheet = data_encoding::BASE64.decode(sheet.as_bytes()).unwrap();
    let sheet = String::from_utf8(sheet).unwrap();
    assert!(sheet.contains("min = 40, max = 60, copies = 3"), "{sheet}");
    let notes = write("text")["notes"].to_string();
    assert!(notes.contains("copies=3, max=60, min=40"), "{notes}");
    // What is no setting of the game, or none of its values, is refused and not passed over.
    for (set, why) in [
        (json!({"sideboard": "15"}), "no setting `sideboard`"),
        (json!({"min": "many"}), "many"),
        (json!(["min=40"]), "names with their values"),
    ] {
        for name in ["view", "odds", "fix", "build"] {
            let told = browser.ask(name, &with(set.clone()));
            assert_eq!(told.status, 400, "{name} {set}: {}", told.text());
            assert!(told.text().contains(why), "{name} {set}: {}", told.text());
        }
    }
}
