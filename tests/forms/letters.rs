//! `--letters`: a text for each player.

use super::{decklaw, text};
use std::path::Path;

const FORM: &str = "Timestamp,Player Name,Email,Decklist\n\
    2026/03/01 17:00:00,Tom Ferris,tom@x.org,\"Format: shell\nMain\n4 Moss Sprite\n\"\n\
    2026/03/01 17:01:00,Tom Ferris,ferris@y.org,\"Format: any\nName: {odd}\n\n3 Ant\n\"\n\
    2026/03/01 19:00:00,Ana/López,\"a@x\nBcc: all@x\",\"Format: any\n\n2 Bee\n\"\n";

fn letters(folder: &Path) -> Vec<(String, String)> {
    let mut all: Vec<(String, String)> = std::fs::read_dir(folder.join("mail"))
        .unwrap()
        .map(|file| {
            let path = file.unwrap().path();
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            (name, std::fs::read_to_string(path).unwrap())
        })
        .collect();
    all.sort();
    all
}

fn check(folder: &Path, more: &[&str]) -> (Option<i32>, String) {
    std::fs::write(folder.join("form.csv"), FORM).unwrap();
    let call = [
        "check",
        "--submissions",
        "form.csv",
        "--letters",
        "mail",
        "-o",
        "csv",
        "--summary",
    ];
    let run = decklaw(folder, &[&call[..], more].concat());
    (run.status.code(), text(&run.stderr))
}

#[test]
fn each_player_gets_a_letter_with_the_decks_own_line_and_its_mend() {
    let folder = tempfile::tempdir().unwrap();
    let deadline = ["--deadline", "2026-03-01T18:00"];
    let (status, told) = check(folder.path(), &deadline);
    assert_eq!(status, Some(1), "{told}");
    assert!(told.contains("mail: 3 letters"), "{told}");
    let all = letters(folder.path());
    let names: Vec<&str> = all.iter().map(|(name, _)| name.as_str()).collect();
    // Two players of one name have two letters, told apart by their rows.
    assert_eq!(
        names,
        [
            "Ana-López.txt",
            "Tom-Ferris-row-2.txt",
            "Tom-Ferris-row-3.txt"
        ]
    );
    let (late, illegal, legal) = (&all[0].1, &all[1].1, &all[2].1);
    for part in [
        "Hello Tom Ferris,",
        "It cannot be played as it is",
        "\"4 Moss Sprite\": 4 copies of `Moss Sprite`",
        "Take out 1 copy.",
        "(Rules: Deck Building › Main Deck)",
    ] {
        assert!(illegal.contains(part), "{part}: {illegal}");
    }
    assert!(
        legal.contains("It is legal; there is nothing") && legal.contains("Deck: {odd}"),
        "{legal}"
    );
    assert!(
        late.contains("it came after the deadline") && !late.contains("Deck:"),
        "{late}"
    );
    assert!(
        all.iter()
            .all(|(_, letter)| !letter.contains("\n\n\n") && letter.ends_with('\n'))
    );
    // The same again changes nothing; other letters do not take their place unasked.
    assert_eq!(check(folder.path(), &deadline).0, Some(1));
    let (status, told) = check(folder.path(), &[]);
    assert_eq!(status, Some(2), "{told}");
    assert_eq!(letters(folder.path()), all);
    assert_eq!(check(folder.path(), &["--replace"]).0, Some(1));
    assert_ne!(letters(folder.path()), all);
}

#[test]
fn a_template_speaks_in_the_organisers_words() {
    let folder = tempfile::tempdir().unwrap();
    let template = folder.path().join("letter.txt");
    let own = [
        "--template",
        "letter.txt",
        "--carry",
        "Email",
        "--only",
        "illegal",
    ];
    std::fs::write(
        &template,
        "To: {Email}\n\nLieber {player}: {errors} {{Fehler}}\n{late}\n{findings}\n",
    )
    .unwrap();
    let (status, told) = check(folder.path(), &own);
    assert_eq!(status, Some(1), "{told}");
    let all = letters(folder.path());
    assert_eq!(all.len(), 1, "{all:?}");
    let (name, letter) = &all[0];
    assert_eq!(name, "Tom-Ferris.txt");
    let begins = letter.starts_with("To: tom@x.org\n\nLieber Tom Ferris: ");
    assert!(begins && letter.contains("{Fehler}\n- "), "{letter}");
    // A cell never begins a line of its own: it could be a header of a mail.
    let more = ["--template", "letter.txt", "--carry", "Email", "--replace"];
    assert_eq!(check(folder.path(), &more).0, Some(1));
    let ana = std::fs::read_to_string(folder.path().join("mail/Ana-López.txt")).unwrap();
    assert!(
        !ana.contains("\nBcc:") && ana.starts_with("To: a@x"),
        "{ana}"
    );
    // What it does not know is refused, with the place and the nearest.
    std::fs::write(&template, "Dear {player},\n\nyour deck is {verdikt}.\n").unwrap();
    let (status, told) = check(folder.path(), &own);
    assert_eq!(status, Some(2));
    assert!(
        told.contains("letter.txt:3:14") && told.contains("did you mean verdict?"),
        "{told}"
    );
    std::fs::write(&template, "{Email}\n").unwrap();
    let (status, told) = check(folder.path(), &["--template", "letter.txt"]);
    assert_eq!(status, Some(2));
    assert!(told.contains("--carry"), "{told}");
    let run = decklaw(folder.path(), &["check", "x.txt", "--letters", "mail"]);
    assert_eq!(run.status.code(), Some(2));
}
