//! The choices of a deck in YAML or JSON: each change is made where it stands.

use super::tree::{Document, root};
use super::{Edit, Unamendable, patched, whole_line};
use crate::deck::tree::header_or_choices;
use crate::deck::{CHOICE, Choices, Input};
use crate::name::fold;
use crate::yaml::{Node, Value};
use std::ops::Range;

/// An entry of a mapping.
type Entry<'s> = (Node<'s>, Node<'s>);

/// A choice as it stands in the document.
struct Written<'n, 's> {
    /// Its name as choices have it; `None`: it goes whatever it is.
    name: Option<String>,
    /// The scalar that tells the value, alone or behind `NAME=`.
    value: &'n Node<'s>,
    /// The stretch of the whole choice.
    whole: Range<usize>,
    /// Whether the scalar holds the name, too.
    both: bool,
    /// Whether nothing else stands in the item of the list, or in the mapping's line.
    alone: bool,
}

/// Writes a document again with other choices. `before` is what it declares.
pub(super) fn declare(
    source: &str,
    input: Input,
    before: &Choices,
    choices: &Choices,
) -> Result<String, Unamendable> {
    let root = root(source, input)?;
    let document = Document::of(source, input, &root);
    let Value::Map(entries) = &root.value else {
        return Err(Unamendable("it is no mapping".to_owned()));
    };
    document.own(&[&root])?;
    let is_choices = |(key, _): &Entry<'_>| matches!(&key.value, Value::Text(word) if header_or_choices(word.trim()) == Some(CHOICE));
    let mut edits = Vec::new();
    match (entries.iter().position(is_choices), choices.is_empty()) {
        _ if before == choices => {}
        (None, _) => enter(&document, &root, entries, choices, &mut edits)?,
        (Some(at), true) => leave(&document, &root, entries, at, &mut edits)?,
        (Some(at), false) => change(&document, &entries[at], before, choices, &mut edits)?,
    }
    Ok(patched(source, edits))
}

/// Choices in braces.
fn braces(document: &Document<'_>, choices: &Choices) -> String {
    let each = choices
        .iter()
        .map(|(name, value)| pair(document, name, value, true));
    let each: Vec<String> = each.collect();
    format!("{{{}}}", each.join(", "))
}

fn pair(document: &Document<'_>, name: &str, value: &str, flow: bool) -> String {
    format!("{}: {}", document.key(name), document.quoted(value, flow))
}

/// Puts an entry for choices below the headers.
fn enter(
    document: &Document<'_>,
    root: &Node<'_>,
    entries: &[Entry<'_>],
    choices: &Choices,
    edits: &mut Vec<Edit>,
) -> Result<(), Unamendable> {
    let text = format!("{}: {}", document.key("choices"), braces(document, choices));
    let is_header = |(key, _): &Entry<'_>| matches!(&key.value, Value::Text(word) if header_or_choices(word.trim()).is_some());
    let last = entries.iter().rposition(is_header);
    let Some((first, _)) = entries.first() else {
        return Err(Unamendable("it has no entry to stand beside".to_owned()));
    };
    if document.is_flow(root) {
        // What stands between the bracket and the first entry stands between any two.
        let lead = &document.source[root.span.start + 1..first.span.start];
        let lead = if lead.contains(['\n', '#']) {
            lead
        } else {
            " "
        };
        match last {
            Some(last) => {
                let end = document.end(&entries[last].1)?;
                edits.push((end..end, format!(",{lead}{text}")));
            }
            None => edits.push((first.span.start..first.span.start, format!("{text},{lead}"))),
        }
        return Ok(());
    }
    let newline = document.newline;
    let start = whole_line(document.source, first.span.start).start;
    let indent = &document.source[start..first.span.start];
    if !indent.trim().is_empty() {
        return Err(Unamendable::at(
            first.line,
            "this key does not begin its line",
        ));
    }
    let at = match last {
        Some(last) => whole_line(document.source, document.end(&entries[last].1)?).end,
        None => start,
    };
    let ended = at == 0 || document.source[..at].ends_with('\n');
    edits.push((
        at..at,
        match ended {
            true => format!("{indent}{text}{newline}"),
            false => format!("{newline}{indent}{text}"),
        },
    ));
    Ok(())
}

/// Takes out the entry of the choices.
fn leave(
    document: &Document<'_>,
    root: &Node<'_>,
    entries: &[Entry<'_>],
    at: usize,
    edits: &mut Vec<Edit>,
) -> Result<(), Unamendable> {
    let (key, value) = &entries[at];
    document.own(&[key, value])?;
    let end = document.end(value)?;
    let range = match (document.is_flow(root), entries.get(at + 1)) {
        (true, Some((next, _))) => key.span.start..next.span.start,
        (true, None) if at > 0 => document.end(&entries[at - 1].1)?..end,
        (true, None) => key.span.start..end,
        (false, _) => {
            whole_line(document.source, key.span.start).start..whole_line(document.source, end).end
        }
    };
    edits.push((range, String::new()));
    Ok(())
}

/// Changes the entry of the choices.
fn change(
    document: &Document<'_>,
    (key, value): &Entry<'_>,
    before: &Choices,
    choices: &Choices,
    edits: &mut Vec<Edit>,
) -> Result<(), Unamendable> {
    document.own(&[key, value])?;
    let written = written(document, value, before)?;
    let kept = |one: &Written<'_, '_>| {
        one.name
            .as_ref()
            .is_some_and(|name| choices.contains_key(name))
    };
    let new: Vec<(&String, &String)> = choices
        .iter()
        .filter(|(name, _)| !before.contains_key(*name))
        .collect();
    let same = new.is_empty() && written.iter().all(kept);
    if !same && document.is_flow(value) {
        // In brackets they are written anew.
        let range = value.span.start..document.end(value)?;
        if !document.is_json && document.source[range.clone()].contains('#') {
            let why = "a comment stands among the choices in brackets, and would be lost";
            return Err(Unamendable::at(value.line, why));
        }
        edits.push((range, braces(document, choices)));
        return Ok(());
    }
    for one in &written {
        document.own(&[one.value])?;
        let wanted = one
            .name
            .as_ref()
            .and_then(|name| Some((name, choices.get(name)?)));
        let now = one.name.as_ref().and_then(|name| before.get(name));
        match wanted {
            Some((_, wanted)) if Some(wanted) == now => {}
            Some((name, wanted)) => {
                let text = if one.both {
                    format!("{name}={wanted}")
                } else {
                    wanted.clone()
                };
                let range = one.value.span.start..one.value.span.end;
                edits.push((range, document.quoted(&text, document.is_flow(value))));
            }
            None if one.alone => {
                let start = whole_line(document.source, one.whole.start).start;
                let end = whole_line(document.source, one.whole.end).end;
                edits.push((start..end, String::new()));
            }
            None => {
                let why = "this choice stands in one line with others";
                return Err(Unamendable::at(one.value.line, why));
            }
        }
    }
    let Some(last) = written.last().filter(|_| !new.is_empty()) else {
        return Ok(());
    };
    let dash = if matches!(value.value, Value::List(_)) {
        "- "
    } else {
        ""
    };
    let line = whole_line(document.source, last.whole.end);
    let indent = document.indent(written[0].whole.start);
    let newline = document.newline;
    let lines = new.iter().map(|(name, value)| {
        let pair = pair(document, name, value, false);
        format!("{indent}{dash}{pair}{newline}")
    });
    let begin = match document.source[..line.end].ends_with('\n') {
        true => "",
        false => newline,
    };
    edits.push((
        line.end..line.end,
        begin.to_owned() + &lines.collect::<String>(),
    ));
    Ok(())
}

/// The choices of an entry, in order.
fn written<'n, 's>(
    document: &Document<'_>,
    value: &'n Node<'s>,
    before: &Choices,
) -> Result<Vec<Written<'n, 's>>, Unamendable> {
    let named = |name: &str| {
        let folded = fold(name);
        before.keys().find(|known| fold(known) == folded).cloned()
    };
    let mut all = Vec::new();
    let mut pairs = |entries: &'n [Entry<'s>], alone: bool| -> Result<(), Unamendable> {
        for (key, value) in entries {
            let Value::Text(name) = &key.value else {
                return Err(Unamendable::at(key.line, "this key is no word"));
            };
            let line = whole_line(document.source, key.span.start);
            let first = document.source[line.start..key.span.start].trim();
            all.push(Written {
                name: named(name),
                value,
                whole: key.span.start..document.end(value)?,
                both: false,
                alone: alone && matches!(first, "" | "-"),
            });
        }
        Ok(())
    };
    match &value.value {
        Value::Map(entries) => pairs(entries, true)?,
        Value::List(items) => {
            for item in items {
                match &item.value {
                    Value::Map(entries) => pairs(entries, entries.len() == 1)?,
                    Value::Text(_) => {}
                    _ => return Err(Unamendable::at(item.line, "this is no choice")),
                }
            }
            for item in items {
                if let Value::Text(text) = &item.value {
                    let name = text.split_once('=').and_then(|(name, _)| named(name));
                    all.push(Written {
                        name,
                        value: item,
                        whole: item.span.start..item.span.end,
                        both: true,
                        alone: true,
                    });
                }
            }
        }
        Value::Null => {}
        Value::Text(_) => return Err(Unamendable::at(value.line, "these are no choices")),
    }
    all.sort_by_key(|one| one.whole.start);
    Ok(all)
}
