//! JSON as it is hashed and as it is written. What is written here is of strings and whole
//! numbers, and is never an empty text.

pub(crate) use decklaw_text::digest::canonical;
use decklaw_text::digest::whole;
use serde::Serialize;

/// A value's JSON, indented, with a new line at its end.
pub(crate) fn pretty(value: &impl Serialize) -> String {
    whole(serde_json::to_string_pretty(value)) + "\n"
}

/// A value's JSON on one line, with a new line at its end.
pub(crate) fn line(value: &impl Serialize) -> String {
    whole(serde_json::to_string(value)) + "\n"
}

/// An object whose values are canonical already. Its keys are plain letters, and are given in
/// their order.
pub(super) struct Object(Vec<u8>);

impl Object {
    pub(super) fn new() -> Object {
        Object(b"{".to_vec())
    }

    pub(super) fn with(mut self, key: &str, value: &[u8]) -> Object {
        if self.0.len() > 1 {
            self.0.push(b',');
        }
        self.0.push(b'"');
        self.0.extend_from_slice(key.as_bytes());
        self.0.extend_from_slice(b"\":");
        self.0.extend_from_slice(value);
        self
    }

    pub(super) fn maybe(self, key: &str, value: Option<impl AsRef<[u8]>>) -> Object {
        match value {
            Some(value) => self.with(key, value.as_ref()),
            None => self,
        }
    }

    pub(super) fn done(mut self) -> Vec<u8> {
        self.0.push(b'}');
        self.0
    }
}

/// A list whose values are canonical already.
pub(super) fn list(values: impl Iterator<Item = Vec<u8>>) -> Vec<u8> {
    let mut text = b"[".to_vec();
    for value in values {
        if text.len() > 1 {
            text.push(b',');
        }
        text.extend(value);
    }
    text.push(b']');
    text
}
