//! The summary of a form, short enough for a screen: broken rules with their players, late rows,
//! and rows that need a decision.

mod render;

use crate::judge::{Finding, Report};
use decklaw_decks::submissions::{Submission, UnreadColumn};
use decklaw_rules::rules::{Fault, Severity};
use decklaw_text::text::{begun_small, escape_control};
use std::collections::{BTreeMap, BTreeSet};

/// The most players or rows that are listed; the others are counted.
const MOST_KEPT: usize = 1_000;

/// The first half of a deck's digest. No two decks of a run share it by chance.
type Content = [u8; 16];

/// The first few of some things, and their number.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Kind {
    shown: Vec<String>,
    all: usize,
}

impl Kind {
    fn push(&mut self, one: String) {
        self.all += 1;
        if self.shown.len() < MOST_KEPT {
            self.shown.push(one);
        }
    }

    fn merge(&mut self, other: Kind) {
        self.all += other.all;
        let room = MOST_KEPT.saturating_sub(self.shown.len());
        self.shown.extend(other.shown.into_iter().take(room));
    }
}

/// Collects the summary of a form while its decks are judged.
#[derive(Debug, Clone, Default)]
pub struct Overview {
    /// The players whose decks break each rule, among the decks that count.
    broken: BTreeMap<String, Kind>,
    /// The number of judged decks that count.
    judged: usize,
    /// The errors, as sentences, that all decks so far have in common; `None` before the first
    /// deck.
    common: Option<BTreeSet<String>>,
    /// How many decks name no format, by the format with most of their cards.
    formatless: BTreeMap<String, usize>,
    without_deck: Kind,
    /// Lists with a blank line that may begin another section.
    unclear: Kind,
    late_players: Kind,
    unread_players: Kind,
    /// Rows that are late, whether they count or not.
    late: Vec<u64>,
    /// Late rows, each with the row of its player that counts.
    beside: Vec<(u64, u64)>,
    /// Rows with a time that could not be read.
    unread: Vec<u64>,
    /// The decks by digest, to find identical ones: 24 bytes a row.
    decks: Vec<(Content, u64)>,
    /// Rows whose player is in doubt: the player, the question, and whether the row counts.
    asked: Vec<(u64, String, &'static str, bool)>,
}

/// Facts about a form other than its decks.
#[derive(Debug, Clone, Default)]
pub struct FormFacts {
    /// Its rows.
    pub rows: u64,
    /// The number of players with a deck.
    pub players: usize,
    /// The deadline.
    pub deadline: Option<Due>,
    /// Replaced rows, each with the row of the same player that replaces it.
    pub replaced: Vec<(u64, u64)>,
    /// Columns that look like parts of decks and were not read.
    pub unused: Vec<UnreadColumn>,
}

/// A deadline.
#[derive(Debug, Clone)]
pub struct Due {
    /// As given.
    pub at: String,
    /// In words, with its zone.
    pub means: String,
    /// How late decks are treated.
    pub policy: &'static str,
}

/// The summary of a form: see [`Overview::summary`].
#[derive(Debug, Clone)]
pub struct FormSummary<'f> {
    overview: Overview,
    facts: &'f FormFacts,
    /// Groups of rows with the same deck, ascending.
    same: Vec<Vec<u64>>,
}

impl Overview {
    /// Adds a row of a form.
    pub fn see(&mut self, row: &Submission, player: Option<&str>) {
        let player = escape_control(player.unwrap_or_default(), false);
        let called = |more: String| called(&player, row, &more);
        if row.late {
            self.late.push(row.row);
            let counts = row.beside.filter(|_| !row.counts);
            let counts = counts.map_or_else(String::new, |row| format!("; row {row} counts"));
            self.late_players.push(called(counts));
        }
        if !row.times_not_understood.is_empty() {
            self.unread.push(row.row);
            self.unread_players.push(called(String::new()));
        }
        if let Some(asked) = row.asked {
            self.asked.push((row.row, player.into_owned(), asked, row.counts || row.late));
        }
        if !row.counts {
            self.beside.extend(row.beside.map(|by| (row.row, by)));
        }
    }

    /// Adds a deck, if it is of a form.
    pub fn add(&mut self, report: &Report) {
        let Some(row) = &report.submission else {
            return;
        };
        self.see(row, report.player.as_deref());
        if !row.counts {
            return;
        }
        let player = escape_control(report.player.as_deref().unwrap_or_default(), false);
        let called = || called(&player, row, "");
        let content = report.hash.as_deref().and_then(content);
        self.decks.extend(content.map(|content| (content, row.row)));
        if row.empty {
            self.without_deck.push(called());
            return;
        }
        let mut findings = report.findings.iter();
        if findings.any(|finding| finding.code.fault == Fault::BlankLine) {
            self.unclear.push(called());
        }
        let errors = report.findings.iter();
        let errors = errors.filter(|finding| finding.severity == Severity::Error);
        let errors: Vec<_> = errors.collect();
        self.judged += 1;
        let mut sentences: BTreeSet<String> =
            errors.iter().map(|finding| in_words(finding)).collect();
        if let Some(format) = &report.nearest_format {
            *self.formatless.entry(format.clone()).or_default() += 1;
            // The summary has one sentence for all of them.
            sentences.clear();
        }
        match &mut self.common {
            None => self.common = Some(sentences),
            Some(common) => common.retain(|sentence| sentences.contains(sentence)),
        }
        let rules: BTreeSet<&str> = errors.iter().map(|finding| finding.rule.as_str()).collect();
        for rule in rules {
            let players = self.broken.entry(rule.to_owned()).or_default();
            players.push(called());
        }
    }

    /// Appends the findings of a later part of the run.
    pub fn merge(&mut self, other: Overview) {
        for (rule, players) in other.broken {
            self.broken.entry(rule).or_default().merge(players);
        }
        self.judged += other.judged;
        self.common = match (self.common.take(), other.common) {
            (Some(own), Some(other)) => Some(own.intersection(&other).cloned().collect()),
            (own, other) => own.or(other),
        };
        for (format, decks) in other.formatless {
            *self.formatless.entry(format).or_default() += decks;
        }
        self.without_deck.merge(other.without_deck);
        self.unclear.merge(other.unclear);
        self.late_players.merge(other.late_players);
        self.unread_players.merge(other.unread_players);
        self.late.extend(other.late);
        self.beside.extend(other.beside);
        self.unread.extend(other.unread);
        self.decks.extend(other.decks);
        self.asked.extend(other.asked);
    }

    /// Whether a row needs a decision of the organiser before it counts.
    pub fn asks(&self) -> bool {
        self.asked.iter().any(|(.., counts)| !counts)
    }

    /// Returns the summary, with further facts about the form.
    pub fn summary(mut self, facts: &FormFacts) -> FormSummary<'_> {
        self.decks.sort_unstable();
        let alike = self.decks.chunk_by(|(one, _), (next, _)| one == next);
        let mut same: Vec<Vec<u64>> = alike
            .filter(|alike| alike.len() > 1)
            .map(|alike| alike.iter().map(|(_, row)| *row).collect())
            .collect();
        same.sort_unstable();
        FormSummary { overview: self, facts, same }
    }
}

/// A player and the row; the row alone if there is no player.
fn called(player: &str, row: &Submission, more: &str) -> String {
    let own = format!("row {}", row.row);
    match player {
        "" => format!("{own}{more}"),
        player if player == own => format!("{own}{more}"),
        player => format!("{player} ({own}{more})"),
    }
}

/// An error and its help.
fn in_words(finding: &Finding) -> String {
    match &finding.help {
        Some(help) => {
            let help = begun_small(help);
            let clauses = [&finding.message, &help].map(|clause| clause.trim_end_matches('.'));
            clauses.join("; ")
        }
        None => finding.message.clone(),
    }
}

fn content(hash: &str) -> Option<Content> {
    let half = u128::from_str_radix(hash.get(..32)?, 16).ok()?;
    Some(half.to_be_bytes())
}
