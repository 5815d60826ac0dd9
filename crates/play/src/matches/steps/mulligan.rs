//! Mulligans in which the old hand is set aside, a new one drawn, and only then the old
//! one shuffled in: no card of a hand comes back at once.

use super::asked::{Answer, Named, Question};
use super::build::Build;
use super::decisions::fields;
use super::names::Names;
use super::step::{Fields, Flow, Step, Terms, is_of, seat_of};
use crate::matches::error::{MatchError, MatchErrorKind};
use crate::matches::seat::SeatId;
use crate::matches::table::{Table, ZoneAt};
use decklaw_core::text::counted;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// Every seat keeps its hand or draws another.
#[derive(Debug, Clone, Deserialize, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Mulligan {
    /// The pile that is drawn from.
    pub from: String,
    /// The hand.
    pub hand: String,
    /// How many cards a new hand has.
    pub cards: usize,
    /// How many mulligans a seat may take at most.
    pub most: usize,
    /// How many of them are free; for each one more a card goes to the bottom on keeping.
    pub free: usize,
}

const STEP: &str = "mulligan";

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Decision {
    #[serde(rename = "step")]
    _step: String,
    #[serde(rename = "seat")]
    _seat: SeatId,
    choice: Choice,
    bottom: Option<Vec<String>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum Choice {
    Keep,
    Mulligan,
}

impl Terms for Mulligan {
    const AWAITS: Option<&'static str> = Some(STEP);

    fn compile<'a>(&'a self, names: &Names<'_>) -> Box<dyn Step + 'a> {
        Box::new(Mulligans {
            from: names.zone(&self.from),
            hand: names.zone(&self.hand),
            cards: self.cards,
            most: self.most,
            free: self.free,
        })
    }

    fn example(pending: &Value) -> Option<Fields> {
        let bottom = pending.get("bottom").and_then(Value::as_u64);
        let ids = vec![Value::from("ID"); bottom.unwrap_or_default() as usize];
        Some(vec![
            ("choice".to_owned(), "keep".into()),
            ("bottom".to_owned(), ids.into()),
        ])
    }
}

#[derive(Debug)]
struct Mulligans {
    from: ZoneAt,
    hand: ZoneAt,
    cards: usize,
    most: usize,
    free: usize,
}

impl Step for Mulligans {
    fn ask(&self, table: &Table, pending: &Value) -> Option<Question> {
        let seat = seat_of(pending).filter(|_| is_of(pending, STEP))?;
        let owed = pending.get("bottom").and_then(Value::as_u64)?;
        let owed = usize::try_from(owed).ok()?;
        let mut keep = Answer::whole(
            "keep this hand",
            json!({ "step": STEP, "seat": seat, "choice": "keep", "bottom": [] }),
        );
        if owed > 0 {
            keep.told = format!(
                "keep this hand, {} of it to the bottom of the deck",
                counted(owed as i64, "card")
            );
        }
        keep.cards.push(Named {
            told: "Which go to the bottom, the last named lowest".to_owned(),
            at: vec!["bottom".to_owned()],
            count: Some(owed),
            of: table.named(self.hand.of(seat)),
            ascending: false,
        });
        let mulligan = Answer::whole(
            "mulligan: take another hand",
            json!({ "step": STEP, "seat": seat, "choice": "mulligan" }),
        );
        let choices = pending.get("choices").and_then(Value::as_array);
        let may = choices.is_some_and(|choices| choices.contains(&"mulligan".into()));
        Some(Question {
            blind: false,
            seat: Some(seat),
            text: "Keep the opening hand".to_owned(),
            answers: [keep].into_iter().chain(may.then_some(mulligan)).collect(),
        })
    }

    fn run(&self, build: &mut Build<'_>) -> Result<Flow, MatchError> {
        let seats: Vec<SeatId> = build.table.seat_ids().collect();
        let mut taken = [0; SeatId::ALL.len()];
        let mut deciding = seats.clone();
        while !deciding.is_empty() {
            let next = build
                .decisions
                .next_of(STEP, |seat| deciding.contains(&seat))?;
            let Some((seat, decision)) = next else {
                let entry = |seat: &SeatId| self.pending(build, *seat, taken[seat.index()]);
                return Ok(Flow::Awaiting(deciding.iter().map(entry).collect()));
            };
            let given: Decision = fields(decision)?;
            let count = taken[seat.index()];
            match (given.choice, given.bottom) {
                (Choice::Mulligan, None) if decision.get("bottom").is_none() => {
                    self.allow(build, seat, count)?;
                    self.draw_again(build, seat)?;
                    taken[seat.index()] += 1;
                }
                (Choice::Mulligan, _) => {
                    return Err(
                        MatchErrorKind::Decision.refused("`bottom` is named on keeping only")
                    );
                }
                (Choice::Keep, None) => {
                    return Err(MatchErrorKind::Decision
                        .refused("to keep, name the `bottom` cards, if only as []"));
                }
                (Choice::Keep, Some(bottom)) => {
                    self.keep(build, seat, count, &bottom)?;
                    deciding.retain(|other| *other != seat);
                }
            }
        }
        Ok(Flow::Done)
    }
}

impl Mulligans {
    fn owed(&self, taken: usize) -> usize {
        taken.saturating_sub(self.free)
    }

    /// Whether one more mulligan may be taken.
    fn allow(&self, build: &Build<'_>, seat: SeatId, taken: usize) -> Result<(), MatchError> {
        if taken >= self.most {
            let times = counted(taken as i64, "mulligan");
            return Err(MatchErrorKind::Decision
                .refused(format!("seat {seat} has taken {times} and must keep")));
        }
        let deck = build.table.zone(self.from.of(seat)).slots.len();
        if deck < self.cards {
            return Err(MatchErrorKind::Decision.refused(format!(
                "seat {seat} must keep: the deck holds {deck} of the {} cards for a new hand",
                self.cards
            )));
        }
        Ok(())
    }

    fn pending(&self, build: &Build<'_>, seat: SeatId, taken: usize) -> Value {
        let choices = match self.allow(build, seat, taken) {
            Ok(()) => &["keep", "mulligan"][..],
            Err(_) => &["keep"],
        };
        json!({ "step": STEP, "seat": seat, "choices": choices, "bottom": self.owed(taken) })
    }

    fn draw_again(&self, build: &mut Build<'_>, seat: SeatId) -> Result<(), MatchError> {
        let deck = self.from.of(seat);
        let hand = self.hand.of(seat);
        let aside = std::mem::take(&mut build.table.zone_mut(hand).slots);
        let drawn = build.table.take(deck, self.cards)?;
        build.table.zone_mut(hand).slots = drawn;
        build.table.zone_mut(deck).slots.extend(aside);
        build.table.shuffle(deck, &build.seed);
        Ok(())
    }

    fn keep(
        &self,
        build: &mut Build<'_>,
        seat: SeatId,
        taken: usize,
        bottom: &[String],
    ) -> Result<(), MatchError> {
        let owed = self.owed(taken);
        if bottom.len() != owed {
            let times = counted(taken as i64, "mulligan");
            return Err(MatchErrorKind::Decision.refused(format!(
                "after {times}, {} go to the bottom, not {}",
                counted(owed as i64, "card"),
                bottom.len()
            )));
        }
        let deck = self.from.of(seat);
        let hand = self.hand.of(seat);
        for id in bottom {
            let card = build.table.card(id);
            let held = &mut build.table.zone_mut(hand).slots;
            let Some(at) = held.iter().position(|slot| Some(slot.card) == card) else {
                let id = decklaw_core::text::harmless(id, false);
                return Err(MatchErrorKind::Decision
                    .refused(format!("seat {seat} does not hold `{id}` in hand")));
            };
            let slot = held.remove(at);
            build.table.zone_mut(deck).slots.push(slot);
        }
        Ok(())
    }
}
