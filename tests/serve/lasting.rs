//! What was acknowledged stays, whatever happens to the process or to the disk.

use super::support::{Browser, LEGAL, entries, event, folder, start};
use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

/// A process of its own, ended without a word when it is dropped.
pub(super) struct Process(pub(super) Child);

impl Drop for Process {
    fn drop(&mut self) {
        // On Unix this is the signal that cannot be caught.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Starts one with these options besides; where it is, and its key.
pub(super) fn serve(data: &Path, more: &[&OsStr]) -> (Process, std::net::SocketAddr, String) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_decklaw"))
        .args(["serve", "--port", "0", "--data"])
        .arg(data)
        .args(more)
        .env("DECKLAW_CONFIG", data.join("none"))
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap())
        .read_line(&mut line)
        .unwrap();
    let link = line.split("http://").nth(1).unwrap();
    let (address, rest) = link.split_once('/').unwrap();
    let key = rest.split("#key=").nth(1).unwrap().trim();
    (Process(child), address.parse().unwrap(), key.to_owned())
}

#[test]
fn no_hand_in_that_was_acknowledged_is_lost_when_the_process_is_killed() {
    let data = tempfile::tempdir().unwrap();
    let (process, address, key) = serve(data.path(), &[]);
    let mut host = Browser::new(address);
    assert_eq!(
        host.form("/enter", &[("key", &key), ("next", "/")]).status,
        303
    );
    let (path, organiser) = event(&mut host, &[]);
    drop(process);
    let acknowledged: Mutex<BTreeSet<String>> = Mutex::default();
    for round in 0..20 {
        let (process, address, _) = serve(data.path(), &[]);
        let begun = AtomicUsize::new(0);
        std::thread::scope(|scope| {
            for thread in 0..4 {
                let (acknowledged, begun, path) = (&acknowledged, &begun, &path);
                scope.spawn(move || {
                    for number in 0..50 {
                        let name = format!("P{round}-{thread}-{number}");
                        begun.fetch_add(1, Ordering::Relaxed);
                        // The process may end at any byte of this.
                        let told = std::panic::catch_unwind(|| {
                            let mut player = Browser::new(address);
                            player
                                .form(path, &[("name", &name), ("deck", LEGAL), ("do", "hand-in")])
                                .text()
                        });
                        match told {
                            Ok(told) if told.contains("Handed in") && told.ends_with("</html>") => {
                                acknowledged.lock().unwrap().insert(name);
                            }
                            _ => return,
                        }
                    }
                });
            }
            // At another moment each time.
            while begun.load(Ordering::Relaxed) < 8 + round * 4 {
                std::thread::sleep(Duration::from_millis(1));
            }
            drop(process);
        });
    }
    let acknowledged = acknowledged.into_inner().unwrap();
    assert!(acknowledged.len() > 100, "{}", acknowledged.len());
    let (_process, address, _) = serve(data.path(), &[]);
    let mut desk = Browser::new(address);
    let page = format!("{path}/desk");
    assert_eq!(
        desk.form(
            &format!("{path}/enter"),
            &[("key", &organiser), ("next", &page)]
        )
        .status,
        303
    );
    let table = desk.get(&format!("{page}/export/decks.csv")).text();
    for name in &acknowledged {
        assert!(
            table.contains(&format!(",{name},counts,")),
            "{name} was lost"
        );
    }
}

#[test]
fn a_full_disk_is_said_plainly_and_what_was_kept_stays() {
    let data = tempfile::tempdir().unwrap();
    let running = start(data.path(), |config| config.most = 8 * (300 << 10));
    let mut host = Browser::host(&running);
    let (path, _) = event(&mut host, &[]);
    let large = format!("{LEGAL}\n{}", "# nothing but a remark\n".repeat(900));
    let mut kept = Vec::new();
    let mut refused = None;
    for number in 0..60 {
        let name = format!("Player {number}");
        let mut player = Browser::new(running.address);
        let page = player.form(
            &path,
            &[("name", &name), ("deck", &large), ("do", "hand-in")],
        );
        match page.status {
            200 => kept.push(name),
            _ => {
                refused = Some((name, page));
                break;
            }
        }
    }
    let (name, page) = refused.unwrap();
    assert_eq!(page.status, 507);
    let health = Browser::new(running.address).get("/health").json();
    assert_eq!(
        (&health["status"], &health["full_events"]),
        (&"full".into(), &1.into())
    );
    let text = page.text();
    assert!(
        text.contains("Nothing of this was kept") && text.contains("full"),
        "{text}"
    );
    assert!(
        text.contains("nothing but a remark"),
        "what was typed is still there"
    );
    assert!(!kept.is_empty());
    let table = host.get(&format!("{path}/desk/export/decks.csv")).text();
    assert!(kept.iter().all(|kept| table.contains(kept.as_str())) && !table.contains(&name));
}

/// A folder that stops taking what is written, and takes it again.
#[cfg(unix)]
trait Trouble {
    fn begin(&self, data: &Path) -> bool;
    fn end(&self, data: &Path);
}

/// Everything that is kept is refused with a page that says why, and nothing of it is there
/// afterwards; what was kept before stays, and when the trouble is over it goes on.
#[cfg(unix)]
fn nothing_is_acknowledged(data: &Path, trouble: &dyn Trouble, says: &str) {
    let running = start(data, |_| ());
    let mut host = Browser::host(&running);
    let (path, _) = event(&mut host, &[]);
    let hand_in = |name: &str| {
        let mut player = Browser::new(running.address);
        let fields = [("name", name), ("deck", LEGAL), ("do", "hand-in")];
        player.form(&path, &fields)
    };
    let draft = serde_json::json!({"format": "shell", "deck": {"format": "shell", "sections": {}}});
    let made = host.json("POST", "/api/drafts", &draft).json();
    let draft_path = format!("/api/drafts/{}", made["id"].as_str().unwrap());
    let save = serde_json::json!({"rev": 1, "deck": draft["deck"], "note": "kept"});
    assert_eq!(hand_in("Before").status, 200);
    if !trouble.begin(data) {
        println!("skipped: this system does not let a test make such a folder");
        return;
    }
    let told = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        let page = hand_in("Meanwhile");
        assert_eq!(page.status, 507, "{}", page.text());
        let text = page.text();
        assert!(text.contains("Nothing of this was kept"), "{text}");
        assert!(text.contains(says), "{text}");
        assert!(
            text.contains("Rain Caller"),
            "what was typed is still there"
        );
        assert!(!text.contains("Handed in"), "{text}");
        // The desk, and the builder's saving.
        let locked = host.form(&format!("{path}/desk/all"), &[("do", "lock")]);
        assert_eq!(locked.status, 507, "{}", locked.text());
        assert!(locked.text().contains(says), "{}", locked.text());
        let saved = host.json("PUT", &draft_path, &save);
        assert_eq!(saved.status, 507, "{}", saved.text());
        assert!(saved.json()["error"].as_str().unwrap().contains(says));
    }));
    trouble.end(data);
    if let Err(why) = told {
        std::panic::resume_unwind(why);
    }
    assert_eq!(host.json("PUT", &draft_path, &save).status, 200);
    assert_eq!(hand_in("After").status, 200);
    let desk = host.get(&format!("{path}/desk")).text();
    for (name, kept) in [("Before", true), ("Meanwhile", false), ("After", true)] {
        assert_eq!(desk.contains(name), kept, "{name}");
    }
    assert!(!desk.contains(">locked<"), "the lock was refused: {desk}");
    drop(running);
    // It is in the file, and not in one that is gone.
    let kept = entries(&folder(data, &path));
    assert_eq!(kept, 2);
}

#[cfg(unix)]
fn does(program: &str, arguments: &[&OsStr]) -> bool {
    let ran = Command::new(program)
        .args(arguments)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    ran.is_ok_and(|status| status.success())
}

#[cfg(unix)]
#[test]
fn a_folder_that_is_moved_away_acknowledges_nothing() {
    struct Moved;
    impl Trouble for Moved {
        fn begin(&self, data: &Path) -> bool {
            std::fs::rename(data, data.with_extension("away")).unwrap();
            // Another one in its place is not the data.
            std::fs::create_dir(data).unwrap();
            std::fs::write(data.join("decklaw.sqlite"), "").unwrap();
            true
        }
        fn end(&self, data: &Path) {
            std::fs::remove_dir_all(data).unwrap();
            std::fs::rename(data.with_extension("away"), data).unwrap();
        }
    }
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    nothing_is_acknowledged(&data, &Moved, "moved or replaced");
}

#[cfg(target_os = "linux")]
#[test]
fn a_folder_that_becomes_read_only_acknowledges_nothing() {
    // No bit of a mode keeps a file from whoever has it open; this does, where the file system
    // knows it and the test may.
    struct Fixed;
    impl Fixed {
        fn set(data: &Path, flag: &str) -> bool {
            let events = std::fs::read_dir(data.join("events")).unwrap();
            let files = ["decklaw.sqlite", "decklaw.sqlite-wal"];
            let mut files: Vec<_> = files.iter().map(|file| data.join(file)).collect();
            for event in events.map(Result::unwrap) {
                let kept = ["entries.db", "entries.db-wal"];
                files.extend(kept.iter().map(|file| event.path().join(file)));
            }
            let mut all = vec![OsStr::new(flag)];
            all.extend(files.iter().map(|file| file.as_os_str()));
            does("chattr", &all)
        }
    }
    impl Trouble for Fixed {
        fn begin(&self, data: &Path) -> bool {
            Fixed::set(data, "+i")
        }
        fn end(&self, data: &Path) {
            assert!(Fixed::set(data, "-i"));
        }
    }
    let folder = tempfile::tempdir().unwrap();
    nothing_is_acknowledged(&folder.path().join("data"), &Fixed, "written to");
}

#[cfg(target_os = "linux")]
#[test]
fn a_disk_that_fills_up_acknowledges_nothing() {
    struct Full;
    impl Trouble for Full {
        fn begin(&self, data: &Path) -> bool {
            use std::io::Write;
            let mut filler = std::fs::File::create(data.join("filler")).unwrap();
            while filler.write_all(&[0; 4096]).is_ok() {}
            true
        }
        fn end(&self, data: &Path) {
            std::fs::remove_file(data.join("filler")).unwrap();
        }
    }
    let folder = tempfile::tempdir().unwrap();
    let disk = folder.path().join("disk");
    std::fs::create_dir(&disk).unwrap();
    let mount = ["-t", "tmpfs", "-o", "size=2m", "tmpfs"].map(OsStr::new);
    if !does("mount", &[&mount[..], &[disk.as_os_str()]].concat()) {
        println!("skipped: no small disk can be mounted here");
        return;
    }
    let told = std::panic::catch_unwind(|| {
        nothing_is_acknowledged(&disk.join("data"), &Full, "full");
    });
    assert!(does("umount", &[disk.as_os_str()]));
    if let Err(why) = told {
        std::panic::resume_unwind(why);
    }
}

#[test]
fn data_that_cannot_be_kept_is_said_at_the_start() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    std::fs::write(&file, "").unwrap();
    let run = |data: &Path| {
        let ran = Command::new(env!("CARGO_BIN_EXE_decklaw"))
            .args(["serve", "--port", "0", "--data"])
            .arg(data)
            .env("DECKLAW_CONFIG", folder.path().join("none"))
            .output()
            .unwrap();
        (
            ran.status.code(),
            String::from_utf8_lossy(&ran.stderr).into_owned(),
        )
    };
    let (status, told) = run(&file.join("data"));
    assert_eq!(status, Some(2));
    assert!(told.contains("data"), "{told}");
    // Data of another version is left alone.
    let later = folder.path().join("later");
    std::fs::create_dir(&later).unwrap();
    let data = rusqlite::Connection::open(later.join("decklaw.sqlite")).unwrap();
    data.execute_batch("pragma user_version = 99").unwrap();
    drop(data);
    let (status, told) = run(&later);
    assert_eq!(status, Some(2));
    assert!(told.contains("another decklaw"), "{told}");
}

#[cfg(unix)]
#[test]
fn it_ends_when_it_is_told_to_with_all_work_saved() {
    let data = tempfile::tempdir().unwrap();
    let (mut process, address, _) = serve(data.path(), &[]);
    let mut browser = Browser::new(address);
    let made = browser.json(
        "POST",
        "/api/drafts",
        &serde_json::json!({"format": "shell", "deck": {"format": "shell", "sections": {}}}),
    );
    assert_eq!(made.status, 200);
    let ended = Command::new("kill")
        .args(["-INT", &process.0.id().to_string()])
        .status()
        .unwrap();
    assert!(ended.success());
    let status = process.0.wait().unwrap();
    assert_eq!(status.code(), Some(0));
    // The log is in the file, so that a copy of the file is the data.
    let log = data.path().join("decklaw.sqlite-wal");
    assert!(std::fs::metadata(log).map_or(0, |log| log.len()) == 0);
    let copy = rusqlite::Connection::open(data.path().join("decklaw.sqlite")).unwrap();
    let drafts: i64 = copy
        .query_row("select count(*) from draft", [], |row| row.get(0))
        .unwrap();
    assert_eq!(drafts, 1);
}
