//! What decklaw writes for Cockatrice, held against the structure that Cockatrice's own schemas
//! demand (doc/deck.xsd and doc/carddatabase_v4/cards.xsd there): which elements, in which order
//! and how often, with which attributes, and what their text must be. Stricter than the program.

use super::decklaw;
use roxmltree::{Document, Node};
use std::collections::BTreeSet;

/// Elements of a deck, one a line: the name, the attributes, and the children in their order or the
/// kind of its text. `#` follows a whole number; `?`, `+` and `*` follow what need not come just
/// once. An element that is not listed has a text alone.
const DECK: &str = "cockatrice_deck | version# | deckname comments zone*
zone | name | card+
card | number# name | WORD";

const POOL: &str = "cockatrice_carddatabase | version# | sets? cards?
sets | | set*
sets/set | | name longname? settype? releasedate? priority?
cards | | card*
card | | name text? prop? set+ tablerow?
prop | | layout? side? type? maintype?
priority | | NUMBER
tablerow | | NUMBER";

fn is_whole(text: &str) -> bool {
    text.parse::<i32>().is_ok()
}

/// The attributes and the content of an element: by its parent's name and its own, or by its own.
fn line<'s>(node: Node<'_, '_>, schema: &'s str) -> (&'s str, &'s str) {
    let name = node.tag_name().name();
    let parent = node.parent().map_or("", |parent| parent.tag_name().name());
    let of = |named: &str| {
        let mut lines = schema.lines().map(|line| line.split('|').map(str::trim));
        let mut line = lines.find(|line| line.clone().next() == Some(named))?;
        line.next();
        Some((line.next()?, line.next()?))
    };
    let found = of(&format!("{parent}/{name}")).or_else(|| of(name));
    found.unwrap_or(("", "WORD"))
}

/// The first fault of an element.
fn wrong(node: Node<'_, '_>, schema: &str) -> Option<String> {
    let at = node.tag_name().name();
    let (attributes, content) = line(node, schema);
    let names = node.attributes().map(|it| it.name());
    let due = attributes.split_whitespace();
    if !names.eq(due.clone().map(|due| due.trim_end_matches('#'))) {
        return Some(format!("{at} must have the attributes {attributes}"));
    }
    let mut numbers = node.attributes().zip(due).filter(|(_, due)| due.ends_with('#'));
    if let Some((number, _)) = numbers.find(|(it, _)| !is_whole(it.value())) {
        return Some(format!("{} of {at} is no number", number.name()));
    }
    let texts = node.children().filter(Node::is_text);
    let text: String = texts.filter_map(|text| text.text()).collect();
    let mut children = node.children().filter(Node::is_element).peekable();
    let is_right = match content {
        "WORD" => true,
        "NUMBER" => is_whole(&text),
        _ => text.trim().is_empty(),
    };
    if !is_right {
        return Some(format!("{at} has the text {text:?}"));
    }
    for child in content.split_whitespace().filter(|child| !["WORD", "NUMBER"].contains(child)) {
        let name = child.trim_end_matches(['?', '+', '*']);
        let mut count = 0;
        while let Some(child) = children.next_if(|child| child.has_tag_name(name)) {
            count += 1;
            if let Some(wrong) = wrong(child, schema) {
                return Some(wrong);
            }
        }
        let (least, most) = match child.as_bytes().last() {
            Some(b'?') => (0, 1),
            Some(b'+') => (1, usize::MAX),
            Some(b'*') => (0, usize::MAX),
            _ => (1, 1),
        };
        if !(least..=most).contains(&count) {
            return Some(format!("{at} has {count} of {name}"));
        }
    }
    let left = children.next();
    left.map(|child| format!("{at} has {} there", child.tag_name().name()))
}

/// The first fault of a document whose root is the schema's first element.
fn wrong_in(xml: &str, schema: &str) -> Option<String> {
    let document = match Document::parse(xml) {
        Ok(document) => document,
        Err(error) => return Some(error.to_string()),
    };
    let root = document.root_element();
    if schema.starts_with(&format!("{} |", root.tag_name().name())) {
        wrong(root, schema)
    } else {
        Some("another root".to_owned())
    }
}

/// Decks of every game, and one whose words are marks of XML.
fn decks() -> Vec<(String, Vec<u8>)> {
    let mut decks = crate::common::samples();
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
        assert_eq!(listed.status, cod.status, "{called}: {}", cod.err);
        if cod.status != 0 {
            continue;
        }
        written += 1;
        assert_eq!(wrong_in(&cod.out, DECK), None, "{called}");
        let document = Document::parse(&cod.out).unwrap();
        let zones = document.descendants().filter(|it| it.has_tag_name("zone"));
        let zones: Vec<&str> = zones.filter_map(|it| it.attribute("name")).collect();
        let distinct: BTreeSet<&&str> = zones.iter().collect();
        assert_eq!(distinct.len(), zones.len(), "{called}: {zones:?}");
        // Only these two are dealt there.
        assert!(zones.iter().all(|it| ["main", "side"].contains(it)), "{called}");
        let cards = document.descendants().filter(|it| it.has_tag_name("card"));
        let there: u64 =
            cards.map(|card| card.attribute("number").unwrap().parse::<u64>().unwrap()).sum();
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
    for game in ["shell", "vainqueur", "versus/normal", "vanquishers", "vastrix"] {
        let ran = decklaw(&["cards", "export", "--cockatrice", "--format", game], b"");
        assert_eq!(ran.status, 0, "{game}: {}", ran.err);
        let found = wrong_in(&ran.out, POOL);
        assert_eq!(found, None, "{game}");
        let document = Document::parse(&ran.out).unwrap();
        assert_eq!(document.root_element().attribute("version"), Some("4"));
        // Cards are of a set that the file declares, and a name is one card.
        let all = |parent: &str, child: &str| -> Vec<String> {
            let nodes = document.descendants().filter(|it| it.has_tag_name(parent));
            let nodes = nodes.flat_map(|it| it.children().filter(|it| it.has_tag_name(child)));
            nodes.filter_map(|it| it.text()).map(str::to_owned).collect()
        };
        let declared: BTreeSet<String> = all("set", "name").into_iter().collect();
        assert!(all("card", "set").iter().all(|set| declared.contains(set)));
        let names = all("card", "name");
        let distinct: BTreeSet<&String> = names.iter().collect();
        assert_eq!(distinct.len(), names.len(), "{game}");
        // All cards of the game are there.
        let file = format!("formats/{}/cards.csv", game.split('/').next().unwrap());
        let mut rows = csv::Reader::from_path(file).unwrap();
        let pool: BTreeSet<String> = rows.records().map(|row| row.unwrap()[0].to_owned()).collect();
        assert_eq!(names.into_iter().collect::<BTreeSet<_>>(), pool, "{game}");
    }
}

/// The reader itself refuses what the schema refuses.
#[test]
fn what_the_schema_refuses_is_found() {
    let ran = decklaw(&["convert", "decks/shell/ebb.txt", "--to-format", "cod"], b"");
    let good = ran.out;
    assert_eq!(wrong_in(&good, DECK), None);
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
        assert!(wrong_in(&bad, DECK).is_some(), "{to}");
    }
}
