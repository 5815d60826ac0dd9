//! An event: players hand decks in, the organiser decides, and what was acknowledged stays.

use super::support::{
    BROKEN, Browser, LEGAL, between, decide, event, folder, hand_in, import, program, refused,
    rows, server, start, state,
};
use serde_json::{Value, json};

/// A player's row at the organiser's page.
fn row<'s>(state: &'s Value, name: &str) -> &'s Value {
    let mut rows = state["players"].as_array().unwrap().iter();
    let found = rows.find(|row| row["player"] == name);
    found.unwrap_or_else(|| panic!("no {name}: {state}"))
}

#[test]
fn an_organisers_evening() {
    let (running, data) = server();
    let mut host = Browser::host(&running);
    let opening = [
        ("players", "Name,Email\nAda,\nBen,ben@example.org\nCy,\nIvo Zeller,\n"),
        ("due", "2999-01-01T18:00"),
        ("zone", "+01:00"),
        ("form", "one"),
    ];
    let (path, key) = event(&mut host, &opening);
    assert_eq!(event(&mut host, &opening).0, path, "one form, one event");
    let own = folder(data.path(), &path);
    let hands_in = |fields| hand_in(running.address, &path, fields);
    // The verdict comes first; an illegal deck is taken only on purpose.
    let (_, checked) = hands_in(["Ada", BROKEN, "check"]);
    assert!(!checked.is_handed_in() && checked.text().contains("verdict illegal"));
    assert!(!hands_in(["Ada", BROKEN, "hand-in"]).1.is_handed_in());
    let (mut ada, entered) = hands_in(["Ada", LEGAL, "hand-in"]);
    assert!(entered.is_handed_in(), "{}", entered.text());
    assert_eq!(between(&entered.text(), "class=\"hash\">", '<').len(), 64);
    assert!(hands_in(["Ben", BROKEN, "anyway"]).1.is_handed_in());
    assert!(hands_in(["Dee", LEGAL, "hand-in"]).1.is_handed_in());
    assert!(!hands_in([" ADA ", LEGAL, "hand-in"]).1.is_handed_in(), "a name of another");
    assert!(!hands_in(["Iov Zeller", LEGAL, "hand-in"]).1.is_handed_in(), "nearly listed");
    // The private link opens the deck in any browser, and no page shows another player's.
    let mine = format!("{path}/mine");
    assert_eq!(Browser::new(running.address).get(&mine).status, 403);
    let text = entered.text();
    let link = between(&text, "#key=", '"').to_uppercase();
    let own_key = link.clone();
    let mut phone = Browser::enters(running.address, &link, &mine);
    let changed = phone.form(&mine, &[("deck", BROKEN), ("do", "anyway")]);
    assert_eq!(changed.status, 200);
    for page in [&path, &mine, "/"] {
        let text = ada.get(page).text();
        assert!(!text.contains("Ben") && !text.contains("Dee"), "{page}: {text}");
    }
    assert!(ada.form(&mine, &[("deck", LEGAL), ("do", "hand-in")]).status < 400);

    let page = format!("{path}/desk");
    let mut desk = Browser::enters(running.address, &key, &page);
    let seen = state(&mut desk, &path);
    for (name, status, verdict, is_unlisted) in [
        ("Ada", "counts", json!("legal"), false),
        ("Ben", "counts", json!("illegal"), false),
        ("Cy", "missing", Value::Null, false),
        ("Dee", "counts", json!("legal"), true),
    ] {
        let row = row(&seen, name);
        let own = (&row["status"], &row["verdict"], &row["unlisted"]);
        assert_eq!(own, (&json!(status), &verdict, &json!(is_unlisted)), "{row}");
    }
    assert_eq!(row(&seen, "Ben")["address"], "ben@example.org");
    let head = seen["head"].as_str().unwrap();
    let unchanged = desk.get(&format!("{page}/state?head={head}"));
    assert_eq!(unchanged.status, 204);
    // A form that is sent twice does its work once.
    let id = |name: &str| row(&seen, name)["id"].as_str().unwrap().to_owned();
    let act = format!("{page}/do");
    let mut forms = 0;
    let mut once = |desk: &mut Browser, body: Value| {
        forms += 1;
        let form = format!("form {forms}");
        let before = rows(&own);
        let first = desk.json_once(&act, &form, &body);
        assert_eq!(first.status, 200, "{body}: {}", first.text());
        let after = rows(&own);
        assert!(after > before, "{body}");
        let second = desk.json_once(&act, &form, &body);
        assert_eq!(second.status, 200, "{body}: {}", second.text());
        assert_eq!(rows(&own), after, "{body}");
        let link = |answer: Value| answer["link"].clone();
        let (first, second) = (first.json(), second.json());
        assert_eq!(link(first.clone()), link(second));
        first
    };
    let typed =
        |what: &str, name: &str, deck: &str| json!({"do": what, "player": id(name), "deck": deck});
    assert_eq!(once(&mut desk, typed("enter", "Cy", LEGAL))["verdict"], "legal");
    assert_eq!(once(&mut desk, typed("check", "Ada", LEGAL))["answer"], "same");
    let other = once(&mut desk, typed("check", "Ada", BROKEN));
    assert_eq!(other["answer"], "other");
    assert!(!other["differences"].as_array().unwrap().is_empty());
    let detail = desk.get(&format!("{page}/player?id={}", id("Cy"))).json();
    let version = &detail["versions"][0];
    assert_eq!((&version["author"], &version["counts"]), (&json!("organiser"), &json!(true)));
    // Drawn for a deck check, ticked and undone.
    let drawn = once(&mut desk, json!({"do": "decide", "words": ["draw"]}));
    let player = drawn["drawn"][0].as_str().unwrap().to_owned();
    let mark = decide(&mut desk, &path, &[&player, "check", "matches"]).json();
    let mark_of = |state: Value| state["marks"][&player]["checked"].clone();
    assert_eq!(mark_of(state(&mut desk, &path)), "matches");
    let undo = json!({"do": "undo", "decision": mark["undo"]});
    assert_eq!(desk.json("POST", &act, &undo).status, 200);
    assert_ne!(mark_of(state(&mut desk, &path)), "matches");
    assert_eq!(desk.json("POST", &act, &undo).status, 409);
    // What a command imports is at the page at once, with its question.
    let deck = LEGAL.replace('\n', "\r\n");
    let form = format!("Timestamp,Name,Deck\n2026-03-01 10:00,Iov Zeller,\"{deck}\"\n");
    std::fs::write(own.join("form.csv"), form).unwrap();
    program(&own, &["event", "import", ".", "form.csv", "--yes"], "");
    let question = state(&mut desk, &path)["questions"][0].clone();
    assert_eq!(question["likely"]["name"], "Ivo Zeller");
    let entry = question["entry"].as_str().unwrap();
    assert_eq!(decide(&mut desk, &path, &[entry, "yes"]).status, 200);
    assert_eq!(state(&mut desk, &path)["questions"], json!([]));
    // The same of every deck by the page and by the command; sheets, workbook and code.
    let table = desk.get(&format!("{page}/decks.csv")).body;
    let export = ["event", "export", ".", "-o", "csv-excel"];
    assert_eq!(table, program(&own, &export, ""));
    let mut sheets = |more: &str| {
        let sheets = desk.get(&format!("{page}/sheets{more}")).text();
        sheets.matches("<h1").count()
    };
    let one = sheets(&format!("?only={}", id("Ada")));
    assert!(one >= 1 && sheets("") == 5 * one);
    assert!(desk.get(&format!("{page}/decks.xlsx")).body.starts_with(b"PK"));
    assert!(desk.get(&format!("{page}/code.svg")).text().starts_with("<svg"));
    assert_eq!(desk.get(&format!("{page}/cards")).json()["decks"], 5);
    // Locked for all; then a new organiser's link replaces the first one.
    assert_eq!(decide(&mut desk, &path, &["all", "lock"]).status, 200);
    assert!(!hands_in(["Eve", LEGAL, "hand-in"]).1.is_handed_in());
    assert_eq!(phone.form(&mine, &[("deck", LEGAL), ("do", "hand-in")]).status, 409);
    let link = host.json("POST", &act, &json!({"do": "key"})).json();
    let (_, new) = link["link"].as_str().unwrap().split_once("#key=").unwrap();
    let mut mia = Browser::new(running.address);
    let mut enter = |key: &str| mia.form("/enter", &[("key", key), ("next", &page)]).status;
    assert_eq!([enter(&key), enter(new)], [403, 303]);
    assert_eq!(desk.get(&page).status, 403);
    // One server has the folder, and a copy of it is the event.
    let data_of_another = tempfile::tempdir().unwrap();
    let second = ["serve", "--port", "0", "--data", ".", "--event"];
    let second = [&second[..], &[own.to_str().unwrap()]].concat();
    assert_eq!(refused(&second, data_of_another.path()), Some(2));
    drop(running);
    let moved = tempfile::tempdir().unwrap();
    let copy = moved.path().join("events").join(own.file_name().unwrap());
    crate::commands::console::copy(&own, &copy);
    let again = start(moved.path(), |_| ());
    let mut ada = Browser::enters(again.address, &own_key, &mine);
    assert!(ada.get(&mine).text().contains("verdict legal"));
}

/// A player reads the verdict and the findings that the organiser reads; what is late is marked or
/// refused.
#[test]
fn players_and_organisers_read_the_same() {
    let (running, _data) = server();
    let mut host = Browser::host(&running);
    let past = [("due", "2020-01-01T18:00"), ("zone", "Z")];
    let (path, _) = event(&mut host, &[past[0], past[1], ("late", "mark")]);
    let (mut ben, marked) = hand_in(running.address, &path, ["Ben", BROKEN, "anyway"]);
    assert!(marked.is_handed_in() && marked.text().contains("verdict late"));
    let mine = ben.get(&format!("{path}/mine")).text();
    let mine = mine.replace("<b>", "").replace("</b>", "");
    let shown = host.get(&format!("{path}/desk/player?id=p001")).json();
    let findings = shown["versions"][0]["findings"].as_array().unwrap();
    assert!(!findings.is_empty(), "{shown}");
    for finding in findings {
        let message = finding["message"].as_str().unwrap();
        let message = message.replace('&', "&amp;").replace('"', "&quot;");
        let message = decklaw::text::sentence(&message.replace('`', ""));
        assert!(mine.contains(&message), "{message}: {mine}");
    }
    let (path, _) = event(&mut host, &[past[0], past[1], ("late", "refuse")]);
    let (_, refused) = hand_in(running.address, &path, ["Ada", LEGAL, "hand-in"]);
    assert!(!refused.is_handed_in());
    // The builder that is open for an event is answered by the event's lock.
    let listed =
        [("format", "vainqueur"), ("day", "2026-08-01"), ("list", "vainqueur-sample-2026-07")];
    let (path, _) = event(&mut host, &listed);
    let deck = "3 Candle-End Wisp\n2 Small Regret\n1 The Guest at Every Siege";
    let question = json!({"ask": "check", "format": "vainqueur", "deck": deck});
    let mut is_listed = |to: &str| {
        let answer = host.json("POST", to, &question).json();
        let mut findings = answer["findings"].as_array().unwrap().iter();
        findings.any(|one| one["rule"] == "banned" || one["rule"] == "restricted")
    };
    assert!(!is_listed("/api/ask"));
    assert!(is_listed(&format!("/api{path}/ask")));
}

/// A name that an organiser gave a meaning has it in every deck that comes to the page: while it is
/// typed, when it is submitted, in a form, and at the table.
#[test]
fn a_decided_name_is_no_fault_anywhere() {
    let (running, _data) = server();
    let mut host = Browser::host(&running);
    let (path, _) = event(&mut host, &[]);
    let (count, card) = LEGAL.lines().last().unwrap().split_once(' ').unwrap();
    let last = format!("{count} {card}");
    let wrong = LEGAL.replace(&last, &format!("{count} Nonesuch"));
    let form = format!("Name,Deck\nBen,\"{wrong}\"\n");
    let verdicts = |host: &mut Browser, name: &str| {
        let typed = host.json("POST", &format!("/api{path}/check"), &json!({"deck": wrong})).json();
        let file = import(host, &path, &json!({"name": "form.csv"}), form.as_bytes(), false);
        let (_, answer) = hand_in(running.address, &path, [name, &wrong, "hand-in"]);
        assert!(!answer.text().contains("--cards"), "a player has no command");
        (typed["verdict"].clone(), file["rows"][0]["verdict"].clone(), answer.is_handed_in())
    };
    let illegal = json!("illegal");
    assert_eq!(verdicts(&mut host, "Ada"), (illegal.clone(), illegal, false));
    assert_eq!(decide(&mut host, &path, &["card", card, "means", card]).status, 409);
    assert_eq!(decide(&mut host, &path, &["card", "nonesuch", "means", card]).status, 200);
    assert_eq!(verdicts(&mut host, "Ada"), (json!("legal"), json!("legal"), true));
    for deck in [&*wrong, LEGAL] {
        let check = json!({"do": "check", "player": "p001", "deck": deck});
        let checked = host.json("POST", &format!("{path}/desk/do"), &check).json();
        assert_eq!(checked["answer"], "same", "{checked}");
    }
}

/// A form, a workbook and a list of players are shown as they are read, and imported on
/// confirmation.
#[test]
fn a_file_is_shown_before_it_is_imported() {
    let (running, _data) = server();
    let mut host = Browser::host(&running);
    let (path, _) = event(&mut host, &[]);
    let list = b"Name,Email\nAda Birch,ada@example.org\nIvo Zeller,\n";
    let file = |name: &str| json!({ "name": name });
    let seen = import(&mut host, &path, &file("players.csv"), list, false);
    let names = json!(["Ada Birch", "Ivo Zeller"]);
    assert_eq!((&seen["kind"], &seen["names"]), (&json!("players"), &names));
    assert_eq!(state(&mut host, &path)["players"], json!([]));
    import(&mut host, &path, &file("players.csv"), list, true);
    let players = state(&mut host, &path)["players"].clone();
    assert_eq!(players.as_array().unwrap().len(), 2);

    let mut book = rust_xlsxwriter::Workbook::new();
    let sheet = book.add_worksheet();
    let rows = [
        ["Timestamp", "Who", "Deck"],
        ["2026-02-01 10:00", "Ada Birch", LEGAL],
        ["2026-02-01 10:05", "Iov Zeller", BROKEN],
    ];
    for (row, cells) in (0..).zip(rows) {
        for (column, cell) in (0..).zip(cells) {
            sheet.write_string(row, column, cell).unwrap();
        }
    }
    let bytes = book.save_to_buffer().unwrap();
    let mut upload = file("form.xlsx");
    let seen = import(&mut host, &path, &upload, &bytes, false);
    assert_eq!(seen["header"], json!(["Timestamp", "Who", "Deck"]));
    upload["columns"] = json!(["player=Who"]);
    for (confirm, new) in [(false, 2), (true, 2), (false, 0)] {
        let seen = import(&mut host, &path, &upload, &bytes, confirm);
        assert_eq!(seen["new"].as_i64().unwrap_or(2), new, "{seen}");
    }
    let now = state(&mut host, &path);
    assert_eq!(row(&now, "Ada Birch")["verdict"], "legal");
    assert_eq!(now["questions"][0]["likely"]["name"], "Ivo Zeller");
    let wrong = import(&mut host, &path, &file("x.csv"), b"a;b\n1;2\n", false);
    assert!(wrong["error"].is_string(), "{wrong}");
    // No cell of an upload names a file of this machine.
    let table = b"Player,Deck\nEve,event.yaml\n";
    let seen = import(&mut host, &path, &file("f.csv"), table, false);
    assert!(!seen["remarks"].as_array().unwrap().is_empty(), "{seen}");
    assert!(!seen.to_string().contains("zone"), "{seen}");
}

/// An answer that was lost comes again by the same form, with the same key, also when forms are
/// sent at once and when hand-in is over by then.
#[test]
fn a_form_that_is_sent_again_gets_the_same_key() {
    let (running, data) = server();
    let mut host = Browser::host(&running);
    let (path, _) = event(&mut host, &[]);
    let send = |name: &str, deck: &str, key: &str| {
        let fields = [("name", name), ("deck", deck), ("do", "hand-in"), ("form", key)];
        Browser::new(running.address).form(&path, &fields)
    };
    let key = |answer: super::support::Answer| {
        assert!(answer.is_handed_in(), "{} {}", answer.status, answer.text());
        between(&answer.text(), "/mine#key=", '"').to_owned()
    };
    let keys: Vec<String> = std::thread::scope(|scope| {
        let sent = [(); 4].map(|()| scope.spawn(|| key(send("Ada", LEGAL, "one"))));
        sent.map(|sent| sent.join().unwrap()).to_vec()
    });
    assert!(keys.iter().all(|key| *key == keys[0]), "{keys:?}");
    assert_eq!(decide(&mut host, &path, &["all", "lock"]).status, 200);
    assert_eq!(key(send("Ada", LEGAL, "one")), keys[0]);
    assert_eq!(decide(&mut host, &path, &["all", "unlock"]).status, 200);
    let file = rusqlite::Connection::open(folder(data.path(), &path).join("entries.db")).unwrap();
    let decks = file.query_row("select count(*) from entry", [], |row| row.get(0));
    assert_eq!(decks, Ok(1));
    // Another deck, another form and another name are no repetition.
    assert_eq!(send("Ada", &LEGAL.replace('\n', "\n\n"), "one").status, 409);
    assert_eq!(send("Ada", LEGAL, "two").status, 409);
    assert_ne!(key(send("Grace", LEGAL, "one")), keys[0]);
}

/// Nothing of a player who is forgotten stays, on the disk or in memory; a disk that fails leaves
/// all.
#[test]
fn a_player_who_is_forgotten_leaves_nothing() {
    let (running, data) = server();
    let mut host = Browser::host(&running);
    let (path, _) = event(&mut host, &[]);
    let own = folder(data.path(), &path);
    let deck = format!("# zzmarked\n{LEGAL}");
    let hands_in = |name: &str, deck: &str| {
        let (player, answer) = hand_in(running.address, &path, [name, deck, "hand-in"]);
        assert!(answer.is_handed_in(), "{name}: {}", answer.text());
        player
    };
    let mut kim = hands_in("Kimberly", &deck);
    hands_in("Ana", LEGAL);
    // The same person under another name, as an organiser found out.
    let mut alias = hands_in("Kimmy", &deck);
    program(&own, &["event", "decide", ".", "p003", "same", "p001"], "");
    let check = json!({"do": "check", "player": "p001", "deck": deck});
    host.json("POST", &format!("{path}/desk/do"), &check);
    decide(&mut host, &path, &["p001", "table", "zzmarked"]);
    let page = format!("{path}/desk/player?id=p001");
    assert_eq!(decide(&mut kim, &path, &["p001", "forget"]).status, 403);
    let disk = rusqlite::Connection::open(own.join("entries.db")).unwrap();
    let fails = "create trigger fails before update on entry
         begin select raise(abort, 'the disk fails'); end;";
    disk.execute_batch(fails).unwrap();
    assert!(decide(&mut host, &path, &["p001", "forget"]).status >= 500);
    assert!(host.get(&page).text().contains("Kimberly"));
    disk.execute_batch("drop trigger fails").unwrap();
    drop(disk);
    assert_eq!(decide(&mut host, &path, &["p001", "forget"]).status, 200);
    assert_eq!(host.get(&page).status, 404);
    for player in [&mut kim, &mut alias] {
        assert_eq!(player.get(&format!("{path}/mine")).status, 403);
    }
    let mut places: Vec<Vec<u8>> = ["state", "sheets", "decks.csv"]
        .map(|part| host.get(&format!("{path}/desk/{part}")).body)
        .to_vec();
    program(&own, &["event", "status", "."], "");
    places.push(crate::common::tree(&own).into_values().flatten().collect());
    drop(running);
    let running = start(data.path(), |_| ());
    places.push(state(&mut Browser::host(&running), &path).to_string().into_bytes());
    for place in places {
        let text = String::from_utf8_lossy(&place);
        assert!(text.contains("Ana"));
        for word in ["Kimberly", "Kimmy", "zzmarked"] {
            assert!(!text.contains(word), "{word} stays");
        }
    }
    // The name is free again.
    let fields = [("name", "Kimmy"), ("deck", LEGAL), ("do", "hand-in")];
    let again = Browser::new(running.address).form(&path, &fields);
    assert!(again.is_handed_in());
}

/// Data that cannot be stored are refused at the start, and those of another version are left
/// alone.
#[test]
fn data_that_cannot_be_stored_are_refused_at_the_start() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("file"), "").unwrap();
    std::fs::create_dir(folder.path().join("later")).unwrap();
    let later = folder.path().join("later/decklaw.sqlite");
    let data = rusqlite::Connection::open(&later).unwrap();
    data.execute_batch("pragma user_version = 99").unwrap();
    drop(data);
    for data in ["file/data", "later"] {
        let call = ["serve", "--port", "0", "--data", data];
        assert_eq!(refused(&call, folder.path()), Some(2), "{data}");
    }
    let data = rusqlite::Connection::open(&later).unwrap();
    let version = data.query_row("pragma user_version", [], |row| row.get(0));
    assert_eq!(version, Ok(99));
}
