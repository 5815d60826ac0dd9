//! A vote of every seat on what becomes of cards.

use super::{Flow, Step};
use crate::matches::MatchError;
use crate::matches::build::Build;
use crate::matches::decision::fields;
use crate::matches::inputs::SeatId;
use crate::text::{harmless, listed};
use serde::Deserialize;
use serde_json::json;

/// Every seat votes, at once; [`Settle`](super::settle::Settle) carries it out.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Vote {
    /// The moment's name in decisions.
    #[serde(rename = "at")]
    pub moment: String,
    /// What can be voted for.
    pub choices: Vec<String>,
}

const STEP: &str = "vote";

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Decision {
    #[serde(rename = "step")]
    _step: String,
    when: String,
    #[serde(rename = "seat")]
    _seat: SeatId,
    choice: String,
}

impl Step for Vote {
    fn run(&self, build: &mut Build<'_>) -> Result<Flow, MatchError> {
        let mut voting: Vec<SeatId> = build.table.seat_ids().collect();
        while !voting.is_empty() {
            let next = build
                .decisions
                .next_of(STEP, |seat| voting.contains(&seat))?;
            let Some((seat, decision)) = next else {
                let entry = |seat| json!({ "step": STEP, "when": self.moment, "seat": seat });
                return Ok(Flow::Awaiting(voting.iter().map(entry).collect()));
            };
            let given: Decision = fields(decision)?;
            if given.when != self.moment {
                let moment = &self.moment;
                return Err(MatchError::refused(format!(
                    "the vote now is the one `{moment}`"
                )));
            }
            if !self.choices.contains(&given.choice) {
                return Err(MatchError::refused(format!(
                    "one votes for {}, not for `{}`",
                    listed(&self.choices, "or"),
                    harmless(&given.choice, false)
                )));
            }
            build.votes.push(given.choice);
            voting.retain(|other| *other != seat);
        }
        Ok(Flow::Done)
    }
}
