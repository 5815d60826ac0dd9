//! Comments that may once have been lines of the deck.

use super::foreign::bullet;
use super::heading::{heading, section_in_comment};
use super::{Deck, SectionNames, line, quoted};

/// The most comments that are told of.
const MOST: usize = 5;

/// Tells in [`Deck::notes`] of each comment that holds a card's line or a section's heading: one
/// that a mark before it put aside, or that lost the line break between it and a comment. Cards
/// are told from words by the pool, so that without one only headings are seen.
pub(super) fn tell(deck: &mut Deck<'_>, source: &str, names: &SectionNames<'_>) {
    let lines = source.lines().map(str::trim);
    let comments = lines.filter(|line| line.starts_with('#') || line.starts_with("//"));
    let told =
        comments.filter(|line| section_in_comment(line, names).is_some() || holds(line, names));
    let notes = told.map(|line| format!("passed over as a comment: {}", quoted(line)));
    deck.notes.extend(notes.take(MOST));
}

/// Whether a comment is a card's line behind its mark, or ends in a line that is glued to it.
fn holds(comment: &str, names: &SectionNames<'_>) -> bool {
    let card = |text: &str| {
        let pool = names.pool;
        line::card(text).is_ok_and(|(_, name)| pool.is_some_and(|pool| pool.find(name).is_some()))
    };
    let text = comment.trim_start_matches(['#', '/']).trim_start();
    if card(bullet(text).unwrap_or(text)) {
        return true;
    }
    let letters = text.char_indices();
    let before = text.chars();
    letters.skip(1).zip(before).any(|((at, letter), before)| {
        let rest = &text[at..];
        match letter {
            '0'..='9' => before.is_alphabetic() && card(rest),
            '[' => names.find(heading(rest).word).is_some(),
            _ => {
                let glued = letter.is_uppercase() && before.is_lowercase();
                glued && names.find(heading(rest).word).is_some()
            }
        }
    })
}
