//! Who begins: by chance, or as the table agrees.

use super::{Flow, Step};
use crate::matches::MatchError;
use crate::matches::build::Build;
use crate::matches::decision::fields;
use crate::matches::inputs::SeatId;
use crate::matches::random::below;
use crate::matches::series::GameResult;
use crate::text::listed;
use serde::Deserialize;
use serde_json::json;

/// Decides who begins.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct FirstPlayer {
    /// Whether the team that lost the game before begins; partners sit two apart. In a first
    /// game, and after one that nobody won, any seat may begin.
    #[serde(default)]
    pub losing_team: bool,
}

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

impl FirstPlayer {
    /// The seats of the team that lost the game before, where it is they who begin.
    fn losers(&self, build: &Build<'_>) -> Option<Vec<SeatId>> {
        let last = build.inputs.results.as_ref()?.last()?;
        match last {
            GameResult::Won(winner) if self.losing_team => {
                let other = |seat: &SeatId| seat.index() % 2 != winner.index() % 2;
                Some(build.table.seat_ids().filter(other).collect())
            }
            GameResult::Won(_) | GameResult::Drawn(_) => None,
        }
    }
}

impl Step for FirstPlayer {
    fn run(&self, build: &mut Build<'_>) -> Result<Flow, MatchError> {
        let losers = self.losers(build);
        let Some(decision) = build.decisions.next(STEP)? else {
            return Ok(Flow::Awaiting(vec![match &losers {
                Some(seats) => json!({ "step": STEP, "seats": seats }),
                None => json!({ "step": STEP }),
            }]));
        };
        let given: Decision = fields(decision)?;
        let seats = build.table.seats.len();
        let may_begin = losers.unwrap_or_else(|| build.table.seat_ids().collect());
        let named = decision.get("seat").is_some();
        let first = match (given.by, given.seat) {
            (By::Random, None) if !named => {
                let number = below(&mut build.stream("first-player/0"), may_begin.len() as u32);
                may_begin[number as usize]
            }
            (By::Choice, Some(seat)) if may_begin.contains(&seat) => seat,
            (By::Choice, Some(seat)) if seat.index() < seats => {
                let seats: Vec<&str> = may_begin.iter().map(|seat| seat.letter()).collect();
                return Err(MatchError::refused(format!(
                    "the team that lost the game before begins: seat {}",
                    listed(&seats, "or")
                )));
            }
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
