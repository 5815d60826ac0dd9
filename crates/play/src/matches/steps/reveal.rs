//! Opening secret choices, and showing them only once all are open.

use super::asked::{Answer, Question};
use super::build::Build;
use super::decisions::fields;
use super::names::Names;
use super::spec::{self, spec_commitment};
use super::step::{Fields, Flow, Step, Terms, is_of, seat_of};
use crate::matches::error::{MatchError, MatchErrorKind};
use crate::matches::random::bytes_of_hex;
use crate::matches::seat::SeatId;
use crate::matches::table::Table;
use decklaw_core::text::{harmless, listed};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// Every seat reveals what it committed to, at once.
#[derive(Debug, Clone, Deserialize, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Reveal {
    /// What could be chosen.
    pub among: Vec<String>,
}

const STEP: &str = spec::OPENING;

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

impl Terms for Reveal {
    const AWAITS: Option<&'static str> = Some(STEP);

    fn compile<'a>(&'a self, _names: &Names<'_>) -> Box<dyn Step + 'a> {
        Box::new(Opening { among: &self.among })
    }

    fn example(_pending: &Value) -> Option<Fields> {
        None
    }
}

#[derive(Debug)]
struct Opening<'a> {
    among: &'a [String],
}

impl Step for Opening<'_> {
    /// Asks for the secret choices, too: what can be chosen stands here.
    fn ask(&self, _table: &Table, pending: &Value) -> Option<Question> {
        let seat = seat_of(pending).filter(|_| is_of(pending, spec::STEP))?;
        let answer = |choice: &String| Answer {
            sealed: Some(choice.clone()),
            ..Answer::whole(choice, json!({ "step": spec::STEP, "seat": seat }))
        };
        Some(Question {
            blind: false,
            seat: Some(seat),
            text: "Choose in secret".to_owned(),
            answers: self.among.iter().map(answer).collect(),
        })
    }

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
                return Err(MatchErrorKind::Decision.refused(format!(
                    "`{}` is none of {}",
                    harmless(&given.spec, false),
                    listed(self.among, "and")
                )));
            }
            let Some(nonce) = bytes_of_hex(&given.nonce) else {
                return Err(
                    MatchErrorKind::Decision.refused("`nonce` must be 64 digits 0-9 and a-f")
                );
            };
            let commitment = spec_commitment(seat, &nonce, &given.spec);
            if build.commitments.get(&seat) != Some(&commitment) {
                return Err(MatchErrorKind::Decision
                    .refused(format!("this is not what seat {seat} committed to")));
            }
            revealed.insert(seat, given.spec);
        }
        for (seat, spec) in revealed {
            build.table.seats[seat.index()].spec = Some(Some(spec));
        }
        Ok(Flow::Done)
    }
}
