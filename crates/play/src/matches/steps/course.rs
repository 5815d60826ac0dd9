//! From step to step: until one awaits a decision, and on once it is made.

use super::prompt::Prompt;
use super::{Act, Context, Step, refused};
use crate::matches::error::MatchError;
use crate::matches::log::decision::{Decision, Pending};
use crate::matches::seat::SeatId;
use crate::matches::state::{Progress, State};
use crate::matches::table::Table;

impl State {
    /// The first state of a match: on a table with its decks in place, and the setup as far as it goes without a
    /// decision.
    ///
    /// # Errors
    /// Too few cards, a fault in the format file.
    pub(in crate::matches) fn begin(
        mut table: Table,
        context: &Context<'_>,
    ) -> Result<State, MatchError> {
        for (_, act) in context.chosen() {
            table.partners |= act.has_partners();
            act.prepare(&mut table);
        }
        let mut state = State::new(table);
        state.advance(context, 0)?;
        Ok(state)
    }

    /// Goes on from a step until one awaits a decision.
    fn advance(&mut self, context: &Context<'_>, from: usize) -> Result<(), MatchError> {
        for (at, act) in context.chosen().filter(|(at, _)| *at >= from) {
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
        let step = decision.step();
        let Some(act) = context.step(self.step).filter(|_| !self.pending.is_empty()) else {
            return refused("nothing is awaited any more");
        };
        let mut awaited = self.pending.iter().filter(|entry| entry.step() == step).peekable();
        if awaited.peek().is_none() {
            let awaited = self.pending.first().map_or("", Pending::step);
            return refused(format!("`{step}` is not awaited now; `{awaited}` is"));
        }
        if let Some(seat) = decision.seat()
            && !awaited.any(|entry| entry.seat() == Some(seat))
        {
            return refused(format!("no `{step}` is awaited of seat {seat} now"));
        }
        act.decide(self, context, decision)?;
        self.pending = act.awaits(self, context)?;
        if self.pending.is_empty() { self.advance(context, self.step + 1) } else { Ok(()) }
    }

    /// The open questions, with the decisions that are allowed.
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
}

impl<'a> Context<'a> {
    /// The steps that happen with the options of the match, each with its place.
    fn chosen(&self) -> impl Iterator<Item = (usize, &'a dyn Act)> + use<'a> {
        let options = &self.inputs.options;
        let steps = self.steps.iter().enumerate();
        steps.filter(|(_, step)| step.when.holds(options)).map(|(at, step)| (at, step.action.act()))
    }

    fn step(&self, at: usize) -> Option<&'a dyn Act> {
        self.steps.get(at).map(|Step { action, .. }| action.act())
    }
}
