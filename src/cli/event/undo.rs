//! `event undo`: takes back a decision or an import.

use super::super::options::{Output, kinds};
use super::super::output::{Text, emit};
use super::super::{Answer, Outcome, Run};
use super::{Folder, organiser};
use crate::event::EventError;

/// Take back a decision or an import
#[derive(Debug, clap::Args)]
#[command(
    mut_arg("output", kinds::<Text>),
    after_help = "Examples:\n  decklaw event undo autumn\n  decklaw event undo autumn 3 --yes\n\n`decklaw event status` shows the numbers of what was decided last; `-v` shows all."
)]
pub(in super::super) struct Undo {
    #[command(flatten)]
    folder: Folder,
    /// The number of the decision or import [default: the newest]
    #[arg(value_name = "N")]
    number: Option<i64>,
    /// Take back what rests on it too
    #[arg(long)]
    yes: bool,
    #[command(flatten)]
    output: Output,
}

impl Undo {
    pub(super) fn run(&self, run: &Run) -> Answer {
        let mut event = self.folder.open()?;
        match event.undo(&organiser(None), self.number, self.yes) {
            Ok(undone) => {
                let lines = undone.iter().map(|one| format!("taken back: {one}\n"));
                emit(run, &self.output, &Text::from(lines.collect::<String>()))
            }
            Err(EventError::Rests(rests)) => {
                let lines = rests.iter().map(|one| format!("rests on it: {one}\n"));
                emit(run, &self.output, &Text::from(lines.collect::<String>()))?;
                run.complain("note", "nothing was taken back; `--yes` takes these back too");
                Ok(Outcome::No)
            }
            Err(error) => Err(error.into()),
        }
    }
}
