//! `event status`: who counts, who is missing, what is asked, and what is illegal and why.

use super::super::options::{Output, kinds};
use super::super::output::Outputs;
use super::super::{Answer, Run};
use super::summary::fault;
use super::{Folder, shown};
use crate::event::{Event, StatusReport, sheet};
use crate::render::{FIGURES, Kind, Render, TextStyle, Written};
use crate::spreadsheet::Sheet;
use serde_json::Value;

/// Show who counts, who is missing, what is asked and what is illegal
#[derive(Debug, clap::Args)]
#[command(mut_arg("output", kinds::<StatusScreen>), after_help = "Example:\n  decklaw event status autumn")]
pub(in super::super) struct Status {
    #[command(flatten)]
    folder: Folder,
    #[command(flatten)]
    output: Output,
}

impl Status {
    pub(super) fn run(&self, run: &Run) -> Answer {
        let event = self.folder.open()?;
        let outputs = Outputs::<StatusScreen>::open(&self.output)?;
        super::warn_of_lists(run, &event)?;
        let report = StatusScreen {
            folder: shown(&self.folder.folder),
            report: event.status()?,
            event,
            verbose: run.screen.verbose,
        };
        outputs.emit(run, &report)
    }
}

/// An event on one screen.
pub(in super::super) struct StatusScreen {
    pub(super) folder: String,
    pub(super) event: Event,
    pub(super) report: StatusReport,
    pub(super) verbose: bool,
}

impl Written for StatusScreen {
    const KINDS: &'static [Kind] = FIGURES;
}

impl Render for StatusScreen {
    fn human(&self, _: &TextStyle) -> String {
        self.summary()
    }

    fn json(&self) -> serde_json::Result<Value> {
        Ok(self.report.to_json(&self.event))
    }

    fn sheets(&self) -> Vec<Sheet<'_>> {
        vec![sheet("players", &self.report.players, |_| true)]
    }

    fn is_ok(&self) -> bool {
        self.report.questions.is_empty()
            && self.report.players.iter().all(|one| fault(one).is_none())
    }
}
