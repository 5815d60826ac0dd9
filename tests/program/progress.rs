//! What a real pseudo-terminal gets: the bar of a long run, and nothing that is no text.
#![cfg(unix)]

use crate::common::command;
use rustix::process::{Pid, Signal, kill_process};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Winsize, tcsetwinsize};
use std::fs::File;
use std::io::Read;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::process::Child;
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// How long a screen may take on a machine that is busy; nothing is measured by it.
const PATIENCE: Duration = Duration::from_secs(60);

/// A terminal of 24 lines and 80 columns, and the program at it.
struct Terminal {
    program: Child,
    written: Arc<Mutex<Vec<u8>>>,
    reading: JoinHandle<()>,
}

impl Terminal {
    fn call(arguments: &[&str], folder: &Path) -> Terminal {
        let flags = OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC;
        let keyboard = openpt(flags).unwrap();
        grantpt(&keyboard).unwrap();
        unlockpt(&keyboard).unwrap();
        let size = Winsize { ws_row: 24, ws_col: 80, ws_xpixel: 0, ws_ypixel: 0 };
        tcsetwinsize(&keyboard, size).unwrap();
        let name = ptsname(&keyboard, Vec::new()).unwrap();
        let name = std::ffi::OsStr::from_bytes(name.as_bytes());
        // Nobody else has it open once the program ends, so that its reader comes to an end.
        let device = || {
            let mut options = File::options();
            options.read(true).write(true).open(name).unwrap()
        };
        let program = command(folder, arguments)
            .env("TERM", "xterm-256color")
            .stdin(device())
            .stdout(device())
            .stderr(device())
            .spawn()
            .unwrap();
        let written = Arc::new(Mutex::new(Vec::new()));
        let all = Arc::clone(&written);
        let mut screen = File::from(keyboard);
        let reading = std::thread::spawn(move || {
            let mut bytes = [0; 4096];
            // The end of a terminal is an error to its reader.
            while let Ok(read @ 1..) = screen.read(&mut bytes) {
                all.lock().unwrap().extend(&bytes[..read]);
            }
        });
        Terminal { program, written, reading }
    }

    /// All that was written to it so far.
    fn text(&self) -> String {
        String::from_utf8_lossy(&self.written.lock().unwrap()).into_owned()
    }

    /// The exit status, and all that was written.
    fn ended(mut self) -> (Option<i32>, String) {
        let status = self.program.wait().unwrap().code();
        self.reading.join().unwrap();
        let written = self.written.lock().unwrap();
        (status, String::from_utf8_lossy(&written).into_owned())
    }
}

#[test]
fn an_interruption_takes_the_bar_off_the_screen_and_leaves_no_half_file() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("decks")).unwrap();
    // More decks than are judged together, so that some are done while the last one waits.
    for deck in 0..1100 {
        let path = folder.path().join(format!("decks/{deck}.txt"));
        std::fs::write(path, "Format: any\n\n1 A\n").unwrap();
    }
    let out = folder.path().join("out.csv");
    std::fs::write(&out, "the last good one").unwrap();
    let call = ["check", "decks", "-", "-o", "csv=out.csv", "--replace"];
    let terminal = Terminal::call(&call, folder.path());
    let start = Instant::now();
    while !terminal.text().contains("of 1101 decks") {
        assert!(start.elapsed() < PATIENCE, "{}", terminal.text());
        std::thread::sleep(Duration::from_millis(5));
    }
    // Standard input is a terminal, and the deck there never ends.
    kill_process(Pid::from_child(&terminal.program), Signal::INT).unwrap();
    let (status, text) = terminal.ended();
    assert_eq!(status, Some(130), "{text:?}");
    // The bar is one line: the last that is done to it is that it is cleared.
    let (_, after) = text.rsplit_once("decks").unwrap();
    let (_, left) = after.rsplit_once("\u{1b}[2K").unwrap();
    assert!(left.trim().is_empty(), "{text:?}");
    let left = std::fs::read_dir(folder.path()).unwrap().count();
    assert_eq!(left, 2, "no draft is left");
    let text = std::fs::read_to_string(out).unwrap();
    assert_eq!(text, "the last good one");
}

#[test]
fn what_is_no_text_never_goes_to_a_terminal() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("a.txt"), "Format: any\n\n1 A\n").unwrap();
    let calls: [&[&str]; 3] = [
        &["check", "a.txt", "-o", "xlsx"],
        &["cards", "list", "--format", "shell", "-o", "xlsx"],
        &["check", "a.txt", "-o", "xlsx=round.xlsx"],
    ];
    for call in calls {
        let (status, shown) = Terminal::call(call, folder.path()).ended();
        assert!(!shown.contains("PK\u{3}\u{4}"), "{shown}");
        if call.contains(&"xlsx") {
            assert_eq!(status, Some(2), "{call:?}: {shown}");
            assert!(shown.contains("-o xlsx=FILE.xlsx"), "{shown}");
        } else {
            assert_ne!(status, Some(2), "{call:?}: {shown}");
        }
    }
    assert!(folder.path().join("round.xlsx").is_file());
}
