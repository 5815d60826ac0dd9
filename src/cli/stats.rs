//! `decklaw stats`: what decks are made of.

use super::asking::{self, OfDecks};
use super::entries::Entries;
use super::files::{Draft, Readers};
use super::inputs::{self, InputKind};
use super::options::{Judging, Output, kinds};
use super::{Answer, Refusal, Run, output, terminal};
use crate::format::Rulebook;
use crate::judge::{Judge, Report};
use crate::report::answers::{Answer as About, Answers};
use crate::report::json;
use crate::resolve::Resolved;
use crate::spreadsheet::Cell;
use crate::stats::{self, DeckStats, Spec};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

/// The file of a game's folder that declares its statistics.
pub(super) const STATS: &str = "stats.yaml";

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

/// The statistics that games declare, by the game's id.
type Specs = Mutex<BTreeMap<String, Arc<Option<Spec>>>>;

impl Stats {
    pub(super) fn run(&self, run: &Run) -> Answer {
        let entries = Entries::of_paths(run, &self.paths, self.from.map(Into::into))?;
        let judge = inputs::judge(run, &self.judging)?;
        let outputs = output::Outputs::open(run, &self.output)?;
        // Begun before the work is done, as outputs are.
        let svg = self.svg.as_ref();
        let svg = svg
            .map(|file| Draft::new(run, file, Readers::Anyone, self.output.place.replace))
            .transpose()?;
        let specs = Specs::default();
        let measured = asking::ask(
            run,
            &entries,
            &judge,
            run.screen.quiet,
            &|report, resolved| self.measure(&judge, &specs, report, resolved),
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
        judge: &Judge,
        specs: &Specs,
        report: &Report,
        resolved: Option<&Resolved<'_>>,
    ) -> Result<(About, Option<DeckStats>), Refusal> {
        let Some(resolved) = resolved else {
            return Ok((About::unreadable(report), None));
        };
        let rulebook = resolved.rulebook();
        let game = rulebook.format().game();
        let declared = {
            let mut specs = specs.lock().unwrap_or_else(PoisonError::into_inner);
            match specs.get(game.id()) {
                Some(spec) => Arc::clone(spec),
                None => {
                    let spec = Arc::new(declared(judge, rulebook)?);
                    specs.insert(game.id().to_owned(), Arc::clone(&spec));
                    spec
                }
            }
        };
        let inferred;
        let spec = match &*declared {
            Some(spec) => spec,
            None => {
                inferred = Spec::inferred(resolved.pool());
                &inferred
            }
        };
        let asked = match self.sections(report, resolved)? {
            Ok(asked) => asked,
            Err(why) => {
                let mut answer = About::about(report);
                answer.unreadable = Some(why);
                return Ok((answer, None));
            }
        };
        let mut measured = stats::measure(&report.deck, resolved, spec, &asked)
            .map_err(|error| Refusal(error.message))?;
        measured.player.clone_from(&report.player);
        let mut answer = About::about(report);
        let cell = |text: &String| Cell::number(text);
        let row = |row: [String; 4]| row.iter().map(cell).collect();
        answer.rows = stats::csv_rows(&measured).into_iter().map(row).collect();
        if let serde_json::Value::Object(value) = stats::deck_json(&measured) {
            answer.value = value;
        }
        Ok((answer, Some(measured)))
    }

    /// The sections that are counted. `Err` inside: the deck has not what was asked for.
    fn sections(
        &self,
        report: &Report,
        resolved: &Resolved<'_>,
    ) -> Result<Result<Vec<String>, String>, Refusal> {
        let (deck, rulebook) = (resolved.deck(), resolved.rulebook());
        let names = rulebook.format().game().section_names();
        let mut asked = Vec::new();
        for word in &self.section {
            match names.find(word) {
                Some(id) => asked.push(id.to_owned()),
                None if names.open => {
                    let id = crate::name::fold(word).into_owned();
                    let own: Vec<&str> = deck.sections.iter().map(|own| &*own.id).collect();
                    if !own.contains(&id.as_str()) {
                        let own = crate::text::listed(&own, "and");
                        return Ok(Err(format!(
                            "the deck has no section `{word}`; it has {own}"
                        )));
                    }
                    asked.push(id);
                }
                None => {
                    let format = report.format.as_deref().unwrap_or_default();
                    return Err(Refusal(format!(
                        "{format} has no section `{word}`; it has {}",
                        crate::text::listed(names.ids, "and")
                    )));
                }
            }
        }
        Ok(Ok(asked))
    }
}

/// The statistics that a game declares; `None`: it declares none.
fn declared(judge: &Judge, rulebook: &Rulebook) -> Result<Option<Spec>, Refusal> {
    let game = rulebook.format().game();
    let file = judge.game_file(game.id(), "statistics", STATS);
    let spec = file.map(|(name, bytes)| Spec::of_file(&name, bytes, game));
    spec.transpose().map_err(|error| inputs::explain(&error))
}
