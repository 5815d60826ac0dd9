//! From the tree of a document to what it means: a type of `serde`'s, or the first place that
//! does not fit it, told to a person who knows no Rust.

use super::{Node, Problem, Value};
use crate::text::{Span, listed};
use serde::de::value::StrDeserializer;
use serde::de::{
    DeserializeOwned, DeserializeSeed, Deserializer, EnumAccess, Error, Expected, IntoDeserializer,
    MapAccess, SeqAccess, Unexpected, VariantAccess, Visitor,
};
use serde::{Deserialize, forward_to_deserialize_any};
use std::fmt;
use std::marker::PhantomData;
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

/// A value of a file and where it stands.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Spanned<T> {
    /// The value.
    pub value: T,
    /// Its bytes in the file; none where it is of no file.
    pub span: Span,
}

/// By this name a [`Spanned`] asks for its place.
const SPANNED: &str = "decklaw::yaml::Spanned";

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Spanned<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Placed<T>(PhantomData<T>);

        impl<'de, T: Deserialize<'de>> Visitor<'de> for Placed<T> {
            type Value = Spanned<T>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a value")
            }

            /// From a document: the value between its two ends.
            fn visit_seq<A: SeqAccess<'de>>(self, mut parts: A) -> Result<Spanned<T>, A::Error> {
                let lack = || A::Error::custom("a value without its place");
                let value = parts.next_element()?.ok_or_else(lack)?;
                let start = parts.next_element()?.ok_or_else(lack)?;
                let end = parts.next_element()?.ok_or_else(lack)?;
                let span = Span { start, end };
                Ok(Spanned { value, span })
            }

            /// From anything that knows no places.
            fn visit_newtype_struct<D: Deserializer<'de>>(
                self,
                deserializer: D,
            ) -> Result<Spanned<T>, D::Error> {
                let span = Span::default();
                T::deserialize(deserializer).map(|value| Spanned { value, span })
            }
        }

        deserializer.deserialize_newtype_struct(SPANNED, Placed(PhantomData))
    }
}

#[cfg(test)]
impl<T: serde::Serialize> serde::Serialize for Spanned<T> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.value.serialize(serializer)
    }
}

#[cfg(test)]
impl<T: schemars::JsonSchema> schemars::JsonSchema for Spanned<T> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        T::schema_name()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        generator.subschema_for::<T>()
    }
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
struct Reader<'n>(&'n Node<'n>);

impl<'n> Reader<'n> {
    /// The scalar's text.
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
        let entries = Entries {
            entries: entries.iter(),
            value: None,
        };
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
                _ => return Err(self.misfit("a mapping of several keys", "one of a single key")),
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

/// The items of a list.
struct List<'n>(std::slice::Iter<'n, Node<'n>>);

impl<'de> SeqAccess<'de> for List<'_> {
    type Error = Misfit;

    fn next_element_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, Misfit> {
        let next = self.0.next();
        next.map(|item| seed.deserialize(Reader(item))).transpose()
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.0.len())
    }
}

/// The entries of a mapping.
struct Entries<'n> {
    entries: std::slice::Iter<'n, (Node<'n>, Node<'n>)>,
    /// Of the key given last.
    value: Option<&'n Node<'n>>,
}

impl<'de> MapAccess<'de> for Entries<'_> {
    type Error = Misfit;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, Misfit> {
        let Some((key, value)) = self.entries.next() else {
            return Ok(None);
        };
        self.value = Some(value);
        seed.deserialize(Reader(key)).map(Some)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, Misfit> {
        match self.value.take() {
            Some(value) => seed.deserialize(Reader(value)),
            None => Err(Misfit::custom("a value without its key")),
        }
    }
}

/// A value between its two ends.
struct Placed<'n> {
    node: &'n Node<'n>,
    given: u8,
}

impl<'de> SeqAccess<'de> for Placed<'_> {
    type Error = Misfit;

    fn next_element_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, Misfit> {
        self.given += 1;
        match self.given {
            1 => seed.deserialize(Reader(self.node)).map(Some),
            2 => seed
                .deserialize(self.node.span.start.into_deserializer())
                .map(Some),
            3 => seed
                .deserialize(self.node.span.end.into_deserializer())
                .map(Some),
            _ => Ok(None),
        }
    }
}

/// A word, or a mapping of one key: which of several things a value is.
struct Variant<'n> {
    name: &'n Node<'n>,
    content: Option<&'n Node<'n>>,
}

impl<'de> EnumAccess<'de> for Variant<'_> {
    type Error = Misfit;
    type Variant = Self;

    fn variant_seed<V: DeserializeSeed<'de>>(self, seed: V) -> Result<(V::Value, Self), Misfit> {
        let name = Reader(self.name).text("a word")?;
        let name: StrDeserializer<'_, Misfit> = name.into_deserializer();
        let named = seed
            .deserialize(name)
            .map_err(|misfit| misfit.at(self.name))?;
        Ok((named, self))
    }
}

impl Variant<'_> {
    /// What belongs to the name.
    fn content(&self) -> Result<Reader<'_>, Misfit> {
        let lacks = || Misfit::custom("this needs a value, as in `key: value`").at(self.name);
        self.content.map(Reader).ok_or_else(lacks)
    }
}

impl<'de> VariantAccess<'de> for Variant<'_> {
    type Error = Misfit;

    fn unit_variant(self) -> Result<(), Misfit> {
        match self.content {
            None => Ok(()),
            Some(content) => Err(Misfit::custom("this word takes no value").at(content)),
        }
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value, Misfit> {
        seed.deserialize(self.content()?)
    }

    fn tuple_variant<V: Visitor<'de>>(self, length: usize, visitor: V) -> Result<V::Value, Misfit> {
        self.content()?.deserialize_tuple(length, visitor)
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Misfit> {
        self.content()?.deserialize_map(visitor)
    }
}
