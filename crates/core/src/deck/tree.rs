//! A deck in YAML or JSON: a mapping, read the same way from either.

use super::builder::{Ask, Builder};
use super::{CardLine, Deck, HEADERS, SyntaxError, header, heading, line, quoted};
pub(super) use crate::limits::tree::{DEEPEST, MOST_VALUES};
use crate::name::fold;
use crate::text::{Span, listed};
use crate::yaml::{Node, Value};
use std::borrow::Cow;
use std::collections::HashMap;

/// Makes a deck of a document. See [`super::read`].
pub(super) fn read<'a, 'f>(
    source: &'a str,
    document: Node<'a>,
    ask: Ask<'_, 'f>,
) -> Result<Deck<'a>, Vec<SyntaxError>> {
    let Value::Map(entries) = document.value else {
        let message = format!(
            "A deck is a mapping from keys to values; this is {}.",
            document.value.kind()
        );
        let help = "Begin it with `format:` and `name:`, then each section with its list of cards, as in `main: [3 NAME]`.";
        return Err(vec![SyntaxError::at(source, document.span, message, help)]);
    };
    if let Some((span, schema)) = entries.iter().find_map(other_file) {
        let message = format!("This is no deck: its `schema` is {}.", quoted(&schema));
        let help = "Decks have no `schema`. Keep files of games, lists and matches in other folders than decks.";
        return Err(vec![SyntaxError::at(source, span, message, help)]);
    }
    let mut builder = Builder::new(source);
    let sections = builder.headers(entries);
    builder.ask(ask);
    builder.tree(sections);
    builder.finish()
}

/// What a document says that it is instead of a deck.
fn other_file<'a>((key, value): &Entry<'a>) -> Option<(Span, Cow<'a, str>)> {
    match (&key.value, &value.value) {
        (Value::Text(word), Value::Text(schema))
            if word.trim() == "schema" && schema.starts_with("decklaw/") =>
        {
            Some((value.span, schema.clone()))
        }
        _ => None,
    }
}

type Entry<'a> = (Node<'a>, Node<'a>);

impl<'a> Builder<'a, '_> {
    /// Takes the headers out of the document's entries; what is left are sections.
    fn headers(&mut self, entries: Vec<Entry<'a>>) -> Vec<Entry<'a>> {
        let mut nested: Option<Vec<Entry<'a>>> = None;
        let mut sections = Vec::new();
        for (key, value) in entries {
            let Value::Text(word) = &key.value else {
                let help = "A key is `format`, `name` or another header, or a section's name.";
                self.wrong(key.span, "This key is no word.", help);
                continue;
            };
            let word = word.trim();
            if let Some(at) = header(word) {
                let twice = std::mem::replace(&mut self.seen[at], true);
                match value.value {
                    _ if twice => self.twice(key.span, word),
                    Value::Null => {}
                    Value::Text(text) => {
                        let (text, span) = trimmed(text, value.span, self.source);
                        self.deck.set(at, text, span);
                    }
                    other => {
                        let message = format!("The value of {} is {}.", quoted(word), other.kind());
                        self.wrong(value.span, message, "Give it a single value; a section of that name belongs under `sections`.");
                    }
                }
            } else if word.eq_ignore_ascii_case("sections") {
                match value.value {
                    _ if nested.is_some() => self.twice(key.span, word),
                    Value::Map(entries) => nested = Some(entries),
                    Value::Null => nested = Some(Vec::new()),
                    other => {
                        let message = format!("The value of `sections` is {}.", other.kind());
                        self.wrong(
                            value.span,
                            message,
                            "Write a mapping from each section to its list of cards.",
                        );
                    }
                }
            } else {
                sections.push((key, value));
            }
        }
        let Some(nested) = nested else {
            return sections;
        };
        for (key, _) in &sections {
            let message = "This key stands beside `sections`, which holds all sections.";
            let keys = HEADERS.map(|key| format!("`{}`", key.to_ascii_lowercase()));
            let help = format!(
                "Move it into `sections`. The other keys are {}.",
                listed(&keys, "and")
            );
            self.wrong(key.span, message, help);
        }
        nested
    }

    /// Reads the sections and their cards.
    fn tree(&mut self, entries: Vec<Entry<'a>>) {
        let names = self.names;
        let known = HEADERS.map(str::to_ascii_lowercase);
        let mut seen: HashMap<String, Cow<'a, str>> = HashMap::new();
        for (key, value) in entries {
            if self.full() {
                return;
            }
            let Value::Text(text) = key.value else {
                self.wrong(
                    key.span,
                    "This key is no word.",
                    "A section is named by a word.",
                );
                continue;
            };
            let (word, span) = trimmed(text, key.span, self.source);
            let id = match names.find(&word) {
                Some(id) => Cow::Borrowed(id),
                None if word.is_empty() => {
                    self.wrong(
                        key.span,
                        "This key is empty.",
                        "A section is named by a word.",
                    );
                    continue;
                }
                None if names.open => Cow::Owned(fold(&word).into_owned()),
                None => {
                    let keys = HEADERS.map(|key| format!("`{}`", key.to_ascii_lowercase()));
                    let near = crate::name::nearest(
                        &fold(&word),
                        names
                            .names
                            .iter()
                            .map(|(name, _)| name.as_str())
                            .chain(known.iter().map(String::as_str)),
                    )
                    .first()
                    .map_or(String::new(), |near| {
                        format!("Did you mean {}? ", quoted(near))
                    });
                    let help = format!(
                        "{near}{} The other keys are {}.",
                        heading::sections(&names),
                        listed(&keys, "and")
                    );
                    self.wrong(
                        key.span,
                        format!("{} is no section of this format.", quoted(&word)),
                        help,
                    );
                    continue;
                }
            };
            if let Some(first) = seen.get(&*id) {
                let message = match **first == *word {
                    true => format!("The section {} is given twice.", quoted(&word)),
                    false => format!(
                        "The section {} is given twice: it is {} too.",
                        quoted(&word),
                        quoted(first)
                    ),
                };
                self.wrong(key.span, message, "Put all its cards into one list.");
                continue;
            }
            let Some(section) = self.enter(&id, span) else {
                return;
            };
            seen.insert(id.into_owned(), word);
            self.cards(section, value);
        }
    }

    fn cards(&mut self, section: u16, list: Node<'a>) {
        match list.value {
            Value::List(items) => {
                for item in items {
                    if self.full() {
                        return;
                    }
                    self.item(section, item);
                }
            }
            Value::Null => {}
            other => {
                let message = format!("A section is a list of cards; this is {}.", other.kind());
                self.wrong(
                    list.span,
                    message,
                    "Write a list of items such as `3 NAME`, or of a `name` and a `count` each.",
                );
            }
        }
    }

    fn item(&mut self, section: u16, item: Node<'a>) {
        let (count, name, span) = match item.value {
            Value::Text(text) => match line::item(&text) {
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
                let message = format!(
                    "A card is `3 NAME`, or a `name` and a `count`; this is {}.",
                    other.kind()
                );
                return self.wrong(item.span, message, "Write the count and the name.");
            }
        };
        if name.contains('\0') {
            return self.wrong(
                span,
                "The name has a NUL in it, which no text has.",
                "Write the name without it.",
            );
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
        let (mut name, mut count) = (None, None);
        let errors = self.errors.len();
        for (key, value) in entries {
            let word = match &key.value {
                Value::Text(word) => word.trim(),
                _ => "",
            };
            let slot = match word {
                _ if word.eq_ignore_ascii_case("name") => &mut name,
                _ if word.eq_ignore_ascii_case("count") => &mut count,
                _ if word.starts_with(|c: char| c.is_ascii_digit()) => {
                    let message =
                        "This card line is read as a key and a value, because of its colon.";
                    self.wrong(key.span, message, "Put the whole line in quotes.");
                    continue;
                }
                _ => {
                    let message = format!("{} is no key of a card.", quoted(word));
                    self.wrong(key.span, message, "The keys are `name` and `count`.");
                    continue;
                }
            };
            if slot.is_some() {
                self.twice(key.span, word);
                continue;
            }
            *slot = Some(match value.value {
                Value::Text(text) => trimmed(text, value.span, self.source),
                Value::Null => (Cow::Borrowed(""), value.span),
                other => {
                    let message = format!("The value of {} is {}.", quoted(word), other.kind());
                    self.wrong(value.span, message, "Give it a single value.");
                    continue;
                }
            });
        }
        if self.errors.len() > errors {
            return None;
        }
        let name = name.filter(|(name, _)| !name.is_empty());
        let (Some((name, span)), Some((count, at))) = (&name, &count) else {
            let (lacks, help) = match name {
                None => ("name", "Add one, as in `name: \"Moss Sprite\"`."),
                Some(_) => ("count", "Add one, as in `count: 3`."),
            };
            self.wrong(whole, format!("This card has no `{lacks}`."), help);
            return None;
        };
        match line::count(count) {
            Ok(count) => Some((count, name.clone(), *span)),
            Err(wrong) => {
                self.wrong_line(*at, wrong);
                None
            }
        }
    }

    fn twice(&mut self, span: Span, key: &str) {
        self.wrong(
            span,
            format!("The key {} is given twice.", quoted(key)),
            "Keep one of the two.",
        );
    }
}

/// A text without white space around it, and where that stands.
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

/// Where a part of a value stands in the source; the whole value where escapes or line
/// breaks make that hard to say.
fn place_of(part: &str, value: Span, source: &str) -> Span {
    /// Longer values are not searched.
    const LONGEST: usize = 1000;
    let start = (part.as_ptr() as usize).wrapping_sub(source.as_ptr() as usize);
    let end = start.saturating_add(part.len());
    if start >= value.start && end <= value.end {
        return Span::new(start, end);
    }
    let written = source.get(value.start..value.end).unwrap_or_default();
    let found = if written.len() > LONGEST || part.is_empty() {
        None
    } else {
        written.rfind(part)
    };
    found.map_or(value, |at| {
        Span::new(value.start + at, value.start + at + part.len())
    })
}
