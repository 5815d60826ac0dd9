//! Who sits where.

use serde::{Deserialize, Serialize};
use std::fmt;

/// A seat at the table, `A` to `D`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum SeatId {
    /// The first seat.
    A,
    /// The second seat.
    B,
    /// The third seat.
    C,
    /// The fourth seat.
    D,
}

impl SeatId {
    /// All seats, in order.
    pub const ALL: [SeatId; 4] = [SeatId::A, SeatId::B, SeatId::C, SeatId::D];

    /// The letter.
    pub fn letter(self) -> &'static str {
        ["A", "B", "C", "D"][self.index()]
    }

    /// The place in the order of seats, from 0.
    pub fn index(self) -> usize {
        self as usize
    }

    /// The seat of a letter.
    ///
    /// ```
    /// use decklaw_play::matches::SeatId;
    /// assert_eq!(SeatId::parse("B"), Some(SeatId::B));
    /// assert_eq!(SeatId::parse("b"), None);
    /// ```
    pub fn parse(letter: &str) -> Option<SeatId> {
        SeatId::ALL.into_iter().find(|seat| seat.letter() == letter)
    }
}

impl fmt::Display for SeatId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.letter())
    }
}

/// Who looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reader {
    /// The player at a seat.
    Seat(SeatId),
    /// Anybody.
    Public,
    /// Somebody who may see all of it: the game is over, or nobody plays it.
    Open,
}
