//! What judgements come to.

use super::{Failing, Judgement, Rulebook, Severity};
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

impl Rulebook {
    /// What judgements of a deck by these rules come to; never
    /// [unreadable](Verdict::Unreadable), since what was judged was read.
    pub fn verdict(&self, judgements: &[Judgement]) -> Verdict {
        let mut errors = judgements
            .iter()
            .filter(|judgement| self.severity(judgement) == Severity::Error)
            .map(|judgement| judgement.violation.failing)
            .peekable();
        if errors.peek().is_none() {
            Verdict::Legal
        } else if errors.all(|failing| failing == Failing::Shortfall) {
            Verdict::Incomplete
        } else {
            Verdict::Illegal
        }
    }
}
