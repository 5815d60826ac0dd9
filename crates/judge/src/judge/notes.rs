//! What an answer about a deck must say of it, whatever it answers.

use super::Finding;
use super::finding::DeckLines;
use crate::resolve::Resolved;
use decklaw_cards::pool::NameField;
use decklaw_rules::rules::unknown::ID;
use decklaw_rules::rules::{Code, Fault};
use serde::Serialize;

/// A note of an answer: what the reader of a deck left out, moved, split, decoded, read loosely or
/// did not know, or what limits the answer. In a verdict it is a [`Finding`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Note {
    /// What it is about, for programs.
    pub code: Code,
    /// What is to be known and what to do about it, as one or two sentences.
    pub message: String,
    /// The line in the deck's text, from 1; `None`: the deck as a whole.
    pub line: Option<usize>,
    /// The names of its cards.
    pub cards: Vec<String>,
}

impl Note {
    /// A note about a question or its answer.
    pub fn new(kind: &'static str, fault: Fault, message: impl Into<String>) -> Note {
        let (code, message) = (Code::new(kind, fault), message.into());
        Note { code, message, line: None, cards: Vec::new() }
    }
}

impl std::fmt::Display for Note {
    /// `line 4: no card is called …`.
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if let Some(line) = self.line {
            write!(out, "line {line}: ")?;
        }
        out.write_str(&self.message)
    }
}

impl From<Finding> for Note {
    fn from(finding: Finding) -> Note {
        let message = finding.advice();
        Note { code: finding.code, message, line: finding.line, cards: finding.cards }
    }
}

impl Resolved<'_> {
    /// What its reader left out, moved, split, decoded, read loosely and did not know: the notes of
    /// every answer about it, in the order of a report.
    pub fn notes(&self) -> Vec<Note> {
        let (rulebook, contents) = (self.rulebook(), self.contents());
        let rules = rulebook.rules();
        let unknown = rulebook.judge_by(&contents, |rule| rules[rule].kind == ID);
        let lines = DeckLines::of(self);
        let unknown = unknown.into_iter();
        let mut findings: Vec<Finding> =
            unknown.map(|judged| Finding::of(judged, rulebook, &contents, &lines)).collect();
        advise_other_cards(&mut findings, self);
        findings.extend(self.reader_notes().map(|note| Finding::of_note(note, self.text())));
        findings.sort_by(|a, b| a.order().cmp(&b.order()));
        findings.into_iter().map(Note::from).collect()
    }
}

/// Says where cards come from if a deck has no card that decklaw ships: its names are not
/// misspelled.
pub(super) fn advise_other_cards(findings: &mut [Finding], resolved: &Resolved<'_>) {
    /// Fewer names may be misspelled.
    const FEWEST: usize = 3;
    /// The most names that are looked up.
    const MOST_COMPARED: usize = 100;
    let (list, pool) = (resolved.list(), resolved.pool());
    let is_unknown = |finding: &&mut Finding| finding.code.fault == Fault::NotInPool;
    let mut unknown: Vec<&mut Finding> = findings.iter_mut().filter(is_unknown).collect();
    if unknown.len() < FEWEST
        || !resolved.is_of_samples()
        || list.holdings().any(|holding| list.knows(holding.card))
    {
        return;
    }
    let names = unknown.iter().flat_map(|finding| &finding.cards);
    if names.take(MOST_COMPARED).any(|name| pool.near(name, NameField::Name).is_certain) {
        return;
    }
    let game = resolved.rulebook().format().game().id();
    let help = format!(
        "the cards of {game} that come with decklaw are invented samples; use your own with `--cards FILE`"
    );
    for finding in &mut unknown {
        finding.help = Some(help.clone());
    }
}
