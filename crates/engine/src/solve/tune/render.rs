//! A tuning as people, spreadsheets and programs read it.

use super::{Odds, Step, Tuned, Tuning};
use crate::odds::render::{percent, policy};
use decklaw_core::render::{FIGURES, Kind, Render, TextStyle, Written};
use decklaw_core::resolve::{Change, Decklist};
use decklaw_core::spreadsheet::Cell;
use decklaw_core::text::{counted, harmless};
use serde_json::{Value, json};
use std::fmt::Write as _;

/// A tuning and the deck that it is about.
#[derive(Debug, Clone, Copy)]
pub struct TuneReport<'a> {
    /// The deck as its file is named.
    pub deck: &'a str,
    /// What was asked.
    pub tuning: &'a Tuning,
    /// What was found.
    pub tuned: &'a Tuned,
    /// The deck as it was handed in, which may not be legal.
    pub before: &'a Decklist,
}

impl TuneReport<'_> {
    fn query(&self) -> String {
        let texts = self.tuning.queries.iter().map(|query| query.text());
        texts.collect::<Vec<_>>().join("; ")
    }

    fn changes(&self, step: &Step) -> Vec<Change> {
        let best = step.best.as_ref();
        best.map_or_else(Vec::new, |(deck, _)| self.tuned.start.changes_to(deck))
    }

    fn listed(&self, changes: &[Change], of: &Decklist) -> Vec<Value> {
        let change = |change: &Change| {
            json!({
                "section": of.sections()[usize::from(change.section)],
                "card": of.name(change.card),
                "from": change.from,
                "to": change.to,
            })
        };
        changes.iter().map(change).collect()
    }

    fn odds(&self, odds: &Odds) -> Value {
        let mut told = json!({
            "probability": odds.probability.nearest(),
            "fraction": odds.probability.to_string(),
        });
        if self.tuning.queries.len() > 1 {
            let each = odds
                .each
                .iter()
                .zip(&self.tuning.queries)
                .map(|(odds, query)| {
                    json!({
                        "query": query.text(),
                        "probability": odds.nearest(),
                        "fraction": odds.to_string(),
                    })
                });
            told["each"] = each.collect();
        }
        told
    }

    fn step(&self, step: &Step) -> Value {
        let mut told = match &step.best {
            Some((_, odds)) => self.odds(odds),
            None => json!({"probability": null, "fraction": null}),
        };
        told["exchanges"] = step.exchanges.into();
        told["optimal"] = step.optimal.into();
        if !step.optimal {
            told["bound"] = json!({
                "probability": step.bound.nearest(),
                "fraction": step.bound.to_string(),
            });
        }
        told["changes"] = self.listed(&self.changes(step), &self.tuned.start).into();
        told["after"] = match &step.best {
            Some((deck, _)) => json!({"verdict": deck.verdict(), "hash": deck.hash()}),
            None => Value::Null,
        };
        told
    }

    fn write_step(&self, out: &mut String, step: &Step, last: &mut Odds, shown: &mut Vec<Change>) {
        let what = counted(i64::from(step.exchanges), "exchange");
        let proof = match step.optimal {
            true => String::new(),
            false => format!(
                "  (not proven best: no deck has more than {})",
                percent(step.bound.nearest())
            ),
        };
        let Some((_, odds)) = &step.best else {
            let _ = writeln!(out, "{what:<14}no such deck{proof}");
            return;
        };
        let gain = 100.0 * (odds.probability.nearest() - last.probability.nearest());
        let changes = self.changes(step);
        if changes == *shown {
            let _ = writeln!(out, "{what:<14}nothing better{proof}");
            return;
        }
        let _ = writeln!(out, "{what:<14}{}  +{gain:.2}{proof}", self.odds_text(odds));
        for change in &changes {
            let start = &self.tuned.start;
            let (sign, copies) = match change.to > change.from {
                true => ('+', change.to - change.from),
                false => ('-', change.from - change.to),
            };
            let section = &start.sections()[usize::from(change.section)];
            let name = harmless(start.name(change.card), false);
            let _ = writeln!(out, "    {sign} {copies} {name}  [{section}]");
        }
        last.clone_from(odds);
        *shown = changes;
    }

    fn odds_text(&self, odds: &Odds) -> String {
        let each = |odds: &crate::odds::Fraction| percent(odds.nearest());
        let many = self.tuning.queries.len() > 1;
        let parts: Vec<String> = odds.each.iter().filter(|_| many).map(each).collect();
        match parts.as_slice() {
            [] => percent(odds.probability.nearest()),
            parts => format!(
                "{} ({})",
                percent(odds.probability.nearest()),
                parts.join(", ")
            ),
        }
    }
}

impl Written for TuneReport<'_> {
    const KINDS: &'static [Kind] = FIGURES;
}

impl Render for TuneReport<'_> {
    /// Schema `decklaw/tune/1`.
    fn json(&self) -> serde_json::Result<Value> {
        let (tuned, before) = (self.tuned, self.before);
        let query = self.query();
        let repaired = tuned.repaired.as_ref().map(|found| {
            json!({
                "distance": found.distance,
                "optimal": found.optimal(),
                "changes": self.listed(&before.changes_to(&found.deck), before),
            })
        });
        let stops = tuned.stops.iter().map(|stop| {
            let mut told = self.odds(&stop.odds);
            told["rule"] = stop.rule.as_str().into();
            told
        });
        let mut document = json!({
            "schema": "decklaw/tune/1",
            "deck": self.deck,
            "query": query,
            "population": tuned.start.count(self.tuning.section),
            "hand": self.tuning.request.hand,
            "draws": self.tuning.request.draws,
            "policy": serde_json::to_value(policy(&self.tuning.request.policy, &query))?,
            "repaired": repaired,
            "before": self.odds(&tuned.before),
            "steps": tuned.steps.iter().map(|step| self.step(step)).collect::<Vec<_>>(),
            "without": stops.collect::<Vec<_>>(),
        });
        let notes = self.tuning.in_vain(before);
        if !notes.is_empty() {
            document["notes"] = notes.into();
        }
        Ok(document)
    }

    /// A row for each change of each step.
    fn table(&self) -> (Vec<&'static str>, Vec<Vec<Cell>>) {
        let header = vec![
            "exchanges",
            "probability",
            "fraction",
            "optimal",
            "section",
            "card",
            "from",
            "to",
        ];
        let start = &self.tuned.start;
        let row = |exchanges: u32, odds: Option<&Odds>, optimal: bool, change: Option<&Change>| {
            let section = change.map(|change| &*start.sections()[usize::from(change.section)]);
            let probability = odds.map(|odds| &odds.probability);
            vec![
                Cell::Number(exchanges.into()),
                probability.map_or_else(Cell::empty, |odds| Cell::Decimal(odds.nearest())),
                Cell::text(probability.map_or_else(String::new, ToString::to_string)),
                Cell::text(optimal.to_string()),
                Cell::some(section),
                Cell::some(change.map(|change| start.name(change.card))),
                Cell::maybe(change.map(|change| change.from)),
                Cell::maybe(change.map(|change| change.to)),
            ]
        };
        let mut rows = vec![row(0, Some(&self.tuned.before), true, None)];
        for step in &self.tuned.steps {
            let odds = step.best.as_ref().map(|(_, odds)| odds);
            let changes = self.changes(step);
            if changes.is_empty() {
                rows.push(row(step.exchanges, odds, step.optimal, None));
            }
            let each = changes.iter();
            rows.extend(each.map(|change| row(step.exchanges, odds, step.optimal, Some(change))));
        }
        (header, rows)
    }

    fn human(&self, _: &TextStyle) -> String {
        let tuned = self.tuned;
        let request = &self.tuning.request;
        let mut out = format!(
            "{}: {}, {} of {}{}\n",
            harmless(self.deck, false),
            harmless(&self.query(), false),
            counted(i64::from(request.hand), "card"),
            tuned.start.count(self.tuning.section),
            match request.draws {
                0 => String::new(),
                draws => format!(" and {draws} drawn"),
            }
        );
        if let Some(found) = &tuned.repaired {
            let _ = writeln!(
                out,
                "The deck is not legal, so what is tuned is its nearest legal one, {} away (see `decklaw fix`).",
                counted(found.distance, "copy")
            );
        }
        let _ = writeln!(out, "\n{:<14}{}", "as it is", self.odds_text(&tuned.before));
        let mut last = tuned.before.clone();
        let mut shown: Vec<Change> = Vec::new();
        for step in &tuned.steps {
            self.write_step(&mut out, step, &mut last, &mut shown);
        }
        for stop in tuned.stops.iter().take(3) {
            let _ = writeln!(
                out,
                "\nwithout `{}` {} could be had",
                harmless(&stop.rule, false),
                self.odds_text(&stop.odds)
            );
        }
        out
    }

    fn is_well(&self) -> bool {
        self.tuned.steps.iter().any(|step| step.best.is_some())
    }
}
