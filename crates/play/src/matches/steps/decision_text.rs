//! Decisions as people type and read them.

use super::{About, about, awaited};
use crate::matches::error::{MatchError, MatchErrorKind};
use crate::matches::file::Entry;
use crate::matches::play::moves::Move;
use crate::matches::strict::read_json;
use decklaw_core::text::{harmless, listed};
use serde_json::Value;

/// A decision as somebody typed it.
///
/// # Errors
/// A mistake in the call where it is not a JSON object, or its `step` is unknown.
///
/// ```
/// assert!(decklaw_play::matches::read_decision(r#"{"step":"first-player","by":"random"}"#).is_ok());
/// assert!(decklaw_play::matches::read_decision(r#"{"step":"coin"}"#).is_err());
/// ```
pub fn read_decision(text: &str) -> Result<Value, MatchError> {
    let mistake =
        |message: String| MatchErrorKind::Decision.call(format!("the decision {message}"));
    let value =
        read_json(text.as_bytes()).map_err(|error| mistake(format!("cannot be read: {error}")))?;
    let known = awaited();
    match value.get("step").and_then(Value::as_str) {
        Some(step) if known.contains(&step) => Ok(value),
        Some(step) => Err(mistake(format!(
            "has an unknown step `{}`; there are {}",
            harmless(step, false),
            listed(&known, "and")
        ))),
        None => Err(mistake("must be an object with a `step`, such as {\"step\":\"first-player\",\"by\":\"random\"}".into())),
    }
}

/// A decision or a move as somebody typed it.
///
/// # Errors
/// A mistake in the call where it is no JSON object, or its `step` or `do` is unknown; a refusal
/// where a move has other fields than it takes.
///
/// ```
/// use decklaw_play::matches::{Entry, read_entry};
/// let drawn = r#"{"do":"draw","by":"A","from":"deck","to":"hand","count":1}"#;
/// assert!(matches!(read_entry(drawn), Ok(Entry::Move(_))));
/// assert!(read_entry(r#"{"do":"win"}"#).is_err());
/// ```
pub fn read_entry(text: &str) -> Result<Entry, MatchError> {
    let Ok(value) = read_json(text.as_bytes()) else {
        return read_decision(text).map(Entry::Decision);
    };
    let Some(known) = value.get("do").filter(|_| value.get("step").is_none()) else {
        return read_decision(text).map(Entry::Decision);
    };
    if !known
        .as_str()
        .is_some_and(|word| Move::WORDS.contains(&word))
    {
        let known = harmless(&known.to_string(), false).into_owned();
        let there_are = listed(&Move::WORDS, "and");
        return Err(
            MatchErrorKind::Move.call(format!("no move is called {known}; there are {there_are}"))
        );
    }
    match serde_json::from_value(value) {
        Ok(done) => Ok(Entry::Move(done)),
        Err(error) => {
            let told = harmless(&error.to_string(), false).into_owned();
            Err(MatchErrorKind::Move.refused(format!("this is no such move: {told}")))
        }
    }
}

/// Something pending as people read it: what it is, of whom, and a decision that answers it.
///
/// ```
/// let pending = serde_json::json!({"step": "swap", "seat": "B"});
/// let told = "swap of seat B, such as {\"step\":\"swap\",\"seat\":\"B\"}";
/// assert_eq!(decklaw_play::matches::pending_told(&pending), told);
/// ```
pub fn pending_told(pending: &Value) -> String {
    let text = |field: &str| pending.get(field).and_then(Value::as_str);
    let step = text("step").unwrap_or_default();
    let whose = text("seat").map_or(String::new(), |seat| format!(" of seat {seat}"));
    let mut fields = vec![("step".to_owned(), Value::from(step))];
    for field in ["when", "seat"] {
        fields.extend(text(field).map(|value| (field.to_owned(), value.into())));
    }
    match about(step).map(|About { example, .. }| example(pending)) {
        Some(Some(more)) => fields.extend(more),
        Some(None) => return format!("{step}{whose}: `match decide --seal SEAT CHOICE` makes it"),
        None => (),
    }
    let fields = fields
        .into_iter()
        .map(|(name, value)| format!("\"{name}\":{value}"));
    let example = fields.collect::<Vec<_>>().join(",");
    format!("{step}{whose}, such as {{{example}}}")
}

/// The decision that one player alone takes without thinking about it.
pub(in crate::matches) fn settled_alone(pending: &Value) -> Option<Value> {
    let step = pending.get("step").and_then(Value::as_str)?;
    (about(step)?.alone)(pending)
}
