//! Decks in JSON.
//!
//! The parser checks the whole document once and hands out stretches of it as they are
//! written; where each begins in the source is its place. Mappings are read entry by entry,
//! so that a key given twice is seen.

use super::tree::{self, DEEPEST, MOST_VALUES};
use super::{Deck, SectionNames, SyntaxError};
use crate::text::Span;
use crate::yaml::{Node, Value};
use serde::de::{DeserializeSeed, Deserializer, Error as _, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::fmt;

/// Reads a deck in JSON. See [`super::read`].
pub(super) fn read<'a, 'f>(
    source: &'a str,
    names: &mut dyn FnMut(Option<&str>) -> Option<SectionNames<'f>>,
) -> Result<Deck<'a>, Vec<SyntaxError>> {
    tree::read(source, document(source)?, names)
}

/// The document's values and their places.
pub(super) fn document(source: &str) -> Result<Node<'_>, Vec<SyntaxError>> {
    let document =
        serde_json::from_str::<&RawValue>(source).map_err(|error| vec![no_json(source, &error)])?;
    let mut builder = Builder {
        source,
        values: 0,
        line: 1,
        counted: 0,
    };
    builder.node(document, 0).map_err(|error| vec![error])
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
        let help = "Close what is still open: `\"`, `]` or `}`.";
        return SyntaxError::at(
            source,
            span,
            "The file ends in the middle of the JSON.",
            help,
        );
    }
    let said = error.to_string();
    let said = said
        .rsplit_once(" at line ")
        .map_or(&*said, |(what, _)| what);
    let help = match said {
        "trailing characters" => "Keep one deck in a file.",
        _ => "Export it again, or write the deck as plain text.",
    };
    SyntaxError::at(source, span, format!("This is not JSON: {said}."), help)
}

/// Builds the document's tree. Places are visited in the order of the file, so that lines
/// are counted once.
struct Builder<'a> {
    source: &'a str,
    values: usize,
    /// The number of the line on which the byte `counted` stands.
    line: u32,
    counted: usize,
}

impl<'a> Builder<'a> {
    fn node(&mut self, raw: &'a RawValue, depth: usize) -> Result<Node<'a>, SyntaxError> {
        let text = raw.get();
        let start = text.as_ptr() as usize - self.source.as_ptr() as usize;
        let span = Span::new(start, start + text.len());
        let line = self.line_of(start);
        if depth > DEEPEST {
            let help = "A deck is a mapping from sections to lists of cards.";
            return Err(SyntaxError::at(
                self.source,
                Span::new(start, start + 1),
                "This is nested too deeply for a deck.",
                help,
            ));
        }
        self.values += 1;
        if self.values > MOST_VALUES {
            return Err(self.too_many(span));
        }
        let value = match text.as_bytes() {
            b"null" => Value::Null,
            [b'"', inner @ .., b'"'] if memchr::memchr(b'\\', inner).is_none() => {
                Value::Text(Cow::Borrowed(&text[1..text.len() - 1]))
            }
            [b'"', ..] => Value::Text(Cow::Owned(serde_json::from_str(text).map_err(|_| {
                let help = "Write the character itself, or both halves of its escape.";
                SyntaxError::at(
                    self.source,
                    span,
                    "This text has an escape that stands for no character.",
                    help,
                )
            })?)),
            [b'[', ..] => Value::List(self.list(text, span, depth)?),
            [b'{', ..] => Value::Map(self.map(text, span, depth)?),
            _ => Value::Text(Cow::Borrowed(text)),
        };
        Ok(Node {
            value,
            span,
            line,
            bare: !text.starts_with('"'),
        })
    }

    fn list(
        &mut self,
        text: &'a str,
        span: Span,
        depth: usize,
    ) -> Result<Vec<Node<'a>>, SyntaxError> {
        let entries = self.entries(text, span)?;
        entries
            .into_iter()
            .map(|(_, value)| self.node(value, depth + 1))
            .collect()
    }

    fn map(
        &mut self,
        text: &'a str,
        span: Span,
        depth: usize,
    ) -> Result<Vec<(Node<'a>, Node<'a>)>, SyntaxError> {
        let mut nodes = Vec::new();
        for (key, value) in self.entries(text, span)? {
            if let Some(key) = key {
                nodes.push((self.node(key, depth + 1)?, self.node(value, depth + 1)?));
            }
        }
        Ok(nodes)
    }

    /// The elements of a list, or the entries of a mapping.
    fn entries(
        &self,
        text: &'a str,
        span: Span,
    ) -> Result<Vec<(Option<&'a RawValue>, &'a RawValue)>, SyntaxError> {
        let mut parser = serde_json::Deserializer::from_str(text);
        let most = MOST_VALUES - self.values;
        Entries { most }
            .deserialize(&mut parser)
            .map_err(|_| self.too_many(span))
    }

    fn too_many(&self, span: Span) -> SyntaxError {
        let span = Span::new(span.start, span.start + 1);
        let message = format!("There are more than {MOST_VALUES} values, too many for a deck.");
        SyntaxError::at(
            self.source,
            span,
            message,
            "A deck of that size can be read as text.",
        )
    }

    fn line_of(&mut self, at: usize) -> u32 {
        let since = self
            .source
            .as_bytes()
            .get(self.counted..at)
            .unwrap_or_default();
        let lines = memchr::memchr_iter(b'\n', since).count();
        self.line = self
            .line
            .saturating_add(u32::try_from(lines).unwrap_or(u32::MAX));
        self.counted = at.max(self.counted);
        self.line
    }
}

/// Collects entries as they are written, and gives up when there are too many to be a deck.
struct Entries {
    most: usize,
}

impl<'a> DeserializeSeed<'a> for Entries {
    type Value = Vec<(Option<&'a RawValue>, &'a RawValue)>;

    fn deserialize<D: Deserializer<'a>>(self, parser: D) -> Result<Self::Value, D::Error> {
        parser.deserialize_any(self)
    }
}

impl<'a> Visitor<'a> for Entries {
    type Value = Vec<(Option<&'a RawValue>, &'a RawValue)>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list or a mapping")
    }

    fn visit_seq<A: SeqAccess<'a>>(self, mut list: A) -> Result<Self::Value, A::Error> {
        let mut entries = Vec::new();
        while let Some(value) = list.next_element::<&RawValue>()? {
            if entries.len() >= self.most {
                return Err(A::Error::custom("too many"));
            }
            entries.push((None, value));
        }
        Ok(entries)
    }

    fn visit_map<A: MapAccess<'a>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut entries = Vec::new();
        while let Some((key, value)) = map.next_entry::<&RawValue, &RawValue>()? {
            if entries.len() >= self.most {
                return Err(A::Error::custom("too many"));
            }
            entries.push((Some(key), value));
        }
        Ok(entries)
    }
}
