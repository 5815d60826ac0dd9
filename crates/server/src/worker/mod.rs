//! Worker processes: whatever a stranger sends is read, judged and worked out in a process of its
//! own, and never in the server.
//!
//! The server starts the same program again, as a worker, and asks it [`Question`]s over a pipe. A
//! question that takes too long, or more memory than a worker has, ends that worker and nothing
//! else: see [`pool`]. What a worker knows, and what it does with a question, is in [`bench`] and
//! [`questions`].

mod answers;
mod bench;
mod frame;
mod pool;
mod questions;

pub use bench::answer_questions;
pub(crate) use decklaw_builder::{
    Ask, Bytes, Collection, Compare, FaceOf, Finish, Finishing, Fix, GameEntry, Games, INPUTS,
    Import, Live, Odds, Owned, Page, PictureOf, Read, Title, Titled, Tune, WRITERS, Write,
    settings_taken,
};
pub(crate) use pool::{Client, Load, Workers, ask_one};
pub(crate) use questions::{
    Bring, Check, Differences, Export, Judge, Judged, Lay, Lock, Opening, Openings, Rewrite, Sheet,
    Sheets, Tried, Verdicts,
};

use crate::trouble::Trouble;
use bench::Bench;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::ffi::OsString;
use std::path::PathBuf;

/// How a worker is started.
#[derive(Debug, Clone)]
pub struct Call {
    /// The program, which is to call [`answer_questions`].
    pub program: PathBuf,
    /// Its arguments.
    pub arguments: Vec<OsString>,
}

/// Which workers answer a question, and so how long it may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Lane {
    /// Reading and judging: a few milliseconds. What takes longer goes on in the slow lane.
    Quick,
    /// Odds, repairs and tuning.
    Slow,
    /// All of an event for its organiser: no visitor stands in this line.
    Organisers,
}

/// What a worker can be asked.
pub(crate) trait Question: Serialize + Into<questions::Any> {
    /// What it answers.
    type Answer: Serialize + DeserializeOwned;
    /// Who answers it.
    const LANE: Lane;
    /// Answers it, in a worker.
    ///
    /// # Errors
    /// What is wrong with the question, for whoever asked it.
    fn answer(self, bench: &mut Bench) -> Result<Self::Answer, Trouble>;
}
