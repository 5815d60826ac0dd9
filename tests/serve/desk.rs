//! The pages of an event, as a browser without scripts and as their scripts ask them.

use super::support::{
    BROKEN, Browser, LEGAL, Running, between, decide, event, event_command, folder, import, server,
    start, state,
};
use serde_json::{Value, json};

fn hand_in(
    running: &Running,
    path: &str,
    name: &str,
    deck: &str,
    action: &str,
) -> (Browser, String) {
    let mut player = Browser::new(running.address);
    let page = player.form(path, &[("name", name), ("deck", deck), ("do", action)]);
    let text = page.text();
    (player, text)
}

#[test]
fn a_player_hands_in_changes_it_and_is_locked_out() {
    let (running, _data) = server();
    let mut host = Browser::host(&running);
    let (path, _) = event(
        &mut host,
        &[("due", "2999-01-01T18:00"), ("zone", "+01:00")],
    );
    let mut player = Browser::new(running.address);
    let page = player.get(&path).text();
    assert!(
        page.contains("Tuesday 1 January 2999 at 18:00") && page.contains("UTC+01:00"),
        "{page}"
    );
    // The verdict comes before anything is handed in.
    let checked = player
        .form(&path, &[("name", "Ada"), ("deck", BROKEN), ("do", "check")])
        .text();
    assert!(
        checked.contains("Not legal") && !checked.contains("Handed in"),
        "{checked}"
    );
    let refused = player
        .form(
            &path,
            &[("name", "Ada"), ("deck", BROKEN), ("do", "hand-in")],
        )
        .text();
    assert!(refused.contains("Hand in anyway") && !refused.contains("Handed in"));
    let handed_in = player
        .form(
            &path,
            &[("name", "Ada"), ("deck", LEGAL), ("do", "hand-in")],
        )
        .text();
    assert!(
        handed_in.contains("Handed in") && handed_in.contains("#key="),
        "{handed_in}"
    );
    let hash = between(&handed_in, "class=\"hash\">", '<');
    assert_eq!(hash.len(), 64);
    // The link opens the deck in another browser, too.
    let key = between(&handed_in, "#key=", '"');
    let mut phone = Browser::new(running.address);
    let mine = format!("{path}/mine");
    assert_eq!(phone.get(&mine).status, 403);
    let entered = phone.form("/enter", &[("key", &key.to_uppercase()), ("next", &mine)]);
    assert_eq!(
        (entered.status, entered.header("location")),
        (303, Some(mine.as_str()))
    );
    assert!(phone.get(&mine).text().contains("Ada"));
    let changed = phone
        .form(&mine, &[("deck", BROKEN), ("do", "anyway")])
        .text();
    assert!(
        changed.contains("version 2") && changed.contains("Not legal"),
        "{changed}"
    );
    // Nobody takes the name of another.
    let (_, taken) = hand_in(&running, &path, " ADA ", LEGAL, "hand-in");
    assert!(
        taken.contains("handed in under this name already"),
        "{taken}"
    );
    // Locked is locked.
    assert_eq!(decide(&mut host, &path, &["all", "lock"]).status, 200);
    let locked = phone.form(&mine, &[("deck", LEGAL), ("do", "hand-in")]);
    assert_eq!(locked.status, 409);
    assert!(locked.text().contains("takes no more decks"));
    assert!(!phone.get(&mine).text().contains("version 3"));
}

#[test]
fn what_is_late_is_marked_or_refused() {
    let (running, _data) = server();
    let mut host = Browser::host(&running);
    let past = [("due", "2020-01-01T18:00"), ("zone", "Z")];
    let (marks, _) = event(&mut host, &[past[0], past[1], ("late", "mark")]);
    let (refuses, _) = event(&mut host, &[past[0], past[1], ("late", "refuse")]);
    let (_, marked) = hand_in(&running, &marks, "Ada", LEGAL, "hand-in");
    assert!(
        marked.contains("Handed in") && marked.contains("class=\"verdict late\""),
        "{marked}"
    );
    let (_, refused) = hand_in(&running, &refuses, "Ada", LEGAL, "hand-in");
    assert!(
        refused.contains("takes nothing late") && !refused.contains("Handed in"),
        "{refused}"
    );
}

#[test]
fn one_player_sees_nothing_of_another() {
    let (running, _data) = server();
    let mut host = Browser::host(&running);
    let (path, _) = event(&mut host, &[("players", "Ada\nBen\nCy")]);
    let (mut ada, _) = hand_in(&running, &path, "Ada", LEGAL, "hand-in");
    let (_, _) = hand_in(&running, &path, "Ben", BROKEN, "anyway");
    for page in [path.clone(), format!("{path}/mine"), "/".to_owned()] {
        let text = ada.get(&page).text();
        assert!(
            !text.contains("Ben") && !text.contains("All the Sprites"),
            "{page}: {text}"
        );
    }
}

/// The state of a player at the page.
fn row<'s>(state: &'s Value, name: &str) -> &'s Value {
    let mut rows = state["players"].as_array().unwrap().iter();
    let found = rows.find(|row| row["name"] == name);
    found.unwrap_or_else(|| panic!("no {name}: {state}"))
}

#[test]
fn an_organisers_evening() {
    let (running, _data) = server();
    let mut host = Browser::host(&running);
    // A list with a header is a table.
    let (path, key) = event(
        &mut host,
        &[("players", "Name,Email\nAda,\nBen,ben@example.org\nCy,\n")],
    );
    hand_in(&running, &path, "Ada", LEGAL, "hand-in");
    hand_in(&running, &path, "Ben", BROKEN, "anyway");
    hand_in(&running, &path, "Dee", LEGAL, "hand-in");
    let page = format!("{path}/desk");
    let mut desk = Browser::enters(running.address, &key, &page);
    assert!(desk.get(&page).text().contains("desk.js"));
    let seen = state(&mut desk, &path);
    assert_eq!(seen["players"].as_array().unwrap().len(), 4, "{seen}");
    for (name, status, verdict, unlisted) in [
        ("Ada", "counts", json!("legal"), false),
        ("Ben", "counts", json!("illegal"), false),
        ("Cy", "missing", Value::Null, false),
        ("Dee", "counts", json!("legal"), true),
    ] {
        let row = row(&seen, name);
        let own = (&row["status"], &row["verdict"], &row["unlisted"]);
        assert_eq!(own, (&json!(status), &verdict, &json!(unlisted)), "{row}");
    }
    assert_eq!(row(&seen, "Ben")["address"], "ben@example.org");
    // Nothing is sent again while nothing happens.
    let head = seen["head"].as_str().unwrap();
    assert_eq!(desk.get(&format!("{page}/state?head={head}")).status, 204);

    // Enter a deck for who cannot, and check one at the table.
    let id = |name: &str| row(&seen, name)["id"].as_str().unwrap().to_owned();
    let mut typed = |what: &str, name: &str, deck: &str| {
        let act = json!({"do": what, "player": id(name), "deck": deck});
        desk.json("POST", &format!("{page}/do"), &act).json()
    };
    assert_eq!(typed("enter", "Cy", LEGAL)["verdict"], "legal");
    assert_eq!(typed("check", "Ada", LEGAL)["answer"], "same");
    let other = typed("check", "Ada", BROKEN);
    assert_eq!(other["answer"], "other");
    assert!(!other["differences"].as_array().unwrap().is_empty());
    let detail = desk.get(&format!("{page}/player?id={}", id("Cy"))).json();
    assert_eq!(detail["versions"][0]["author"], "organiser");
    assert_eq!(detail["versions"][0]["counts"], true);
    assert!(
        !detail["versions"][0]["sections"]
            .as_array()
            .unwrap()
            .is_empty()
    );
    // A player reads the verdict and the findings that the organiser reads.
    let (mut ben, _) = hand_in(&running, &path, "Bo", BROKEN, "anyway");
    let mine = ben.get(&format!("{path}/mine")).text();
    // Names stand in bold there.
    let mine = mine.replace("<b>", "").replace("</b>", "");
    let shown = desk.get(&format!("{page}/player?id=p005")).json();
    let findings = shown["versions"][0]["findings"].as_array().unwrap().clone();
    assert!(!findings.is_empty(), "{shown}");
    for finding in findings {
        let message = finding["message"].as_str().unwrap();
        let message = message.replace('&', "&amp;").replace('"', "&quot;");
        let message = decklaw::text::sentence(&message.replace('`', ""));
        assert!(mine.contains(&message), "{message}: {mine}");
    }
    // Drawn, ticked and undone.
    let drawn = decide(&mut desk, &path, &["draw"]).json();
    let player = drawn["drawn"][0].as_str().unwrap().to_owned();
    let checked = decide(&mut desk, &path, &[&player, "check", "matches"]).json();
    let of = |state: &Value| {
        let mut rows = state["players"].as_array().unwrap().iter();
        rows.find(|row| row["id"] == *player).unwrap()["checked"].clone()
    };
    assert_eq!(of(&state(&mut desk, &path)), "matches");
    let undo = json!({"do": "undo", "decision": checked["undo"]});
    let undone = desk.json("POST", &format!("{page}/do"), &undo);
    assert_eq!(undone.status, 200, "{}", undone.text());
    assert_ne!(of(&state(&mut desk, &path)), "matches");
    assert_eq!(desk.json("POST", &format!("{page}/do"), &undo).status, 409);

    let code = desk.get(&format!("{page}/code.svg"));
    assert!(
        code.text().starts_with("<svg") && code.header("content-type") == Some("image/svg+xml")
    );
    let sheets = desk.get(&format!("{page}/sheets")).text();
    assert_eq!(sheets.matches("<h1>Deck registration</h1>").count(), 5);
    let sheets = desk
        .get(&format!("{page}/sheets?only={}", id("Ada")))
        .text();
    assert_eq!(sheets.matches("<h1>Deck registration</h1>").count(), 1);
    let book = desk.get(&format!("{page}/decks.xlsx"));
    assert!(book.body.starts_with(b"PK"), "{}", book.text());
    assert_eq!(desk.get(&format!("{page}/cards")).json()["decks"], 5);
    // No more decks.
    decide(&mut desk, &path, &["all", "lock"]);
    let (_, closed) = hand_in(&running, &path, "Eve", LEGAL, "hand-in");
    assert!(closed.contains("takes no more decks") && !closed.contains("Handed in"));
}

/// A form, a workbook and a list of players are dropped on the page, shown as they are read, and
/// imported once somebody confirms it.
#[test]
fn a_file_is_shown_as_it_is_read_before_it_is_imported() {
    let (running, _data) = server();
    let mut host = Browser::host(&running);
    let (path, _) = event(&mut host, &[]);
    let list = b"Name,Email\nAda Birch,ada@example.org\nIvo Zeller,\n";
    let file = |name: &str| json!({ "name": name });
    let seen = import(&mut host, &path, &file("players.csv"), list, false);
    assert_eq!(
        (&seen["kind"], &seen["names"]),
        (&json!("players"), &json!(["Ada Birch", "Ivo Zeller"]))
    );
    assert_eq!(state(&mut host, &path)["players"], json!([]));
    import(&mut host, &path, &file("players.csv"), list, true);
    assert_eq!(
        state(&mut host, &path)["players"].as_array().unwrap().len(),
        2
    );

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
    let seen = import(&mut host, &path, &upload, &bytes, false);
    assert_eq!(
        (&seen["kind"], &seen["new"]),
        (&json!("form"), &json!(2)),
        "{seen}"
    );
    let remark = seen["remarks"][0].as_str().unwrap();
    assert!(remark.ends_with("most likely Ivo Zeller"), "{seen}");
    import(&mut host, &path, &upload, &bytes, true);
    let now = state(&mut host, &path);
    assert_eq!(row(&now, "Ada Birch")["verdict"], "legal");
    assert_eq!(now["questions"][0]["likely"]["name"], "Ivo Zeller");
    // After he hands in himself it is still most likely his.
    let (_, told) = hand_in(&running, &path, "Ivo Zeller", LEGAL, "hand-in");
    assert!(told.contains("Handed in"), "{told}");
    let now = state(&mut host, &path);
    assert_eq!(now["questions"][0]["likely"]["name"], "Ivo Zeller");
    assert_eq!(decide(&mut host, &path, &["e002", "yes"]).status, 200);
    // The same file again adds nothing, and a file that is neither says why.
    let again = import(&mut host, &path, &upload, &bytes, false);
    assert_eq!(again["new"], 0);
    let wrong = import(&mut host, &path, &file("x.csv"), b"a;b\n1;2\n", false);
    assert!(wrong["error"].is_string(), "{wrong}");
    // No cell of an upload names a file of this machine.
    let table = b"Player,Deck\nEve,event.yaml\n";
    let seen = import(&mut host, &path, &file("f.csv"), table, false);
    assert!(
        seen["remarks"].to_string().contains("no file `event.yaml`"),
        "{seen}"
    );
}

/// The builder that is open for an event is answered by the event's lock, whatever the server knows.
#[test]
fn the_builder_of_an_event_asks_its_lock() {
    let (running, _data) = server();
    let mut host = Browser::host(&running);
    let (path, _) = event(&mut host, &[("players", "Ada")]);
    let page = Browser::new(running.address).get(&path).text();
    let id = path.rsplit('/').next().unwrap();
    assert!(page.contains(&format!("/deck/shell?event={id}")), "{page}");
    let opened = host.form(
        "/desk/new",
        &[
            ("format", "vainqueur"),
            ("title", "Listed"),
            ("day", "2026-08-01"),
            ("list", "vainqueur-sample-2026-07"),
        ],
    );
    let text = opened.text();
    let listed = between(&text, "href=\"/e/", '"');
    let mut visitor = Browser::new(running.address);
    let question = json!({"ask": "check", "format": "vainqueur", "deck": "3 Candle-End Wisp\n2 Small Regret\n1 The Guest at Every Siege"});
    let mut rules = |to: &str| {
        let said = visitor.json("POST", to, &question);
        assert_eq!(said.status, 200, "{}", said.text());
        let findings = said.json()["findings"].as_array().unwrap().clone();
        let rules = findings
            .iter()
            .map(|one| one["rule"].as_str().unwrap().to_owned());
        rules.collect::<Vec<_>>()
    };
    let of_list = |rules: &[String]| {
        rules
            .iter()
            .any(|rule| rule == "banned" || rule == "restricted")
    };
    assert!(!of_list(&rules("/api/ask")));
    let own = rules(&format!("/api/e/{listed}/ask"));
    assert!(of_list(&own), "{own:?}");
}

/// The page and the commands are of one folder, at the same time; a copy of it is the event.
#[test]
fn the_desk_and_the_commands_say_the_same_of_one_folder() {
    let (running, data) = server();
    let mut host = Browser::host(&running);
    let (path, before) = event(
        &mut host,
        &[
            ("due", "2999-01-01T18:00"),
            ("zone", "+01:00"),
            ("players", "Zoe Quill\nIvo Zeller"),
        ],
    );
    let own = folder(data.path(), &path);
    let (mut ada, _) = hand_in(&running, &path, "Ada, the \"First\"", LEGAL, "hand-in");
    hand_in(&running, &path, "Ben", BROKEN, "anyway");
    ada.form(
        &format!("{path}/mine"),
        &[("deck", BROKEN), ("do", "anyway")],
    );
    // A name that is nearly on the list is not taken for another, nor for the one on the list.
    let (_, nearly) = hand_in(&running, &path, "Iov Zeller", LEGAL, "hand-in");
    assert!(nearly.contains("list has Ivo Zeller."), "{nearly}");
    assert!(
        nearly.contains("value=\"Iov Zeller\"") && nearly.contains("Rain Caller"),
        "{nearly}"
    );
    // What a command imports is at the page at once, with what is asked about it.
    let form = data.path().join("form.csv");
    let deck = LEGAL.replace('\n', "\r\n");
    let table = format!(
        "Timestamp,Name,Deck\n2026-03-01 10:00,Iov Zeller,\"{deck}\"\n2026-03-01 10:05,Cleo,\"{deck}\"\nnoon,Dov,\"{deck}\"\n"
    );
    std::fs::write(&form, table).unwrap();
    event_command(&own, "import", &[form.to_str().unwrap(), "--yes"]);
    let seen = state(&mut host, &path);
    let questions = seen["questions"].as_array().unwrap();
    assert_eq!(questions.len(), 2, "{seen}");
    assert_eq!(questions[0]["likely"]["name"], "Ivo Zeller");
    assert_eq!(questions[1]["about_time"], true);
    assert_eq!(row(&seen, "Cleo")["local"], "2026-03-01T10:05:00");
    let entry = |at: usize| questions[at]["entry"].as_str().unwrap();
    assert_eq!(decide(&mut host, &path, &[entry(0), "yes"]).status, 200);
    assert_eq!(decide(&mut host, &path, &[entry(1), "in-time"]).status, 200);
    assert_eq!(state(&mut host, &path)["questions"], json!([]));
    // The same of every deck, by the page and by the command.
    let desk = format!("{path}/desk");
    let of_desk = host.get(&format!("{desk}/decks.csv")).body;
    assert_eq!(of_desk, event_command(&own, "export", &["-o", "csv-excel"]));
    // A new link for the organiser takes the place of the one before it.
    let link = host
        .json("POST", &format!("{desk}/do"), &json!({"do": "key"}))
        .json();
    let key = link["link"]
        .as_str()
        .unwrap()
        .split("#key=")
        .nth(1)
        .unwrap();
    let mut mia = Browser::new(running.address);
    let mut enter = |key: &str| mia.form("/enter", &[("key", key), ("next", &desk)]).status;
    assert_eq!([enter(&before), enter(key)], [403, 303]);
    assert_eq!(decide(&mut mia, &path, &["draw"]).status, 200);
    // A copy of the folder is the event, and no second server holds the folder itself.
    let refused = decklaw_serve(&own);
    assert!(
        refused.contains("another server has this event, at http://127.0.0.1:"),
        "{refused}"
    );
    drop(running);
    let moved = tempfile::tempdir().unwrap();
    let copy = moved.path().join("events").join(own.file_name().unwrap());
    std::fs::create_dir_all(&copy).unwrap();
    for file in std::fs::read_dir(&own).unwrap().map(Result::unwrap) {
        std::fs::copy(file.path(), copy.join(file.file_name())).unwrap();
    }
    let again = start(moved.path(), |_| ());
    ada.address = again.address;
    assert!(
        ada.get(&format!("{path}/mine"))
            .text()
            .contains("version 2")
    );
}

/// What a second server says.
fn decklaw_serve(event: &std::path::Path) -> String {
    let data = tempfile::tempdir().unwrap();
    let run = std::process::Command::new(env!("CARGO_BIN_EXE_decklaw"))
        .args(["serve", "--port", "0", "--data"])
        .arg(data.path())
        .arg("--event")
        .arg(event)
        .output()
        .unwrap();
    assert_eq!(run.status.code(), Some(2));
    String::from_utf8_lossy(&run.stderr).into_owned()
}
