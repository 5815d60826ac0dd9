//! Encodings.

use super::{checked, decklaw, messages, text};

const DECK: &str = "Format: any\r\n\r\nMain\r\n3 Café Noir\r\n2 Mara’s Blade\r\n";

fn utf16(text: &str) -> Vec<u8> {
    text.encode_utf16().flat_map(u16::to_le_bytes).collect()
}

#[test]
fn a_deck_is_the_same_in_every_encoding_that_is_read() {
    let plain = checked("deck.txt", DECK.as_bytes(), &[]);
    assert_eq!(plain["decks"][0]["findings"].as_array().unwrap().len(), 0);
    let (western, _, _) = encoding_rs::WINDOWS_1252.encode(DECK);
    for (bytes, note) in [
        (utf16(DECK), "read as UTF-16"),
        (utf16(&format!("\u{feff}{DECK}")), "read as UTF-16"),
        (western.into_owned(), "read as Windows-1252"),
    ] {
        let read = checked("deck.txt", &bytes, &[]);
        assert_eq!(read["decks"][0]["hash"], plain["decks"][0]["hash"]);
        let said = messages(&read);
        assert!(said.len() == 1 && said[0].starts_with(note), "{said:?}");
    }
}

#[test]
fn what_is_in_doubt_is_refused_with_its_line_and_the_way_to_save_it() {
    for bytes in [
        &b"Format: any\n\n3 Caf\x8e Noir\n"[..],
        "Format: any\n\n3 Caf\u{fffd} Noir\n".as_bytes(),
    ] {
        let read = checked("deck.txt", bytes, &[]);
        let finding = &read["decks"][0]["findings"][0];
        assert_eq!(read["decks"][0]["verdict"], "unreadable");
        assert_eq!(finding["line"], 3);
    }
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("deck.txt"), b"3 Caf\x8e Noir\n").unwrap();
    let run = decklaw(folder.path(), &["check", "deck.txt", "--format", "any"]);
    assert!(text(&run.stdout).contains("UTF-8"));
}

#[test]
fn places_are_those_of_the_text_and_not_of_its_bytes() {
    let wrong = utf16("Format: any\n\nMain (7)\n3 Café\n");
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("deck.txt"), wrong).unwrap();
    let run = decklaw(folder.path(), &["check", "deck.txt"]);
    assert!(
        text(&run.stdout).contains("Main (7)"),
        "{}",
        text(&run.stdout)
    );
}
