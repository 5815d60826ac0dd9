//! Somebody who can write to the files: the server's own data may be anything, and it says so or
//! serves on.

use super::support::{Browser, LEGAL};
use super::world::{EVENT, Folders, Served, Table, said};
use rusqlite::Connection;
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
