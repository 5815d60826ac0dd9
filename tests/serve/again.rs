//! A form whose answer was lost on its way is sent again, and then nothing is done twice.

use super::support::{Browser, LEGAL, event, folder, server};
use serde_json::json;
use std::path::Path;

/// How many rows an event has.
fn rows(folder: &Path) -> i64 {
    let file = rusqlite::Connection::open(folder.join("entries.db")).unwrap();
    let rows = "select (select count(*) from entry) + (select count(*) from decision)";
    file.query_row(rows, [], |row| row.get(0)).unwrap()
}

#[test]
fn what_an_organiser_sends_twice_by_one_form_is_done_once() {
    let (running, data) = server();
    let mut host = Browser::host(&running);
    let opening = [("players", "Ann\nBob\nCyd"), ("form", "one")];
    let (path, key) = event(&mut host, &opening);
    assert_eq!(event(&mut host, &opening), (path.clone(), key.clone()));
    let (other, _) = event(&mut host, &[("players", "Ann"), ("form", "two")]);
    assert_ne!(other, path);
    let events = std::fs::read_dir(data.path().join("events")).unwrap();
    assert_eq!(events.count(), 2);

    let mut desk = Browser::enters(running.address, &key, &path);
    let folder = folder(data.path(), &path);
    for name in ["Ann", "Bob", "Cyd"] {
        let mut phone = Browser::new(running.address);
        let fields = [("name", name), ("deck", LEGAL), ("do", "hand-in")];
        assert_eq!(phone.form(&path, &fields).status, 200);
    }
    let to = format!("{path}/desk/do");
    let sent = [
        json!({"do": "check", "player": "p001", "deck": LEGAL}),
        json!({"do": "key", "player": "p001"}),
        json!({"do": "decide", "words": ["p001", "lock"]}),
        json!({"do": "enter", "player": "p001", "deck": "20 Moss Sprite"}),
        json!({"do": "decide", "words": ["draw"]}),
        json!({"do": "key"}),
    ];
    for (number, body) in sent.iter().enumerate() {
        let form = format!("form {number}");
        let head = [
            ("Content-Type", "application/json"),
            ("X-Decklaw-Form", &*form),
        ];
        let bytes = body.to_string();
        let before = rows(&folder);
        let first = desk.send("POST", &to, &head, bytes.as_bytes());
        assert!(first.status < 400, "{body}: {}", first.text());
        let after = rows(&folder);
        assert!(after > before, "{body}");
        let second = desk.send("POST", &to, &head, bytes.as_bytes());
        assert_eq!(second.status, first.status, "{body}: {}", second.text());
        assert_eq!(rows(&folder), after, "{body}");
        // The same key is shown again, and it is the one that opens.
        let link = |text: String| Some(text.split("#key=").nth(1)?.split('"').next()?.to_owned());
        assert_eq!(link(first.text()), link(second.text()), "{body}");
        if let Some(key) = link(second.text()) {
            let mut another = Browser::new(running.address);
            let entered = another.form("/enter", &[("key", &key), ("next", &path)]);
            assert_eq!(entered.status, 303, "{body}");
        }
    }
}
