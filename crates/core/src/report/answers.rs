//! What a question comes to over many decks, in every output that verdicts have: tables,
//! workbooks, lines of JSON, and what build servers read. One answer stands for one deck, and
//! says of it what a verdict does: where it is, whose, and what a form knows besides.

use crate::banlist::lock::Lock;
use crate::format::Rulebook;
use crate::judge::DeckReport;
use crate::origin::{Given, in_one_line};
use crate::report::junit::{self, Case, Said};
use crate::spreadsheet::Cell;
use crate::spreadsheet::{Flavour, NOT_BUILT_IN, Table};
use crate::submissions::Submission;
use crate::text::harmless;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::fmt::Write;

/// Whether an answer is what everybody hopes for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum State {
    /// It is.
    Well,
    /// It is not: a word for that, and why.
    Fails(&'static str, String),
    /// There is no answer, as there is no deck: why.
    Unreadable(String),
}

/// The answer about one deck.
#[derive(Debug, Clone)]
pub struct Answer {
    /// Where the deck is.
    pub deck: String,
    /// Whose it is.
    pub player: Option<String>,
    /// Its format's id, where it is known.
    pub format: Option<String>,
    /// What a form says besides.
    pub submission: Option<Submission>,
    /// Whether all is well.
    pub state: State,
    /// Its rows in a table, without the columns of a form.
    pub rows: Vec<Vec<Cell>>,
    /// What JSON says of it besides.
    pub value: Map<String, Value>,
}

impl Answer {
    /// An answer about the deck of a report, with nothing in it yet.
    pub fn about(report: &DeckReport) -> Answer {
        Answer {
            deck: report.deck.clone(),
            player: report.player.clone(),
            format: report.format.clone(),
            submission: report.submission.clone(),
            state: State::Well,
            rows: Vec::new(),
            value: Map::new(),
        }
    }

    /// An answer about a deck that is none; its findings say why.
    pub fn unreadable(report: &DeckReport) -> Answer {
        let told: Vec<String> = report
            .findings
            .iter()
            .map(|finding| {
                let place = finding.place.map_or_else(String::new, |place| {
                    format!("line {}, column {}: ", place.line, place.column)
                });
                // Two sentences, or one with a semicolon.
                let (message, mend) = (&finding.message, &finding.mend);
                match (mend.is_empty(), message.ends_with('.')) {
                    (true, _) => format!("{place}{message}"),
                    (false, true) => format!("{place}{message} {mend}"),
                    (false, false) => format!("{place}{message}; {mend}"),
                }
            })
            .collect();
        Answer {
            state: State::Unreadable(told.join("\n")),
            ..Answer::about(report)
        }
    }

    /// The deck's place, with its player where a form says who that is.
    pub fn called(&self) -> String {
        match (&self.submission, &self.player) {
            (Some(_), Some(player)) => format!("{} ({player})", self.deck),
            _ => self.deck.clone(),
        }
    }

    /// Whether it is about the deck that counts, and not about a late one beside it.
    pub fn counts(&self) -> bool {
        self.submission.as_ref().is_none_or(|row| row.counts)
    }

    /// The answer in JSON.
    ///
    /// # Errors
    /// None in practice.
    pub fn to_json(&self) -> serde_json::Result<Map<String, Value>> {
        let mut entry = Map::new();
        entry.insert("deck".to_owned(), json!(self.deck));
        entry.insert("player".to_owned(), json!(self.player));
        entry.insert("format".to_owned(), json!(self.format));
        if let State::Unreadable(why) = &self.state {
            entry.insert("unreadable".to_owned(), json!(why));
        }
        entry.extend(self.value.clone());
        if let Some(row) = &self.submission {
            entry.insert("submission".to_owned(), serde_json::to_value(row)?);
        }
        Ok(entry)
    }

    fn message(&self) -> Option<(&'static str, &str)> {
        match &self.state {
            State::Well => None,
            State::Fails(word, why) => Some((word, why)),
            State::Unreadable(why) => Some(("unreadable", why)),
        }
    }
}

/// The answers about all decks of a run.
#[derive(Debug)]
pub struct Answers<'a> {
    /// The schema of a deck's line, such as `decklaw/odds-deck/1`.
    pub schema: &'static str,
    /// What was asked, in a word: the name of a sheet.
    pub question: &'static str,
    /// The columns of the rows, `deck` the first.
    pub columns: Vec<&'a str>,
    /// One for each deck.
    pub answers: Vec<Answer>,
}

impl Answers<'_> {
    /// The columns of the table.
    pub fn columns(&self) -> Vec<String> {
        let own = [&self.columns[..], &[NOT_BUILT_IN]].concat();
        own.into_iter().map(str::to_owned).collect()
    }

    /// The rows of the table. `given` is what decided and is not built in.
    pub fn rows(&self, given: &[Given]) -> Vec<Vec<Cell>> {
        let inputs = Cell::text(in_one_line(given));
        let rows = self.answers.iter().flat_map(|answer| &answer.rows);
        rows.map(|row| [&row[..], std::slice::from_ref(&inputs)].concat())
            .collect()
    }

    /// The table.
    ///
    /// # Errors
    /// None in practice; a writer's error otherwise.
    pub fn csv(&self, flavour: Flavour, given: &[Given]) -> csv::Result<Vec<u8>> {
        let mut table = Table::new(Vec::new(), flavour, &self.columns())?;
        for row in self.rows(given) {
            table.row(row.iter().map(Cell::shown))?;
        }
        table.finish()
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
            line.extend(answer.to_json()?);
            let format = answer.format.as_ref().and_then(|format| rules.get(format));
            let digest = format.map(|rulebook| super::json::inputs_digest(rulebook));
            line.insert("rules".to_owned(), json!(digest));
            line.insert("inputs".to_owned(), json!(given));
            let _ = writeln!(out, "{}", serde_json::to_string(&line)?);
        }
        Ok(out)
    }

    /// A document of JUnit: a test case a deck, which fails where all is not well.
    pub fn junit(
        &self,
        rules: &BTreeMap<String, &Rulebook>,
        as_of: &str,
        lock: Option<&Lock>,
    ) -> Vec<u8> {
        let case = |answer: &Answer| {
            let failure = answer.message().map(|(word, why)| {
                let first = why.lines().next().unwrap_or_default().to_owned();
                let element = match answer.state {
                    State::Unreadable(_) => "error",
                    _ => "failure",
                };
                let said = Said::Text(why.to_owned());
                (element, word.to_owned(), first, said)
            });
            Case {
                name: answer.called(),
                class: answer
                    .format
                    .clone()
                    .unwrap_or_else(|| "no format".to_owned()),
                properties: answer
                    .submission
                    .as_ref()
                    .map(junit::form)
                    .unwrap_or_default(),
                failure,
                said: Said::Text(String::new()),
            }
        };
        let cases: Vec<Case<'_>> = self.answers.iter().map(case).collect();
        let mut out = Vec::new();
        // Memory takes whatever is written.
        let _ = junit::of_cases(&mut out, &cases, rules, as_of, lock);
        out
    }

    /// What a workflow of GitHub shows: of each deck where all is not well.
    pub fn github(&self, given: &[Given]) -> String {
        let mut out = String::new();
        for answer in &self.answers {
            let Some((word, why)) = answer.message() else {
                continue;
            };
            let message = format!("{}: {why}", answer.called());
            out.push_str(&super::github::annotation("error", word, &message));
        }
        out.push_str(&super::github::inputs(given));
        out
    }

    /// A workbook: the table, and what decided.
    ///
    /// # Errors
    /// More rows than a sheet holds (1,048,576).
    #[cfg(feature = "xlsx")]
    pub fn workbook(
        &self,
        rules: &BTreeMap<String, &Rulebook>,
        as_of: &str,
        lock: Option<&Lock>,
        given: &[Given],
    ) -> Result<Vec<u8>, rust_xlsxwriter::XlsxError> {
        let rows = self.rows(given).into_iter();
        let sheet: super::workbook::Sheet<'_> = (self.question, self.columns(), Box::new(rows));
        super::workbook::of_sheets(vec![sheet], rules, as_of, lock)
    }

    /// What is said of each deck where all is not well, a line each.
    pub fn complaints(&self) -> Vec<String> {
        let told = |answer: &Answer| {
            let (_, why) = answer.message()?;
            let each: Vec<String> = why
                .lines()
                .map(|line| format!("{}: {line}", harmless(&answer.called(), false)))
                .collect();
            Some(each.join("\n"))
        };
        self.answers.iter().filter_map(told).collect()
    }
}
