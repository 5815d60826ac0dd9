//! The decisions of a match, taken one by one by the steps that await them.

use crate::matches::error::{MatchError, MatchErrorKind};
use crate::matches::seat::SeatId;
use decklaw_core::text::harmless;
use serde::de::DeserializeOwned;
use serde_json::Value;

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
            Some(given) => Err(MatchErrorKind::Decision.refused(format!(
                "`{}` is not awaited now; `{step}` is",
                harmless(given, false)
            ))),
            None => Err(MatchErrorKind::Decision.refused("a decision is an object with a `step`")),
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
            Some(seat) => Err(MatchErrorKind::Decision
                .refused(format!("no `{step}` is awaited of seat {seat} now"))),
            None => Err(MatchErrorKind::Decision
                .refused("the decision must name its `seat`, such as \"A\"")),
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
            Some(_) => Err(MatchErrorKind::Decision.refused(format!(
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
pub(in crate::matches) fn fields<T: DeserializeOwned>(decision: &Value) -> Result<T, MatchError> {
    T::deserialize(decision).map_err(|error| {
        MatchErrorKind::Decision.refused(format!("the decision is not as it should be: {error}"))
    })
}
