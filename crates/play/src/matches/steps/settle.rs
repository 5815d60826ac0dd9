//! What becomes of cards that are left, as was voted.

use super::{Act, Context, Names, Step, StepKind};
use crate::matches::error::MatchError;
use crate::matches::state::State;
use serde::{Deserialize, Serialize};

/// Clears a zone: to one place when every vote was for it, otherwise into a pile, which is
/// then shuffled. With no card left nothing happens.
#[derive(Debug, Clone, Deserialize, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Settle {
    /// The zone to clear: each seat's, in turn order, or the one in the middle.
    pub from: String,
    /// The choice that every vote must have been for.
    pub unanimous: String,
    /// Where the cards then go.
    pub to: String,
    /// The pile into which they are shuffled otherwise.
    pub otherwise: String,
}

impl Act for Settle {
    fn names(&self) -> Names<'_> {
        Names { zones: vec![&self.from, &self.to, &self.otherwise], ..Names::default() }
    }

    fn faults(&self, before: &[Step]) -> Vec<String> {
        let has_choice = |step: &Step| match &step.action {
            StepKind::Vote(vote) => vote.choices.contains(&self.unanimous),
            _ => false,
        };
        let is_missing = !before.iter().any(has_choice);
        let unanimous = &self.unanimous;
        Vec::from_iter(is_missing.then(|| format!("no vote before a step is for `{unanimous}`")))
    }

    fn begin(&self, state: &mut State, context: &Context<'_>) -> Result<(), MatchError> {
        let for_it = |vote: &String| *vote == self.unanimous;
        let is_unanimous = !state.votes.is_empty() && state.votes.iter().all(for_it);
        let target = if is_unanimous { &self.to } else { &self.otherwise };
        let mut pile = None;
        for seat in state.table.dealing_order() {
            let from = state.table.place(seat, &self.from)?;
            let left = std::mem::take(&mut state.table.zone_mut(from).slots);
            if left.is_empty() {
                continue;
            }
            let to = state.table.place(seat, target)?;
            state.table.zone_mut(to).slots.extend(left);
            pile = Some(to);
        }
        if let (Some(pile), false) = (pile, is_unanimous) {
            state.table.shuffle(pile, &context.seed);
        }
        Ok(())
    }
}
