//! The interactive builder in a real pseudo-terminal of 80 columns and 24 rows.
#![cfg(unix)]
#![allow(clippy::unwrap_used)]

#[path = "common/terminal.rs"]
mod terminal;

use std::process::Command;
use std::time::{Duration, Instant};
use terminal::{PATIENCE, Terminal};

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
    let mut session = Terminal::new(folder.path(), &["build", "--edit", "deck.txt"]);
    session.sees("2 Moss Sprite");
    session.sees("incomplete");
    session.sees("^S save");
    session.press("Rain Caller");
    session.sees("1 card");
    session.press(RIGHT);
    session.sees("main (3)");
    session.press(RIGHT);
    session.sees("main (4)");
    session.press(UNDO);
    session.sees("main (3)");
    session.press(SAVE);
    session.sees("saved deck.txt");
    let card = "1 Rain Caller";
    let saved = std::fs::read_to_string(&deck).unwrap();
    let expected = text
        .replace("Main (2)", "Main (3)")
        .replace("2 Moss Sprite  \n", &format!("2 Moss Sprite  \n{card}\n"));
    assert_eq!(saved, expected);
    session.press(RIGHT);
    session.sees("main (4)");
    session.press(QUIT);
    session.sees("Save the changes?");
    session.press("n");
    session.ends_with(0);
    assert_eq!(std::fs::read_to_string(&deck).unwrap(), expected);
}

#[test]
fn a_file_that_somebody_else_changed_is_not_written_over() {
    let folder = tempfile::tempdir().unwrap();
    let deck = folder.path().join("new.txt");
    let mut session = Terminal::new(folder.path(), &["build", "shell", "--edit", "new.txt"]);
    session.sees("main (0)");
    session.press(RIGHT);
    session.sees("main (1)");
    std::fs::write(&deck, "Format: shell\n\n1 Moss Sprite\n").unwrap();
    session.press(SAVE);
    session.sees("the file changed");
    // What was built is not lost: it goes to another file, which is not there yet.
    session.press(ELSEWHERE);
    session.sees("Save as:");
    session.press("new.txt\r");
    session.sees("there is such a file");
    session.press(ELSEWHERE);
    session.sees("Save as: new.txt");
    session.press("\u{7f}\u{7f}\u{7f}\u{7f}-2.txt\r");
    session.sees("saved new-2.txt");
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
        let mut session = Terminal::new(folder.path(), &["build", "shell", "--edit", name]);
        session.sees("^S save");
        session.press("Rain Caller");
        session.sees("1 card");
        session.press(RIGHT);
        session.sees("1 Rain Caller");
        session.press(SAVE);
        session.sees(&format!("saved {name}"));
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
    let mut session = Terminal::new(folder.path(), &arguments);
    session.sees("3 Owl");
    session.press(ODDS);
    session.sees("odds of");
    // Four of six cards with no more than three of them elks.
    session.press("1+ [Owl]");
    session.sees("100.00 % (hand of 4)");
    session.press("\r");
    session.press(QUIT);
    session.ends_with(0);
}

#[test]
fn a_signal_to_terminate_gives_the_screen_back() {
    let folder = tempfile::tempdir().unwrap();
    let mut session = Terminal::new(folder.path(), &["build", "shell", "--edit", "deck.txt"]);
    session.sees("main (0)");
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
