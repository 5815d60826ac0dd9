//! What is found of a deck.

use decklaw_core::judge::{Finding as Found, Report as Judged};
use decklaw_core::rules::Severity;
use serde::Serialize;
use std::collections::BTreeMap;

/// Everything that was found of a deck. As JSON it has the keys of an entry of
/// `decklaw check -o json`.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Report {
    /// `legal`, `incomplete`, `illegal` or `unreadable`.
    pub verdict: &'static str,
    /// The format's id, where it is known.
    pub format: Option<String>,
    /// The deck's name.
    pub name: Option<String>,
    /// Its player.
    pub player: Option<String>,
    /// Copies by the section's id.
    pub cards: BTreeMap<String, i64>,
    /// The digest of its content; none of a text that is no deck.
    pub hash: Option<String>,
    /// What was found, worst first.
    pub findings: Vec<Finding>,
}

/// One thing that was found of a deck.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Finding {
    /// The rule's id in its format.
    pub rule: String,
    /// What is wrong, for programs, such as `copies.too-many`: it never changes its meaning.
    pub code: String,
    /// `error`, `warning` or `notice`: a deck with an error is not legal.
    pub severity: &'static str,
    /// The section's id, where it concerns just one.
    pub section: Option<String>,
    /// The cards concerned.
    pub cards: Vec<String>,
    /// What is wrong, a sentence for players.
    pub message: String,
    /// What to do about it, where that can be said.
    pub help: Option<String>,
    /// The number that the rule allows.
    pub limit: Option<i64>,
    /// The number that the deck has.
    pub actual: Option<i64>,
    /// The section of the game's rules text that says so.
    pub source: Option<String>,
    /// The line in the deck's text, from 1; none: the deck as a whole.
    pub line: Option<usize>,
    /// The column there, from 1.
    pub column: Option<usize>,
}

impl Report {
    /// Whether the deck keeps every rule; warnings and notices may stand.
    pub fn is_legal(&self) -> bool {
        self.verdict == "legal"
    }

    pub(super) fn of(report: &Judged) -> Report {
        Report {
            verdict: report.verdict.word(),
            format: report.format.clone(),
            name: report.name.clone(),
            player: report.player.clone(),
            cards: report.cards.iter().cloned().collect(),
            hash: report.hash.clone(),
            findings: report.findings.iter().map(Finding::of).collect(),
        }
    }

    /// The report of a text of which nothing can be said but why it is no deck.
    pub(super) fn of_no_deck(message: String) -> Report {
        let finding = Found::unreadable(message, "");
        Report::of(&Judged::unreadable("-".to_owned(), finding))
    }
}

impl Finding {
    fn of(finding: &Found) -> Finding {
        Finding {
            rule: finding.rule.clone(),
            code: finding.code.to_string(),
            severity: match finding.severity {
                Severity::Error => "error",
                Severity::Warning => "warning",
                Severity::Notice => "notice",
            },
            section: finding.section.clone(),
            cards: finding.cards.clone(),
            message: finding.message.clone(),
            help: finding.help.clone(),
            limit: finding.limit,
            actual: finding.actual,
            source: finding.source.clone(),
            line: finding.line,
            column: finding.column,
        }
    }
}
