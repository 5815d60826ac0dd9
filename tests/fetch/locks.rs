//! An event's lock: its lists to the byte, or no verdict.

use crate::desk::{Desk, list};
use crate::server::{Server, ok};

/// A desk that has fetched a list and locked it.
fn event(server: &Server) -> Desk {
    server.put("/list.yaml", ok(&list("june", "2026-06-01", 4)));
    let desk = Desk::with_list(&server.url("/list.yaml"), "");
    desk.fetch(&[]).expect(0, &[]);
    desk.write("deck.txt", "Format: vainqueur\n\n1 Chapel Lynx\n");
    desk.run(&["banlist", "lock", "vainqueur", "--as-of", "2026-07-01"])
        .expect(0, &["vainqueur: june", "2026-07-01"]);
    desk
}

#[test]
fn a_lock_names_the_list_and_reports_carry_it() {
    let server = Server::start();
    let desk = event(&server);
    let lock: serde_json::Value =
        serde_json::from_slice(&std::fs::read(desk.path("work/decklaw.lock")).unwrap()).unwrap();
    assert_eq!(lock["schema"], "decklaw/lock/1");
    assert_eq!(lock["day"], "2026-07-01");
    let locked = &lock["lists"]["vainqueur"];
    assert_eq!(locked["id"], "june");
    assert_eq!(locked["effective"], "2026-06-01");
    assert_eq!(locked["address"], server.url("/list.yaml"));
    let bytes = list("june", "2026-06-01", 4);
    assert_eq!(locked["sha256"], decklaw::digest::sha256(bytes.as_bytes()));

    let report = desk
        .run(&["check", "deck.txt", "--locked", "-o", "json"])
        .expect(0, &[])
        .json();
    assert_eq!(report["as_of"], "2026-07-01");
    assert_eq!(report["lock"]["seal"], lock["seal"]);
    assert_eq!(
        report["rules"]["vainqueur"]["banlist"]["sha256"],
        locked["sha256"]
    );
    let seal = lock["seal"].as_str().unwrap();
    desk.run(&["check", "deck.txt", "--locked=decklaw.lock"])
        .expect(0, &[seal, "2026-07-01"]);
    let without = desk.run(&["check", "deck.txt", "-o", "json"]).json();
    assert!(without.get("lock").is_none());
}

#[test]
fn anything_else_is_refused() {
    let server = Server::start();
    let desk = event(&server);
    let check = |more: &[&str]| {
        let mut arguments = vec!["check", "deck.txt", "--locked"];
        arguments.extend(more);
        desk.run(&arguments)
    };
    let refused = |more: &[&str], words: &[&str]| {
        let said = check(more).expect(2, words);
        assert_eq!(said.out, "", "no verdict is given");
    };
    refused(&["--banlist", "none"], &["no list", "june"]);
    refused(
        &["--banlist", "vainqueur-sample-2026-01"],
        &["june was locked"],
    );
    refused(&["--as-of", "2026-07-02"], &["2026-07-01"]);
    refused(&["--format", "shell"], &["shell"]);
    refused(&["--set", "copies=3"], &["copies=3", "not what was locked"]);
    desk.write("cards.csv", "name\nChapel Lynx\n");
    refused(
        &["--cards", "vainqueur=cards.csv"],
        &["cards.csv", "not one that was locked"],
    );
    check(&["--as-of", "2026-07-01"]).expect(0, &[]);
    check(&["--banlist", "june"]).expect(0, &[]);

    // A later list of the same days is told, and the locked one is judged by.
    let judged = |more: &[&str], words: &[&str]| {
        let said = check(&[&["-o", "json"], more].concat()).expect(0, words);
        assert_eq!(said.json()["rules"]["vainqueur"]["banlist"]["id"], "june");
    };
    server.put("/list.yaml", ok(&list("late-june", "2026-06-15", 4)));
    desk.fetch(&[]).expect(0, &[]);
    judged(
        &[],
        &["official/late-june has come", "the locked list june"],
    );
    judged(&["--banlist", "june"], &[]);
    refused(
        &["--banlist", "late-june"],
        &["late-june", "june was locked"],
    );

    // The list was amended.
    let copies = desk.path("configuration/fetched/official");
    std::fs::remove_file(copies.join("2026-06-15.yaml")).unwrap();
    std::fs::remove_file(copies.join("state.json")).unwrap();
    server.put("/list.yaml", ok(&list("june", "2026-06-01", 5)));
    desk.fetch(&[]).expect(0, &["new: june"]);
    judged(&[], &["june has come"]);
    desk.write("amended.yaml", &list("june", "2026-06-01", 5));
    refused(
        &["--banlist", "amended.yaml"],
        &["was changed since it was locked"],
    );
    desk.write("saved.yaml", &list("june", "2026-06-01", 4));
    judged(&["--banlist", "saved.yaml"], &[]);

    // The list is gone, and so is all else but the lock.
    std::fs::remove_dir_all(desk.path("configuration")).unwrap();
    judged(&[], &[]);
    judged(&["--banlist", "june"], &[]);
}

/// Rules, cards and settings: what is changed after the lock changes no verdict under it.
#[test]
fn a_lock_covers_all_that_decides() {
    let desk = Desk::new();
    let root = env!("CARGO_MANIFEST_DIR");
    let copy = |to: &str| {
        let folder = desk.path(to);
        std::fs::create_dir_all(&folder).unwrap();
        for file in std::fs::read_dir(format!("{root}/formats/shell")).unwrap() {
            let file = file.unwrap();
            std::fs::copy(file.path(), folder.join(file.file_name())).unwrap();
        }
        folder
    };
    let game = copy("configuration/formats/shell");
    let deck = std::fs::read_to_string(format!("{root}/decks/shell/ebb.txt")).unwrap();
    desk.write("deck.txt", &deck);
    let locked = || desk.run(&["check", "deck.txt", "--locked", "-o", "json"]);
    desk.run(&["banlist", "lock", "shell", "--as-of", "2026-07-01"])
        .expect(0, &["shell: no list", "with copies of rules"]);
    let before = locked().expect(0, &[]).json();
    assert_eq!(before["inputs"][0]["from"], "lock");
    // The rules demand other points now, and no card is what it was.
    let rules = std::fs::read_to_string(game.join("game.yaml")).unwrap();
    let changed = rules.replace("100", "101");
    assert_ne!(rules, changed);
    std::fs::write(game.join("game.yaml"), changed).unwrap();
    std::fs::write(
        game.join("cards.csv"),
        "name,type,colour,mana,viable\nMoss Sprite,spell,red,9,red\n",
    )
    .unwrap();
    desk.run(&["check", "deck.txt"]).expect(1, &[]);
    let after = locked().expect(0, &[]).json();
    assert_eq!(before["rules"], after["rules"]);
    assert_eq!(before["decks"], after["decks"]);
    // A copy that was changed is no copy.
    let lock = std::fs::read_to_string(desk.path("work/decklaw.lock")).unwrap();
    desk.write(
        "decklaw.lock",
        &lock.replacen("Moss Sprite", "Moss Spirit", 1),
    );
    locked().expect(2, &["the copy of shell/", "decklaw.lock"]);
    // Another edition of the program may judge otherwise.
    let edition = concat!("decklaw ", env!("CARGO_PKG_VERSION"));
    desk.write("decklaw.lock", &lock.replacen(edition, "decklaw 0.0.1", 1));
    locked().expect(2, &["changed after it was made"]);
}

#[test]
fn a_lock_covers_settings_and_cards() {
    let desk = Desk::new();
    desk.write("deck.txt", "Format: vainqueur\n\n3 Chapel Lynx\n");
    desk.write(
        "cards.csv",
        "name,type,rank,subtype\nChapel Lynx,monster,alpha,beast\n",
    );
    let call = ["banlist", "lock", "vainqueur", "--as-of", "2026-07-01"];
    let given = ["--set", "copies=2", "--cards", "vainqueur=cards.csv"];
    desk.run(&[&call[..], &given].concat())
        .expect(0, &["copies=2"]);
    std::fs::remove_file(desk.path("work/cards.csv")).unwrap();
    let said = desk.run(&["check", "deck.txt", "--locked"]);
    said.expect(
        1,
        &["copies", "setting of vainqueur: copies=2", "cards.csv"],
    );
    desk.run(&["check", "deck.txt", "--locked", "--set", "copies=2"])
        .expect(1, &[]);
    desk.run(&["check", "deck.txt", "--locked", "--set", "copies=3"])
        .expect(2, &["copies=3", "copies=2"]);
    desk.run(&[&call[..], &["--replace", "--set", "no_such=2"]].concat())
        .expect(2, &["no_such"]);
}

#[test]
fn a_tampered_lock_is_no_lock() {
    let server = Server::start();
    let desk = event(&server);
    let text = std::fs::read_to_string(desk.path("work/decklaw.lock")).unwrap();
    let one = text.find("sha256").unwrap() + 12;
    let mut digest = text.clone().into_bytes();
    digest[one] = if digest[one] == b'0' { b'1' } else { b'0' };
    for (changed, word) in [
        (text.replace("2026-07-01", "2026-07-02"), "changed after"),
        (text.replace("june", "july"), "changed after"),
        (
            text.replace("\"named\": false", "\"named\": true"),
            "changed after",
        ),
        (text.replace("http://", "https://"), "changed after"),
        (String::from_utf8(digest).unwrap(), "changed after"),
        (
            text.replace("\"seal\": \"", "\"seal\": \"0"),
            "changed after",
        ),
        (text.replace("lock/1", "lock/2"), "lock/2"),
        (text.replace("\"day\"", "\"dax\""), "no lock file"),
        (text[..text.len() / 2].to_owned(), "no lock file"),
        (String::new(), "no lock file"),
        ("null".to_owned(), "no lock file"),
    ] {
        assert_ne!(changed, text);
        desk.write("decklaw.lock", &changed);
        desk.run(&["check", "deck.txt", "--locked"])
            .expect(2, &[word, "decklaw.lock"]);
    }
    std::fs::remove_file(desk.path("work/decklaw.lock")).unwrap();
    desk.run(&["check", "deck.txt", "--locked"])
        .expect(2, &["decklaw.lock"]);
}

#[test]
fn no_list_and_a_named_list_are_locked_too() {
    let desk = Desk::new();
    desk.write("deck.txt", "Format: vainqueur\n\n1 Chapel Lynx\n");
    let lock = |more: &[&str]| {
        let mut arguments = vec!["banlist", "lock", "--as-of", "2026-07-01"];
        arguments.extend(more);
        desk.run(&arguments)
    };
    lock(&[]).expect(0, &["vainqueur: no list", "shell: no list"]);
    desk.run(&["check", "deck.txt", "--locked"]).expect(0, &[]);
    let sample = ["--banlist", "vainqueur-sample-2026-07"];
    let mut named = vec!["check", "deck.txt", "--locked"];
    named.extend(sample);
    desk.run(&named)
        .expect(2, &["no list applies", "vainqueur-sample-2026-07"]);

    // Another lock does not take the place of one unasked.
    lock(&sample).expect(2, &["--replace"]);
    lock(&[]).expect(0, &[]);
    lock(&[&sample[..], &["--replace"]].concat()).expect(0, &["vainqueur-sample-2026-07"]);
    // The sample is not in force by itself: the lock names it.
    let report = desk
        .run(&["check", "deck.txt", "--locked", "-o", "json"])
        .json();
    let id = &report["rules"]["vainqueur"]["banlist"]["id"];
    assert_eq!(id, "vainqueur-sample-2026-07");
    lock(&["shell", "--banlist", "vainqueur-sample-2026-07"]).expect(2, &["not locked"]);
    lock(&["chess"]).expect(2, &["chess"]);
}

/// Formats of one game that have lists of their own: each is locked, and its decks are judged by
/// it.
#[test]
fn lists_of_single_formats_are_locked_and_judged_by() {
    let desk = Desk::new();
    std::fs::create_dir_all(desk.path("configuration/banlists")).unwrap();
    let put = |format: &str, card: &str| {
        let text = format!(
            "schema: decklaw/banlist/1\nid: list-{format}\ngame: versus\nformats: [versus/{format}]\nname: List\neffective: 2026-01-01\nbanned: [{card}]\n"
        );
        let file = format!("configuration/banlists/{format}.yaml");
        std::fs::write(desk.path(&file), text).unwrap();
    };
    put("normal", "Kiln Mother");
    put("vs", "Cinder Page");
    for deck in ["all-tricks", "kiln-street", "kitchen-table"] {
        let file = format!("{}/decks/versus/{deck}.txt", env!("CARGO_MANIFEST_DIR"));
        desk.write(
            &format!("{deck}.txt"),
            &std::fs::read_to_string(file).unwrap(),
        );
    }
    let call = ["banlist", "lock", "versus", "--as-of", "2026-07-01"];
    desk.run(&call).expect(
        0,
        &[
            "versus: no list",
            "versus/normal: list-normal",
            "versus/vs: list-vs",
        ],
    );
    // What comes later changes no verdict.
    put("vs", "Forge Hound");
    let judged = |deck: &str| {
        let run = desk.run(&["check", deck, "--locked", "-o", "json"]);
        let report = run.json();
        let findings = report["decks"][0]["findings"].as_array().unwrap().clone();
        let banned = findings
            .iter()
            .filter(|finding| finding["rule"] == "banned");
        let cards: Vec<String> = banned
            .map(|finding| finding["cards"][0].to_string())
            .collect();
        cards
    };
    assert_eq!(judged("all-tricks.txt"), ["\"Kiln Mother\""]);
    assert_eq!(judged("kiln-street.txt"), ["\"Cinder Page\""]);
    assert_eq!(judged("kitchen-table.txt"), [""; 0]);
    // A deck of a game that is not locked.
    desk.write("deck.txt", "Format: shell\n\n1 Pip\n");
    let told = desk.run(&["check", "deck.txt", "--locked"]);
    told.expect(1, &["the lock is for versus"]);
}

/// A report names the entries of its list that no card has, and which list of the game it
/// displaces: in each report and wherever the list is locked.
#[test]
fn names_without_a_card_and_displaced_lists_are_reported() {
    let desk = Desk::new();
    std::fs::create_dir_all(desk.path("configuration/banlists")).unwrap();
    for (id, formats, card) in [
        ("all", "", "Kiln Mother"),
        ("own", "formats: [versus/vs]\n", "Kiln Mothr"),
    ] {
        let text = format!(
            "schema: decklaw/banlist/1\nid: {id}\ngame: versus\n{formats}name: List\neffective: 2026-01-01\nbanned: [{card}]\n"
        );
        let file = format!("configuration/banlists/{id}.yaml");
        std::fs::write(desk.path(&file), text).unwrap();
    }
    let file = format!(
        "{}/decks/versus/kiln-street.txt",
        env!("CARGO_MANIFEST_DIR")
    );
    desk.write("deck.txt", &std::fs::read_to_string(file).unwrap());
    desk.write("form.csv", "name,deck\nAnna,\"1 Kiln Mother\"\n");
    let judged = desk.run(&["check", "deck.txt", "-o", "json"]).json();
    let findings = judged["decks"][0]["findings"].as_array().unwrap().clone();
    let code = |code: &str| findings.iter().find(|one| one["code"] == code).unwrap();
    assert_eq!(
        code("banned.not-in-pool")["cards"],
        serde_json::json!(["Kiln Mothr"])
    );
    assert_eq!(code("banned.out-of-force")["severity"], "notice");
    let both = ["`Kiln Mothr` (did you mean `Kiln Mother`?)", "the list all"];
    desk.run(&["check", "deck.txt"])
        .expect(0, &["notice banned"]);
    for call in [
        &["banlist", "lock", "versus"][..],
        &["event", "new", "event", "--format", "versus/vs"],
        &["event", "import", "event", "form.csv", "--yes"],
        &["event", "status", "event"],
    ] {
        let said = desk.run(call);
        for word in both {
            assert!(said.err.contains(word), "{call:?}: {}", said.err);
        }
    }
}

/// A list that is named and is for another format, and a day without any list: decks are judged by
/// something else than who asked may think, and that is said.
#[test]
fn another_list_than_was_thought_is_told() {
    let desk = Desk::new();
    std::fs::create_dir_all(desk.path("configuration/banlists")).unwrap();
    for (format, ends) in [("normal", ""), ("vs", "ends: 2026-03-31\n")] {
        let text = format!(
            "schema: decklaw/banlist/1\nid: list-{format}\ngame: versus\nformats: [versus/{format}]\nname: List\neffective: 2026-01-01\n{ends}banned: [Kiln Mother]\n"
        );
        let file = format!("configuration/banlists/{format}.yaml");
        std::fs::write(desk.path(&file), text).unwrap();
    }
    for deck in ["all-tricks", "kiln-street", "kitchen-table"] {
        let file = format!("{}/decks/versus/{deck}.txt", env!("CARGO_MANIFEST_DIR"));
        desk.write(
            &format!("{deck}.txt"),
            &std::fs::read_to_string(file).unwrap(),
        );
    }
    let told = |call: &[&str]| -> Vec<String> {
        let said = desk.run(&[&["check"], call].concat());
        let notes = said.err.lines().filter(|line| line.starts_with("note: "));
        let lists = notes.filter(|line| line.contains("banlist "));
        lists
            .map(|line| line["note: ".len()..].to_owned())
            .collect()
    };
    let all = ["all-tricks.txt", "kiln-street.txt", "kitchen-table.txt"];
    let on = |day: &'static str| [&all[..], &["--as-of", day]].concat();
    assert_eq!(told(&on("2026-02-01")), [""; 0]);
    assert_eq!(
        told(&on("2025-12-31")),
        [
            "no banlist of versus/normal is in force on 2025-12-31: list-normal begins on 2026-01-01",
            "no banlist of versus/vs is in force on 2025-12-31: list-vs begins on 2026-01-01",
        ]
    );
    assert_eq!(
        told(&on("2026-06-01")),
        ["no banlist of versus/vs is in force on 2026-06-01: list-vs ended on 2026-03-31"]
    );
    let named = ["--as-of", "2026-02-01", "--banlist", "list-normal"];
    assert_eq!(
        told(&[&all[..], &named].concat()),
        [
            "the banlist list-normal is for versus/normal; decks of versus/fast-shared are judged by no list",
            "the banlist list-normal is for versus/normal; decks of versus/vs are judged by list-vs, which is in force",
        ]
    );
    assert_eq!(told(&[&all[..], &["--banlist", "none"]].concat()), [""; 0]);
}
