//! `decklaw stats`: what decks are made of.

use super::files::{Draft, Readers};
use super::inputs::{self, InputKind};
use super::jobs::{self, Job, Reading};
use super::options::{Judging, Output, kinds};
use super::{Answer, CliError, Run, output, walk};
use crate::render::Kind;
use crate::stats::DeckStats;
use decklaw_ask::{DeckCards, JudgeEntry, Library, StatsAnswer, measured};
use decklaw_text::ProblemKind;
use std::path::PathBuf;

#[derive(Debug, clap::Args)]
#[command(
    mut_arg("output", kinds::<StatsAnswer>),
    // Without a file, `--cards` asks which cards are in the decks.
    mut_arg("cards", |cards| {
        cards
            .num_args(0..=1)
            .default_missing_value("")
            .value_name("[GAME=]FILE")
            .help("Without FILE, list the cards in tables, one row per card; else use these cards")
            .long_help("Without FILE, list the cards in tables, one row per card\n\nWith FILE, use these cards in place of the game's own. `--cards` without FILE comes last, or before another option: `decklaw stats decks/shell --cards -o csv`")
    }),
    after_help = "Examples:\n  decklaw stats decks/shell/ebb.txt\n  decklaw stats decks/shell -o csv --to stats.csv\n  decklaw stats decks/shell/ebb.txt --svg curve.svg\n  decklaw stats decks/shell --cards -o csv"
)]
pub(super) struct Stats {
    /// Decks: files, folders, patterns such as 'decks/*.txt', or - for standard input
    #[arg(value_name = "PATH", required = true)]
    paths: Vec<PathBuf>,
    /// The kind of the files [default: by their ending]
    #[arg(long, value_name = "KIND")]
    from: Option<InputKind>,
    /// Write a chart as SVG
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    #[command(flatten)]
    question: decklaw_ask::Stats,
    #[command(flatten)]
    judging: Judging,
    #[command(flatten)]
    output: Output,
}

impl Stats {
    pub(super) fn run(&self, run: &Run) -> Answer {
        let mut judging = self.judging.clone();
        let files = &mut judging.by.settled.rules.cards;
        let all = files.len();
        files.retain(|file| !file.is_empty());
        let lists_cards = files.len() < all;
        let sources = walk::decks(run, &self.paths)?;
        let jobs: Vec<Job<'_>> = sources.iter().map(Job::Deck).collect();
        let judge = Library::from(inputs::judge(run, &judging)?).judge()?;
        let outputs = output::Outputs::open(&self.output)?;
        if lists_cards && !outputs.any(|kind| matches!(kind, Kind::Csv(_) | Kind::Xlsx)) {
            return Err(CliError::call("`--cards` needs CSV or XLSX output; use `-o csv`"));
        }
        // Opened before the work is done, as outputs are.
        let svg = self.svg.as_ref();
        let svg = svg
            .map(|file| Draft::new(file, Readers::Anyone, self.output.place.replace))
            .transpose()?;
        let reading = Reading { input: self.from.map(Into::into) };
        let bar = run.progress(run.screen.quiet || jobs.len() < 2, jobs.len());
        let (mut decks, mut cards, mut is_complete) = (Vec::new(), Vec::new(), true);
        let take = |batch: Vec<DeckResult>| {
            bar.add(batch.len());
            for deck in batch {
                match deck {
                    Ok((deck, own)) => {
                        decks.push(deck);
                        cards.extend(own);
                    }
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
            let measure =
                |job: &Job<'_>| self.measure(&judge, &reading, *job, lists_cards, &mut buffer);
            batch.iter().map(measure).collect()
        };
        jobs::in_order(&jobs, work, take)?;
        drop(bar);
        if !decks.is_empty() {
            inputs::fitting(run, &judge)?;
        }
        let mut answer = StatsAnswer::of_decks(&judge, decks, is_complete)?;
        answer.cards = lists_cards.then_some(cards);
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
        lists_cards: bool,
        buffer: &mut Vec<u8>,
    ) -> Result<DeckResult, CliError> {
        let deck = reading.read(judge, job, buffer);
        let judged = deck.judged(judge);
        let (report, resolved) = judged?;
        let name = crate::text::escape_control(&report.deck, false);
        let Some(resolved) = resolved else {
            let findings = report.findings.iter();
            let each = findings.map(|finding| format!("{name}: {}", finding.sentence()));
            return Ok(Err(each.collect::<Vec<_>>().join("\n")));
        };
        let measured = measured(judge, &report.deck, &resolved, &self.question.section);
        let measured = measured.and_then(|deck| {
            let cards =
                lists_cards.then(|| DeckCards::of(&report.deck, &resolved, &self.question.section));
            Ok((deck, cards.transpose()?))
        });
        Ok(match measured {
            Ok((mut deck, cards)) => {
                deck.player.clone_from(&report.player);
                Ok((deck, cards))
            }
            Err(problem) if problem.kind == ProblemKind::Deck => {
                Err(format!("{name}: {}", problem.message))
            }
            Err(problem) => return Err(problem.into()),
        })
    }
}

/// The statistics of one deck and its cards where they are listed, or why there are none.
type DeckResult = Result<(DeckStats, Option<DeckCards>), String>;
