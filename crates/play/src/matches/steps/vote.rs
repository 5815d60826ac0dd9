//! A vote of every seat on what becomes of cards.

use super::prompt::{Prompt, PromptOption};
use super::{Act, Context, Step, refused};
use crate::matches::error::MatchError;
use crate::matches::log::decision::{Decision, Pending};
use crate::matches::state::State;
use decklaw_text::text::{escape_control, listed};
use serde::{Deserialize, Serialize};

/// Every seat votes, at once; [`Settle`](super::settle::Settle) carries it out.
#[derive(Debug, Clone, Deserialize, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Vote {
    /// The moment's name in decisions.
    #[serde(rename = "at")]
    pub moment: String,
    /// What can be voted for.
    pub choices: Vec<String>,
}

impl Act for Vote {
    fn faults(&self, _before: &[Step]) -> Vec<String> {
        let is_empty = self.choices.is_empty();
        Vec::from_iter(is_empty.then(|| "a vote has no `choices`".to_owned()))
    }

    fn begin(&self, state: &mut State, _context: &Context<'_>) -> Result<(), MatchError> {
        state.progress.left = state.table.seat_ids().collect();
        Ok(())
    }

    fn awaits(&self, state: &State, _context: &Context<'_>) -> Result<Vec<Pending>, MatchError> {
        Ok(state.progress.each(|seat| Pending::Vote {
            when: self.moment.clone(),
            seat,
            choices: self.choices.clone(),
        }))
    }

    fn prompt(
        &self,
        _state: &State,
        _context: &Context<'_>,
        pending: &Pending,
    ) -> Result<Prompt, MatchError> {
        let option = |choice: &String| {
            let decision = Decision::Vote {
                when: self.moment.clone(),
                seat: pending.seat()?,
                choice: choice.clone(),
            };
            Some(PromptOption::new(choice, decision))
        };
        let text = format!("The vote {}", self.moment.replace('-', " "));
        Ok(Prompt::of(pending, text).with(self.choices.iter().filter_map(option)))
    }

    fn decide(
        &self,
        state: &mut State,
        _context: &Context<'_>,
        decision: &Decision,
    ) -> Result<(), MatchError> {
        match decision {
            Decision::Vote { when, .. } if *when != self.moment => {
                refused(format!("the vote now is `{}`", self.moment))
            }
            Decision::Vote { choice, .. } if !self.choices.contains(choice) => refused(format!(
                "vote for {}, not for `{}`",
                listed(&self.choices, "or"),
                escape_control(choice, false)
            )),
            Decision::Vote { seat, choice, .. } => {
                state.votes.push(choice.clone());
                state.progress.answered(*seat);
                Ok(())
            }
            _ => refused("this is not a vote"),
        }
    }
}
