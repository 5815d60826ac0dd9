//! Everything that was found of one deck.

use super::Finding;
use crate::deck::{Note, Opened};
use crate::format::Rulebook;
use crate::rules::{Fault, Meter, Severity, Verdict};
use crate::submissions::Submission;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

/// Everything that was found of one deck. Its serde form is a deck of `decklaw/check/1`.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Report {
    /// The deck's path as given, `FILE row N`, or `- line N`.
    pub deck: String,
    /// The format's id, where it is known.
    pub format: Option<String>,
    /// The deck's name.
    pub name: Option<String>,
    /// Its player.
    pub player: Option<String>,
    /// What it is.
    pub verdict: Verdict,
    /// Copies by section, in the format's order.
    #[serde(with = "counts")]
    pub cards: Vec<(String, i64)>,
    /// The digest of its content; see [`deck_hash`](crate::resolve::deck_hash).
    pub hash: Option<String>,
    /// What was found: the deck as a whole first, then by line, then by rule.
    pub findings: Vec<Finding>,
    /// The meters of budgets and sizes that concern the deck.
    #[serde(default)]
    pub meters: Vec<Meter>,
    /// The row of a form that it came with.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub submission: Option<Submission>,
    /// The rules of the format; where they leave the cards open, without the deck's own.
    #[serde(skip)]
    pub rulebook: Option<Arc<Rulebook>>,
    /// The deck as text where its file is not just that: in another encoding than UTF-8, say.
    /// The places of the findings are in it.
    #[serde(skip)]
    pub text: Option<String>,
}

/// Copies by section as an object.
mod counts {
    use serde::de::{Deserializer, MapAccess, Visitor};
    use serde::ser::Serializer;
    use std::fmt;

    pub(super) fn serialize<S: Serializer>(
        counts: &[(String, i64)],
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.collect_map(counts.iter().map(|(section, count)| (section, count)))
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Vec<(String, i64)>, D::Error> {
        struct Counts;
        impl<'de> Visitor<'de> for Counts {
            type Value = Vec<(String, i64)>;

            fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
                out.write_str("copies by section")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut counts = Vec::new();
                while let Some(entry) = map.next_entry()? {
                    counts.push(entry);
                }
                Ok(counts)
            }
        }
        deserializer.deserialize_map(Counts)
    }
}

impl PartialEq for Report {
    /// What is written of both is the same.
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
    /// The report of a file that is no deck.
    pub fn unreadable(deck: String, finding: Finding) -> Report {
        Report {
            findings: vec![finding],
            ..Report::blank(deck)
        }
    }

    /// A report with nothing but the deck's place.
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
            submission: None,
            text: None,
        }
    }

    /// Whether the deck is legal; there may be warnings and notices.
    pub fn is_legal(&self) -> bool {
        self.verdict == Verdict::Legal
    }

    /// The report of a legal deck, for `?`.
    ///
    /// # Errors
    /// The report of a deck that is not legal.
    pub fn into_legal(self) -> Result<Report, Box<Report>> {
        if self.is_legal() {
            Ok(self)
        } else {
            Err(Box::new(self))
        }
    }

    /// The findings as people read them: errors, then warnings, then notices, each by line.
    pub fn by_severity(&self) -> Vec<&Finding> {
        let mut findings: Vec<&Finding> = self.findings.iter().collect();
        findings.sort_by_key(|finding| finding.severity);
        findings
    }

    /// Says what is to be known of how a deck was read.
    pub(super) fn notes(&mut self, notes: impl IntoIterator<Item = String>) {
        let before = self.findings.len();
        for note in notes {
            let notice = Finding::of_file(Fault::Recoded, Severity::Notice, note, "");
            self.findings.push(notice);
        }
        if self.findings.len() > before {
            self.findings.sort_by(|a, b| a.order().cmp(&b.order()));
        }
    }

    /// Adds what is worth knowing about how a deck's text was read.
    pub(super) fn reading_notes(&mut self, notes: &[Note], text: &str) {
        if notes.is_empty() {
            return;
        }
        for note in notes {
            let finding =
                Finding::of_file(note.fault, note.severity, note.message.clone(), &note.help);
            self.findings.push(match note.span {
                Some(span) => finding.at(crate::text::place(text, span.start), vec![span]),
                None => finding,
            });
        }
        self.findings.sort_by(|a, b| a.order().cmp(&b.order()));
    }

    /// Says that no card is in it: what is asked of the deck then is asked of nothing.
    pub(super) fn has_no_cards(&mut self) {
        let message = "there is no card in this deck".to_owned();
        let help = "look whether it is the file that was meant";
        let notice = Finding::of_file(Fault::NoCards, Severity::Notice, message, help);
        self.findings.push(notice);
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

    /// Whether it is about the deck that counts, and not about a late one next to it. Papers and
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
