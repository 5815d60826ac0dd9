//! Fields as rules name them: one, or several of which any will do, or all together.

use crate::yaml::Spanned;
use serde::{Deserialize, Deserializer, de};

/// A field, or a list of fields of which any will do.
#[derive(Debug, Clone)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(untagged))]
pub enum Fields {
    /// One.
    One(Spanned<String>),
    /// Any of these.
    Any(Vec<Spanned<String>>),
}

impl Fields {
    pub(super) fn each(&self) -> &[Spanned<String>] {
        match self {
            Fields::One(field) => std::slice::from_ref(field),
            Fields::Any(fields) => fields,
        }
    }
}

impl<'de> Deserialize<'de> for Fields {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Fields, D::Error> {
        let read = Spanned::<Written>::deserialize(deserializer)?;
        Ok(match read.value {
            Written::One(value) => Fields::One(Spanned {
                value,
                span: read.span,
            }),
            Written::Any(fields) => Fields::Any(fields),
        })
    }
}

/// What makes cards one and the same: the value that they have in a field, or the values that
/// they have in several fields together.
#[derive(Debug, Clone)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(untagged))]
pub enum Key {
    /// A value of this field.
    One(Spanned<String>),
    /// One value of each of these, all together.
    Together(Vec<Spanned<String>>),
}

impl Key {
    /// Its fields.
    pub(super) fn fields(&self) -> &[Spanned<String>] {
        match self {
            Key::One(field) => std::slice::from_ref(field),
            Key::Together(fields) => fields,
        }
    }
}

impl<'de> Deserialize<'de> for Key {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Key, D::Error> {
        Fields::deserialize(deserializer).map(|fields| match fields {
            Fields::One(field) => Key::One(field),
            Fields::Any(fields) => Key::Together(fields),
        })
    }
}

/// Fields as they are written.
enum Written {
    One(String),
    Any(Vec<Spanned<String>>),
}

impl<'de> Deserialize<'de> for Written {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Written, D::Error> {
        struct Visitor;
        impl<'de> de::Visitor<'de> for Visitor {
            type Value = Written;
            fn expecting(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                out.write_str("a field, or a list of fields")
            }
            fn visit_str<E: de::Error>(self, name: &str) -> Result<Written, E> {
                Ok(Written::One(name.to_owned()))
            }
            fn visit_seq<A: de::SeqAccess<'de>>(self, names: A) -> Result<Written, A::Error> {
                Vec::deserialize(de::value::SeqAccessDeserializer::new(names)).map(Written::Any)
            }
        }
        deserializer.deserialize_any(Visitor)
    }
}
