//! `event print`: a registration sheet for each player, with or without a deck.

use super::super::options::{Output, kinds};
use super::super::output::Outputs;
use super::super::{Answer, CliError, Run};
use super::Folder;
use super::only::Only;
use crate::event::{PlayerId, PlayerReport};
use crate::render::{Kind, Render, Rendered, Rendering, Written};
use crate::text::counted;

/// Print a registration sheet for each player
#[derive(Debug, clap::Args)]
#[command(mut_arg("output", kinds::<Pages>), after_help = "Examples:\n  decklaw event print autumn --to sheets.html\n  decklaw event print autumn --only illegal,missing --to problems.html")]
pub(in super::super) struct Print {
    #[command(flatten)]
    folder: Folder,
    #[command(flatten)]
    only: Only,
    #[command(flatten)]
    output: Output,
}

/// A document of pages.
pub(in super::super) struct Pages(String);

impl Written for Pages {
    const KINDS: &'static [Kind] = &[Kind::Data("html")];
}

impl Render for Pages {
    fn body(&self, _: Kind) -> Rendered<Option<Rendering>> {
        Ok(Some(Rendering::Data(self.0.clone().into_bytes())))
    }
}

impl Print {
    pub(super) fn run(&self, run: &Run) -> Answer {
        let (event, report) = self.folder.open_with_notes(run)?;
        let outputs = Outputs::<Pages>::open(&self.output)?;
        let is_chosen = self.only.chosen(&event)?;
        // In the order of their names.
        let chosen = report.players.iter().filter(|one: &&PlayerReport| is_chosen(one));
        let players: Vec<PlayerId> = chosen.filter_map(|one| one.player).collect();
        if players.is_empty() {
            return Err(CliError::call(match report.players.is_empty() {
                true => "this event has no players yet",
                false => "no player of this event matches `--only`",
            }));
        }
        let html = event.sheets(&report.standing, &players)?;
        if self.output.place.to.is_some() {
            let number = i64::try_from(players.len()).unwrap_or(i64::MAX);
            run.complain("note", &counted(number, "page"));
        }
        outputs.emit(run, &Pages(html))
    }
}
