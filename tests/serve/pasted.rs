//! What the first page asks of a deck that is pasted.

use super::support::{Browser, visited};
use serde_json::{Value, json};

fn asked(browser: &mut Browser, deck: &str) -> (u16, Value) {
    let told = browser.ask("read", &json!({"deck": deck}));
    (told.status, told.json())
}

#[test]
fn a_deck_that_names_no_format_is_known_by_its_cards() {
    const DECKS: [(&str, &str); 3] = [
        ("shell", include_str!("../../decks/shell/ebb.txt")),
        ("versus", include_str!("../../decks/versus/kiln-street.txt")),
        (
            "vainqueur",
            include_str!("../../decks/vainqueur/low-water.txt"),
        ),
    ];
    let (_running, _data, mut browser) = visited();
    for (game, deck) in DECKS {
        let lines = deck.lines().filter(|line| !line.starts_with("Format:"));
        let (status, told) = asked(&mut browser, &lines.collect::<Vec<_>>().join("\n"));
        assert_eq!((status, &told["format"]), (200, &Value::Null), "{told}");
        assert_eq!(told["likely"][0], game);
    }
    let (_, told) = asked(&mut browser, "3 Nobody's Card");
    assert_eq!(told["likely"], json!([]));
}

#[test]
fn a_link_that_is_pasted_is_its_deck() {
    let (_running, data, mut browser) = visited();
    let made = std::process::Command::new(env!("CARGO_BIN_EXE_decklaw"))
        .args(["convert", "decks/shell/ebb.txt", "--to-format", "link"])
        .env("DECKLAW_CONFIG", data.path().join("none"))
        .output()
        .unwrap();
    let link = String::from_utf8(made.stdout).unwrap();
    let link = link.trim();
    for (before, behind) in [("", ""), ("https://decks.example", "\r\n")] {
        let (status, told) = asked(&mut browser, &format!("{before}{link}{behind}"));
        assert_eq!((status, &told["check"]["verdict"]), (200, &json!("legal")));
    }
    let (status, told) = asked(&mut browser, &link[..link.len() - 5]);
    assert_eq!(status, 400, "{told}");
    assert!(told["message"].as_str().unwrap().contains("link"), "{told}");
}

#[test]
fn the_first_page_has_every_game_with_its_sample_decks() {
    let (_running, _data, mut browser) = visited();
    let told = browser.ask("format", &json!({})).json();
    for game in told["games"].as_array().unwrap() {
        let id = &game["id"];
        let samples = told["samples"].as_array().unwrap().iter();
        let mut own = samples.filter(|sample| sample["game"] == *id);
        assert_eq!(own.next().unwrap()["verdict"], "legal", "{id}");
    }
    let page = browser.get("/").text();
    for text in [
        "Check a deck",
        "Run an event",
        "Play with a friend",
        "home.js",
    ] {
        assert!(page.contains(text), "{text}");
    }
}
