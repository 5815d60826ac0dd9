//! A table for one: the setup of a format with a single seat, and its turns.

use crate::matches::error::{MatchError, MatchErrorKind};
use crate::matches::file::{Match, MatchFormat};
use crate::matches::play::Play;
use crate::matches::play::moves::Move;
use crate::matches::seat::SeatId;
use crate::matches::setup::{Seats, Setup};
use crate::matches::steps::decision_text::settled_alone;
use crate::matches::table::Table;
use decklaw_core::text::{counted, harmless};
use decklaw_engine::odds::{DrawEvent, Events, OddsDefaults};

impl Setup {
    /// Whether one player plays it alone.
    pub fn seats_one(&self) -> bool {
        matches!(self.seats, Seats::Between(_, 1))
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
        while let Some(decision) = self.pending.first().and_then(settled_alone) {
            self = self.decide(game, &[decision], None)?;
        }
        Ok(self)
    }
}

impl Play {
    /// What happened in a game of a player alone, where the game knows it under that name and
    /// it can still happen.
    ///
    /// # Errors
    /// Another name, or more often than a game allows.
    pub fn event(&self, known: Option<&DrawEvent>, name: &str) -> Result<Move, MatchError> {
        let Some(event) = known else {
            return Err(
                MatchErrorKind::Move.refused("nothing that happens in this game changes its draw")
            );
        };
        if event.name != name {
            let (name, known) = (harmless(name, false), &event.name);
            return Err(MatchErrorKind::Move.refused(format!(
                "`{name}` changes no draw of this game; there is `{known}`"
            )));
        }
        let happened = self.now.events.get(name).map_or(0, Vec::len);
        if happened as u64 >= u64::from(event.most) {
            let times = counted(happened as i64, "time");
            return Err(MatchErrorKind::Move.refused(format!(
                "`{name}` has happened {times}: that is all there can be"
            )));
        }
        Ok(Move::Event {
            by: SeatId::A,
            name: name.to_owned(),
        })
    }

    /// The next turn of a player alone: its draw is `wanted`, or what the game's schedule and
    /// its events say, as far as the pile goes. Answers the move, and how many cards are missing.
    pub fn next_turn(&self, draws: &OddsDefaults, wanted: Option<u32>) -> (Move, u32) {
        let by = SeatId::A;
        let (from, to) = (self.pile(by).to_owned(), "hand".to_owned());
        let held = |play: &Table, zone: &str| {
            let place = play.place(by, zone).ok();
            place.map_or(0, |place| play.zone(place).slots.len() as u32)
        };
        let turn = u32::try_from(self.now.turns)
            .unwrap_or(u32::MAX)
            .saturating_add(1);
        let opening = held(&self.start.table, &to);
        let in_hand = held(&self.now.table, &to);
        let happened = draws
            .event
            .as_ref()
            .and_then(|event| self.now.events.get(&event.name));
        let due = draws.draws.map_or(0, |schedule| {
            let events = Events::in_turns(happened.map_or(&[], Vec::as_slice));
            schedule.due(turn, opening, in_hand, &events)
        });
        let due = wanted.unwrap_or(due);
        let count = due.min(held(&self.now.table, &from));
        (
            Move::Next {
                by,
                from,
                to,
                count,
            },
            due - count,
        )
    }
}
