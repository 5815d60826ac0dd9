//! `event letters`: a text for each player.

use super::{decklaw, text};
use std::path::Path;

const FORM: &str = "Timestamp,Player Name,Email,Table,Decklist\n\
    2026/03/01 17:00:00,Tom Ferris,tom@x.org,4,\"Format: shell\nMain\n4 Moss Sprite\n\"\n\
    2026/03/01 17:01:00,Kim Ferris,ferris@y.org,,\"Format: any\nName: {odd}\n\n3 Ant\n\"\n\
    2026/03/01 19:00:00,Ana/L\u{f3}pez,\"a@x\nBcc: all@x\",,\"Format: any\n\n2 Bee\n\"\n";

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

fn event(folder: &Path) {
    std::fs::write(folder.join("form.csv"), FORM).unwrap();
    std::fs::write(folder.join("players.txt"), "Tom Ferris\nMia Moss\n").unwrap();
    let new = [
        "event",
        "new",
        "cup",
        "--deadline",
        "2026-03-01T18:00",
        "--zone",
        "UTC",
    ];
    for call in [
        &[&new[..], &["--players", "players.txt"]].concat()[..],
        &["event", "import", "cup", "form.csv", "--yes"],
    ] {
        let run = decklaw(folder, call);
        assert_eq!(run.status.code(), Some(0), "{}", text(&run.stderr));
    }
}

fn wrote(folder: &Path, more: &[&str]) -> (Option<i32>, String) {
    let call = ["event", "letters", "cup", "--to", "mail"];
    let run = decklaw(folder, &[&call[..], more].concat());
    (run.status.code(), text(&run.stderr))
}

#[test]
fn each_player_gets_a_letter_with_the_decks_own_line_and_its_mend() {
    let folder = tempfile::tempdir().unwrap();
    event(folder.path());
    let (status, told) = wrote(folder.path(), &[]);
    assert_eq!(status, Some(0), "{told}");
    assert!(told.contains("mail: 4 letters"), "{told}");
    let all = letters(folder.path());
    let names: Vec<&str> = all.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(
        names,
        [
            "p001-Tom-Ferris.txt",
            "p002-Mia-Moss.txt",
            "p003-Kim-Ferris.txt",
            "p004-Ana-L\u{f3}pez.txt"
        ]
    );
    let [illegal, missing, legal, late] = [0, 1, 2, 3].map(|at| &all[at].1);
    for part in [
        "Hello Tom Ferris,",
        "It cannot be played as it is",
        "\"4 Moss Sprite\": 4 copies of `Moss Sprite`",
        "Take out 1 copy.",
        "(Rules: Deck Building \u{203a} Main Deck)",
    ] {
        assert!(illegal.contains(part), "{part}: {illegal}");
    }
    assert!(
        legal.contains("It is legal; there is nothing") && legal.contains("Deck: {odd}"),
        "{legal}"
    );
    assert!(late.contains("It came after the deadline."), "{late}");
    assert!(
        missing.contains("No deck was handed in.") && !missing.contains("legal"),
        "{missing}"
    );
    assert!(
        all.iter()
            .all(|(_, letter)| !letter.contains("\n\n\n") && letter.ends_with('\n'))
    );
    // The same again changes nothing; other letters do not take their place unasked.
    assert_eq!(wrote(folder.path(), &[]).0, Some(0));
    std::fs::write(folder.path().join("other.txt"), "Dear {player}\n").unwrap();
    let (status, told) = wrote(folder.path(), &["--template", "other.txt"]);
    assert_eq!(status, Some(2), "{told}");
    assert_eq!(letters(folder.path()), all);
    let other = ["--template", "other.txt", "--replace"];
    assert_eq!(wrote(folder.path(), &other).0, Some(0));
    assert_ne!(letters(folder.path()), all);
}

#[test]
fn a_template_speaks_in_the_organisers_words() {
    let folder = tempfile::tempdir().unwrap();
    event(folder.path());
    let template = folder.path().join("letter.txt");
    let own = ["--template", "letter.txt", "--only", "illegal"];
    std::fs::write(
        &template,
        "To: {address}\n\nLieber {player}, Tisch {Table}: {errors} {{Fehler}}\n{late}\n{findings}\n",
    )
    .unwrap();
    let (status, told) = wrote(folder.path(), &own);
    assert_eq!(status, Some(0), "{told}");
    let all = letters(folder.path());
    assert_eq!(all.len(), 1, "{all:?}");
    let (name, letter) = &all[0];
    assert_eq!(name, "p001-Tom-Ferris.txt");
    let begins = letter.starts_with("To: tom@x.org\n\nLieber Tom Ferris, Tisch 4: ");
    assert!(begins && letter.contains("{Fehler}\n- "), "{letter}");
    // A cell never begins a line of its own: it could be a header of a mail.
    let more = ["--template", "letter.txt", "--replace"];
    assert_eq!(wrote(folder.path(), &more).0, Some(0));
    let ana = std::fs::read_to_string(folder.path().join("mail/p004-Ana-L\u{f3}pez.txt")).unwrap();
    assert!(
        !ana.contains("\nBcc:") && ana.starts_with("To: a@x"),
        "{ana}"
    );
    // What it does not know is refused, with the place and the nearest.
    std::fs::write(&template, "Dear {player},\n\nyour deck is {verdikt}.\n").unwrap();
    let (status, told) = wrote(folder.path(), &own);
    assert_eq!(status, Some(2));
    assert!(
        told.contains("letter.txt:3:14") && told.contains("did you mean verdict?"),
        "{told}"
    );
}
