//! Every sample deck through every file format and back.

use super::{decklaw, hash};
use std::path::{Path, PathBuf};

fn samples() -> Vec<PathBuf> {
    let mut all = Vec::new();
    for game in std::fs::read_dir("decks").unwrap() {
        let Ok(decks) = std::fs::read_dir(game.unwrap().path()) else {
            continue;
        };
        all.push(decks.map(|deck| deck.unwrap().path()).min().unwrap());
    }
    all
}

#[test]
fn a_deck_keeps_its_hash() {
    let folder = tempfile::tempdir().unwrap();
    for deck in samples() {
        let own = hash(&deck, &[]);
        for (kind, ending) in [
            ("yaml", "yaml"),
            ("json", "json"),
            ("cod", "cod"),
            ("csv", "csv"),
            ("text", "txt"),
        ] {
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
            assert_eq!(ran.status, 0, "{kind}: {}", ran.told);
            let text = decklaw(
                &["convert", deck.to_str().unwrap(), "--to-format", "json"],
                b"",
            )
            .out;
            let read: serde_json::Value = serde_json::from_str(&text).unwrap();
            let format = read["format"].as_str().unwrap();
            assert_eq!(
                hash(&file, &["--format", format]),
                own,
                "{} as {kind}",
                deck.display()
            );
        }
    }
}

#[test]
fn headers_are_kept_where_they_have_a_place_and_told_where_not() {
    let deck = b"Format: any\nName: Tide & Ebb\nPlayer: \xd7\xa9\xd7\xa8\xd7\x94\nEvent: Cup\n\nMain\n1 A\n";
    let cod = decklaw(&["convert", "-", "--to-format", "cod"], deck);
    let back = decklaw(
        &["convert", "-", "--from", "cod", "--to-format", "text"],
        cod.out.as_bytes(),
    );
    assert_eq!(back.out.as_bytes(), deck, "{}", back.told);
    let csv = decklaw(&["convert", "-", "--to-format", "csv"], deck);
    assert_eq!(
        (csv.status, csv.out.as_str()),
        (0, "count,name,section\n1,A,main\n")
    );
    assert!(
        csv.told
            .contains("no place for Format, Name, Player and Event"),
        "{}",
        csv.told
    );
}

#[test]
fn a_bare_list_holds_one_section() {
    let deck = b"Format: shell\n\nMain\n2 Pip\n\nSide\n1 Rain Caller\n";
    let ran = decklaw(&["convert", "-", "--to-format", "list"], deck);
    assert_eq!((ran.status, ran.out.as_str()), (1, ""));
    assert!(ran.told.contains("`side`"), "{}", ran.told);
    let ran = decklaw(
        &[
            "convert",
            "-",
            "--to-format",
            "list",
            "--section",
            "sideboard",
        ],
        deck,
    );
    assert_eq!(
        (ran.status, ran.out.as_str()),
        (0, "1 Rain Caller\n"),
        "{}",
        ran.told
    );
    let ran = decklaw(
        &["convert", "-", "--to-format", "list", "--section", "extra"],
        deck,
    );
    assert_eq!(ran.status, 1);
}

#[test]
fn names_that_a_file_format_cannot_hold_are_refused() {
    let deck = "Format: any\n\nMain\n2 Ant\n1 Bell\u{7}\n".as_bytes();
    let ran = decklaw(&["convert", "-", "--to-format", "cod"], deck);
    assert_eq!(
        (ran.status, ran.out.as_str()),
        (1, ""),
        "XML has no such character"
    );
    assert!(
        ran.told.contains("line 5, `Bell") && ran.told.contains("choose another --to-format"),
        "{}",
        ran.told
    );
    let ran = decklaw(&["convert", "-", "--to-format", "json"], deck);
    assert_eq!(ran.status, 0, "{}", ran.told);
}

#[test]
fn wrong_calls_are_refused() {
    for call in [
        &["convert", "decks/shell", "--to-format", "text"][..],
        &["convert", "decks/shell/ebb.txt"],
        &[
            "convert",
            "decks/shell/ebb.txt",
            "--to-format",
            "text",
            "-o",
            "json",
        ],
        &["convert", "no-such-file", "--to-format", "text"],
    ] {
        assert_eq!(decklaw(call, b"").status, 2, "{call:?}");
    }
}

#[test]
fn a_cockatrice_deck_has_the_zones_that_are_dealt_and_its_sections_come_back() {
    let deck = "Format: shell\n\nShells\n1 Azure Keep\nMain\n2 Moss Sprite\n1 Rain Caller\nExtra\n1 Pip\n1 Drizzle\nSide\n2 Pip\n1 Brine Page\n";
    let cod = decklaw(&["convert", "-", "--to-format", "cod"], deck.as_bytes());
    assert_eq!(cod.status, 0, "{}", cod.told);
    let told = "1 card of shells in the zone side and 2 cards of extra in the zone side";
    assert!(cod.told.contains(told), "{}", cod.told);
    // What Cockatrice reads: two zones, and each card in the one that it deals it from.
    let document = roxmltree::Document::parse(&cod.out).unwrap();
    let card = |card: roxmltree::Node<'_, '_>| {
        let told = |key: &str| card.attribute(key).unwrap().to_owned();
        format!("{} {}", told("number"), told("name"))
    };
    let zones = document
        .descendants()
        .filter(|node| node.has_tag_name("zone"));
    let zones: Vec<(&str, String)> = zones
        .map(|zone| {
            let cards = zone.children().filter(roxmltree::Node::is_element);
            let cards: Vec<String> = cards.map(card).collect();
            (zone.attribute("name").unwrap(), cards.join(", "))
        })
        .collect();
    assert_eq!(
        zones,
        [
            ("main", "2 Moss Sprite, 1 Rain Caller".to_owned()),
            (
                "side",
                "1 Azure Keep, 1 Pip, 1 Drizzle, 2 Pip, 1 Brine Page".to_owned()
            ),
        ]
    );
    let text = |cod: &str| {
        let call = ["convert", "-", "--from", "cod", "--to-format", "text"];
        decklaw(&call, cod.as_bytes())
    };
    assert_eq!(hash_of(&text(&cod.out).out), hash_of(deck));
    // Cockatrice writes copies of a card once: the comments still tell them apart.
    let one = "    <card number=\"1\" name=\"Pip\"/>\n";
    let two = "number=\"2\" name=\"Pip\"";
    let merged = cod.out.replacen(one, "", 1);
    let merged = merged.replace(two, "number=\"3\" name=\"Pip\"");
    assert_eq!(hash_of(&text(&merged).out), hash_of(deck));
    // A card that was taken out there leaves its line in the comments: that is said.
    let gone = "    <card number=\"1\" name=\"Drizzle\"/>\n";
    let ran = text(&cod.out.replacen(gone, "", 1));
    assert_eq!(ran.status, 1);
    assert!(
        ran.told.contains("1 `Drizzle` from the zone `side`"),
        "{}",
        ran.told
    );
}

/// The hash of a deck's text.
fn hash_of(text: &str) -> String {
    let ran = decklaw(&["check", "-", "-o", "ndjson"], text.as_bytes());
    let deck: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
    deck["hash"].as_str().unwrap().to_owned()
}

#[test]
fn a_section_that_is_chosen_is_what_cockatrice_deals() {
    let deck = b"Format: any\n\nMain\n2 Ant\n\nWeather\n3 Rain\n";
    let call = ["convert", "-", "--to-format", "cod", "--section", "weather"];
    let ran = decklaw(&call, deck);
    assert_eq!(ran.status, 0, "{}", ran.told);
    let zone = "<zone name=\"main\">\n    <card number=\"3\" name=\"Rain\"/>";
    assert!(ran.out.contains(zone), "{}", ran.out);
    assert!(
        ran.told.contains("3 cards of weather in the zone main"),
        "{}",
        ran.told
    );
}

#[test]
fn a_deck_is_the_same_in_its_link() {
    for deck in samples() {
        let own = hash(&deck, &[]);
        let ran = decklaw(
            &["convert", deck.to_str().unwrap(), "--to-format", "link"],
            b"",
        );
        assert_eq!(ran.status, 0, "{}", ran.told);
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
            assert_eq!(stated.status, 0, "{}", stated.told);
            // Pasted, too.
            let piped = decklaw(&["check", "-", "-o", "json"], link.as_bytes());
            assert!(piped.out.contains(&own), "{}", piped.out);
            // What is cut off or altered is no other deck.
            for (broken, _) in link.char_indices().rev().take(code.len() - 3).step_by(7) {
                let ran = decklaw(&["check", &link[..broken]], b"");
                assert_ne!(ran.status, 0, "{}", ran.out);
                let told = ran.out + &ran.told;
                assert!(
                    told.contains("the deck in this link cannot be read"),
                    "{told}"
                );
            }
        }
        let again = decklaw(&["convert", link, "--to-format", "link"], b"");
        assert_eq!(again.out.trim_end(), link);
    }
    let kept = decklaw(&["check", "https://decks.example/s/abcdef"], b"");
    assert_ne!(kept.status, 0);
    assert!((kept.out + &kept.told).contains("a server keeps it"));
}
