//! `decklaw check`: judge decks.

mod kinds;
mod request;
mod stream;
mod worker;

use super::form::Form;
use super::inputs::{self, InputKind};
use super::jobs::{Job, Reading};
use super::options::{Judging, Output, kinds};
use super::output::{Outputs, Sink};
use super::{Answer, CliError, Outcome, Run, terminal, walk};
use crate::judge::Judge;
use crate::render::Kind;
use crate::report::human::{self, Style};
use crate::report::overview::FormSummary;
use crate::report::table::Shape;
use kinds::Only;
pub(super) use kinds::Verdicts;
use std::collections::BTreeMap;
use std::path::PathBuf;
use stream::Stream;

#[derive(Debug, clap::Args)]
#[command(
    mut_arg("output", kinds::<Verdicts>),
    after_help = "Examples:\n  decklaw check decks/shell/ebb.txt\n  decklaw check decks -o ndjson --to verdicts.ndjson\n  cat decks/shell/ebb.txt | decklaw check -\n  decklaw check --submissions decks/form.csv --deadline 2026-03-01T18:00 -o xlsx=round.xlsx"
)]
pub(super) struct Check {
    /// Decks: files, folders, patterns such as 'decks/*.txt', or - for standard input
    #[arg(
        value_name = "PATH",
        required_unless_present = "submissions",
        conflicts_with = "submissions"
    )]
    paths: Vec<PathBuf>,
    /// The kind of the files [default: by their ending]
    #[arg(long, value_name = "KIND")]
    from: Option<InputKind>,
    /// In tables, one row per deck
    ///
    /// Without it a CSV file has a row for each finding. Example: `check decks --summary -o
    /// xlsx=decks.xlsx`
    #[arg(long)]
    summary: bool,
    /// Show only these decks; totals count all
    ///
    /// Words: legal, incomplete, illegal, unreadable, late. Example: `--only illegal,incomplete`
    #[arg(long, value_name = "KIND,…", value_delimiter = ',')]
    only: Vec<Only>,
    #[command(flatten)]
    form: Form,
    #[command(flatten)]
    judging: Judging,
    #[command(flatten)]
    output: Output,
}

// Verdicts of the decks that a program writes.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Example:\n  printf '%s\\n' '{\"format\":\"shell\",\"main\":[\"2 Rain Caller\"]}' | decklaw stream\n\nEach line is a deck in JSON, or has the deck's text in `text`.\nIts `id` and `x-…` come back with the verdict."
)]
pub(super) struct Lines {
    /// Print only the id, verdict and violated rules
    #[arg(long)]
    brief: bool,
    #[command(flatten)]
    judging: Judging,
}

impl Lines {
    pub(super) fn run(&self, run: &Run) -> Answer {
        let judge = inputs::judge(run, &self.judging)?;
        worker::run(run, &judge, self.judging.format.is_some(), self.brief)
    }
}

impl Check {
    pub(super) fn run(&self, run: &Run) -> Answer {
        let outputs = Outputs::<Verdicts>::open(&self.output)?;
        if self.summary && !outputs.any(|kind| matches!(kind, Kind::Csv(_) | Kind::Xlsx)) {
            let message = "`--summary` needs CSV or XLSX output, such as `-o csv`";
            return Err(CliError::call(message));
        }
        let judge = inputs::judge_quietly(run, &self.judging)?;
        let input = self.from.map(Into::into);
        let format = self.judging.format.as_deref();
        let form = self.form.open(run, &judge, input, format)?;
        let form = form.as_ref();
        let sources = match form {
            None => walk::decks(run, &self.paths)?,
            Some(_) => Vec::new(),
        };
        let jobs: Vec<Job<'_>> = match form {
            None => sources.iter().map(Job::Deck).collect(),
            Some(form) => form.decks.iter().map(Job::Submitted).collect(),
        };
        let human = outputs.any(|kind| kind == Kind::Human);
        if !human {
            run.caution(&judge);
        }
        let mut outputs = outputs.each();
        let to_screen =
            outputs.iter().any(|output| output.kind == Kind::Human && output.is_screen());
        let style = Style {
            width: if to_screen { terminal::width() } else { 80 },
            colour: to_screen && run.colour(),
            quiet: run.screen.quiet,
            verbose: run.screen.verbose,
        };
        // 300 submissions get one summary on one screen, unless decks are asked for.
        let shows_decks = form.is_none() || run.screen.verbose || !self.only.is_empty();
        let is_brief = form.is_none()
            && jobs.len() > MANY_DECKS
            && !run.screen.verbose
            && self.only.is_empty();
        let stream = Stream {
            writing: kinds::Writing {
                judge: &judge,
                style,
                is_brief,
                shape: Shape { form: form.is_some() },
                summary: self.summary,
            },
            reading: &Reading { input },
            only: &self.only,
            shows_decks,
            // An organiser looks for what is to be done.
            legal_last: form.is_some(),
        };
        let done = {
            // Decks that are shown as they are judged are progress enough.
            let quiet = run.screen.quiet || (to_screen && shows_decks);
            let bar = run.progress(quiet, jobs.len());
            stream.run(&jobs, &mut outputs, |decks| bar.add(decks))?
        };
        warn_of_pools(run, &judge);
        inputs::fitting(run, &judge)?;
        let (asks, style) = (done.overview.asks(), &stream.writing.style);
        let summary = form.map(|form| done.overview.summary(&form.facts));
        let json = outputs.iter().any(|output| output.kind == Kind::Json);
        let document = summary.as_ref().filter(|_| json).map(FormSummary::to_json);
        if let Some(summary) = &summary
            && !human
            && outputs.iter().any(Sink::is_screen)
        {
            for sentence in summary.sentences() {
                run.complain("note", &sentence);
            }
        }
        let summary = |style: &Style| {
            let mut text = String::new();
            if let (Some(summary), Some(form), false) = (&summary, form, style.quiet) {
                text += &summary.lines(&form.name(), style.width, style.verbose);
            }
            text += &human::summary(&done.totals, style, summary.is_some());
            if !style.quiet {
                if done.totals.legal < done.totals.decks() && !shows_decks {
                    text += DETAILS;
                }
                if is_brief && done.totals.legal < done.totals.decks() {
                    text += EACH_DECK;
                }
                if done.totals.illegal + done.totals.incomplete > 0 && form.is_none() {
                    text += FIX;
                }
                if !self.only.is_empty() {
                    text += &format!("{} of them shown\n", done.written);
                }
            }
            if let Some(lock) = judge.lock() {
                text += &human::locked(lock, style);
            }
            text
        };
        if !outputs.iter().any(Sink::is_screen) && !style.quiet {
            terminal::print(summary(style).as_bytes())?;
        }
        for mut output in outputs {
            match output.kind {
                Kind::Human => output.write(summary(style).as_bytes())?,
                Kind::Github => {}
                kind => output.stream(|out| {
                    let document = document.as_ref();
                    stream.writing.document(kind, out, &done.kept, document)
                })?,
            }
            output.finish(run)?;
        }
        let all_legal = done.totals.legal == done.totals.decks() && !asks;
        Ok(if all_legal { Outcome::Yes } else { Outcome::No })
    }
}

/// Where the findings of a form's decks are.
const DETAILS: &str =
    "`-v` shows every finding, `--only illegal` some, `-o xlsx=FILE` keeps them\n";

/// What fixes all that is wrong with a deck, where findings speak of one rule each.
const FIX: &str = "`decklaw fix DECK` shows the fewest changes that make a deck legal\n";

/// More decks than these are shown by a few lines each.
const MANY_DECKS: usize = 8;

/// Where the lines of many decks are.
const EACH_DECK: &str = "`decklaw check DECK` shows the lines of a deck, `-v` those of all\n";

/// Warns of what is odd in the card pools of the decks.
fn warn_of_pools(run: &Run, judge: &Judge) {
    let met = judge.met();
    let pools = met.values().map(|rulebook| {
        let game = rulebook.format().game().id();
        (game, rulebook.pool())
    });
    for (game, pool) in pools.collect::<BTreeMap<_, _>>() {
        for message in pool.remarks() {
            run.complain("warning", &format!("the cards of {game}: {message}"));
        }
    }
}
