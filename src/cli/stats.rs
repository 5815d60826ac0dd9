//! `decklaw stats`: what decks are made of.

use super::files::{Draft, Readers};
use super::inputs::{self, InputKind};
use super::jobs::{self, Job, Reading};
use super::options::{Judging, Output, kinds};
use super::{Answer, CliError, Run, output, walk};
use crate::stats::DeckStats;
use decklaw_ask::{JudgeEntry, Library, StatsAnswer, measured};
use decklaw_text::ProblemKind;
use std::path::PathBuf;

#[derive(Debug, clap::Args)]
#[command(
    mut_arg("output", kinds::<StatsAnswer>),
    after_help = "Examples:\n  decklaw stats decks/shell/ebb.txt\n  decklaw stats decks/shell -o csv --to stats.csv\n  decklaw stats decks/shell/ebb.txt --svg curve.svg"
)]
pub(super) struct Stats {
    /// Decks: files, folders, patterns such as 'decks/*.txt', or - for standard input
    #[arg(value_name = "PATH", required = true)]
    paths: Vec<PathBuf>,
    /// The kind of the files [default: by their ending]
    #[arg(long, value_name = "KIND")]
    from: Option<InputKind>,
    /// Count these sections [default: the game's choice]
    #[arg(long, value_name = "ID")]
    section: Vec<String>,
    /// Write a chart as SVG
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    #[command(flatten)]
    judging: Judging,
    #[command(flatten)]
    output: Output,
}

impl Stats {
    pub(super) fn run(&self, run: &Run) -> Answer {
        let sources = walk::decks(run, &self.paths)?;
        let jobs: Vec<Job<'_>> = sources.iter().map(Job::Deck).collect();
        let judge = Library::from(inputs::judge(run, &self.judging)?).judge()?;
        let outputs = output::Outputs::open(run, &self.output)?;
        // Opened before the work is done, as outputs are.
        let svg = self.svg.as_ref();
        let svg = svg
            .map(|file| Draft::new(run, file, Readers::Anyone, self.output.place.replace))
            .transpose()?;
        let reading = Reading { input: self.from.map(Into::into) };
        let bar = run.progress(run.screen.quiet || jobs.len() < 2, jobs.len());
        let (mut decks, mut is_complete) = (Vec::new(), true);
        let take = |batch: Vec<DeckResult>| {
            bar.add(batch.len());
            for deck in batch {
                match deck {
                    Ok(deck) => decks.push(deck),
                    Err(why) => {
                        is_complete = false;
                        run.complain("error", &why);
                    }
                }
            }
            Ok(())
        };
        let work = |batch: &[Job<'_>]| {
            let mut buffer = Vec::new();
            let measure = |job: &Job<'_>| self.measure(&judge, &reading, *job, &mut buffer);
            batch.iter().map(measure).collect()
        };
        jobs::in_order(&jobs, work, take)?;
        drop(bar);
        if !decks.is_empty() {
            inputs::fitting(run, &judge)?;
        }
        let answer = StatsAnswer::of_decks(&judge, decks, is_complete)?;
        let outcome = outputs.emit(run, &answer)?;
        if let Some(svg) = svg {
            svg.whole(answer.to_svg().as_bytes())?;
        }
        Ok(outcome)
    }

    /// Counts one deck.
    fn measure(
        &self,
        judge: &JudgeEntry,
        reading: &Reading,
        job: Job<'_>,
        buffer: &mut Vec<u8>,
    ) -> Result<DeckResult, CliError> {
        let deck = reading.read(judge, job, buffer);
        let judged = deck.judged(judge);
        let (report, resolved) = judged.map_err(|error| inputs::refuse(&error))?;
        let name = crate::text::escape_control(&report.deck, false);
        let Some(resolved) = resolved else {
            let findings = report.findings.iter();
            let each = findings.map(|finding| format!("{name}: {}", finding.sentence()));
            return Ok(Err(each.collect::<Vec<_>>().join("\n")));
        };
        Ok(match measured(judge, &report.deck, &resolved, &self.section) {
            Ok(mut deck) => {
                deck.player.clone_from(&report.player);
                Ok(deck)
            }
            Err(problem) if problem.kind == ProblemKind::Deck => {
                Err(format!("{name}: {}", problem.message))
            }
            Err(problem) => return Err(problem.into()),
        })
    }
}

/// The statistics of one deck, or why there are none.
type DeckResult = Result<DeckStats, String>;
