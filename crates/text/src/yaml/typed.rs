//! Deserializes a document's tree into a type, with messages for people who know no Rust.

use super::spanned::SPANNED;
use super::{Node, Problem, Value};
use crate::text::{Span, listed};
use serde::de::value::{MapAccessDeserializer, MapDeserializer, SeqDeserializer, StrDeserializer};
use serde::de::{
    DeserializeOwned, Deserializer, Error, Expected, IntoDeserializer, Unexpected, Visitor,
};
use serde::forward_to_deserialize_any;
use std::fmt;
use std::str::FromStr;

/// Deserializes a document.
///
/// # Errors
/// The first value that does not fit, with its place.
pub(super) fn of<T: DeserializeOwned>(document: &Node<'_>) -> Result<T, Problem> {
    T::deserialize(Reader(document)).map_err(|misfit| {
        let span = misfit.span.unwrap_or(document.span);
        Problem::new(misfit.message, span)
    })
}

/// A value that does not fit. The innermost value gives its place.
#[derive(Debug)]
struct Misfit {
    message: String,
    span: Option<Span>,
}

impl Misfit {
    fn at(mut self, node: &Node<'_>) -> Misfit {
        self.span.get_or_insert(node.span);
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
        Misfit { message: message.to_string(), span: None }
    }

    fn invalid_type(found: Unexpected<'_>, expected: &dyn Expected) -> Misfit {
        let found = match found {
            // A word where serde expects a variant with content.
            Unexpected::UnitVariant => {
                return Misfit::custom("this needs a value, as in `key: value`");
            }
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
        let mut misfit = none_of("key", field, expected);
        // The part of a text behind a comma is read as a key of its own.
        if field.contains(' ') {
            let help = "; within braces, put a text that has a comma in quotation marks";
            misfit.message.push_str(help);
        }
        misfit
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
    let meant = near.first().map_or(String::new(), |near| format!("; did you mean `{near}`?"));
    let known: Vec<String> = known.iter().map(|known| format!("`{known}`")).collect();
    let there = match known.len() {
        0 => "there is none".to_owned(),
        1 => format!("there is {}", known[0]),
        _ => format!("there are {}", listed(&known, "and")),
    };
    let word = quoted(word);
    Misfit::custom(format_args!("there is no {what} {word} here{meant} ({there})"))
}

/// A word of a file as a message quotes it, cut where it is long.
fn quoted(word: &str) -> String {
    const LONGEST: usize = 60;
    match word.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("`{}…`", &word[..end]),
        None => format!("`{word}`"),
    }
}

/// The deserializer of a value.
#[derive(Clone, Copy)]
struct Reader<'n>(&'n Node<'n>);

impl<'de> IntoDeserializer<'de, Misfit> for Reader<'_> {
    type Deserializer = Self;

    fn into_deserializer(self) -> Self {
        self
    }
}

impl<'n> Reader<'n> {
    fn text(self, wanted: &str) -> Result<&'n str, Misfit> {
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
            Ok(_) => Misfit::custom(format_args!("the number `{text}` is too large or too small"))
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

    /// The kind of a scalar follows from how it is written.
    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Misfit> {
        match &self.0.value {
            Value::Null => visitor.visit_unit().map_err(|misfit: Misfit| misfit.at(self.0)),
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

    /// A scalar is its text, whatever it looks like. A visitor that asks for text may accept other
    /// values too.
    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Misfit> {
        match &self.0.value {
            Value::Text(text) => {
                visitor.visit_str(text).map_err(|misfit: Misfit| misfit.at(self.0))
            }
            _ => self.deserialize_any(visitor),
        }
    }

    /// Text and nothing else: what asks for it is compiled without lists and mappings.
    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Misfit> {
        match &self.0.value {
            Value::Text(text) => visitor.visit_str(text),
            Value::Null => Err(Misfit::invalid_type(Unexpected::Unit, &visitor)),
            Value::List(_) => Err(Misfit::invalid_type(Unexpected::Seq, &visitor)),
            Value::Map(_) => Err(Misfit::invalid_type(Unexpected::Map, &visitor)),
        }
        .map_err(|misfit| misfit.at(self.0))
    }

    fn deserialize_identifier<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Misfit> {
        self.deserialize_string(visitor)
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
        if name != SPANNED {
            return visitor.visit_newtype_struct(self);
        }
        let Span { start, end } = self.0.span;
        let place: SeqDeserializer<_, Misfit> = SeqDeserializer::new([start, end].into_iter());
        visitor.visit_map(MapDeserializer::new(std::iter::once((place, self))))
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Misfit> {
        let items: &[Node<'_>] = match &self.0.value {
            Value::List(items) => items,
            // A key whose list is still to be written.
            Value::Null => &[],
            other => return Err(self.misfit(other.kind(), "a list")),
        };
        let list = SeqDeserializer::new(items.iter().map(Reader));
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
        let entries: Entries<'_> = match &self.0.value {
            Value::Map(entries) => entries,
            Value::Null => &[],
            other => {
                let wanted = "a mapping: keys with their values";
                return Err(self.misfit(other.kind(), wanted));
            }
        };
        visitor.visit_map(entries_of(entries)).map_err(|misfit| misfit.at(self.0))
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
        match &self.0.value {
            Value::Text(text) => visitor.visit_enum(StrDeserializer::<Misfit>::new(text)),
            Value::Map(entries) if entries.len() == 1 => {
                visitor.visit_enum(MapAccessDeserializer::new(entries_of(entries)))
            }
            Value::Map(_) => Err(self.misfit(
                "a mapping of several keys",
                "one of a single key; a second one is an entry of its own",
            )),
            other => Err(self.misfit(other.kind(), "a word, or a mapping of one key")),
        }
        .map_err(|misfit| misfit.at(self.0))
    }

    /// The content of a variant that has none.
    fn deserialize_unit<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Misfit> {
        Err(Misfit::custom("this word takes no value").at(self.0))
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Misfit> {
        visitor.visit_unit()
    }

    forward_to_deserialize_any! {
        bytes byte_buf unit_struct tuple_struct
    }
}

type Entries<'n> = &'n [(Node<'n>, Node<'n>)];

fn entries_of<'n, 'de>(
    entries: Entries<'n>,
) -> MapDeserializer<'de, impl Iterator<Item = (Reader<'n>, Reader<'n>)>, Misfit> {
    let readers = entries.iter();
    MapDeserializer::new(readers.map(|(key, value)| (Reader(key), Reader(value))))
}
