//! A document as a tree of values with their places.
//!
//! The parser produces this one type, so that it is compiled once and not for every type of file.

use crate::text::Span;
use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, SeqAccess, Visitor};
use serde_yaml::{Error, Location, Options, Spanned};
use std::borrow::Cow;
use std::fmt;

/// A value of a document and its place.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(serde::Serialize))]
pub struct Node<'a> {
    /// The value.
    #[serde(borrow)]
    pub value: Value<'a>,
    /// The bytes of the value in the file.
    pub span: Span,
    /// The number of its line, from 1.
    pub line: u32,
    /// Whether it is a scalar that is no string: a number, a truth value or the like.
    pub bare: bool,
}

/// A value of a document.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(serde::Serialize))]
pub enum Value<'a> {
    /// Nothing: `null`, or no value at all.
    Null,
    /// A string, or another scalar as it is written: a card may be called `1984` or `No`.
    Text(#[serde(borrow)] Cow<'a, str>),
    /// A list.
    List(#[serde(borrow)] Vec<Node<'a>>),
    /// A mapping, in the order of the file. Its keys may repeat.
    Map(#[serde(borrow)] Vec<(Node<'a>, Node<'a>)>),
}

impl<'a> Node<'a> {
    /// Returns the value under these keys or list positions, as far as they exist.
    pub fn under<'n>(&'n self, keys: &[String]) -> &'n Node<'a> {
        let Some((first, rest)) = keys.split_first() else {
            return self;
        };
        let found = match &self.value {
            Value::Map(entries) => entries
                .iter()
                .find(|(key, _)| matches!(&key.value, Value::Text(text) if text == first))
                .map(|(_, value)| value),
            Value::List(items) => first.parse().ok().and_then(|at: usize| items.get(at)),
            Value::Text(_) | Value::Null => None,
        };
        found.map_or(self, |found| found.under(rest))
    }

    /// Returns the first key or single value with this text.
    pub fn spelling<'n>(&'n self, text: &str) -> Option<&'n Node<'a>> {
        match &self.value {
            Value::Null => None,
            Value::Text(own) => (own == text).then_some(self),
            Value::List(items) => items.iter().find_map(|item| item.spelling(text)),
            Value::Map(entries) => entries.iter().find_map(|(key, value)| {
                let here = key.spelling(text);
                here.or_else(|| value.spelling(text))
            }),
        }
    }
}

impl Value<'_> {
    /// The words for it.
    pub fn kind(&self) -> &'static str {
        match self {
            Value::Null => "nothing",
            Value::Text(_) => "a single value",
            Value::List(_) => "a list",
            Value::Map(_) => "a mapping",
        }
    }
}

/// The values of a YAML document; an empty one holds nothing.
///
/// # Errors
/// Text that is no YAML, or more than `options` allow.
pub fn document(source: &str, options: Options) -> Result<Node<'_>, Error> {
    match serde_yaml::from_str_with_options::<Spanned<Raw<'_>>>(source, options) {
        Ok(document) => Ok(node(document, source)),
        Err(Error::Eof { .. }) => {
            Ok(Node { value: Value::Null, span: Span::default(), line: 1, bare: false })
        }
        Err(error) => Err(error),
    }
}

/// A value as the parser gives it; the text of a scalar that is no string follows from its place.
enum Raw<'a> {
    Null,
    Scalar,
    Text(Cow<'a, str>),
    List(Vec<Spanned<Raw<'a>>>),
    Map(Vec<(Spanned<Raw<'a>>, Spanned<Raw<'a>>)>),
}

fn node<'a>(raw: Spanned<Raw<'a>>, source: &'a str) -> Node<'a> {
    let span = span_of(&raw.defined, source);
    let line = u32::try_from(raw.defined.line()).unwrap_or(u32::MAX).max(1);
    let bare = matches!(raw.value, Raw::Null | Raw::Scalar);
    let value = match raw.value {
        Raw::Null => match written(span, source) {
            "" | "~" | "null" => Value::Null,
            name => Value::Text(Cow::Borrowed(name)),
        },
        Raw::Scalar => Value::Text(Cow::Borrowed(written(span, source))),
        Raw::Text(text) => Value::Text(text),
        Raw::List(items) => Value::List(items.into_iter().map(|item| node(item, source)).collect()),
        Raw::Map(entries) => Value::Map(
            entries
                .into_iter()
                .map(|(key, value)| (node(key, source), node(value, source)))
                .collect(),
        ),
    };
    Node { value, span, line, bare }
}

fn written(span: Span, source: &str) -> &str {
    source.get(span.start..span.end).unwrap_or_default().trim()
}

/// Returns the bytes of a place that the parser reports.
pub(super) fn span_of(location: &Location, source: &str) -> Span {
    let within = |offset: u64| usize::try_from(offset).unwrap_or(usize::MAX).min(source.len());
    let span = location.span();
    match (span.byte_offset(), span.byte_len()) {
        (Some(start), Some(length)) => {
            Span::new(within(start), within(start.saturating_add(length)))
        }
        _ => Span::default(),
    }
}

impl<'a> Deserialize<'a> for Raw<'a> {
    fn deserialize<D: Deserializer<'a>>(parser: D) -> Result<Self, D::Error> {
        parser.deserialize_any(RawVisitor)
    }
}

struct RawVisitor;

macro_rules! scalars {
    ($($method:ident $type:ty)*) => {$(
        fn $method<E>(self, _: $type) -> Result<Raw<'a>, E> {
            Ok(Raw::Scalar)
        }
    )*};
}

impl<'a> Visitor<'a> for RawVisitor {
    type Value = Raw<'a>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    scalars! {
        visit_bool bool
        visit_i64 i64
        visit_u64 u64
        visit_i128 i128
        visit_u128 u128
        visit_f64 f64
    }

    fn visit_unit<E>(self) -> Result<Raw<'a>, E> {
        Ok(Raw::Null)
    }

    fn visit_borrowed_str<E>(self, text: &'a str) -> Result<Raw<'a>, E> {
        Ok(Raw::Text(Cow::Borrowed(text)))
    }

    fn visit_str<E>(self, text: &str) -> Result<Raw<'a>, E> {
        Ok(Raw::Text(Cow::Owned(text.to_owned())))
    }

    fn visit_seq<A: SeqAccess<'a>>(self, mut list: A) -> Result<Raw<'a>, A::Error> {
        let items = std::iter::from_fn(|| list.next_element().transpose());
        items.collect::<Result<_, _>>().map(Raw::List)
    }

    fn visit_map<A: MapAccess<'a>>(self, mut map: A) -> Result<Raw<'a>, A::Error> {
        let entries = std::iter::from_fn(|| map.next_entry().transpose());
        entries.collect::<Result<_, _>>().map(Raw::Map)
    }
}
