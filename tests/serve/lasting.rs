//! What was acknowledged stays, whatever happens to the process or to the disk.

use super::support::{Browser, LEGAL, event};
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
        desk.form("/enter", &[("key", &organiser), ("next", &page)])
            .status,
        303
    );
    let table = desk.get(&format!("{page}/decks.csv")).text();
    for name in &acknowledged {
        assert!(
            table.contains(&format!(",{name},counts,")),
            "{name} was lost"
        );
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
    assert_eq!(Browser::new(address).get("/health").status, 200);
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
    let keys: i64 = copy
        .query_row("select count(*) from host", [], |row| row.get(0))
        .unwrap();
    assert_eq!(keys, 1);
}
