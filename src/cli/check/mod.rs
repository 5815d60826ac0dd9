//! `decklaw check`: judge decks.

mod kinds;
mod request;
mod stream;
mod worker;

use super::entries::Entries;
use super::form::Form;
use super::inputs::{self, InputKind};
use super::output::Outputs;
use super::{Answer, Outcome, Refusal, Run, terminal};
use crate::banlist::unknown_names;
use crate::judge::Judge;
use crate::render::{Kind, Written};
use crate::report::github;
use crate::report::human::{self, Style};
use crate::report::overview::FormSummary;
use crate::report::table::Shape;
use crate::text::listed;
use kinds::Only;
pub(super) use kinds::Verdicts;
use std::path::PathBuf;
use stream::Stream;

#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  decklaw check my-deck.txt\n  decklaw check decks -o ndjson --to verdicts.ndjson\n  cat deck.yaml | decklaw check - --from yaml --format shell\n  decklaw check --submissions form.csv --deadline 2026-03-01T18:00 -o human -o xlsx=round.xlsx"
)]
pub(super) struct Check {
    /// Decks: files, folders, patterns such as 'decks/*.txt', or -
    #[arg(value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// Read them as this [default: by extension]
    #[arg(long, value_name = "KIND")]
    from: Option<InputKind>,
    /// In tables a row a deck, not a finding
    #[arg(long)]
    summary: bool,
    /// Show only these decks; totals are of all
    #[arg(long, value_name = "KIND,…", value_delimiter = ',')]
    only: Vec<Only>,
    #[command(flatten)]
    form: Form,
}

/// Verdicts of the decks that a program writes.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Example:\n  printf '%s\\n' '{\"format\":\"shell\",\"main\":[\"2 Rain Caller\"]}' | decklaw stream\n\nA line is a deck in JSON, or has its text in `text`; its `id` and `x-…` come back with the verdict."
)]
pub(super) struct Lines {
    /// Of each verdict the id or line, the word and the broken rules
    #[arg(long)]
    brief: bool,
}

impl Written for Lines {
    const KINDS: &'static [Kind] = &[Kind::Ndjson];
}

impl Lines {
    pub(super) fn run(&self, run: &Run) -> Answer {
        let plain = match run.options.output.as_slice() {
            [] => true,
            [kind] => kind == "ndjson",
            _ => false,
        };
        if !plain {
            return Err(Refusal(
                "`stream` writes ndjson to standard output, and nothing else".to_owned(),
            ));
        }
        let judge = inputs::judge_quietly(run)?;
        run.caution(&judge);
        worker::run(run, &judge, run.options.format.is_some(), self.brief)
    }
}

impl Check {
    pub(super) fn run(&self, run: &Run) -> Answer {
        let judge = inputs::judge_quietly(run)?;
        let entries = Entries::of(
            run,
            &self.paths,
            &self.form,
            &judge,
            self.from.map(Into::into),
        )?;
        let (jobs, form) = (entries.jobs(), entries.form());
        let mut outputs = Outputs::<Verdicts>::open(run)?;
        if self.summary && !outputs.any(|kind| matches!(kind, Kind::Csv(_))) {
            return Err(Refusal(
                "`--summary` is about tables; give `-o csv` or `-o csv-excel` too, or leave it out"
                    .to_owned(),
            ));
        }
        let human = outputs.any(|kind| kind == Kind::Human);
        if !human {
            run.caution(&judge);
        }
        let outputs = outputs.each();
        let to_screen = outputs
            .iter()
            .any(|output| output.kind == Kind::Human && output.is_screen());
        let style = Style {
            width: if to_screen { terminal::width() } else { 80 },
            colour: to_screen && run.colour(),
            quiet: run.options.quiet,
            verbose: run.options.verbose,
        };
        // What 300 players hand in is told in a screen of its own, unless decks are asked for.
        let shows_decks = form.is_none() || run.options.verbose || !self.only.is_empty();
        let stream = Stream {
            writing: kinds::Writing {
                judge: &judge,
                style,
                shape: Shape {
                    form: form.is_some(),
                    lock: judge.lock(),
                },
                summary: self.summary,
            },
            reading: &entries.reading,
            only: &self.only,
            shows_decks,
        };
        let done = {
            // Decks that are shown as they are judged are progress enough.
            let quiet = run.options.quiet || (to_screen && shows_decks);
            let bar = run.progress(quiet, jobs.length());
            stream.run(jobs, outputs, |decks| bar.add(decks))?
        };
        warn_of_lists(run, &judge);
        inputs::fitting(run, &judge)?;
        let asks = done.overview.asks();
        let told = form.map(|form| done.overview.summary(&form.facts));
        let json = outputs.iter().any(|output| output.kind == Kind::Json);
        let document = told.as_ref().filter(|_| json).map(FormSummary::to_json);
        if let Some(told) = &told
            && !human
        {
            for sentence in told.sentences() {
                run.complain("note", &sentence);
            }
        }
        for mut output in outputs.drain(..) {
            match output.kind {
                Kind::Human => {
                    let style = &stream.writing.style;
                    if let (Some(told), Some(form), false) = (&told, form, run.options.quiet) {
                        let lines = told.lines(&form.name(), style.width, run.options.verbose);
                        output.write(lines.as_bytes())?;
                    }
                    output.write(human::summary(&done.totals, style, told.is_some()).as_bytes())?;
                    let broken = done.totals.legal < done.totals.decks();
                    if broken && !shows_decks && !run.options.quiet {
                        output.write(DETAILS.as_bytes())?;
                    }
                    let mendable = done.totals.illegal + done.totals.incomplete > 0;
                    if mendable && form.is_none() && !run.options.quiet {
                        output.write(MEND.as_bytes())?;
                    }
                    if !self.only.is_empty() && !run.options.quiet {
                        let line = format!("{} of them shown\n", done.written);
                        output.write(line.as_bytes())?;
                    }
                    if let Some(lock) = judge.lock() {
                        output.write(human::locked(lock, style).as_bytes())?;
                    }
                    output.write(human::given(&judge.given_so_far(), style).as_bytes())?;
                }
                Kind::Github => {
                    output.write(github::inputs(&judge.given_so_far()).as_bytes())?;
                }
                kind => output.stream(|out| {
                    let document = document.as_ref();
                    stream.writing.document(kind, out, &done.kept, document)
                })?,
            }
            output.finish()?;
        }
        let all_legal = done.totals.legal == done.totals.decks() && !asks;
        Ok(if all_legal { Outcome::Yes } else { Outcome::No })
    }
}

/// Where the findings of a form's decks are.
const DETAILS: &str =
    "`-v` shows every finding, `--only illegal` some, `-o xlsx=FILE` keeps them\n";

/// What mends all that is wrong with a deck, where findings speak of one rule each.
const MEND: &str = "`decklaw fix DECK` shows the fewest changes that make a deck legal\n";

/// What is to be known of card pools, and cards that a list names and the pool lacks: lists run
/// ahead of pools, so it is a warning.
fn warn_of_lists(run: &Run, judge: &Judge) {
    let (mut seen, mut games) = (Vec::new(), Vec::new());
    for rulebook in judge.met().values() {
        let game = rulebook.format().game().id().to_owned();
        if !games.contains(&game) {
            for message in rulebook.pool().remarks() {
                run.complain("warning", &format!("the cards of {game}: {message}"));
            }
            games.push(game);
        }
        let Some(list) = rulebook.list().filter(|list| !seen.contains(&list.id)) else {
            continue;
        };
        seen.push(list.id.clone());
        for one in unknown_names(list, rulebook.pool()) {
            // Names are looked for near those of cards, and not near values of a field.
            let near = match &list.by {
                None => rulebook.pool().nearest(&one.name),
                Some(_) => Vec::new(),
            };
            let near: Vec<String> = near.iter().map(|near| format!("`{near}`")).collect();
            let hint = match near.as_slice() {
                [] => String::new(),
                near => format!("; did you mean {}?", listed(near, "or")),
            };
            let message = format!(
                "{}:{}: the card pool has no `{}`, so that the list says nothing of it{hint}",
                list.file, one.line, one.name
            );
            run.complain("warning", &message);
        }
    }
}
