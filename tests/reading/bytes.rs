//! Encodings.

use super::checked;

/// A list whose marks only the names of cards tell from letters of another code page.
fn daggers() -> Vec<u8> {
    let text = super::corpus::pasted("arkhambuild-brand.txt");
    encoding_rs::WINDOWS_1252.encode(&text).0.into_owned()
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
