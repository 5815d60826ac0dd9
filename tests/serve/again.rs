//! A form whose answer was lost on its way is sent again, and then nothing is done twice.

use super::chairs::{games, set_up, sit_down};
use super::support::{BROKEN, Browser, LEGAL, event, folder, start};
use serde_json::json;
use std::path::Path;

/// The records of an event.
fn records(folder: &Path) -> i64 {
    let file = rusqlite::Connection::open(folder.join("entries.db")).unwrap();
    file.query_row("select count(*) from record", [], |row| row.get(0))
        .unwrap()
}

#[test]
fn what_an_organiser_sends_twice_by_one_form_is_done_once() {
    let data = tempfile::tempdir().unwrap();
    let running = start(data.path(), |_| ());
    let mut host = Browser::host(&running);
    let opening = [("players", "Ann\nBob\nCyd"), ("form", "one")];
    let (path, key) = event(&mut host, &opening);
    assert_eq!(event(&mut host, &opening), (path.clone(), key.clone()));
    let (other, _) = event(&mut host, &[("players", "Ann"), ("form", "two")]);
    assert_ne!(other, path);
    let events = std::fs::read_dir(data.path().join("events")).unwrap();
    assert_eq!(events.count(), 2);

    let mut desk = Browser::new(running.address);
    let entered = desk.form(&format!("{path}/enter"), &[("key", &key)]);
    assert_eq!(entered.status, 303);
    let folder = folder(data.path(), &path);
    for name in ["Ann", "Bob", "Cyd"] {
        let mut phone = Browser::new(running.address);
        let fields = [("name", name), ("deck", LEGAL), ("do", "hand-in")];
        assert_eq!(phone.form(&path, &fields).status, 200);
    }
    let player = format!("{path}/desk/player/p001");
    let all = format!("{path}/desk/all");
    let keys = format!("{path}/desk/key");
    let expected = format!("{path}/desk/players");
    let sent: [(&str, &[(&str, &str)]); 7] = [
        (&player, &[("do", "check"), ("deck", LEGAL)]),
        (&player, &[("do", "key")]),
        (&player, &[("do", "lock")]),
        (&player, &[("do", "enter"), ("deck", "20 Moss Sprite")]),
        (&all, &[("do", "draw")]),
        (&expected, &[("players", "Eve")]),
        (&keys, &[]),
    ];
    for (number, (to, fields)) in sent.iter().enumerate() {
        let form = format!("form {number}");
        let fields = [fields, &[("form", form.as_str())][..]].concat();
        let before = records(&folder);
        let first = desk.form(to, &fields);
        assert!(first.status < 400, "{fields:?}: {}", first.text());
        let after = records(&folder);
        assert!(after > before, "{fields:?}");
        let second = desk.form(to, &fields);
        assert_eq!(second.status, first.status, "{fields:?}: {}", second.text());
        assert_eq!(records(&folder), after, "{fields:?}");
        // The same key is shown again, and it is the one that opens.
        let key = |text: String| {
            let key = text.split("#key=").nth(1)?.split(['"', '<']).next()?;
            Some(key.to_owned())
        };
        assert_eq!(key(first.text()), key(second.text()), "{fields:?}");
        if let Some(key) = key(second.text()) {
            let mut another = Browser::new(running.address);
            let entered = another.form(&format!("{path}/enter"), &[("key", &key)]);
            assert_eq!(entered.status, 303, "{fields:?}");
        }
    }
    // By another browser's form, or with another deck (after a look back at the same page), it is
    // done again.
    let before = records(&folder);
    let check = |deck, form| [("do", "check"), ("deck", deck), ("form", form)];
    assert_eq!(host.form(&player, &check(LEGAL, "new")).status, 200);
    assert_eq!(host.form(&player, &check(BROKEN, "new")).status, 200);
    assert_eq!(records(&folder), before + 2);
}

#[test]
fn a_move_that_is_sent_twice_is_made_once() {
    let data = tempfile::tempdir().unwrap();
    let running = start(data.path(), |_| ());
    let (_, mut chairs, _) = sit_down(&running, Browser::new(running.address), &games()[0]);
    set_up(&mut chairs);
    chairs[0].look();
    let active = chairs[0].view["active"].as_str().unwrap().to_owned();
    let chair = &mut chairs[usize::from(active.as_bytes()[0] - b'A')];
    chair.look();
    let rev = chair.view["rev"].as_i64().unwrap();
    let roll = chair.asks("roll");
    let path = format!("{}/do", chair.base);
    let sent = [(); 2].map(|()| chair.browser.json("POST", &path, &roll));
    assert_eq!([sent[0].status, sent[1].status], [200, 409]);
    // Whoever heard no answer sees what came of it.
    assert_eq!(sent[1].json()["view"]["rev"], rev + 1);
}
