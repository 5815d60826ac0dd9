//! Decks as files, and the hash of a deck, built by hand.

use super::random::Random;
use super::world::{Deck, World, fold};
use serde_json::json;
use sha2::{Digest, Sha256};

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

/// The deck's file: sections and lines in any order, lines of one card apart. How names, headings and
/// files may be written otherwise is tried by `tests/reading`.
pub(crate) fn file(world: &World, deck: &Deck, random: &mut Random) -> String {
    let mut sections = Vec::new();
    for (id, copies) in world.sections.iter().zip(deck) {
        let mut lines = Vec::new();
        for (card, copies) in world.cards.iter().zip(copies).filter(|(_, copies)| **copies > 0) {
            let part = if random.percent(30) { random.below(*copies as usize) as i64 } else { 0 };
            let parts = [part, copies - part].into_iter().filter(|part| *part > 0);
            lines.extend(parts.map(|part| format!("{part} {}\n", card.name)));
        }
        random.shuffle(&mut lines);
        if !lines.is_empty() {
            sections.push(format!("\n{id}\n{}", lines.concat()));
        }
    }
    random.shuffle(&mut sections);
    format!("Format: {}\nName: Trial\n{}", world.format, sections.concat())
}
