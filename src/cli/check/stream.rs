//! The stream of a run: decks are judged side by side and written in their order, while the
//! next ones are read and the last ones written.

use super::kinds::{Kind, Writing};
use crate::cli::output::Output;
use crate::cli::walk::Source;
use crate::cli::{Refusal, inputs};
use crate::deck::Input;
use crate::report::human::Totals;
use crate::report::{DeckReport, Finding, JudgeError};
use crate::submissions::{Row, Submission};
use rayon::prelude::*;
use std::path::Path;

/// Jobs that are under way together: what bounds memory.
const BATCH: usize = 1024;
/// Jobs that one thread takes at a time.
const CHUNK: usize = 32;

/// A deck to judge.
#[derive(Debug)]
pub(super) enum Job {
    /// One that a path names.
    Deck(Source),
    /// One of a form.
    Row(Box<(Row, Submission)>),
}

/// Where jobs come from.
pub(super) trait Jobs: Send {
    /// The next jobs, at most `most`; none: that was all.
    fn next(&mut self, most: usize) -> Result<Vec<Job>, Refusal>;
}

impl Jobs for std::vec::IntoIter<Source> {
    fn next(&mut self, most: usize) -> Result<Vec<Job>, Refusal> {
        Ok(self.take(most).map(Job::Deck).collect())
    }
}

/// How jobs are done.
pub(super) struct Stream<'r> {
    pub(super) writing: Writing<'r>,
    /// What standard input holds.
    pub(super) stdin: Input,
    /// The name of the form's table and its folder.
    pub(super) table: Option<(String, &'r Path)>,
}

/// The first half of a deck's digest, which no two decks of a run share by chance.
type Content = [u8; 16];

/// What is left of a run when all is written.
#[derive(Debug, Default)]
pub(super) struct Done {
    pub(super) totals: Totals,
    /// The reports, if a document needs them.
    pub(super) kept: Vec<DeckReport>,
    /// Of the rows of a form, which are late.
    pub(super) late: Vec<u64>,
    /// Of the rows of a form, what tells which decks are the same: 24 bytes a row are all that
    /// memory grows by where no document is written.
    pub(super) decks: Vec<(Content, u64)>,
}

/// Some jobs done, in their order.
#[derive(Default)]
struct Part {
    written: Vec<Vec<u8>>,
    done: Done,
}

impl Stream<'_> {
    /// Does all jobs. `progress` is told how many are done.
    pub(super) fn run(
        &self,
        jobs: &mut dyn Jobs,
        outputs: &mut [Output<Kind>],
        mut progress: impl FnMut(usize) + Send,
    ) -> Result<Done, Refusal> {
        let kinds: Vec<Kind> = outputs.iter().map(|output| output.kind).collect();
        for output in outputs.iter_mut() {
            output.write(&self.writing.head(output.kind)?)?;
        }
        let mut done = Done::default();
        let mut batch = jobs.next(BATCH)?;
        let mut judged: Vec<Part> = Vec::new();
        while !batch.is_empty() || !judged.is_empty() {
            if batch.len() <= 1 && judged.is_empty() {
                // For one deck no thread is worth its start.
                judged = vec![self.part(&batch, &kinds)?];
                batch = jobs.next(BATCH)?;
                continue;
            }
            let last = std::mem::take(&mut judged);
            let (next, others) = rayon::join(
                || -> Result<Vec<Part>, Refusal> {
                    let chunks = batch.par_chunks(CHUNK);
                    let parts = chunks.map(|chunk| self.part(chunk, &kinds));
                    parts.collect::<Vec<_>>().into_iter().collect()
                },
                || {
                    for part in last {
                        for (output, bytes) in outputs.iter_mut().zip(&part.written) {
                            output.write(bytes)?;
                        }
                        progress(part.done.totals.decks());
                        done.add(part.done);
                    }
                    jobs.next(BATCH)
                },
            );
            judged = next?;
            batch = others?;
        }
        Ok(done)
    }

    fn part(&self, jobs: &[Job], kinds: &[Kind]) -> Result<Part, Refusal> {
        let keep = kinds.iter().any(|kind| kind.is_document());
        let mut part = Part {
            written: vec![Vec::new(); kinds.len()],
            done: Done::default(),
        };
        let mut buffer = Vec::new();
        for job in jobs {
            let report = self.report(job, &mut buffer);
            let report = report.map_err(|error| inputs::refuse(&error))?;
            for (out, kind) in part.written.iter_mut().zip(kinds) {
                self.writing.deck(*kind, out, &report, &buffer);
            }
            part.done.totals.add(&report);
            if let Some(submission) = &report.submission {
                if submission.late {
                    part.done.late.push(submission.row);
                }
                let content = report.hash.as_deref().and_then(content);
                part.done
                    .decks
                    .extend(content.map(|content| (content, submission.row)));
            }
            if keep {
                part.done.kept.push(report);
            }
        }
        Ok(part)
    }

    /// Judges a job; its deck's bytes are then in the buffer.
    fn report(&self, job: &Job, buffer: &mut Vec<u8>) -> Result<DeckReport, JudgeError> {
        let judge = self.writing.judge;
        let (row, submission) = match job {
            Job::Deck(source) => {
                let name = source.name();
                return match source.read(buffer) {
                    Ok(()) => judge.judge(&name, buffer, source.input(self.stdin)),
                    Err((message, mend)) => Ok(unreadable(name, buffer, message, &mend)),
                };
            }
            Job::Row(job) => (&job.0, &job.1),
        };
        let (table, folder) = match &self.table {
            Some((name, folder)) => (name.as_str(), *folder),
            None => ("", Path::new("")),
        };
        let name = format!("{table} row {}", row.number);
        let told = row.format.as_deref();
        let mut report = match row.cell(folder) {
            crate::submissions::Cell::Empty => {
                let mend = "ask for the deck";
                unreadable(name, buffer, "the row has no deck".to_owned(), mend)
            }
            crate::submissions::Cell::Refused(message) => {
                unreadable(name, buffer, message, "ask for the deck itself")
            }
            crate::submissions::Cell::Deck => {
                buffer.clear();
                buffer.extend_from_slice(&row.deck);
                judge.judge_as(&name, buffer, Input::Text, told)?
            }
            crate::submissions::Cell::File(path) => {
                let source = Source::Named(path);
                match source.read(buffer) {
                    Ok(()) => judge.judge_as(&name, buffer, source.input(Input::Text), told)?,
                    Err((message, mend)) => unreadable(name, buffer, message, &mend),
                }
            }
        };
        if row.player.is_some() {
            report.player.clone_from(&row.player);
        }
        report.submission = Some(submission.clone());
        Ok(report)
    }
}

fn content(hash: &str) -> Option<Content> {
    let half = u128::from_str_radix(hash.get(..32)?, 16).ok()?;
    Some(half.to_be_bytes())
}

fn unreadable(name: String, buffer: &mut Vec<u8>, message: String, mend: &str) -> DeckReport {
    buffer.clear();
    DeckReport::unreadable(name, Finding::of_file(message, mend.to_owned()))
}

impl Done {
    fn add(&mut self, other: Done) {
        self.totals.merge(&other.totals);
        self.kept.extend(other.kept);
        self.late.extend(other.late);
        self.decks.extend(other.decks);
    }
}
