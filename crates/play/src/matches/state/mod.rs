//! The state of a match: the table, what is awaited, and whose turn it is.
//!
//! It is a fold: the inputs lay out the first state, and each entry of the log makes the next one.

mod act;
mod blinded;
mod placing;
mod progress;

use crate::matches::log::decision::Pending;
use crate::matches::seat::SeatId;
use crate::matches::table::Table;
pub(in crate::matches) use progress::Progress;
use std::collections::BTreeMap;

/// The state of a match.
#[derive(Debug, Clone)]
pub struct State {
    /// The table.
    pub table: Table,
    /// What is awaited, in seat order; empty when the table is ready to play.
    pub pending: Vec<Pending>,
    /// What the judge of a swap remarked of the newest decisions; no file keeps it.
    pub remarks: Vec<String>,
    /// Whose turn it is.
    pub active: SeatId,
    /// How many turns have passed.
    pub turns: u64,
    /// The step of the turn, as its player last said it.
    pub turn_step: Option<String>,
    /// The last roll of the game, and who rolled it.
    pub last_roll: Option<(SeatId, u32)>,
    /// The step that awaits decisions, by its place among the steps of the setup.
    pub(in crate::matches) step: usize,
    pub(in crate::matches) progress: Progress,
    /// Every vote so far.
    pub(in crate::matches) votes: Vec<String>,
    /// What each seat committed to.
    pub(in crate::matches) commitments: BTreeMap<SeatId, [u8; 32]>,
    rolls: u64,
    taken: u64,
    tokens: u32,
    /// How often ids of a hidden zone were dealt.
    blinded: u64,
}

impl State {
    /// The state of a table before its setup.
    pub(in crate::matches) fn new(table: Table) -> State {
        State {
            table,
            pending: Vec::new(),
            remarks: Vec::new(),
            active: SeatId::A,
            turns: 0,
            turn_step: None,
            last_roll: None,
            step: 0,
            progress: Progress::default(),
            votes: Vec::new(),
            commitments: BTreeMap::new(),
            rolls: 0,
            taken: 0,
            tokens: 0,
            blinded: 0,
        }
    }

    /// `ready` when nothing is awaited, otherwise `setup`.
    pub fn phase(&self) -> &'static str {
        if self.pending.is_empty() { "ready" } else { "setup" }
    }
}
