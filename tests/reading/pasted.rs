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
fn pasted_lists_are_read_without_a_word() {
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
        "**Main**\n3 Rain Caller\n> 2 Moss Sprite\n",
        "3 x Rain Caller\n2 X Moss Sprite\n",
        "3 × Rain Caller\n2 * Moss Sprite\n",
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
        assert_eq!(messages(&read), messages(&plain), "{list}");
    }
}

/// One line of another program in a list of decklaw's is read and noted; a comment that other
/// programs mean as a section, and a card without a count, are errors.
#[test]
fn lines_of_other_programs_are_noted_in_lists_of_decklaws() {
    let read = judged("3 Rain Caller\n- 2 Moss Sprite\n1 Model x3\n");
    let noted = &read["decks"][0]["findings"].as_array().unwrap();
    let noted = noted.iter().find(|finding| finding["line"] == 2).unwrap();
    assert_eq!(
        (&noted["code"], &noted["severity"]),
        (&"deck.recoded".into(), &"notice".into())
    );
    assert_eq!(read["decks"][0]["cards"]["main"], 6);
    for list in [
        "3 Rain Caller\n# Side\n2 Moss Sprite\n",
        "3 Rain Caller\nMoss Sprite\n",
    ] {
        let read = judged(list);
        assert_eq!(read["decks"][0]["verdict"], "unreadable", "{list}");
        assert_eq!(read["decks"][0]["findings"][0]["line"], 2, "{list}");
    }
}

#[test]
fn a_line_that_means_two_things_names_both() {
    for (list, both) in [
        ("Rain Caller x3\nModel x3\n", ["`Model x3`", "`Model`"]),
        (
            "Rain Caller x3\n2 Moss Sprite x4\n",
            ["2 before", "4 after"],
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

#[test]
fn a_text_file_that_is_plainly_of_another_kind_is_read_as_that_and_says_so() {
    let cod = "<?xml version=\"1.0\"?>\n<cockatrice_deck version=\"1\"><zone name=\"main\"><card number=\"3\" name=\"Pip\"/></zone></cockatrice_deck>\n";
    let dek = "<deck version=\"0.8\"><superzone name=\"Main\"><card><name>Pip</name></card><card><name>Pip</name></card><card><name>Pip</name></card></superzone></deck>\n";
    for (text, kind) in [
        (cod, "XML"),
        (dek, "XML"),
        ("{\"main\": [\"3 Pip\"]}", "JSON"),
        ("Qty;Card Name\n3;Pip\n", "a table"),
        ("Count\tName\tSection\r\n3\tPip\tMain\r\n", "a table"),
    ] {
        let native = checked("deck.txt", b"Main\n3 Pip\n", &["--format", "shell"]);
        let read = checked("deck.txt", text.as_bytes(), &["--format", "shell"]);
        assert_eq!(
            read["decks"][0]["hash"], native["decks"][0]["hash"],
            "{read}"
        );
        let said = messages(&read);
        assert!(
            said.iter()
                .any(|said| said.starts_with("read as: ") && said.contains(kind)),
            "{said:?}"
        );
    }
    // What is wrong with it is told in its own place.
    let read = checked("deck.txt", b"{\"main\": [\"3 Pip\"", &["--format", "shell"]);
    assert!(
        read["decks"][0]["findings"][0]["help"]
            .as_str()
            .unwrap()
            .contains("read as JSON"),
        "{read}"
    );
}

#[test]
fn a_count_in_letters_names_both_that_it_may_mean() {
    for (format, otherwise) in [("shell", "`1 one Pip`"), ("any", "`[one Pip]`")] {
        let text = format!("Format: {format}\n\nMain\none Pip\n2 Pip\n");
        let read = checked("deck.txt", text.as_bytes(), &[]);
        let help = read["decks"][0]["findings"][0]["help"].as_str().unwrap();
        assert_eq!(read["decks"][0]["verdict"], "unreadable", "{read}");
        assert!(
            help.contains("`1 Pip`") && help.contains(otherwise),
            "{help}"
        );
    }
}

#[test]
fn documents_of_other_programs_are_told_as_what_they_are() {
    for (bytes, word) in [
        (&b"%PDF-1.7 1 Pip"[..], "PDF"),
        (b"{\\rtf1\\ansi 1 Pip}", "RTF"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1", "`.doc`"),
        (b"\xef\xbb\xbf<!DOCTYPE HTML><p>1 Pip", "web page"),
        (b"\x89PNG\r\n", "picture"),
    ] {
        let read = checked("deck.txt", bytes, &["--format", "shell"]);
        let finding = &read["decks"][0]["findings"][0];
        assert!(
            finding["message"].as_str().unwrap().contains(word),
            "{finding}"
        );
        assert!(!finding["help"].as_str().unwrap().is_empty(), "{finding}");
    }
}

#[test]
fn a_file_without_a_card_says_so() {
    for bytes in [&b""[..], b"\xef\xbb\xbf", b"\n\n", b"# none\n"] {
        let said = messages(&checked("deck.txt", bytes, &["--format", "any"]));
        assert_eq!(said, ["there is no card in this deck"]);
    }
}
