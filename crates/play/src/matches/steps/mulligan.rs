//! Mulligans in which the old hand is set aside, a new one drawn, and only then the old
//! one shuffled in: no card of a hand comes back at once.

use super::prompt::{CardChoice, CardField, Prompt, PromptOption};
use super::{Act, Context, Names, refused};
use crate::matches::error::MatchError;
use crate::matches::log::decision::{Decision, HandChoice, Pending};
use crate::matches::seat::SeatId;
use crate::matches::state::State;
use decklaw_text::text::{counted, escape_control};
use serde::{Deserialize, Serialize};

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

impl Act for Mulligan {
    fn names(&self) -> Names<'_> {
        Names { zones: vec![&self.from, &self.hand], ..Names::default() }
    }

    fn begin(&self, state: &mut State, _context: &Context<'_>) -> Result<(), MatchError> {
        state.progress.left = state.table.seat_ids().collect();
        Ok(())
    }

    fn awaits(&self, state: &State, _context: &Context<'_>) -> Result<Vec<Pending>, MatchError> {
        let entry = |seat: &SeatId| {
            let choices = match self.refusal(state, *seat)? {
                None => vec!["keep", "mulligan"],
                Some(_) => vec!["keep"],
            };
            Ok(Pending::Mulligan { seat: *seat, choices, bottom: self.owed(state, *seat) })
        };
        state.progress.left.iter().map(entry).collect()
    }

    fn prompt(
        &self,
        state: &State,
        _context: &Context<'_>,
        pending: &Pending,
    ) -> Result<Prompt, MatchError> {
        let prompt = Prompt::of(pending, "Keep the opening hand");
        let Pending::Mulligan { seat, choices, bottom } = pending else {
            return Ok(prompt);
        };
        let option = |text: String, choice: HandChoice| {
            PromptOption::new(text, Decision::Mulligan { seat: *seat, choice })
        };
        let text = match bottom {
            0 => "keep this hand".to_owned(),
            bottom => format!(
                "keep this hand, {} of it to the bottom of the deck",
                counted(*bottom as i64, "card")
            ),
        };
        let mut keep = option(text, HandChoice::Keep { bottom: Vec::new() });
        keep.cards.push(CardChoice {
            text: "Cards for the bottom of the deck, the last one lowest".to_owned(),
            field: CardField::Bottom,
            count: Some(*bottom),
            of: state.table.named(state.table.place(*seat, &self.hand)?),
        });
        let again = "mulligan: take another hand".to_owned();
        let may = choices.contains(&"mulligan");
        let again = may.then(|| option(again, HandChoice::Mulligan));
        Ok(prompt.with([keep]).with(again))
    }

    fn decide(
        &self,
        state: &mut State,
        context: &Context<'_>,
        decision: &Decision,
    ) -> Result<(), MatchError> {
        let Decision::Mulligan { seat, choice } = decision else {
            return refused("this is not a mulligan");
        };
        let deck = state.table.place(*seat, &self.from)?;
        let hand = state.table.place(*seat, &self.hand)?;
        match choice {
            HandChoice::Mulligan => {
                if let Some(why) = self.refusal(state, *seat)? {
                    return refused(why);
                }
                let aside = std::mem::take(&mut state.table.zone_mut(hand).slots);
                let drawn = state.table.take(deck, self.cards)?;
                state.table.zone_mut(hand).slots = drawn;
                state.table.zone_mut(deck).slots.extend(aside);
                state.table.shuffle(deck, &context.seed);
                state.progress.taken[seat.index()] += 1;
            }
            HandChoice::Keep { bottom } => {
                let owed = self.owed(state, *seat);
                if bottom.len() != owed {
                    return refused(format!(
                        "after {}, {} go to the bottom, not {}",
                        counted(state.progress.taken[seat.index()] as i64, "mulligan"),
                        counted(owed as i64, "card"),
                        bottom.len()
                    ));
                }
                for id in bottom {
                    let card = state.table.card(id);
                    let held = &mut state.table.zone_mut(hand).slots;
                    let Some(at) = held.iter().position(|slot| Some(slot.card) == card) else {
                        let id = escape_control(id, false);
                        return refused(format!("seat {seat} does not hold `{id}` in hand"));
                    };
                    let slot = held.remove(at);
                    state.table.zone_mut(deck).slots.push(slot);
                }
                state.progress.answered(*seat);
            }
        }
        Ok(())
    }
}

impl Mulligan {
    /// How many cards a seat puts to the bottom on keeping.
    fn owed(&self, state: &State, seat: SeatId) -> usize {
        state.progress.taken[seat.index()].saturating_sub(self.free)
    }

    /// Why a seat may not take another mulligan.
    fn refusal(&self, state: &State, seat: SeatId) -> Result<Option<String>, MatchError> {
        let taken = state.progress.taken[seat.index()];
        if taken >= self.most {
            let times = counted(taken as i64, "mulligan");
            return Ok(Some(format!("seat {seat} has taken {times} and must keep")));
        }
        let deck = state.table.place(seat, &self.from)?;
        let deck = state.table.zone(deck).slots.len();
        Ok((deck < self.cards).then(|| {
            format!(
                "seat {seat} must keep: the deck holds {deck} of the {} cards for a new hand",
                self.cards
            )
        }))
    }
}
