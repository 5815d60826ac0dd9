//! How a game ended.

use crate::matches::seat::SeatId;
use serde::{Deserialize, Serialize};

/// How a game ended: the letter of the seat that won it, or `draw`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum GameResult {
    /// This seat won.
    Won(SeatId),
    /// Nobody won.
    Drawn(Draw),
}

/// The word for a game that nobody won.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Draw {
    /// Nobody won.
    Draw,
}

impl GameResult {
    /// Reads `A` to `D`, or `draw`.
    ///
    /// ```
    /// use decklaw_play::matches::{GameResult, SeatId};
    /// assert_eq!(GameResult::parse("B"), Some(GameResult::Won(SeatId::B)));
    /// assert_eq!(GameResult::parse("b"), None);
    /// ```
    pub fn parse(text: &str) -> Option<GameResult> {
        match text {
            "draw" => Some(GameResult::Drawn(Draw::Draw)),
            letter => SeatId::parse(letter).map(GameResult::Won),
        }
    }
}
