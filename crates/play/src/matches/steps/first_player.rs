//! Who begins: by chance, or as the table agrees.

use super::asked::{Answer, Question};
use super::build::Build;
use super::decisions::fields;
use super::names::Names;
use super::step::{Fields, Flow, Step, Terms, is_of};
use crate::matches::error::{MatchError, MatchErrorKind};
use crate::matches::inputs::result::GameResult;
use crate::matches::random::below;
use crate::matches::seat::SeatId;
use crate::matches::table::Table;
use decklaw_core::text::listed;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// Decides who begins.
#[derive(Debug, Clone, Deserialize, Serialize)]
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

impl Terms for FirstPlayer {
    const AWAITS: Option<&'static str> = Some(STEP);

    fn compile<'a>(&'a self, _names: &Names<'_>) -> Box<dyn Step + 'a> {
        Box::new(Beginning(self))
    }

    fn example(_pending: &Value) -> Option<Fields> {
        Some(vec![("by".to_owned(), "random".into())])
    }

    fn alone(_pending: &Value) -> Option<Value> {
        Some(json!({ "step": STEP, "by": "random" }))
    }
}

#[derive(Debug)]
struct Beginning<'a>(&'a FirstPlayer);

impl Step for Beginning<'_> {
    fn has_partners(&self) -> bool {
        self.0.losing_team
    }

    fn ask(&self, table: &Table, pending: &Value) -> Option<Question> {
        let seats = pending.get("seats").and_then(Value::as_array);
        let may_begin =
            |seat: &SeatId| seats.is_none_or(|seats| seats.contains(&Value::from(seat.letter())));
        let by_chance = Answer::whole("chance decides", json!({ "step": STEP, "by": "random" }));
        let chosen = table.seat_ids().filter(may_begin).map(|seat| {
            let decision = json!({ "step": STEP, "by": "choice", "seat": seat });
            Answer::whole(format!("seat {seat} begins"), decision)
        });
        is_of(pending, STEP).then(|| Question {
            blind: false,
            seat: None,
            text: "Who begins".to_owned(),
            answers: [by_chance].into_iter().chain(chosen).collect(),
        })
    }

    fn run(&self, build: &mut Build<'_>) -> Result<Flow, MatchError> {
        let losers = self.0.losers(build);
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
                return Err(MatchErrorKind::Decision.refused(format!(
                    "the team that lost the game before begins: seat {}",
                    listed(&seats, "or")
                )));
            }
            (By::Choice, Some(seat)) => {
                return Err(MatchErrorKind::Decision.refused(format!("nobody sits at seat {seat}")));
            }
            (By::Choice, None) => {
                return Err(
                    MatchErrorKind::Decision.refused("a choice must name the `seat` that begins")
                );
            }
            (By::Random, _) => {
                return Err(
                    MatchErrorKind::Decision.refused("where chance decides, no `seat` is named")
                );
            }
        };
        build.table.first = Some(first);
        Ok(Flow::Done)
    }
}
