//! How a question over many decks is answered: asked of each side by side, and written in each
//! kind of output that such answers have.

use super::entries::Entries;
use super::jobs::{self, Job};
use super::{Refusal, Run, inputs};
use crate::judge::{Judge, Report};
use crate::origin::Given;
use crate::render::{Kind, Render, Rendered, Rendering, TextStyle, Written};
use crate::report::answers::Answers;
use crate::report::table;
use crate::resolve::Resolved;
use crate::rules::Fault;
use crate::spreadsheet::{Flavour, Sheet};
use serde_json::Value;

/// What is asked of a deck: its report, and the deck itself where it is one.
pub(super) type Question<'q, T> =
    dyn Fn(&Report, Option<&Resolved<'_>>) -> Result<T, Refusal> + Sync + 'q;

/// Asks something of each deck, side by side. The answers are in the order of the decks.
///
/// # Errors
/// Those of the question, a table that cannot be read on, and wrong inputs of the run.
pub(super) fn ask<T: Send>(
    run: &Run,
    entries: &Entries,
    judge: &Judge,
    quiet: bool,
    question: &Question<'_, T>,
) -> Result<Vec<T>, Refusal> {
    let jobs = entries.jobs();
    let each = |batch: &[Job<'_>]| {
        let mut buffer = Vec::new();
        let (mut answers, mut notes) = (Vec::new(), Vec::new());
        for job in batch {
            let handed = entries.reading.read(judge, *job, &mut buffer);
            let (report, resolved) = handed
                .judged(judge)
                .map_err(|error| inputs::refuse(&error))?;
            answers.push(question(&report, resolved.as_deref())?);
            notes.extend(read_as(&report));
        }
        Ok((answers, notes))
    };
    let bar = run.progress(quiet || jobs.len() < 2, jobs.len());
    let mut answers = Vec::new();
    jobs::in_order(run, &jobs, each, |(some, notes): (Vec<T>, Vec<String>)| {
        bar.add(some.len());
        answers.extend(some);
        for note in notes {
            run.complain("note", &note);
        }
        Ok(())
    })?;
    Ok(answers)
}

/// How a deck's file came to be a deck, where that is to be known, and that it has no card.
fn read_as(report: &Report) -> Vec<String> {
    let of_the_file = |fault: Fault| matches!(fault, Fault::Recoded | Fault::NoCards);
    let told = report.findings.iter();
    let told = told.filter(|finding| of_the_file(finding.code.fault));
    told.map(|finding| format!("{}: {}", report.deck, finding.message))
        .collect()
}

/// Answers about many decks, in each kind of output that they have.
pub(super) struct OfDecks<'a> {
    pub(super) answers: &'a Answers<'a>,
    /// What the decks were judged by.
    pub(super) judge: &'a Judge,
    /// Makes the text for people.
    pub(super) human: &'a dyn Fn() -> String,
    /// Makes the document.
    pub(super) json: &'a dyn Fn() -> serde_json::Result<Value>,
    /// Whether all decks are as one hopes.
    pub(super) is_well: bool,
}

impl Written for OfDecks<'_> {
    const KINDS: &'static [Kind] = &[
        Kind::Human,
        Kind::Json,
        Kind::Ndjson,
        Kind::Csv(Flavour::Plain),
        Kind::Csv(Flavour::Excel),
        Kind::Xlsx,
    ];
}

impl Render for OfDecks<'_> {
    fn human(&self, _: &TextStyle) -> String {
        (self.human)()
    }

    fn json(&self) -> serde_json::Result<Value> {
        (self.json)()
    }

    fn sheets(&self) -> Vec<Sheet<'_>> {
        let met = self.judge.met();
        let rules = met.iter().map(|(id, rulebook)| (id.clone(), &**rulebook));
        let (day, lock) = (self.judge.day().to_string(), self.judge.lock());
        vec![
            self.answers.sheet(),
            table::inputs(&rules.collect(), &day, lock),
        ]
    }

    fn body(&self, kind: Kind, given: &[Given]) -> Rendered<Option<Rendering>> {
        if kind != Kind::Ndjson {
            return Ok(None);
        }
        let met = self.judge.met();
        let rules = met.iter().map(|(id, rulebook)| (id.clone(), &**rulebook));
        let lines = self.answers.ndjson(&rules.collect(), given)?;
        Ok(Some(Rendering::Report(lines.into_bytes())))
    }

    fn is_well(&self) -> bool {
        self.is_well
    }
}
