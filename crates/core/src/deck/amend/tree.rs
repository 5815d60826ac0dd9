//! A deck in YAML or JSON with other numbers of copies: each change is made where it stands.

use super::{Edit, Step, Unamendable, block, flow, newline, patched, whole_line};
use crate::deck::tree::header_or_choices;
use crate::deck::write::{json_quoted, yaml_quoted};
use crate::deck::{Deck, Input, json, yaml};
use crate::text::Span;
use crate::yaml::{Node, Value};
use std::collections::HashSet;

/// A card that comes in: copies and name.
pub(super) type Card = (u64, String);

/// The document and what is needed to write into it.
pub(super) struct Document<'s> {
    pub(super) source: &'s str,
    pub(super) newline: &'static str,
    /// Whether it is JSON; YAML otherwise.
    pub(super) is_json: bool,
    /// Places that aliases repeat.
    shared: HashSet<Span>,
}

/// A section of the document and what becomes of it.
pub(super) struct Changed<'n, 's> {
    pub(super) key: &'n Node<'s>,
    pub(super) list: &'n Node<'s>,
    pub(super) items: &'n [Node<'s>],
    /// Which items go, by index.
    pub(super) removed: Vec<usize>,
    pub(super) added: Vec<Card>,
}

pub(super) fn amend(
    source: &str,
    input: Input,
    deck: &Deck<'_>,
    steps: &[Step<'_>],
) -> Result<String, Unamendable> {
    let root = root(source, input)?;
    let document = Document::of(source, input, &root);
    let is_json = document.is_json;
    let layout = Layout::of(&root);
    let mut sections: Vec<Changed<'_, '_>> = Vec::new();
    let mut first = Vec::new();
    let mut lines = 0;
    for (key, list) in layout.sections {
        let items: &[Node<'_>] = match &list.value {
            Value::List(items) => items,
            _ => &[],
        };
        first.push(lines);
        lines += items.len();
        sections.push(Changed {
            key,
            list,
            items,
            removed: Vec::new(),
            added: Vec::new(),
        });
    }
    if sections.len() != deck.sections.len() || lines != deck.lines.len() {
        return Err(Unamendable("its cards cannot be told apart".to_owned()));
    }
    let mut edits: Vec<Edit> = Vec::new();
    let mut new: Vec<(&str, Vec<Card>)> = Vec::new();
    for step in steps {
        match step {
            Step::Count(line, copies) => {
                let section = usize::from(deck.lines[*line].section);
                let own = &sections[section];
                let item = &own.items[*line - first[section]];
                document.own(&[&root, layout.container, own.list, item])?;
                let digits = document.digits(item, deck.lines[*line].count)?;
                edits.push((digits, copies.to_string()));
            }
            Step::Remove(line) => {
                let section = usize::from(deck.lines[*line].section);
                sections[section].removed.push(*line - first[section]);
            }
            Step::Add {
                section,
                copies,
                name,
            } => {
                let card = (*copies, name.clone());
                let known = deck.sections.iter().position(|known| known.id == *section);
                match (known, new.last_mut()) {
                    (Some(at), _) => sections[at].added.push(card),
                    (None, Some((id, cards))) if id == section => cards.push(card),
                    (None, _) => new.push((section, vec![card])),
                }
            }
        }
    }
    let touched =
        |section: &&Changed<'_, '_>| !section.removed.is_empty() || !section.added.is_empty();
    for section in sections.iter().filter(touched) {
        document.own(&[&root, layout.container, section.list])?;
        for at in &section.removed {
            document.own(&[&section.items[*at]])?;
        }
        match document.is_flow(section.list) {
            // An empty list of YAML becomes one with a line for each card.
            true if section.items.is_empty() && !is_json && !document.is_flow(layout.container) => {
                block::fill(&document, section, &mut edits)?;
            }
            true => flow::edit(&document, section, &mut edits)?,
            false if section.items.is_empty() && document.is_flow(layout.container) => {
                flow::fill(&document, section, &mut edits)?;
            }
            false if section.items.is_empty() => block::fill(&document, section, &mut edits)?,
            false => block::edit(&document, section, &mut edits)?,
        }
    }
    if !new.is_empty() {
        document.own(&[&root, layout.container])?;
        let (container, key) = (layout.container, layout.key);
        match &container.value {
            // Empty braces of YAML become a mapping with a line for each section.
            Value::Map(entries)
                if document.is_flow(container)
                    && (is_json || !entries.is_empty() || document.is_flow(&root)) =>
            {
                flow::enter(&document, container, entries, &new, &mut edits)?;
            }
            Value::Map(entries) if !entries.is_empty() => {
                block::enter(&document, entries, &new, &mut edits)?;
            }
            _ => block::begin(&document, key, container, &new, &mut edits)?,
        }
    }
    Ok(patched(source, edits))
}

/// The document that a file is.
pub(super) fn root(source: &str, input: Input) -> Result<Node<'_>, Unamendable> {
    let read = match input {
        Input::Json => json::document(source),
        _ => yaml::document(source),
    };
    read.map_err(|_| Unamendable("it cannot be read again".to_owned()))
}

/// Where the sections stand in a document.
struct Layout<'n, 's> {
    /// The mapping whose entries they are; where there are none yet, what is in its place.
    container: &'n Node<'s>,
    /// The key of that, where it is not the whole document.
    key: Option<&'n Node<'s>>,
    sections: Vec<(&'n Node<'s>, &'n Node<'s>)>,
}

impl<'n, 's> Layout<'n, 's> {
    fn of(root: &'n Node<'s>) -> Layout<'n, 's> {
        let entries = |node: &'n Node<'s>| match &node.value {
            Value::Map(entries) => entries.as_slice(),
            _ => &[],
        };
        let mut sections = Vec::new();
        for (key, value) in entries(root) {
            let Value::Text(word) = &key.value else {
                continue;
            };
            let word = word.trim();
            if header_or_choices(word).is_some() {
                continue;
            }
            if word.eq_ignore_ascii_case("sections") {
                return Layout {
                    container: value,
                    key: Some(key),
                    sections: entries(value)
                        .iter()
                        .map(|(key, list)| (key, list))
                        .collect(),
                };
            }
            sections.push((key, value));
        }
        Layout {
            container: root,
            key: None,
            sections,
        }
    }
}

impl<'s> Document<'s> {
    /// What is needed to write into a file.
    pub(super) fn of(source: &'s str, input: Input, root: &Node<'_>) -> Document<'s> {
        let mut document = Document {
            source,
            newline: newline(source),
            is_json: input == Input::Json,
            shared: HashSet::new(),
        };
        document.note_shared(root);
        document
    }
}

impl Document<'_> {
    fn note_shared(&mut self, node: &Node<'_>) {
        if node.alias {
            self.shared.insert(node.span);
        }
        match &node.value {
            Value::List(items) => items.iter().for_each(|item| self.note_shared(item)),
            Value::Map(entries) => {
                for (key, value) in entries {
                    self.note_shared(key);
                    self.note_shared(value);
                }
            }
            Value::Null | Value::Text(_) => {}
        }
    }

    /// Refuses what an alias repeats: a change in one place would be one in the other.
    pub(super) fn own(&self, nodes: &[&Node<'_>]) -> Result<(), Unamendable> {
        match nodes.iter().find(|node| self.shared.contains(&node.span)) {
            Some(node) => Err(Unamendable::at(
                node.line,
                "an alias (`*`) repeats what stands here, so that it cannot be changed in one place alone",
            )),
            None => Ok(()),
        }
    }

    /// Whether a list or mapping is written in brackets.
    pub(super) fn is_flow(&self, node: &Node<'_>) -> bool {
        matches!(node.value, Value::List(_) | Value::Map(_))
            && self.source[node.span.start..].starts_with(['[', '{'])
            && !node.span.is_empty()
    }

    /// Where a value ends, its closing bracket included.
    pub(super) fn end(&self, node: &Node<'_>) -> Result<usize, Unamendable> {
        if node.alias {
            let why = "an alias (`*`) stands for it among what is to be changed";
            return Err(Unamendable::at(node.line, why));
        }
        let last = match &node.value {
            Value::Null | Value::Text(_) => return Ok(node.span.end),
            Value::List(items) => items.last(),
            Value::Map(entries) => entries.last().map(|(_, value)| value),
        };
        let mut at = match last {
            Some(last) => self.end(last)?,
            None => node.span.start + usize::from(self.is_flow(node)),
        };
        if !self.is_flow(node) {
            return Ok(at);
        }
        loop {
            let rest = &self.source[at..];
            match rest.bytes().next() {
                Some(b']' | b'}') => return Ok(at + 1),
                Some(b' ' | b'\t' | b'\r' | b'\n' | b',' | b':') => at += 1,
                Some(b'#') if !self.is_json => at += rest.find('\n').unwrap_or(rest.len()),
                _ => {
                    return Err(Unamendable::at(
                        node.line,
                        "its brackets are not understood",
                    ));
                }
            }
        }
    }

    /// The digits of an item's count.
    fn digits(&self, item: &Node<'_>, count: u32) -> Result<std::ops::Range<usize>, Unamendable> {
        let written = match &item.value {
            Value::Map(entries) => {
                let is_count = |(key, _): &&(Node<'_>, Node<'_>)| matches!(&key.value, Value::Text(word) if word.trim().eq_ignore_ascii_case("count"));
                entries
                    .iter()
                    .find(is_count)
                    .map_or(item, |(_, value)| value)
            }
            _ => item,
        };
        self.own(&[written])?;
        let start = written.span.start;
        let whole = &self.source[start..written.span.end.max(start)];
        let text = whole
            .strip_prefix(['"', '\''])
            .unwrap_or(whole)
            .trim_start();
        let at = start + whole.len() - text.len();
        let length = text.bytes().take_while(u8::is_ascii_digit).count();
        match text[..length].parse::<u32>() {
            Ok(number) if number == count => Ok(at..at + length),
            _ => Err(Unamendable::at(
                written.line,
                "the count is not written in plain digits",
            )),
        }
    }

    /// A card as it is written into a list, as the list's last one is; `flow` where the list
    /// stands in brackets.
    pub(super) fn card(
        &self,
        (copies, name): &Card,
        like: Option<&Node<'_>>,
        flow: bool,
    ) -> String {
        let alike = like.and_then(|like| self.card_like(like, *copies, name, flow));
        alike.unwrap_or_else(|| self.quoted(&format!("{copies} {name}"), flow))
    }

    /// A card written as another one is, where that is of the shape `{name, count}`.
    fn card_like(&self, like: &Node<'_>, copies: u64, name: &str, flow: bool) -> Option<String> {
        let Value::Map(entries) = &like.value else {
            return None;
        };
        let (start, end) = (like.span.start, self.end(like).ok()?);
        let whole = self.source.get(start..end)?;
        // A comment, an anchor or a tag is about that card alone.
        if !self.is_json && whole.contains(['#', '&', '!']) {
            return None;
        }
        let flow = flow || self.is_flow(like);
        let mut edits = Vec::new();
        for (key, value) in entries {
            let Value::Text(word) = &key.value else {
                return None;
            };
            let place = value.span.start.checked_sub(start)?..value.span.end.checked_sub(start)?;
            let text = match word.trim().eq_ignore_ascii_case("name") {
                true => self.quoted(name, flow),
                false => copies.to_string(),
            };
            edits.push((place, text));
        }
        Some(patched(whole, edits))
    }

    /// A text as a scalar of the document.
    pub(super) fn quoted(&self, text: &str, flow: bool) -> String {
        if self.is_json {
            return json_quoted(text);
        }
        let quoted = yaml_quoted(text);
        match flow && quoted.contains(',') && !quoted.starts_with('"') {
            true => format!("\"{quoted}\""),
            false => quoted.into_owned(),
        }
    }

    /// A section's id as a key.
    pub(super) fn key(&self, id: &str) -> String {
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-';
        let bare = id.starts_with(|first: char| first.is_ascii_alphabetic())
            && id.bytes().all(plain)
            && id != "null";
        match bare && !self.is_json {
            true => id.to_owned(),
            false => self.quoted(id, true),
        }
    }

    /// The white space with which the line around a place begins.
    pub(super) fn indent(&self, at: usize) -> &str {
        let line = &self.source[whole_line(self.source, at)];
        &line[..line.len() - line.trim_start_matches([' ', '\t']).len()]
    }
}
