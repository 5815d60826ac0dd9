//! A deck's file with other cards.

use super::Decklist;
use decklaw_decks::deck::{self, Amendment, Deck, Input, Listing, MOST_COPIES};
use std::sync::Arc;

/// Why a file is not written: what was changed would be read as another deck.
pub(super) const OTHER_DECK: &str = "the way in which it is written would make another deck of it";

/// The bytes of a deck's file when `before` becomes `after`. `deck` was read from `bytes`, and
/// `before` from `deck`. In text comments, order, headings and spelling stay; YAML and JSON are
/// written [`anew`]. What comes out is read as `after`.
///
/// # Errors
/// A deck in the format of another program, one whose text would not be read so, or one in YAML or
/// JSON with cards that are no part of it.
pub fn rewrite(
    bytes: &[u8],
    input: Input,
    deck: &Deck<'_>,
    before: &Decklist,
    after: &Decklist,
) -> Result<Vec<u8>, &'static str> {
    let changes = before.changes_to(after);
    if changes.is_empty() {
        return Ok(bytes.to_vec());
    }
    match input {
        Input::Text => {}
        Input::Yaml | Input::Json if !deck.left_out.is_empty() => {
            return Err("its cards outside the deck would be lost");
        }
        Input::Yaml | Input::Json => return Ok(anew(input, deck, after).0),
        _ => return Err("only decks in text, YAML and JSON are written back to their file"),
    }
    let plain = decklaw_text::text::without_bom(bytes);
    let text = std::str::from_utf8(plain).map_err(|_| OTHER_DECK)?;
    let amendments: Vec<Amendment<'_>> = changes
        .iter()
        .map(|change| Amendment {
            section: &before.sections()[usize::from(change.section)],
            name: before.name(change.card),
            copies: u32::try_from(change.to).unwrap_or(MOST_COPIES),
        })
        .collect();
    let card = |name: &str| before.find(name);
    let mut rewritten = bytes[..bytes.len() - plain.len()].to_vec();
    let sections = before.rulebook().section_names();
    let amended = deck::amend(text, deck, &amendments, card, sections).ok_or(OTHER_DECK)?;
    rewritten.extend(amended.into_bytes());
    let again = deck::read(&rewritten, input, sections).map_err(|_| OTHER_DECK)?;
    if Decklist::of(&again, Arc::clone(before.rulebook())).hash() == after.hash() {
        Ok(rewritten)
    } else {
        Err(OTHER_DECK)
    }
}

/// A deck's file rewritten with other cards: headers stay, comments and order do not. File
/// formats that decklaw does not write become text.
pub fn anew(input: Input, deck: &Deck<'_>, after: &Decklist) -> (Vec<u8>, Input) {
    let listing = Listing { sections: after.listing().sections, ..Listing::from(deck) };
    let (text, input) = match input {
        Input::Yaml => (deck::to_yaml(&listing), input),
        Input::Json => (deck::to_json(&listing), input),
        _ => (deck::to_text(&listing), Input::Text),
    };
    (text.into_bytes(), input)
}
