//! The published test vector of match files.
#![allow(clippy::unwrap_used)]

use decklaw::matches::{Game, Line, Match, MatchDeck, NewMatch, Randomness, Setup};
use serde_json::json;
use std::collections::BTreeMap;

fn pack() -> MatchDeck {
    let mut names: Vec<String> = Vec::new();
    for suit in ["♠", "♥", "♦", "♣"] {
        for rank in [
            "A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K",
        ] {
            names.push(format!("{rank}{suit}"));
        }
    }
    names.extend(["RJ".to_owned(), "BJ".to_owned()]);
    let lines = names.into_iter().map(|name| {
        (
            "main",
            Line {
                count: 1,
                name,
                records: BTreeMap::new(),
            },
        )
    });
    MatchDeck::register("vastrix", "VASTRIX", lines)
}

#[test]
fn the_published_vector() {
    let text = std::fs::read_to_string("formats/vastrix/setup.yaml").unwrap();
    let setups: BTreeMap<String, Setup> = serde_yaml::from_str(&text).unwrap();
    let setup = &setups["vastrix"];
    let rules_sha256 = "0".repeat(64);
    let game = Game {
        format: "vastrix",
        rules_sha256: &rules_sha256,
        setup,
        legality_settings: &[],
    };
    let decisions = vec![json!({"step": "first-player", "by": "random"})];
    let wanted = NewMatch {
        decks: vec![pack()],
        ..NewMatch::default()
    };
    let made = Match::start(
        &game,
        wanted,
        Randomness::from_text("redeal"),
        decisions,
        None,
    )
    .unwrap();
    let shared = made.inputs.shared.as_ref().unwrap();
    assert_eq!(
        shared.deck.hash,
        "99fc3bb52bd8927bc027f3fd1da10df654ca7c4a9b5fd229cbab934fb1271b0a"
    );
    assert_eq!(
        made.state_digest(),
        "27fbf52d265f4160daa675d04e647454c86926f355192346c028679612492510"
    );
    let json = made.to_json();
    decklaw::matches::Unproved::read(json.as_bytes())
        .unwrap()
        .verify(&game)
        .unwrap();
    println!("{json}");
}
