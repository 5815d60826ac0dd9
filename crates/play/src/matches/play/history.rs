//! The moves of a game that stand, and positions to go back to: what is undone is found by
//! playing a few moves again, and not the whole game.

use super::moves::Move;
use super::position::Position;
use crate::matches::error::{MatchError, MatchErrorKind};
use crate::matches::file::Match;

/// After so many moves a position is kept: with the most moves that a transcript has, some
/// eighty.
const GAP: usize = 64;

/// The moves that stand, none of those that were undone.
#[derive(Debug, Clone)]
pub(super) struct History {
    standing: Vec<Move>,
    /// The positions after 0, [`GAP`], 2 × [`GAP`] … of them.
    kept: Vec<Position>,
}

impl History {
    /// No moves yet.
    pub(super) fn of(start: &Match) -> History {
        History {
            standing: Vec::new(),
            kept: vec![Position::of(start)],
        }
    }

    /// A move was done, and led to a position.
    pub(super) fn done(&mut self, done: Move, now: &Position) {
        self.standing.push(done);
        if self.standing.len().is_multiple_of(GAP) {
            self.kept.push(now.clone());
        }
    }

    /// The position before the last move that stands, which is undone.
    ///
    /// # Errors
    /// When none stands.
    pub(super) fn undo(&mut self, start: &Match) -> Result<Position, MatchError> {
        if self.standing.pop().is_none() {
            return Err(MatchErrorKind::Move.refused("there is no move to undo"));
        }
        let at = self.standing.len() / GAP;
        self.kept.truncate(at + 1);
        let kept = self.kept.last().cloned();
        let mut position = kept.unwrap_or_else(|| Position::of(start));
        for done in self.standing.iter().skip(at * GAP) {
            position.act(start, done)?;
        }
        Ok(position)
    }
}
