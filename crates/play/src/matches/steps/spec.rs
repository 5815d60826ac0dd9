//! A secret choice, committed to by its digest before anything is dealt.

use super::prompt::{Action, Prompt, PromptOption};
use super::{Act, Context, StepKind, refused};
use crate::matches::error::MatchError;
use crate::matches::log::decision::{Decision, Pending};
use crate::matches::random::{bytes_of_hex, tagged};
use crate::matches::seat::SeatId;
use crate::matches::state::State;
use crate::matches::table::Table;
use decklaw_text::digest::hex;
use serde::{Deserialize, Serialize};

/// Every seat commits to a choice, at once; [`Reveal`](super::reveal::Reveal) opens it.
#[derive(Debug, Clone, Deserialize, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Spec {}

/// The digest that commits a seat to a choice.
///
/// ```
/// use decklaw_play::matches::{SeatId, spec_commitment};
/// let (a, b) = (spec_commitment(SeatId::A, &[7; 32], "beauty"), spec_commitment(SeatId::B, &[7; 32], "beauty"));
/// assert_ne!(a, b);
/// ```
pub fn spec_commitment(seat: SeatId, nonce: &[u8; 32], spec: &str) -> [u8; 32] {
    tagged("decklaw/spec/1\0", &[seat.letter().as_bytes(), nonce, spec.as_bytes()])
}

/// A choice that was made in secret.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SealedChoice {
    /// The decision that commits to it: for the table, now.
    pub commits: Decision,
    /// The decision that opens it, once all have committed: until then for nobody.
    pub opens: Decision,
}

impl SealedChoice {
    /// Seals a seat's choice. The nonce is 32 bytes that nobody guesses.
    ///
    /// ```
    /// use decklaw_play::matches::{Decision, SealedChoice, SeatId};
    /// let SealedChoice { commits, opens } = SealedChoice::of(SeatId::A, &[7; 32], "beauty");
    /// assert!(matches!(opens, Decision::Reveal { spec, .. } if spec == "beauty"));
    /// assert!(matches!(commits, Decision::Spec { commit, .. } if commit.len() == 64));
    /// ```
    pub fn of(seat: SeatId, nonce: &[u8; 32], choice: &str) -> SealedChoice {
        SealedChoice {
            commits: Decision::Spec { seat, commit: hex(&spec_commitment(seat, nonce, choice)) },
            opens: Decision::Reveal { seat, spec: choice.to_owned(), nonce: hex(nonce) },
        }
    }
}

impl Act for Spec {
    fn prepare(&self, table: &mut Table) {
        table.seats.iter_mut().for_each(|seat| seat.spec = Some(None));
    }

    fn begin(&self, state: &mut State, _context: &Context<'_>) -> Result<(), MatchError> {
        state.progress.left = state.table.seat_ids().collect();
        Ok(())
    }

    fn awaits(&self, state: &State, _context: &Context<'_>) -> Result<Vec<Pending>, MatchError> {
        Ok(state.progress.each(|seat| Pending::Spec { seat }))
    }

    /// The choices are kept with the step that reveals them.
    fn prompt(
        &self,
        _state: &State,
        context: &Context<'_>,
        pending: &Pending,
    ) -> Result<Prompt, MatchError> {
        let among = context.steps.iter().find_map(|step| match &step.action {
            StepKind::Reveal(reveal) => Some(&reveal.among),
            _ => None,
        });
        let option = |choice: &String| PromptOption {
            text: choice.clone(),
            action: Action::Seal(choice.clone()),
            cards: Vec::new(),
        };
        let options = among.into_iter().flatten().map(option);
        Ok(Prompt::of(pending, "Choose in secret").with(options))
    }

    fn decide(
        &self,
        state: &mut State,
        _context: &Context<'_>,
        decision: &Decision,
    ) -> Result<(), MatchError> {
        let Decision::Spec { seat, commit } = decision else {
            return refused("this commits to nothing");
        };
        let Some(commit) = bytes_of_hex(commit) else {
            return refused("`commit` must be 64 digits 0-9 and a-f");
        };
        state.commitments.insert(*seat, commit);
        state.progress.answered(*seat);
        Ok(())
    }
}
