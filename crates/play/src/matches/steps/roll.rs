//! Dice for who begins: the highest roll, ties again.

use super::asked::{Answer, Question};
use super::build::Build;
use super::decisions::fields;
use super::names::Names;
use super::step::{Fields, Flow, Step, Terms, is_of};
use crate::matches::error::{MatchError, MatchErrorKind};
use crate::matches::random::below;
use crate::matches::seat::SeatId;
use crate::matches::table::{self, Table};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// Rolls for who begins; seats that tie for the highest roll again.
#[derive(Debug, Clone, Deserialize, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Roll {
    /// How many sides the die has.
    pub sides: u8,
}

const STEP: &str = "roll";

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Decision {
    #[serde(rename = "step")]
    _step: String,
    by: By,
    values: Option<table::Roll>,
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum By {
    Random,
    Given,
}

impl Terms for Roll {
    const AWAITS: Option<&'static str> = Some(STEP);

    fn compile<'a>(&'a self, _names: &Names<'_>) -> Box<dyn Step + 'a> {
        Box::new(Rolling(self))
    }

    fn example(_pending: &Value) -> Option<Fields> {
        Some(vec![("by".to_owned(), "random".into())])
    }

    fn alone(_pending: &Value) -> Option<Value> {
        Some(json!({ "step": STEP, "by": "random" }))
    }
}

#[derive(Debug)]
struct Rolling<'a>(&'a Roll);

impl Step for Rolling<'_> {
    fn ask(&self, _table: &Table, pending: &Value) -> Option<Question> {
        let again = pending.get("round").and_then(Value::as_u64) > Some(0);
        is_of(pending, STEP).then(|| Question {
            blind: false,
            seat: None,
            text: match again {
                true => "The highest roll was thrown more than once. Throw again".to_owned(),
                false => "The highest roll begins. Throw".to_owned(),
            },
            answers: vec![Answer::whole(
                "chance throws",
                json!({ "step": STEP, "by": "random" }),
            )],
        })
    }

    fn prepare(&self, table: &mut Table) {
        table.rolls = Some(Vec::new());
    }

    fn run(&self, build: &mut Build<'_>) -> Result<Flow, MatchError> {
        let mut rolling: Vec<SeatId> = build.table.seat_ids().collect();
        let mut round = 0;
        while rolling.len() > 1 {
            let Some(decision) = build.decisions.next(STEP)? else {
                let pending = json!({ "step": STEP, "round": round, "seats": rolling });
                return Ok(Flow::Awaiting(vec![pending]));
            };
            let values = self.0.values(build, decision, &rolling, round)?;
            let highest = values.values().max().copied();
            rolling.retain(|seat| values.get(seat).copied() == highest);
            build.table.rolls.get_or_insert_default().push(values);
            round += 1;
        }
        build.table.first = rolling.first().copied();
        Ok(Flow::Done)
    }
}

impl Roll {
    fn values(
        &self,
        build: &Build<'_>,
        decision: &Value,
        rolling: &[SeatId],
        round: usize,
    ) -> Result<table::Roll, MatchError> {
        let given: Decision = fields(decision)?;
        let sides = self.sides;
        match (given.by, given.values) {
            (By::Random, None) if decision.get("values").is_none() => {
                let roll = |seat: &SeatId| {
                    let mut words = build.stream(&format!("roll/{round}/{seat}"));
                    (*seat, below(&mut words, u32::from(sides)) as u8 + 1)
                };
                Ok(rolling.iter().map(roll).collect())
            }
            (By::Random, _) => {
                Err(MatchErrorKind::Decision.refused("where chance rolls, no `values` are given"))
            }
            (By::Given, None) => {
                Err(MatchErrorKind::Decision.refused("a given roll must have its `values`"))
            }
            (By::Given, Some(values)) if !values.keys().eq(rolling) => {
                let letters: Vec<&str> = rolling.iter().map(|seat| seat.letter()).collect();
                let letters = decklaw_core::text::listed(&letters, "and");
                Err(MatchErrorKind::Decision.refused(format!("just {letters} roll now")))
            }
            (By::Given, Some(values)) => {
                match values.values().find(|v| !(1..=sides).contains(*v)) {
                    Some(value) => Err(MatchErrorKind::Decision
                        .refused(format!("{value} is not on a die of {sides} sides"))),
                    None => Ok(values),
                }
            }
        }
    }
}
