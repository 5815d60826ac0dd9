//! A secret choice, committed to by its digest before anything is dealt.

use super::build::Build;
use super::decisions::fields;
use super::names::Names;
use super::step::{Fields, Flow, Step, Terms};
use crate::matches::error::{MatchError, MatchErrorKind};
use crate::matches::random::{bytes_of_hex, tagged};
use crate::matches::seat::SeatId;
use crate::matches::table::Table;
use decklaw_core::digest::hex;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// Every seat commits to a choice, at once; [`Reveal`](super::reveal::Reveal) opens it.
#[derive(Debug, Clone, Deserialize, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Spec {}

pub(super) const STEP: &str = "spec";

/// The word of the decisions that open a choice.
pub(super) const OPENING: &str = "reveal";

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Decision {
    #[serde(rename = "step")]
    _step: String,
    #[serde(rename = "seat")]
    _seat: SeatId,
    commit: String,
}

/// The digest that commits a seat to a choice.
///
/// ```
/// use decklaw_play::matches::{SeatId, spec_commitment};
/// let (a, b) = (spec_commitment(SeatId::A, &[7; 32], "beauty"), spec_commitment(SeatId::B, &[7; 32], "beauty"));
/// assert_ne!(a, b);
/// ```
pub fn spec_commitment(seat: SeatId, nonce: &[u8; 32], spec: &str) -> [u8; 32] {
    tagged(
        "decklaw/spec/1\0",
        &[seat.letter().as_bytes(), nonce, spec.as_bytes()],
    )
}

/// A choice that was made in secret.
#[derive(Debug, Clone, PartialEq)]
pub struct Sealed {
    /// The decision that commits to it: for the table, now.
    pub commits: Value,
    /// The decision that opens it, once all have committed: until then for nobody.
    pub opens: Value,
}

impl Sealed {
    /// Seals a seat's choice. The nonce is 32 bytes that nobody guesses.
    ///
    /// ```
    /// use decklaw_play::matches::{Sealed, SeatId};
    /// let sealed = Sealed::of(SeatId::A, &[7; 32], "beauty");
    /// assert_eq!(sealed.opens["spec"], "beauty");
    /// assert!(!sealed.commits.to_string().contains("beauty"));
    /// ```
    pub fn of(seat: SeatId, nonce: &[u8; 32], choice: &str) -> Sealed {
        let commit = hex(&spec_commitment(seat, nonce, choice));
        let nonce = hex(nonce);
        Sealed {
            commits: json!({ "step": STEP, "seat": seat, "commit": commit }),
            opens: json!({ "step": OPENING, "seat": seat, "spec": choice, "nonce": nonce }),
        }
    }
}

impl Terms for Spec {
    const AWAITS: Option<&'static str> = Some(STEP);

    fn compile<'a>(&'a self, _names: &Names<'_>) -> Box<dyn Step + 'a> {
        Box::new(Sealing)
    }

    fn example(_pending: &Value) -> Option<Fields> {
        None
    }
}

#[derive(Debug)]
struct Sealing;

impl Step for Sealing {
    fn prepare(&self, table: &mut Table) {
        table
            .seats
            .iter_mut()
            .for_each(|seat| seat.spec = Some(None));
    }

    fn run(&self, build: &mut Build<'_>) -> Result<Flow, MatchError> {
        let seats: Vec<SeatId> = build.table.seat_ids().collect();
        while build.commitments.len() < seats.len() {
            let open =
                |seat: SeatId| seats.contains(&seat) && !build.commitments.contains_key(&seat);
            let Some((seat, decision)) = build.decisions.next_of(STEP, open)? else {
                let open = seats
                    .iter()
                    .filter(|seat| !build.commitments.contains_key(seat));
                let pending = open.map(|seat| json!({ "step": STEP, "seat": seat }));
                return Ok(Flow::Awaiting(pending.collect()));
            };
            let given: Decision = fields(decision)?;
            let Some(commit) = bytes_of_hex(&given.commit) else {
                return Err(
                    MatchErrorKind::Decision.refused("`commit` must be 64 digits 0-9 and a-f")
                );
            };
            build.commitments.insert(seat, commit);
        }
        Ok(Flow::Done)
    }
}
