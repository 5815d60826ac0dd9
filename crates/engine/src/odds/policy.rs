//! Mulligans: how the hand that is kept comes about.

use super::wrong;
use super::{HandQuery, OddsError};
use decklaw_text::text::counted;
use serde::Serialize;

/// What happens to the hand that a mulligan puts away.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mulligan {
    /// There are no mulligans.
    None,
    /// It is set aside, the new hand is drawn from the other cards, then it is shuffled in.
    Aside,
    /// It is shuffled in before the new hand is drawn.
    Shuffle,
}

impl Mulligan {
    /// Its word in commands and format files.
    pub fn word(self) -> &'static str {
        match self {
            Mulligan::None => "none",
            Mulligan::Aside => "aside",
            Mulligan::Shuffle => "shuffle",
        }
    }
}

/// When a hand is kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Keep {
    /// When it satisfies the query that is asked.
    Goal,
    /// When it satisfies a query of its own.
    Query(HandQuery),
    /// Whenever keeping makes the query at least as likely as a mulligan.
    Best,
}

/// How an opening hand comes about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Policy {
    /// The kind of mulligan.
    pub mulligan: Mulligan,
    /// The most mulligans that are taken. The last hand is always kept.
    pub limit: u32,
    /// Cards bottomed on keeping after 0, 1, 2… mulligans; missing numbers are 0.
    pub bottom: Vec<u32>,
    /// When a hand before the last is kept.
    pub keep: Keep,
}

impl Policy {
    /// The first hand is kept.
    pub fn none() -> Policy {
        Policy { mulligan: Mulligan::None, limit: 0, bottom: Vec::new(), keep: Keep::Goal }
    }

    /// The most mulligans taken, 0 where there are none.
    fn most(&self) -> u32 {
        match self.mulligan {
            Mulligan::None => 0,
            Mulligan::Aside | Mulligan::Shuffle => self.limit,
        }
    }

    /// The cards bottomed after 0, 1, … `limit` mulligans.
    pub fn bottoms(&self) -> Vec<u32> {
        let after = |taken: u32| self.bottom.get(taken as usize).copied().unwrap_or(0);
        (0..=self.most()).map(after).collect()
    }

    /// The same, checked for hands of `hand` of `size` cards.
    pub(crate) fn checked(&self, hand: u32, size: u32) -> Result<Vec<u32>, OddsError> {
        /// The most mulligans that are computed.
        const MOST_MULLIGANS: u32 = 100;
        if hand > size {
            return Err(OddsError::too_large_a_hand(hand, size));
        }
        let limit = self.limit;
        if limit > MOST_MULLIGANS {
            let message = format!("{limit} mulligans are too many; at most 100 are computed");
            return Err(wrong(message, "").into());
        }
        let bottom = self.bottoms();
        if let Some(bottom) = bottom.iter().copied().find(|bottom| *bottom > hand) {
            let bottom = counted(i64::from(bottom), "card");
            let message = format!("{bottom} cannot be bottomed from a hand of {hand}");
            return Err(wrong(message, "").into());
        }
        let again = bottom.len() > 1 && self.mulligan == Mulligan::Aside;
        if again && size - hand < hand {
            return Err(OddsError::no_hand(format!(
                "no mulligan is possible: a hand of {hand} that is set aside leaves {} of {size}",
                counted(i64::from(size - hand), "card")
            )));
        }
        Ok(bottom)
    }

    /// When a hand is kept: `best` or a query, `goal` being the query that is asked; `None` where
    /// every hand is.
    pub fn keep<'a>(&'a self, goal: &'a str) -> Option<&'a str> {
        if self.most() == 0 {
            return None;
        }
        Some(match &self.keep {
            Keep::Goal => goal,
            Keep::Query(query) => query.text(),
            Keep::Best => "best",
        })
    }

    /// The policy in JSON, `goal` being the query that is asked.
    pub fn to_json(&self, goal: &str) -> PolicyJson {
        PolicyJson {
            mulligan: self.mulligan.word(),
            limit: self.limit,
            bottom: self.bottoms(),
            keep: self.keep(goal).map(str::to_owned),
        }
    }
}

/// A policy in JSON.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct PolicyJson {
    /// The kind of mulligan.
    pub mulligan: &'static str,
    /// The most mulligans taken.
    pub limit: u32,
    /// Cards bottomed after 0, 1, … mulligans.
    pub bottom: Vec<u32>,
    /// When a hand is kept; `None`: always.
    pub keep: Option<String>,
}
