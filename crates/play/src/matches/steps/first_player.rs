//! Who begins: by chance, or as the table agrees.

use super::prompt::{Prompt, PromptOption};
use super::{Act, Context, refused};
use crate::matches::error::MatchError;
use crate::matches::inputs::result::GameResult;
use crate::matches::log::decision::{Decision, FirstPlayer as Beginner, Pending};
use crate::matches::random::below;
use crate::matches::seat::SeatId;
use crate::matches::state::State;
use decklaw_text::text::listed;
use serde::{Deserialize, Serialize};

/// Decides who begins.
#[derive(Debug, Clone, Deserialize, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct FirstPlayer {
    /// Whether the team that lost the game before begins; partners sit two apart. In a first
    /// game, and after one that nobody won, any seat may begin.
    #[serde(default)]
    pub losing_team: bool,
}

impl FirstPlayer {
    /// The seats of the team that lost the game before, where one of them begins.
    fn losers(&self, state: &State, context: &Context<'_>) -> Option<Vec<SeatId>> {
        match context.inputs.results.as_ref()?.last()? {
            GameResult::Won(winner) if self.losing_team => {
                let other = |seat: &SeatId| seat.index() % 2 != winner.index() % 2;
                Some(state.table.seat_ids().filter(other).collect())
            }
            GameResult::Won(_) | GameResult::Drawn(_) => None,
        }
    }
}

impl Act for FirstPlayer {
    fn has_partners(&self) -> bool {
        self.losing_team
    }

    fn begin(&self, state: &mut State, context: &Context<'_>) -> Result<(), MatchError> {
        let losers = self.losers(state, context);
        state.progress.left = losers.unwrap_or_else(|| state.table.seat_ids().collect());
        Ok(())
    }

    fn awaits(&self, state: &State, context: &Context<'_>) -> Result<Vec<Pending>, MatchError> {
        let is_open = !state.progress.left.is_empty();
        let seats = self.losers(state, context);
        Ok(is_open.then_some(Pending::FirstPlayer { seats }).into_iter().collect())
    }

    fn prompt(
        &self,
        state: &State,
        _context: &Context<'_>,
        pending: &Pending,
    ) -> Result<Prompt, MatchError> {
        let by_chance = Decision::FirstPlayer(Beginner::Random);
        let chosen = state.progress.left.iter().map(|seat| {
            let decision = Decision::FirstPlayer(Beginner::Choice { seat: *seat });
            PromptOption::new(format!("seat {seat} begins"), decision)
        });
        Ok(Prompt::of(pending, "Who begins")
            .with([PromptOption::new("chance decides", by_chance)])
            .with(chosen))
    }

    fn decide(
        &self,
        state: &mut State,
        context: &Context<'_>,
        decision: &Decision,
    ) -> Result<(), MatchError> {
        let may_begin = std::mem::take(&mut state.progress.left);
        state.table.first = match decision {
            Decision::FirstPlayer(Beginner::Random) => {
                let number = below(&mut context.stream("first-player/0"), may_begin.len() as u32);
                may_begin.get(number as usize).copied()
            }
            Decision::FirstPlayer(Beginner::Choice { seat }) if may_begin.contains(seat) => {
                Some(*seat)
            }
            Decision::FirstPlayer(Beginner::Choice { seat })
                if seat.index() < state.table.seats.len() =>
            {
                let seats: Vec<&str> = may_begin.iter().map(|seat| seat.letter()).collect();
                return refused(format!(
                    "the team that lost the last game begins: seat {}",
                    listed(&seats, "or")
                ));
            }
            Decision::FirstPlayer(Beginner::Choice { seat }) => {
                return refused(format!("seat {seat} is empty"));
            }
            _ => return refused("this does not decide who begins"),
        };
        Ok(())
    }
}
