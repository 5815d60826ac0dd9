//! YAML's lists and mappings with a line for each item.

use super::tree::{Card, Changed, Document};
use super::{Edit, Unamendable, whole_line};
use crate::yaml::Node;
use std::ops::Range;

/// Takes items out of a list, and puts others below its last one.
pub(super) fn edit(
    document: &Document<'_>,
    section: &Changed<'_, '_>,
    edits: &mut Vec<Edit>,
) -> Result<(), Unamendable> {
    for at in &section.removed {
        let lines = lines(document, &section.items[*at])?;
        edits.push((lines, String::new()));
    }
    let Some(last) = section.items.last() else {
        return Ok(());
    };
    if section.added.is_empty() {
        return Ok(());
    }
    let below = lines(document, last)?;
    let indent = document.indent(below.start);
    let cards = section.added.iter();
    let cards = cards.map(|card| format!("{indent}- {}", document.card(card, Some(last), false)));
    insert(document, below.end, cards, edits);
    Ok(())
}

/// The lines of an item, its dash and what stands behind it included.
fn lines(document: &Document<'_>, item: &Node<'_>) -> Result<Range<usize>, Unamendable> {
    let start = whole_line(document.source, item.span.start).start;
    let before = &document.source[start..item.span.start];
    let dash = before.trim_start().strip_prefix('-');
    // Behind the dash an anchor or a tag may stand.
    let marks = |rest: &str| {
        rest.split_whitespace()
            .all(|mark| mark.starts_with(['&', '!']))
    };
    if !dash.is_some_and(marks) {
        return Err(Unamendable::at(
            item.line,
            "this card does not begin on the line of its own dash",
        ));
    }
    let end = document.end(item)?;
    Ok(start..whole_line(document.source, end).end)
}

/// Puts lines at the end of another one.
fn insert(
    document: &Document<'_>,
    at: usize,
    lines: impl Iterator<Item = String>,
    edits: &mut Vec<Edit>,
) {
    let newline = document.newline;
    let ended = at == 0 || document.source[..at].ends_with('\n');
    let lines: Vec<String> = lines.collect();
    let lines = lines.join(newline);
    let text = match ended {
        true => format!("{lines}{newline}"),
        false => format!("{newline}{lines}"),
    };
    edits.push((at..at, text));
}

/// Where the lines of an entry's key begin and end; an empty value that is written out goes.
fn cleared(
    document: &Document<'_>,
    key: &Node<'_>,
    value: &Node<'_>,
    edits: &mut Vec<Edit>,
) -> Result<Range<usize>, Unamendable> {
    let line = whole_line(document.source, key.span.start);
    let end = document.end(value)?;
    let refuse = |why: &str| Err(Unamendable::at(key.line, why));
    if !document.source[line.start..key.span.start]
        .trim()
        .is_empty()
    {
        return refuse("this key does not begin its line");
    }
    if end > line.end {
        return refuse("the empty list does not stand on the line of its key");
    }
    if value.span.start < end {
        let before = document.source[..value.span.start].trim_end_matches(' ');
        edits.push((before.len()..end, String::new()));
    }
    Ok(line)
}

/// Writes the cards of a section that has none.
pub(super) fn fill(
    document: &Document<'_>,
    section: &Changed<'_, '_>,
    edits: &mut Vec<Edit>,
) -> Result<(), Unamendable> {
    let line = cleared(document, section.key, section.list, edits)?;
    let indent = document.indent(line.start);
    insert(
        document,
        line.end,
        cards(document, indent, &section.added),
        edits,
    );
    Ok(())
}

/// A line for each card, below a key with this indent.
fn cards(document: &Document<'_>, indent: &str, cards: &[Card]) -> impl Iterator<Item = String> {
    cards
        .iter()
        .map(move |card| format!("{indent}  - {}", document.card(card, None, false)))
}

/// New sections, as lines with this indent.
fn sections(
    document: &Document<'_>,
    indent: &str,
    new: &[(&str, Vec<Card>)],
) -> impl Iterator<Item = String> {
    let mut lines = Vec::new();
    for (id, own) in new {
        lines.push(format!("{indent}{}:", document.key(id)));
        lines.extend(cards(document, indent, own));
    }
    lines.into_iter()
}

/// Puts new sections below the last entry of a mapping.
pub(super) fn enter(
    document: &Document<'_>,
    entries: &[(Node<'_>, Node<'_>)],
    new: &[(&str, Vec<Card>)],
    edits: &mut Vec<Edit>,
) -> Result<(), Unamendable> {
    let Some(((first, _), (_, last))) = entries.first().zip(entries.last()) else {
        return Err(Unamendable("it has no entry to stand below".to_owned()));
    };
    let start = whole_line(document.source, first.span.start).start;
    let indent = &document.source[start..first.span.start];
    if !indent.trim().is_empty() {
        return Err(Unamendable::at(
            first.line,
            "this key does not begin its line",
        ));
    }
    let end = whole_line(document.source, document.end(last)?).end;
    insert(document, end, sections(document, indent, new), edits);
    Ok(())
}

/// Puts the first sections below the key that is to hold them.
pub(super) fn begin(
    document: &Document<'_>,
    key: Option<&Node<'_>>,
    value: &Node<'_>,
    new: &[(&str, Vec<Card>)],
    edits: &mut Vec<Edit>,
) -> Result<(), Unamendable> {
    let Some(key) = key else {
        return Err(Unamendable("it has no mapping to stand in".to_owned()));
    };
    if document.is_json {
        return Err(Unamendable::at(key.line, "`sections` is null; write `{}`"));
    }
    let line = cleared(document, key, value, edits)?;
    let indent = format!("{}  ", document.indent(line.start));
    insert(document, line.end, sections(document, &indent, new), edits);
    Ok(())
}
