//! What a real pseudo-terminal gets: the bar of a long run, and nothing that is no text.
#![cfg(unix)]
#![allow(clippy::unwrap_used)]

use portable_pty::{CommandBuilder, PtySize, native_pty_system};
use std::io::{Read, Write};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// How long a screen may take on a machine that is busy; nothing is measured by it.
const PATIENCE: Duration = Duration::from_secs(60);

#[test]
fn an_interruption_takes_the_bar_off_the_screen() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("decks")).unwrap();
    // More decks than are judged together, so that some are done while the last one waits.
    for deck in 0..1100 {
        let path = folder.path().join(format!("decks/{deck}.txt"));
        std::fs::write(path, "Format: any\n\n1 A\n").unwrap();
    }
    let size = PtySize {
        rows: 24,
        cols: 80,
        pixel_width: 0,
        pixel_height: 0,
    };
    let pair = native_pty_system().openpty(size).unwrap();
    let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_decklaw"));
    command.args(["check", "decks", "-", "-o", "csv=out.csv"]);
    command.cwd(folder.path());
    command.env("DECKLAW_CONFIG", folder.path());
    command.env("TERM", "xterm-256color");
    let mut child = pair.slave.spawn_command(command).unwrap();
    drop(pair.slave);
    let screen = Arc::new(Mutex::new(vt100::Parser::new(24, 80, 0)));
    let mut reader = pair.master.try_clone_reader().unwrap();
    let shown = Arc::clone(&screen);
    let reading = std::thread::spawn(move || {
        let mut bytes = [0; 4096];
        while let Ok(read) = reader.read(&mut bytes) {
            if read == 0 {
                break;
            }
            shown.lock().unwrap().process(&bytes[..read]);
        }
    });
    let text = || screen.lock().unwrap().screen().contents();
    let start = Instant::now();
    while !text().contains("of 1101 decks") {
        assert!(start.elapsed() < PATIENCE, "{}", text());
        std::thread::sleep(Duration::from_millis(5));
    }
    // Standard input is a terminal, and the deck there never ends.
    let mut keys = pair.master.take_writer().unwrap();
    keys.write_all(b"\x03").unwrap();
    assert_eq!(child.wait().unwrap().exit_code(), 130);
    drop(keys);
    drop(pair.master);
    reading.join().unwrap();
    assert!(!text().contains("decks"), "{}", text());
    let left = std::fs::read_dir(folder.path()).unwrap().count();
    assert_eq!(left, 1, "no draft is left");
}

#[test]
fn what_is_no_text_never_goes_to_a_terminal() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("a.txt"), "Format: any\n\n1 A\n").unwrap();
    let calls: [&[&str]; 4] = [
        &["check", "a.txt", "-o", "xlsx"],
        &["cards", "list", "--format", "shell", "-o", "xlsx"],
        &["cards", "template", "shell", "-o", "xlsx"],
        &["check", "a.txt", "-o", "xlsx=round.xlsx"],
    ];
    for call in calls {
        let pair = native_pty_system().openpty(PtySize::default()).unwrap();
        let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_decklaw"));
        command.args(call);
        command.cwd(folder.path());
        command.env("DECKLAW_CONFIG", folder.path());
        let mut child = pair.slave.spawn_command(command).unwrap();
        drop(pair.slave);
        let mut shown = Vec::new();
        // The end of a terminal is an error to its reader.
        let _ = pair
            .master
            .try_clone_reader()
            .unwrap()
            .read_to_end(&mut shown);
        let shown = String::from_utf8_lossy(&shown);
        let status = child.wait().unwrap().exit_code();
        assert!(!shown.contains("PK\u{3}\u{4}"), "{shown}");
        match call.contains(&"xlsx") {
            true => {
                assert_eq!(status, 2, "{call:?}: {shown}");
                assert!(shown.contains("-o xlsx=FILE.xlsx"), "{shown}");
            }
            false => assert_ne!(status, 2, "{call:?}: {shown}"),
        }
    }
    assert!(folder.path().join("round.xlsx").is_file());
}
