//! `event show`: an entry as it came, and how it was read.

use super::super::options::{Output, kinds};
use super::super::output::Outputs;
use super::super::{Answer, CliError, Run};
use super::{Folder, player};
use crate::event::{EntryDetail, EntryId};

/// Show a deck as it came, and how it was read
#[derive(Debug, clap::Args)]
#[command(mut_arg("output", kinds::<EntryDetail>), after_help = "Example:\n  decklaw event show autumn e002")]
pub(in super::super) struct Show {
    #[command(flatten)]
    folder: Folder,
    /// The deck, such as e012, or the player whose deck counts
    #[arg(value_name = "ENTRY|PLAYER")]
    entry: String,
    #[command(flatten)]
    output: Output,
}

impl Show {
    pub(super) fn run(&self, run: &Run) -> Answer {
        let event = self.folder.open()?;
        let outputs = Outputs::<EntryDetail>::open(&self.output)?;
        let standing = event.standing()?;
        let entry = match self.entry.parse::<EntryId>() {
            Ok(entry) => entry,
            Err(_) => {
                let player = player(&event, &self.entry)?;
                let own = standing.players.get(&player).and_then(|own| own.counting.entry());
                let name = event.roster().name_and_id(player);
                own.ok_or_else(|| CliError::call(format!("{name} has no deck")))?
            }
        };
        let known = event.roster().entries.get(&entry);
        let none = || CliError::call(format!("this event has no deck {entry}"));
        let detail = event.detail(&standing, known.ok_or_else(none)?)?;
        outputs.emit(run, &detail)
    }
}
