//! `decklaw stats`: what decks are made of.

use super::asking::{self, OfDecks};
use super::entries::Entries;
use super::files::{Draft, Readers};
use super::inputs::{self, InputKind};
use super::options::{Judging, Output, kinds};
use super::question::refused;
use super::{Answer, Refusal, Run, output, terminal};
use crate::judge::Report;
use crate::report::answers::{Answer as About, Answers};
use crate::report::json;
use crate::resolve::Resolved;
use crate::stats::{self, DeckStats};
use decklaw_ask::{JudgeEntry, Library, measured};
use decklaw_core::ProblemKind;
use std::path::PathBuf;

#[derive(Debug, clap::Args)]
#[command(
    mut_arg("output", kinds::<OfDecks<'_>>),
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
        let mut all = Vec::new();
        for (answer, deck) in measured {
            decks.extend(deck);
            all.push(answer);
        }
        if !decks.is_empty() {
            inputs::fitting(run, &judge)?;
        }
        let all = Answers {
            schema: "decklaw/stats-deck/1",
            question: "stats",
            columns: stats::csv_header().to_vec(),
            answers: all,
        };
        let complaints = all.complaints();
        for complaint in &complaints {
            run.complain("error", complaint);
        }
        let width = terminal::width();
        let human = || stats::human(&decks, width);
        let json = || {
            let (day, rules) = (judge.day().to_string(), json::rules(&judge)?);
            Ok(stats::to_json(&decks, &day, &rules))
        };
        let report = OfDecks {
            answers: &all,
            judge: &judge,
            human: &human,
            json: &json,
            is_well: complaints.is_empty(),
        };
        let outcome = outputs.emit(run, &report, &judge.given_so_far())?;
        if let Some(svg) = svg {
            svg.whole(stats::to_svg(&decks).as_bytes())?;
        }
        Ok(outcome)
    }

    /// Counts one deck.
    fn measure(
        &self,
        judge: &JudgeEntry,
        report: &Report,
        resolved: Option<&Resolved<'_>>,
    ) -> Result<(About, Option<DeckStats>), Refusal> {
        let Some(resolved) = resolved else {
            return Ok((About::unreadable(report), None));
        };
        let mut answer = About::about(report);
        let mut measured = match measured(judge, &report.deck, resolved, &self.section) {
            Ok(measured) => measured,
            Err(problem) if problem.kind == ProblemKind::Deck => {
                answer.unreadable = Some(problem.message);
                return Ok((answer, None));
            }
            Err(problem) => return Err(refused(&problem)),
        };
        measured.player.clone_from(&report.player);
        let rows = stats::csv_rows(&measured).into_iter();
        answer.rows = rows.map(Vec::from).collect();
        if let serde_json::Value::Object(value) = stats::deck_json(&measured) {
            answer.value = value;
        }
        Ok((answer, Some(measured)))
    }
}
