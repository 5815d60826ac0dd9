//! The report of one deck.

#![warn(missing_docs)]

use super::Finding;
use decklaw_decks::deck::{OpenedDeck, ReaderNote};
use decklaw_decks::submissions::Submission;
use decklaw_rules::format::Rulebook;
use decklaw_rules::rules::{Meter, Severity, Verdict};
use serde::Serialize;
use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

/// The report of one deck. Its serde form is a deck of `decklaw/check/1`.
#[derive(Debug, Clone, Serialize)]
pub struct Report {
    /// The deck's path as given, `FILE row N`, or `- line N`.
    pub deck: String,
    /// The format's id, if it is known.
    pub format: Option<String>,
    /// The deck's name.
    pub name: Option<String>,
    /// Its player.
    pub player: Option<String>,
    /// The verdict.
    pub verdict: Verdict,
    /// Copies by section, in the format's order.
    #[serde(serialize_with = "counts::serialize")]
    pub cards: Vec<(String, i64)>,
    /// The digest of its content; see [`deck_hash`](crate::resolve::deck_hash).
    pub hash: Option<String>,
    /// The findings: those of the whole deck first, then by line, then by rule.
    pub findings: Vec<Finding>,
    /// The meters of budgets and sizes that concern the deck.
    pub meters: Vec<Meter>,
    /// Its row of a form.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub submission: Option<Submission>,
    /// The rules of the format. If the format has no pool, without the deck's own cards.
    #[serde(skip)]
    pub rulebook: Option<Arc<Rulebook>>,
    /// Of a deck that names no format: the format with most of its cards.
    #[serde(skip)]
    pub nearest_format: Option<String>,
    /// The deck as text, if that is not the file's bytes, as with another encoding. The places of
    /// the findings refer to it.
    #[serde(skip)]
    pub text: Option<String>,
}

/// Copies by section as an object.
mod counts {
    use serde::ser::Serializer;

    pub(super) fn serialize<S: Serializer>(
        counts: &[(String, i64)],
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.collect_map(counts.iter().map(|(section, count)| (section, count)))
    }
}

impl PartialEq for Report {
    /// Two reports are equal if they are written alike.
    fn eq(&self, other: &Report) -> bool {
        (&self.deck, &self.format, &self.name, &self.player)
            == (&other.deck, &other.format, &other.name, &other.player)
            && (self.verdict, &self.cards) == (other.verdict, &other.cards)
            && (&self.hash, &self.findings) == (&other.hash, &other.findings)
            && (&self.meters, &self.submission) == (&other.meters, &other.submission)
    }
}

impl fmt::Display for Report {
    /// The verdict, then each finding on a line of its own.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}: {}", self.deck, self.verdict)?;
        for finding in &self.findings {
            write!(out, "\n{finding}")?;
        }
        Ok(())
    }
}

impl std::error::Error for Report {}

impl Report {
    /// The report of a file that is not a deck.
    pub fn unreadable(deck: String, finding: Finding) -> Report {
        Report { findings: vec![finding], ..Report::blank(deck) }
    }

    /// A report without findings.
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
            meters: Vec::new(),
            nearest_format: None,
            submission: None,
            text: None,
        }
    }

    /// Whether the deck is legal. It may have warnings and notices.
    pub fn is_legal(&self) -> bool {
        self.verdict == Verdict::Legal
    }

    /// The findings by severity: errors, then warnings, then notices, each by line.
    pub fn by_severity(&self) -> Vec<&Finding> {
        let mut findings: Vec<&Finding> = self.findings.iter().collect();
        findings.sort_by_key(|finding| finding.severity);
        findings
    }

    /// Adds what a reader noted. The places are in `text`.
    pub(super) fn notes<'n>(
        &mut self,
        notes: impl IntoIterator<Item = &'n ReaderNote>,
        text: &str,
    ) {
        let before = self.findings.len();
        self.findings.extend(notes.into_iter().map(|note| Finding::of_note(note, text)));
        if self.findings.len() > before {
            self.findings.sort_by(|a, b| a.order().cmp(&b.order()));
        }
    }

    /// Keeps the text that a file was decoded to, if that is not the file's own.
    pub fn keep_text(&mut self, opened: OpenedDeck<'_>) {
        if let Cow::Owned(text) = opened.source {
            self.text = String::from_utf8(text).ok();
        }
    }

    /// Sets the rules of its format.
    pub(super) fn of_format(&mut self, rulebook: Option<&Arc<Rulebook>>) {
        self.format = rulebook.map(|rulebook| rulebook.format().id().to_owned());
        self.rulebook = rulebook.cloned();
    }

    /// Whether the deck counts, and is not a late one. Printed sheets and pairings use only decks
    /// that count.
    pub fn counts(&self) -> bool {
        self.submission.as_ref().is_none_or(|row| row.counts)
    }

    /// The deck's place, with its player if a form names one.
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

    /// The number of findings of a severity.
    pub fn count(&self, severity: Severity) -> usize {
        self.findings.iter().filter(|finding| finding.severity == severity).count()
    }

    /// Turns the report of a list into the report of a deck that is played after a swap: rules
    /// about the side deck are no errors any more. Returns the ids of those rules.
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
