//! How a question over many decks is answered: asked of each side by side.

use super::entries::Entries;
use super::jobs::{self, Job};
use super::{Refusal, Run, inputs};
use crate::judge::{Judge, Report};
use crate::resolve::Resolved;
use crate::rules::Fault;

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
