//! Encodings.

use super::{checked, decklaw, text};

/// A list whose marks only the names of cards tell from letters of another code page.
fn daggers() -> Vec<u8> {
    let text = super::corpus::pasted("arkhambuild-brand.txt");
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
        assert_eq!(one.status.code(), other.status.code(), "{command:?}: {other:?}");
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
