//! A table for one: the setup of a format with a single seat, and its turns.

use crate::matches::error::MatchError;
use crate::matches::fold::{Match, MatchFormat};
use crate::matches::log::decision::Pending;
use crate::matches::log::moves::{Move, SeatMove};
use crate::matches::seat::SeatId;
use crate::matches::setup::{Seats, Setup};
use crate::matches::table::Table;
use decklaw_engine::odds::{DrawSchedule, Events, OddsDefaults};
use std::borrow::Cow;

impl Setup {
    /// Whether one player plays it alone.
    pub fn seats_one(&self) -> bool {
        matches!(self.seats, Seats::Between(_, 1))
    }

    /// The setup for a number of seats: that of a table for one is [`alone`](Setup::alone).
    pub(in crate::matches) fn for_seats(&self, seats: usize) -> Cow<'_, Setup> {
        match seats {
            1 => Cow::Owned(self.alone()),
            _ => Cow::Borrowed(self),
        }
    }

    /// The same setup for one player: one seat, and every option at its default.
    pub fn alone(&self) -> Setup {
        let mut setup = self.clone();
        setup.seats = Seats::Between(1, 1);
        for choices in setup.options.values_mut() {
            choices.one_of = vec![choices.default.clone()];
        }
        setup
    }
}

impl Match {
    /// Decides what one player alone need not be asked: who begins, the dice for it, and
    /// that nothing is swapped.
    ///
    /// # Errors
    /// A setup with a decision that does not go on like that.
    pub fn begin_alone(mut self, game: &MatchFormat<'_>) -> Result<Match, MatchError> {
        while let Some(decision) = self.pending.first().and_then(Pending::settled_alone) {
            self = self.decide(game, &[decision], None)?;
        }
        Ok(self)
    }
}

impl Match {
    /// The next turn of a player alone: the end of the one before, and the draw that the game's
    /// schedule says, as far as the pile goes.
    pub fn next_turn(&self, draws: &OddsDefaults) -> Vec<SeatMove> {
        let by = SeatId::A;
        let (from, to) = (self.pile(by).to_owned(), "hand".to_owned());
        let held = |table: &Table, zone: &str| {
            let place = table.place(by, zone).ok();
            place.map_or(0, |place| table.zone(place).slots.len() as u32)
        };
        let turn = u32::try_from(self.turns).unwrap_or(u32::MAX).saturating_add(1);
        let (opening, in_hand) = (held(&self.opening().table, &to), held(&self.table, &to));
        let due = |schedule: DrawSchedule| schedule.due(turn, opening, in_hand, &Events::default());
        let due = draws.draws.map_or(0, due);
        let count = due.min(held(&self.table, &from));
        let draw = Move::Draw { from, to, count };
        let draw = (count > 0).then_some(draw);
        std::iter::once(Move::Pass {}).chain(draw).map(|what| what.by(by)).collect()
    }
}
