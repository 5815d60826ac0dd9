//! Choices that a deck declares, in every file format that has a place for them.

use super::*;

/// A game whose decks choose a class, and a number of cards.
fn known() -> Vec<Choosable> {
    let words = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect();
    vec![
        Choosable {
            name: "class".to_owned(),
            values: words(&["Rogue", "Seeker"]),
            min: 0,
            max: 0,
        },
        Choosable {
            name: "size".to_owned(),
            values: Vec::new(),
            min: 30,
            max: 50,
        },
    ]
}

fn read_with<'a>(source: &'a str, input: Input) -> Result<Deck<'a>, Vec<SyntaxError>> {
    let (names, ids) = shell();
    let known = known();
    read(source.as_bytes(), input, &mut |_| {
        Some(SectionNames {
            names: &names,
            ids: &ids,
            first: "main",
            open: false,
            pool: None,
            choices: &known,
        })
    })
}

fn chosen(source: &str, input: Input) -> Vec<(String, String)> {
    read_with(source, input)
        .unwrap()
        .chosen()
        .into_iter()
        .collect()
}

fn said(source: &str, input: Input) -> Vec<String> {
    let errors = read_with(source, input).unwrap_err();
    errors.iter().map(ToString::to_string).collect()
}

#[test]
fn each_file_format_declares_them_in_its_own_way() {
    let both = [
        ("class".to_owned(), "Rogue".to_owned()),
        ("size".to_owned(), "40".to_owned()),
    ];
    for (input, source) in [
        (
            Input::Text,
            "choice: CLASS =  rogue\nName: X\nChoice:size=040\n\n3 Owl\n",
        ),
        (
            Input::Pasted,
            "Choice: class=rogue\nChoice: size=40\n\n3 Owl\n",
        ),
        (
            Input::Yaml,
            "choices: {class: rogue, size: 40}\nmain: [3 Owl]\n",
        ),
        (
            Input::Yaml,
            "choices:\n  - class=rogue\n  - size: 40\nmain: [3 Owl]\n",
        ),
        (
            Input::Json,
            r#"{"choices":{"class":"rogue","size":40},"main":["3 Owl"]}"#,
        ),
        (
            Input::Json,
            r#"{"choice":["class=rogue","size=40"],"sections":{"main":["3 Owl"]}}"#,
        ),
        (
            Input::Csv,
            "count,name,choice\n3,Owl,class=rogue\n,,size=40\n",
        ),
        (
            Input::Cockatrice,
            "<cockatrice_deck><comments>Choice: class=rogue\nChoice: size=40\nChoice: hard</comments><zone name=\"main\"><card number=\"3\" name=\"Owl\"/></zone></cockatrice_deck>",
        ),
    ] {
        assert_eq!(chosen(source, input), both, "{input:?} {source}");
        let deck = read_with(source, input).unwrap();
        assert_eq!(deck.lines.len(), 1, "{source}");
        // What is written is read again.
        let listing = Listing::from(&deck);
        for (input, text) in [
            (Input::Text, to_text(&listing)),
            (Input::Yaml, to_yaml(&listing)),
            (Input::Json, to_json(&listing)),
            (Input::Cockatrice, to_cockatrice(&listing, "main")),
            (
                Input::Csv,
                String::from_utf8(to_csv(&listing).unwrap()).unwrap(),
            ),
        ] {
            assert_eq!(chosen(&text, input), both, "{input:?} {text}");
        }
    }
}

#[test]
fn a_table_has_a_row_for_each_choice_even_without_cards() {
    let mut listing = Listing::from(
        &read_with(
            "Choice: class=seeker\nChoice: size=30\n\n1 Owl\n",
            Input::Text,
        )
        .unwrap(),
    );
    let table = |listing: &Listing| String::from_utf8(to_csv(listing).unwrap()).unwrap();
    assert_eq!(
        table(&listing),
        "count,name,section,choice\n1,Owl,main,class=Seeker\n,,,size=30\n"
    );
    listing.choices.clear();
    assert_eq!(table(&listing), "count,name,section\n1,Owl,main\n");
}

#[test]
fn what_cannot_be_chosen_is_told_with_its_line_and_the_nearest() {
    for (source, told) in [
        (
            "Choice: rogue\n",
            "line 1, column 1: `rogue` declares no choice.",
        ),
        (
            "Name: X\nChoice: clas=rogue\n",
            "line 2, column 9: `clas` is no choice of this format's decks. Did you mean `class`? They are class and size.",
        ),
        (
            "Choice: class=rouge\n",
            "line 1, column 9: The choice `class` is never `rouge`. Did you mean `Rogue`? It is Rogue or Seeker.",
        ),
        (
            "Choice: size=51\n",
            "line 1, column 9: The choice `size` is never `51`. It is a whole number from 30 to 50.",
        ),
        (
            "Choice: class=rogue\nChoice: Class=seeker\n",
            "line 2, column 9: The choice `class` is declared twice.",
        ),
        (
            "3 Owl\nChoice: class=rogue\n",
            "line 2, column 1: The header `Choice` stands behind the first section or card.",
        ),
    ] {
        let errors = said(source, Input::Text);
        assert!(errors[0].starts_with(told), "{source}: {errors:?}");
    }
    for (source, input) in [
        ("choices: {class: [rogue]}\n", Input::Yaml),
        ("choices: [[class=rogue]]\n", Input::Yaml),
        ("choices: rogue\n", Input::Yaml),
        ("choices: {class: rogue}\nchoice: {size: 40}\n", Input::Yaml),
        (r#"{"choices":{"class":"wizard"}}"#, Input::Json),
        ("count,name,choice\n3,Owl,rogue\n", Input::Csv),
    ] {
        assert_eq!(said(source, input).len(), 1, "{source}");
    }
}

#[test]
fn a_game_that_declares_none_has_none() {
    let errors = errors_in("Choice: class=rogue\n\n3 Owl\n", Input::Text);
    assert_eq!(
        errors,
        ["1:9 `class` is no choice of this format's decks. They declare none: take the line out."]
    );
    // Where nobody knows the game, a choice is kept as it is.
    let open = read_as(b"Choice: Class= Sly  Rogue\n\n3 Owl\n", Input::Text, true).unwrap();
    let kept: Vec<_> = open.chosen().into_iter().collect();
    assert_eq!(kept, [("class".to_owned(), "sly rogue".to_owned())]);
}

#[test]
fn a_file_is_changed_where_its_choices_stand() {
    let declared = |source: &str, choices: &[(&str, &str)]| {
        let deck = read_with(source, Input::Text).unwrap();
        let wanted = choices.iter();
        let wanted = wanted.map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
        declare(source, &deck, &wanted.collect())
    };
    let text = "# mine\r\nName: X\r\nChoice: class=rogue\r\nChoice: size=40\r\n\r\n3 Owl\r\n";
    assert_eq!(
        declared(text, &[("class", "Seeker"), ("size", "40")]),
        text.replace("rogue", "Seeker")
    );
    assert_eq!(
        declared(text, &[("size", "40")]),
        text.replace("Choice: class=rogue\r\n", "")
    );
    assert_eq!(
        declared("3 Owl\n", &[("size", "40")]),
        "Choice: size=40\n\n3 Owl\n"
    );
    assert_eq!(
        declared("Name: X\n\n3 Owl\n", &[("class", "Rogue")]),
        "Name: X\nChoice: class=Rogue\n\n3 Owl\n"
    );
}
