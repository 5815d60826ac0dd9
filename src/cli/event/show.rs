//! `event show`: an entry as it came, and how it was read.

use super::super::options::{Output, kinds};
use super::super::output::Outputs;
use super::super::{Answer, CliError, Run};
use super::Folder;
use crate::event::{EntryDetail, EntryId};

/// Show an entry as it came, and how it was read
#[derive(Debug, clap::Args)]
#[command(mut_arg("output", kinds::<EntryDetail>), after_help = "Example:\n  decklaw event show autumn e002")]
pub(in super::super) struct Show {
    #[command(flatten)]
    folder: Folder,
    /// The entry, such as e012
    #[arg(value_name = "ENTRY")]
    entry: EntryId,
    #[command(flatten)]
    output: Output,
}

impl Show {
    pub(super) fn run(&self, run: &Run) -> Answer {
        let event = self.folder.open()?;
        let outputs = Outputs::<EntryDetail>::open(&self.output)?;
        let entry = event.roster().entries.get(&self.entry);
        let none = || CliError::call(format!("this event has no deck {}", self.entry));
        let detail = event.detail(&event.standing()?, entry.ok_or_else(none)?)?;
        outputs.emit(run, &detail)
    }
}
