//! The end of a run.

use super::layout::{Piece, lay};
use super::{LONGEST_NAME, Style, number_of, sign};
use crate::banlist::lock::Lock;
use crate::judge::{Report, Verdict};
use crate::origin::Given;
use crate::rules::Severity;
use crate::text::harmless;
use comfy_table::{CellAlignment, ContentArrangement, Table, presets};
use std::collections::BTreeMap;

/// The most rules that are listed.
const MOST_RULES: usize = 8;

/// What a run found, counted.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Totals {
    /// Legal decks.
    pub legal: usize,
    /// Incomplete decks.
    pub incomplete: usize,
    /// Illegal decks.
    pub illegal: usize,
    /// Files that are no deck.
    pub unreadable: usize,
    /// Warnings in all decks.
    pub warnings: usize,
    /// Notices in all decks.
    pub notices: usize,
    /// How many decks break each rule.
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
        self.warnings += report.count(Severity::Warning);
        self.notices += report.count(Severity::Notice);
        let broken = report
            .findings
            .iter()
            .filter(|finding| finding.severity == Severity::Error);
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

    /// Adds what another part of the run found.
    pub fn merge(&mut self, other: &Totals) {
        self.legal += other.legal;
        self.incomplete += other.incomplete;
        self.illegal += other.illegal;
        self.unreadable += other.unreadable;
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

    /// How many decks there were.
    pub fn decks(&self) -> usize {
        self.legal + self.incomplete + self.illegal + self.unreadable
    }
}

/// The end of a run: how many decks are what, and the rules that most decks break. Of a single
/// deck, with [`quiet`](Style::quiet), and where an overview `told` of the rules, only the line of
/// numbers.
pub fn summary(totals: &Totals, style: &Style, told: bool) -> String {
    let mut out = lay(&numbers(totals, style), 2, style);
    if told || totals.decks() < 2 || style.quiet || totals.by_rule.is_empty() {
        return out;
    }
    let mut rules: Vec<(&String, usize)> = totals
        .by_rule
        .iter()
        .map(|(rule, decks)| (rule, *decks))
        .collect();
    rules.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(b.0)));
    let mut table = Table::new();
    table
        .load_style(if style.unicode {
            presets::UTF8_FULL_CONDENSED
        } else {
            presets::ASCII_FULL_CONDENSED
        })
        .set_content_arrangement(ContentArrangement::Dynamic)
        .set_width(u16::try_from(style.width).unwrap_or(u16::MAX))
        .set_header(["broken rule", "decks"]);
    for (rule, decks) in rules.iter().take(MOST_RULES) {
        table.add_row([style.words(rule, LONGEST_NAME), decks.to_string()]);
    }
    if let Some(column) = table.column_mut(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    for line in table.lines() {
        out.push_str(line.trim_end());
        out.push('\n');
    }
    let left = rules.len().saturating_sub(MOST_RULES);
    if left > 0 {
        let text = format!(
            "{} and {}",
            style.sign("…", "..."),
            number_of(left, "more rule")
        );
        out.push_str(&lay(&[Piece::plain(2, text)], 2, style));
    }
    out
}

/// The line that says which lock the run was held to.
pub fn locked(lock: &Lock, style: &Style) -> String {
    let what = format!("judged by the lock of {} alone", lock.day);
    let seal = format!("(seal {})", lock.seal);
    lay(&[Piece::plain(0, what), Piece::plain(1, seal)], 2, style)
}

/// The line that names what decided and is not built in; nothing where all is.
pub fn given(given: &[Given], style: &Style) -> String {
    if given.is_empty() {
        return String::new();
    }
    let mut pieces = vec![Piece::plain(0, "not built in:")];
    for given in given {
        pieces.push(Piece::plain(1, harmless(&given.to_string(), true) + ";"));
    }
    if let Some(last) = pieces.last_mut() {
        last.text.pop();
    }
    lay(&pieces, 2, style)
}

/// The line of numbers: `12 decks: 8 legal, 4 illegal; 3 warnings`.
fn numbers(totals: &Totals, style: &Style) -> Vec<Piece> {
    let decks = [
        (totals.legal, Verdict::Legal),
        (totals.incomplete, Verdict::Incomplete),
        (totals.illegal, Verdict::Illegal),
        (totals.unreadable, Verdict::Unreadable),
    ];
    let others = [(totals.warnings, "warning"), (totals.notices, "notice")];
    let mut pieces = Vec::new();
    for (number, verdict) in decks.into_iter().filter(|(number, _)| *number > 0) {
        let colour = sign(verdict, style).1;
        pieces.push(Piece::painted(
            1,
            format!("{number} {}", verdict.word()),
            colour,
        ));
    }
    let verdicts = pieces.len();
    for (number, noun) in others.into_iter().filter(|(number, _)| *number > 0) {
        pieces.push(Piece::plain(1, number_of(number, noun)));
    }
    let last = pieces.len();
    for (at, piece) in (1..).zip(&mut pieces) {
        if at < last {
            piece.text.push(if at == verdicts { ';' } else { ',' });
        }
    }
    let colon = if last > 0 { ":" } else { "" };
    let count = number_of(totals.decks(), "deck") + colon;
    pieces.insert(0, Piece::plain(0, count));
    pieces
}
