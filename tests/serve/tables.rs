//! Tables that people play at, each in a browser of their own: what is sent to whom.

use super::chairs::{Chair, games, set_up, sit_down};
use super::support::{Browser, next, server, start};
use serde_json::json;

#[test]
fn a_move_on_a_table_that_went_on_is_refused_with_what_happened() {
    let (running, _data) = server();
    let (laid, mut chairs, mut onlooker) =
        sit_down(&running, Browser::new(running.address), &games()[5]);
    set_up(&mut chairs);
    for chair in &mut chairs {
        chair.look();
    }
    let at = usize::from(chairs[0].view["active"] == "B");
    // Two pages of one seat: the second one to act sees what the first did, and nothing is lost.
    let stale = chairs[at].view["rev"].clone();
    chairs[at].moves("roll");
    let to = format!("{}/do", chairs[at].base);
    let told = chairs[at]
        .browser
        .json("POST", &to, &json!({"rev": stale, "do": {"agree": true}}));
    assert_eq!(told.status, 409);
    let now = told.json();
    assert_eq!(now["view"]["log"]["lines"].as_array().unwrap().len(), 1);
    chairs[at].look();
    let other = chairs[1 - at].place.clone();
    for wrong in [
        json!({"do": "sing", "by": "A"}),
        json!({"do": "roll", "by": other, "sides": 6}),
    ] {
        let told = chairs[at].act(json!({"move": wrong}));
        assert!([400, 422].contains(&told.status), "{}", told.text());
    }
    assert_eq!(onlooker.tries("draw").status, 403);
    // A key of no place opens none.
    let mut browser = chairs[0].browser.clone();
    for path in [
        format!("/t/{}/{}", laid.id, "0".repeat(26)),
        "/t/none/A".to_owned(),
    ] {
        assert_eq!(browser.get(&path).status, 404);
        assert_eq!(browser.get(&format!("/api{path}/view")).status, 404);
    }
}

/// The counters that a game has stay between 0 and their caps; the newest move is taken back by who made
/// it; lines are sentences with the players' names.
#[test]
fn counters_keep_to_their_caps_and_the_log_is_sentences() {
    let (running, _data) = server();
    let (_, mut chairs, _) = sit_down(&running, Browser::new(running.address), &games()[2]);
    set_up(&mut chairs);
    chairs[0].look();
    let at = usize::from(chairs[0].view["active"] == "B");
    let seat = chairs[at].place.clone();
    let counter = |view: &serde_json::Value, name: &str| {
        view["seats"][seat.as_str()]["counters"][name]
            .as_i64()
            .unwrap()
    };
    let view = chairs[at].moves(&format!("count {seat} storage_energy 99"));
    assert_eq!(counter(&view, "storage_energy"), 20);
    let full = chairs[at].tries(&format!("count {seat} storage_energy 1"));
    assert_eq!(full.status, 422);
    assert!(full.text().contains("Storage Energy stays at 20."));
    let view = chairs[at].moves(&format!("count {seat} shield -999"));
    assert_eq!(counter(&view, "shield"), 0);
    let view = chairs[at].moves("undo");
    assert!(counter(&view, "shield") > 0);
    let lines = view["log"]["lines"].as_array().unwrap();
    let texts: Vec<&str> = lines
        .iter()
        .map(|line| line["text"].as_str().unwrap())
        .collect();
    assert_eq!(texts[0], format!("Seat {seat}: Storage Energy 5 → 20."));
    assert_eq!(texts[2], format!("Seat {seat} took back the last move."));
}

#[test]
fn others_are_asked_a_restart_loses_nothing_and_the_end_opens_the_secret() {
    let (running, data) = server();
    let (laid, mut chairs, mut onlooker) =
        sit_down(&running, Browser::new(running.address), &games()[5]);
    set_up(&mut chairs);
    chairs[0].look();
    let active = usize::from(chairs[0].view["active"] == "B");
    let other = 1 - active;
    // Out of turn, and a look into a hidden pile: the other is asked each time.
    for line in ["shuffle draw_pile", "look draw_pile 0"] {
        let rev = chairs[other].moves(line);
        assert_eq!(rev["asked"]["own"], true, "{line}");
        let lines = rev["log"]["lines"].as_array().unwrap().len();
        chairs[active].look();
        assert_eq!(chairs[active].view["asked"]["mine"], true);
        assert_eq!(chairs[active].act(json!({"agree": true})).status, 200);
        assert_eq!(
            chairs[active].view["log"]["lines"]
                .as_array()
                .unwrap()
                .len(),
            lines + 1,
            "{line}"
        );
    }
    // Who looked knows the card, and nobody else.
    chairs[other].look();
    let looked = |chair: &Chair| {
        let line = &chair.view["log"]["lines"][1]["text"];
        line.as_str().unwrap().to_owned()
    };
    assert!(!looked(&chairs[other]).contains("looked at a card of"));
    assert!(looked(&chairs[active]).contains("looked at a card of"));
    chairs[other].moves("shuffle draw_pile");
    chairs[active].look();
    assert_eq!(chairs[active].act(json!({"agree": false})).status, 200);
    assert!(chairs[active].view["asked"].is_null());
    let before = chairs[active].look().clone();
    let file = |chair: &mut Chair| chair.browser.get(&format!("{}/file", chair.base));
    assert_eq!(file(&mut chairs[0]).status, 403);
    drop(running);

    // The machine was restarted: each seat goes on where it was.
    let running = start(data.path(), |_| ());
    for chair in chairs.iter_mut().chain([&mut onlooker]) {
        chair.browser.address = running.address;
    }
    assert_eq!(*chairs[active].look(), before);
    chairs[active].moves("pass");
    chairs[other].look();
    assert_eq!(
        chairs[other]
            .act(json!({"end": {"won": "A", "words": "at home"}}))
            .status,
        200
    );
    assert_eq!(file(&mut chairs[0]).status, 403, "not all have agreed");
    chairs[active].look();
    assert_eq!(chairs[active].act(json!({"agree": true})).status, 200);
    for chair in chairs.iter_mut().chain([&mut onlooker]) {
        let told = file(chair);
        assert_eq!(told.status, 200);
        let told = told.json();
        assert_eq!(told["schema"], "decklaw/match/1");
        assert_eq!(told["digests"]["inputs"], before["digest"]);
        assert_eq!(chair.look()["ended"], "Seat A won: at home.");
    }
    let after = chairs[active].tries("draw");
    assert_eq!(after.status, 422);
    drop(laid);
}

#[test]
fn a_page_is_told_of_every_change() {
    use std::io::Write;
    let (running, _data) = server();
    let (_, mut chairs, onlooker) = sit_down(&running, Browser::new(running.address), &games()[5]);
    let mut line = std::net::TcpStream::connect(running.address).unwrap();
    line.set_read_timeout(Some(std::time::Duration::from_secs(20)))
        .unwrap();
    let request = onlooker
        .browser
        .request("GET", &format!("{}/changes", onlooker.base), &[], b"");
    line.write_all(&request).unwrap();
    let mut heard = String::new();
    let mut until = |words: &str| {
        let mut bytes = [0; 1024];
        while !heard.contains(words) {
            let read = next(&mut line, &mut bytes).unwrap();
            assert!(read > 0, "{heard}");
            heard.push_str(&String::from_utf8_lossy(&bytes[..read]));
        }
    };
    let rev = &chairs[0].view["rev"];
    until(&format!("data: {rev}\n"));
    let next = rev.as_i64().unwrap() + 1;
    let asked = chairs[0].view["question"]["answers"]
        .as_array()
        .unwrap()
        .len();
    assert!(asked > 1);
    assert_eq!(chairs[0].act(json!({"answer": {"option": 0}})).status, 200);
    until(&format!("data: {next}\n"));
}
