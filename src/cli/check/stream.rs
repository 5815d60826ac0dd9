//! The stream of a run: decks are judged side by side and written in their order.

use super::kinds::{Only, Writing};
use crate::cli::CliError;
use crate::cli::jobs::{self, Job, Reading};
use crate::cli::output::Sink;
use crate::judge::Report;
use crate::render::Kind;
use crate::report::human::Totals;
use crate::report::overview::Overview;

/// Bytes that are mostly written of a batch.
const ROOM: usize = 1 << 16;

/// More findings of a deck than these are written one by one, and not put together first.
const MANY: usize = 1_000;

/// How jobs are done.
pub(super) struct Stream<'r> {
    pub(super) writing: Writing<'r>,
    pub(super) reading: &'r Reading,
    /// Which decks are written; none: all of them.
    pub(super) only: &'r [Only],
    /// Whether people are shown the decks, and not the overview of a form alone.
    pub(super) shows_decks: bool,
    /// Whether people are shown legal decks last.
    pub(super) legal_last: bool,
}

/// What is left of a run when all is written.
#[derive(Debug, Default)]
pub(super) struct Done {
    pub(super) totals: Totals,
    /// The reports, if a document needs them.
    pub(super) kept: Vec<Report>,
    /// Remarks on a form as a whole.
    pub(super) overview: Overview,
    /// Decks that are written.
    pub(super) written: usize,
    /// What people are shown of legal decks where these come last, by output.
    legal: Vec<Vec<u8>>,
}

/// Some jobs done, in their order.
struct Part {
    judged: usize,
    written: Vec<OutputChunk>,
    done: Done,
}

/// What is written of some decks that follow each other, by output.
struct OutputChunk {
    ready: Vec<Vec<u8>>,
    /// The deck that ends them, whose report is too large to keep: a position in [`Done::kept`].
    long: Option<usize>,
}

impl Stream<'_> {
    /// Does all jobs. `progress` counts those that are done.
    pub(super) fn run(
        &self,
        jobs: &[Job<'_>],
        outputs: &mut [Sink],
        mut progress: impl FnMut(usize) + Send,
    ) -> Result<Done, CliError> {
        let kinds: Vec<Kind> = outputs.iter().map(|output| output.kind).collect();
        for output in outputs.iter_mut() {
            output.write_data(&self.writing.head(output.kind)?, output.kind != Kind::Human)?;
        }
        let keep = kinds.iter().any(|kind| self.writing.is_document(*kind));
        let mut done = Done::default();
        let take = |mut part: Part| {
            for written in &part.written {
                for (output, bytes) in outputs.iter_mut().zip(&written.ready) {
                    output.write_data(bytes, output.kind != Kind::Human)?;
                    let grows = Writing::grows(output.kind);
                    let long = written.long.and_then(|at| part.done.kept.get(at));
                    if let Some(report) = long.filter(|_| grows) {
                        let kind = output.kind;
                        output.stream(|out| Ok(self.writing.deck(kind, out, report, &[])?))?;
                    }
                }
            }
            if !keep {
                part.done.kept.clear();
            }
            progress(part.judged);
            done.add(part.done);
            Ok(())
        };
        jobs::in_order(jobs, |batch| self.part(batch, &kinds), take)?;
        for (output, legal) in outputs.iter_mut().zip(std::mem::take(&mut done.legal)) {
            output.write_data(&legal, false)?;
        }
        Ok(done)
    }

    fn part(&self, batch: &[Job<'_>], kinds: &[Kind]) -> Result<Part, CliError> {
        let keep = kinds.iter().any(|kind| self.writing.is_document(*kind));
        let grow = kinds.iter().any(|kind| Writing::grows(*kind));
        let mut part = Part { judged: 0, written: Vec::new(), done: Done::default() };
        part.done.legal.resize(kinds.len(), Vec::new());
        let begun = |room: usize| -> Vec<Vec<u8>> {
            let ready = kinds.iter().map(|_| Vec::with_capacity(room));
            ready.collect()
        };
        let mut ready = begun(ROOM);
        let mut buffer = Vec::new();
        for job in batch {
            let opened = self.reading.read(self.writing.judge, *job, &mut buffer);
            let report = opened.judge(self.writing.judge)?;
            part.judged += 1;
            part.done.overview.add(&report);
            // A late deck next to the one that counts is shown, and decides nothing.
            if report.counts() {
                part.done.totals.add(&report);
            }
            if !self.only.is_empty() && !self.only.iter().any(|only| only.takes(&report)) {
                continue;
            }
            part.done.written += 1;
            let long = grow && report.findings.len() > MANY;
            let waits = self.legal_last && report.is_legal();
            let places = ready.iter_mut().zip(&mut part.done.legal);
            for ((out, last), kind) in places.zip(kinds) {
                let out = if waits && *kind == Kind::Human { last } else { out };
                let later = long && Writing::grows(*kind);
                if !later && (*kind != Kind::Human || self.shows_decks) {
                    // Memory takes whatever is written.
                    let _ = self.writing.deck(*kind, out, &report, opened.bytes);
                }
            }
            if long {
                let ready = std::mem::replace(&mut ready, begun(0));
                let long = Some(part.done.kept.len());
                part.written.push(OutputChunk { ready, long });
            }
            if keep || long {
                part.done.kept.push(report);
            }
        }
        part.written.push(OutputChunk { ready, long: None });
        Ok(part)
    }
}

impl Done {
    fn add(&mut self, other: Done) {
        self.totals.merge(&other.totals);
        self.kept.extend(other.kept);
        self.overview.merge(other.overview);
        self.written += other.written;
        self.legal.resize(self.legal.len().max(other.legal.len()), Vec::new());
        for (legal, more) in self.legal.iter_mut().zip(other.legal) {
            legal.extend(more);
        }
    }
}
