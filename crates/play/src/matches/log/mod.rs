//! The log of a match: decisions of the setup, then moves of the game.
//!
//! The state of a match is the fold of its inputs and its log. In the file, decisions are among
//! the inputs and moves in `log`; a program reads and writes both as an [`Entry`].

pub(super) mod decision;
pub(super) mod moves;

use crate::matches::error::MatchError;
use crate::matches::strict::read_json;
use decision::{DECISIONS, Decision, Pending, PickedCard, PoolSlot};
use decklaw_text::text::{escape_control, listed};
use moves::{Move, SeatMove};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// An entry of a match's log.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum Entry {
    /// A decision of the setup.
    Decision(Decision),
    /// A move of the game.
    Move(SeatMove),
}

impl From<Decision> for Entry {
    fn from(decision: Decision) -> Entry {
        Entry::Decision(decision)
    }
}

impl From<SeatMove> for Entry {
    fn from(done: SeatMove) -> Entry {
        Entry::Move(done)
    }
}

/// What is left out of an entry where it holds its default: `null` or `false`.
pub(super) trait Defaults {
    /// The names of these fields.
    fn defaults(&self) -> &'static [&'static str];
}

impl Defaults for SeatMove {
    fn defaults(&self) -> &'static [&'static str] {
        match self.what {
            Move::Move { .. } => &["cell", "with"],
            Move::Token { .. } => &["cell"],
            _ => &[],
        }
    }
}

impl Defaults for Decision {
    fn defaults(&self) -> &'static [&'static str] {
        match self {
            Decision::Pick { card: PickedCard::Slot(_), .. } => &["pool"],
            _ => &[],
        }
    }
}

/// Reads a value that is written with just the fields that it has; one that holds its default may
/// be written out or left out.
///
/// # Errors
/// A field is missing, unknown or out of range.
pub(super) fn exact<T>(value: &Value, what: &str) -> Result<T, MatchError>
where
    T: DeserializeOwned + Serialize + Defaults,
{
    let read = T::deserialize(value).map_err(|error| {
        MatchError::refused(format!(
            "the {what} cannot be read: {}",
            escape_control(&error.to_string(), false)
        ))
    })?;
    let written = serde_json::to_value(&read).unwrap_or_default();
    let is_default = |name: &str, value: &Value| {
        read.defaults().contains(&name) && matches!(value, Value::Null | Value::Bool(false))
    };
    let mut fields = value.as_object().into_iter().flatten();
    match fields.find(|(name, own)| written.get(name) != Some(own) && !is_default(name, own)) {
        None => Ok(read),
        Some((name, _)) => Err(MatchError::refused(format!(
            "the {what} has a field too many: `{}`",
            escape_control(name, false)
        ))),
    }
}

impl Entry {
    /// Reads a decision or a move.
    ///
    /// # Errors
    /// A mistake in the call: not an object, or an unknown `step` or `do`. A refusal: other fields
    /// than the entry has.
    pub fn of_value(value: &Value) -> Result<Entry, MatchError> {
        let field = |name: &str| value.get(name);
        if let (Some(word), None) = (field("do"), field("step")) {
            if !word.as_str().is_some_and(|word| Move::WORDS.contains(&word)) {
                return Err(MatchError::call(format!(
                    "unknown move {}; there are {}",
                    escape_control(&word.to_string(), false),
                    listed(&Move::WORDS, "and")
                )));
            }
            return exact(value, "move").map(Entry::Move);
        }
        let mistake = |message: String| Err(MatchError::call(message));
        match field("step").and_then(Value::as_str) {
            Some(step) if DECISIONS.contains(&step) => {
                exact(value, "decision").map(Entry::Decision)
            }
            Some(step) => mistake(format!(
                "the decision has an unknown step `{}`; there are {}",
                escape_control(step, false),
                listed(&DECISIONS, "and")
            )),
            None => mistake(
                "a decision is an object with a `step`, such as \
                 {\"step\":\"first-player\",\"by\":\"random\"}"
                    .to_owned(),
            ),
        }
    }

    /// Reads a decision or a move from JSON.
    ///
    /// # Errors
    /// As [`of_value`](Entry::of_value); a mistake in the call where the text is not JSON.
    ///
    /// ```
    /// use decklaw_play::matches::Entry;
    /// let drawn = r#"{"do":"draw","by":"A","from":"deck","to":"hand","count":1}"#;
    /// assert!(matches!(Entry::read(drawn), Ok(Entry::Move(_))));
    /// assert!(matches!(Entry::read(r#"{"step":"first-player","by":"random"}"#), Ok(Entry::Decision(_))));
    /// assert!(Entry::read(r#"{"do":"win"}"#).is_err());
    /// assert!(Entry::read(r#"{"step":"coin"}"#).is_err());
    /// ```
    pub fn read(text: &str) -> Result<Entry, MatchError> {
        let value = read_json(text.as_bytes())
            .map_err(|error| MatchError::call(format!("the decision cannot be read: {error}")))?;
        Entry::of_value(&value)
    }
}

impl Decision {
    /// Reads a decision from JSON.
    ///
    /// # Errors
    /// As [`Entry::read`]; a mistake in the call where the text is a move.
    pub fn read(text: &str) -> Result<Decision, MatchError> {
        match Entry::read(text)? {
            Entry::Decision(decision) => Ok(decision),
            Entry::Move(_) => Err(MatchError::call("the setup takes decisions, not moves")),
        }
    }
}

/// What is pending in words, with a decision that answers it.
///
/// ```
/// use decklaw_play::matches::{Pending, SeatId, pending_words};
/// let words = "swap of seat B, such as {\"step\":\"swap\",\"seat\":\"B\"}";
/// assert_eq!(pending_words(&Pending::Swap { seat: SeatId::B }), words);
/// ```
pub fn pending_words(pending: &Pending) -> String {
    let step = pending.step();
    let whose = pending.seat();
    let whose = whose.map_or(String::new(), |seat| format!(" of seat {seat}"));
    let mut fields: Vec<(&str, Value)> = vec![("step", step.into())];
    if let Pending::Vote { when, .. } = pending {
        fields.push(("when", when.as_str().into()));
    }
    fields.extend(pending.seat().map(|seat| ("seat", seat.letter().into())));
    match pending {
        Pending::FirstPlayer { .. } | Pending::Roll { .. } => {
            fields.push(("by", "random".into()));
        }
        Pending::Mulligan { bottom, .. } => {
            fields.push(("choice", "keep".into()));
            fields.push(("bottom", vec!["ID"; *bottom].into()));
        }
        Pending::Vote { choices, .. } => {
            fields.extend(choices.first().map(|choice| ("choice", choice.as_str().into())));
        }
        Pending::Pick { legal, .. } => {
            if let Some(PoolSlot { pool, slot }) = legal.first() {
                fields.extend(pool.map(|pool| ("pool", pool.letter().into())));
                fields.push(("slot", (*slot).into()));
            }
        }
        Pending::Spec { seat } => {
            return format!("{step}{whose}: `match decide --seal {seat} CHOICE` makes it");
        }
        Pending::Reveal { .. } => {
            return format!("{step}{whose}: `match decide --seal` printed it when it was sealed");
        }
        Pending::Swap { .. } => (),
    }
    let fields = fields.into_iter();
    let fields = fields.map(|(name, value)| format!("\"{name}\":{value}"));
    format!("{step}{whose}, such as {{{}}}", fields.collect::<Vec<_>>().join(","))
}
