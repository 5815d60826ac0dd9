//! A deck in YAML or JSON: a mapping, read the same way from either.

use super::builder::Builder;
use super::{CardLine, Deck, HEADERS, SyntaxError, count, header, quoted};
pub(super) use decklaw_text::limits::tree::{DEEPEST, MOST_VALUES};
use decklaw_text::text::{Span, listed};
use decklaw_text::yaml::{Node, Value};
use std::borrow::Cow;
use std::collections::BTreeMap;

/// Takes the headers out of a document, and returns its sections.
pub(super) fn headers<'a>(
    builder: &mut Builder<'a, '_>,
    document: Node<'a>,
) -> Result<Vec<Entry<'a>>, Vec<SyntaxError>> {
    let source = builder.source;
    let Value::Map(entries) = document.value else {
        let message =
            format!("A deck is a mapping from keys to values; this is {}.", document.value.kind());
        let help = "Begin it with `format:` and `name:`, then each section with its list of cards, as in `main: [3 NAME]`.";
        return Err(vec![SyntaxError::at(source, document.span, message, help)]);
    };
    if let Some((span, schema)) = entries.iter().find_map(other_file) {
        let message = format!("This is not a deck: its `schema` is {}.", quoted(&schema));
        let help = "Decks have no `schema`. Keep files of games, lists and matches in other folders than decks.";
        return Err(vec![SyntaxError::at(source, span, message, help)]);
    }
    let is_saved_table =
        |(key, _): &&Entry<'a>| matches!(&key.value, Value::Text(word) if word == "ObjectStates");
    if let Some((key, _)) = entries.iter().find(is_saved_table) {
        let message = "This is a save of Tabletop Simulator, which has no list of its cards.";
        let help = "Copy the list from the program or the page that made the save.";
        return Err(vec![SyntaxError::at(source, key.span, message, help)]);
    }
    Ok(builder.headers(entries))
}

/// Reads the sections of a document, whose headers were read.
pub(super) fn read<'a>(
    mut builder: Builder<'a, '_>,
    sections: Vec<Entry<'a>>,
) -> Result<Deck<'a>, Vec<SyntaxError>> {
    builder.tree(sections);
    builder.finish()
}

/// What a document says that it is instead of a deck.
fn other_file<'a>((key, value): &Entry<'a>) -> Option<(Span, Cow<'a, str>)> {
    let (Value::Text(word), Value::Text(schema)) = (&key.value, &value.value) else {
        return None;
    };
    let is_other = word.trim() == "schema" && schema.starts_with("decklaw/");
    is_other.then(|| (value.span, schema.clone()))
}

/// A key and its value.
pub(super) type Entry<'a> = (Node<'a>, Node<'a>);

impl<'a> Builder<'a, '_> {
    /// Takes the headers out of the document's entries, and returns its sections.
    fn headers(&mut self, entries: Vec<Entry<'a>>) -> Vec<Entry<'a>> {
        let mut nested: Option<Vec<Entry<'a>>> = None;
        let mut sections = Vec::new();
        for (key, value) in entries {
            let Value::Text(word) = &key.value else {
                let help = "A key is `format`, `name` or another header, or a section's name.";
                self.wrong(key.span, "This key is not a word.", help);
                continue;
            };
            let word = word.trim();
            if let Some(at) = header(word) {
                if std::mem::replace(&mut self.seen[at], true) {
                    self.twice(key.span, word);
                } else if let Some((text, span)) = self.single(word, value) {
                    self.deck.set(at, text, span);
                }
            } else if !word.eq_ignore_ascii_case("sections") {
                sections.push((key, value));
            } else if nested.is_some() {
                self.twice(key.span, word);
            } else {
                nested = Some(Vec::new());
                match value.value {
                    Value::Map(entries) => nested = Some(entries),
                    Value::Null => {}
                    other => {
                        let message = format!("The value of `sections` is {}.", other.kind());
                        let help = "Write a mapping from each section to its list of cards.";
                        self.wrong(value.span, message, help);
                    }
                }
            }
        }
        let Some(nested) = nested else {
            return sections;
        };
        for (key, _) in sections {
            let message = "This key is next to `sections`, which holds all sections.";
            self.wrong(key.span, message, "Move it into `sections`.");
        }
        nested
    }

    /// Reads the sections and their cards.
    fn tree(&mut self, entries: Vec<Entry<'a>>) {
        let mut seen: BTreeMap<u16, Cow<'a, str>> = BTreeMap::new();
        for (key, value) in entries {
            let word = match key.value {
                Value::Text(word) => trimmed(word, key.span, self.source),
                _ => (Cow::Borrowed(""), key.span),
            };
            let (word, span) = word;
            if self.full() {
                return;
            }
            if word.is_empty() {
                let help = "A section is named by a word.";
                self.wrong(key.span, "This key is not a word.", help);
                continue;
            }
            let Some(section) = self.section(&word, span) else {
                let keys = HEADERS.map(|key| format!("`{}`", key.to_ascii_lowercase()));
                let others = format!("The other keys are {}.", listed(&keys, "and"));
                self.add_help(span, &others);
                continue;
            };
            if let Some(first) = seen.get(&section) {
                let mut message = format!("The section {} is given twice", quoted(&word));
                if *first != word {
                    message.push_str(&format!(": it is {} too", quoted(first)));
                }
                self.wrong(key.span, message + ".", "Put all its cards into one list.");
                continue;
            }
            seen.insert(section, word);
            match value.value {
                Value::List(items) => {
                    self.deck.lines.reserve(items.len());
                    for item in items {
                        if self.full() {
                            return;
                        }
                        self.item(section, item);
                    }
                }
                Value::Null => {}
                other => {
                    let kind = other.kind();
                    let message = format!("A section is a list of cards; this is {kind}.");
                    let help = "Write a list of items such as `3 NAME`, or of a `name` and a `count` each.";
                    self.wrong(value.span, message, help);
                }
            }
        }
    }

    fn item(&mut self, section: u16, item: Node<'a>) {
        let (count, name, span) = match item.value {
            Value::Text(text) => match count::card(text.trim()) {
                Ok((count, name)) => {
                    let span = place_of(name, item.span, self.source);
                    (count, within(&text, name), span)
                }
                Err(wrong) => return self.wrong_line(item.span, wrong),
            },
            Value::Map(entries) => match self.count_and_name(item.span, entries) {
                Some(card) => card,
                None => return,
            },
            other => {
                let kind = other.kind();
                let message =
                    format!("A card is `3 NAME`, or a `name` and a `count`; this is {kind}.");
                return self.wrong(item.span, message, "Write the count and the name.");
            }
        };
        if name.contains('\0') {
            let message = "The name has a NUL in it, which no text has.";
            return self.wrong(span, message, "Write the name without it.");
        }
        self.card_at(CardLine {
            section,
            count,
            name,
            span,
            digits: Span::default(),
            line: item.line,
        });
    }

    /// Reads an item of the shape `{name, count}`.
    fn count_and_name(
        &mut self,
        whole: Span,
        entries: Vec<Entry<'a>>,
    ) -> Option<(u32, Cow<'a, str>, Span)> {
        const KEYS: [&str; 2] = ["name", "count"];
        let mut found = [None, None];
        let errors = self.errors.len();
        for (key, value) in entries {
            let word = match &key.value {
                Value::Text(word) => word.trim(),
                _ => "",
            };
            let Some(at) = KEYS.iter().position(|key| word.eq_ignore_ascii_case(key)) else {
                let (message, help) = if count::looks_counted(word) {
                    let message =
                        "This card line is read as a key and a value, because of its colon.";
                    (message.to_owned(), "Put the whole line in quotes.")
                } else {
                    let message = format!("{} is not a key of a card.", quoted(word));
                    (message, "The keys are `name` and `count`.")
                };
                self.wrong(key.span, message, help);
                continue;
            };
            if found[at].is_some() {
                self.twice(key.span, word);
            } else {
                found[at] = self.single(word, value);
            }
        }
        if self.errors.len() > errors {
            return None;
        }
        let [name, count] = found;
        let (lacks, help) = match (name.filter(|(name, _)| !name.is_empty()), count) {
            (Some((name, span)), Some((count, at))) => match count::count(&count) {
                Ok(count) => return Some((count, name, span)),
                Err(wrong) => {
                    self.wrong_line(at, wrong);
                    return None;
                }
            },
            (None, _) => ("name", "Add one, as in `name: \"Moss Sprite\"`."),
            (Some(_), None) => ("count", "Add one, as in `count: 3`."),
        };
        self.wrong(whole, format!("This card has no `{lacks}`."), help);
        None
    }

    /// Returns the single value of a key, empty where it has none, and its place.
    fn single(&mut self, key: &str, value: Node<'a>) -> Option<(Cow<'a, str>, Span)> {
        match value.value {
            Value::Text(text) => Some(trimmed(text, value.span, self.source)),
            Value::Null => Some((Cow::Borrowed(""), value.span)),
            other => {
                let message = format!("The value of {} is {}.", quoted(key), other.kind());
                let help =
                    "Give it a single value; a section of that name belongs under `sections`.";
                self.wrong(value.span, message, help);
                None
            }
        }
    }

    fn twice(&mut self, span: Span, key: &str) {
        let message = format!("The key {} is given twice.", quoted(key));
        self.wrong(span, message, "Keep one of the two.");
    }
}

/// Returns a text without white space around it, and its place.
fn trimmed<'a>(text: Cow<'a, str>, span: Span, source: &str) -> (Cow<'a, str>, Span) {
    let part = text.trim();
    let span = place_of(part, span, source);
    (within(&text, part), span)
}

/// A part of a text, borrowed for as long as the text is.
fn within<'a>(text: &Cow<'a, str>, part: &str) -> Cow<'a, str> {
    if let Cow::Borrowed(whole) = text {
        let start = (part.as_ptr() as usize).wrapping_sub(whole.as_ptr() as usize);
        if let Some(part) = whole.get(start..start.saturating_add(part.len())) {
            return Cow::Borrowed(part);
        }
    }
    Cow::Owned(part.to_owned())
}

/// Returns the place of a part of a value in the source; that of the whole value where escapes or
/// line breaks hide the part.
fn place_of(part: &str, value: Span, source: &str) -> Span {
    /// Longer values are not searched.
    const LONGEST: usize = 1000;
    let start = (part.as_ptr() as usize).wrapping_sub(source.as_ptr() as usize);
    let end = start.saturating_add(part.len());
    if start >= value.start && end <= value.end {
        return Span::new(start, end);
    }
    let written = source.get(value.start..value.end).unwrap_or_default();
    let found = if written.len() > LONGEST || part.is_empty() { None } else { written.rfind(part) };
    found.map_or(value, |at| Span::new(value.start + at, value.start + at + part.len()))
}
