//! The parts of a value, one by one, as who reads it asks for them.

use super::typed::{Misfit, Reader};
use super::{Node, Value};
use serde::de::value::StrDeserializer;
use serde::de::{
    DeserializeSeed, Deserializer, EnumAccess, Error, IntoDeserializer, MapAccess, SeqAccess,
    VariantAccess, Visitor,
};

/// The items of a list.
pub(super) struct List<'n>(pub(super) std::slice::Iter<'n, Node<'n>>);

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
pub(super) struct Entries<'n> {
    pub(super) entries: std::slice::Iter<'n, (Node<'n>, Node<'n>)>,
    /// Of the key given last.
    pub(super) value: Option<&'n Node<'n>>,
    /// The entry given last.
    pub(super) last: Option<&'n (Node<'n>, Node<'n>)>,
}

impl<'n> Entries<'n> {
    pub(super) fn new(entries: &'n [(Node<'n>, Node<'n>)]) -> Entries<'n> {
        Entries {
            entries: entries.iter(),
            value: None,
            last: None,
        }
    }

    /// Whether an entry may be what stands behind a comma of the text before it: a key without
    /// a value, on the line of that text.
    fn is_rest_of_text(&self, (key, value): &(Node<'n>, Node<'n>)) -> bool {
        let text = |before: &Node<'_>| {
            matches!(before.value, Value::Text(_)) && !before.bare && before.line == key.line
        };
        matches!(value.value, Value::Null) && self.last.is_some_and(|(_, before)| text(before))
    }
}

impl<'de> MapAccess<'de> for Entries<'_> {
    type Error = Misfit;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, Misfit> {
        let Some(entry) = self.entries.next() else {
            return Ok(None);
        };
        let is_rest = self.is_rest_of_text(entry);
        self.value = Some(&entry.1);
        self.last = Some(entry);
        let read = seed.deserialize(Reader(&entry.0)).map(Some);
        read.map_err(|misfit| match is_rest {
            true => misfit.more("; within braces, a text that has a comma stands in quotes"),
            false => misfit,
        })
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, Misfit> {
        match self.value.take() {
            Some(value) => seed.deserialize(Reader(value)),
            None => Err(Misfit::custom("a value without its key")),
        }
    }
}

/// A value between its two ends.
pub(super) struct Placed<'n> {
    pub(super) node: &'n Node<'n>,
    pub(super) given: u8,
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
pub(super) struct Variant<'n> {
    pub(super) name: &'n Node<'n>,
    pub(super) content: Option<&'n Node<'n>>,
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
