//! Opening secret choices, and showing them only once all are open.

use super::spec::spec_commitment;
use super::{Flow, Step};
use crate::matches::MatchError;
use crate::matches::build::Build;
use crate::matches::decision::fields;
use crate::matches::inputs::SeatId;
use crate::matches::random::bytes_of_hex;
use crate::text::{harmless, listed};
use serde::Deserialize;
use serde_json::json;
use std::collections::BTreeMap;

/// Every seat reveals what it committed to, at once.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Reveal {
    /// What could be chosen.
    pub among: Vec<String>,
}

const STEP: &str = "reveal";

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Decision {
    #[serde(rename = "step")]
    _step: String,
    #[serde(rename = "seat")]
    _seat: SeatId,
    spec: String,
    nonce: String,
}

impl Step for Reveal {
    fn run(&self, build: &mut Build<'_>) -> Result<Flow, MatchError> {
        let seats: Vec<SeatId> = build.table.seat_ids().collect();
        let mut revealed: BTreeMap<SeatId, String> = BTreeMap::new();
        while revealed.len() < seats.len() {
            let open = |seat: SeatId| seats.contains(&seat) && !revealed.contains_key(&seat);
            let Some((seat, decision)) = build.decisions.next_of(STEP, open)? else {
                let open = seats.iter().filter(|seat| !revealed.contains_key(seat));
                let pending = open.map(|seat| json!({ "step": STEP, "seat": seat }));
                return Ok(Flow::Awaiting(pending.collect()));
            };
            let given: Decision = fields(decision)?;
            if !self.among.contains(&given.spec) {
                return Err(MatchError::refused(format!(
                    "`{}` is none of {}",
                    harmless(&given.spec, false),
                    listed(&self.among, "and")
                )));
            }
            let Some(nonce) = bytes_of_hex(&given.nonce) else {
                return Err(MatchError::refused("`nonce` must be 64 digits 0-9 and a-f"));
            };
            let commitment = spec_commitment(seat, &nonce, &given.spec);
            if build.commitments.get(&seat) != Some(&commitment) {
                return Err(MatchError::refused(format!(
                    "this is not what seat {seat} committed to"
                )));
            }
            revealed.insert(seat, given.spec);
        }
        for (seat, spec) in revealed {
            build.table.seats[seat.index()].spec = Some(Some(spec));
        }
        Ok(Flow::Done)
    }
}
