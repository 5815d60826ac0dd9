//! What holds of every deck and of every input.

use super::*;
use proptest::prelude::*;

fn listing() -> impl Strategy<Value = Listing> {
    let word = "[^\0\u{fffd}]{0,12}".prop_map(|w| decklaw_text::name::tidy(&w).into_owned());
    let name = prop_oneof![
        "[a-zA-Z,' ]{1,12}",
        "[^\0\u{fffd}]{1,12}",
        "(x|X|×|#|//|3|!|-|:)? ?[a-z0-9:#()\\[\\]]{1,8}"
    ]
    .prop_map(|name| decklaw_text::name::tidy(&name).into_owned())
    .prop_filter("a name", |name| !name.is_empty());
    let id = prop_oneof![
        "[a-z][a-z ]{0,8}",
        "[^\0\u{fffd}]{1,8}",
        "(x|#|//|3|!|-|\\[|name|sections)? ?[a-z0-9:#()\\[\\]]{1,8}"
    ]
    .prop_map(|id| decklaw_text::name::fold(&id).into_owned())
    .prop_filter("an id", |id| !id.is_empty());
    let cards = prop::collection::vec((1..=MOST_COPIES, name), 0..5);
    let header = || prop::option::of(word.clone().prop_filter("a value", |word| !word.is_empty()));
    (header(), header(), header(), header(), prop::collection::vec((id, cards), 0..5)).prop_map(
        |(format, name, player, note, mut sections)| {
            let mut seen = std::collections::HashSet::new();
            sections.retain(|(id, _)| seen.insert(id.clone()));
            let remarks = note.into_iter().map(|note| ("Note".to_owned(), note)).collect();
            Listing { format, name, player, remarks, sections, left_out: Vec::new() }
        },
    )
}

/// Found by what follows: the line could be a table's header, too.
#[test]
fn a_name_that_looks_like_columns_is_one() {
    let deck = Listing { name: Some(";x".to_owned()), ..Listing::default() };
    let written = to_text(&deck);
    let again = read_as(written.as_bytes(), Input::Text, true).unwrap();
    assert_eq!(Listing::from(&again), deck);
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
                    let kept = decklaw_text::text::without_bom(source.as_bytes());
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
