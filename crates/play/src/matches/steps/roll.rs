//! Dice for who begins: the highest roll, ties again.

use super::prompt::{Prompt, PromptOption};
use super::{Act, Context, Step, refused};
use crate::matches::error::MatchError;
use crate::matches::log::decision::{Decision, Dice, Pending};
use crate::matches::random::below;
use crate::matches::seat::SeatId;
use crate::matches::state::State;
use crate::matches::table::{self, Table};
use serde::{Deserialize, Serialize};

/// Rolls for who begins; seats that tie for the highest roll again.
#[derive(Debug, Clone, Deserialize, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Roll {
    /// How many sides the die has.
    pub sides: u8,
}

impl Act for Roll {
    fn faults(&self, _before: &[Step]) -> Vec<String> {
        let fault = || format!("with `{}` sides a die never decides who begins", self.sides);
        Vec::from_iter((self.sides < 2).then(fault))
    }

    fn prepare(&self, table: &mut Table) {
        table.rolls = Some(Vec::new());
    }

    fn begin(&self, state: &mut State, _context: &Context<'_>) -> Result<(), MatchError> {
        state.progress.left = state.table.seat_ids().collect();
        decided(state);
        Ok(())
    }

    fn awaits(&self, state: &State, _context: &Context<'_>) -> Result<Vec<Pending>, MatchError> {
        let seats = state.progress.left.clone();
        let round = state.progress.number;
        let is_open = seats.len() > 1;
        Ok(is_open.then_some(Pending::Roll { round, seats }).into_iter().collect())
    }

    fn prompt(
        &self,
        state: &State,
        _context: &Context<'_>,
        pending: &Pending,
    ) -> Result<Prompt, MatchError> {
        let text = match state.progress.number {
            0 => "The highest roll begins. Roll",
            _ => "The highest rolls are equal. Roll again",
        };
        let by_chance = PromptOption::new("chance rolls", Decision::Roll(Dice::Random));
        Ok(Prompt::of(pending, text).with([by_chance]))
    }

    fn decide(
        &self,
        state: &mut State,
        context: &Context<'_>,
        decision: &Decision,
    ) -> Result<(), MatchError> {
        let values = match decision {
            Decision::Roll(dice) => self.values(state, context, dice)?,
            _ => return refused("this is not a roll"),
        };
        let highest = values.values().max().copied();
        state.progress.left.retain(|seat| values.get(seat).copied() == highest);
        state.table.rolls.get_or_insert_default().push(values);
        state.progress.number += 1;
        decided(state);
        Ok(())
    }
}

/// The last seat that rolled highest begins.
fn decided(state: &mut State) {
    if let [first] = state.progress.left.as_slice() {
        state.table.first = Some(*first);
    }
}

impl Roll {
    fn values(
        &self,
        state: &State,
        context: &Context<'_>,
        dice: &Dice,
    ) -> Result<table::Roll, MatchError> {
        let (round, sides) = (state.progress.number, self.sides);
        let rolling = &state.progress.left;
        match dice {
            Dice::Random => {
                let roll = |seat: &SeatId| {
                    let mut words = context.stream(&format!("roll/{round}/{seat}"));
                    (*seat, below(&mut words, u32::from(sides)) as u8 + 1)
                };
                Ok(rolling.iter().map(roll).collect())
            }
            Dice::Given { values } if !values.keys().eq(rolling) => {
                let letters: Vec<&str> = rolling.iter().map(|seat| seat.letter()).collect();
                let letters = decklaw_text::text::listed(&letters, "and");
                refused(format!("only {letters} roll now"))
            }
            Dice::Given { values } => match values.values().find(|v| !(1..=sides).contains(*v)) {
                Some(value) => refused(format!("{value} is not on a die of {sides} sides")),
                None => Ok(values.clone()),
            },
        }
    }
}
