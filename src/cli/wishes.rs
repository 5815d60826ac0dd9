//! What `fix`, `build` and `tune` share: a collection.

use super::{CliError, Run, files};
use crate::judge::Judge;
use crate::table;
use decklaw_ask::{Owned, collection};
use std::path::PathBuf;

// The cards that a player owns.
#[derive(Debug, Clone, clap::Args)]
pub(super) struct OwnedCards {
    /// Use only cards that you own: a table with columns count and name
    ///
    /// Copies in all sections together stay within the collection. CSV, XLSX or ODS. Example: `--own
    /// collection.csv`
    #[arg(long, value_name = "FILE")]
    own: Option<PathBuf>,
}

impl OwnedCards {
    /// The collection that the call names, read once: a pipe may be one.
    ///
    /// # Errors
    /// A file that is no collection.
    pub(super) fn collection(&self, run: &Run) -> Result<Option<Collection>, CliError> {
        let Some(file) = &self.own else {
            return Ok(None);
        };
        let (bytes, sheet) = files::read_table(file)?;
        let name = file.display().to_string();
        let wrong = |what: String| CliError::call(format!("{name}: {what}"));
        let table =
            table::read(&bytes, sheet.as_deref()).map_err(|error| wrong(error.to_string()))?;
        for note in &table.notes {
            run.complain("note", &format!("{name}: {note}"));
        }
        let owned = collection(&table).map_err(|problem| wrong(problem.message))?;
        Ok(Some(Collection { owned, name }))
    }
}

/// A collection as it was read.
pub(super) struct Collection {
    /// The copies of each card.
    pub(super) owned: Owned,
    /// The file as the call names it.
    name: String,
}

impl Collection {
    /// Names the collection among what decides the answers of a judge.
    pub(super) fn takes_part(&self, judge: &Judge) {
        judge.uses_collection(&self.name);
    }
}
