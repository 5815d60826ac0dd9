//! A deck in text with other choices.

use super::{Edit, newline, patched, whole_line};
use crate::deck::{Choices, Deck};

/// Writes a deck in text again with other choices. `source` is what `deck` was read from, less a
/// byte order mark.
///
/// A choice is changed where it stands; one that is new stands behind the others, or below the
/// headers, and what is written of one that goes is taken out.
pub fn declare(source: &str, deck: &Deck<'_>, choices: &Choices) -> String {
    let before = deck.chosen();
    let mut edits: Vec<Edit> = Vec::new();
    for chosen in &deck.choices {
        let span = chosen.value.span;
        let written = source.get(span.start..span.end).unwrap_or_default();
        match choices.get(&*chosen.name) {
            Some(wanted) if *wanted == *chosen.value.value => {}
            Some(wanted) => {
                let at = written.find('=').map_or(written.len(), |at| at + 1);
                edits.push((span.start + at..span.end, wanted.clone()));
            }
            None => edits.push((whole_line(source, span.start), String::new())),
        }
    }
    let new = choices
        .iter()
        .filter(|(name, _)| !before.contains_key(*name));
    let newline = newline(source);
    let new: String = new
        .map(|(name, value)| format!("Choice: {name}={value}{newline}"))
        .collect();
    if !new.is_empty() {
        let own = [&deck.format, &deck.name, &deck.player];
        let own = own.into_iter().flatten().map(|header| header.span.end);
        let remarks = deck.remarks.iter().map(|(_, remark)| remark.span.end);
        let choices = deck.choices.iter().map(|chosen| chosen.value.span.end);
        match own.chain(remarks).chain(choices).max() {
            Some(last) => {
                let end = whole_line(source, last).end;
                let begin = match source[..end].ends_with('\n') {
                    true => "",
                    false => newline,
                };
                edits.push((end..end, format!("{begin}{new}")));
            }
            None => edits.push((0..0, format!("{new}{newline}"))),
        }
    }
    patched(source, edits)
}
