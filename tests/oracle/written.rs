//! Decks as players write them: lines split, shuffled and spelled differently, in three kinds of
//! file; and the hash of a deck, built by hand.

use super::random::Random;
use super::world::{Deck, World, fold};
use serde_json::json;
use sha2::{Digest, Sha256};
use unicode_normalization::UnicodeNormalization;

/// SHA-256 over the canonical JSON of format, sections, folded names and counts.
pub(crate) fn hash(world: &World, deck: &Deck) -> String {
    let mut sections = Vec::new();
    for (id, copies) in world.sections.iter().zip(deck) {
        let held = world.cards.iter().zip(copies).filter(|(_, copies)| **copies > 0);
        let mut cards: Vec<(String, i64)> =
            held.map(|(card, copies)| (fold(&card.name), *copies)).collect();
        cards.sort();
        let cards: Vec<String> = cards.iter().map(|card| json!(card).to_string()).collect();
        if !cards.is_empty() {
            sections.push(format!("{}:[{}]", json!(id), cards.join(",")));
        }
    }
    sections.sort();
    let content = format!(
        "decklaw/deck/1\0{{\"format\":{},\"sections\":{{{}}}}}",
        json!(world.format),
        sections.join(",")
    );
    let bytes = Sha256::digest(content.as_bytes());
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Another spelling of the same name: an alias, other case, white space or composition.
fn spelled(world: &World, name: &str, random: &mut Random) -> String {
    if world.format == "vastrix" && random.percent(30) {
        let suits = [("♠", "S"), ("♥", "H"), ("♦", "D"), ("♣", "C")];
        return match name {
            "RJ" => "Red Joker".to_owned(),
            "BJ" => "Black Joker".to_owned(),
            _ => {
                let alias = suits
                    .iter()
                    .fold(name.to_owned(), |name, (suit, letter)| name.replace(suit, letter));
                if random.percent(50) { alias.replace("10", "T") } else { alias }
            }
        };
    }
    match random.below(12) {
        0 => name.to_uppercase(),
        1 => name.to_lowercase(),
        2 => name.replace(' ', "  "),
        3 => name.replace(' ', "\t "),
        4 => name.nfd().collect(),
        5 => name.nfc().collect(),
        _ => name.to_owned(),
    }
}

/// The lines of each section that has any.
fn lines(
    world: &World,
    deck: &Deck,
    random: &mut Random,
) -> Vec<(&'static str, Vec<(i64, String)>)> {
    let mut sections = Vec::new();
    for (id, copies) in world.sections.iter().zip(deck) {
        let mut lines = Vec::new();
        for (card, copies) in world.cards.iter().zip(copies).filter(|(_, copies)| **copies > 0) {
            let mut left = *copies;
            if left > 1 && random.percent(30) {
                let part = 1 + random.below(left as usize - 1) as i64;
                lines.push((part, spelled(world, &card.name, random)));
                left -= part;
            }
            lines.push((left, spelled(world, &card.name, random)));
        }
        random.shuffle(&mut lines);
        if !lines.is_empty() {
            sections.push((*id, lines));
        }
    }
    random.shuffle(&mut sections);
    sections
}

/// The deck's file, and the ending of its name.
pub(crate) fn file(world: &World, deck: &Deck, random: &mut Random) -> (String, &'static str) {
    let sections = lines(world, deck, random);
    let entry = |(copies, name): &(i64, String), short: bool| {
        if short {
            json!(format!("{copies} {name}"))
        } else {
            json!({"name": name, "count": copies})
        }
    };
    match random.below(8) {
        0 => {
            let mut file = json!({"format": world.format, "name": "Trial"});
            for (id, lines) in &sections {
                let lines = lines.iter().map(|line| entry(line, random.percent(50)));
                file[id] = lines.collect();
            }
            (serde_json::to_string_pretty(&file).unwrap(), "json")
        }
        1 => {
            let mut text = format!("format: {}\nname: Trial\n", world.format);
            for (id, lines) in &sections {
                text += &format!("{id}:\n");
                for line in lines {
                    text += &format!("  - {}\n", entry(line, random.percent(50)));
                }
            }
            (text, "yaml")
        }
        _ => (native(world, sections, random), "txt"),
    }
}

fn native(
    world: &World,
    mut sections: Vec<(&'static str, Vec<(i64, String)>)>,
    random: &mut Random,
) -> String {
    let mut text = format!("Format: {}\nName: Trial\n\n", world.format);
    // Cards before any heading are of the first section that is shuffled.
    let bare = sections.iter().position(|(id, _)| *id == "main");
    if let Some(at) = bare.filter(|_| random.percent(15)) {
        sections.swap(0, at);
    }
    for (at, (id, lines)) in sections.iter().enumerate() {
        let total: i64 = lines.iter().map(|(copies, _)| copies).sum();
        let capital = id[..1].to_uppercase() + &id[1..];
        text += &match random.below(8) {
            _ if at == 0 && *id == "main" && random.percent(20) => String::new(),
            0 => format!("\n{id}\n"),
            1 => format!("\n{capital}:\n"),
            2 => format!("\n[{capital}]\n"),
            3 => format!("\n{capital} ({total})\n"),
            4 => format!("\n{}\n\n", id.to_uppercase()),
            5 if *id == "main" => "\nDeck\n".to_owned(),
            5 if *id == "side" => "\nSideboard\n".to_owned(),
            _ => format!("\n{capital}\n"),
        };
        for (copies, name) in lines {
            text += &match random.below(12) {
                0 => format!("{copies}x {name}\n"),
                1 => format!("{copies}× {name}\n"),
                2 => format!("{copies}  {name} \n"),
                3 if random.percent(20) => format!("// a remark\n\n{copies} {name}\n"),
                _ => format!("{copies} {name}\n"),
            };
        }
        if random.percent(10) {
            text += "# the end of a section, and of 3 thoughts\n";
        }
    }
    if random.percent(5) {
        text = text.replace('\n', "\r\n");
    }
    if random.percent(5) {
        text.insert(0, '\u{feff}');
    }
    text
}
