//! Playing on from a match: a table that knows no rules.
//!
//! It never judges card text: it moves, flips, counts, shuffles and rolls what the players say,
//! and keeps every move in the log of the match file.

mod alone;
mod blinded;
mod display;
mod helped;
mod log;
pub(super) mod moves;
mod placing;
pub(super) mod position;
pub(super) mod typed;
mod typist;

use crate::matches::error::{MatchError, MatchErrorKind};
use crate::matches::file::{Match, Turn};
use crate::matches::play::moves::Move;
use crate::matches::play::position::Position;
use crate::matches::seat::SeatId;
use crate::matches::table::Seen;

/// The most moves of one match.
pub const MOST_MOVES: usize = 5000;

/// A game being played: the match it started from, every move, and the table now.
#[derive(Debug, Clone)]
pub struct Play {
    /// The match as it was set up.
    pub start: Match,
    /// Every move, those that were taken back and the taking back included.
    pub log: Vec<Move>,
    /// The game as it stands.
    pub now: Position,
    /// The game before the newest move, where that can be taken back.
    before: Option<Box<Position>>,
}

impl Play {
    /// Sits down at a match.
    ///
    /// # Errors
    /// A setup that is not finished.
    pub fn begin(start: Match) -> Result<Play, MatchError> {
        if !start.pending.is_empty() {
            return Err(MatchErrorKind::Move
                .refused("the setup is not finished: decide what is pending first"));
        }
        let now = Position::of(&start);
        Ok(Play {
            start,
            log: Vec::new(),
            now,
            before: None,
        })
    }

    /// Sits down at a match and does moves again.
    ///
    /// # Errors
    /// A refusal that names the move that cannot be done.
    pub(super) fn again(start: Match, log: &[Move]) -> Result<Play, MatchError> {
        let mut play = Play::begin(start)?;
        for (at, done) in log.iter().enumerate() {
            // Where it is taken back, or may yet be.
            let keep = log
                .get(at + 1)
                .is_none_or(|next| matches!(next, Move::Undo { .. }));
            let acted = play.carry_out(done.clone(), keep);
            acted.map_err(|error| error.about(&format!("move {}", at + 1)))?;
        }
        Ok(play)
    }

    /// The zone from which a seat draws where none is named: the first that nobody may see.
    pub(super) fn pile(&self, by: SeatId) -> &str {
        let table = &self.now.table;
        let own = table
            .seats
            .get(by.index())
            .map_or(&[][..], |seat| &seat.zones);
        let pile = own
            .iter()
            .chain(&table.shared)
            .find(|zone| zone.seen == Seen::ByNobody);
        pile.map_or("", |zone| zone.name.as_str())
    }

    /// Whose turn it is, and which: alone, the first turn begins with its draw, and until then
    /// there is the opening hand.
    pub fn turn(&self) -> Turn {
        Turn {
            seat: self.now.active,
            number: self.now.turns + u64::from(self.now.table.seats.len() > 1),
        }
    }

    /// The match as it now stands.
    pub fn as_match(&self) -> Match {
        if self.log.is_empty() {
            return self.start.clone();
        }
        Match {
            table: self.now.table.clone(),
            log: self.log.clone(),
            turn: Some(self.turn()),
            ..self.start.clone()
        }
    }

    /// Does a move.
    ///
    /// # Errors
    /// A move that the table cannot do; it then stays as it was.
    pub fn act(&mut self, done: Move) -> Result<(), MatchError> {
        let now = self.now.clone();
        let acted = self.carry_out(done, true);
        if acted.is_err() {
            self.now = now;
        }
        acted
    }

    /// Does a move, and keeps the position before it where that is asked for.
    fn carry_out(&mut self, done: Move, keep: bool) -> Result<(), MatchError> {
        if self.log.len() >= MOST_MOVES {
            return Err(
                MatchErrorKind::Move.refused(format!("a match holds {MOST_MOVES} moves at most"))
            );
        }
        let before = match &done {
            Move::Undo { by } => {
                self.now = self.taken_back(*by)?;
                None
            }
            done => {
                let before = keep.then(|| Box::new(self.now.clone()));
                self.now.act(&self.start, done)?;
                before
            }
        };
        self.before = before;
        self.log.push(done);
        Ok(())
    }

    /// The position before the newest move, for the seat that made it.
    fn taken_back(&self, by: SeatId) -> Result<Position, MatchError> {
        let no = |why: &str| Err(MatchErrorKind::Move.refused(why));
        let (Some(before), Some(newest)) = (&self.before, self.log.last()) else {
            return no("there is no move to take back: only the newest one is, and once");
        };
        if newest.by() != by {
            return no("the newest move is another seat's");
        }
        if self.now.told_by(before, newest) {
            return no("the newest move showed somebody a card, or was of chance: it stands");
        }
        Ok(Position::clone(before))
    }
}
