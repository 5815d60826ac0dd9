//! What a new banlist changes: `decklaw/compare/1`, a table, and for people.

use super::json;
use crate::judge::{DeckReport, Finding, Judge, Verdict};
use crate::origin::Given;
use crate::rules::Severity;
use crate::text::{counted, harmless};
use serde_json::json;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// The most findings of one rule that people are told of a deck under either list.
const MOST_OF_A_RULE: usize = 100;

/// A deck whose verdict changes, or that is unreadable under either list.
#[derive(Debug, Clone)]
pub struct Changed {
    /// Judged by the old list.
    pub before: DeckReport,
    /// Judged by the new one.
    pub after: DeckReport,
}

/// What came of the decks.
#[derive(Debug, Clone, Default)]
pub struct Compared {
    /// How many count.
    pub decks: usize,
    /// Those whose verdict changes, and late ones beside those that count.
    pub changed: Vec<Changed>,
    /// Those that cannot be read.
    pub unreadable: Vec<DeckReport>,
}

impl Changed {
    /// A deck judged by either list, where that is to be told of.
    pub fn of(before: DeckReport, after: DeckReport) -> Option<Changed> {
        let said = before.verdict != after.verdict || after.verdict == Verdict::Unreadable;
        said.then_some(Changed { before, after })
    }

    /// The errors under the one list that are none under the other: why the verdict changes.
    pub fn reasons(&self) -> impl Iterator<Item = (&'static str, &Finding)> {
        let (before, after) = (&self.before.findings, &self.after.findings);
        let is_error = |finding: &&Finding| finding.severity == Severity::Error;
        let new = without(after, before).filter(is_error);
        let gone = without(before, after).filter(is_error);
        new.map(|finding| ("new", finding))
            .chain(gone.map(|finding| ("gone", finding)))
    }
}

/// Findings that are not among others.
fn without<'f>(
    findings: &'f [Finding],
    others: &'f [Finding],
) -> impl Iterator<Item = &'f Finding> {
    let mut known: BTreeMap<_, Vec<&'f Finding>> = BTreeMap::new();
    for other in others {
        known.entry(other.order()).or_default().push(other);
    }
    findings.iter().filter(move |finding: &&'f Finding| {
        let finding: &'f Finding = finding;
        let alike = known.get(&finding.order());
        !alike.is_some_and(|alike| alike.contains(&finding))
    })
}

impl Compared {
    /// Adds what came of one more deck, and whether it is the one that counts: a late one beside
    /// it is shown, and decides nothing.
    pub fn add(&mut self, counts: bool, one: Option<Changed>) {
        self.decks += usize::from(counts);
        match one {
            Some(one) if one.after.verdict == Verdict::Unreadable => {
                self.unreadable.push(one.after);
            }
            Some(one) => self.changed.push(one),
            None => {}
        }
    }

    /// Whether every deck that counts can be read and none that was legal is so no more.
    pub fn is_well(&self) -> bool {
        let lost = |changed: &Changed| changed.before.verdict == Verdict::Legal;
        self.count_unreadable() == 0 && !self.counting().any(lost)
    }

    fn counting(&self) -> impl Iterator<Item = &Changed> {
        self.changed.iter().filter(|changed| changed.after.counts())
    }

    fn count_unreadable(&self) -> usize {
        let counting = self.unreadable.iter().filter(|report| report.counts());
        counting.count()
    }

    /// For people.
    pub fn to_human(&self) -> String {
        let mut out = String::new();
        let tell = |out: &mut String, sign: char, finding: &Finding, mend: bool| {
            let line = finding
                .place
                .map_or_else(String::new, |place| format!("line {}: ", place.line));
            let _ = writeln!(out, "  {sign} {line}{}: {}", finding.rule, finding.message);
            if mend && !finding.mend.is_empty() {
                let _ = writeln!(out, "      {}", finding.mend);
            }
        };
        let remark = |report: &DeckReport| {
            let beside = report.submission.as_ref().filter(|row| !row.counts);
            beside.map_or_else(String::new, |row| format!(" ({})", row.remark()))
        };
        for report in &self.unreadable {
            let called = report.row_and_player();
            let _ = writeln!(out, "{called}: unreadable{}", remark(report));
            for finding in &report.findings {
                tell(&mut out, '?', finding, true);
            }
        }
        for one in &self.changed {
            let (before, after) = (one.before.verdict.word(), one.after.verdict.word());
            let (called, remark) = (one.after.row_and_player(), remark(&one.after));
            let _ = writeln!(out, "{called}: {before}, now {after}{remark}");
            let (mut of_rule, mut left) = (BTreeMap::new(), 0);
            for (when, finding) in one.reasons() {
                let before = of_rule.entry((when, &finding.rule)).or_insert(0_usize);
                *before += 1;
                if *before > MOST_OF_A_RULE {
                    left += 1;
                    continue;
                }
                let sign = if when == "new" { '+' } else { '-' };
                tell(&mut out, sign, finding, when == "new");
            }
            if left > 0 {
                let _ = writeln!(out, "  … and {left} more; JSON and tables list them");
            }
        }
        let total = counted(i64::try_from(self.decks).unwrap_or(i64::MAX), "deck");
        let changed = self.counting().count();
        let _ = write!(out, "{total}: {changed} with another verdict");
        let _ = match self.count_unreadable() {
            0 => writeln!(out),
            unreadable => writeln!(out, ", {unreadable} unreadable"),
        };
        harmless(&out, true).into_owned()
    }

    /// `decklaw/compare/1`: what `lists` call the old list and the new one, and their judges.
    ///
    /// # Errors
    /// None but those of writing to memory.
    pub fn to_json(
        &self,
        lists: [&str; 2],
        judges: [&Judge; 2],
    ) -> serde_json::Result<serde_json::Value> {
        let [old_list, new_list] = lists;
        let mut decks = Vec::new();
        for one in &self.changed {
            let of = |wanted: &str| -> Vec<Finding> {
                let reasons = one.reasons().filter(|(when, _)| *when == wanted);
                reasons.map(|(_, finding)| finding.clone()).collect()
            };
            decks.push(json!({
                "deck": one.after.deck,
                "format": one.after.format,
                "player": one.after.player,
                "before": one.before.verdict,
                "after": one.after.verdict,
                "hash": one.after.hash,
                "submission": one.after.submission,
                "new": json::findings(&of("new"))?,
                "gone": json::findings(&of("gone"))?,
            }));
        }
        let mut unreadable = Vec::new();
        for report in &self.unreadable {
            unreadable.push(json!({
                "deck": report.deck,
                "player": report.player,
                "submission": report.submission,
                "findings": json::findings(&report.findings)?,
            }));
        }
        let [old, new] = judges;
        Ok(json!({
            "schema": "decklaw/compare/1",
            "as_of": old.day().to_string(),
            "old": old_list,
            "new": new_list,
            "decks": decks,
            "unreadable": unreadable,
            "rules": {"old": json::rules(old)?, "new": json::rules(new)?},
        }))
    }
}

/// What decided under either list and is not built in.
pub fn given(judges: [&Judge; 2]) -> Vec<Given> {
    let given = judges.into_iter().flat_map(Judge::given_so_far);
    let given: BTreeSet<Given> = given.collect();
    given.into_iter().collect()
}
