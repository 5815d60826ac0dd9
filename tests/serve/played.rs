//! A match's file that is played at a table: every change is in the file before it is shown.

use crate::chairs::{Chair, set_up};
use crate::support::{Browser, links, start};
use decklaw::matches::{Match, NewMatch, Randomness, Unproved};
use decklaw::serve::ToPlay;
use serde_json::json;
use std::sync::{Arc, Mutex};

/// What was written.
type Written = Arc<Mutex<Vec<String>>>;

#[test]
fn a_match_file_is_set_up_and_played_at_a_table_and_every_change_is_written() {
    let shell = decklaw::format::Catalogue::built_in().format("versus/fast-shared");
    let rules = decklaw::matches::MatchRules::of_format(&shell.unwrap());
    let rules = rules.unwrap().unwrap();
    let lines = (0..13).map(|number| {
        let line = decklaw::matches::Line {
            count: 2,
            name: format!("Card {number}"),
            records: Default::default(),
        };
        ("main", line)
    });
    let deck = decklaw::matches::MatchDeck::register("versus/fast-shared", "Pile", lines);
    let wanted = NewMatch {
        decks: vec![decklaw::matches::Registered::unjudged(deck)],
        ..NewMatch::default()
    };
    let chance = Randomness::from_text("file");
    let made = Match::start(&rules.game(), wanted, chance, vec![], None).unwrap();
    let written: Written = Arc::default();
    let (kept, full) = (Arc::clone(&written), Arc::new(Mutex::new(false)));
    let is_full = Arc::clone(&full);
    let data = tempfile::tempdir().unwrap();
    let running = start(data.path(), |config| {
        config.played = Some(ToPlay {
            title: "evening".to_owned(),
            file: made.to_json(),
            write: Box::new(move |text| {
                if *is_full.lock().unwrap() {
                    return Err("the disk is full".to_owned());
                }
                kept.lock().unwrap().push(text.to_owned());
                Ok(())
            }),
        });
    });
    // Its links are for whoever runs the server.
    let mut stranger = Browser::new(running.address);
    assert_eq!(stranger.get("/t/file").status, 403);
    let mut host = Browser::host(&running);
    let laid = links(&host.get("/t/file"));
    let mut chairs: Vec<Chair> = ["A", "B"]
        .iter()
        .map(|seat| Chair::new(&running, &laid, seat))
        .collect();
    set_up(&mut chairs);
    let before = written.lock().unwrap().len();
    assert!(before > 0, "the setup is in the file");
    let active = chairs[0].look()["active"].as_str() == Some("B");
    let active = usize::from(active);
    chairs[active].look();
    let done = chairs[active].tries("draw");
    assert_eq!(done.status, 200, "{}", done.text());
    let games = written.lock().unwrap().clone();
    assert_eq!(games.len(), before + 1);
    let read = Unproved::read(games[before].as_bytes()).unwrap();
    assert_eq!(read.verify(&rules.game()).unwrap().moves().len(), 1);
    // What is not written did not happen.
    *full.lock().unwrap() = true;
    let rev = chairs[active].look()["rev"].clone();
    let refused = chairs[active].tries("draw");
    assert_eq!(refused.status, 507);
    assert!(refused.text().contains("the disk is full"));
    assert_eq!(chairs[active].look()["rev"], rev);
    // The next game would be in no file, and gone with this server.
    *full.lock().unwrap() = false;
    let told = chairs[active].act(json!({"end": {"won": "draw"}}));
    assert_eq!(told.status, 200, "{}", told.text());
    chairs[1 - active].look();
    let agreed = chairs[1 - active].act(json!({"agree": true}));
    assert_eq!(agreed.status, 200, "{}", agreed.text());
    let next = format!("{}/next", chairs[0].base);
    let refused = chairs[0].browser.json("POST", &next, &json!({}));
    assert_eq!(refused.status, 422);
    let text = refused.text();
    assert!(text.contains("match next FILE --won SEAT"), "{text}");
}

/// The program itself, as a player calls it: the moves are in the file, and when the call has ended
/// nothing of the table is left elsewhere.
#[cfg(unix)]
#[test]
fn a_call_that_plays_a_file_leaves_nothing_but_the_files() {
    use std::io::{BufRead, BufReader};
    use std::process::{Command, Stdio};
    let folder = tempfile::tempdir().unwrap();
    let home = tempfile::tempdir().unwrap();
    let temporary = tempfile::tempdir().unwrap();
    let deck = "Format: versus/fast-shared\nMain\n26 Pile\n";
    std::fs::write(folder.path().join("pile.txt"), deck).unwrap();
    let program = || {
        let mut command = Command::new(env!("CARGO_BIN_EXE_decklaw"));
        command
            .current_dir(folder.path())
            .env("HOME", home.path())
            .env("XDG_DATA_HOME", home.path().join("data"))
            .env("TMPDIR", temporary.path())
            .env("DECKLAW_CONFIG", home.path().join("none"));
        command
    };
    let call = [
        "match",
        "new",
        "versus/fast-shared",
        "--deck",
        "pile.txt",
        "--allow-illegal",
    ];
    let made = program()
        .args(call)
        .args(["--seed", "evening", "--to", "m.json"])
        .output();
    let made = made.unwrap();
    assert!(folder.path().join("m.json").exists(), "{made:?}");
    let mut playing = program()
        .args(["match", "play", "m.json", "--no-open"])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    BufReader::new(playing.stdout.take().unwrap())
        .read_line(&mut line)
        .unwrap();
    let (_, link) = line.trim().split_once("http://").unwrap();
    let (place, key) = link.split_once("#key=").unwrap();
    let (address, path) = place.split_once('/').unwrap();
    let mut host = Browser::new(address.parse().unwrap());
    let entered = host.form("/enter", &[("key", key), ("next", "/")]);
    assert_eq!(entered.status, 303, "{}", entered.text());
    let links = host.get(&format!("/{path}"));
    assert_eq!(links.status, 200, "{line} {}", links.text());
    assert!(links.text().contains("/t/"), "{}", links.text());
    let ended = Command::new("kill")
        .args(["-TERM", &playing.id().to_string()])
        .status();
    assert!(ended.unwrap().success());
    assert!(playing.wait().unwrap().success());
    let left = |folder: &std::path::Path| std::fs::read_dir(folder).unwrap().count();
    assert_eq!(left(home.path()), 0, "what the call kept elsewhere");
    assert_eq!(left(temporary.path()), 0, "what the call kept for itself");
}
