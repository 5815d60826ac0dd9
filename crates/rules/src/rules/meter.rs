//! Meters: the value of a budget or a size in a deck, with its bounds.

use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// The value of a budget or a size in a deck, over its known cards.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Meter {
    /// The id of its rule.
    pub rule: String,
    /// The section's id, where it concerns just one.
    pub section: Option<String>,
    /// Its name, value and bounds, in words.
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
    pub called: Arc<str>,
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

    /// Whether the deck has any of it, or misses a bound.
    pub(crate) fn is_news(&self) -> bool {
        self.value != 0 || !self.is_ok()
    }

    /// `influence: 12 of at most 15`.
    pub fn text(&self) -> String {
        let mut text = String::with_capacity(self.called.len() + 48);
        text.push_str(&self.called);
        // Every deck has such texts: this takes a third of the time of `write!`.
        let mut add = |words: &str, number: i64| {
            text.push_str(words);
            text.push_str(&number.to_string());
        };
        add(": ", self.value);
        match (self.low, self.high) {
            (Some(low), Some(high)) if low == high => add(" of ", high),
            (Some(low), Some(high)) => {
                add(" of ", low);
                add(" to ", high);
            }
            (Some(low), None) => add(" of at least ", low),
            (None, Some(high)) => add(" of at most ", high),
            (None, None) => {}
        }
        if self.is_uncertain {
            text.push_str(" (unknown cards are left out)");
        }
        text
    }
}

fn is_within(value: i64, low: Option<i64>, high: Option<i64>) -> bool {
    low.is_none_or(|low| value >= low) && high.is_none_or(|high| value <= high)
}
