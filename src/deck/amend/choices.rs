//! A deck's file with other choices.

use super::{Edit, Unamendable, newline, patched, whole_line};
use crate::deck::write::{json_quoted, yaml_quoted};
use crate::deck::{Choices, Deck, Input};

/// Writes a deck's file again with other choices. `source` is the text that `deck` was read from
/// as `input`, less a byte order mark.
///
/// A choice is changed where it stands; in text, one that is new gets a line below the headers,
/// and the line of one that goes is taken out.
///
/// # Errors
/// A file format without a writer, and a choice of YAML or JSON that is not just changed.
pub fn declare(
    source: &str,
    input: Input,
    deck: &Deck<'_>,
    choices: &Choices,
) -> Result<String, Unamendable> {
    let before = deck.chosen();
    let mut edits: Vec<Edit> = Vec::new();
    for chosen in &deck.choices {
        let span = chosen.value.span;
        let wanted = choices.get(&*chosen.name);
        let written = source.get(span.start..span.end).unwrap_or_default();
        match (input, wanted) {
            (_, Some(wanted)) if *wanted == *chosen.value.value => {}
            (Input::Text, Some(wanted)) => {
                let at = written.find('=').map_or(written.len(), |at| at + 1);
                edits.push((span.start + at..span.end, wanted.clone()));
            }
            (Input::Text, None) => edits.push((whole_line(source, span.start), String::new())),
            (Input::Yaml, Some(wanted)) if !written.contains('=') => {
                edits.push((span.start..span.end, yaml_quoted(wanted).into_owned()));
            }
            (Input::Json, Some(wanted)) if !written.contains('=') => {
                edits.push((span.start..span.end, json_quoted(wanted)));
            }
            _ => return Err(in_text_only()),
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
        if input != Input::Text {
            return Err(in_text_only());
        }
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
    Ok(patched(source, edits))
}

fn in_text_only() -> Unamendable {
    Unamendable("a choice is added or taken out only in text".to_owned())
}
