//! Players who open a table, send a link and bring a deck each; and that nobody is told anything of
//! another's deck before the cards lie on the table.

use super::chairs::{Chair, deck, set_up};
use super::support::{
    Answer, BROKEN, Browser, LEGAL, Laid, Running, chance, lay, links, server, start, visited,
};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::collections::BTreeSet;

const OTHER: &str = include_str!("../../decks/shell/ash-and-acorn.txt");

/// The names of the cards of a list.
fn names(list: &str) -> BTreeSet<String> {
    let lines = list.lines().filter_map(|line| line.split_once(' '));
    let cards = lines.filter(|(count, _)| count.parse::<u32>().is_ok());
    cards.map(|(_, name)| name.trim().to_owned()).collect()
}

/// Opens a table for a deck; the address of seat A, and the keys of all.
fn opens(browser: &mut Browser, more: &[(&str, &str)]) -> (String, Laid) {
    let own = chance(1);
    let fields = [&[("do", "open"), ("random", own.as_str())], more].concat();
    let opened = browser.form("/play", &fields);
    assert_eq!(opened.status, 303, "{}", opened.text());
    let path = opened.header("location").unwrap().to_owned();
    let mut laid = links(&browser.get(&path));
    let (_, key) = path.rsplit_once('/').unwrap();
    laid.keys.insert("A".to_owned(), key.to_owned());
    (path, laid)
}

fn brings(browser: &mut Browser, path: &str, number: usize, list: &str, name: &str) -> Answer {
    let own = chance(number);
    browser.form(path, &[("random", &own), ("deck", list), ("name", name)])
}

/// Two at a table of a format whose setup is over.
fn two(running: &Running, format: &str, decks: [&str; 2]) -> (Laid, [Chair; 2]) {
    let fields = [
        ("format", format),
        ("deck-1", decks[0]),
        ("deck-2", decks[1]),
    ];
    let laid = lay(Browser::new(running.address), &fields);
    let chairs = ["A", "B"].map(|seat| Chair::new(running, &laid, seat));
    (laid, chairs)
}

fn ends(chairs: &mut [Chair; 2], won: &str) {
    chairs[0].look();
    assert_eq!(chairs[0].act(json!({"end": {"won": won}})).status, 200);
    chairs[1].look();
    assert_eq!(chairs[1].act(json!({"agree": true})).status, 200);
}

/// The whole way of two players, with a restart in the midst: nobody is sent a name of a card that is in
/// the other's deck alone, nor why the other's deck was refused.
#[test]
fn two_players_gather_and_neither_hears_of_the_others_deck() {
    let (running, data) = server();
    let (mut ann, mut ben) = (Browser::new(running.address), Browser::new(running.address));
    let (path, laid) = opens(
        &mut ann,
        &[("format", "shell"), ("deck", LEGAL), ("name", "Ann")],
    );
    let to = laid.path("B");
    let mut sent = Vec::new();
    let page = ben.get(&to);
    assert!(page.text().contains("Ann’s table") && page.text().contains("Deck is here"));
    assert!(!page.text().contains(&laid.keys["A"]), "only A shows links");
    sent.extend(page.body);
    let unfit = brings(&mut ben, &to, 2, BROKEN, "Ben");
    assert_eq!(unfit.status, 422);
    assert!(unfit.text().contains("cannot be played yet") && unfit.text().contains("data-deck="));
    let waits = ann.get(&path).text();
    assert!(waits.contains("Waiting for a player") && !waits.contains("cannot be played"));
    drop(running);

    let running = start(data.path(), |_| ());
    for browser in [&mut ann, &mut ben] {
        browser.address = running.address;
    }
    // Of keys the data have the digests alone.
    let file = std::fs::read(data.path().join("decklaw.sqlite")).unwrap();
    for key in laid.keys.values() {
        assert!(!file.windows(key.len()).any(|part| part == key.as_bytes()));
    }
    let came = brings(&mut ben, &to, 2, OTHER, "Ben");
    assert_eq!(came.status, 303, "{}", came.text());
    let ben = Chair::new(&running, &laid, "B");
    sent.extend(&ben.sent);
    let open = ben.ever(|_, _| true);
    let asked = ben.asked_about();
    let own = names(OTHER);
    let sent = String::from_utf8_lossy(&sent);
    for name in names(LEGAL) {
        if !own.contains(&name) && !open.contains(&name) && !asked.contains(&name) {
            assert!(!sent.contains(&name), "{name}");
        }
    }
    assert_eq!(ben.view["seats"]["A"]["name"], "Ann");
}

#[test]
fn a_deal_follows_from_a_secret_that_was_shown_before_and_from_what_each_browser_brought() {
    let (running, data) = server();
    let mut ann = Browser::new(running.address);
    let (path, laid) = opens(
        &mut ann,
        &[
            ("format", "versus/fast"),
            ("deck", &deck("versus/low-tide-irregulars.txt")),
        ],
    );
    let page = ann.get(&path).text();
    let (_, secret) = page.split_once("data-secret=\"").unwrap();
    let secret = &secret[..64];
    let mut ben = Browser::new(running.address);
    let list = deck("versus/low-tide-irregulars.txt");
    // The same bytes as another's, and none at all, are refused.
    for bytes in [chance(1), String::new(), "ab".repeat(31)] {
        let fields = [("random", bytes.as_str()), ("deck", list.as_str())];
        assert_eq!(ben.form(&laid.path("B"), &fields).status, 422, "{bytes}");
    }
    assert_eq!(
        brings(&mut ben, &laid.path("B"), 2, &list, "Ben").status,
        303
    );
    let mut chairs = ["A", "B"].map(|seat| Chair::new(&running, &laid, seat));
    set_up(&mut chairs);
    ends(&mut chairs, "draw");
    let file = chairs[1]
        .browser
        .get(&format!("{}/file", chairs[1].base))
        .json();
    assert_eq!(file["inputs"]["randomness"]["seed_source"], "combined");
    let parts = file["inputs"]["randomness"]["contributions"]
        .as_array()
        .unwrap();
    let parts: Vec<&str> = parts.iter().map(|part| part.as_str().unwrap()).collect();
    assert!(
        parts.len() == 3
            && parts.contains(&chance(1).as_str())
            && parts.contains(&chance(2).as_str())
    );
    let digest = |part: &&str| {
        let bytes: Vec<u8> = (0..32)
            .map(|at| u8::from_str_radix(&part[2 * at..2 * at + 2], 16).unwrap())
            .collect();
        let digest = Sha256::digest(bytes);
        digest
            .iter()
            .map(|byte| format!("{byte:02x}"))
            .collect::<String>()
    };
    assert!(parts.iter().any(|part| digest(part) == secret));
    // The program deals it again.
    let to = data.path().join("match.json");
    std::fs::write(&to, file.to_string()).unwrap();
    let run = std::process::Command::new(env!("CARGO_BIN_EXE_decklaw"))
        .args(["match", "verify"])
        .arg(&to)
        .output()
        .unwrap();
    assert!(run.status.success(), "{run:?}");
}

/// Swaps are sealed until both have swapped; the next game has the same links; a match ends with its games.
#[test]
fn a_series_is_played_with_swaps_between_its_games() {
    let (running, _data) = server();
    let (mut laid, mut chairs) = two(&running, "shell", [LEGAL, OTHER]);
    for game in 1..=3 {
        let question = chairs[0].look()["question"].clone();
        assert_eq!(question["text"], "Swap cards with the side deck");
        assert_eq!(chairs[0].act(json!({"answer": {"option": 0}})).status, 200);
        // That one has decided is seen; what, is not.
        let other = chairs[1].look().clone();
        assert_eq!(other["awaited"], json!(["B"]));
        set_up(&mut chairs);
        ends(&mut chairs, "B");
        let view = chairs[1].look().clone();
        assert_eq!(view["ended"], "Seat B won.");
        let score = format!("Score after {game} game");
        assert!(
            view["score"].as_str().unwrap().starts_with(&score),
            "{view}"
        );
        let next = format!("{}/next", chairs[0].base);
        let told = chairs[0].browser.json("POST", &next, &json!({}));
        if game == 3 {
            assert_eq!(told.status, 422);
            assert!(view["over"].is_string());
            return;
        }
        assert_eq!(told.status, 200, "{}", told.text());
        let again = chairs[0].browser.json("POST", &next, &json!({}));
        assert_eq!(told.json(), again.json(), "it is laid once");
        let to = told.json()["to"].as_str().unwrap().to_owned();
        let (table, _) = to.rsplit_once('/').unwrap();
        laid.id = table.trim_start_matches("/t/").to_owned();
        chairs = ["A", "B"].map(|seat| Chair::new(&running, &laid, seat));
    }
}

#[test]
fn what_a_match_needs_is_asked_before_and_a_form_stays_filled() {
    let (_running, _data, mut ann) = visited();
    let page = ann.get("/play?format=vanquishers").text();
    assert!(
        page.contains("name=\"set-starting_energy\"") && page.contains("max=\"20\""),
        "{page}"
    );
    let own = chance(1);
    let list = deck("vanquishers/quiet-ledgers.txt");
    for (energy, lists) in [("21", list.as_str()), ("5", ""), ("5", BROKEN)] {
        let fields = [
            ("format", "vanquishers"),
            ("do", "open"),
            ("random", &own),
            ("deck", lists),
            ("set-starting_energy", energy),
        ];
        let told = ann.form("/play", &fields);
        assert_eq!(told.status, 422, "{energy}: {}", told.text());
        assert!(told.text().contains(&format!("value=\"{energy}\"")));
    }
    // A deck that another page posts is in the box.
    let filled = ann.form("/play", &[("format", "vanquishers"), ("deck", &list)]);
    assert_eq!(filled.status, 200);
    assert!(filled.text().contains("Quiet Ledgers") || filled.text().contains("Vesper Quill"));
    // The same form opens the same table.
    let fields = [
        ("format", "vanquishers"),
        ("do", "open"),
        ("random", own.as_str()),
        ("deck", list.as_str()),
        ("set-starting_energy", "5"),
        ("form", "once"),
    ];
    let to: Vec<String> = (0..2)
        .map(|_| {
            ann.form("/play", &fields)
                .header("location")
                .unwrap()
                .to_owned()
        })
        .collect();
    assert_eq!(to[0], to[1]);
    // Until all are here it can be closed, and then its links open nothing.
    let laid = links(&ann.get(&to[0]));
    assert_eq!(ann.form(&to[0], &[("do", "close")]).status, 303);
    assert_eq!(ann.get(&laid.path("B")).status, 404);
}

fn hand(view: &Value) -> u64 {
    let zones = view["zones"].as_array().unwrap();
    let hand = zones.iter().find(|zone| zone["zone"] == "A.hand").unwrap();
    hand["count"].as_u64().unwrap()
}

#[test]
fn a_deck_is_tried_alone_with_its_games_own_hand_and_draws() {
    let (running, _data) = server();
    let mut ann = Browser::new(running.address);
    let list = deck("vanquishers/every-penny.txt");
    let fields = [
        ("format", "vanquishers"),
        ("do", "alone"),
        ("deck", &list),
        ("set-starting_energy", "5"),
    ];
    let opened = ann.form("/play", &fields);
    assert_eq!(opened.status, 303, "{}", opened.text());
    let path = opened.header("location").unwrap();
    let mut parts = path.rsplit('/');
    let key = parts.next().unwrap().to_owned();
    let laid = Laid {
        id: parts.next().unwrap().to_owned(),
        keys: [("A".to_owned(), key)].into(),
    };
    let mut chair = Chair::new(&running, &laid, "A");
    set_up(std::slice::from_mut(&mut chair));
    let before = hand(chair.look());
    assert_eq!(before, 7);
    let view = chair.moves("pass");
    assert_eq!(hand(&view), 8, "the next turn begins with its draw");
}
