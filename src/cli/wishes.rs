//! What `fix`, `build` and `tune` share: a collection, and how hard to look.

use super::{Refusal, Run, inputs};
use crate::judge::Judge;
use crate::origin::{Given, Origin};
use crate::table;
use decklaw_ask::{Owned, collection};
use std::path::PathBuf;

// Options that `fix` and `build` share.
#[derive(Debug, Clone, clap::Args)]
pub(super) struct Asked {
    /// Use only cards that you own: a table with columns count and name
    #[arg(long, value_name = "FILE")]
    own: Option<PathBuf>,
    #[command(flatten)]
    effort: Effort,
}

// How hard to look.
#[derive(Debug, Clone, Copy, clap::Args)]
pub(super) struct Effort {
    /// Stop after about this much work
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

impl Asked {
    /// The most work, in seconds.
    pub(super) fn seconds(&self) -> f64 {
        self.effort.seconds()
    }

    /// The collection that the call names.
    ///
    /// # Errors
    /// A file that is no collection.
    pub(super) fn owned(&self, run: &Run) -> Result<Option<Owned>, Refusal> {
        let Some(file) = &self.own else {
            return Ok(None);
        };
        let (bytes, sheet) = inputs::read_table(run, file)?;
        let name = file.display();
        let wrong = |what: String| Refusal(format!("{name}: {what}"));
        let table =
            table::read(&bytes, sheet.as_deref()).map_err(|error| wrong(error.to_string()))?;
        for note in &table.notes {
            run.complain("note", &format!("{name}: {note}"));
        }
        let owned = collection(&table).map_err(|problem| wrong(problem.message))?;
        Ok(Some(owned))
    }

    /// Names the collection among what decided and is not built in.
    pub(super) fn names(&self, judge: &Judge) {
        let Some(bytes) = self.own.as_ref().and_then(|file| std::fs::read(file).ok()) else {
            return;
        };
        let digest = crate::digest::sha256(&bytes);
        let name = self.own.as_ref().map(|file| file.display().to_string());
        for rulebook in judge.met().values() {
            let game = rulebook.format().game().id();
            let name = name.as_deref().unwrap_or_default();
            let given = Given::file(game, "collection", name, &digest, &Origin::Call);
            given.into_iter().for_each(|given| judge.names(given));
        }
    }
}
