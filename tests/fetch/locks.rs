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
    desk.run(&["check", "deck.txt", "--locked=decklaw.lock", "--offline"])
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
    refused(&["--format", "shell"], &["the lock is for vainqueur"]);
    check(&["--as-of", "2026-07-01"]).expect(0, &[]);
    check(&["--banlist", "june"]).expect(0, &[]);

    // A later list of the same days takes over, and the locked one is still to be had.
    server.put("/list.yaml", ok(&list("late-june", "2026-06-15", 4)));
    desk.fetch(&[]).expect(0, &[]);
    refused(&[], &["late-june", "june was locked", "--banlist june"]);
    check(&["--banlist", "june"]).expect(0, &[]);

    // The list was amended.
    let copies = desk.path("configuration/fetched/official");
    std::fs::remove_file(copies.join("2026-06-15.yaml")).unwrap();
    std::fs::remove_file(copies.join("state.json")).unwrap();
    server.put("/list.yaml", ok(&list("june", "2026-06-01", 5)));
    desk.fetch(&[]).expect(0, &["new: june"]);
    refused(&[], &["was changed since it was locked"]);
    desk.write("saved.yaml", &list("june", "2026-06-01", 4));
    check(&["--banlist", "saved.yaml"]).expect(0, &[]);

    // The list is gone.
    std::fs::remove_dir_all(desk.path("configuration/fetched")).unwrap();
    refused(&[], &["june", "not here", &server.url("/list.yaml")]);
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
