//! How a question over many decks is answered: asked of each side by side, and written in every
//! output that verdicts have.

use super::entries::Entries;
use super::jobs::Batch;
use super::output::{Output, OutputKind};
use super::{Refusal, Run, inputs, json_text, output, side_by_side, terminal};
use crate::format::Rulebook;
use crate::judge::{DeckReport, Judge};
use crate::report::answers::{Answer, Answers};
use crate::report::overview::Overview;
use crate::resolve::Resolved;
use crate::rules::Fault;
use serde_json::Value;
use std::collections::BTreeMap;

/// What is asked of a deck: its report, and the deck itself where it is one.
pub(super) type Question<'q, T> =
    dyn Fn(&DeckReport, Option<&Resolved<'_>>) -> Result<T, Refusal> + Sync + 'q;

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
    let each = |batch: Batch<'_>| {
        let mut buffer = Vec::new();
        let (mut answers, mut notes) = (Vec::new(), Vec::new());
        batch.each(|job| {
            let handed = entries.reading.read(judge, job, &mut buffer);
            let (report, resolved) = handed
                .judged(judge)
                .map_err(|error| inputs::refuse(&error))?;
            answers.push(question(&report, resolved.as_deref())?);
            // Of a form's hundreds of decks `check` tells it.
            if entries.form().is_none() {
                notes.extend(read_as(&report));
            }
            Ok(())
        })?;
        Ok((answers, notes))
    };
    let bar = run.progress(quiet || jobs.length() < 2, jobs.length());
    let mut answers = Vec::new();
    side_by_side::in_order(jobs, each, |(some, notes): (Vec<T>, Vec<String>)| {
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
fn read_as(report: &DeckReport) -> Vec<String> {
    let of_the_file = |fault: Fault| matches!(fault, Fault::Recoded | Fault::NoCards);
    let told = report.findings.iter();
    let told = told.filter(|finding| of_the_file(finding.code.fault));
    told.map(|finding| format!("{}: {}", report.deck, finding.message))
        .collect()
}

/// Tells on standard error what is to be known of a form as a whole, whatever is asked of its
/// decks.
pub(super) fn tell_form(run: &Run, entries: &Entries, answers: &[Answer], quiet: bool) {
    let (Some(form), false) = (entries.form(), quiet) else {
        return;
    };
    let mut overview = Overview::default();
    for answer in answers {
        if let Some(row) = &answer.submission {
            overview.see(row, answer.player.as_deref());
        }
    }
    for sentence in overview
        .told(&form.survey, &[], super::words::of)
        .sentences()
    {
        run.complain("note", &sentence);
    }
}

/// Writes answers in the outputs that were asked for. `human` and `json` make those of people
/// and of a document; a human output is as wide as the terminal.
///
/// # Errors
/// When something cannot be written, and more rows than a sheet holds.
pub(super) fn write(
    outputs: Vec<Output<OutputKind>>,
    answers: &Answers<'_>,
    judge: &Judge,
    human: impl Fn() -> String,
    json: impl Fn() -> Result<Value, Refusal>,
) -> Result<(), Refusal> {
    let met = judge.met();
    let rules: BTreeMap<String, &Rulebook> = met
        .iter()
        .map(|(id, rulebook)| (id.clone(), &**rulebook))
        .collect();
    let (day, lock) = (judge.day().to_string(), judge.lock());
    for mut output in outputs {
        match output.kind {
            OutputKind::Human => {
                let mut text = human();
                if output.is_screen() {
                    text = terminal::fitted(&text);
                }
                output.write((text + &output::foot(&answers.inputs)).as_bytes())?;
            }
            kind => {
                let bytes = match kind {
                    OutputKind::Human => Vec::new(),
                    OutputKind::Json => {
                        let mut document = json()?;
                        document["inputs"] = serde_json::to_value(&answers.inputs)?;
                        json_text(&document)?.into_bytes()
                    }
                    OutputKind::Ndjson => answers.ndjson(&rules)?.into_bytes(),
                    OutputKind::Csv(flavour) => answers.csv(flavour)?,
                    OutputKind::Junit => answers.junit(&rules, &day, lock),
                    OutputKind::Github => answers.github().into_bytes(),
                    OutputKind::Xlsx => answers.workbook(&rules, &day, lock)?,
                };
                output.write_data(&bytes, true)?;
            }
        }
        output.finish()?;
    }
    Ok(())
}
