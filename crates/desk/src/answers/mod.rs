//! Everything that pages ask of the library, and nowhere else: one deck in, what the library
//! says of it out, in the library's own JSON.

mod files;
mod game;
mod kept;
mod live;
mod mend;
mod odds;
mod seated;
mod tune;

use super::trouble::Trouble;
use decklaw_core::deck::Input;
use decklaw_core::format::Rulebook;
use decklaw_core::judge::{DeckReport, Judge, JudgeError, ReadDeck};
use decklaw_core::odds::OddsDefaults;
use decklaw_core::render::with_inputs;
use decklaw_core::report::json;
use decklaw_core::resolve::Resolved;
use decklaw_core::yaml::text_of;
pub(super) use files::{INPUTS, WRITERS, collection, import, input, write};
pub(super) use game::{GameEntry, format, game, games, list_in_force, lists, settings};

pub(super) use kept::Kept;
pub(super) use live::{Ask, live};
pub(super) use mend::{compare, fix};
pub(super) use odds::odds;
pub(super) use seated::{Seated, Swaps, decks, seated};
use serde_json::Value;
use serde_json::value::RawValue;
use std::collections::BTreeMap;
use std::sync::Arc;
pub(super) use tune::tune;

/// The most findings of an answer.
const MOST_FINDINGS: usize = 200;
/// The most different cards of a deck that are answered for live.
const MOST_LINES: usize = 3000;
/// The most cards of an answer.
const MOST_CARDS: usize = 200;

type Answer = Result<Value, Trouble>;

/// A document of the library, as part of an answer.
fn document(report: serde_json::Result<Value>, judge: &Judge) -> Answer {
    let value = report.and_then(|report| with_inputs(report, &judge.given_so_far()));
    value.map_err(|_| Trouble::defect())
}

fn rulebook(judge: &Judge, format: &str) -> Result<Arc<Rulebook>, Trouble> {
    judge.rulebook(format).map_err(|error| match error {
        JudgeError::Format(decklaw_core::format::CatalogueError::Unknown { .. }) => {
            Trouble::new(404, error.to_string(), "")
        }
        error => Trouble::from(&error),
    })
}

/// How a game draws.
fn defaults(judge: &Judge, game: &str) -> Result<OddsDefaults, Trouble> {
    let Some(bytes) = judge.catalogue().file(game, "odds.yaml") else {
        return Ok(OddsDefaults::default());
    };
    let name = format!("{game}/odds.yaml");
    let text = text_of(&name, bytes).map_err(|error| Trouble::wrong(error.to_string()))?;
    let read = OddsDefaults::read(text);
    read.map_err(|problem| Trouble::wrong(format!("{name}: {}", problem.message)))
}

/// What somebody owns, by folded name.
pub(super) type Owned = BTreeMap<String, u32>;

/// Reads a deck; `None`: it is none.
fn read<'b>(
    judge: &Judge,
    format: &str,
    bytes: &'b [u8],
    input: Input,
) -> Result<Option<Box<Resolved<'b>>>, Trouble> {
    let read = judge
        .read(bytes, input, Some(format))
        .map_err(|error| Trouble::from(&error))?;
    known(read)
}

/// The deck that was read, if it is one and no larger than is answered for.
fn known<'b>(read: ReadDeck<'b>) -> Result<Option<Box<Resolved<'b>>>, Trouble> {
    match read {
        ReadDeck::Deck(resolved) if resolved.deck().lines.len() > MOST_LINES => Err(Trouble::new(
            413,
            format!(
                "A deck of {} lines is more than is answered for here; at most {MOST_LINES} are.",
                resolved.deck().lines.len()
            ),
            "Judge it with `decklaw check`.",
        )),
        ReadDeck::Deck(resolved) => Ok(Some(resolved)),
        ReadDeck::Formatless { .. } | ReadDeck::Unreadable { .. } => Ok(None),
    }
}

/// The verdict as a line of `ndjson` has it.
fn verdict(report: &DeckReport) -> Answer {
    serde_json::from_str(line(report)?.get()).map_err(|_| Trouble::defect())
}

/// The verdict as a line of `ndjson`, to the byte.
fn line(report: &DeckReport) -> Result<Box<RawValue>, Trouble> {
    let mut line = Vec::new();
    json::write_line(&mut line, report).map_err(|_| Trouble::defect())?;
    line.truncate(line.trim_ascii_end().len());
    let line = String::from_utf8(line).map_err(|_| Trouble::defect())?;
    RawValue::from_string(line).map_err(|_| Trouble::defect())
}
