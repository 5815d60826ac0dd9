//! What judgements come to.

use serde::Serialize;

/// What a deck is, once judged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// No rule is broken; warnings and notices may stand.
    Legal,
    /// Every broken rule is one that adding cards could mend.
    Incomplete,
    /// A rule is broken.
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
