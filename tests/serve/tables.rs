//! Tables that people play at, each in a browser of their own: what is sent to whom.

use super::chairs::{Chair, games, set_up, sit_down};
use super::support::{Browser, next, start};
use serde_json::json;
use std::collections::BTreeSet;

#[test]
fn every_game_is_set_up_and_played_and_nobody_is_sent_what_another_holds() {
    let data = tempfile::tempdir().unwrap();
    let running = start(data.path(), |_| ());
    let mut host = Browser::host(&running);
    for fields in games() {
        let (_, mut chairs, mut onlooker) = sit_down(&running, &mut host, &fields);
        let game = fields[0].1.clone();
        // Every name that may lie on this table.
        let mut all: BTreeSet<String> = BTreeSet::new();
        let name = game.split('/').next().unwrap();
        let csv = format!("{}/formats/{name}/cards.csv", env!("CARGO_MANIFEST_DIR"));
        let text = std::fs::read_to_string(csv).unwrap();
        let mut rows = csv::Reader::from_reader(text.as_bytes());
        all.extend(rows.records().map(|row| row.unwrap()[0].to_owned()));
        set_up(&mut chairs);
        for turn in 0..6 {
            for chair in chairs.iter_mut() {
                chair.look();
            }
            onlooker.look();
            let active = onlooker.view["active"].as_str().unwrap().to_owned();
            let at = (active.as_bytes()[0] - b'A') as usize;
            let chair = &mut chairs[at];
            let hand = format!("{active}.hand");
            // Draw, lay one card open and one face down where that can be.
            let open_zone = chair.view["zones"].as_array().unwrap().iter().find(|zone| {
                zone["cards"].is_array()
                    && zone["zone"] != hand.as_str()
                    && (zone["owner"].is_null() || zone["owner"] == active.as_str())
                    && zone["zone"] != "pool"
                    && !zone["zone"].as_str().unwrap().ends_with(".extra")
                    && !zone["zone"].as_str().unwrap().ends_with(".side")
            });
            let open_zone = open_zone.unwrap()["zone"].as_str().unwrap().to_owned();
            chair.moves("draw");
            chair.moves(&format!(
                "move hand 0 {open_zone} {}",
                if turn % 2 == 0 { "up" } else { "down" }
            ));
            chair.moves("roll");
            chair.moves("pass");
        }
        for chair in &mut chairs {
            chair.look();
        }
        onlooker.look();
        // What lay where everybody may look, at any time, and what each seat had for itself.
        let own = |label: &str| ["hand", "extra", "side"].contains(&label);
        let places = || chairs.iter().chain([&onlooker]);
        let open: BTreeSet<String> = places()
            .flat_map(|chair| chair.ever(|_, label| !own(label)))
            .collect();
        let held = |chair: &Chair| {
            let seat = chair.base.rsplit('/').next().unwrap().to_owned();
            chair.ever(|owner, label| own(label) && *owner == seat.as_str())
        };
        let mut hidden = 0;
        for chair in places() {
            let mut known: BTreeSet<String> = open.union(&held(chair)).cloned().collect();
            // What a seat is asked about its own deck.
            known.extend(chair.asked_about());
            let others = chairs.iter().flat_map(&held);
            for name in others.filter(|name| !known.contains(name)) {
                // Part of what may be sent.
                let may = |longer: &String| *longer != name && longer.contains(&name);
                if all.iter().any(may) {
                    continue;
                }
                hidden += 1;
                // Two letters stand in a key, too.
                let sent = match name.len() {
                    2 => {
                        chair.was_sent(&format!("\"{name}\""))
                            || chair.was_sent(&format!(" {name}"))
                    }
                    _ => chair.was_sent(&name),
                };
                assert!(!sent, "{game}: {name} was sent to {}", chair.base);
            }
        }
        assert!(
            hidden > 3,
            "{game}: {hidden} names were hidden from somebody"
        );
        for chair in chairs.iter().chain([&onlooker]) {
            for word in ["seed", "commitment", "\"id\"", "A001", "S001"] {
                assert!(!chair.was_sent(word), "{game}: {word} was sent");
            }
        }
    }
}

#[test]
fn a_move_on_a_table_that_went_on_is_refused_with_what_happened() {
    let data = tempfile::tempdir().unwrap();
    let running = start(data.path(), |_| ());
    let mut host = Browser::host(&running);
    let (laid, mut chairs, mut onlooker) = sit_down(&running, &mut host, &games()[5]);
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
        .json("POST", &to, &json!({"rev": stale, "move": "draw"}));
    assert_eq!(told.status, 409);
    let now = told.json();
    assert_eq!(now["view"]["log"]["lines"].as_array().unwrap().len(), 1);
    chairs[at].look();
    // What a refusal names helps: the list of what can be typed, and nothing has happened.
    let before = chairs[at].view["rev"].clone();
    for word in ["help", "?", " HELP "] {
        let help = chairs[at].act(json!({"move": word}));
        assert_eq!(help.status, 200);
        let help = help.json();
        let list = help["help"].as_str().unwrap();
        assert!(list.contains("draw") && list.contains("undo"), "{list}");
        assert_eq!(help["rev"], before);
    }
    let wrong = chairs[at].act(json!({"move": "sing"}));
    assert_eq!(wrong.status, 422);
    assert!(
        wrong.json()["error"]
            .as_str()
            .unwrap()
            .contains("not understood")
    );
    assert_eq!(onlooker.act(json!({"move": "draw"})).status, 403);
    // A place that is not there, and a key of another place.
    let mut browser = chairs[0].browser.clone();
    assert_eq!(browser.get(&format!("/t/{}/E", laid.id)).status, 404);
    assert_eq!(browser.get("/t/none/A").status, 404);
    let stolen = browser.form(
        &format!("/t/{}/B/enter", laid.id),
        &[("key", &laid.keys["A"])],
    );
    assert_eq!(stolen.status, 403);
}

#[test]
fn others_are_asked_a_restart_loses_nothing_and_the_end_opens_the_secret() {
    let data = tempfile::tempdir().unwrap();
    let running = start(data.path(), |_| ());
    let mut host = Browser::host(&running);
    let (laid, mut chairs, mut onlooker) = sit_down(&running, &mut host, &games()[5]);
    set_up(&mut chairs);
    chairs[0].look();
    let active = usize::from(chairs[0].view["active"] == "B");
    let other = 1 - active;
    // Out of turn, and a look into a hidden pile: the other is asked each time.
    for line in ["count goal -1", "look draw_pile 0"] {
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
    let looked = |chair: &Chair| chair.view["log"]["lines"][1].as_str().unwrap().to_owned();
    assert!(looked(&chairs[other]).contains("looked at: "));
    assert!(looked(&chairs[active]).ends_with("looked at"));
    chairs[other].moves("count goal -1");
    chairs[active].look();
    assert_eq!(chairs[active].act(json!({"agree": false})).status, 200);
    assert!(chairs[active].view["asked"].is_null());
    let before = chairs[active].look().clone();
    let proof = |chair: &mut Chair| chair.browser.get(&format!("{}/proof", chair.base));
    assert_eq!(proof(&mut chairs[0]).status, 403);
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
    assert_eq!(proof(&mut chairs[0]).status, 403, "not all have agreed");
    chairs[active].look();
    assert_eq!(chairs[active].act(json!({"agree": true})).status, 200);
    for chair in chairs.iter_mut().chain([&mut onlooker]) {
        let told = proof(chair);
        assert_eq!(told.status, 200);
        let told = told.json();
        assert_eq!(told["match"]["schema"], "decklaw/match/1");
        assert_eq!(told["match"]["digests"]["inputs"], before["digest"]);
        assert_eq!(told["start"]["digests"]["inputs"], before["digest"]);
        assert!(told["setup"]["steps"].is_array());
        assert_eq!(chair.look()["ended"], "seat A won: at home");
    }
    let after = chairs[active].act(json!({"move": "draw"}));
    assert_eq!(after.status, 422);
    drop(laid);
}

#[test]
fn a_table_from_a_text_is_dealt_from_it_and_says_so() {
    let data = tempfile::tempdir().unwrap();
    let running = start(data.path(), |_| ());
    let mut host = Browser::host(&running);
    let fields = |chance: &str, text: &str| -> Vec<(&'static str, String)> {
        vec![
            ("format", "vastrix".to_owned()),
            ("option-players", "2".to_owned()),
            ("chance", chance.to_owned()),
            ("seed", text.to_owned()),
        ]
    };
    let mut hands = Vec::new();
    for (chance, text) in [
        ("text", "one"),
        ("text", "one"),
        ("text", "two"),
        ("system", "one"),
    ] {
        let (_, mut chairs, _) = sit_down(&running, &mut host, &fields(chance, text));
        set_up(&mut chairs);
        assert_eq!(chairs[0].look()["chance"], chance);
        let mut both = chairs[0].names("A.hand");
        chairs[1].look();
        both.extend(chairs[1].names("B.hand"));
        hands.push(both);
    }
    assert_eq!(hands[0], hands[1], "the same text deals the same");
    assert!(hands[0] != hands[2] && hands[0] != hands[3], "{hands:?}");
    let empty = [("format", "vastrix"), ("chance", "text"), ("seed", " ")];
    let refused = host.form("/t/new", &empty);
    assert_eq!(refused.status, 400);
    assert!(refused.text().contains("is empty"));
}

#[test]
fn a_page_is_told_of_every_change() {
    use std::io::Write;
    let data = tempfile::tempdir().unwrap();
    let running = start(data.path(), |_| ());
    let mut host = Browser::host(&running);
    let (_, mut chairs, onlooker) = sit_down(&running, &mut host, &games()[5]);
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
    until("data: [1,0]\n");
    let asked = chairs[0].view["question"]["answers"]
        .as_array()
        .unwrap()
        .len();
    assert!(asked > 1);
    assert_eq!(chairs[0].act(json!({"answer": 0})).status, 200);
    until("data: [2,0]\n");
}

#[test]
fn what_is_said_is_told_to_everybody_once_and_changes_no_move() {
    let data = tempfile::tempdir().unwrap();
    let running = start(data.path(), |_| ());
    let mut host = Browser::host(&running);
    let (_, mut chairs, mut onlooker) = sit_down(&running, &mut host, &games()[5]);
    set_up(&mut chairs);
    for chair in &mut chairs {
        chair.look();
    }
    let active = usize::from(chairs[0].view["active"] == "B");
    let other = 1 - active;
    let rev = chairs[active].view["rev"].clone();
    let to = |chair: &Chair| format!("{}/say", chair.base);
    // Sent again since its answer was lost, it is said once; the same words anew are said again.
    for form in ["one", "one", "two"] {
        let at = to(&chairs[other]);
        let words = json!({"text": " Well met <b>\u{202e}! ", "form": form});
        let told = chairs[other].browser.json("POST", &at, &words);
        assert_eq!((told.status, &told.json()["rev"]), (200, &rev));
    }
    // Whoever was about to move does so: nothing happened at the table.
    let moved = chairs[active].act(json!({"move": "roll"}));
    assert_eq!(moved.status, 200, "{}", moved.text());
    for text in ["", "  ", &"x".repeat(301)] {
        let (at, words) = (to(&chairs[0]), json!({"text": text, "form": "three"}));
        assert_eq!(chairs[0].browser.json("POST", &at, &words).status, 422);
    }
    let (at, words) = (to(&onlooker), json!({"text": "Look!", "form": "four"}));
    assert_eq!(onlooker.browser.json("POST", &at, &words).status, 403);
    // It lasts, and nothing in it can be taken for the page's own.
    drop(running);
    let running = start(data.path(), |_| ());
    let said = |chair: &mut Chair| {
        chair.browser.address = running.address;
        chair.look();
        chair.view["said"].clone()
    };
    let letter = ["A", "B"][other];
    for chair in chairs.iter_mut().chain([&mut onlooker]) {
        let said = said(chair);
        let lines = said["lines"].as_array().unwrap();
        assert_eq!((lines.len(), &said["first"]), (2, &json!(0)));
        for line in lines {
            assert_eq!(line["by"], letter);
            let text = line["text"].as_str().unwrap();
            assert!(
                text.starts_with("Well met <b>") && !text.contains('\u{202e}'),
                "{text}"
            );
        }
    }
    // What was said first goes when much was said, and the number of it all is still told.
    for number in 0..250 {
        let words = json!({"text": format!("{number}"), "form": format!("n{number}")});
        let at = to(&chairs[0]);
        assert_eq!(chairs[0].browser.json("POST", &at, &words).status, 200);
    }
    let said = said(&mut chairs[0]);
    assert_eq!(
        (&said["first"], said["lines"].as_array().unwrap().len()),
        (&json!(52), 200)
    );
    assert_eq!(said["lines"][199]["text"], "249");
}
