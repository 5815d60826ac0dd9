//! Lists as players paste them into a text file.

use super::{checked, messages};
use serde_json::Value;

fn judged(list: &str) -> Value {
    let folder = tempfile::tempdir().unwrap();
    let cards = folder.path().join("cards.csv");
    std::fs::write(
        &cards,
        "name,type\nRain Caller,monster\nMoss Sprite,monster\nModel x3,spell\n",
    )
    .unwrap();
    let more = ["--format", "vainqueur", "--cards", cards.to_str().unwrap()];
    checked("deck.txt", list.as_bytes(), &more)
}

#[test]
fn what_is_plainly_pasted_is_read_and_said_so() {
    let plain = judged("3 Rain Caller\n2 Moss Sprite\n");
    for list in [
        "3 Rain Caller (ABC) 12\n2 Moss Sprite (ABC) 13 *F*\n",
        "3x Rain Caller (abc) 12 [Ramp]\n2x Moss Sprite (abc) 13 [Creatures{top},Ramp] ^Have,#37d67a^\n",
        "3 [ABC] Rain Caller\n2 [ABC] Moss Sprite\n",
        "Rain Caller x3\nMoss Sprite x2\n",
        "- Rain Caller ×3\n- Moss Sprite (x2)\n",
        "- 3 Rain Caller\n- 2 Moss Sprite\n",
        "```\n3 Rain Caller\n2 Moss Sprite\n```\n",
        "> 3 Rain Caller\n> 2 Moss Sprite\n",
        "**Main (5)**\n- 3 Rain Caller\n- 2 Moss Sprite\n",
        "3 [[Rain Caller]]\n2 [[Moss Sprite]]\n",
        "3 \"Rain Caller\"\n2 “Moss Sprite”\n",
        "３ Rain Caller\n２　Moss Sprite\n",
        "| Count | Name |\n|---|---|\n| 3 | Rain Caller |\n| 2 | Moss Sprite |\n",
        "* 3x Rain Caller\n* 2x Moss Sprite\n\nTotal - 5\n",
    ] {
        let read = judged(list);
        assert_eq!(
            read["decks"][0]["hash"], plain["decks"][0]["hash"],
            "{list}: {read}"
        );
        assert!(
            messages(&read).contains(&"read as: pasted list".to_owned()),
            "{list}"
        );
    }
}

#[test]
fn what_is_not_plainly_pasted_is_not() {
    // One slip in a list of the native dialect, and a comment that other programs mean as a
    // section, stay errors.
    for list in [
        "3 Rain Caller\n- 2 Moss Sprite\n1 Model x3\n",
        "3 Rain Caller\n# Side\n2 Moss Sprite\n",
        "3 Rain Caller\nMoss Sprite\n",
    ] {
        let read = judged(list);
        assert_eq!(read["decks"][0]["verdict"], "unreadable", "{list}");
        assert_eq!(read["decks"][0]["findings"][0]["line"], 2, "{list}");
    }
    assert!(
        !messages(&judged("3 Rain Caller\n1 Model x3\n"))
            .contains(&"read as: pasted list".to_owned())
    );
}

#[test]
fn a_line_that_means_two_things_names_both() {
    for (list, both) in [
        ("Rain Caller x3\nModel x3\n", ["`Model x3`", "`Model`"]),
        (
            "Rain Caller x3\n2 Moss Sprite x4\n",
            ["2 before", "4 behind"],
        ),
    ] {
        let read = judged(list);
        assert_eq!(read["decks"][0]["verdict"], "unreadable", "{read}");
        let message = &messages(&read)[0];
        assert!(both.iter().all(|word| message.contains(word)), "{message}");
        assert_eq!(read["decks"][0]["findings"][0]["line"], 2);
    }
}

#[test]
fn magic_onlines_decks_are_told_from_lackeys() {
    let deck = "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<Deck>\n  <NetDeckID>0</NetDeckID>\n  <Cards CatID=\"1\" Quantity=\"3\" Sideboard=\"false\" Name=\"Ant\" Annotation=\"0\" />\n  <Cards CatID=\"2\" Quantity=\"2\" Sideboard=\"true\" Name=\"Bee\" Annotation=\"0\" />\n</Deck>\n";
    let read = checked("deck.dek", deck.as_bytes(), &["--format", "any"]);
    assert_eq!(
        read["decks"][0]["cards"],
        serde_json::json!({"main": 3, "sideboard": 2})
    );
}

#[test]
fn a_deck_without_a_format_is_told_whose_cards_it_holds() {
    let list = "Name: Tide\n\n3 Moss Sprite\n2 Rain Caller\n";
    let read = checked("deck.txt", list.as_bytes(), &[]);
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("deck.txt"), list).unwrap();
    let run = super::decklaw(folder.path(), &["check", "deck.txt"]);
    let said = super::text(&run.stdout)
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ");
    assert_eq!(read["decks"][0]["verdict"], "unreadable");
    assert!(said.contains("Format: shell"), "{said}");
    assert!(!said.contains("any`"), "{said}");
}

/// NetrunnerDB's plain text, all of it: title, identity, sections, dots, and what it comes to.
#[test]
fn netrunnerdbs_text_is_read_with_its_identity() {
    let list = "\"The deck\" by Ines (1st @ Spring Cup)\n\nAU Co.: The Gold Standard\n\nAgenda (3)\n3x Fujii Asset\n\nAsset (4)\n2x Humanoid Resources ●●●●\n2x Phật Gioan ●●●●● ●\n\n15 influence spent (max 15, available 0)\n20 agenda points (between 20 and 21)\n7 cards (min 45)\nCards up to Elevation\n\nDecklist published on https://netrunnerdb.com.\n";
    let plain = "Format: any\nIdentity\n1 AU Co.: The Gold Standard\nAgenda\n3 Fujii Asset\nAsset\n2 Humanoid Resources\n2 Phật Gioan\n";
    let any = |list: &str| checked("deck.txt", list.as_bytes(), &["--format", "any"]);
    let (read, truth) = (any(list), any(plain));
    assert_eq!(
        read["decks"][0]["hash"], truth["decks"][0]["hash"],
        "{read}"
    );
    let wrong = any(&list.replace("7 cards", "8 cards"));
    assert_eq!(wrong["decks"][0]["verdict"], "unreadable", "{wrong}");
    // In the other text each card has the name of its set behind it.
    let sets = list.replace("Fujii Asset", "Fujii Asset (The Initiative)");
    let sets = sets.replace("Resources ●", "Resources (Elevation) •");
    let sets = sets.replace("Gioan ●", "Gioan (Elevation) •");
    let sets = sets.replace("Standard", "Standard (Elevation)");
    assert_eq!(any(&sets)["decks"][0]["hash"], truth["decks"][0]["hash"]);
}
