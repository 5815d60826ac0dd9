//! What YAML and JSON decks promise, and what hostile ones get.

use super::*;

#[test]
fn yaml_and_json_say_the_same() {
    let yaml = "format: shell\nName: Ebb and Flow\nplayer: Ada\nshells: [1 Crimson Bulwark]\nmain:\n- 3 Moss Sprite\n- {name: Rain Caller, count: 6}\nside:\n  - \"1 Verdant Spire\"\n";
    let nested = "sections:\n  shells: [1 Crimson Bulwark]\n  main:\n  - 3x Moss Sprite\n  - count: 6\n    name: Rain Caller\n  side: [1 Verdant Spire]\nplayer: Ada\nname: Ebb and Flow\nformat: shell\n";
    let json = "{\"format\":\"shell\",\"name\":\"Ebb and Flow\",\"player\":\"Ada\",\n\"shells\":[\"1 Crimson Bulwark\"],\n\"Deck\":[\"3 Moss Sprite\",\n{\"name\":\"R\\u0061in Caller\",\"count\":6}],\"side\":[\"1 Verdant Spire\"]}";
    let all = Listing::from(&text(EBB));
    for (source, input) in [(yaml, Input::Yaml), (nested, Input::Yaml), (json, Input::Json)] {
        let deck = read_as(source.as_bytes(), input, false).unwrap();
        assert_eq!(Listing::from(&deck), all, "{source}");
        let line = |nth: usize| {
            let card: &CardLine<'_> = &deck.lines[nth];
            assert_eq!(
                decklaw_text::text::place(source, card.span.start).line,
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
        assert!(wrong(source).contains("A deck is a mapping"), "{source:?}: {}", wrong(source));
    }
    assert!(wrong("main: [1 A]\nmain: [1 B]").starts_with("2:1 The key `main` is given twice."));
    assert!(
        wrong("main: [1 A]\nDeck: [1 B]")
            .starts_with("2:1 The section `Deck` is given twice: it is `main` too.")
    );
    assert!(wrong("Name: a\nname: b").starts_with("2:1 The key `name` is given twice."));
    assert!(wrong("main: [A]").starts_with("1:8 `A` has no count before its name."));
    assert!(
        wrong("main:\n- 3 Moss: the Sprite").starts_with("2:3 This card line is read as a key")
    );
    assert!(
        wrong("main:\n- name: A").starts_with("2:3 This card has no `count`."),
        "{}",
        wrong("main:\n- name: A")
    );
    assert!(
        wrong("main:\n- {name: A, count: 0}")
            .starts_with("2:20 The count `0` is not a whole number")
    );
    assert!(
        wrong("main:\n- {name: A, count: 1e20}").contains("The count `1e20` is not a whole number")
    );
    assert!(wrong("main:\n- {name: A, count: 100000000000000000000}").contains("from 1 to 999999"));
    assert!(
        wrong("main:\n- {name: A, count: 1, colour: red}")
            .contains("`colour` is not a key of a card")
    );
    assert!(
        wrong("main: 3 A").starts_with("1:7 A section is a list of cards; this is a single value.")
    );
    assert!(wrong("mian: [3 A]").contains("Did you mean `main`?"));
    assert!(
        wrong("main: [1 A]\nsections: {side: [1 B]}")
            .starts_with("1:1 This key is next to `sections`")
    );
    assert!(wrong("main: [1 A]\n---\nmain: [1 B]").contains("A second document begins here."));
    assert!(wrong("main: [1 A").contains("The bracket `[` before here is not closed."));
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
        [("main", 1, "No"), ("main", 2, "1.50"), ("main", 3, "Null"), ("main", 4, ".inf")]
    );
    assert_eq!(deck.sections.len(), 2);
    let shared = read_as(b"main: &m\n- 1 A\n- 2 B\nside: *m\n", Input::Yaml, false).unwrap();
    assert_eq!(
        cards(&shared),
        [("main", 1, "A"), ("main", 2, "B"), ("side", 1, "A"), ("side", 2, "B")]
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
    let deep = format!("{{\"main\":{}{}}}", "[".repeat(100_000), "]".repeat(100_000));
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
        wrong("{\"main\":[{\"name\":\"A\",\"count\":1.5}]}")
            .contains("The count `1.5` is not a whole number")
    );
    assert!(wrong("{\"main\":[{\"name\":\"A\",\"count\":-1}]}").contains("not a whole number"));
    assert!(wrong("{\"main\":[{\"count\":1}]}").contains("This card has no `name`."));
    assert!(
        wrong("{\"main\":\n[[1]]}")
            .starts_with("2:2 A card is `3 NAME`, or a `name` and a `count`; this is a list.")
    );
    let found = wrong("{\"main\":\n[\"1 A\" \"1 B\"]}");
    assert_eq!(
        found,
        "2:8 This is not JSON: expected `,` or `]`. Export it again, or write the deck as plain text."
    );
    assert!(wrong("{\"main\":[]} {}").contains("Keep one deck in a file."));
}
