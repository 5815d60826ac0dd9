//! Encodings.

use super::{checked, decklaw, messages, text};

const DECK: &str = "Format: any\r\n\r\nMain\r\n3 Café Noir\r\n2 Mara’s Blade\r\n";

fn utf16(text: &str) -> Vec<u8> {
    text.encode_utf16().flat_map(u16::to_le_bytes).collect()
}

#[test]
fn a_deck_is_the_same_in_utf16() {
    let plain = checked("deck.txt", DECK.as_bytes(), &[]);
    assert!(messages(&plain).is_empty());
    let read = checked("deck.txt", &utf16(&format!("\u{feff}{DECK}")), &[]);
    assert_eq!(read["decks"][0]["hash"], plain["decks"][0]["hash"]);
    let said = messages(&read);
    assert!(
        said.len() == 1 && said[0].starts_with("read as UTF-16"),
        "{said:?}"
    );
}

#[test]
fn another_encoding_is_refused_with_its_line_and_the_way_to_save_it() {
    for bytes in [
        &b"Format: any\n\n3 Caf\x8e Noir\n"[..],
        b"Format: any\n\n3 Caf\xe9 Noir\n",
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
    let wrong = utf16("\u{feff}Format: any\n\nMain (7)\n3 Café\n");
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("deck.txt"), wrong).unwrap();
    let run = decklaw(folder.path(), &["check", "deck.txt"]);
    assert!(
        text(&run.stdout).contains("Main (7)"),
        "{}",
        text(&run.stdout)
    );
    let deck = r#"{"name":"Café Ño","format":"shell","sections":{"main":["3 Nobody"]}}"#;
    let read = checked("deck.json", deck.as_bytes(), &[]);
    let findings = read["decks"][0]["findings"].as_array().unwrap();
    let unknown = findings.iter().find(|one| one["rule"] == "unknown-card");
    let before = deck.split_once("Nobody").unwrap().0.chars().count();
    assert_eq!(unknown.unwrap()["column"], before + 1, "{read}");
}

/// A list whose marks only the names of cards tell from letters of another code page.
fn daggers() -> Vec<u8> {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let path = root.join("tests/reading/corpus/arkhambuild-brand-utf8.txt");
    let text = std::fs::read_to_string(path).unwrap();
    encoding_rs::WINDOWS_1252.encode(&text).0.into_owned()
}

#[test]
fn the_names_of_cards_tell_what_a_mark_is_to_every_command() {
    let folder = tempfile::tempdir().unwrap();
    let bytes = daggers();
    let (plain, _, _) = encoding_rs::WINDOWS_1252.decode(&bytes);
    std::fs::write(folder.path().join("plain.txt"), plain.as_bytes()).unwrap();
    std::fs::write(folder.path().join("marked.txt"), daggers()).unwrap();
    for command in [
        &["check", "-o", "csv"][..],
        &["stats"],
        &["odds"],
        &["fix"],
        &["convert", "--to-format", "list"],
        &["room"],
    ] {
        let run = |deck: &str| {
            let mut call = command.to_vec();
            call.insert(1, deck);
            call.extend(["--format", "shell"]);
            decklaw(folder.path(), &call)
        };
        let (one, other) = (run("plain.txt"), run("marked.txt"));
        assert_eq!(
            one.status.code(),
            other.status.code(),
            "{command:?}: {other:?}"
        );
        let said = text(&other.stdout) + &text(&other.stderr);
        assert!(said.contains("read as Windows-1252"), "{command:?}: {said}");
        let answer = |run: &std::process::Output| -> Vec<String> {
            let lines = text(&run.stdout).replace("marked.txt", "plain.txt");
            let lines = lines.lines().filter(|line| !line.contains("Windows-1252"));
            lines.map(str::to_owned).collect()
        };
        assert_eq!(answer(&one), answer(&other), "{command:?}");
    }
}

#[test]
fn a_name_that_no_card_has_stays_in_doubt() {
    let mut bytes = daggers();
    // The first mark stands at a card that there is no more.
    let name = b"Azure Keep";
    let at = bytes.windows(name.len()).position(|part| part == name);
    bytes[at.unwrap()] = b'\xc4';
    for bytes in [
        bytes,
        // Letters of another code page, in a name.
        b"Format: shell\n\nShells\n1 Az\x81re Keep\n".to_vec(),
    ] {
        let said = checked("deck.txt", &bytes, &["--format", "shell"]);
        assert_eq!(said["decks"][0]["verdict"], "unreadable", "{said}");
    }
    // Where nobody knows the cards, no name tells anything.
    let said = checked("deck.txt", b"Format: any\n\n1 Azure Keep\x86\n", &[]);
    assert_eq!(said["decks"][0]["verdict"], "unreadable", "{said}");
}
