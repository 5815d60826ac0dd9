//! How the hand that is kept comes about.

use super::{HandQuery, Mulligan, OddsError};

/// When a hand is kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Keep {
    /// When what is asked about holds of it already.
    Goal,
    /// When it satisfies a query of its own.
    Query(HandQuery),
    /// Whenever keeping makes what is asked about at least as likely as a mulligan.
    Best,
}

/// How an opening hand comes about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Policy {
    /// What becomes of a hand put away.
    pub mulligan: Mulligan,
    /// The most mulligans that are taken; the last hand is kept whatever it is.
    pub limit: u32,
    /// How many cards are bottomed on keeping after 0, 1, 2… mulligans; missing ones are 0.
    pub bottom: Vec<u32>,
    /// When a hand is kept before that.
    pub keep: Keep,
}

impl Policy {
    /// The first hand, whatever it is.
    pub fn none() -> Policy {
        Policy {
            mulligan: Mulligan::None,
            limit: 0,
            bottom: Vec::new(),
            keep: Keep::Goal,
        }
    }

    /// The cards bottomed after 0, 1, … `limit` mulligans.
    pub fn bottoms(&self) -> Vec<u32> {
        let after = |taken: u32| self.bottom.get(taken as usize).copied().unwrap_or(0);
        (0..=self.hands_beyond_first()).map(after).collect()
    }

    /// The cards bottomed, when hands of so many cards from so many can be mulliganed so.
    pub(crate) fn checked(&self, hand: u32, size: u32) -> Result<Vec<u32>, OddsError> {
        /// The most mulligans that are followed.
        const MOST_MULLIGANS: u32 = 100;
        if hand > size {
            return Err(OddsError::HandTooLarge { hand, size });
        }
        let limit = self.limit;
        if limit > MOST_MULLIGANS {
            return Err(OddsError::TooManyMulligans { limit });
        }
        let bottom = self.bottoms();
        if let Some(bottom) = bottom.iter().find(|bottom| **bottom > hand) {
            let bottom = *bottom;
            return Err(OddsError::BottomTooLarge { bottom, hand });
        }
        let again = bottom.len() > 1 && self.mulligan == Mulligan::Aside;
        if again && size - hand < hand {
            return Err(OddsError::TooFewToSetAside { hand, size });
        }
        Ok(bottom)
    }

    fn hands_beyond_first(&self) -> u32 {
        match self.mulligan {
            Mulligan::None => 0,
            Mulligan::Aside | Mulligan::Shuffle => self.limit,
        }
    }
}
