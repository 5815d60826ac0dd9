//! `decklaw stats`: what decks are made of.

use super::files::{Draft, Readers};
use super::inputs::{self, InputKind};
use super::{Answer, Options, Outcome, Refusal, bar, json_text, output, terminal, walk};
use crate::cli::output::Figures;
use crate::deck::Input;
use crate::format::Rulebook;
use crate::judge::{Judge, ReadDeck};
use crate::report::json;
use crate::spreadsheet::Table;
use crate::stats::{self, DeckStats, Spec};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// The file of a game's folder that declares its statistics.
pub(super) const STATS: &str = "stats.yaml";

#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  decklaw stats my-deck.txt\n  decklaw stats decks/shell -o csv --to stats.csv\n  decklaw stats my-deck.txt --svg curve.svg"
)]
pub(super) struct Stats {
    /// Decks: files, folders (with all inside), patterns such as 'decks/*.txt', or - for standard input
    #[arg(value_name = "PATH", required = true)]
    paths: Vec<PathBuf>,
    /// What decks are written in [default: as their extensions tell, otherwise text]
    #[arg(long, value_name = "KIND")]
    input: Option<InputKind>,
    /// Count these sections [default: as the game declares]
    #[arg(long, value_name = "ID")]
    section: Vec<String>,
    /// Draw the statistics into a picture
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
}

impl Stats {
    pub(super) fn run(&self, options: &Options) -> Answer {
        let sources = walk::decks(&self.paths)?;
        let judge = inputs::judge(options)?;
        let outputs = output::asked(options, &output::FIGURES, Readers::Anyone)?;
        // Begun before the work is done, as outputs are.
        let svg = self.svg.as_ref();
        let svg = svg
            .map(|file| Draft::new(file, Readers::Anyone))
            .transpose()?;
        let mut outcome = Outcome::Yes;
        let mut specs = BTreeMap::new();
        let mut decks = Vec::new();
        let mut bytes = Vec::new();
        let bar = bar::progress(options.quiet || sources.len() < 2, sources.len());
        for source in &sources {
            bar.add(1);
            let name = source.name();
            let read = match source.read(&mut bytes) {
                Ok(()) => {
                    let input = source.input(self.input.map(Input::from));
                    bytes = inputs::as_text(&name, input, std::mem::take(&mut bytes))?;
                    self.measure(&judge, &mut specs, (&name, input, &bytes))?
                }
                Err((message, mend)) => {
                    Err(format!("{name}: {}", inputs::with_mend(&message, &mend)))
                }
            };
            match read {
                Ok(deck) => decks.push(deck),
                Err(message) => {
                    terminal::complain("error", &message);
                    outcome = Outcome::No;
                }
            }
        }
        drop(bar);
        if !decks.is_empty() {
            inputs::fitting(&judge)?;
        }
        for mut output in outputs {
            output.write(&rendered(output.kind, &decks, &judge)?)?;
            output.finish()?;
        }
        if let Some(svg) = svg {
            svg.whole(stats::to_svg(&decks).as_bytes())?;
        }
        Ok(outcome)
    }

    /// Counts one deck. `Err` inside: why it is left out.
    fn measure(
        &self,
        judge: &Judge,
        specs: &mut BTreeMap<String, Option<Spec>>,
        (name, input, bytes): (&str, Input, &[u8]),
    ) -> Result<Result<DeckStats, String>, Refusal> {
        let read = judge.read(bytes, input, None);
        let read = read.map_err(|error| inputs::refuse(&error))?;
        let ReadDeck::Deck(resolved) = &read else {
            let report = judge.report(name, &read, None);
            let told: Vec<String> = report
                .findings
                .iter()
                .map(|finding| place(name, finding))
                .collect();
            return Ok(Err(told.join("\n")));
        };
        let (deck, rulebook) = (resolved.deck(), resolved.rulebook());
        let game = rulebook.format().game();
        if !specs.contains_key(game.id()) {
            specs.insert(game.id().to_owned(), declared(judge, rulebook)?);
        }
        let inferred;
        let spec = match specs.get(game.id()) {
            Some(Some(spec)) => spec,
            _ => {
                inferred = Spec::inferred(resolved.pool());
                &inferred
            }
        };
        let names = game.section_names();
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
                            "{name}: the deck has no section `{word}`; it has {own}"
                        )));
                    }
                    asked.push(id);
                }
                None => {
                    return Err(Refusal(format!(
                        "{} has no section `{word}`; it has {}",
                        rulebook.format().id(),
                        crate::text::listed(names.ids, "and")
                    )));
                }
            }
        }
        let measured = stats::measure(name, resolved, spec, &asked);
        Ok(Ok(measured.map_err(|error| Refusal(error.message))?))
    }
}

/// One place at which a file is no deck, in a line.
fn place(name: &str, finding: &crate::judge::Finding) -> String {
    let at = finding.place.map_or(String::new(), |place| {
        format!(" line {}, column {}:", place.line, place.column)
    });
    format!(
        "{name}:{at} {}",
        inputs::with_mend(&finding.message, &finding.mend)
    )
}

/// The statistics that a game declares; `None`: it declares none.
fn declared(judge: &Judge, rulebook: &Rulebook) -> Result<Option<Spec>, Refusal> {
    let game = rulebook.format().game();
    let Some(bytes) = judge.game_file(game.id(), "statistics", STATS) else {
        return Ok(None);
    };
    let name = format!("{}/{STATS}", game.id());
    let Ok(text) = std::str::from_utf8(bytes) else {
        return Err(Refusal(format!("{name}: not UTF-8")));
    };
    let sections: Vec<&str> = game
        .sections()
        .iter()
        .map(|section| section.id.as_str())
        .collect();
    let spec = Spec::read(&name, text, game.fields(), &sections);
    spec.map(Some).map_err(|error| inputs::explain(&error))
}

fn rendered(kind: Figures, decks: &[DeckStats], judge: &Judge) -> Result<Vec<u8>, Refusal> {
    match kind {
        Figures::Human => {
            let text = stats::human(decks, terminal::width());
            Ok((text + &output::foot(&judge.given_so_far())).into_bytes())
        }
        Figures::Json => {
            let (day, rules) = (judge.day().to_string(), json::rules(judge)?);
            let mut document = stats::to_json(decks, &day, &rules);
            document["inputs"] = serde_json::to_value(judge.given_so_far())?;
            Ok(json_text(&document)?.into_bytes())
        }
        Figures::Csv(flavour) => {
            let (header, inputs) = (stats::csv_header(), judge.given_so_far());
            let mut table = Table::of_report(Vec::new(), flavour, &header, &inputs)?;
            for row in decks.iter().flat_map(stats::csv_rows) {
                table.row(&row)?;
            }
            Ok(table.finish()?)
        }
    }
}
