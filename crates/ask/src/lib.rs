//! What a page for building decks asks of decklaw, answered: one deck in, what the library says of
//! it out, in the library's own JSON.
//!
//! A [`Builder`] has the judges of the games; a page asks it [`Question`]s. It knows neither a
//! server nor a browser: `decklaw serve` asks it, and so does a published page, in a worker
//! of the browser.

mod files;
mod finish;
mod folder;
mod game;
mod kept;
mod live;
mod looks;
mod mend;
mod odds;
mod own;
mod questions;
mod refusal;
pub mod remedies;
mod site;
mod tune;

pub use files::{Found, INPUTS, Import, WRITERS, Written, import, input};
pub use finish::Finishing;
pub use folder::{Applies, Folder};
pub use game::{GameEntry, Setting, format, games, list_in_force, lists, settings};
pub use live::Ask;
pub use looks::{Looks, Shown};
pub use mend::differences;
pub use odds::OddsAsk;
pub use own::taken as settings_taken;
pub use questions::{
    Any, Bytes, Collection, Compare, FaceOf, Finish, Fix, Games, Live, Odds, Page, PictureOf,
    Question, Read, Title, Titled, Tune, Write,
};
pub use refusal::Refusal;
pub use site::{ListTerm, MakeJudge, Site, Terms, draws, rulebook};

use decklaw_core::deck::Input;
use decklaw_core::judge::{Judge, ReadDeck, Report};
use decklaw_core::render::with_inputs;
use decklaw_core::report::json;
use decklaw_core::resolve::Resolved;
use decklaw_play::paper::Pictures;
use kept::Kept;
use serde_json::Value;
use serde_json::value::RawValue;
use std::collections::BTreeMap;

/// The most findings of an answer.
const MOST_FINDINGS: usize = 200;
/// The most cards of an answer.
const MOST_CARDS: usize = 200;

/// What answers.
#[derive(Debug)]
pub struct Builder {
    site: Site,
    kept: Kept,
    /// Pictures of cards that lie beside the page.
    pictures: Option<Pictures>,
}

impl Builder {
    /// One with the judges of a site.
    pub fn new(site: Site) -> Builder {
        Builder {
            site,
            kept: Kept::default(),
            pictures: None,
        }
    }

    /// Its judges.
    pub fn site(&self) -> &Site {
        &self.site
    }
}

type Answer = Result<Value, Refusal>;

/// A document of the library, as part of an answer.
fn document(report: serde_json::Result<Value>, judge: &Judge) -> Answer {
    let value = report.and_then(|report| with_inputs(report, &judge.given_so_far()));
    value.map_err(|_| Refusal::defect())
}

/// What somebody owns, by folded name.
pub type Owned = BTreeMap<String, u32>;

/// Reads a deck; `None`: it is none.
///
/// # Errors
/// A judge that cannot be made, and why.
pub fn read<'b>(
    judge: &Judge,
    format: &str,
    bytes: &'b [u8],
    input: Input,
) -> Result<Option<Box<Resolved<'b>>>, Refusal> {
    let read = judge
        .read(bytes, input, Some(format))
        .map_err(|error| Refusal::from(&error))?;
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
fn line(report: &Report) -> Result<Box<RawValue>, Refusal> {
    let mut line = Vec::new();
    json::write_line(&mut line, report).map_err(|_| Refusal::defect())?;
    line.truncate(line.trim_ascii_end().len());
    let line = String::from_utf8(line).map_err(|_| Refusal::defect())?;
    RawValue::from_string(line).map_err(|_| Refusal::defect())
}
