//! `event export`: everything as a table, workbook or JSON, and the decks as files.

use super::super::files::{self, Readers};
use super::super::options::{Output, kinds};
use super::super::output::Outputs;
use super::super::{Answer, CliError, Run};
use super::Folder;
use super::only::Only;
use crate::digest::whole;
use crate::event::{Event, PlayerReport, StatusReport, sheet};
use crate::render::{Kind, Render, Rendered, Rendering, Written};
use crate::report::json;
use crate::spreadsheet::{Flavour, Sheet};
use crate::text::counted;
use serde_json::Value;
use std::path::{Path, PathBuf};

/// Export everything as a table, workbook or JSON
#[derive(Debug, clap::Args)]
#[command(mut_arg("output", kinds::<Everything>), after_help = "Example:\n  decklaw event export autumn -o xlsx=autumn.xlsx --decks lists")]
pub(in super::super) struct Export {
    #[command(flatten)]
    folder: Folder,
    /// Write each counting deck into this folder too
    #[arg(long, value_name = "DIR")]
    decks: Option<PathBuf>,
    #[command(flatten)]
    only: Only,
    #[command(flatten)]
    output: Output,
}

impl Export {
    pub(super) fn run(&self, run: &Run) -> Answer {
        let (event, mut report) = self.folder.open_with_notes(run)?;
        let outputs = Outputs::<Everything>::open(&self.output)?;
        let is_chosen = self.only.chosen(&event)?;
        let json = report.to_json(&event);
        report.players.retain(|one| is_chosen(one));
        if let Some(folder) = &self.decks {
            write_decks(run, &event, &report.players, folder, self.output.place.replace)?;
        }
        let everything = Everything { report, event, json };
        outputs.emit(run, &everything)
    }
}

/// Writes each deck that counts as a text with its player, and reports those that cannot be read.
fn write_decks(
    run: &Run,
    event: &Event,
    players: &[PlayerReport],
    folder: &Path,
    replace: bool,
) -> Result<(), CliError> {
    std::fs::create_dir_all(folder)
        .map_err(|error| CliError::call(format!("{}: {error}", folder.display())))?;
    let (mut written, mut unread) = (0, Vec::new());
    for one in players.iter().filter(|one| one.status == "counts") {
        let report = one.report.as_ref();
        let Some((report, player)) = report.filter(|report| report.hash.is_some()).zip(one.player)
        else {
            unread.push(one.name.clone());
            continue;
        };
        let mut listing = event.listing_of(one)?;
        listing.format.clone_from(&report.format);
        let words = one.name.split(|letter: char| !letter.is_alphanumeric());
        let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
        let stem: String = words.join("-").chars().take(60).collect();
        let name = format!("{player}-{stem}");
        let path = folder.join(format!("{}.txt", name.trim_end_matches('-')));
        let text = crate::deck::to_text(&listing);
        files::write(&path, text.as_bytes(), Readers::Anyone, replace)?;
        written += 1;
    }
    run.wrote(&format!("{}, {}", folder.display(), counted(written, "deck")));
    if !unread.is_empty() {
        let message = format!("no file for decks that cannot be read: {}", unread.join(", "));
        run.complain("note", &message);
    }
    Ok(())
}

/// Everything of an event.
pub(in super::super) struct Everything {
    report: StatusReport,
    event: Event,
    json: Value,
}

impl Written for Everything {
    const KINDS: &'static [Kind] = &[
        Kind::Csv(Flavour::Plain),
        Kind::Csv(Flavour::Excel),
        Kind::Xlsx,
        Kind::Json,
        Kind::Ndjson,
    ];
}

impl Render for Everything {
    fn json(&self) -> serde_json::Result<Value> {
        Ok(self.json.clone())
    }

    fn sheets(&self) -> Vec<Sheet<'_>> {
        self.report.workbook_sheets(&self.event)
    }

    fn body(&self, kind: Kind) -> Rendered<Option<Rendering>> {
        let bytes = match kind {
            Kind::Csv(flavour) => {
                let sheet = sheet("decks", &self.report.players, |_| true);
                whole(sheet.csv(flavour))
            }
            Kind::Ndjson => {
                let mut lines = Vec::new();
                let counting = self.report.players.iter().filter(|one| one.status == "counts");
                for report in counting.filter_map(|one| one.report.as_ref()) {
                    whole(json::write_line(&mut lines, report));
                }
                lines
            }
            _ => return Ok(None),
        };
        Ok(Some(Rendering::Report(bytes)))
    }
}
