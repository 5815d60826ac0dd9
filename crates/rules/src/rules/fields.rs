//! Fields as rules name them: one; several, any of them; or several together.

use super::written::{Never, RawValue};
use decklaw_text::yaml::Spanned;
use serde::{Deserialize, Deserializer, de};

/// A field, or a list of fields; any of them counts.
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
        let read = Spanned::<RawValue<Spanned<String>, Never>>::deserialize(deserializer)?;
        match read.value {
            RawValue::Text(value) => Ok(Fields::One(Spanned { value, span: read.span })),
            RawValue::List(fields) => Ok(Fields::Any(fields)),
            RawValue::Number(_) | RawValue::Map(_) => {
                Err(de::Error::custom("expected a field, or a list of fields"))
            }
        }
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

/// The fields that make cards one and the same, but for the name alone: each name is one card.
pub(super) fn apart_from_name(keys: &[Key]) -> &[Key] {
    let is_name = |key: &Key| matches!(key, Key::One(field) if field.value == "name");
    if keys.iter().all(is_name) { &[] } else { keys }
}
