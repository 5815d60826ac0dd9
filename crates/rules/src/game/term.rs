//! Numbers as a format file writes them: themselves, or names for them.

use serde::{Deserialize, Deserializer, de};

/// A whole number in a format file: itself, or the name of a setting or of a value.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(untagged))]
pub enum Term {
    /// The number.
    Number(i64),
    /// The name of a setting, or of one of the format's `values`.
    Named(String),
}

impl std::fmt::Display for Term {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Term::Number(number) => number.fmt(out),
            Term::Named(name) => out.write_str(name),
        }
    }
}

impl<'de> Deserialize<'de> for Term {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Term, D::Error> {
        struct Visitor;
        impl de::Visitor<'_> for Visitor {
            type Value = Term;
            fn expecting(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                out.write_str("a whole number, or the name of a setting or value")
            }
            fn visit_i64<E: de::Error>(self, number: i64) -> Result<Term, E> {
                Ok(Term::Number(number))
            }
            fn visit_u64<E: de::Error>(self, number: u64) -> Result<Term, E> {
                i64::try_from(number).map(Term::Number).map_err(E::custom)
            }
            fn visit_str<E: de::Error>(self, name: &str) -> Result<Term, E> {
                Ok(Term::Named(name.to_owned()))
            }
        }
        deserializer.deserialize_any(Visitor)
    }
}
