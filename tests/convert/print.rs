//! `decklaw print`, from the outside: the PDF is read back by its own bytes, and by Poppler's
//! `pdftotext` where that is installed.

use crate::common::said;
use std::path::Path;
use std::process::{Command, Output};
use tempfile::TempDir;

fn print(folder: &Path, call: &str) -> Output {
    crate::common::run(folder, &format!("print {call}"))
}

/// How many pages a document has, by its page objects.
fn pages(pdf: &[u8]) -> usize {
    let text = String::from_utf8_lossy(pdf);
    let objects = text.match_indices("/Type/Page");
    objects.filter(|(at, found)| !text[at + found.len()..].starts_with('s')).count()
}

/// The words of a document, by a program that is not ours. `None`: it is not installed.
fn words(file: &Path) -> Option<String> {
    let read = Command::new("pdftotext").args(["-layout"]).arg(file).arg("-").output();
    let read = read.ok().filter(|read| read.status.success())?;
    Some(String::from_utf8(read.stdout).unwrap())
}

/// A deck of a game of nobody's, in a folder of its own.
fn folder(deck: &str) -> TempDir {
    let folder = TempDir::new().unwrap();
    std::fs::write(folder.path().join("deck.txt"), deck).unwrap();
    folder
}

#[test]
fn each_card_is_printed_as_often_as_the_deck_has_it() {
    let folder = folder(
        "Format: shell\nName: Two\n\nMain\n7 Moss Sprite\n3 Rain Caller\nSide\n1 Verdant Spire\n",
    );
    let place = folder.path();
    let run = print(place, "deck.txt --to cards.pdf");
    assert_eq!((run.status.code(), &*said(&run)), (Some(0), "wrote cards.pdf\n"));
    let pdf = std::fs::read(place.join("cards.pdf")).unwrap();
    assert!(pdf.starts_with(b"%PDF-"));
    assert_eq!(pages(&pdf), 2);
    let text = String::from_utf8_lossy(&pdf);
    // A4, in points; fonts are in the file.
    assert!(text.contains("/MediaBox[0 0 595.27") && text.contains("841.88"), "no A4");
    assert!(text.contains("/FontFile2"));
    if let Some(words) = words(&place.join("cards.pdf")) {
        // Most name themselves in their text, too, where a line may end within the name.
        let count = |word: &str| words.matches(word).count();
        let counts = ["Moss Sprite", "Rain Caller", "Verdant Spire"].map(count);
        assert!(counts[0] >= 7 && counts[1] >= 3 && counts[2] >= 1, "{words}");
        assert!(words.contains("Page 1 of 2") && words.contains("Two"), "{words}");
    }
    let run = print(place, "deck.txt --to backs.pdf --backs --paper letter");
    assert_eq!(run.status.code(), Some(0), "{}", said(&run));
    let pdf = std::fs::read(place.join("backs.pdf")).unwrap();
    assert_eq!(pages(&pdf), 4);
    assert!(String::from_utf8_lossy(&pdf).contains("/MediaBox[0 0 612 792]"));
    if let Some(words) = words(&place.join("backs.pdf")) {
        assert!(words.matches("Shell").count() >= 11, "{words}");
    }
    // The same cards make the same bytes.
    let again = print(place, "deck.txt -o pdf=again.pdf");
    assert_eq!(again.status.code(), Some(0));
    assert_eq!(
        std::fs::read(place.join("again.pdf")).unwrap(),
        std::fs::read(place.join("cards.pdf")).unwrap()
    );
    // What is there stays.
    let run = print(place, "deck.txt --paper letter --to cards.pdf");
    assert_eq!(run.status.code(), Some(2));
    assert_eq!(
        std::fs::read(place.join("again.pdf")).unwrap(),
        std::fs::read(place.join("cards.pdf")).unwrap()
    );
}

#[test]
fn a_pool_is_printed_once_each_or_what_a_query_picks_of_it() {
    let folder = folder("");
    let place = folder.path();
    let run = print(place, "--format vastrix --to all.pdf");
    assert_eq!(run.status.code(), Some(0), "{}", said(&run));
    assert_eq!(pages(&std::fs::read(place.join("all.pdf")).unwrap()), 6);
    let run = print(place, "--format vastrix --only 'suit:hearts points>=4' --to some.pdf");
    assert_eq!(run.status.code(), Some(0), "{}", said(&run));
    if let Some(words) = words(&place.join("some.pdf")) {
        assert!(words.contains('♥') && !words.contains('♠'), "{words}");
    }
    let cards = "name,type,colour,mana,text\nKite,spell,red,3,Draw a card.\n";
    std::fs::write(place.join("cards.csv"), cards).unwrap();
    for call in ["--cards shell=cards.csv", "--format shell --cards cards.csv"] {
        let run = print(place, &format!("{call} --to own.pdf --replace"));
        assert_eq!(run.status.code(), Some(0), "{}", said(&run));
        if let Some(words) = words(&place.join("own.pdf")) {
            assert!(words.contains("Kite") && words.contains("Red Spell"), "{words}");
        }
    }
}
