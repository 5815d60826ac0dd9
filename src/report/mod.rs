//! Verdicts: what was found of a deck, where, and what it means.

mod finding;
pub mod github;
mod hash;
pub mod human;
pub mod json;
mod judge;
mod judging;
pub mod junit;
mod lookalike;
pub mod sheet;
pub mod table;
pub mod workbook;

pub use finding::Finding;
pub use hash::deck_hash;
pub use judge::{Judge, JudgeError, Listing};
pub use judging::ReadDeck;

use crate::rules::{Ledger, Rulebook, Severity};
use crate::submissions::Submission;
use serde::Serialize;
use std::sync::Arc;

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

/// Everything that was found of one deck.
#[derive(Debug, Clone)]
pub struct DeckReport {
    /// The deck's path as walked, or `-`.
    pub deck: String,
    /// The format's id, where it is known.
    pub format: Option<String>,
    /// The rules of the format; where they leave the cards open, without the deck's own.
    pub rulebook: Option<Arc<Rulebook>>,
    /// The deck's name.
    pub name: Option<String>,
    /// Its player.
    pub player: Option<String>,
    /// What it is.
    pub verdict: Verdict,
    /// Copies by section, in the format's order.
    pub cards: Vec<(String, i64)>,
    /// The digest of its content; see [`deck_hash`].
    pub hash: Option<String>,
    /// What was found, in the report's order.
    pub findings: Vec<Finding>,
    /// How its budgets add up.
    pub ledgers: Vec<Ledger>,
    /// The row of a form that it came with.
    pub submission: Option<Submission>,
    /// The deck as text where its file is not just that: in another encoding than UTF-8, say.
    /// The places of the findings are in it.
    pub text: Option<String>,
}

impl DeckReport {
    /// The report of a file that is no deck.
    pub fn unreadable(deck: String, finding: Finding) -> DeckReport {
        DeckReport {
            findings: vec![finding],
            ..DeckReport::blank(deck)
        }
    }

    /// A report of which nothing is known but the deck's place.
    fn blank(deck: String) -> DeckReport {
        DeckReport {
            deck,
            format: None,
            rulebook: None,
            name: None,
            player: None,
            verdict: Verdict::Unreadable,
            cards: Vec::new(),
            hash: None,
            findings: Vec::new(),
            ledgers: Vec::new(),
            submission: None,
            text: None,
        }
    }

    /// The deck's place, with its player where a form says who that is.
    pub fn row_and_player(&self) -> String {
        match (&self.submission, &self.player) {
            (Some(_), Some(player)) => format!("{} ({player})", self.deck),
            _ => self.deck.clone(),
        }
    }

    /// Copies in all sections.
    pub fn size(&self) -> i64 {
        self.cards.iter().map(|(_, copies)| copies).sum()
    }

    /// How many findings are of a severity.
    pub fn count(&self, severity: Severity) -> usize {
        self.findings
            .iter()
            .filter(|finding| finding.severity == severity)
            .count()
    }
}
