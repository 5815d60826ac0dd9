//! Meters: how a budget or a size of a deck stands.

use serde::{Deserialize, Serialize};

/// How a budget or a size of a deck stands, as far as its cards are known.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Meter {
    /// The id of its rule.
    pub rule: String,
    /// The section's id, where it concerns just one.
    pub section: Option<String>,
    /// What it is and how it stands, for people.
    pub text: String,
    /// What the deck has.
    pub value: i64,
    /// The least that it must have.
    pub low: Option<i64>,
    /// The most that it may have.
    pub high: Option<i64>,
}

/// A meter as a rule knows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reading {
    /// Index of the section, where it concerns just one.
    pub section: Option<usize>,
    /// What is counted, and how the number comes about.
    pub called: String,
    /// What the deck has.
    pub value: i64,
    /// The least that it must have.
    pub low: Option<i64>,
    /// The most that it may have.
    pub high: Option<i64>,
    /// Whether unknown cards make it uncertain.
    pub is_uncertain: bool,
}

impl Meter {
    /// Whether the value is within its bounds.
    pub fn is_ok(&self) -> bool {
        is_within(self.value, self.low, self.high)
    }
}

impl Reading {
    /// Whether the value is within its bounds.
    pub fn is_ok(&self) -> bool {
        is_within(self.value, self.low, self.high)
    }

    /// `influence: 12 of at most 15`.
    pub(crate) fn text(&self) -> String {
        let Reading { called, value, .. } = self;
        let bounds = match (self.low, self.high) {
            (Some(low), Some(high)) if low == high => format!(" of {high}"),
            (Some(low), Some(high)) => format!(" of {low} to {high}"),
            (Some(low), None) => format!(" of at least {low}"),
            (None, Some(high)) => format!(" of at most {high}"),
            (None, None) => String::new(),
        };
        let uncertain = match self.is_uncertain {
            true => " (unknown cards are left out)",
            false => "",
        };
        format!("{called}: {value}{bounds}{uncertain}")
    }
}

fn is_within(value: i64, low: Option<i64>, high: Option<i64>) -> bool {
    low.is_none_or(|low| value >= low) && high.is_none_or(|high| value <= high)
}
