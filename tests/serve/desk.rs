//! The desk: an organiser's evening without a script, and what is taken out of it.

use super::support::{BROKEN, Browser, LEGAL, Running, event, event_command, folder, start};

fn server() -> (Running, tempfile::TempDir) {
    let data = tempfile::tempdir().unwrap();
    (start(data.path(), |_| ()), data)
}

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
        page.contains("Friday") && page.contains("18:00:00 (+01:00)"),
        "{page}"
    );
    // The verdict comes before anything is handed in.
    let checked = player
        .form(&path, &[("name", "Ada"), ("deck", BROKEN), ("do", "check")])
        .text();
    assert!(
        checked.contains("illegal") && !checked.contains("Handed in"),
        "{checked}"
    );
    let refused = player
        .form(
            &path,
            &[("name", "Ada"), ("deck", BROKEN), ("do", "hand-in")],
        )
        .text();
    assert!(refused.contains("Hand in as it is, illegal") && !refused.contains("Handed in"));
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
    let hash = handed_in
        .split("class=\"hash\">")
        .nth(1)
        .unwrap()
        .split('<')
        .next()
        .unwrap();
    assert_eq!(hash.len(), 64);
    // The link opens the deck in another browser, too.
    let key = handed_in
        .split("#key=")
        .nth(1)
        .unwrap()
        .split('"')
        .next()
        .unwrap();
    let mut phone = Browser::new(running.address);
    let mine = format!("{path}/mine");
    assert_eq!(phone.get(&mine).status, 403);
    let entered = phone.form(
        &format!("{path}/enter"),
        &[("key", &key.to_uppercase()), ("next", &mine)],
    );
    assert_eq!(
        (entered.status, entered.header("location")),
        (303, Some(mine.as_str()))
    );
    assert!(phone.get(&mine).text().contains("Ada"));
    let changed = phone
        .form(&mine, &[("deck", BROKEN), ("do", "anyway")])
        .text();
    assert!(
        changed.contains("version 2") && changed.contains("illegal"),
        "{changed}"
    );
    // Nobody takes the name of another.
    let (_, taken) = hand_in(&running, &path, " ADA ", LEGAL, "hand-in");
    assert!(
        taken.contains("handed in under this name already"),
        "{taken}"
    );
    // Locked is locked.
    assert_eq!(
        host.form(&format!("{path}/desk/all"), &[("do", "lock")])
            .status,
        303
    );
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
        marked.contains("Handed in") && marked.contains("class=\"late\""),
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

#[test]
fn an_organisers_evening() {
    let (running, _data) = server();
    let mut host = Browser::host(&running);
    let (path, key) = event(&mut host, &[("players", "Ada\nBen\nCy")]);
    hand_in(&running, &path, "Ada", LEGAL, "hand-in");
    hand_in(&running, &path, "Ben", BROKEN, "anyway");
    hand_in(&running, &path, "Dee", LEGAL, "hand-in");
    let mut desk = Browser::new(running.address);
    let page = format!("{path}/desk");
    assert_eq!(
        desk.form(&format!("{path}/enter"), &[("key", &key), ("next", &page)])
            .status,
        303
    );
    let text = desk.get(&page).text();
    for told in [
        "illegal <b>1</b>",
        "legal <b>2</b>",
        "missing <b>1</b>",
        "not on the list",
    ] {
        assert!(text.contains(told), "{told}: {text}");
    }
    let missing = desk.get(&format!("{page}?show=missing")).text();
    assert!(
        missing.contains("Cy") && !missing.contains("<bdi>Ada</bdi>"),
        "{missing}"
    );
    // Enter a deck for who cannot, and check one at the table.
    let of = |name: &str| {
        let before = text.split(&format!("<bdi>{name}</bdi>")).next().unwrap();
        before
            .rsplit("href=\"")
            .next()
            .unwrap()
            .split('"')
            .next()
            .unwrap()
            .to_owned()
    };
    assert_eq!(
        desk.form(&of("Cy"), &[("do", "enter"), ("deck", LEGAL)])
            .status,
        303
    );
    assert!(
        desk.get(&of("Cy"))
            .text()
            .contains("by <bdi>organiser</bdi>")
    );
    let same = desk
        .form(&of("Ada"), &[("do", "check"), ("deck", LEGAL)])
        .text();
    assert!(same.contains("The same deck"), "{same}");
    let other = desk
        .form(&of("Ada"), &[("do", "check"), ("deck", BROKEN)])
        .text();
    assert!(
        other.contains("Not the deck that counts") && other.contains("→"),
        "{other}"
    );
    let link = desk.form(&of("Ben"), &[("do", "key")]).text();
    assert!(link.contains("/mine#key="));
    let code = desk.get(&format!("{page}/code.svg"));
    assert!(
        code.text().starts_with("<svg") && code.header("content-type") == Some("image/svg+xml")
    );
    let sheets = desk.get(&format!("{page}/sheets")).text();
    assert_eq!(sheets.matches("<h1>Deck registration</h1>").count(), 4);
    let book = desk.get(&format!("{page}/export/decks.xlsx"));
    assert!(book.body.starts_with(b"PK"), "{}", book.text());
    // No more decks.
    desk.form(&format!("{path}/desk/all"), &[("do", "lock")]);
    let (_, closed) = hand_in(&running, &path, "Eve", LEGAL, "hand-in");
    assert!(closed.contains("takes no more decks") && !closed.contains("Handed in"));
}

/// The desk and the commands are of one folder, at the same time; a copy of it is the event.
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
    assert!(
        nearly.contains("The organiser's list has Ivo Zeller."),
        "{nearly}"
    );
    assert!(
        nearly.contains("value=\"Iov Zeller\"") && nearly.contains("Rain Caller"),
        "{nearly}"
    );
    // What a command takes in is at the desk at once, with what is to be asked about it.
    let form = data.path().join("form.csv");
    let deck = LEGAL.replace('\n', "\r\n");
    let table = format!(
        "Timestamp,Name,Deck\n2026-03-01 10:00,Iov Zeller,\"{deck}\"\n2026-03-01 10:05,Cleo,\"{deck}\"\nnoon,Dov,\"{deck}\"\n"
    );
    std::fs::write(&form, table).unwrap();
    event_command(&own, "import", &[form.to_str().unwrap(), "--yes"]);
    let desk = format!("{path}/desk");
    let page = host.get(&desk).text();
    for told in [
        "To answer (2)",
        "Iov Zeller",
        "Ivo Zeller",
        "It came in time",
        "Cleo",
    ] {
        assert!(page.contains(told), "{told}: {page}");
    }
    let entry = |name: &str| {
        let before = page
            .split(&format!("<b><bdi>{name}</bdi></b>"))
            .next()
            .unwrap();
        let value = before.rsplit("name=\"entry\" value=\"").next().unwrap();
        value.split('"').next().unwrap().to_owned()
    };
    let all = format!("{desk}/all");
    let answered = [("entry", &*entry("Iov Zeller")), ("do", "yes")];
    assert_eq!(host.form(&all, &answered).status, 303);
    let answered = [("entry", &*entry("Dov")), ("do", "in-time")];
    assert_eq!(host.form(&all, &answered).status, 303);
    let page = host.get(&desk).text();
    assert!(!page.contains("To answer"), "{page}");
    // The same of every deck, by the page and by the command.
    let of_desk = host.get(&format!("{desk}/export/decks.csv")).body;
    assert_eq!(of_desk, event_command(&own, "export", &["-o", "csv-excel"]));
    // A new link for the organiser takes the place of the one before it.
    let key = host.form(&format!("{desk}/key"), &[]).text();
    let key = key
        .split("#key=")
        .nth(1)
        .unwrap()
        .split(['"', '<'])
        .next()
        .unwrap()
        .to_owned();
    let mut mia = Browser::new(running.address);
    assert_eq!(
        mia.form(&format!("{path}/enter"), &[("key", &before)])
            .status,
        403
    );
    let enter = [("key", &*key), ("next", &*desk)];
    assert_eq!(mia.form(&format!("{path}/enter"), &enter).status, 303);
    assert_eq!(mia.form(&all, &[("do", "draw")]).status, 303);
    // A copy of the folder is the event, and no second server holds the folder itself.
    let refused = decklaw_serve(&own);
    assert!(
        refused.contains("another server is the desk of this event, at http://127.0.0.1:"),
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
