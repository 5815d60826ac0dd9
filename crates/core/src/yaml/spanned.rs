//! Values that know their places.

use crate::text::Span;
use serde::de::{Deserialize, Deserializer, Error, SeqAccess, Visitor};
use std::fmt;
use std::marker::PhantomData;

/// A value of a file and where it stands.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Spanned<T> {
    /// The value.
    pub value: T,
    /// Its bytes in the file; none where it is of no file.
    pub span: Span,
}

/// By this name a [`Spanned`] asks for its place.
pub(super) const SPANNED: &str = "decklaw::yaml::Spanned";

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

impl<T: serde::Serialize> serde::Serialize for Spanned<T> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.value.serialize(serializer)
    }
}

#[cfg(any(test, feature = "schemas"))]
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
