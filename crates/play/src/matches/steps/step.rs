//! What every step answers about itself.

use super::asked::Question;
use super::build::Build;
use super::names::Names;
use crate::matches::error::MatchError;
use crate::matches::seat::SeatId;
use crate::matches::table::{Table, ZoneAt};
use serde_json::Value;
use std::fmt;

/// How a step ended.
#[derive(Debug)]
pub enum Flow {
    /// It is done; the next one follows.
    Done,
    /// It awaits decisions: these.
    Awaiting(Vec<Value>),
}

/// Fields of a decision, in the order in which people write them.
pub type Fields = Vec<(String, Value)>;

/// What a format file says of a step, and what is known of its decisions without a table.
pub trait Terms {
    /// The word of the decisions that it awaits; `None` where it awaits none.
    const AWAITS: Option<&'static str> = None;

    /// The step with its names found. What cannot be is noted with the names.
    fn compile<'a>(&'a self, names: &Names<'_>) -> Box<dyn Step + 'a>;

    /// What a decision that answers something pending has beside its step and its seat; `None`
    /// where nobody writes such a decision by hand.
    fn example(_pending: &Value) -> Option<Fields> {
        Some(Vec::new())
    }

    /// The decision that one player alone need not be asked for.
    fn alone(_pending: &Value) -> Option<Value> {
        None
    }
}

/// A step of one match: its zones are found and its numbers known. Whoever wants to know
/// something of a step asks here.
pub trait Step: fmt::Debug {
    /// Lays out what the step needs on the table, before the first step runs.
    fn prepare(&self, _table: &mut Table) {}

    /// Does the step, as far as the decisions carry it.
    ///
    /// # Errors
    /// A decision that is not allowed, or too few cards.
    fn run(&self, build: &mut Build<'_>) -> Result<Flow, MatchError>;

    /// Asks for something pending in words. `None` where it is not this step's.
    fn ask(&self, _table: &Table, _pending: &Value) -> Option<Question> {
        None
    }

    /// What a seat should know before it answers something pending, beside its view: lines.
    fn text_for(&self, _table: &Table, _seat: SeatId, _pending: &Value) -> String {
        String::new()
    }

    /// Whether seats two apart are partners by it.
    fn has_partners(&self) -> bool {
        false
    }

    /// The zones of whose cards it wants a registered field to be known.
    fn looks_at(&self, _field: &str) -> Vec<ZoneAt> {
        Vec::new()
    }

    /// What it lets a player exchange before a game: where the cards that stay aside lie, and
    /// the sections with which they are exchanged.
    fn exchanges(&self) -> Option<(ZoneAt, Vec<&str>)> {
        None
    }
}

/// Whether something pending is of a step's kind.
pub(super) fn is_of(pending: &Value, step: &str) -> bool {
    pending.get("step").and_then(Value::as_str) == Some(step)
}

/// The seat of something pending.
pub(super) fn seat_of(pending: &Value) -> Option<SeatId> {
    SeatId::parse(pending.get("seat")?.as_str()?)
}
