//! Lists and mappings in brackets: those of JSON, and YAML's flow style.

use super::tree::{Card, Changed, Document};
use super::{Edit, Unamendable};
use crate::yaml::{Node, Value};

/// Takes items out of a list, and puts others behind the last that stays.
pub(super) fn edit(
    document: &Document<'_>,
    section: &Changed<'_, '_>,
    edits: &mut Vec<Edit>,
) -> Result<(), Unamendable> {
    let items = section.items;
    let mut ends = Vec::new();
    for item in items {
        ends.push(document.end(item)?);
    }
    let start = |at: usize| items[at].span.start;
    let like = items.last();
    let cards = section.added.iter();
    let cards: Vec<String> = cards.map(|card| document.card(card, like, true)).collect();
    let Some(between) = between(
        document,
        section.list,
        items.first().map(|_| start(0)),
        || (items.len() > 1).then(|| ends[0]..start(1)),
    ) else {
        return fill(document, section, edits);
    };
    let kept: Vec<usize> = (0..items.len())
        .filter(|at| !section.removed.contains(at))
        .collect();
    let (Some(first), Some(last)) = (kept.first(), kept.last()) else {
        let mut range = start(0)..ends[items.len() - 1];
        if cards.is_empty() {
            range = section.list.span.start + 1..document.end(section.list)? - 1;
        }
        return cut(document, section, range, cards.join(&between), edits);
    };
    if *first > 0 {
        cut(
            document,
            section,
            start(0)..start(*first),
            String::new(),
            edits,
        )?;
    }
    for at in section.removed.iter().filter(|at| *at > first) {
        cut(
            document,
            section,
            ends[at - 1]..ends[*at],
            String::new(),
            edits,
        )?;
    }
    let new: Vec<String> = cards
        .iter()
        .map(|card| format!("{between}{card}"))
        .collect();
    edits.push((ends[*last]..ends[*last], new.concat()));
    Ok(())
}

/// Takes out a stretch; in YAML comments may stand in it, which must stay.
fn cut(
    document: &Document<'_>,
    section: &Changed<'_, '_>,
    range: std::ops::Range<usize>,
    text: String,
    edits: &mut Vec<Edit>,
) -> Result<(), Unamendable> {
    let has_comment = || {
        let lines = document.source[range.clone()].lines();
        let mut lines = lines.map(|line| line.trim_start().starts_with('#') || line.contains(" #"));
        lines.any(|comment| comment)
    };
    if !document.is_json && has_comment() {
        return Err(Unamendable::at(
            section.list.line,
            "a comment stands among the cards in brackets, and would be lost",
        ));
    }
    edits.push((range, text));
    Ok(())
}

/// What stands between two items of a list or mapping: the first such stretch, or, of a single
/// item, a comma and what stands before that. `None`: there is no item.
fn between(
    document: &Document<'_>,
    list: &Node<'_>,
    first: Option<usize>,
    gap: impl FnOnce() -> Option<std::ops::Range<usize>>,
) -> Option<String> {
    let first = first?;
    let plain = |text: &str| !text.contains('#');
    let found = match gap() {
        Some(gap) => document.source[gap].to_owned(),
        None => {
            let lead = &document.source[list.span.start + 1..first];
            match lead.contains('\n') {
                true => format!(",{lead}"),
                false => ", ".to_owned(),
            }
        }
    };
    Some(found)
        .filter(|found| plain(found))
        .or_else(|| Some(", ".to_owned()))
}

/// Writes the cards of a section that has none.
pub(super) fn fill(
    document: &Document<'_>,
    section: &Changed<'_, '_>,
    edits: &mut Vec<Edit>,
) -> Result<(), Unamendable> {
    let list = section.list;
    let end = document.end(list)?;
    if list.span.start == end {
        return Err(Unamendable::at(
            section.key.line,
            "this section has no list yet; write `[]` behind its colon",
        ));
    }
    let text = cards(document, section.key.span.start, &section.added);
    cut(document, section, list.span.start..end, text, edits)
}

/// A list of cards, whose key stands at a place: in lines where the document is.
fn cards(document: &Document<'_>, key: usize, cards: &[Card]) -> String {
    let many_lines = document.source.trim_end().contains('\n');
    listed(
        document,
        cards,
        (document.is_json && many_lines).then(|| document.indent(key)),
    )
}

/// A list of cards, each in a line of its own where the indent of its key is given.
fn listed(document: &Document<'_>, cards: &[Card], indent: Option<&str>) -> String {
    let cards: Vec<String> = cards
        .iter()
        .map(|card| document.card(card, None, true))
        .collect();
    match indent {
        Some(indent) => {
            let (newline, unit) = (document.newline, unit(indent));
            let lead = format!("{newline}{indent}{unit}");
            let cards = cards.join(&format!(",{lead}"));
            format!("[{lead}{cards}{newline}{indent}]")
        }
        None => format!("[{}]", cards.join(", ")),
    }
}

/// One level of indentation.
fn unit(indent: &str) -> &'static str {
    if indent.starts_with('\t') { "\t" } else { "  " }
}

/// Puts new sections behind the last entry of a mapping.
pub(super) fn enter(
    document: &Document<'_>,
    container: &Node<'_>,
    entries: &[(Node<'_>, Node<'_>)],
    new: &[(&str, Vec<Card>)],
    edits: &mut Vec<Edit>,
) -> Result<(), Unamendable> {
    let start = container.span.start;
    let Some((first, (last_key, last))) = entries.first().zip(entries.last()) else {
        // `{}`: in lines where JSON is.
        let end = document.end(container)?;
        let indent = document.indent(start);
        let many_lines = document.is_json && document.source.trim_end().contains('\n');
        let inner = format!("{indent}{}", unit(indent));
        let each = new.iter().map(|(id, cards)| {
            let list = listed(document, cards, many_lines.then_some(inner.as_str()));
            format!("{}: {list}", document.key(id))
        });
        let each: Vec<String> = each.collect();
        let newline = document.newline;
        edits.push((
            start..end,
            match many_lines {
                true => {
                    let each = each.join(&format!(",{newline}{inner}"));
                    format!("{{{newline}{inner}{each}{newline}{indent}}}")
                }
                false => format!("{{{}}}", each.join(", ")),
            },
        ));
        return Ok(());
    };
    if matches!(last.value, Value::Null) && last.span.is_empty() {
        let why = "this key has no value yet, so that nothing can be put behind it";
        return Err(Unamendable::at(last_key.line, why));
    }
    let gap = match entries {
        [(_, value), (key, _), ..] => Some(document.end(value)?..key.span.start),
        _ => None,
    };
    let between = between(document, container, Some(first.0.span.start), || gap);
    let between = between.unwrap_or_default();
    let indent = between.rsplit_once('\n').map(|(_, indent)| indent);
    let at = document.end(last)?;
    for (id, cards) in new {
        let list = listed(document, cards, indent.filter(|_| document.is_json));
        let text = format!("{between}{}: {list}", document.key(id));
        edits.push((at..at, text));
    }
    Ok(())
}
