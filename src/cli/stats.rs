//! `decklaw stats`: what decks are made of.

use super::asking;
use super::entries::Entries;
use super::files::{Draft, Readers};
use super::inputs::{self, InputKind};
use super::options::{Judging, Output, kinds};
use super::question::refused;
use super::{Answer, Refusal, Run, output};
use crate::judge::Report;
use crate::resolve::Resolved;
use crate::stats::DeckStats;
use decklaw_ask::{JudgeEntry, Library, StatsAnswer, measured};
use decklaw_core::ProblemKind;
use std::path::PathBuf;

#[derive(Debug, clap::Args)]
#[command(
    mut_arg("output", kinds::<StatsAnswer>),
    after_help = "Examples:\n  decklaw stats my-deck.txt\n  decklaw stats decks/shell -o csv --to stats.csv\n  decklaw stats my-deck.txt --svg curve.svg"
)]
pub(super) struct Stats {
    /// Decks: files, folders, patterns such as 'decks/*.txt', or - for standard input
    #[arg(value_name = "PATH")]
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
        let entries = Entries::of_paths(run, &self.paths, self.from.map(Into::into))?;
        let judge = Library::from(inputs::judge(run, &self.judging)?).judge()?;
        let outputs = output::Outputs::open(run, &self.output)?;
        // Begun before the work is done, as outputs are.
        let svg = self.svg.as_ref();
        let svg = svg
            .map(|file| Draft::new(run, file, Readers::Anyone, self.output.place.replace))
            .transpose()?;
        let measured = asking::ask(
            run,
            &entries,
            &judge,
            run.screen.quiet,
            &|report, resolved| self.measure(&judge, report, resolved),
        )?;
        let mut decks = Vec::new();
        let mut is_complete = true;
        for measured in measured {
            match measured {
                Ok(deck) => decks.push(deck),
                Err(complaint) => {
                    is_complete = false;
                    run.complain("error", &complaint);
                }
            }
        }
        if !decks.is_empty() {
            inputs::fitting(run, &judge)?;
        }
        let given = judge.given_so_far();
        let answer = StatsAnswer::of_decks(&judge, decks, given.clone(), is_complete)?;
        let outcome = outputs.emit(run, &answer, &given)?;
        if let Some(svg) = svg {
            svg.whole(answer.to_svg().as_bytes())?;
        }
        Ok(outcome)
    }

    /// Counts one deck. `Err` inside: why it cannot be counted.
    fn measure(
        &self,
        judge: &JudgeEntry,
        report: &Report,
        resolved: Option<&Resolved<'_>>,
    ) -> Result<Result<DeckStats, String>, Refusal> {
        let deck = crate::text::harmless(&report.deck, false);
        let Some(resolved) = resolved else {
            let each = report.findings.iter();
            let each = each.map(|finding| format!("{deck}: {}", finding.sentence()));
            return Ok(Err(each.collect::<Vec<_>>().join("\n")));
        };
        match measured(judge, &report.deck, resolved, &self.section) {
            Ok(mut measured) => {
                measured.player.clone_from(&report.player);
                Ok(Ok(measured))
            }
            Err(problem) if problem.kind == ProblemKind::Deck => {
                Ok(Err(format!("{deck}: {}", problem.message)))
            }
            Err(problem) => Err(refused(&problem)),
        }
    }
}
