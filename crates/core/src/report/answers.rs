//! What a question comes to over many decks: a sheet and lines of JSON. One answer stands for one
//! deck.

use crate::format::Rulebook;
use crate::judge::Report;
use crate::origin::Given;
use crate::spreadsheet::{Cell, Sheet};
use crate::text::harmless;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::fmt::Write;

/// The answer about one deck.
#[derive(Debug, Clone)]
pub struct Answer {
    /// Where the deck is.
    pub deck: String,
    /// Whose it is.
    pub player: Option<String>,
    /// Its format's id, where it is known.
    pub format: Option<String>,
    /// Why there is no answer, where there is none.
    pub unreadable: Option<String>,
    /// Its rows in a table.
    pub rows: Vec<Vec<Cell>>,
    /// What JSON says of it besides.
    pub value: Map<String, Value>,
}

impl Answer {
    /// An answer about the deck of a report, with nothing in it yet.
    pub fn about(report: &Report) -> Answer {
        Answer {
            deck: report.deck.clone(),
            player: report.player.clone(),
            format: report.format.clone(),
            unreadable: None,
            rows: Vec::new(),
            value: Map::new(),
        }
    }

    /// An answer about a deck that is none; its findings say why.
    pub fn unreadable(report: &Report) -> Answer {
        let told: Vec<String> = report
            .findings
            .iter()
            .map(|finding| finding.sentence())
            .collect();
        Answer {
            unreadable: Some(told.join("\n")),
            ..Answer::about(report)
        }
    }

    fn to_json(&self) -> Map<String, Value> {
        let mut entry = Map::new();
        entry.insert("deck".to_owned(), json!(self.deck));
        entry.insert("player".to_owned(), json!(self.player));
        entry.insert("format".to_owned(), json!(self.format));
        if let Some(why) = &self.unreadable {
            entry.insert("unreadable".to_owned(), json!(why));
        }
        entry.extend(self.value.clone());
        entry
    }
}

/// The answers about all decks of a run.
#[derive(Debug)]
pub struct Answers<'a> {
    /// The schema of a deck's line, such as `decklaw/stats-deck/1`.
    pub schema: &'static str,
    /// What was asked, in a word: the name of a sheet.
    pub question: &'static str,
    /// The columns of the rows, `deck` the first.
    pub columns: Vec<&'a str>,
    /// One for each deck.
    pub answers: Vec<Answer>,
}

impl Answers<'_> {
    /// The table.
    pub fn sheet(&self) -> Sheet<'_> {
        let rows = self
            .answers
            .iter()
            .flat_map(|answer| answer.rows.iter().cloned());
        Sheet::new(self.question, self.columns.iter().copied(), rows)
    }

    /// A line of JSON for each deck.
    ///
    /// # Errors
    /// None in practice.
    pub fn ndjson(
        &self,
        rules: &BTreeMap<String, &Rulebook>,
        given: &[Given],
    ) -> serde_json::Result<String> {
        let mut out = String::new();
        for answer in &self.answers {
            let mut line = Map::new();
            line.insert("schema".to_owned(), json!(self.schema));
            line.extend(answer.to_json());
            let format = answer.format.as_ref().and_then(|format| rules.get(format));
            let digest = format.map(|rulebook| super::json::inputs_digest(rulebook));
            line.insert("rules".to_owned(), json!(digest));
            line.insert("inputs".to_owned(), json!(given));
            let _ = writeln!(out, "{}", serde_json::to_string(&line)?);
        }
        Ok(out)
    }

    /// What is said of each deck that cannot be read, a line each.
    pub fn complaints(&self) -> Vec<String> {
        let told = |answer: &Answer| {
            let each: Vec<String> = answer
                .unreadable
                .as_ref()?
                .lines()
                .map(|line| format!("{}: {line}", harmless(&answer.deck, false)))
                .collect();
            Some(each.join("\n"))
        };
        self.answers.iter().filter_map(told).collect()
    }
}
