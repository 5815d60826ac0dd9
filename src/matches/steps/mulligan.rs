//! Mulligans in which the old hand is set aside, a new one drawn, and only then the old
//! one shuffled in: no card of a hand comes back at once.

use super::{Flow, Step};
use crate::matches::MatchError;
use crate::matches::build::Build;
use crate::matches::decision::fields;
use crate::matches::inputs::SeatId;
use crate::text::counted;
use serde::Deserialize;
use serde_json::{Value, json};

/// Every seat keeps its hand or draws another.
#[derive(Debug, Clone, Deserialize)]
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

impl Step for Mulligan {
    fn zones(&self) -> Vec<&str> {
        vec![&self.from, &self.hand]
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
                let pending = deciding.iter().map(entry).collect::<Result<_, _>>()?;
                return Ok(Flow::Awaiting(pending));
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
                    return Err(MatchError::refused("`bottom` is named on keeping only"));
                }
                (Choice::Keep, None) => {
                    return Err(MatchError::refused(
                        "to keep, name the `bottom` cards, if only as []",
                    ));
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

impl Mulligan {
    fn owed(&self, taken: usize) -> usize {
        taken.saturating_sub(self.free)
    }

    /// Whether one more mulligan may be taken.
    fn allow(&self, build: &Build<'_>, seat: SeatId, taken: usize) -> Result<(), MatchError> {
        if taken >= self.most {
            let times = counted(taken as i64, "mulligan");
            return Err(MatchError::refused(format!(
                "seat {seat} has taken {times} and must keep"
            )));
        }
        let deck = build
            .table
            .zone(build.table.place(seat, &self.from)?)
            .slots
            .len();
        if deck < self.cards {
            return Err(MatchError::refused(format!(
                "seat {seat} must keep: the deck holds {deck} of the {} cards for a new hand",
                self.cards
            )));
        }
        Ok(())
    }

    fn pending(&self, build: &Build<'_>, seat: SeatId, taken: usize) -> Result<Value, MatchError> {
        let choices = match self.allow(build, seat, taken) {
            Ok(()) => &["keep", "mulligan"][..],
            Err(MatchError::Refused(_)) => &["keep"],
            Err(fault) => return Err(fault),
        };
        Ok(json!({ "step": STEP, "seat": seat, "choices": choices, "bottom": self.owed(taken) }))
    }

    fn draw_again(&self, build: &mut Build<'_>, seat: SeatId) -> Result<(), MatchError> {
        let deck = build.table.place(seat, &self.from)?;
        let hand = build.table.place(seat, &self.hand)?;
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
            return Err(MatchError::refused(format!(
                "after {times}, {} go to the bottom, not {}",
                counted(owed as i64, "card"),
                bottom.len()
            )));
        }
        let deck = build.table.place(seat, &self.from)?;
        let hand = build.table.place(seat, &self.hand)?;
        for id in bottom {
            let card = build.table.card(id);
            let held = &mut build.table.zone_mut(hand).slots;
            let Some(at) = held.iter().position(|slot| Some(slot.card) == card) else {
                let id = crate::text::harmless(id, false);
                return Err(MatchError::refused(format!(
                    "seat {seat} does not hold `{id}` in hand"
                )));
            };
            let slot = held.remove(at);
            build.table.zone_mut(deck).slots.push(slot);
        }
        Ok(())
    }
}
