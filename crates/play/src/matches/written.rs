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
