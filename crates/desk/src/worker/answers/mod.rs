//! Everything that pages ask of the library, and nowhere else: one deck in, what the library
//! says of it out, in the library's own JSON.

#![allow(clippy::disallowed_methods, reason = "this is where they are for")]

mod exports;
mod files;
mod finish;
mod game;
mod kept;
mod live;
mod mend;
mod odds;
mod rewrite;
mod seated;
mod tune;

use crate::trouble::Trouble;
use decklaw_core::deck::Input;
use decklaw_core::judge::{DeckReport, Judge, ReadDeck};
use decklaw_core::render::with_inputs;
use decklaw_core::report::json;
use decklaw_core::resolve::Resolved;
pub(super) use exports::export;
pub(crate) use files::{INPUTS, Import, WRITERS, Written};
pub(super) use files::{collection, import, input, write};
pub(crate) use finish::Finishing;
pub(super) use finish::finish;
pub(crate) use game::{GameEntry, Setting};
pub(super) use game::{format, game, games, list_in_force, lists, settings};
pub(super) use kept::Kept;
pub(crate) use live::Ask;
pub(super) use live::live;
pub(super) use mend::{compare, differences, fix};
pub(super) use odds::odds;
pub(super) use rewrite::with_cards;
pub(super) use seated::{decks, tried};
use serde_json::Value;
use serde_json::value::RawValue;
use std::collections::BTreeMap;
pub(super) use tune::tune;

/// The most findings of an answer.
const MOST_FINDINGS: usize = 200;
/// The most cards of an answer.
const MOST_CARDS: usize = 200;

type Answer = Result<Value, Trouble>;

/// A document of the library, as part of an answer.
fn document(report: serde_json::Result<Value>, judge: &Judge) -> Answer {
    let value = report.and_then(|report| with_inputs(report, &judge.given_so_far()));
    value.map_err(|_| Trouble::defect())
}

/// What somebody owns, by folded name.
pub(crate) type Owned = BTreeMap<String, u32>;

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
    Ok(known(read))
}

/// The deck that was read, if it is one.
fn known(read: ReadDeck<'_>) -> Option<Box<Resolved<'_>>> {
    match read {
        ReadDeck::Deck(resolved) => Some(resolved),
        ReadDeck::Formatless { .. } | ReadDeck::Unreadable { .. } => None,
    }
}

/// The verdict as a line of `ndjson`, to the byte.
fn line(report: &DeckReport) -> Result<Box<RawValue>, Trouble> {
    let mut line = Vec::new();
    json::write_line(&mut line, report).map_err(|_| Trouble::defect())?;
    line.truncate(line.trim_ascii_end().len());
    let line = String::from_utf8(line).map_err(|_| Trouble::defect())?;
    RawValue::from_string(line).map_err(|_| Trouble::defect())
}
