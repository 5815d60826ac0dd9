//! Decks in YAML and JSON that are rewritten with other cards.

use super::calls::text;
use super::worlds::judge;
use crate::common::Random;
use decklaw::deck::{self, Input};
use decklaw::format::Rulebook;
use decklaw::resolve::Decklist;
use decklaw::solve::rewrite;
use std::sync::Arc;

const SECTIONS: [&str; 4] = ["shells", "main", "extra", "side"];

fn read(source: &str, input: Input, rulebook: &Arc<Rulebook>) -> Decklist {
    let names = rulebook.format().game().section_names();
    let deck = deck::read(source.as_bytes(), input, names)
        .unwrap_or_else(|errors| panic!("{errors:?}\n{source}"));
    Decklist::of(&deck, Arc::clone(rulebook))
}

/// A deck's file in one of the many ways in which people write them.
fn written(random: &mut Random, input: Input, names: &[&str]) -> String {
    let json = input == Input::Json;
    let nested = random.below(2) == 0;
    let comment = |random: &mut Random, text: &str| match random.below(3) {
        0 if !json => format!("  # {text}"),
        _ => String::new(),
    };
    let mut sections = Vec::new();
    let indent = if nested { "  " } else { "" };
    for id in SECTIONS {
        if random.below(5) == 0 {
            continue;
        }
        let count = random.below(5);
        let flow = json || random.below(3) == 0;
        let many = random.below(2) == 0;
        let mut items = Vec::new();
        for _ in 0..count {
            let name = names[random.below(names.len())];
            let copies = 1 + random.below(3);
            let quoted = serde_json::Value::from(name).to_string();
            items.push(match (random.below(3), json, flow) {
                (0, true, _) => format!("{{ \"count\": {copies}, \"name\": {quoted} }}"),
                (0, false, true) => format!("{{name: {quoted}, count: {copies}}}"),
                (0, false, false) => format!(
                    "name: {quoted}{}\n{indent}      count: {copies}",
                    comment(random, "mine")
                ),
                (1, _, _) => serde_json::Value::from(format!("{copies}x {name}")).to_string(),
                (_, true, _) => serde_json::Value::from(format!("{copies} {name}")).to_string(),
                (_, false, _) if name.contains([',', ':', '#']) => {
                    serde_json::Value::from(format!("{copies} {name}")).to_string()
                }
                _ => format!("{copies} {name}"),
            });
        }
        let key = if json { format!("\"{id}\"") } else { id.to_owned() };
        sections.push(match (flow, many, items.is_empty()) {
            (true, true, false) => {
                let lead = format!("\n{indent}    ");
                format!("{key}: [{lead}{}\n{indent}  ]", items.join(&format!(",{lead}")))
            }
            (true, ..) => format!("{key}: [{}]", items.join(", ")),
            (false, _, true) => format!("{key}:{}", comment(random, "nothing yet")),
            (false, ..) => {
                let mut out = format!("{key}:{}", comment(random, "cards"));
                for item in items {
                    if random.below(4) == 0 {
                        out.push_str(&format!("\n{indent}    # on its own"));
                    }
                    let note = comment(random, "good");
                    let note = if item.contains('\n') { String::new() } else { note };
                    out.push_str(&format!("\n{indent}    - {item}{note}"));
                }
                out
            }
        });
    }
    let newline = if random.below(4) == 0 { "\r\n" } else { "\n" };
    let out = if json {
        let mut entries = vec!["\"format\": \"shell\"".to_owned()];
        if nested {
            let inner = sections.iter().map(|section| format!("    {section}"));
            let inner: Vec<String> = inner.collect();
            let inner = match inner.is_empty() {
                true => String::new(),
                false => format!("\n{}\n  ", inner.join(",\n")),
            };
            entries.push(format!("\"sections\": {{{inner}}}"));
        } else {
            entries.extend(sections);
        }
        entries.push("\"note\": \"kept\"".to_owned());
        format!("{{\n  {}\n}}", entries.join(",\n  "))
    } else {
        let mut out = "# my deck\nformat: shell   # the game\n".to_owned();
        if nested {
            out.push_str("note: kept\nsections:\n");
        }
        for section in &sections {
            out.push_str(&format!("{indent}{section}\n"));
        }
        if !nested {
            out.push_str("# the end\nnote: kept\n");
        }
        out
    };
    let out = out.replace('\n', newline);
    match random.below(3) {
        0 => out.trim_end().to_owned(),
        _ => out.trim_end().to_owned() + newline,
    }
}

#[test]
fn what_is_written_is_the_deck_that_was_meant() {
    let judge = judge();
    let rulebook = judge.rulebook("shell").unwrap();
    let names = [
        "Moss Sprite",
        "Rain Caller",
        "Brand of the Ninth",
        "Torch Relay",
        "Rowan, Twice Crowned",
        "Æsc Warden",
        "Loam Titan's Cradle",
        "7th Bell",
        "Kiln Marriage",
        "Azure Keep",
    ];
    let mut random = Random::new(5);
    let mut changed = 0;
    for round in 0..1_200 {
        let input = [Input::Json, Input::Yaml][round % 2];
        let source = written(&mut random, input, &names);
        let before = read(&source, input, &rulebook);
        let mut after = before.clone();
        for _ in 0..1 + random.below(4) {
            let section = random.below(4) as u16;
            let card = after.find(names[random.below(names.len())]).unwrap();
            after.set(section, card, random.below(5) as i64);
        }
        let changes = before.changes_to(&after);
        let names_of = rulebook.format().game().section_names();
        let deck = deck::read(source.as_bytes(), input, names_of).unwrap();
        let bytes = rewrite(source.as_bytes(), input, &deck, &before, &after)
            .unwrap_or_else(|error| panic!("{error}\n{source}\n{changes:?}"));
        let new = text(&bytes);
        let again = read(&new, input, &rulebook);
        assert!(again.changes_to(&after).is_empty(), "{source}\n---\n{new}");
        assert_eq!(again.hash(), after.hash());
        let head = |source: &str| {
            let deck = deck::read(source.as_bytes(), input, deck::SectionNames::OPEN).unwrap();
            let deck = deck::Listing::from(&deck);
            (deck.format, deck.name, deck.remarks)
        };
        assert_eq!(head(&new), head(&source));
        if changes.is_empty() {
            assert_eq!(source, new);
        }
        changed += usize::from(!changes.is_empty());
    }
    assert!(changed > 1_000, "{changed}");
}
