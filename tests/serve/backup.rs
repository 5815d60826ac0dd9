//! A server's whole data, copied while it runs and brought back elsewhere.

use super::lasting::serve;
use super::support::{Browser, LEGAL, event, folder, start};
use serde_json::json;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Calls the program; its exit status, and what it said.
fn ran(word: &str, folder: &Path, data: &Path) -> (Option<i32>, String) {
    let ran = Command::new(env!("CARGO_BIN_EXE_decklaw"))
        .arg(word)
        .arg(folder)
        .arg("--data")
        .arg(data)
        .env("DECKLAW_CONFIG", folder.join("none"))
        .output()
        .unwrap();
    let told = String::from_utf8_lossy(&ran.stderr).into_owned();
    (ran.status.code(), told)
}

/// The files below a folder.
fn files(folder: &Path) -> Vec<PathBuf> {
    let found = std::fs::read_dir(folder).unwrap();
    let mut all = Vec::new();
    for path in found.map(|found| found.unwrap().path()) {
        match path.is_dir() {
            true => all.extend(files(&path)),
            false => all.push(path),
        }
    }
    all.sort();
    all
}

#[cfg(unix)]
fn is_its_owners_alone(folder: &Path) {
    use std::os::unix::fs::PermissionsExt;
    let mode = |path: &Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
    for file in files(folder) {
        assert_eq!(mode(&file), 0o600, "{}", file.display());
        assert_eq!(mode(file.parent().unwrap()), 0o700, "{}", file.display());
    }
}

#[test]
fn what_was_acknowledged_before_a_backup_is_in_the_server_that_is_restored_from_it() {
    let place = tempfile::tempdir().unwrap();
    let [data, copy, other] = ["data", "copy", "other"].map(|name| place.path().join(name));
    let (process, address, key) = serve(&data, &[]);
    let mut host = Browser::new(address);
    host.form("/enter", &[("key", &key), ("next", "/")]);
    let (path, organiser) = event(&mut host, &[]);
    let mut visitor = Browser::new(address);
    let draft = json!({"format": "shell", "deck": {"format": "shell", "name": "Of a visitor", "sections": {}}});
    assert_eq!(visitor.json("POST", "/api/drafts", &draft).status, 200);
    let acknowledged: Mutex<Vec<(String, Browser)>> = Mutex::default();
    let over = AtomicBool::new(false);
    let before = std::thread::scope(|scope| {
        for thread in 0..3 {
            let (acknowledged, over, path) = (&acknowledged, &over, &path);
            scope.spawn(move || {
                for number in 0.. {
                    if over.load(Ordering::Relaxed) {
                        return;
                    }
                    let name = format!("P{thread}-{number}");
                    let mut player = Browser::new(address);
                    let fields = [("name", name.as_str()), ("deck", LEGAL), ("do", "hand-in")];
                    if player.form(path, &fields).text().contains("Handed in") {
                        acknowledged.lock().unwrap().push((name, player));
                    }
                }
            });
        }
        while acknowledged.lock().unwrap().len() < 20 {
            std::thread::sleep(Duration::from_millis(2));
        }
        let before = acknowledged.lock().unwrap().clone();
        let backed_up = ran("backup", &copy, &data);
        over.store(true, Ordering::Relaxed);
        assert_eq!(backed_up.0, Some(0), "{}", backed_up.1);
        before
    });
    drop(process);
    #[cfg(unix)]
    is_its_owners_alone(&copy);
    // Who steals it gets names and decks, and no key.
    let mine = format!("decklaw-mine-{}", path.rsplit('/').next().unwrap());
    let secrets = [
        &key,
        &organiser,
        &visitor.cookies["decklaw"],
        &before[0].1.cookies[&mine],
    ];
    for file in files(&copy) {
        let bytes = std::fs::read(&file).unwrap();
        let text = String::from_utf8_lossy(&bytes);
        assert!(
            secrets.iter().all(|key| !text.contains(key.as_str())),
            "{}",
            file.display()
        );
    }
    let restored = ran("restore", &copy, &other);
    assert_eq!(restored.0, Some(0), "{}", restored.1);
    #[cfg(unix)]
    is_its_owners_alone(&other);
    let (_process, address, _) = serve(&other, &[]);
    let here = |mut browser: Browser| {
        browser.address = address;
        browser
    };
    let mut desk = Browser::new(address);
    let page = format!("{path}/desk");
    let entered = desk.form(
        &format!("{path}/enter"),
        &[("key", &organiser), ("next", &page)],
    );
    assert_eq!(entered.status, 303);
    let table = desk.get(&format!("{page}/export/decks.csv")).text();
    for (name, _) in &before {
        assert!(
            table.contains(&format!(",{name},counts,")),
            "{name} was lost"
        );
    }
    assert!(
        desk.get(&format!("{page}/audit"))
            .text()
            .contains("all of them fit")
    );
    // Every key opens what it opened.
    assert!(here(visitor).get("/").text().contains("Of a visitor"));
    let receipt = here(before[0].1.clone()).get(&format!("{path}/mine"));
    assert!(receipt.status == 200 && receipt.text().contains(&before[0].0));
    assert!(here(host).get("/").text().contains("Friday"));
    // Neither command writes where something is.
    let whole = std::fs::read(copy.join("SHA256SUMS")).unwrap();
    for (word, folder, data) in [
        ("backup", &copy, &other),
        ("restore", &copy, &other),
        ("restore", &copy, &data),
    ] {
        let (status, told) = ran(word, folder, data);
        assert!(
            status == Some(2) && (told.contains("not empty") || told.contains("there already")),
            "{word}: {told}"
        );
    }
    assert_eq!(std::fs::read(copy.join("SHA256SUMS")).unwrap(), whole);
    let (status, told) = ran("backup", &place.path().join("new"), place.path());
    assert!(status == Some(2) && told.contains("--data DIR"), "{told}");
    assert!(!place.path().join("new").exists());
}

#[test]
fn a_backup_in_which_anything_was_changed_is_refused_with_what_was_changed() {
    let place = tempfile::tempdir().unwrap();
    let [data, copy, other] = ["data", "copy", "other"].map(|name| place.path().join(name));
    let running = start(&data, |_| ());
    let mut host = Browser::host(&running);
    let (path, _) = event(&mut host, &[]);
    let mut player = Browser::new(running.address);
    player.form(
        &path,
        &[("name", "Ada"), ("deck", LEGAL), ("do", "hand-in")],
    );
    let draft =
        json!({"format": "shell", "deck": {"format": "shell", "name": "A draft", "sections": {}}});
    assert_eq!(host.json("POST", "/api/drafts", &draft).status, 200);
    assert_eq!(ran("backup", &copy, &data).0, Some(0));
    let refused = |what: &str| {
        let (status, told) = ran("restore", &copy, &other);
        assert_eq!(status, Some(2), "{what}: {told}");
        assert!(told.contains(what), "{what}: {told}");
        assert!(
            !other.is_dir() || files(&other).is_empty(),
            "{what}: something was left"
        );
    };
    let all = files(&copy);
    let names: BTreeSet<_> = all
        .iter()
        .filter_map(|file| file.file_name()?.to_str())
        .collect();
    let parts = [
        "SHA256SUMS",
        "decklaw.sqlite",
        "entries.db",
        "event.yaml",
        "lock",
    ];
    assert_eq!(names, BTreeSet::from(parts));
    for file in &all {
        let whole = std::fs::read(file).unwrap();
        let name = file.file_name().unwrap().to_str().unwrap();
        for at in [0, whole.len() / 3, whole.len() / 2, whole.len() - 1] {
            let mut bytes = whole.clone();
            bytes[at] ^= 1;
            std::fs::write(file, &bytes).unwrap();
            // Sums that were changed are held against every file, and fit none.
            refused(match name {
                "SHA256SUMS" => "nothing was restored",
                name => name,
            });
        }
        std::fs::remove_file(file).unwrap();
        refused(name);
        std::fs::write(file, &whole).unwrap();
    }
    // A field of a record, by whoever knows SQL, and with sums that fit.
    let records = folder(&copy, &path).join("entries.db");
    let whole = std::fs::read(&records).unwrap();
    for (change, field) in [
        (
            "personal = replace(personal, 'Ada', 'Eva') where personal like '%Ada%'",
            "name, address or deck",
        ),
        ("who = 'nobody' where number = 2", "content"),
    ] {
        let open = rusqlite::Connection::open(&records).unwrap();
        open.execute_batch("drop trigger record_stays; drop trigger record_remains;")
            .unwrap();
        assert!(
            open.execute(&format!("update record set {change}"), [])
                .unwrap()
                > 0
        );
        drop(open);
        refused(field);
        std::fs::write(&records, &whole).unwrap();
    }
    // A draft, which no chain holds.
    let drafts = copy.join("decklaw.sqlite");
    let whole = std::fs::read(&drafts).unwrap();
    let open = rusqlite::Connection::open(&drafts).unwrap();
    open.execute("update draft set name = 'Another'", [])
        .unwrap();
    drop(open);
    refused("decklaw.sqlite was changed");
    std::fs::write(&drafts, &whole).unwrap();
    // A file too many, and one from elsewhere.
    std::fs::write(copy.join("events/more"), "").unwrap();
    refused("events/more is not of the backup");
    std::fs::remove_file(copy.join("events/more")).unwrap();
    #[cfg(unix)]
    {
        std::fs::rename(&drafts, place.path().join("away")).unwrap();
        std::os::unix::fs::symlink(place.path().join("away"), &drafts).unwrap();
        refused("neither a file nor a folder");
        std::fs::rename(place.path().join("away"), &drafts).unwrap();
    }
    assert_eq!(ran("restore", &copy, &other).0, Some(0));
}
