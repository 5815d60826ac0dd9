//! A deck's file with other cards.

use super::Decklist;
use crate::deck::{self, Amendment, Deck, Input, Listing, MOST_COPIES};

/// The bytes of a deck's file when `before` becomes `after`. `deck` was read from `bytes`, and
/// `before` from `deck`. Text keeps its comments, order, headings and spelling; YAML and JSON
/// are written anew.
///
/// # Errors
/// None for a deck that was read from these bytes.
pub fn rewrite(
    bytes: &[u8],
    input: Input,
    deck: &Deck<'_>,
    before: &Decklist,
    after: &Decklist,
) -> Result<Vec<u8>, std::str::Utf8Error> {
    let changes = before.changes_to(after);
    if changes.is_empty() {
        return Ok(bytes.to_vec());
    }
    if input != Input::Text {
        let listing = Listing {
            sections: after.listing().sections,
            ..Listing::from(deck)
        };
        let text = match input {
            Input::Yaml => deck::to_yaml(&listing),
            _ => deck::to_json(&listing),
        };
        return Ok(text.into_bytes());
    }
    let plain = deck::without_bom(bytes);
    let text = std::str::from_utf8(plain)?;
    let amendments: Vec<Amendment<'_>> = changes
        .iter()
        .map(|change| Amendment {
            section: &before.sections()[usize::from(change.section)],
            name: before.name(change.card),
            copies: u32::try_from(change.to).unwrap_or(MOST_COPIES),
        })
        .collect();
    let is =
        |name: &str, amendment: &Amendment<'_>| before.find(name) == before.find(amendment.name);
    let mut rewritten = bytes[..bytes.len() - plain.len()].to_vec();
    rewritten.extend(deck::amend(text, deck, &amendments, &is).into_bytes());
    Ok(rewritten)
}
