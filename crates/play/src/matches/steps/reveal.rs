//! Opening secret choices, and showing them only once all are open.

use super::spec::spec_commitment;
use super::{Act, Context, Step, StepKind, refused};
use crate::matches::error::MatchError;
use crate::matches::log::decision::{Decision, Pending};
use crate::matches::random::bytes_of_hex;
use crate::matches::state::State;
use decklaw_text::text::{escape_control, listed};
use serde::{Deserialize, Serialize};

/// Every seat reveals what it committed to, at once.
#[derive(Debug, Clone, Deserialize, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Reveal {
    /// What could be chosen.
    pub among: Vec<String>,
}

impl Act for Reveal {
    fn faults(&self, before: &[Step]) -> Vec<String> {
        let is_spec = |step: &Step| matches!(step.action, StepKind::Spec(_));
        let faults = [
            (self.among.is_empty(), "a step reveals a choice `among` nothing"),
            (!before.iter().any(is_spec), "a step has `reveal`, and no step before it `spec`"),
        ];
        faults.into_iter().filter(|(is_it, _)| *is_it).map(|(_, fault)| fault.to_owned()).collect()
    }

    fn begin(&self, state: &mut State, _context: &Context<'_>) -> Result<(), MatchError> {
        state.progress.left = state.table.seat_ids().collect();
        Ok(())
    }

    fn awaits(&self, state: &State, _context: &Context<'_>) -> Result<Vec<Pending>, MatchError> {
        Ok(state.progress.each(|seat| Pending::Reveal { seat }))
    }

    fn decide(
        &self,
        state: &mut State,
        _context: &Context<'_>,
        decision: &Decision,
    ) -> Result<(), MatchError> {
        let Decision::Reveal { seat, spec, nonce } = decision else {
            return refused("this opens nothing");
        };
        if !self.among.contains(spec) {
            return refused(format!(
                "`{}` is none of {}",
                escape_control(spec, false),
                listed(&self.among, "and")
            ));
        }
        let Some(nonce) = bytes_of_hex(nonce) else {
            return refused("`nonce` must be 64 digits 0-9 and a-f");
        };
        if state.commitments.get(seat) != Some(&spec_commitment(*seat, &nonce, spec)) {
            return refused(format!("this is not what seat {seat} committed to"));
        }
        state.progress.answered(*seat);
        state.progress.revealed.push((*seat, spec.clone()));
        if state.progress.left.is_empty() {
            for (seat, spec) in std::mem::take(&mut state.progress.revealed) {
                if let Some(seat) = state.table.seats.get_mut(seat.index()) {
                    seat.spec = Some(Some(spec));
                }
            }
        }
        Ok(())
    }
}
