//! An event at its page forgives: conflicts of two organisers, wrong imports, withdrawals, and what
//! strangers would do to it.

use super::support::{
    BROKEN, Browser, LEGAL, Running, between, decide, event, hand_in, import, program, raw, server,
    state,
};
use serde_json::{Value, json};
use std::io::{Cursor, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

fn act(desk: &mut Browser, path: &str, body: &Value) -> (u16, Value) {
    let answer = desk.json("POST", &format!("{path}/desk/do"), body);
    (answer.status, answer.json())
}

/// An event with two organisers and the decks of three players.
fn evening() -> (Running, tempfile::TempDir, [Browser; 2], String) {
    let (running, data) = server();
    let mut host = Browser::host(&running);
    let (path, key) = event(&mut host, &[("players", "Ada\nBen\n")]);
    for (name, deck) in [("Ada", LEGAL), ("Ben", BROKEN), ("Cy", LEGAL)] {
        assert!(hand_in(running.address, &path, [name, deck, "anyway"]).1.is_handed_in());
    }
    let other = Browser::enters(running.address, &key, &format!("{path}/desk"));
    (running, data, [host, other], path)
}

#[test]
fn two_organisers_overwrite_nobody() {
    let (_running, _data, [mut ann, mut ben], path) = evening();
    let seen = state(&mut ann, &path)["seen"].clone();
    let by = |name: &str, seen: &Value, words: &[&str]| json!({"do": "decide", "by": name, "seen": seen, "words": words});
    let (status, first) = act(&mut ann, &path, &by("Ann", &seen, &["e001", "out"]));
    assert_eq!(status, 200, "{first}");
    // About the deck, about its player: Ben's page had seen neither.
    for words in [&["e001", "counts"][..], &["p001", "table", "3"]] {
        let (status, why) = act(&mut ben, &path, &by("Ben", &seen, words));
        assert_eq!((status, &why["kind"], &why["by"]), (409, &json!("conflict"), &json!("Ann")));
        assert!(why["text"].as_str().unwrap().contains("Ada"), "{why}");
    }
    let marks = state(&mut ben, &path);
    assert_eq!(marks["players"][0]["status"], "out", "{marks}");
    // Another player is no conflict, and what is done on purpose is done.
    assert_eq!(act(&mut ben, &path, &by("Ben", &seen, &["p002", "table", "3"])).0, 200);
    let (_, why) = act(&mut ben, &path, &by("Ben", &seen, &["e001", "counts"]));
    assert_eq!(act(&mut ben, &path, &by("Ben", &why["seen"], &["e001", "counts"])).0, 200);
    // Undoing what somebody changed since is a conflict too, and an undo is one for the next.
    let undo = |name: &str, seen: &Value| json!({"do": "undo", "by": name, "seen": seen, "decision": first["undo"]});
    let (status, why) = act(&mut ann, &path, &undo("Ann", &first["seen"]));
    assert_eq!((status, &why["by"]), (409, &json!("Ben")), "{why}");
    assert_eq!(act(&mut ann, &path, &undo("Ann", &why["seen"])).0, 200);
    let now = state(&mut ann, &path);
    assert_eq!(now["players"][0]["status"], "counts");
    let lines = now["activity"].as_array().unwrap();
    let taken = lines.iter().find(|line| line["undone"] == true).unwrap();
    assert_eq!((&taken["by"], &taken["undo"]), (&json!("Ann"), &Value::Null), "{taken}");
    // Settings, which are a file, are compared whole.
    let about = |was: &Value| json!({"do": "about", "name": "Cup", "deadline": null, "zone": "UTC", "late": "last", "was": was});
    assert_eq!(act(&mut ann, &path, &about(&now["event"])).0, 200);
    assert_eq!(act(&mut ben, &path, &about(&now["event"])).0, 409);
}

#[test]
fn a_wrong_import_at_the_page_is_undone_with_what_rests_on_it() {
    let (_running, data, [mut ann, _], path) = evening();
    let before = state(&mut ann, &path)["players"].clone();
    let mut form = "Timestamp,Gast,Anmerkung,Deckliste\n".to_owned();
    for at in 0..9 {
        form.push_str(&format!("2026-02-01 10:0{at},Gast {at},Danke {at},\"{LEGAL}\"\n"));
    }
    let mut upload = json!({"name": "form.csv", "columns": ["player=Anmerkung", "deck=Gast"]});
    let seen = import(&mut ann, &path, &upload, form.as_bytes(), false);
    assert_eq!((&seen["decks"], &seen["unread"]), (&json!(9), &json!(9)), "{seen}");
    assert_eq!(
        (&seen["rows"][0]["player"], &seen["rows"][0]["verdict"]),
        (&json!("Danke 0"), &Value::Null)
    );
    upload["columns"] = json!(["player=Anmerkung", "deck=Deckliste"]);
    let seen = import(&mut ann, &path, &upload, form.as_bytes(), true);
    assert_eq!((&seen["unread"], seen["rows"].as_array().unwrap().len()), (&json!(0), 3), "{seen}");
    assert_eq!(state(&mut ann, &path)["players"].as_array().unwrap().len(), 12);
    assert_eq!(decide(&mut ann, &path, &["Danke 3", "table", "7"]).status, 200);
    let mut undo = json!({"do": "undo", "decision": seen["undo"]});
    let (status, why) = act(&mut ann, &path, &undo);
    assert_eq!((status, &why["kind"]), (409, &json!("rests")));
    assert!(why["rests"].to_string().contains("Danke 3: table 7"), "{why}");
    undo["all"] = json!(true);
    assert_eq!(act(&mut ann, &path, &undo).0, 200);
    let now = state(&mut ann, &path);
    assert_eq!(now["players"], before);
    assert!(now["activity"].to_string().contains("Maren"));
    // A player of the import who handed in by link meanwhile stays, with that deck.
    let upload = json!({"name": "form.csv", "columns": ["player=Gast"]});
    let seen = import(&mut ann, &path, &upload, form.as_bytes(), true);
    let own = super::support::folder(data.path(), &path);
    let now = state(&mut ann, &path);
    let rows = now["players"].as_array().unwrap();
    assert_eq!(rows.len(), 12);
    let fourth = rows.iter().find(|row| row["player"] == "Gast 4").unwrap();
    program(&own, &["event", "decide", ".", fourth["entry"].as_str().unwrap(), "out"], "");
    let key = act(&mut ann, &path, &json!({"do": "key", "player": "p013"})).1;
    let key = key["link"].as_str().unwrap().split_once("#key=").unwrap().1.to_owned();
    let mine = format!("{path}/mine");
    let mut gast = Browser::enters(ann.address, &key, &mine);
    assert_eq!(gast.form(&mine, &[("deck", LEGAL), ("do", "hand-in")]).status, 200);
    let (status, _) =
        act(&mut ann, &path, &json!({"do": "undo", "decision": seen["undo"], "all": true}));
    assert_eq!(status, 200);
    let now = state(&mut ann, &path);
    let names: Vec<&str> = now["players"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one["player"].as_str().unwrap())
        .collect();
    assert_eq!(names, ["Ada", "Ben", "Cy", "Gast 0"]);
    assert_eq!(now["players"][3]["status"], "counts");
}

#[test]
fn files_are_taken_as_what_they_are() {
    let (_running, _data, [mut ann, _], path) = evening();
    let kind = |desk: &mut Browser, name: &str, bytes: &[u8]| {
        let seen = import(desk, &path, &json!({"name": name}), bytes, false);
        (seen["kind"].as_str().unwrap().to_owned(), seen)
    };
    let many = format!("A,B,C,D,E\n1,Dan,x,y,\"{}\"\n", "no deck");
    assert_eq!(kind(&mut ann, "answers.csv", many.as_bytes()).0, "form");
    let lines = "Who,What\nDan,\"likes\nred\"\n";
    assert_eq!(kind(&mut ann, "answers.csv", lines.as_bytes()).0, "form");
    let (own, seen) = kind(&mut ann, "players.csv", b"Player,Table\nDan,4\nADA,5\n");
    assert_eq!((own.as_str(), &seen["rows"][0]["table"]), ("players", &json!("4")));
    assert_eq!(seen["rows"][1]["known"], "Ada (p001)");
    // Its columns can be chosen.
    let upload =
        json!({"name": "x.csv", "kind": "players", "columns": ["player=Table", "table=Player"]});
    let seen = import(&mut ann, &path, &upload, b"Player,Table\nDan,4\n", false);
    assert_eq!(seen["names"], json!(["4"]), "{seen}");
    let nobody = |deck: &str| {
        let lines = deck.lines().filter(|line| !line.starts_with("Player:"));
        lines.collect::<Vec<_>>().join("\n")
    };
    let (legal, broken) = (nobody(LEGAL), nobody(BROKEN));
    let (own, seen) = kind(&mut ann, "dan_eriksen.txt", legal.as_bytes());
    assert_eq!((own.as_str(), &seen["rows"][0]["player"]), ("decks", &json!("dan eriksen")));
    // Several files at once, and a ZIP.
    let (first, second) = (format!("Player: Ada\n{broken}"), format!("Player: Eve\n{legal}"));
    let files = json!([["1.txt", first.len()], ["2.txt", second.len()]]);
    let upload = json!({"name": "2 files", "files": files});
    let seen = import(&mut ann, &path, &upload, (first.clone() + &second).as_bytes(), true);
    assert_eq!((&seen["new"], &seen["players"]), (&json!(2), &json!(1)), "{seen}");
    let mut zip = zip::ZipWriter::new(Cursor::new(Vec::new()));
    zip.start_file("Fay.txt", zip::write::SimpleFileOptions::default()).unwrap();
    zip.write_all(legal.as_bytes()).unwrap();
    let zip = zip.finish().unwrap().into_inner();
    let seen = import(&mut ann, &path, &json!({"name": "decks.zip"}), &zip, true);
    assert_eq!(seen["rows"][0]["player"], "Fay", "{seen}");
    // A form between the limit of other bodies and its own.
    let long = format!(
        "Timestamp,Player,Deck,Notes\n2026-02-01 10:00,Gus,\"{LEGAL}\",{}\n",
        "x".repeat(3 << 20)
    );
    let seen = import(&mut ann, &path, &json!({"name": "long.csv"}), long.as_bytes(), true);
    assert_eq!(seen["new"], 1, "{seen}");
    let now = state(&mut ann, &path);
    assert_eq!(now["players"].as_array().unwrap().len(), 6, "{now}");
}

#[test]
fn a_player_withdraws_and_comes_back_until_hand_in_closes() {
    let (running, _data, [mut ann, _], path) = evening();
    let (mut dee, _) = hand_in(running.address, &path, ["Dee", LEGAL, "hand-in"]);
    let mine = format!("{path}/mine");
    let to = format!("{mine}/withdraw");
    let status = |ann: &mut Browser| {
        let now = state(ann, &path);
        let rows = now["players"].as_array().unwrap().clone();
        rows.into_iter().find(|one| one["player"] == "Dee").unwrap()["status"].clone()
    };
    let shown = dee.get(&mine).text();
    assert!(shown.contains("The list as it is judged") && shown.contains("<li><b>"));
    assert_eq!(dee.form(&to, &[("do", "withdraw")]).status, 303);
    assert_eq!(status(&mut ann), "withdrawn");
    assert!(dee.get(&mine).text().contains("You have withdrawn"));
    assert_eq!(dee.form(&to, &[("do", "return")]).status, 303);
    assert_eq!(status(&mut ann), "counts");
    // Another deck brings a player back, too.
    assert_eq!(dee.form(&to, &[("do", "withdraw")]).status, 303);
    assert_eq!(dee.form(&mine, &[("deck", BROKEN), ("do", "anyway")]).status, 200);
    assert_eq!(status(&mut ann), "counts");
    // Nobody else can do it, and it is not secret from the organiser.
    assert_eq!(Browser::new(running.address).form(&to, &[("do", "withdraw")]).status, 403);
    assert!(state(&mut ann, &path)["activity"].to_string().contains("Dee withdrew"));
    // The page says that a deck does not count to whom it says how to withdraw, and to nobody else.
    let page = |dee: &mut Browser| {
        let text = dee.get(&mine).text();
        (text.contains("value=\"withdraw\""), text.contains("does not count"))
    };
    assert_eq!(page(&mut dee), (true, true));
    for (lock, unlock) in
        [(["all", "lock"], ["all", "unlock"]), (["Dee", "lock"], ["Dee", "unlock"])]
    {
        assert_eq!(decide(&mut ann, &path, &lock).status, 200);
        assert_eq!(page(&mut dee), (false, false), "{lock:?}");
        assert_eq!(dee.form(&to, &[("do", "withdraw")]).status, 409);
        assert_eq!(status(&mut ann), "counts");
        assert_eq!(decide(&mut ann, &path, &unlock).status, 200);
    }
    assert_eq!(page(&mut dee), (true, true));
}

#[test]
fn published_decks_are_public_until_they_are_taken_back() {
    let (running, _data, [mut ann, _], path) = evening();
    let page = format!("{path}/decks");
    let mut visitor = Browser::new(running.address);
    assert_eq!(visitor.get(&page).status, 404);
    let (mut dee, _) = hand_in(running.address, &path, ["Dee", LEGAL, "hand-in"]);
    dee.form(&format!("{path}/mine/withdraw"), &[("do", "withdraw")]);
    let done = decide(&mut ann, &path, &["all", "publish"]).json();
    let text = visitor.get(&page).text();
    let places: Vec<Option<usize>> =
        ["Ada", "Cy", "Ben"].map(|name| text.find(&format!("<bdi>{name}</bdi>"))).to_vec();
    assert!(places.iter().all(Option::is_some) && places.is_sorted(), "legal first: {places:?}");
    assert!(!text.contains("Dee") && !text.contains("#key="), "{text}");
    assert_eq!(text.matches("<article").count(), 3);
    act(&mut ann, &path, &json!({"do": "undo", "decision": done["undo"]}));
    assert_eq!(visitor.get(&page).status, 404);
}

/// Ticks of a deck check are offered to the other judge, and to nobody else.
#[test]
fn ticks_of_a_deck_check_reach_the_other_judge() {
    let (running, _data, [mut ann, mut ben], path) = evening();
    let ticks = json!({"main/Moss Sprite": 3});
    let keep = json!({"do": "ticks", "by": "Ann", "entry": "e001", "ticks": ticks});
    assert_eq!(act(&mut ann, &path, &keep).0, 200);
    let detail = ben.get(&format!("{path}/desk/player?id=p001")).json();
    assert_eq!(detail["versions"][0]["ticks"], json!({"Ann": ticks}));
    let other = Browser::new(running.address).get(&format!("{path}/desk/player?id=p001"));
    assert_eq!(other.status, 403);
}

/// Names of those who were here before are nobody's business, and strangers do not fill an event.
#[test]
fn strangers_learn_no_names_and_fill_no_event() {
    let (running, _data, _, path) = evening();
    let named = |name: &str| hand_in(running.address, &path, [name, LEGAL, "hand-in"]).1;
    // Nearly Cy, whom no list has.
    let near = named("Cy Dunn");
    assert!(near.is_handed_in(), "{}", near.text());
    // Two are on the list: 56 others are taken, and no more.
    let taken = (0..60).filter(|at| named(&format!("Guest {at}x")).is_handed_in()).count();
    assert_eq!(taken, 2 * 3 + 50 - 2);
    let refused = named("One more");
    assert_eq!((refused.status, refused.is_handed_in()), (409, false));
}

#[test]
fn a_path_that_is_no_text_is_not_found() {
    let (running, _data) = server();
    let mut visitor = Browser::new(running.address);
    for path in ["/e/%ff", "/e/%C3%28/mine", "/t/%ff/%fe", "/deck/%80", "/api/t/%ff/x/view", "/%ff"]
    {
        let answer = visitor.get(path);
        assert_eq!(answer.status, 404, "{path}");
        assert!(!answer.text().contains("UTF-8"), "{}", answer.text());
    }
}

/// Streams of one link end for newer ones, so that many leave the server open; and a click is
/// answered at once while others of the same address compute.
#[test]
fn streams_and_slow_questions_keep_nobody_waiting() {
    let (running, _data) = server();
    let fields = [("format", "vastrix"), ("option-players", "2")];
    let table = super::table::open(Browser::new(running.address), &fields);
    let key = &table.keys["A"];
    let visitor = Browser::new(running.address);
    let changes = visitor.request(
        "GET",
        &format!("/api/t/{}/{key}/changes", table.id),
        &[("Connection", "")],
        b"",
    );
    let mut lines: Vec<TcpStream> = Vec::new();
    for _ in 0..40 {
        let mut line = TcpStream::connect(running.address).unwrap();
        line.write_all(&changes).unwrap();
        super::support::read_until(&mut line, &mut Vec::new(), "event: changed");
        lines.push(line);
    }
    // The connections of all but four have ended, and leave their places.
    let mut ended = 0;
    for line in &mut lines {
        line.set_read_timeout(Some(Duration::from_millis(300))).unwrap();
        let mut all = Vec::new();
        ended += usize::from(std::io::Read::read_to_end(line, &mut all).is_ok());
    }
    assert_eq!(ended, 36);
    let deck = "4 Moss Sprite\n3 Rain Caller\n";
    let slow = json!({"ask": "build", "format": "shell", "effort": 1000});
    let json_head = [("Content-Type", "application/json")];
    let slow = visitor.request("POST", "/api/ask", &json_head, slow.to_string().as_bytes());
    std::thread::scope(|scope| {
        for _ in 0..24 {
            scope.spawn(|| raw(running.address, &slow));
        }
        std::thread::sleep(Duration::from_millis(100));
        let mut clicks: Vec<Duration> = Vec::new();
        for _ in 0..10 {
            let began = Instant::now();
            let mut browser = visitor.clone();
            let answer = browser.ask("view", &json!({"format": "shell", "deck": deck}));
            assert_eq!(answer.status, 200, "{}", answer.text());
            clicks.push(began.elapsed());
        }
        clicks.sort();
        assert!(clicks[5] < Duration::from_secs(1), "{clicks:?}");
    });
}

/// A link for others leads to where they reach the server.
#[test]
fn the_links_of_players_lead_to_an_address_of_this_machine() {
    let data = tempfile::tempdir().unwrap();
    let mut child = crate::common::command(
        data.path(),
        &["serve", "--port", "0", "--data", ".", "--listen", "0.0.0.0"],
    )
    .env("HOME", data.path())
    .stdout(std::process::Stdio::piped())
    .stderr(std::process::Stdio::piped())
    .spawn()
    .unwrap();
    let mut line = String::new();
    let mut errors = std::io::BufReader::new(child.stderr.take().unwrap());
    std::io::BufRead::read_line(&mut errors, &mut line).unwrap();
    child.kill().unwrap();
    child.wait().unwrap();
    let is_alone = line.contains("this machine has no network");
    assert!(
        is_alone || (line.contains("Others can open http://") && !line.contains("localhost")),
        "{line}"
    );
    if !is_alone {
        let host = between(&line, "http://", ':');
        assert!(host.parse::<std::net::IpAddr>().is_ok_and(|ip| !ip.is_loopback()), "{line}");
    }
}
