//! What the three readers promise, by the rules of the deck's grammar.

mod properties;
mod tree;

use super::*;

type Names = (Vec<(String, String)>, Vec<String>);

fn shell() -> Names {
    let ids = ["shells", "main", "extra", "side"].map(str::to_owned).to_vec();
    let aliases = [("deck", "main"), ("sideboard", "side"), ("side deck", "side")];
    let own = ids.iter().map(|id| (id.clone(), id.clone()));
    let aliases = aliases.map(|(name, id)| (name.to_owned(), id.to_owned()));
    (own.chain(aliases).collect(), ids)
}

fn read_as<'a>(source: &'a [u8], input: Input, open: bool) -> Result<Deck<'a>, Vec<SyntaxError>> {
    let (names, ids) = shell();
    let closed = SectionNames { names: &names, ids: &ids, first: "main", open: false, pool: None };
    read(source, input, if open { SectionNames::OPEN } else { closed })
}

fn text(source: &str) -> Deck<'_> {
    read_as(source.as_bytes(), Input::Text, false).unwrap()
}

fn cards<'d>(deck: &'d Deck<'_>) -> Vec<(&'d str, u32, &'d str)> {
    let section = |line: &CardLine<'_>| usize::from(line.section);
    deck.lines
        .iter()
        .map(|line| (&*deck.sections[section(line)].id, line.count, &*line.name))
        .collect()
}

/// Every error of a closed format, as `line:column message help`.
fn errors_in(source: &str, input: Input) -> Vec<String> {
    let errors = read_as(source.as_bytes(), input, false).unwrap_err();
    errors
        .iter()
        .map(|e| {
            let at = decklaw_text::text::place(source, e.span.start);
            assert_eq!(
                (at.line, at.column),
                (e.line as usize, e.column as usize),
                "{source:?}: {e}"
            );
            assert!(source.get(e.span.start..e.span.end).is_some());
            format!("{}:{} {} {}", e.line, e.column, e.message, e.help)
        })
        .collect()
}

fn errors(source: &str) -> Vec<String> {
    errors_in(source, Input::Text)
}

fn error(source: &str) -> String {
    let errors = errors(source);
    assert_eq!(errors.len(), 1, "{errors:#?}");
    errors.into_iter().next().unwrap()
}

const EBB: &str = "Format: shell\nName: Ebb and Flow\nPlayer: Ada\n\nShells\n1 Crimson Bulwark\n\nMain (9)\n3 Moss Sprite\n6x Rain Caller\n\nSide\n1 Verdant Spire\n";

#[test]
fn a_deck_is_read_with_its_places() {
    let deck = text(EBB);
    assert_eq!(deck.format.as_ref().map(|f| &*f.value), Some("shell"));
    assert_eq!(deck.name.as_ref().map(|f| &*f.value), Some("Ebb and Flow"));
    assert_eq!(deck.player.as_ref().map(|f| &*f.value), Some("Ada"));
    assert_eq!(
        cards(&deck),
        [
            ("shells", 1, "Crimson Bulwark"),
            ("main", 3, "Moss Sprite"),
            ("main", 6, "Rain Caller"),
            ("side", 1, "Verdant Spire")
        ]
    );
    let caller = &deck.lines[2];
    assert_eq!(caller.line, 10);
    assert_eq!(&EBB[caller.span.start..caller.span.end], "Rain Caller");
    let main = &deck.sections[1];
    assert_eq!(&EBB[main.span.start..main.span.end], "Main");
    assert!(matches!(deck.lines[0].name, Cow::Borrowed(_)));
}

#[test]
fn a_draft_has_the_format_whichever_header_it_is() {
    for (source, format) in [
        ("# c\nNAME: x\nformat : shell \n1 A\nMain\n2 B", Some("shell")),
        ("", None),
        ("Format:\n1 A", None),
        ("Format: a b", Some("a b")),
    ] {
        let draft = Draft::of(source.as_bytes(), Input::Text).unwrap();
        assert_eq!(draft.format(), format);
        let deck = draft.read(SectionNames::OPEN);
        assert!(deck.is_ok(), "{deck:?}");
    }
}

#[test]
fn headers_stand_before_the_cards_once_each() {
    assert_eq!(
        error("Fromat: shell\n1 A"),
        "1:1 `Fromat` is not a header of a deck. Did you mean `Format`? The headers are `Format`, `Name`, `Player`, `Event`, `Date` and `Note`. Write a section on a line of its own."
    );
    assert_eq!(
        error("Name: a\n  name: b"),
        "2:3 The header `Name` is given twice. Keep one of the two lines."
    );
    assert_eq!(
        error("1 A\nNote: x"),
        "2:1 The header `Note` is below the first section or card. Move the line to the top of its deck, and give each deck a file of its own; or begin the line with `#` to make it a comment."
    );
    assert!(error("Main\nName:").contains("below the first section"));
    let deck = text("Event: Cup: the final\nDate: 2026-01-01\nNote: # no comment\n1 A");
    let remarks: Vec<_> = deck.remarks.iter().map(|(key, value)| (*key, &*value.value)).collect();
    assert_eq!(
        remarks,
        [("Event", "Cup: the final"), ("Date", "2026-01-01"), ("Note", "# no comment")]
    );
    assert_eq!(text("Player:\n1 A").player, None, "a blank of a form");
}

#[test]
fn sections_in_every_spelling() {
    for heading in [
        "Main",
        "main:",
        "[MAIN]",
        "Main (3)",
        "[Main] (3):",
        "Main: (3)",
        "[Main (3)]",
        "Deck",
        " deck (3 cards) ",
    ] {
        let source = format!("{heading}\n1 A\n2 B\nside  deck\n1 C");
        assert_eq!(
            cards(&text(&source)),
            [("main", 1, "A"), ("main", 2, "B"), ("side", 1, "C")],
            "{heading}"
        );
    }
    assert_eq!(
        cards(&text("1 A\nSide\n1 B\nMain\n1 C")),
        [("main", 1, "A"), ("side", 1, "B"), ("main", 1, "C")]
    );
    assert!(text("Main\n").lines.is_empty());
}

#[test]
fn a_section_that_is_none() {
    assert_eq!(
        error("1 A\nSied\n1 B"),
        "2:1 `Sied` is not a section of this format. Did you mean `side`? The sections are `shells`, `main`, `extra` and `side`. A card line needs a count: `1 Sied`."
    );
    assert!(error("Moss Sprite").contains("A card line needs a count: `1 Moss Sprite`."));
    assert!(error("[]\n").contains("`[]` is not a section"));
    let mut last = String::new();
    let deck = read(
        b"Opening Hand\n1 A\nPhase 1: early\n1 B\nOPENING  hand:\n1 C\nName\n1 D",
        Input::Text,
        SectionNames::OPEN,
    );
    for card in cards(&deck.unwrap()) {
        last += &format!("{card:?} ");
    }
    assert_eq!(
        last,
        r#"("opening hand", 1, "A") ("phase 1: early", 1, "B") ("opening hand", 1, "C") ("name", 1, "D") "#
    );
}

#[test]
fn totals_are_judged_under_their_own_heading() {
    assert_eq!(
        error("Main (5)\n3 A\n1 B\nSide (1)\n1 C"),
        "1:1 `Main` should have `5` cards, but has 4. Correct the total or the lines."
    );
    assert_eq!(text("Main (4)\n4 A\nSide (0)\nMain (1)\n1 B").lines.len(), 2);
    assert!(error("Main (99999999999999999999)\n1 A").contains("but has 1"));
    assert_eq!(errors("Main (5)\n3 A\nB\n").len(), 1, "the wrong line may be what is missing");
    let both = errors("Main (2)\n1 A\n\nSide (1)\n\nExtra\n0 C");
    assert!(
        both[0].starts_with("1:1") && both[1].starts_with("4:1") && both[2].starts_with("7:1"),
        "{both:#?}"
    );
}

/// Lists say how many cards they have above or below them, in one section or in all.
#[test]
fn a_number_of_cards_is_no_card() {
    for source in [
        "3 cards\n2 A\n1 B",
        "2 A\n1 B\n3 cards",
        "2 A\n1 B\n\n3 Cards total",
        "Main\n2 A\n1 B\n3 cards in total",
        "Main\n3 cards\n2 A\n1 B",
        "Main: 3 cards\n2 A\n1 B",
        "Main\n2 A\n2 cards\nSide\n1 B\n1 card",
        "Main\n2 A\nSide\n1 B\n3 cards",
    ] {
        let read = text(source);
        let names: Vec<&str> = read.lines.iter().map(|line| &*line.name).collect();
        assert_eq!(names, ["A", "B"], "{source}");
    }
    for source in ["4 cards\n2 A\n1 B", "2 A\n1 B\n4 cards", "Main: 4 cards\n2 A\n1 B"] {
        let found = error(source);
        assert!(found.contains("should have `4` cards, but has 3"), "{found}");
    }
}

#[test]
fn comments_and_sections_of_other_programs() {
    assert_eq!(text("# a comment\n// another\n\n1 A // B\n2 #C\n#\n# Main is best").lines.len(), 2);
    for source in [
        "# Extra\n1 A",
        "1 A\n#main\n1 B",
        "// Sideboard\n1 A",
        "1 A\n# --- Side (3): ---\n",
        "Format: shell\n## [Main]\n1 A",
        "# Maindeck",
    ] {
        let found = error(source);
        assert!(
            found.contains("is a comment here, but other programs begin a section with it"),
            "{found}"
        );
    }
    assert_eq!(
        error("1 A\n  # Side"),
        "2:3 `# Side` is a comment here, but other programs begin a section with it. To begin the section, write `Side`. To keep a comment, add a word to it."
    );
    let found = error("1 A\n!side\n");
    assert!(found.starts_with("2:1 `!side` is a comment here"), "{found}");
    assert_eq!(
        error("!deep"),
        "1:1 `!deep` begins with `!`, which means nothing here. Begin a comment with `#` or `//`."
    );
    assert_eq!(errors("# Main\n#created by\n#side\n1 A").len(), 2);
    let open = read_as(b"# lands\n1 A", Input::Text, true).unwrap();
    assert_eq!(open.lines.len(), 1);
    assert!(read_as(b"# Sideboard\n1 A", Input::Text, true).is_err());
}

#[test]
fn every_error_is_told_up_to_a_hundred() {
    assert_eq!(errors("0 A\n1 B\n3\nx\n").len(), 3);
    let many = "0 A\n".repeat(1000);
    assert_eq!(errors(&many).len(), MOST_ERRORS);
    assert_eq!(errors(&"# Main\n".repeat(1000)).len(), MOST_ERRORS);
}

#[test]
fn other_bytes_say_where() {
    let place = |source: &[u8]| {
        let found = read_as(source, Input::Text, false).unwrap_err().remove(0);
        (found.message, found.line, found.column, found.span)
    };
    assert_eq!(
        place(b"1 A\n2 Caf\xc3\xa9 \xe9x"),
        ("Byte 9 of line 2 is E9: that is not UTF-8.".to_owned(), 2, 8, Span::new(12, 13))
    );
    assert_eq!(
        place(b"\xff\xfe1\0").0,
        "Byte 1 of line 1 is FF: the file starts like UTF-16 but is not."
    );
    assert_eq!(place(b"1 A\xe2\x82").3, Span::new(3, 5), "cut short");
    assert_eq!(place(b"\xef\xbb\xbf1 A\n1\0").0, "Byte 2 of line 2 is NUL, which no text has.");
    assert_eq!(place(b"1 A\r1 B").0, "Byte 4 of line 1 is a carriage return alone.");
    assert_eq!(
        place("1 Caf\u{fffd}".as_bytes()).0,
        "Byte 6 of line 1 is `\u{fffd}`: another program lost a letter here."
    );
}

#[test]
fn marks_of_zero_width_hide_no_line_and_make_no_name() {
    let deck = text("\u{feff}\u{200b}3 Moss\u{ad} Sprite\u{200e}\n");
    assert_eq!(decklaw_text::name::fold(&deck.lines[0].name), "moss sprite");
    let nothing = read_as("3 \u{200b}\u{2060}".as_bytes(), Input::Text, false);
    assert!(nothing.unwrap_err()[0].help.contains("3 NAME"));
}

#[test]
fn a_mark_at_the_start_and_either_line_ending_change_nothing() {
    let windows = format!("\u{feff}{}", EBB.replace('\n', "\r\n"));
    let (one, two) = (text(EBB), text(&windows));
    assert_eq!(cards(&one), cards(&two));
    let kept = decklaw_text::text::without_bom(windows.as_bytes());
    for (line, other) in two.lines.iter().zip(&one.lines) {
        assert_eq!(&kept[line.span.start..line.span.end], line.name.as_bytes());
        assert_eq!(line.line, other.line);
    }
}

#[test]
fn large_and_strange_decks_are_read() {
    let long = "n".repeat(10_000_000);
    assert_eq!(text(&format!("1 {long}")).lines[0].name.len(), long.len());
    assert!(error(&long).len() < 400);
    assert_eq!(text("1 A\u{1b}[2J\u{202e}B").lines[0].name, "A\u{1b}[2J\u{202e}B");
    let lines: String = (0..200_000).map(|n| format!("1 Card {n}\n")).collect();
    assert_eq!(text(&lines).lines.len(), 200_000);
    let sections: String = (0..1_000).map(|n| format!("s{n}\n1 A\n")).collect();
    assert_eq!(read_as(sections.as_bytes(), Input::Text, true).unwrap().sections.len(), 1_000);
    let found =
        read_as(format!("{sections}a section more\n1 A\nand more").as_bytes(), Input::Text, true)
            .unwrap_err();
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].message, "There are more than 1000 sections.");
}
