//! The summary of a run.

use super::layout::wrap;
use super::{LONGEST_NAME, Style, number_of, shown, sign};
use crate::judge::{Report, Verdict};
use decklaw_rules::banlist::lock::Lock;
use decklaw_rules::rules::Severity;
use std::collections::BTreeMap;

/// The most rules that are listed.
const MOST_RULES: usize = 8;

/// The counts of a run.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Totals {
    /// Legal decks.
    pub legal: usize,
    /// Incomplete decks.
    pub incomplete: usize,
    /// Illegal decks.
    pub illegal: usize,
    /// Unreadable files.
    pub unreadable: usize,
    /// Rows of a form without a deck, which are among the unreadable.
    pub without_deck: usize,
    /// Warnings in all decks.
    pub warnings: usize,
    /// Notices in all decks.
    pub notices: usize,
    /// The number of decks that break each rule.
    pub by_rule: BTreeMap<String, usize>,
}

impl Totals {
    /// Counts a deck.
    pub fn add(&mut self, report: &Report) {
        *match report.verdict {
            Verdict::Legal => &mut self.legal,
            Verdict::Incomplete => &mut self.incomplete,
            Verdict::Illegal => &mut self.illegal,
            Verdict::Unreadable => &mut self.unreadable,
        } += 1;
        let row = report.submission.as_ref();
        self.without_deck += usize::from(row.is_some_and(|row| row.empty));
        self.warnings += report.count(Severity::Warning);
        self.notices += report.count(Severity::Notice);
        let broken = report.findings.iter().filter(|finding| finding.severity == Severity::Error);
        let mut rules: Vec<&str> = broken.map(|finding| finding.rule.as_str()).collect();
        rules.sort_unstable();
        rules.dedup();
        for rule in rules {
            match self.by_rule.get_mut(rule) {
                Some(decks) => *decks += 1,
                None => {
                    self.by_rule.insert(rule.to_owned(), 1);
                }
            }
        }
    }

    /// Adds the counts of another part of the run.
    pub fn merge(&mut self, other: &Totals) {
        self.legal += other.legal;
        self.incomplete += other.incomplete;
        self.illegal += other.illegal;
        self.unreadable += other.unreadable;
        self.without_deck += other.without_deck;
        self.warnings += other.warnings;
        self.notices += other.notices;
        for (rule, decks) in &other.by_rule {
            match self.by_rule.get_mut(rule) {
                Some(known) => *known += decks,
                None => {
                    self.by_rule.insert(rule.clone(), *decks);
                }
            }
        }
    }

    /// The number of decks.
    pub fn decks(&self) -> usize {
        self.legal + self.incomplete + self.illegal + self.unreadable
    }
}

/// The number of decks of each verdict, and the rules that most decks break. The rules are left
/// out for a single deck, with [`quiet`](Style::quiet), and if an overview has `listed` them.
pub fn summary(totals: &Totals, style: &Style, listed: bool) -> String {
    let mut out = wrap(&numbers(totals, style), 2, style.width);
    if listed || totals.decks() < 2 || style.quiet || totals.by_rule.is_empty() {
        return out;
    }
    let mut rules: Vec<(&String, usize)> =
        totals.by_rule.iter().map(|(rule, decks)| (rule, *decks)).collect();
    rules.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(b.0)));
    let digits = rules.first().map_or(1, |(_, most)| most.to_string().len());
    out.push_str("broken rules, with how many decks break them:\n");
    for (rule, decks) in rules.iter().take(MOST_RULES) {
        let line = format!("  {decks:>digits$}  {}", shown(rule, LONGEST_NAME));
        out.push_str(&wrap(&line, digits + 4, style.width));
    }
    let left = rules.len().saturating_sub(MOST_RULES);
    if left > 0 {
        out.push_str(&format!("  … and {}\n", number_of(left, "more rule")));
    }
    out
}

/// The line that names the lock of the run.
pub fn locked(lock: &Lock, style: &Style) -> String {
    let text = format!("judged by the lock of {} alone (seal {})", lock.day, lock.seal);
    wrap(&text, 2, style.width)
}

/// The line of numbers: `12 decks: 8 legal, 4 illegal; 3 warnings`.
fn numbers(totals: &Totals, style: &Style) -> String {
    let decks = [
        (totals.legal, Verdict::Legal),
        (totals.incomplete, Verdict::Incomplete),
        (totals.illegal, Verdict::Illegal),
        (totals.unreadable.saturating_sub(totals.without_deck), Verdict::Unreadable),
    ];
    let decks = decks.into_iter().filter(|(number, _)| *number > 0);
    let decks =
        decks.map(|(number, verdict)| style.paint(&format!("{number} {verdict}"), sign(verdict).1));
    let others = [
        (totals.without_deck, "row without a deck"),
        (totals.warnings, "warning"),
        (totals.notices, "notice"),
    ];
    let others = others.into_iter().filter(|(number, _)| *number > 0);
    let others = others.map(|(number, noun)| number_of(number, noun));
    let parts = [decks.collect::<Vec<_>>().join(", "), others.collect::<Vec<_>>().join(", ")];
    let parts: Vec<String> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    let colon = if parts.is_empty() { "" } else { ": " };
    let decks = totals.decks().saturating_sub(totals.without_deck);
    let count = number_of(decks, "deck");
    format!("{count}{colon}{}", parts.join("; "))
}
