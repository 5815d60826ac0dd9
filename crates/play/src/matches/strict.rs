//! JSON as match files hold it: whole numbers, no key twice, no towers of brackets.

use crate::matches::error::MatchError;
use serde::Deserialize;
use serde::de::{Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};
use std::fmt;

/// Numbers beyond this are not the same number in every program that reads JSON.
const LARGEST: u64 = (1 << 53) - 1;

/// Reads one JSON value; a byte-order mark before it is passed over.
///
/// # Errors
/// A refusal where the text is not JSON, has a key twice, a number that is not whole or is
/// beyond 2⁵³, more than 127 levels, or anything behind the value.
///
/// ```
/// assert!(decklaw_play::matches::read_json(br#"{"a":1}"#).is_ok());
/// assert!(decklaw_play::matches::read_json(br#"{"a":1,"a":2}"#).is_err());
/// assert!(decklaw_play::matches::read_json(b"[0.5]").is_err());
/// ```
pub fn read_json(text: &[u8]) -> Result<Value, MatchError> {
    let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
    let Strict(value) = serde_json::from_slice(text).map_err(|error| {
        let message = match text.trim_ascii_start().first() {
            Some(b'{' | b'[') => format!("this is not the JSON of a match: {error}"),
            _ => "this is not the JSON of a match, which begins with `{`".to_owned(),
        };
        MatchError::refused(message)
    })?;
    Ok(value)
}

struct Strict(Value);

impl<'de> Deserialize<'de> for Strict {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Strict, D::Error> {
        deserializer.deserialize_any(StrictVisitor).map(Strict)
    }
}

struct StrictVisitor;

impl<'de> Visitor<'de> for StrictVisitor {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON with whole numbers")
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Value, E> {
        if value.unsigned_abs() > LARGEST {
            return Err(E::custom(format!("the number {value} is too large")));
        }
        Ok(Value::from(value))
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Value, E> {
        if value > LARGEST {
            return Err(E::custom(format!("the number {value} is too large")));
        }
        Ok(Value::from(value))
    }

    fn visit_f64<E: Error>(self, _: f64) -> Result<Value, E> {
        Err(E::custom("a number here is not a whole number written in digits, or is too large"))
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<Value, E> {
        Ok(Value::from(value))
    }

    fn visit_string<E: Error>(self, value: String) -> Result<Value, E> {
        Ok(Value::from(value))
    }

    fn visit_unit<E: Error>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut list = Vec::new();
        while let Some(Strict(item)) = items.next_element()? {
            list.push(item);
        }
        Ok(Value::Array(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Value, A::Error> {
        let mut map = Map::new();
        while let Some(key) = entries.next_key::<String>()? {
            let Strict(value) = entries.next_value()?;
            if map.contains_key(&key) {
                return Err(A::Error::custom(format!("the key \"{key}\" is there twice")));
            }
            map.insert(key, value);
        }
        Ok(Value::Object(map))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attacks_are_refused() {
        let tower = "[".repeat(100_000);
        for text in [
            tower.as_str(),
            "{\"a\":{\"b\":1,\"b\":1}}",
            "1e400",
            "-0",
            "1.0",
            "9007199254740992",
            "18446744073709551616",
            "{\"a\":1}x",
            "\"\\ud800\"",
            "",
            "NaN",
            "[1,]",
        ] {
            assert!(read_json(text.as_bytes()).is_err(), "{}", &text[..text.len().min(40)]);
        }
        assert!(read_json(b"\xff").is_err());
    }
}
