//! What `fix`, `build` and `tune` share: a collection, and how hard to look.

use super::{CliError, Run, inputs};
use crate::judge::Judge;
use crate::table;
use decklaw_ask::{Owned, collection};
use std::path::PathBuf;

// Options that `fix` and `build` share.
#[derive(Debug, Clone, clap::Args)]
pub(super) struct WishOptions {
    /// Use only cards that you own: a table with columns count and name
    ///
    /// Copies in all sections together stay within the collection. CSV, XLSX or ODS. Example: `--own
    /// collection.csv`
    #[arg(long, value_name = "FILE")]
    own: Option<PathBuf>,
    #[command(flatten)]
    effort: Effort,
}

// How hard to look.
#[derive(Debug, Clone, Copy, clap::Args)]
pub(super) struct Effort {
    /// Stop after about this much work
    ///
    /// It counts work and not time, so that the answer is the same on every machine. Raise it where
    /// the answer is not proven.
    #[arg(long, value_name = "SECONDS", default_value = "2", value_parser = seconds)]
    effort: f64,
}

impl Effort {
    /// The most work, in seconds.
    pub(super) fn seconds(self) -> f64 {
        self.effort
    }
}

fn seconds(text: &str) -> Result<f64, String> {
    /// A day.
    const MOST: f64 = 86_400.0;
    let seconds: Option<f64> = text.trim().parse().ok();
    let seconds = seconds.filter(|seconds| *seconds > 0.0 && *seconds <= MOST);
    seconds.ok_or_else(|| "use a number of seconds above 0, at most a day".to_owned())
}

impl WishOptions {
    /// The most work, in seconds.
    pub(super) fn seconds(&self) -> f64 {
        self.effort.seconds()
    }

    /// The collection that the call names, read once: a pipe may be one.
    ///
    /// # Errors
    /// A file that is no collection.
    pub(super) fn collection(&self, run: &Run) -> Result<Option<Collection>, CliError> {
        let Some(file) = &self.own else {
            return Ok(None);
        };
        let (bytes, sheet) = inputs::read_table(run, file)?;
        let name = file.display().to_string();
        let wrong = |what: String| CliError(format!("{name}: {what}"));
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
