//! The stream of a run: decks are judged side by side and written in their order.

use super::kinds::{Kind, Writing};
use crate::cli::jobs::{Batch, Jobs, Reading};
use crate::cli::output::Output;
use crate::cli::{Refusal, inputs, side_by_side};
use crate::judge::DeckReport;
use crate::report::human::Totals;

/// Bytes that are mostly written of a batch.
const ROOM: usize = 1 << 16;

/// How jobs are done.
pub(super) struct Stream<'r> {
    pub(super) writing: Writing<'r>,
    pub(super) reading: Reading,
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
    /// Of the rows of a form, those with a remark about times that are not understood.
    pub(super) unread: Vec<u64>,
    /// Of the rows of a form, what tells which decks are the same: 24 bytes a row are all that
    /// memory grows by where no document is written.
    pub(super) decks: Vec<(Content, u64)>,
}

/// Some jobs done, in their order.
struct Part {
    written: Vec<Vec<u8>>,
    done: Done,
}

impl Stream<'_> {
    /// Does all jobs. `progress` is told how many are done.
    pub(super) fn run(
        &self,
        jobs: &dyn Jobs,
        outputs: &mut [Output<Kind>],
        mut progress: impl FnMut(usize),
    ) -> Result<Done, Refusal> {
        let kinds: Vec<Kind> = outputs.iter().map(|output| output.kind).collect();
        for output in outputs.iter_mut() {
            output.write_data(&self.writing.head(output.kind)?, output.kind != Kind::Human)?;
        }
        let mut done = Done::default();
        let take = |part: Part| {
            for (output, bytes) in outputs.iter_mut().zip(&part.written) {
                output.write_data(bytes, output.kind != Kind::Human)?;
            }
            progress(part.done.totals.decks());
            done.add(part.done);
            Ok(())
        };
        side_by_side::in_order(jobs, |batch| self.part(batch, &kinds), take)?;
        Ok(done)
    }

    fn part(&self, batch: Batch<'_>, kinds: &[Kind]) -> Result<Part, Refusal> {
        let keep = kinds.iter().any(|kind| kind.is_document());
        let mut part = Part {
            written: kinds.iter().map(|_| Vec::with_capacity(ROOM)).collect(),
            done: Done::default(),
        };
        let mut buffer = Vec::new();
        batch.each(|job| {
            let handed = self.reading.read(job, &mut buffer);
            let report = handed.judge(self.writing.judge);
            let report = report.map_err(|error| inputs::refuse(&error))?;
            for (out, kind) in part.written.iter_mut().zip(kinds) {
                self.writing.deck(*kind, out, &report, handed.bytes);
            }
            part.done.totals.add(&report);
            if let Some(submission) = &report.submission {
                if submission.late {
                    part.done.late.push(submission.row);
                }
                if !submission.times_not_understood.is_empty() {
                    part.done.unread.push(submission.row);
                }
                let content = report.hash.as_deref().and_then(content);
                part.done
                    .decks
                    .extend(content.map(|content| (content, submission.row)));
            }
            if keep {
                part.done.kept.push(report);
            }
            Ok(())
        })?;
        Ok(part)
    }
}

fn content(hash: &str) -> Option<Content> {
    let half = u128::from_str_radix(hash.get(..32)?, 16).ok()?;
    Some(half.to_be_bytes())
}

impl Done {
    fn add(&mut self, other: Done) {
        self.totals.merge(&other.totals);
        self.kept.extend(other.kept);
        self.late.extend(other.late);
        self.unread.extend(other.unread);
        self.decks.extend(other.decks);
    }
}
