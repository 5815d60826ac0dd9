//! Who begins: by chance, or as the table agrees.

use super::{Flow, Step};
use crate::matches::MatchError;
use crate::matches::build::Build;
use crate::matches::decision::fields;
use crate::matches::inputs::SeatId;
use crate::matches::random::below;
use serde::Deserialize;
use serde_json::json;

/// Decides who begins.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct FirstPlayer {}

const STEP: &str = "first-player";

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Decision {
    #[serde(rename = "step")]
    _step: String,
    by: By,
    seat: Option<SeatId>,
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum By {
    Random,
    Choice,
}

impl Step for FirstPlayer {
    fn run(&self, build: &mut Build<'_>) -> Result<Flow, MatchError> {
        let Some(decision) = build.decisions.next(STEP)? else {
            return Ok(Flow::Awaiting(vec![json!({ "step": STEP })]));
        };
        let given: Decision = fields(decision)?;
        let seats = build.table.seats.len();
        let named = decision.get("seat").is_some();
        let first = match (given.by, given.seat) {
            (By::Random, None) if !named => {
                let number = below(&mut build.stream("first-player/0"), seats as u32);
                SeatId::ALL[number as usize]
            }
            (By::Choice, Some(seat)) if seat.index() < seats => seat,
            (By::Choice, Some(seat)) => {
                return Err(MatchError::refused(format!("nobody sits at seat {seat}")));
            }
            (By::Choice, None) => {
                return Err(MatchError::refused(
                    "a choice must name the `seat` that begins",
                ));
            }
            (By::Random, _) => {
                return Err(MatchError::refused(
                    "where chance decides, no `seat` is named",
                ));
            }
        };
        build.table.first = Some(first);
        Ok(Flow::Done)
    }
}
