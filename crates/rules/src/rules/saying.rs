//! Sentences of a game's maker that replace those of a rule (`says`, `mends`).

use super::{Contents, RuleKind, Violation};
use decklaw_cards::pool::CardId;
use decklaw_text::text::some_of;

/// The placeholders of a sentence for what the deck has.
const CARDS: [&str; 2] = ["card", "cards"];
const NUMBERS: [&str; 2] = ["limit", "actual"];
/// The most cards named.
const MOST: usize = 5;

/// The pieces of a sentence: words, and placeholders between braces.
fn pieces(text: &str) -> impl Iterator<Item = (&str, Option<&str>)> {
    text.split('{').enumerate().map(|(at, piece)| match at {
        0 => (piece, None),
        _ => match piece.split_once('}') {
            Some((place, words)) => (words, Some(place)),
            // A brace that is not closed is text.
            None => (piece, Some("")),
        },
    })
}

/// The error of such a sentence: a placeholder that the kind of rule does not have.
pub(crate) fn wrong(text: &str, kind: &RuleKind) -> Option<String> {
    let cards = CARDS.iter().filter(|_| kind.has_cards());
    let numbers = NUMBERS.iter().filter(|_| kind.has_numbers());
    let known: Vec<&str> = cards.chain(numbers).copied().collect();
    let place = pieces(text).find_map(|(_, place)| place.filter(|place| !known.contains(place)))?;
    let known: Vec<String> = known.iter().map(|place| format!("`{{{place}}}`")).collect();
    let known = match known.as_slice() {
        [] => "a rule of this kind has none".to_owned(),
        known => format!("{} do", decklaw_text::text::listed(known, "and")),
    };
    Some(format!("no value for `{{{place}}}` here; {known}"))
}

/// The sentence with the cards and numbers of a violation in its places.
#[cold]
pub(crate) fn filled(
    text: &str,
    violation: &Violation,
    cards: &[CardId],
    contents: &Contents<'_>,
) -> String {
    let name = |card: &CardId| format!("`{}`", contents.name(*card));
    let names: Vec<String> = cards.iter().map(name).collect();
    let number = |number: Option<i64>| number.map_or("?".to_owned(), |number| number.to_string());
    let filled = pieces(text).map(|(words, place)| {
        let said = match place {
            None => String::new(),
            Some("limit") => number(violation.limit),
            Some("actual") => number(violation.actual),
            Some("card") => names.first().map_or("no card".to_owned(), String::clone),
            Some(_) if names.is_empty() => "no cards".to_owned(),
            Some(_) => some_of(&names, MOST),
        };
        said + words
    });
    filled.collect()
}
