//! Every sample deck through every file format and back.

use super::{decklaw, hash};
use std::path::{Path, PathBuf};

/// The first sample of each game.
fn samples() -> Vec<PathBuf> {
    let mut all: Vec<PathBuf> =
        crate::common::samples().into_iter().map(|(path, _)| PathBuf::from(path)).collect();
    all.dedup_by(|one, other| one.parent() == other.parent());
    all
}

#[test]
fn a_deck_keeps_its_hash() {
    let folder = tempfile::tempdir().unwrap();
    for deck in samples() {
        let own = hash(&deck, &[]);
        for (kind, ending) in
            [("yaml", "yaml"), ("json", "json"), ("cod", "cod"), ("csv", "csv"), ("text", "txt")]
        {
            let file = folder.path().join(format!("deck.{ending}"));
            let call = [
                "convert",
                deck.to_str().unwrap(),
                "--to-format",
                kind,
                "--to",
                file.to_str().unwrap(),
                "--replace",
            ];
            let ran = decklaw(&call, b"");
            assert_eq!(ran.status, 0, "{kind}: {}", ran.err);
            let text =
                decklaw(&["convert", deck.to_str().unwrap(), "--to-format", "json"], b"").out;
            let read: serde_json::Value = serde_json::from_str(&text).unwrap();
            let format = read["format"].as_str().unwrap();
            assert_eq!(hash(&file, &["--format", format]), own, "{} as {kind}", deck.display());
        }
    }
}

#[test]
fn a_deck_is_the_same_in_its_link() {
    for deck in samples() {
        let own = hash(&deck, &[]);
        let ran = decklaw(&["convert", deck.to_str().unwrap(), "--to-format", "link"], b"");
        assert_eq!(ran.status, 0, "{}", ran.err);
        let link = ran.out.trim_end();
        assert!(link.starts_with("/deck/") && link.contains("#z="), "{link}");
        // As it was written, behind an address, as a page writes it, and the code alone.
        let (_, code) = link.split_once('#').unwrap();
        for link in [
            link.to_owned(),
            format!("https://decks.example:8080{link}"),
            format!("http://127.0.0.1/deck/x#d=abc&{code}"),
            code.to_owned(),
        ] {
            assert_eq!(hash(Path::new(&link), &[]), own, "{link}");
            let stated = decklaw(&["stats", &link, "-o", "json"], b"");
            assert_eq!(stated.status, 0, "{}", stated.err);
            // Pasted, too.
            let piped = decklaw(&["check", "-", "-o", "json"], link.as_bytes());
            assert!(piped.out.contains(&own), "{}", piped.out);
            // What is cut off or altered is no other deck.
            for (broken, _) in link.char_indices().rev().take(code.len() - 3).step_by(7) {
                let ran = decklaw(&["check", &link[..broken]], b"");
                assert_ne!(ran.status, 0, "{}", ran.out);
                let told = ran.out + &ran.err;
                assert!(told.contains("the deck in this link cannot be read"), "{told}");
            }
        }
        let again = decklaw(&["convert", link, "--to-format", "link"], b"");
        assert_eq!(again.out.trim_end(), link);
    }
    let kept = decklaw(&["check", "https://decks.example/s/abcdef"], b"");
    assert_ne!(kept.status, 0);
    assert!((kept.out + &kept.err).contains("a server keeps it"));
}
