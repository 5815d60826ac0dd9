//! What the three readers promise, by the rules of the deck's grammar.

use super::*;
use proptest::prelude::*;

type Names = (Vec<(String, String)>, Vec<String>);

fn shell() -> Names {
    let ids = ["shells", "main", "extra", "side"]
        .map(str::to_owned)
        .to_vec();
    let aliases = [
        ("deck", "main"),
        ("sideboard", "side"),
        ("side deck", "side"),
    ];
    let own = ids.iter().map(|id| (id.clone(), id.clone()));
    let aliases = aliases.map(|(name, id)| (name.to_owned(), id.to_owned()));
    (own.chain(aliases).collect(), ids)
}

fn read_as<'a>(source: &'a [u8], input: Input, open: bool) -> Result<Deck<'a>, Vec<SyntaxError>> {
    let (names, ids) = shell();
    read(source, input, &mut |_| {
        (!open).then_some(SectionNames {
            names: &names,
            ids: &ids,
            first: "main",
            open: false,
        })
    })
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

/// Every error of a closed format, as `line:column message mend`.
fn errors_in(source: &str, input: Input) -> Vec<String> {
    let errors = read_as(source.as_bytes(), input, false).unwrap_err();
    errors
        .iter()
        .map(|e| {
            let at = crate::text::place(source, e.span.start);
            assert_eq!(
                (at.line, at.column),
                (e.line as usize, e.column as usize),
                "{source:?}: {e}"
            );
            assert!(source.get(e.span.start..e.span.end).is_some());
            format!("{}:{} {} {}", e.line, e.column, e.message, e.mend)
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
fn the_format_is_asked_for_once_and_after_every_header() {
    for (source, format) in [
        (
            "# c\nNAME: x\nformat : shell \n1 A\nMain\n2 B",
            Some("shell"),
        ),
        ("", None),
        ("Format:\n1 A", None),
        ("Format: a b", Some("a b")),
    ] {
        let mut asked = Vec::new();
        let deck = read(source.as_bytes(), Input::Text, &mut |format| {
            asked.push(format.map(str::to_owned));
            None
        });
        assert!(deck.is_ok(), "{deck:?}");
        assert_eq!(asked, [format.map(str::to_owned)]);
    }
}

#[test]
fn headers_stand_before_the_cards_once_each() {
    assert_eq!(
        error("Fromat: shell\n1 A"),
        "1:1 `Fromat` is no header of a deck. Did you mean `Format`? The headers are `Format`, `Name`, `Player`, `Event`, `Date` and `Note`. A section stands on a line of its own."
    );
    assert_eq!(
        error("Name: a\n  name: b"),
        "2:3 The header `Name` is given twice. Keep one of the two lines."
    );
    assert_eq!(
        error("1 A\nNote: x"),
        "2:1 The header `Note` stands behind the first section or card. Move the line to the top of the deck, or begin it with `#` to make it a comment."
    );
    assert!(error("Main\nName:").contains("stands behind"));
    let deck = text("Event: Cup: the final\nDate: 2026-01-01\nNote: # no comment\n1 A");
    let remarks: Vec<_> = deck
        .remarks
        .iter()
        .map(|(key, value)| (*key, &*value.value))
        .collect();
    assert_eq!(
        remarks,
        [
            ("Event", "Cup: the final"),
            ("Date", "2026-01-01"),
            ("Note", "# no comment")
        ]
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
        "2:1 `Sied` is no section of this format. Did you mean `side`? The sections are `shells`, `main`, `extra` and `side`. A card line needs a count: `1 Sied`."
    );
    assert!(error("Moss Sprite").contains("A card line needs a count: `1 Moss Sprite`."));
    assert!(error("[]\n").contains("`[]` names no section."));
    let mut last = String::new();
    let deck = read(
        b"Opening Hand\n1 A\nPhase 1: early\n1 B\nOPENING  hand:\n1 C\nName\n1 D",
        Input::Text,
        &mut |_| None,
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
        "1:1 `Main` should have `5` cards, but 4 are listed below it. Correct the total or the lines below it, or leave the total out."
    );
    assert_eq!(
        text("Main (4)\n4 A\nSide (0)\nMain (1)\n1 B").lines.len(),
        2
    );
    assert!(error("Main (99999999999999999999)\n1 A").contains("but 1 is listed"));
    assert_eq!(
        errors("Main (5)\n3 A\nB\n").len(),
        1,
        "the wrong line may be what is missing"
    );
    let both = errors("Main (2)\n1 A\n\nSide (1)\n\nExtra\n0 C");
    assert!(
        both[0].starts_with("1:1") && both[1].starts_with("4:1") && both[2].starts_with("7:1"),
        "{both:#?}"
    );
}

#[test]
fn comments_and_sections_of_other_programs() {
    assert_eq!(
        text("# a comment\n// another\n\n1 A // B\n2 #C\n#\n# Main is best")
            .lines
            .len(),
        2
    );
    for source in [
        "# Extra\n1 A",
        "1 A\n#main\n1 B",
        "// Sideboard\n1 A",
        "1 A\n# --- Side (3): ---\n",
        "Format: shell\n## [Main]\nName: x\n1 A",
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
        "2:3 `# Side` is a comment here, but other programs begin a section with it. To begin the section, write `Side`; to keep a comment, add a word to it."
    );
    assert_eq!(
        error("1 A\n!side\n"),
        "2:1 `!side` is not how a section begins here. Write `side`."
    );
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
        (
            "Byte 9 of line 2 is E9: that is not UTF-8.".to_owned(),
            2,
            8,
            Span::new(12, 13)
        )
    );
    assert_eq!(
        place(b"\xff\xfe1\0").0,
        "Byte 1 of line 1 is FF: the file seems to be UTF-16."
    );
    assert_eq!(place(b"1 A\xe2\x82").3, Span::new(3, 5), "cut short");
    assert_eq!(
        place(b"\xef\xbb\xbf1 A\n1\0").0,
        "Byte 2 of line 2 is NUL, which no text has."
    );
    assert_eq!(
        place(b"1 A\r1 B").0,
        "Byte 4 of line 1 is a carriage return alone."
    );
}

#[test]
fn a_mark_at_the_start_and_either_line_ending_change_nothing() {
    let windows = format!("\u{feff}{}", EBB.replace('\n', "\r\n"));
    let (one, two) = (text(EBB), text(&windows));
    assert_eq!(cards(&one), cards(&two));
    let kept = without_bom(windows.as_bytes());
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
    assert_eq!(
        text("1 A\u{1b}[2J\u{202e}B").lines[0].name,
        "A\u{1b}[2J\u{202e}B"
    );
    let lines: String = (0..200_000).map(|n| format!("1 Card {n}\n")).collect();
    assert_eq!(text(&lines).lines.len(), 200_000);
    let sections: String = (0..65_535).map(|n| format!("s{n}\n1 A\n")).collect();
    assert_eq!(
        read_as(sections.as_bytes(), Input::Text, true)
            .unwrap()
            .sections
            .len(),
        65_535
    );
    let found = read_as(
        format!("{sections}one more\n1 A\nand more").as_bytes(),
        Input::Text,
        true,
    )
    .unwrap_err();
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].message, "There are more than 65535 sections.");
}

#[test]
fn yaml_and_json_say_the_same() {
    let yaml = "format: shell\nName: Ebb and Flow\nplayer: Ada\nshells: [1 Crimson Bulwark]\nmain:\n- 3 Moss Sprite\n- {name: Rain Caller, count: 6}\nside:\n  - \"1 Verdant Spire\"\n";
    let nested = "sections:\n  shells: [1 Crimson Bulwark]\n  main:\n  - 3x Moss Sprite\n  - count: 6\n    name: Rain Caller\n  side: [1 Verdant Spire]\nplayer: Ada\nname: Ebb and Flow\nformat: shell\n";
    let json = "{\"format\":\"shell\",\"name\":\"Ebb and Flow\",\"player\":\"Ada\",\n\"shells\":[\"1 Crimson Bulwark\"],\n\"Deck\":[\"3 Moss Sprite\",\n{\"name\":\"R\\u0061in Caller\",\"count\":6}],\"side\":[\"1 Verdant Spire\"]}";
    let all = Listing::from(&text(EBB));
    for (source, input) in [
        (yaml, Input::Yaml),
        (nested, Input::Yaml),
        (json, Input::Json),
    ] {
        let deck = read_as(source.as_bytes(), input, false).unwrap();
        assert_eq!(Listing::from(&deck), all, "{source}");
        let line = |nth: usize| {
            let card: &CardLine<'_> = &deck.lines[nth];
            assert_eq!(
                crate::text::place(source, card.span.start).line,
                card.line as usize + usize::from(source == nested && nth == 2)
            );
            &source[card.span.start..card.span.end]
        };
        assert_eq!(line(1), "Moss Sprite");
        assert_eq!(line(3), "Verdant Spire");
        assert!(line(2).contains("in Caller"));
    }
}

#[test]
fn yaml_that_is_no_deck() {
    let wrong = |source: &str| errors_in(source, Input::Yaml).join("\n");
    for source in ["", "# only this\n", "- 1 A\n", "word", "3"] {
        assert!(
            wrong(source).contains("A deck is a mapping"),
            "{source:?}: {}",
            wrong(source)
        );
    }
    assert!(wrong("main: [1 A]\nmain: [1 B]").starts_with("2:1 The key `main` is given twice."));
    assert!(
        wrong("main: [1 A]\nDeck: [1 B]")
            .starts_with("2:1 The section `Deck` is given twice: it is `main` too.")
    );
    assert!(wrong("Name: a\nname: b").starts_with("2:1 The key `name` is given twice."));
    assert!(wrong("main: [A]").starts_with("1:8 `A` has no count."));
    assert!(
        wrong("main:\n- 3 Moss: the Sprite").starts_with("2:3 This card line is read as a key")
    );
    assert!(
        wrong("main:\n- name: A").starts_with("2:3 This card has no `count`."),
        "{}",
        wrong("main:\n- name: A")
    );
    assert!(wrong("main:\n- {name: A, count: 0}").starts_with("2:20 The count `0` is no copy"));
    assert!(
        wrong("main:\n- {name: A, count: 1e20}").contains("The count `1e20` is not a whole number")
    );
    assert!(
        wrong("main:\n- {name: A, count: 100000000000000000000}").contains("larger than any deck")
    );
    assert!(
        wrong("main:\n- {name: A, count: 1, colour: red}").contains("`colour` is no key of a card")
    );
    assert!(
        wrong("main: 3 A").starts_with("1:7 A section is a list of cards; this is a single value.")
    );
    assert!(wrong("mian: [3 A]").contains("Did you mean `main`?"));
    assert!(
        wrong("main: [1 A]\nsections: {side: [1 B]}")
            .starts_with("1:1 This key stands beside `sections`")
    );
    assert!(wrong("main: [1 A]\n---\nmain: [1 B]").contains("A second document begins here."));
    assert!(wrong("main: [1 A").contains("This is not YAML"));
    assert!(wrong("main: [\"1 \\0A\"]").contains("NUL"));
    assert!(wrong("a: &a {}\nb: {<<: *a}").contains("merge"));
}

#[test]
fn yaml_keeps_names_that_look_like_something_else() {
    let deck = read_as(b"name: 1984\nplayer: ~\nmain:\n- {name: No, count: 1}\n- {name: 1.50, count: 2}\n- {name: Null, count: 3}\n- {name: .inf, count: 4}\nside:\n", Input::Yaml, false).unwrap();
    assert_eq!(deck.name.as_ref().map(|name| &*name.value), Some("1984"));
    assert_eq!(deck.player, None);
    assert_eq!(
        cards(&deck),
        [
            ("main", 1, "No"),
            ("main", 2, "1.50"),
            ("main", 3, "Null"),
            ("main", 4, ".inf")
        ]
    );
    assert_eq!(deck.sections.len(), 2);
    let shared = read_as(b"main: &m\n- 1 A\n- 2 B\nside: *m\n", Input::Yaml, false).unwrap();
    assert_eq!(
        cards(&shared),
        [
            ("main", 1, "A"),
            ("main", 2, "B"),
            ("side", 1, "A"),
            ("side", 2, "B")
        ]
    );
}

#[test]
fn hostile_yaml_and_json_end_early() {
    let mut bomb = "a: &a [1 A, 1 A, 1 A, 1 A, 1 A, 1 A, 1 A, 1 A, 1 A]\n".to_owned();
    for (from, to) in ["ab", "bc", "cd", "de", "ef", "fg", "gh", "hi"].map(|p| p.split_at(1)) {
        bomb += &format!("{to}: &{to} [{}]\n", vec![format!("*{from}"); 9].join(","));
    }
    let deep = format!("main: {}", "[".repeat(100_000));
    let block = (0..2_000).fold(String::new(), |all, n| all + &" ".repeat(n) + "a:\n");
    let wide = format!("main: [{}]", "1 A,".repeat(300_000));
    for source in [
        bomb.as_str(),
        &deep,
        &block,
        &wide,
        "a: &a [*a]",
        "main: *none",
        "%YAML 9\n",
        "\t- x",
        "? ? ?\n",
        "!!binary x",
    ] {
        assert!(
            read_as(source.as_bytes(), Input::Yaml, true).is_err(),
            "{}",
            &source[..source.len().min(80)]
        );
    }
    let deep = format!(
        "{{\"main\":{}{}}}",
        "[".repeat(100_000),
        "]".repeat(100_000)
    );
    let wide = format!("{{\"main\":[{}0]}}", "0,".repeat(300_000));
    for source in [
        deep.as_str(),
        &wide,
        &"[".repeat(100_000),
        "{\"main\":[\"1 \\ud800\"]}",
        "{} {}",
        "{\"main\":[\"1 A\x01\"]}",
    ] {
        assert!(
            read_as(source.as_bytes(), Input::Json, true).is_err(),
            "{}",
            &source[..source.len().min(80)]
        );
    }
}

#[test]
fn json_that_is_no_deck() {
    let wrong = |source: &str| errors_in(source, Input::Json).join("\n");
    assert!(wrong("").contains("ends in the middle"));
    assert!(
        wrong("[\"1 A\"]")
            .starts_with("1:1 A deck is a mapping from keys to values; this is a list.")
    );
    assert!(
        wrong("{\n\"main\": [\"1 A\"],\n \"main\": []}")
            .starts_with("3:2 The section `main` is given twice.")
    );
    assert!(wrong("{\"name\":1,\"name\":2}").starts_with("1:11 The key `name` is given twice."));
    assert!(
        wrong("{\"main\":[{\"name\":\"A\",\"count\":1,\"count\":2}]}")
            .contains("The key `count` is given twice.")
    );
    assert!(
        wrong("{\"main\":[{\"name\":\"A\",\"count\":1.0}]}")
            .contains("The count `1.0` is not a whole number.")
    );
    assert!(wrong("{\"main\":[{\"name\":\"A\",\"count\":-1}]}").contains("not a whole number"));
    assert!(wrong("{\"main\":[{\"count\":1}]}").contains("This card has no `name`."));
    assert!(
        wrong("{\"main\":\n[[1]]}")
            .starts_with("2:2 A card is `3 NAME`, or a `name` and a `count`; this is a list.")
    );
    let found = wrong("{\"main\":\n[\"1 A\" \"1 B\"]}");
    assert_eq!(found, "2:8 This is not JSON: expected `,` or `]`. ");
}

fn listing() -> impl Strategy<Value = Listing> {
    let word = "[^\0]{0,12}".prop_map(|w| crate::name::tidy(&w).into_owned());
    let name = prop_oneof![
        "[a-zA-Z,' ]{1,12}",
        "[^\0]{1,12}",
        "(x|X|×|#|//|3|!|-|:)? ?[a-z0-9:#()\\[\\]]{1,8}"
    ]
    .prop_map(|name| crate::name::tidy(&name).into_owned())
    .prop_filter("a name", |name| !name.is_empty());
    let id = prop_oneof![
        "[a-z][a-z ]{0,8}",
        "[^\0]{1,8}",
        "(x|#|//|3|!|-|\\[|name|sections)? ?[a-z0-9:#()\\[\\]]{1,8}"
    ]
    .prop_map(|id| crate::name::fold(&id).into_owned())
    .prop_filter("an id", |id| !id.is_empty());
    let cards = prop::collection::vec((1..=MOST_COPIES, name), 0..5);
    let header = || prop::option::of(word.clone().prop_filter("a value", |word| !word.is_empty()));
    (
        header(),
        header(),
        header(),
        header(),
        prop::collection::vec((id, cards), 0..5),
    )
        .prop_map(|(format, name, player, note, mut sections)| {
            let mut seen = std::collections::HashSet::new();
            sections.retain(|(id, _)| seen.insert(id.clone()));
            let remarks = note
                .into_iter()
                .map(|note| ("Note".to_owned(), note))
                .collect();
            Listing {
                format,
                name,
                player,
                remarks,
                sections,
            }
        })
}

proptest! {
    #[test]
    fn what_is_written_is_read_again(deck in listing()) {
        let written = [(to_text(&deck), Input::Text), (to_yaml(&deck), Input::Yaml), (to_json(&deck), Input::Json)];
        for (source, input) in written {
            let again = read_as(source.as_bytes(), input, true);
            prop_assert!(again.is_ok(), "{source}\n{again:?}");
            prop_assert_eq!(&Listing::from(&again.unwrap()), &deck, "{}", source);
        }
    }

    #[test]
    fn no_bytes_make_a_reader_panic(bytes in prop::collection::vec(any::<u8>(), 0..200), open in any::<bool>()) {
        for input in [Input::Text, Input::Yaml, Input::Json] {
            let _ = read_as(&bytes, input, open);
        }
    }

    #[test]
    fn no_text_makes_a_reader_panic(source in "([0-9+x#/!: \\[\\](){},&*\"'\\\\\n\r-]|main|side|name|count|\\PC){0,40}", open in any::<bool>()) {
        for input in [Input::Text, Input::Yaml, Input::Json] {
            match read_as(source.as_bytes(), input, open) {
                Ok(deck) => for line in &deck.lines {
                    let kept = without_bom(source.as_bytes());
                    prop_assert!(kept.get(line.span.start..line.span.end).is_some());
                    prop_assert!(usize::from(line.section) < deck.sections.len());
                    prop_assert!(line.count >= 1 && line.line >= 1 && !line.name.is_empty());
                },
                Err(errors) => {
                    prop_assert!(!errors.is_empty() && errors.len() <= MOST_ERRORS);
                    prop_assert!(errors.is_sorted_by_key(|error| error.span.start));
                }
            }
        }
    }

    #[test]
    fn line_endings_and_a_mark_never_matter(lines in prop::collection::vec("(Main|Side|# c|[0-4]x? ?[a-c]{0,2}|Name: x|Main \\(3\\))?", 0..8)) {
        let unix = lines.join("\n");
        let windows = format!("\u{feff}{}", lines.join("\r\n"));
        let one = read_as(unix.as_bytes(), Input::Text, false);
        let two = read_as(windows.as_bytes(), Input::Text, false);
        let said = |errors: &Vec<SyntaxError>| errors.iter().map(|e| (e.message.clone(), e.line, e.column)).collect::<Vec<_>>();
        prop_assert_eq!(one.as_ref().ok().map(cards), two.as_ref().ok().map(cards));
        prop_assert_eq!(one.as_ref().err().map(said), two.as_ref().err().map(said));
    }
}
