//! Somebody who can write to the files: whatever they change of an event's records is named, by
//! every command and by the server, and nothing is made of it. The server's own data may be
//! anything: it says so or serves on.

use super::support::{Browser, LEGAL};
use super::world::{EVENT, Folders, Served, Table, path, said};
use rusqlite::Connection;
use rusqlite::types::Value;
use std::collections::BTreeMap;
use std::path::Path;

type Files = BTreeMap<std::path::PathBuf, Vec<u8>>;

fn read(folder: &Path) -> Files {
    let files = std::fs::read_dir(folder).unwrap().map(Result::unwrap);
    let files = files.filter(|file| file.path().is_file());
    files
        .map(|file| (file.path(), std::fs::read(file.path()).unwrap()))
        .collect()
}

/// Puts a folder's files back as they were, and nothing else.
fn put_back(folder: &Path, files: &Files) {
    for other in read(folder)
        .into_keys()
        .filter(|file| !files.contains_key(file))
    {
        std::fs::remove_file(other).unwrap();
    }
    for (file, bytes) in files {
        std::fs::write(file, bytes).unwrap();
    }
}

/// An event with a record of each kind that a desk makes; its files when nobody has them open.
fn kept() -> (Folders, Files) {
    let folders = Folders::new(&[]);
    let served = folders.serve();
    for name in ["Ada", "Grace"] {
        let fields = [("name", name), ("deck", LEGAL), ("do", "hand-in")];
        Browser::new(served.address).form(EVENT, &fields);
    }
    let mut host = served.host();
    let player = format!("{EVENT}/desk/player/p001");
    for fields in [
        [("do", "penalty"), ("words", "Slow play")],
        [("do", "check"), ("deck", LEGAL)],
        [("do", "lock"), ("words", "")],
    ] {
        assert!(host.form(&player, &fields).status < 400);
    }
    drop(host);
    served.end();
    let files = read(&folders.event());
    (folders, files)
}

fn records(folders: &Folders) -> Connection {
    let file = Connection::open(folders.event().join("entries.db")).unwrap();
    let sql = "drop trigger record_stays; drop trigger record_remains";
    file.execute_batch(sql).unwrap();
    file
}

/// What a command says of the event, and what a server does; `None`: all is well.
fn by_command(folders: &Folders) -> Option<String> {
    let told = folders.command(&[
        &["event", "export"],
        &[path(&folders.event())],
        &["-o", "json"],
    ]);
    if told.status.success() {
        return None;
    }
    let out = String::from_utf8_lossy(&told.stdout);
    assert!(out.is_empty(), "something is made of it: {out}");
    assert_eq!(told.status.code(), Some(2), "{}", said(&told));
    Some(said(&told))
}

fn by_server(folders: &Folders) -> Option<String> {
    match Served::start(folders.call()) {
        Ok(_) => None,
        Err(told) => {
            assert_eq!(told.status.code(), Some(2), "{}", said(&told));
            Some(said(&told))
        }
    }
}

/// The value of a field as somebody else would have it, in each way that a column allows.
fn others(column: &str, value: &Value) -> Vec<Value> {
    match value {
        Value::Integer(number) => vec![Value::Integer(number + 100)],
        Value::Text(text) if text.starts_with('{') => {
            let spaced = text.replacen('{', "{ ", 1);
            let more = text.replacen('{', "{\"more\":1,", 1).replace(",}", "}");
            let last = text.rfind(|letter: char| letter.is_ascii_lowercase());
            let mut words = text.clone();
            if let Some(at) = last {
                let other = if &text[at..=at] == "x" { "y" } else { "x" };
                words.replace_range(at..=at, other);
            }
            let all = [spaced, more, words, "{}".to_owned(), String::new()];
            let all = all.into_iter().filter(|other| other != text);
            all.map(Value::Text).collect()
        }
        Value::Text(text) => {
            let upper = text.to_uppercase();
            let all = [format!("{text} "), upper, String::new()];
            let all = all.into_iter().filter(|other| other != text);
            all.map(Value::Text).collect()
        }
        Value::Blob(bytes) => {
            let mut longer = bytes.clone();
            longer.push(b'\n');
            let mut other = bytes.clone();
            if let Some(first) = other.first_mut() {
                *first ^= 1;
            }
            vec![Value::Blob(longer), Value::Blob(other), Value::Null]
        }
        // Of what is not there.
        Value::Null if column == "form" => vec![Value::Text("another".to_owned())],
        Value::Null => vec![Value::Blob(b"4 Moss Sprite".to_vec())],
        Value::Real(_) => Vec::new(),
    }
}

/// How a record is called whose column was changed. Its own digest is of all but the person's data,
/// so that which of those it was cannot be known.
fn named(column: &str) -> &'static [&'static str] {
    match column {
        "number" => &["number"],
        "previous" => &["record before it"],
        "personal" | "deck" | "salt" | "sealed" => &["name, address or deck", "deck"],
        _ => &["content"],
    }
}

#[test]
fn whatever_is_changed_of_a_record_is_named() {
    let (folders, files) = kept();
    let event = folders.event();
    let columns = [
        "number", "at", "who", "form", "fact", "personal", "deck", "salt", "sealed", "previous",
        "digest",
    ];
    let file = Connection::open(event.join("entries.db")).unwrap();
    let sql = "select group_concat(name) from pragma_table_info('record')";
    let all: String = file.query_row(sql, [], |row| row.get(0)).unwrap();
    assert_eq!(all, columns.join(","), "each column is tried");
    let last: i64 = {
        let sql = "select count(*) from record";
        file.query_row(sql, [], |row| row.get(0)).unwrap()
    };
    drop(file);
    assert!(last >= 9, "{last}");
    let mut tried = 0;
    for number in 1..=last {
        for column in columns {
            put_back(&event, &files);
            let file = records(&folders);
            let sql = format!("select {column} from record where number = ?1");
            let value: Value = file.query_row(&sql, [number], |row| row.get(0)).unwrap();
            drop(file);
            for (at, other) in others(column, &value).into_iter().enumerate() {
                put_back(&event, &files);
                let file = records(&folders);
                let sql = format!("update record set {column} = ?2 where number = ?1");
                let case = format!("{column} of record {number} is {other:?}");
                file.execute(&sql, rusqlite::params![number, other])
                    .unwrap();
                drop(file);
                let told = by_command(&folders).unwrap_or_else(|| panic!("{case}: taken"));
                // A number that is missed is told by the record after it.
                let number = match column {
                    "number" if number < last => number + 1,
                    "number" => number + 100,
                    _ => number,
                };
                let place = format!("record {number} ");
                let cannot = told.contains("cannot be read");
                let named = cannot || named(column).iter().any(|word| told.contains(word));
                assert!(told.contains(&place) && named, "{case}: {told}");
                if number % 3 == 0 && at == 0 {
                    let told = by_server(&folders).unwrap_or_else(|| panic!("{case}: served"));
                    assert!(
                        told.contains(&place) && told.contains("friday"),
                        "{case}: {told}"
                    );
                }
                tried += 1;
            }
        }
    }
    put_back(&event, &files);
    assert_eq!(by_command(&folders), None);
    println!("{tried} changes were named");
}

#[test]
fn records_that_are_taken_out_or_moved_are_named() {
    let (folders, files) = kept();
    let event = folders.event();
    let all = "at, who, form, fact, personal, deck, salt, sealed, previous, digest";
    let swap = format!(
        "create temp table one as select * from record where number = 4;
         create temp table other as select * from record where number = 6;
         update record set ({all}) = (select {all} from other) where number = 4;
         update record set ({all}) = (select {all} from one) where number = 6"
    );
    let copy = format!("insert into record select 4, {all} from spare");
    for (case, sql, place) in [
        (
            "the first is gone",
            "delete from record where number = 1",
            "record 2 ",
        ),
        (
            "one is gone",
            "delete from record where number = 5",
            "record 6 ",
        ),
        (
            "one is gone and all after it move up",
            "delete from record where number = 5; update record set number = number - 1 where number > 5",
            "record 5 ",
        ),
        ("two are swapped", &swap, "record 4 "),
        (
            "one is there twice",
            &format!(
                "create temp table spare as select * from record where number = 3;
                 update record set number = -number where number > 3;
                 update record set number = 1 - number where number < 0; {copy}"
            ),
            "record 4 ",
        ),
        (
            "what a person is called and the deck are taken out as at their wish, which nobody had",
            "update record set personal = null, deck = null, salt = null where number = 4",
            "record 4 ",
        ),
        ("all are gone", "delete from record", "record"),
    ] {
        put_back(&event, &files);
        records(&folders).execute_batch(sql).unwrap();
        let told = by_command(&folders).unwrap_or_else(|| panic!("{case}: taken"));
        assert!(told.contains(place), "{case}: {told}");
        let told = by_server(&folders).unwrap_or_else(|| panic!("{case}: served"));
        assert!(told.contains(place), "{case}: {told}");
    }
    // Whoever has the digest of the last record sees that it is gone: the server that runs has it.
    put_back(&event, &files);
    let served = folders.serve();
    let mut host = served.host();
    let desk = format!("{EVENT}/desk");
    assert_eq!(host.get(&desk).status, 200);
    let file = records(&folders);
    let sql = "delete from record where number = (select max(number) from record)";
    file.execute_batch(sql).unwrap();
    let told = host.get(&desk);
    assert!(
        told.status >= 500 && told.text().contains("record"),
        "{}",
        told.text()
    );
    assert!(!told.text().contains("Ada"), "{}", told.text());
    let fields = [("name", "Mary"), ("deck", LEGAL), ("do", "hand-in")];
    let told = Browser::new(served.address).form(EVENT, &fields);
    assert!(told.status >= 500, "{}", told.text());
    assert_eq!(host.get("/deck/shell").status, 200);
}

#[test]
fn another_lock_and_another_event_are_refused_with_a_word() {
    let (folders, files) = kept();
    let event = folders.event();
    let lock = String::from_utf8(files[&event.join("lock")].clone()).unwrap();
    let about = String::from_utf8(files[&event.join("event.yaml")].clone()).unwrap();
    let without = |text: &str, line: usize| -> String {
        let lines = text.lines().enumerate().filter(|(at, _)| *at != line);
        lines.map(|(_, line)| format!("{line}\n")).collect()
    };
    let mut cases = vec![
        ("lock", String::new()),
        ("lock", lock.replace("none", "nope")),
        ("lock", lock.replacen("2026", "2025", 1)),
        ("event.yaml", String::new()),
        ("event.yaml", format!("{about}more: 1\n")),
        ("event.yaml", format!("{about}deadline: tomorrow\n")),
        ("event.yaml", "{".repeat(10_000)),
    ];
    for part in 1..6 {
        cases.push(("lock", without(&lock, part * lock.lines().count() / 6)));
        cases.push(("lock", lock[..part * lock.len() / 6].to_owned()));
    }
    for (file, text) in cases {
        put_back(&event, &files);
        std::fs::write(event.join(file), &text).unwrap();
        let case: String = text.chars().take(80).collect();
        let told = by_command(&folders).unwrap_or_else(|| panic!("{file}: {case}: taken"));
        assert!(told.contains(file), "{case}: {told}");
        let told = by_server(&folders).unwrap_or_else(|| panic!("{file}: {case}: served"));
        assert!(told.contains(file), "{case}: {told}");
    }
}

#[test]
fn data_of_the_server_that_were_changed_are_told_or_served_and_never_a_defect() {
    let folders = Folders::new(&[]);
    let served = folders.serve();
    let mut browser = Browser::new(served.address);
    let deck = serde_json::json!({"format": "shell", "deck": {"name": "mine"}});
    let draft = browser.json("POST", "/api/drafts", &deck).json();
    let code = browser.json("POST", "/api/share", &deck).json();
    let cards = serde_json::json!({"format": "shell", "table": "name,count\nRain Caller,3\n"});
    browser.json("POST", "/api/collection", &cards);
    let table = Table::lay(&served);
    served.end();
    let data = folders.data();
    let files = read(&data);
    let main = data.join("decklaw.sqlite");
    let columns: Vec<(String, String)> = {
        let file = Connection::open(&main).unwrap();
        let sql = "select m.name, c.name from sqlite_master m, pragma_table_info(m.name) c where m.type = 'table'";
        let mut found = file.prepare(sql).unwrap();
        let rows = found.query_map([], |row| Ok((row.get(0)?, row.get(1)?)));
        rows.unwrap().collect::<Result<_, _>>().unwrap()
    };
    let mut cases: Vec<(String, Box<dyn Fn()>)> = Vec::new();
    let main = &main;
    for (name, column) in &columns {
        for value in [
            "''",
            "'x'",
            "x''",
            "0",
            "-1",
            "9e999",
            "'{}'",
            "'[1]'",
            "zeroblob(70000)",
        ] {
            let sql = format!("update {name} set {column} = {value}");
            // A column of another kind takes it not.
            let run = sql.clone();
            let change = move || {
                let file = Connection::open(main).unwrap();
                file.pragma_update(None, "foreign_keys", false).unwrap();
                let _ = file.execute_batch(&run);
            };
            cases.push((sql, Box::new(change)));
        }
    }
    let names: std::collections::BTreeSet<&String> = columns.iter().map(|(name, _)| name).collect();
    for name in names {
        let sql = format!("drop table {name}");
        let run = sql.clone();
        let change = move || {
            let file = Connection::open(main).unwrap();
            file.pragma_update(None, "foreign_keys", false).unwrap();
            file.execute_batch(&run).unwrap();
        };
        cases.push((sql, Box::new(change)));
    }
    let bytes = &files[main];
    for part in 0..8 {
        let cut = part * bytes.len() / 8;
        let change = move || std::fs::write(main, &bytes[..cut]).unwrap();
        cases.push((format!("cut at {cut}"), Box::new(change)));
        let change = move || {
            let mut other = bytes.clone();
            let end = (cut + 4096).min(other.len());
            other[cut..end].fill(0x5a);
            std::fs::write(main, other).unwrap();
        };
        cases.push((format!("another page at {cut}"), Box::new(change)));
    }
    let (mut refused, mut served_on) = (0, 0);
    // Every third of them in a run of the tests, and each of them when more is asked.
    let step = if super::world::times() > 1 { 1 } else { 3 };
    for (case, change) in cases.iter().step_by(step) {
        put_back(&data, &files);
        change();
        let served = match Served::start(folders.call()) {
            Ok(served) => served,
            Err(told) => {
                let said = said(&told);
                assert_eq!(told.status.code(), Some(2), "{case}: {said}");
                assert!(said.contains("data"), "{case}: {said}");
                assert!(!said.contains("defect"), "{case}: {said}");
                refused += 1;
                continue;
            }
        };
        served_on += 1;
        browser.address = served.address;
        let id = draft["id"].as_str().unwrap();
        let paths = [
            "/".to_owned(),
            "/api/drafts".to_owned(),
            format!("/api/drafts/{id}"),
            format!("/api/drafts/{id}/versions"),
            format!("/api/shared/{}", code["code"].as_str().unwrap()),
            format!("/t/{}/A", table.id),
        ];
        for path in paths {
            let told = browser.get(&path);
            let text = told.text();
            assert!(
                told.status > 0 && !text.contains("a defect"),
                "{case}: {path}: {text}"
            );
        }
        let find = serde_json::json!({"query": "", "most": 5, "sort": "", "own": true});
        let ask = serde_json::json!({"format": "shell", "deck": {"format": "shell"}, "find": find});
        let text = browser.json("POST", "/api/answer", &ask).text();
        assert!(!text.contains("a defect"), "{case}: {text}");
        // An event is in its own folder, and takes decks.
        let mut player = Browser {
            address: served.address,
            cookies: BTreeMap::new(),
            token: String::new(),
        };
        assert_eq!(player.get(EVENT).status, 200, "{case}");
        let name = format!("Player {served_on}");
        let fields = [("name", &*name), ("deck", LEGAL), ("do", "hand-in")];
        let told = player.form(EVENT, &fields).text();
        assert!(told.contains("Handed in"), "{case}: {told}");
        let said = served.end();
        assert!(
            !said.contains("panicked") && !said.contains("defect"),
            "{case}: {said}"
        );
    }
    println!("{refused} were refused, {served_on} served");
}
