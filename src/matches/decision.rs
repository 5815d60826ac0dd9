//! The decisions of a match, taken one by one by the steps that await them.

use super::MatchError;
use super::inputs::SeatId;
use crate::text::{harmless, listed};
use serde::de::DeserializeOwned;
use serde_json::Value;

/// Every decision that a step kind can await.
pub const KNOWN: [&str; 8] = [
    "first-player",
    "mulligan",
    "pick",
    "reveal",
    "roll",
    "spec",
    "swap",
    "vote",
];

/// A decision as somebody typed it.
///
/// # Errors
/// A mistake in the call where it is not a JSON object, or its `step` is unknown.
///
/// ```
/// assert!(decklaw::matches::read_decision(r#"{"step":"first-player","by":"random"}"#).is_ok());
/// assert!(decklaw::matches::read_decision(r#"{"step":"coin"}"#).is_err());
/// ```
pub fn read_decision(text: &str) -> Result<Value, MatchError> {
    let mistake = |message: String| MatchError::call(format!("the decision {message}"));
    let value = super::strict::read_json(text.as_bytes())
        .map_err(|error| mistake(format!("cannot be read: {error}")))?;
    match value.get("step").and_then(Value::as_str) {
        Some(step) if KNOWN.contains(&step) => Ok(value),
        Some(step) => Err(mistake(format!(
            "has an unknown step `{}`; there are {}",
            harmless(step, false),
            listed(&KNOWN, "and")
        ))),
        None => Err(mistake("must be an object with a `step`, such as {\"step\":\"first-player\",\"by\":\"random\"}".into())),
    }
}

/// Something pending as people read it: what it is, of whom, and a decision that answers it.
///
/// ```
/// let pending = serde_json::json!({"step": "swap", "seat": "B"});
/// let told = "swap of seat B, such as {\"step\":\"swap\",\"seat\":\"B\"}";
/// assert_eq!(decklaw::matches::pending_told(&pending), told);
/// ```
pub fn pending_told(pending: &Value) -> String {
    let text = |field: &str| pending.get(field).and_then(Value::as_str);
    let step = text("step").unwrap_or_default();
    let mut fields = vec![("step", Value::from(step))];
    fields.extend(text("when").map(|when| ("when", when.into())));
    fields.extend(text("seat").map(|seat| ("seat", seat.into())));
    let bottom = pending.get("bottom").and_then(Value::as_u64);
    match step {
        "first-player" | "roll" => fields.push(("by", "random".into())),
        "mulligan" => {
            let ids = vec![Value::from("ID"); bottom.unwrap_or_default() as usize];
            fields.extend([("choice", "keep".into()), ("bottom", ids.into())]);
        }
        "vote" => fields.push(("choice", "shuffle".into())),
        "pick" => {
            let first = pending.pointer("/legal/0").and_then(Value::as_object);
            let first = first.into_iter().flatten();
            fields.extend(first.map(|(name, value)| (name.as_str(), value.clone())));
        }
        "spec" | "reveal" => {
            let seat = text("seat").unwrap_or_default();
            return format!("{step} of seat {seat}: `match seal` makes both decisions");
        }
        _ => (),
    }
    let fields = fields
        .into_iter()
        .map(|(name, value)| format!("\"{name}\":{value}"));
    let example = fields.collect::<Vec<_>>().join(",");
    let whose = text("seat").map_or(String::new(), |seat| format!(" of seat {seat}"));
    format!("{step}{whose}, such as {{{example}}}")
}

/// Decisions in the order in which they were made.
#[derive(Debug)]
pub struct Decisions<'a> {
    given: &'a [Value],
    taken: usize,
}

impl<'a> Decisions<'a> {
    /// All of a match's decisions, none taken yet.
    pub fn new(given: &'a [Value]) -> Decisions<'a> {
        Decisions { given, taken: 0 }
    }

    /// How many were taken.
    pub fn taken(&self) -> usize {
        self.taken
    }

    /// The next decision, for a step that awaits one of this kind; `None` when all are taken.
    ///
    /// # Errors
    /// A decision of another kind: it is not its turn.
    pub fn next(&mut self, step: &str) -> Result<Option<&'a Value>, MatchError> {
        let Some(decision) = self.given.get(self.taken) else {
            return Ok(None);
        };
        self.taken += 1;
        match decision.get("step").and_then(Value::as_str) {
            Some(given) if given == step => Ok(Some(decision)),
            Some(given) => Err(MatchError::refused(format!(
                "`{}` is not awaited now; `{step}` is",
                harmless(given, false)
            ))),
            None => Err(MatchError::refused("a decision is an object with a `step`")),
        }
    }

    /// The next decision of one of the seats that may answer now, and which seat it is of.
    ///
    /// # Errors
    /// As [`next`](Decisions::next); a decision of a seat that is not awaited.
    pub fn next_of(
        &mut self,
        step: &str,
        awaited: impl Fn(SeatId) -> bool,
    ) -> Result<Option<(SeatId, &'a Value)>, MatchError> {
        let Some(decision) = self.next(step)? else {
            return Ok(None);
        };
        let letter = decision.get("seat").and_then(Value::as_str);
        match letter.and_then(SeatId::parse) {
            Some(seat) if awaited(seat) => Ok(Some((seat, decision))),
            Some(seat) => Err(MatchError::refused(format!(
                "no `{step}` is awaited of seat {seat} now"
            ))),
            None => Err(MatchError::refused(
                "the decision must name its `seat`, such as \"A\"",
            )),
        }
    }

    /// Says which decision an error is about, where it is about one.
    pub(crate) fn blame(&self, error: MatchError) -> MatchError {
        match self.taken {
            0 => error,
            number => error.about(&format!("decision {number}")),
        }
    }

    /// Whether every decision was taken.
    ///
    /// # Errors
    /// A decision left over.
    pub(crate) fn finish(&self) -> Result<(), MatchError> {
        match self.given.get(self.taken) {
            None => Ok(()),
            Some(_) => Err(MatchError::refused(format!(
                "decision {} is left over: nothing is awaited any more",
                self.taken + 1
            ))),
        }
    }
}

/// Reads a decision's fields.
///
/// # Errors
/// A field too many or too few, or a value out of range.
pub(super) fn fields<T: DeserializeOwned>(decision: &Value) -> Result<T, MatchError> {
    T::deserialize(decision).map_err(|error| {
        MatchError::refused(format!("the decision is not as it should be: {error}"))
    })
}
