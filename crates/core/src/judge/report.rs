//! Everything that was found of one deck.

use super::Finding;
use crate::deck::Opened;
use crate::format::Rulebook;
use crate::rules::{Code, Fault, Ledger, Severity, Verdict};
use crate::submissions::Submission;
use std::borrow::Cow;
use std::sync::Arc;

/// Everything that was found of one deck.
#[derive(Debug, Clone)]
pub struct Report {
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
    /// The digest of its content; see [`deck_hash`](crate::resolve::deck_hash).
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

impl Report {
    /// The report of a file that is no deck.
    pub fn unreadable(deck: String, finding: Finding) -> Report {
        Report {
            findings: vec![finding],
            ..Report::blank(deck)
        }
    }

    /// A report of which nothing is known but the deck's place.
    pub fn blank(deck: String) -> Report {
        Report {
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

    /// Says what is to be known of how a deck was read.
    pub(super) fn notes(&mut self, notes: impl IntoIterator<Item = String>) {
        let before = self.findings.len();
        for note in notes {
            self.findings.push(notice(Fault::Recoded, note, ""));
        }
        if self.findings.len() > before {
            self.findings.sort_by(|a, b| a.order().cmp(&b.order()));
        }
    }

    /// Says that no card is in it: what is asked of the deck then is asked of nothing.
    pub(super) fn has_no_cards(&mut self) {
        let message = "there is no card in this deck".to_owned();
        let help = "look whether it is the file that was meant";
        self.findings.push(notice(Fault::NoCards, message, help));
        self.findings.sort_by(|a, b| a.order().cmp(&b.order()));
    }

    /// Says how a deck's file came to be text, and keeps the text if it is not the file's own.
    pub fn note(&mut self, opened: Opened<'_>) {
        self.notes(opened.notes);
        if let Cow::Owned(text) = opened.source {
            self.text = String::from_utf8(text).ok();
        }
    }

    /// Notes the rules of its format.
    pub(super) fn of_format(&mut self, rulebook: Option<&Arc<Rulebook>>) {
        self.format = rulebook.map(|rulebook| rulebook.format().id().to_owned());
        self.rulebook = rulebook.cloned();
    }

    /// Whether it is about the deck that counts, and not about a late one beside it. Papers and
    /// pairings are made of these alone.
    pub fn counts(&self) -> bool {
        self.submission.as_ref().is_none_or(|row| row.counts)
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

    /// Turns what is said of a deck as it is handed in into what it means for the deck that is
    /// played after a swap: what its side deck may hold was asked before, so that what is an
    /// error of a list to hand in is none of this one. The ids of the rules that were errors.
    pub fn as_played(&mut self) -> Vec<String> {
        let mut rules = Vec::new();
        for finding in &mut self.findings {
            if finding.severity == Severity::Error {
                finding.severity = Severity::Warning;
                rules.push(finding.rule.clone());
            }
        }
        rules.sort_unstable();
        rules.dedup();
        self.verdict = Verdict::Legal;
        rules
    }
}

fn notice(fault: Fault, message: String, help: &str) -> Finding {
    let mut finding = Finding::of_file(message, help.to_owned());
    finding.code = Code::of_deck(fault);
    finding.severity = Severity::Notice;
    finding
}
