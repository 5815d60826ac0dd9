//! What a game's maker has a rule say in place of its own words.

use super::{Contents, Violation};
use crate::text::some_of;

/// What stands in a saying for what the deck has.
const PLACES: [&str; 4] = ["card", "cards", "limit", "actual"];
/// So many cards are named.
const MOST: usize = 5;

/// The pieces of a saying: words, and what stands between braces.
fn pieces(text: &str) -> impl Iterator<Item = (&str, Option<&str>)> {
    text.split('{').enumerate().map(|(at, piece)| match at {
        0 => (piece, None),
        _ => match piece.split_once('}') {
            Some((place, words)) => (words, Some(place)),
            // Left open: it stands for nothing.
            None => (piece, Some("")),
        },
    })
}

/// What is wrong with a saying: that it names something that there is not.
pub(crate) fn wrong(text: &str) -> Option<String> {
    let place = pieces(text).find_map(|(_, place)| place.filter(|place| !PLACES.contains(place)));
    place.map(|place| {
        let known: Vec<String> = PLACES
            .iter()
            .map(|place| format!("`{{{place}}}`"))
            .collect();
        let known = crate::text::listed(&known, "and");
        format!("nothing stands for `{{{place}}}` here; {known} do")
    })
}

/// A saying with what a violation is about in its places.
#[cold]
pub(crate) fn filled(text: &str, violation: &Violation, contents: &Contents<'_>) -> String {
    let name = |card: &_| format!("`{}`", contents.name(*card));
    let names: Vec<String> = violation.cards.iter().map(name).collect();
    let number = |number: Option<i64>| number.map_or("?".to_owned(), |number| number.to_string());
    let told = pieces(text).map(|(words, place)| {
        let said = match place {
            None => String::new(),
            Some("limit") => number(violation.limit),
            Some("actual") => number(violation.actual),
            Some("card") => names.first().cloned().unwrap_or_else(|| "?".to_owned()),
            Some(_) => some_of(&names, MOST),
        };
        said + words
    });
    told.collect()
}

#[cfg(test)]
mod tests {
    use super::wrong;

    #[test]
    fn what_stands_for_nothing_is_told() {
        assert_eq!(wrong("no braces, {card} and {limit}"), None);
        for text in ["{deck}", "a {card", "{}", "{ card }"] {
            assert!(wrong(text).is_some(), "{text}");
        }
    }
}
