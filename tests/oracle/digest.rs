//! A deck's `hash` as MATCH.md defines it, built by hand.

use std::collections::BTreeMap;

use serde_json::json;
use sha2::{Digest, Sha256};

use crate::model::Deck;

/// SHA-256 over the canonical JSON of format, sections, folded names and counts.
pub(crate) fn digest(deck: &Deck) -> String {
    let sections: BTreeMap<&String, String> = deck
        .sections
        .iter()
        .filter(|(_, lines)| !lines.is_empty())
        .map(|(id, _)| {
            let copies = deck.copies(id);
            let cards = copies
                .iter()
                .map(|(name, count)| json!([name, count]).to_string());
            (id, cards.collect::<Vec<_>>().join(","))
        })
        .collect();
    let sections = sections.iter();
    let sections = sections.map(|(id, cards)| format!("{}:[{cards}]", json!(id)));
    let content = format!(
        "decklaw/deck/1\0{{\"format\":{},\"sections\":{{{}}}}}",
        json!(deck.format),
        sections.collect::<Vec<_>>().join(",")
    );
    let bytes = Sha256::digest(content.as_bytes());
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
