//! From the tree of a document to what it means: a type of `serde`'s, or the first place that
//! does not fit it, told to a person who knows no Rust.

use super::access::{Entries, List, Placed, Variant};
use super::spanned::SPANNED;
use super::{Node, Problem, Value};
use crate::text::{Span, listed};
use serde::de::{DeserializeOwned, Deserializer, Error, Expected, Unexpected, Visitor};
use serde::forward_to_deserialize_any;
use std::fmt;
use std::str::FromStr;

/// What a document means.
///
/// # Errors
/// The first value that does not fit, and its place.
pub(super) fn of<T: DeserializeOwned>(document: &Node<'_>) -> Result<T, Problem> {
    T::deserialize(Reader(document)).map_err(|misfit| {
        let span = misfit.span.unwrap_or(document.span);
        Problem::new(misfit.message, span)
    })
}

/// A value that does not fit. The innermost value gives its place.
#[derive(Debug)]
pub(super) struct Misfit {
    message: String,
    span: Option<Span>,
}

impl Misfit {
    pub(super) fn at(mut self, node: &Node<'_>) -> Misfit {
        self.span.get_or_insert(node.span);
        self
    }

    /// The same with more words behind it.
    pub(super) fn more(mut self, words: &str) -> Misfit {
        self.message.push_str(words);
        self
    }
}

impl fmt::Display for Misfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Misfit {}

impl Error for Misfit {
    fn custom<T: fmt::Display>(message: T) -> Misfit {
        Misfit {
            message: message.to_string(),
            span: None,
        }
    }

    fn invalid_type(found: Unexpected<'_>, expected: &dyn Expected) -> Misfit {
        let found = match found {
            Unexpected::Seq => "a list".to_owned(),
            Unexpected::Map => "a mapping".to_owned(),
            Unexpected::Unit | Unexpected::Option => "nothing".to_owned(),
            Unexpected::Str(text) => quoted(text),
            Unexpected::Signed(number) => format!("`{number}`"),
            Unexpected::Unsigned(number) => format!("`{number}`"),
            Unexpected::Bool(flag) => format!("`{flag}`"),
            other => other.to_string(),
        };
        Misfit::custom(format_args!("this is {found}, and must be {expected}"))
    }

    fn invalid_value(found: Unexpected<'_>, expected: &dyn Expected) -> Misfit {
        Misfit::invalid_type(found, expected)
    }

    fn unknown_variant(variant: &str, expected: &'static [&'static str]) -> Misfit {
        none_of("value", variant, expected)
    }

    fn unknown_field(field: &str, expected: &'static [&'static str]) -> Misfit {
        none_of("key", field, expected)
    }

    fn missing_field(field: &'static str) -> Misfit {
        Misfit::custom(format_args!("the key `{field}` is missing"))
    }

    fn duplicate_field(field: &'static str) -> Misfit {
        Misfit::custom(format_args!("the key `{field}` is given twice"))
    }
}

#[cold]
fn none_of(what: &str, word: &str, known: &[&str]) -> Misfit {
    let near = crate::name::nearest(&crate::name::fold(word), known.iter().copied());
    let meant = near
        .first()
        .map_or(String::new(), |near| format!("; did you mean `{near}`?"));
    let known: Vec<String> = known.iter().map(|known| format!("`{known}`")).collect();
    let there = match known.len() {
        0 => "there is none".to_owned(),
        1 => format!("there is {}", known[0]),
        _ => format!("there are {}", listed(&known, "and")),
    };
    let word = quoted(word);
    Misfit::custom(format_args!(
        "there is no {what} {word} here{meant} ({there})"
    ))
}

/// A word of a file as a message quotes it, cut where it is long.
fn quoted(word: &str) -> String {
    const LONGEST: usize = 60;
    match word.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("`{}…`", &word[..end]),
        None => format!("`{word}`"),
    }
}

/// Gives a value to who asks for it.
#[derive(Clone, Copy)]
pub(super) struct Reader<'n>(pub(super) &'n Node<'n>);

impl<'n> Reader<'n> {
    /// The scalar's text.
    pub(super) fn text(self, wanted: &str) -> Result<&'n str, Misfit> {
        match &self.0.value {
            Value::Text(text) => Ok(text),
            other => Err(self.misfit(other.kind(), wanted)),
        }
    }

    #[cold]
    fn misfit(self, found: &str, wanted: &str) -> Misfit {
        Misfit::custom(format_args!("this is {found}, and must be {wanted}")).at(self.0)
    }

    fn number<N: FromStr>(self) -> Result<N, Misfit> {
        const WHOLE: &str = "a whole number";
        let text = self.text(WHOLE)?;
        text.parse().map_err(|_| match text.parse::<i128>() {
            Ok(_) => Misfit::custom(format_args!(
                "the number `{text}` is too large or too small"
            ))
            .at(self.0),
            Err(_) => self.misfit(&quoted(text), WHOLE),
        })
    }

    fn flag(self) -> Result<bool, Misfit> {
        const FLAG: &str = "`true` or `false`";
        let text = self.text(FLAG)?;
        truth(text).ok_or_else(|| self.misfit(&quoted(text), FLAG))
    }
}

/// A truth value, in the words that YAML has for it.
fn truth(text: &str) -> Option<bool> {
    let is = |words: &[&str]| words.iter().any(|word| word.eq_ignore_ascii_case(text));
    if is(&["true", "yes", "on"]) {
        Some(true)
    } else if is(&["false", "no", "off"]) {
        Some(false)
    } else {
        None
    }
}

macro_rules! numbers {
    ($($method:ident $visit:ident)*) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Misfit> {
            visitor.$visit(self.number()?).map_err(|misfit: Misfit| misfit.at(self.0))
        }
    )*};
}

impl<'de> Deserializer<'de> for Reader<'_> {
    type Error = Misfit;

    /// Whoever takes anything is told what a scalar is by how it is written.
    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Misfit> {
        match &self.0.value {
            Value::Null => visitor
                .visit_unit()
                .map_err(|misfit: Misfit| misfit.at(self.0)),
            Value::List(_) => self.deserialize_seq(visitor),
            Value::Map(_) => self.deserialize_map(visitor),
            Value::Text(text) => match (self.0.bare, text.parse::<i64>(), &**text) {
                (true, Ok(number), _) => visitor.visit_i64(number),
                (true, _, "true" | "false") => visitor.visit_bool(**text == *"true"),
                _ => visitor.visit_str(text),
            }
            .map_err(|misfit: Misfit| misfit.at(self.0)),
        }
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Misfit> {
        visitor.visit_bool(self.flag()?)
    }

    numbers! {
        deserialize_i8 visit_i8
        deserialize_i16 visit_i16
        deserialize_i32 visit_i32
        deserialize_i64 visit_i64
        deserialize_i128 visit_i128
        deserialize_u8 visit_u8
        deserialize_u16 visit_u16
        deserialize_u32 visit_u32
        deserialize_u64 visit_u64
        deserialize_u128 visit_u128
        deserialize_f32 visit_f32
        deserialize_f64 visit_f64
        deserialize_char visit_char
    }

    /// A scalar is its text, whatever it looks like. Who asks for text may take more than that.
    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Misfit> {
        match &self.0.value {
            Value::Text(text) => visitor
                .visit_str(text)
                .map_err(|misfit: Misfit| misfit.at(self.0)),
            _ => self.deserialize_any(visitor),
        }
    }

    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Misfit> {
        self.deserialize_str(visitor)
    }

    fn deserialize_identifier<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Misfit> {
        self.deserialize_str(visitor)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Misfit> {
        match self.0.value {
            Value::Null => visitor.visit_none(),
            _ => visitor.visit_some(self),
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, Misfit> {
        match name {
            SPANNED => visitor.visit_seq(Placed {
                node: self.0,
                given: 0,
            }),
            _ => visitor.visit_newtype_struct(self),
        }
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Misfit> {
        let items: &[Node<'_>] = match &self.0.value {
            Value::List(items) => items,
            // A key whose list is still to be written.
            Value::Null => &[],
            other => return Err(self.misfit(other.kind(), "a list")),
        };
        let list = List(items.iter());
        visitor.visit_seq(list).map_err(|misfit| misfit.at(self.0))
    }

    fn deserialize_tuple<V: Visitor<'de>>(
        self,
        length: usize,
        visitor: V,
    ) -> Result<V::Value, Misfit> {
        match &self.0.value {
            Value::List(items) if items.len() == length => self.deserialize_seq(visitor),
            other => Err(self.misfit(other.kind(), &format!("a list of {length}"))),
        }
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Misfit> {
        let entries: &[(Node<'_>, Node<'_>)] = match &self.0.value {
            Value::Map(entries) => entries,
            Value::Null => &[],
            other => {
                let wanted = "a mapping: keys with their values";
                return Err(self.misfit(other.kind(), wanted));
            }
        };
        let entries = Entries::new(entries);
        visitor
            .visit_map(entries)
            .map_err(|misfit| misfit.at(self.0))
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Misfit> {
        self.deserialize_map(visitor)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Misfit> {
        let (name, content) = match &self.0.value {
            Value::Text(_) => (self.0, None),
            Value::Map(entries) => match entries.as_slice() {
                [(key, value)] => (key, Some(value)),
                _ => {
                    return Err(self.misfit(
                        "a mapping of several keys",
                        "one of a single key; a second one is an entry of its own",
                    ));
                }
            },
            other => return Err(self.misfit(other.kind(), "a word, or a mapping of one key")),
        };
        let variant = Variant { name, content };
        visitor
            .visit_enum(variant)
            .map_err(|misfit| misfit.at(self.0))
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Misfit> {
        visitor.visit_unit()
    }

    forward_to_deserialize_any! {
        bytes byte_buf unit unit_struct tuple_struct
    }
}
