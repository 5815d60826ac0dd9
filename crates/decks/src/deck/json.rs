//! Decks in JSON.
//!
//! The parser checks the whole document once and returns parts of it as they are written; the start
//! of each in the source is its place. Mappings are read entry by entry, so that a key given twice
//! is found.

use super::SyntaxError;
use super::tree::{DEEPEST, MOST_VALUES};
use decklaw_text::text::Span;
use decklaw_text::yaml::{Node, Value};
use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::fmt;

/// The document's values and their places.
pub(super) fn document(source: &str) -> Result<Node<'_>, Vec<SyntaxError>> {
    let text = source.trim_matches([' ', '\t', '\n', '\r']);
    let parts = if text.starts_with(['[', '{']) {
        serde_json::from_str(source)
    } else {
        serde_json::from_str::<&RawValue>(source).map(|_| Parts::default())
    };
    let parts = parts.map_err(|error| vec![no_json(source, &error)])?;
    let mut builder = Builder { source, values: 0, line: 1, counted: 0 };
    let node = builder.node(text, parts, 0);
    node.map_err(|error| vec![error])
}

fn no_json(source: &str, error: &serde_json::Error) -> SyntaxError {
    let line_start = match error.line().checked_sub(2) {
        Some(nth) => memchr::memchr_iter(b'\n', source.as_bytes())
            .nth(nth)
            .map_or(source.len(), |end| end + 1),
        None => 0,
    };
    // The column counts bytes, and is 0 where the line before has just ended.
    let mut at = (line_start + error.column().saturating_sub(1)).min(source.len());
    while !source.is_char_boundary(at) {
        at -= 1;
    }
    let length = source[at..].chars().next().map_or(0, char::len_utf8);
    let span = Span::new(at, at + length);
    if error.is_eof() {
        let message = "The file ends in the middle of the JSON.";
        let help = "Close what is still open: `\"`, `]` or `}`.";
        return SyntaxError::at(source, span, message, help);
    }
    let error = error.to_string();
    let error = error.split(" at line ").next().unwrap_or_default();
    let help = match error {
        "trailing characters" => "Keep one deck in a file.",
        _ => "Export it again, or write the deck as plain text.",
    };
    SyntaxError::at(source, span, format!("This is not JSON: {error}."), help)
}

/// Builds the document's tree. Places are visited in the order of the file, so that lines
/// are counted once.
struct Builder<'a> {
    source: &'a str,
    values: usize,
    /// The line of the byte `counted`, from 1.
    line: u32,
    counted: usize,
}

impl<'a> Builder<'a> {
    fn node(
        &mut self,
        text: &'a str,
        parts: Parts<'a>,
        depth: usize,
    ) -> Result<Node<'a>, SyntaxError> {
        let start = text.as_ptr() as usize - self.source.as_ptr() as usize;
        let span = Span::new(start, start + text.len());
        let between = self.source.as_bytes().get(self.counted..start);
        let between = between.unwrap_or_default().iter();
        let lines = between.filter(|byte| **byte == b'\n').count();
        self.line = self.line.saturating_add(u32::try_from(lines).unwrap_or(u32::MAX));
        self.counted = start.max(self.counted);
        let line = self.line;
        let source = self.source;
        let wrong = |message: String, help: &str| {
            let start = Span::new(start, start + 1);
            Err(SyntaxError::at(source, start, message, help))
        };
        self.values += 1;
        if depth > DEEPEST {
            let message = "This is nested too deeply for a deck.".to_owned();
            return wrong(message, "A deck is a mapping from sections to lists of cards.");
        }
        if self.values > MOST_VALUES {
            let message = format!("There are more than {MOST_VALUES} values, too many for a deck.");
            return wrong(message, "A deck of that size can be read as text.");
        }
        let mut nodes = || -> Result<Vec<Node<'a>>, SyntaxError> {
            let mut nodes = Vec::with_capacity(parts.0.len());
            for part in &parts.0 {
                let text = part.get();
                nodes.push(self.node(text, Parts::of(text), depth + 1)?);
            }
            Ok(nodes)
        };
        let value = match text.as_bytes() {
            b"null" => Value::Null,
            [b'"', inner @ .., b'"'] if inner.iter().all(|byte| *byte != b'\\') => {
                Value::Text(Cow::Borrowed(&text[1..text.len() - 1]))
            }
            [b'"', ..] => match serde_json::from_str(text) {
                Ok(text) => Value::Text(Cow::Owned(text)),
                Err(_) => {
                    let message = "An escape in this text is not a character.".to_owned();
                    let help = "Write the character itself, or both halves of its escape.";
                    return wrong(message, help);
                }
            },
            [b'[', ..] => Value::List(nodes()?),
            [b'{', ..] => {
                let mut nodes = nodes()?.into_iter();
                let entries = std::iter::from_fn(|| Some((nodes.next()?, nodes.next()?)));
                Value::Map(entries.collect())
            }
            _ => Value::Text(Cow::Borrowed(text)),
        };
        let bare = !text.starts_with('"');
        Ok(Node { value, span, line, bare })
    }
}

/// The values of a list, or the keys and values of a mapping in turn. What is more than a deck can
/// have is left out.
#[derive(Default)]
struct Parts<'a>(Vec<&'a RawValue>);

impl<'a> Parts<'a> {
    /// Returns the parts of a valid value.
    fn of(text: &'a str) -> Parts<'a> {
        if text.starts_with(['[', '{']) {
            serde_json::from_str(text).unwrap_or_default()
        } else {
            Parts::default()
        }
    }

    fn push(&mut self, part: &'a RawValue) {
        if self.0.len() <= 2 * MOST_VALUES {
            self.0.push(part);
        }
    }
}

impl<'a> Deserialize<'a> for Parts<'a> {
    fn deserialize<D: Deserializer<'a>>(parser: D) -> Result<Self, D::Error> {
        parser.deserialize_any(Parts::default())
    }
}

impl<'a> Visitor<'a> for Parts<'a> {
    type Value = Parts<'a>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list or a mapping")
    }

    fn visit_seq<A: SeqAccess<'a>>(mut self, mut list: A) -> Result<Self, A::Error> {
        while let Some(value) = list.next_element()? {
            self.push(value);
        }
        Ok(self)
    }

    fn visit_map<A: MapAccess<'a>>(mut self, mut map: A) -> Result<Self, A::Error> {
        while let Some((key, value)) = map.next_entry()? {
            self.push(key);
            self.push(value);
        }
        Ok(self)
    }
}
