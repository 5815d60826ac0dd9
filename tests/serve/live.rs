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
        let read = json!({"text": text, "format": "shell"});
        let deck = browser.json("POST", "/api/read", &read).json()["deck"].clone();
        let ask = |into: &str, more: Value| {
            let mut ask = json!({"format": "shell", "deck": deck, "into": into});
            ask.as_object_mut()
                .unwrap()
                .extend(more.as_object().unwrap().clone());
            ask
        };
        for into in ["main", "side", "no-such-section"] {
            let find = json!({"find": {"query": "", "most": 80}});
            let first = browser.json("POST", "/api/answer", &ask(into, find)).json();
            let found = first["found"]["cards"].as_array().unwrap();
            let look: Vec<&Value> = found.iter().map(|card| &card["name"]).collect();
            assert_eq!(look.len(), 80);
            let again = browser.json("POST", "/api/answer", &ask(into, json!({"look": look})));
            let again = again.json();
            assert_eq!(again["room"], first["room"]);
            assert!(again["found"].is_null());

            let mut told = BTreeSet::new();
            for room in again["room"].as_array().unwrap() {
                let mut said = known[&place(room)].clone();
                // Why no more fit is told of what is full.
                if room["more"] != 0 {
                    said["message"] = Value::Null;
                }
                assert_eq!(*room, said);
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
