//! What decklaw writes for Cockatrice, held against the structure that Cockatrice's own schemas
//! demand (doc/deck.xsd and doc/carddatabase_v4/cards.xsd there): which elements, in which order
//! and how often, with which attributes, and what their text must be. Stricter than the program.

use super::decklaw;
use roxmltree::{Document, Node};
use std::collections::BTreeSet;

/// What a text must be.
#[derive(Clone, Copy)]
enum Text {
    /// None at all, but for white space between elements.
    Nothing,
    Any,
    Whole,
}

/// An element: its attributes, its text, and its children in their order with how often each
/// may stand.
struct Shape {
    attributes: &'static [(&'static str, Text)],
    text: Text,
    children: &'static [(&'static str, usize, usize, &'static Shape)],
}

const MANY: usize = usize::MAX;
const WORD: Shape = Shape {
    attributes: &[],
    text: Text::Any,
    children: &[],
};
const NUMBER: Shape = Shape {
    text: Text::Whole,
    ..WORD
};

const CARD_OF_DECK: Shape = Shape {
    attributes: &[("number", Text::Whole), ("name", Text::Any)],
    ..WORD
};
const ZONE: Shape = Shape {
    attributes: &[("name", Text::Any)],
    text: Text::Nothing,
    children: &[("card", 1, MANY, &CARD_OF_DECK)],
};
const DECK: Shape = Shape {
    attributes: &[("version", Text::Whole)],
    text: Text::Nothing,
    children: &[
        ("deckname", 1, 1, &WORD),
        ("comments", 1, 1, &WORD),
        ("zone", 0, MANY, &ZONE),
    ],
};

const SET: Shape = Shape {
    attributes: &[],
    text: Text::Nothing,
    children: &[
        ("name", 1, 1, &WORD),
        ("longname", 0, 1, &WORD),
        ("settype", 0, 1, &WORD),
        ("releasedate", 0, 1, &WORD),
        ("priority", 0, 1, &NUMBER),
    ],
};
const PROPERTIES: Shape = Shape {
    attributes: &[],
    text: Text::Nothing,
    children: &[
        ("layout", 0, 1, &WORD),
        ("side", 0, 1, &WORD),
        ("type", 0, 1, &WORD),
        ("maintype", 0, 1, &WORD),
    ],
};
const CARD_OF_POOL: Shape = Shape {
    attributes: &[],
    text: Text::Nothing,
    children: &[
        ("name", 1, 1, &WORD),
        ("text", 0, 1, &WORD),
        ("prop", 0, 1, &PROPERTIES),
        ("set", 1, MANY, &WORD),
        ("tablerow", 0, 1, &NUMBER),
    ],
};
const SETS: Shape = Shape {
    attributes: &[],
    text: Text::Nothing,
    children: &[("set", 0, MANY, &SET)],
};
const CARDS: Shape = Shape {
    attributes: &[],
    text: Text::Nothing,
    children: &[("card", 0, MANY, &CARD_OF_POOL)],
};
const DATABASE: Shape = Shape {
    attributes: &[("version", Text::Whole)],
    text: Text::Nothing,
    children: &[("sets", 0, 1, &SETS), ("cards", 0, 1, &CARDS)],
};

fn fits(text: &str, must: Text) -> bool {
    match must {
        Text::Nothing => text.trim().is_empty(),
        Text::Any => true,
        Text::Whole => text.parse::<i32>().is_ok(),
    }
}

/// What is wrong with an element, the first thing of it.
fn wrong(node: Node<'_, '_>, shape: &Shape) -> Option<String> {
    let at = node.tag_name().name();
    let names: Vec<&str> = node.attributes().map(|it| it.name()).collect();
    let due: Vec<&str> = shape.attributes.iter().map(|(name, _)| *name).collect();
    if names != due {
        return Some(format!("{at} has the attributes {names:?}, not {due:?}"));
    }
    for (name, must) in shape.attributes {
        if !fits(node.attribute(*name).unwrap_or_default(), *must) {
            return Some(format!("{name} of {at} is not what it must be"));
        }
    }
    let own = node.children().filter(Node::is_text);
    let own: String = own.filter_map(|text| text.text()).collect();
    if !fits(&own, shape.text) {
        return Some(format!("{at} holds the text {own:?}"));
    }
    let mut children = node.children().filter(Node::is_element).peekable();
    for (name, least, most, shape) in shape.children {
        let mut count = 0;
        while let Some(child) = children.next_if(|child| child.has_tag_name(*name)) {
            count += 1;
            if let Some(wrong) = wrong(child, shape) {
                return Some(wrong);
            }
        }
        if !(*least..=*most).contains(&count) {
            return Some(format!("{at} holds {count} of {name}"));
        }
    }
    let left = children.next();
    left.map(|child| format!("{at} holds {} there", child.tag_name().name()))
}

fn wrong_in(xml: &str, root: &str, shape: &Shape) -> Option<String> {
    let document = match Document::parse(xml) {
        Ok(document) => document,
        Err(error) => return Some(error.to_string()),
    };
    match document.root_element().has_tag_name(root) {
        true => wrong(document.root_element(), shape),
        false => Some(format!("the root is not {root}")),
    }
}

/// Decks of every game, and one whose words are marks of XML.
fn decks() -> Vec<(String, Vec<u8>)> {
    let mut decks = Vec::new();
    let games = std::fs::read_dir("decks").unwrap();
    let games = games.map(|game| game.unwrap().path());
    for game in games.filter(|game| game.is_dir()) {
        for file in std::fs::read_dir(&game).unwrap() {
            let file = file.unwrap().path();
            decks.push((file.display().to_string(), std::fs::read(&file).unwrap()));
        }
    }
    let odd = "Format: any\nName: <deck> & \"co\"\nNote: a -- b ]]> c\n\nMain\n2 <zone name=\"side\">\n1 'R & D' ]]>\nWeather\n3 Rain\n";
    decks.push(("odd".to_owned(), odd.as_bytes().to_vec()));
    decks
}

#[test]
fn every_deck_for_cockatrice_is_built_as_its_schema_says_and_holds_each_card_once() {
    let mut written = 0;
    for (called, bytes) in decks() {
        let listed = decklaw(&["convert", "-", "--to-format", "json"], &bytes);
        let cod = decklaw(&["convert", "-", "--to-format", "cod"], &bytes);
        assert_eq!(listed.status, cod.status, "{called}: {}", cod.told);
        if cod.status != 0 {
            continue;
        }
        written += 1;
        assert_eq!(
            wrong_in(&cod.out, "cockatrice_deck", &DECK),
            None,
            "{called}"
        );
        let document = Document::parse(&cod.out).unwrap();
        let zones = document.descendants().filter(|it| it.has_tag_name("zone"));
        let zones: Vec<&str> = zones.filter_map(|it| it.attribute("name")).collect();
        let distinct: BTreeSet<&&str> = zones.iter().collect();
        assert_eq!(distinct.len(), zones.len(), "{called}: {zones:?}");
        // Only these two are dealt there.
        assert!(
            zones.iter().all(|it| ["main", "side"].contains(it)),
            "{called}"
        );
        let cards = document.descendants().filter(|it| it.has_tag_name("card"));
        let there: u64 = cards
            .map(|card| card.attribute("number").unwrap().parse::<u64>().unwrap())
            .sum();
        let deck: serde_json::Value = serde_json::from_str(&listed.out).unwrap();
        let sections = deck["sections"].as_object().unwrap().values();
        let lines = sections.flat_map(|cards| cards.as_array().unwrap());
        // A line is the deck's own: `3 Rain`, or an object where the card has details.
        let count = |line: &serde_json::Value| match line.as_str() {
            Some(line) => line.split(' ').next().unwrap().parse::<u64>().unwrap(),
            None => line["count"].as_u64().unwrap(),
        };
        let here: u64 = lines.map(count).sum();
        assert_eq!(there, here, "{called}");
    }
    assert!(written > 20, "{written}");
}

#[test]
fn every_pool_for_cockatrice_is_built_as_its_schema_says() {
    for game in [
        "shell",
        "vainqueur",
        "versus/normal",
        "vanquishers",
        "vastrix",
    ] {
        let ran = decklaw(&["cards", "export", "--cockatrice", "--format", game], b"");
        assert_eq!(ran.status, 0, "{game}: {}", ran.told);
        let found = wrong_in(&ran.out, "cockatrice_carddatabase", &DATABASE);
        assert_eq!(found, None, "{game}");
        let document = Document::parse(&ran.out).unwrap();
        assert_eq!(document.root_element().attribute("version"), Some("4"));
        // Cards are of a set that the file declares, and a name is one card.
        let all = |parent: &str, child: &str| -> Vec<String> {
            let nodes = document.descendants().filter(|it| it.has_tag_name(parent));
            let nodes = nodes.flat_map(|it| it.children().filter(|it| it.has_tag_name(child)));
            nodes
                .filter_map(|it| it.text())
                .map(str::to_owned)
                .collect()
        };
        let declared: BTreeSet<String> = all("set", "name").into_iter().collect();
        assert!(all("card", "set").iter().all(|set| declared.contains(set)));
        let names = all("card", "name");
        let distinct: BTreeSet<&String> = names.iter().collect();
        assert!(!names.is_empty() && distinct.len() == names.len(), "{game}");
    }
}

/// The reader itself refuses what the schema refuses.
#[test]
fn what_the_schema_refuses_is_found() {
    let ran = decklaw(
        &["convert", "decks/shell/ebb.txt", "--to-format", "cod"],
        b"",
    );
    let good = ran.out;
    assert_eq!(wrong_in(&good, "cockatrice_deck", &DECK), None);
    for (from, to) in [
        ("<comments>", "<remarks/><comments>"),
        (" number=\"", " copies=\""),
        (" number=\"", " number=\"some "),
        ("<zone name=\"main\">", "<zone>"),
        ("<zone name=\"main\">", "text<zone name=\"main\">"),
        ("</cockatrice_deck>", "<comments/></cockatrice_deck>"),
        ("</cockatrice_deck>", ""),
    ] {
        assert!(good.contains(from), "{from}");
        let bad = good.replacen(from, to, 1);
        assert!(wrong_in(&bad, "cockatrice_deck", &DECK).is_some(), "{to}");
    }
}
