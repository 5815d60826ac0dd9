//! Values that a format file may write in one of several forms.

use serde::{Deserialize, Deserializer, de};
use std::fmt;
use std::marker::PhantomData;

/// A number, a text, a list or a map. Unlike in an untagged enum, values in it keep their places.
pub(crate) enum RawValue<L, M> {
    Number(i64),
    Text(String),
    List(Vec<L>),
    Map(M),
}

/// What is never written here.
pub(crate) enum Never {}

impl<'de> Deserialize<'de> for Never {
    fn deserialize<D: Deserializer<'de>>(_: D) -> Result<Never, D::Error> {
        Err(de::Error::custom("this is neither a list nor a map"))
    }
}

impl<'de, L: Deserialize<'de>, M: Deserialize<'de>> Deserialize<'de> for RawValue<L, M> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visitor<L, M>(PhantomData<(L, M)>);
        impl<'de, L: Deserialize<'de>, M: Deserialize<'de>> de::Visitor<'de> for Visitor<L, M> {
            type Value = RawValue<L, M>;
            fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
                out.write_str("a number, a text, a list or a map, as the schema says")
            }
            fn visit_i64<E: de::Error>(self, number: i64) -> Result<Self::Value, E> {
                Ok(RawValue::Number(number))
            }
            fn visit_u64<E: de::Error>(self, number: u64) -> Result<Self::Value, E> {
                i64::try_from(number).map(RawValue::Number).map_err(E::custom)
            }
            fn visit_str<E: de::Error>(self, text: &str) -> Result<Self::Value, E> {
                Ok(RawValue::Text(text.to_owned()))
            }
            fn visit_seq<A: de::SeqAccess<'de>>(self, list: A) -> Result<Self::Value, A::Error> {
                Vec::deserialize(de::value::SeqAccessDeserializer::new(list)).map(RawValue::List)
            }
            fn visit_map<A: de::MapAccess<'de>>(self, map: A) -> Result<Self::Value, A::Error> {
                M::deserialize(de::value::MapAccessDeserializer::new(map)).map(RawValue::Map)
            }
        }
        deserializer.deserialize_any(Visitor(PhantomData))
    }
}
