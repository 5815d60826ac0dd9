//! The verdict of judgements.

#![warn(missing_docs)]

use serde::{Deserialize, Serialize};
use std::fmt;

/// What a deck is, once judged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// No rule is broken; there may be warnings and notices.
    Legal,
    /// Of each broken rule, taken by itself, adding cards of what its sections can still hold can
    /// meet it, or make its condition cease.
    Incomplete,
    /// A rule is broken that adding cards cannot meet.
    Illegal,
    /// Not a deck.
    Unreadable,
}

impl Verdict {
    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Verdict::Legal => "legal",
            Verdict::Incomplete => "incomplete",
            Verdict::Illegal => "illegal",
            Verdict::Unreadable => "unreadable",
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.word())
    }
}
