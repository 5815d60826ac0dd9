//! The state of a match: the table, what is awaited, and whose turn it is.
//!
//! It is a fold: the inputs lay out the first state, and each entry of the log makes the next one.

mod act;
mod blinded;
mod placing;

use crate::matches::error::{MatchError, MatchErrorKind};
use crate::matches::log::decision::{Decision, Pending};
use crate::matches::seat::SeatId;
use crate::matches::setup::Step;
use crate::matches::setup::lay_out::lay_out;
use crate::matches::steps::prompt::Prompt;
use crate::matches::steps::{Act, Context, Progress};
use crate::matches::table::Table;
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
    step: usize,
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
    /// The first state of a match: its decks in place, and the setup as far as it goes without a
    /// decision.
    ///
    /// # Errors
    /// Decks that do not fit the table, too few cards, a fault in the format file.
    pub(in crate::matches) fn begin(context: &Context<'_>) -> Result<State, MatchError> {
        let mut table = lay_out(context.setup, context.inputs)?;
        for (_, act) in context.steps() {
            table.partners |= act.has_partners();
            act.prepare(&mut table);
        }
        let mut state = State {
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
        };
        state.advance(context, 0)?;
        Ok(state)
    }

    /// Goes on from a step until one awaits a decision.
    fn advance(&mut self, context: &Context<'_>, from: usize) -> Result<(), MatchError> {
        for (at, act) in context.steps().filter(|(at, _)| *at >= from) {
            self.step = at;
            self.progress = Progress::default();
            act.begin(self, context)?;
            self.pending = act.awaits(self, context)?;
            if !self.pending.is_empty() {
                return Ok(());
            }
        }
        self.pending.clear();
        self.active = self.table.first.unwrap_or(SeatId::A);
        Ok(())
    }

    /// The state after a decision. Where there is an error, this state is of no use any more.
    ///
    /// # Errors
    /// A decision that is not awaited, or not allowed.
    pub(in crate::matches) fn decide(
        &mut self,
        context: &Context<'_>,
        decision: &Decision,
    ) -> Result<(), MatchError> {
        let no = |why: String| Err(MatchErrorKind::Decision.refused(why));
        let step = decision.step();
        let Some(act) = context.step(self.step).filter(|_| !self.pending.is_empty()) else {
            return no("nothing is awaited any more".to_owned());
        };
        let mut awaited = self.pending.iter().filter(|entry| entry.step() == step).peekable();
        if awaited.peek().is_none() {
            let awaited = self.pending.first().map_or("", Pending::step);
            return no(format!("`{step}` is not awaited now; `{awaited}` is"));
        }
        if let Some(seat) = decision.seat()
            && !awaited.any(|entry| entry.seat() == Some(seat))
        {
            return no(format!("no `{step}` is awaited of seat {seat} now"));
        }
        act.decide(self, context, decision)?;
        self.pending = act.awaits(self, context)?;
        if self.pending.is_empty() { self.advance(context, self.step + 1) } else { Ok(()) }
    }

    /// What is asked now, with the decisions that are allowed.
    ///
    /// # Errors
    /// A fault in the format file.
    pub(in crate::matches) fn prompts(
        &self,
        context: &Context<'_>,
    ) -> Result<Vec<Prompt>, MatchError> {
        let act = context.step(self.step);
        let pending = self.pending.iter();
        let asked = pending.flat_map(|entry| act.map(|act| act.prompt(self, context, entry)));
        asked.collect()
    }

    /// `ready` when nothing is awaited, otherwise `setup`.
    pub fn phase(&self) -> &'static str {
        if self.pending.is_empty() { "ready" } else { "setup" }
    }
}

impl<'a> Context<'a> {
    /// The steps that happen with the options of the match, each with its place.
    fn steps(&self) -> impl Iterator<Item = (usize, &'a dyn Act)> + use<'a> {
        let options = &self.inputs.options;
        let steps = self.setup.steps.iter().enumerate();
        steps.filter(|(_, step)| step.when.holds(options)).map(|(at, step)| (at, step.action.act()))
    }

    fn step(&self, at: usize) -> Option<&'a dyn Act> {
        self.setup.steps.get(at).map(|Step { action, .. }| action.act())
    }
}
