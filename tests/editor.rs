//! The interactive builder in a real pseudo-terminal of 80 columns and 24 rows.
#![cfg(unix)]
#![allow(clippy::unwrap_used)]

use portable_pty::{Child, CommandBuilder, PtySize, native_pty_system};
use std::io::{Read, Write};
use std::path::Path;
use std::process::Command;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// How long a screen may take on a machine that is busy; nothing is measured by it.
const PATIENCE: Duration = Duration::from_secs(60);

struct Session {
    screen: Arc<Mutex<vt100::Parser>>,
    keys: Box<dyn Write + Send>,
    child: Box<dyn Child + Send + Sync>,
    // Closing it would end the terminal.
    _terminal: Box<dyn portable_pty::MasterPty + Send>,
}

impl Session {
    fn new(folder: &Path, arguments: &[&str]) -> Session {
        let size = PtySize {
            rows: 24,
            cols: 80,
            pixel_width: 0,
            pixel_height: 0,
        };
        let pair = native_pty_system().openpty(size).unwrap();
        let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_decklaw"));
        command.args(arguments);
        command.cwd(folder);
        command.env("DECKLAW_CONFIG", folder);
        command.env("TERM", "xterm-256color");
        let child = pair.slave.spawn_command(command).unwrap();
        drop(pair.slave);
        let screen = Arc::new(Mutex::new(vt100::Parser::new(24, 80, 0)));
        let mut reader = pair.master.try_clone_reader().unwrap();
        let shown = Arc::clone(&screen);
        std::thread::spawn(move || {
            let mut bytes = [0; 4096];
            while let Ok(read) = reader.read(&mut bytes) {
                if read == 0 {
                    break;
                }
                shown.lock().unwrap().process(&bytes[..read]);
            }
        });
        let keys = pair.master.take_writer().unwrap();
        Session {
            screen,
            keys,
            child,
            _terminal: pair.master,
        }
    }

    fn text(&self) -> String {
        self.screen.lock().unwrap().screen().contents()
    }

    fn press(&mut self, keys: &str) {
        self.keys.write_all(keys.as_bytes()).unwrap();
        self.keys.flush().unwrap();
    }

    fn until(&self, words: &str) {
        let begun = Instant::now();
        while !self.text().contains(words) {
            assert!(
                begun.elapsed() < PATIENCE,
                "no `{words}` in\n{}",
                self.text()
            );
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    fn ends_with(mut self, status: u32) {
        assert_eq!(self.child.wait().unwrap().exit_code(), status);
    }
}

const RIGHT: &str = "\u{1b}[C";
const UNDO: &str = "\u{1a}";
const SAVE: &str = "\u{13}";
const ELSEWHERE: &str = "\u{17}";
const ODDS: &str = "\u{f}";
const QUIT: &str = "\u{11}";

#[test]
fn a_deck_is_changed_undone_and_saved_as_it_was_written() {
    let folder = tempfile::tempdir().unwrap();
    let deck = folder.path().join("deck.txt");
    let text = "Format: shell\nName: Ebb\n\n# what I own\nMain (2)\n2 Moss Sprite  \n\nShells\n1 Azure Keep\n";
    std::fs::write(&deck, text).unwrap();
    let mut session = Session::new(folder.path(), &["build", "--edit", "deck.txt"]);
    session.until("2 Moss Sprite");
    session.until("incomplete");
    session.until("^S save");
    session.press("Rain Caller");
    session.until("1 card");
    session.press(RIGHT);
    session.until("main (3)");
    session.press(RIGHT);
    session.until("main (4)");
    session.press(UNDO);
    session.until("main (3)");
    session.press(SAVE);
    session.until("saved deck.txt");
    let card = "1 Rain Caller";
    let saved = std::fs::read_to_string(&deck).unwrap();
    let expected = text
        .replace("Main (2)", "Main (3)")
        .replace("2 Moss Sprite  \n", &format!("2 Moss Sprite  \n{card}\n"));
    assert_eq!(saved, expected);
    session.press(RIGHT);
    session.until("main (4)");
    session.press(QUIT);
    session.until("Save the changes?");
    session.press("n");
    session.ends_with(0);
    assert_eq!(std::fs::read_to_string(&deck).unwrap(), expected);
}

#[test]
fn a_file_that_somebody_else_changed_is_not_written_over() {
    let folder = tempfile::tempdir().unwrap();
    let deck = folder.path().join("new.txt");
    let mut session = Session::new(folder.path(), &["build", "shell", "--edit", "new.txt"]);
    session.until("main (0)");
    session.press(RIGHT);
    session.until("main (1)");
    std::fs::write(&deck, "Format: shell\n\n1 Moss Sprite\n").unwrap();
    session.press(SAVE);
    session.until("the file changed");
    // What was built is not lost: it goes to another file, which is not there yet.
    session.press(ELSEWHERE);
    session.until("Save as:");
    session.press("new.txt\r");
    session.until("there is such a file");
    session.press(ELSEWHERE);
    session.until("Save as: new.txt");
    session.press("\u{7f}\u{7f}\u{7f}\u{7f}-2.txt\r");
    session.until("saved new-2.txt");
    session.press(QUIT);
    session.ends_with(0);
    let left = std::fs::read_to_string(&deck).unwrap();
    assert_eq!(left, "Format: shell\n\n1 Moss Sprite\n");
    let mine = std::fs::read_to_string(folder.path().join("new-2.txt")).unwrap();
    assert!(mine.starts_with("Format: shell\n") && mine.lines().any(|line| line.starts_with("1 ")));
}

#[test]
fn without_a_terminal_it_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let run = Command::new(env!("CARGO_BIN_EXE_decklaw"))
        .args(["build", "shell", "--edit", "deck.txt"])
        .current_dir(folder.path())
        .output()
        .unwrap();
    assert_eq!(run.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&run.stderr).contains("needs a terminal"));
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn decks_in_yaml_and_json_are_saved_in_place_and_begun() {
    let folder = tempfile::tempdir().unwrap();
    let yaml = "# mine\nformat: shell\nmain:\n  - 2 moss   sprite   # the first\n  # more to come\nshells: [1 Azure Keep]\n";
    let json = "{\n  \"main\": [\"2 moss   sprite\"],\n  \"format\": \"shell\"\n}\n";
    for (name, before, after) in [
        (
            "deck.yaml",
            Some(yaml),
            yaml.replace("first\n", "first\n  - 1 Rain Caller\n"),
        ),
        (
            "deck.json",
            Some(json),
            json.replace("sprite\"", "sprite\", \"1 Rain Caller\""),
        ),
        (
            "new.yaml",
            None,
            "format: \"shell\"\nsections:\n  main:\n    - 1 Rain Caller\n".to_owned(),
        ),
        (
            "new.json",
            None,
            "{\n  \"format\": \"shell\",\n  \"sections\": {\n    \"main\": [\n      \"1 Rain Caller\"\n    ]\n  }\n}\n"
                .to_owned(),
        ),
    ] {
        let deck = folder.path().join(name);
        if let Some(before) = before {
            std::fs::write(&deck, before).unwrap();
        }
        let mut session = Session::new(folder.path(), &["build", "shell", "--edit", name]);
        session.until("^S save");
        session.press("Rain Caller");
        session.until("1 card");
        session.press(RIGHT);
        session.until("1 Rain Caller");
        session.press(SAVE);
        session.until(&format!("saved {name}"));
        session.press(QUIT);
        session.ends_with(0);
        assert_eq!(std::fs::read_to_string(&deck).unwrap(), after);
    }
}

#[test]
fn a_hand_size_can_be_said_for_games_without_one() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(
        folder.path().join("deck.txt"),
        "Format: any\nMain\n3 Owl\n3 Elk\n",
    )
    .unwrap();
    let arguments = ["build", "--edit", "deck.txt", "--hand", "4"];
    let mut session = Session::new(folder.path(), &arguments);
    session.until("3 Owl");
    session.press(ODDS);
    session.until("odds of");
    // Four of six cards with no more than three of them elks.
    session.press("1+ [Owl]");
    session.until("100.00 % (hand of 4)");
    session.press("\r");
    session.press(QUIT);
    session.ends_with(0);
}

#[test]
fn a_signal_to_terminate_gives_the_screen_back() {
    let folder = tempfile::tempdir().unwrap();
    let mut session = Session::new(folder.path(), &["build", "shell", "--edit", "deck.txt"]);
    session.until("main (0)");
    assert!(session.screen.lock().unwrap().screen().alternate_screen());
    let id = session.child.process_id().unwrap().to_string();
    assert!(
        Command::new("kill")
            .args(["-TERM", &id])
            .status()
            .unwrap()
            .success()
    );
    assert_eq!(session.child.wait().unwrap().exit_code(), 130);
    let begun = Instant::now();
    let restored = || {
        let parser = session.screen.lock().unwrap();
        !parser.screen().alternate_screen() && !parser.screen().hide_cursor()
    };
    while !restored() {
        assert!(begun.elapsed() < PATIENCE, "the screen was not given back");
        std::thread::sleep(Duration::from_millis(20));
    }
}
