//! A vote of every seat on what becomes of cards.

use super::asked::{Answer, Question};
use super::build::Build;
use super::decisions::fields;
use super::names::Names;
use super::step::{Fields, Flow, Step, Terms, is_of, seat_of};
use crate::matches::error::{MatchError, MatchErrorKind};
use crate::matches::seat::SeatId;
use crate::matches::table::Table;
use decklaw_core::text::{harmless, listed};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// Every seat votes, at once; [`Settle`](super::settle::Settle) carries it out.
#[derive(Debug, Clone, Deserialize, Serialize)]
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

impl Terms for Vote {
    const AWAITS: Option<&'static str> = Some(STEP);

    fn compile<'a>(&'a self, _names: &Names<'_>) -> Box<dyn Step + 'a> {
        Box::new(Voting {
            moment: &self.moment,
            choices: &self.choices,
        })
    }

    fn example(_pending: &Value) -> Option<Fields> {
        Some(vec![("choice".to_owned(), "shuffle".into())])
    }
}

#[derive(Debug)]
struct Voting<'a> {
    moment: &'a str,
    choices: &'a [String],
}

impl Step for Voting<'_> {
    fn ask(&self, _table: &Table, pending: &Value) -> Option<Question> {
        let ours = is_of(pending, STEP) && pending.get("when") == Some(&self.moment.into());
        let seat = seat_of(pending).filter(|_| ours)?;
        let answer = |choice: &String| {
            let decision =
                json!({ "step": STEP, "when": self.moment, "seat": seat, "choice": choice });
            Answer::whole(choice, decision)
        };
        Some(Question {
            blind: false,
            seat: Some(seat),
            text: format!("The vote {}", self.moment.replace('-', " ")),
            answers: self.choices.iter().map(answer).collect(),
        })
    }

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
                let moment = self.moment;
                return Err(
                    MatchErrorKind::Decision.refused(format!("the vote now is the one `{moment}`"))
                );
            }
            if !self.choices.contains(&given.choice) {
                return Err(MatchErrorKind::Decision.refused(format!(
                    "one votes for {}, not for `{}`",
                    listed(self.choices, "or"),
                    harmless(&given.choice, false)
                )));
            }
            build.votes.push(given.choice);
            voting.retain(|other| *other != seat);
        }
        Ok(Flow::Done)
    }
}
