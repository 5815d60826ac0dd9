//! `match decide` and `match next`: a match goes on.

use super::{Chance, Failure, Options, files};
use crate::matches::read_decision;
use std::path::PathBuf;

/// Records decisions.
#[derive(Debug, clap::Args)]
pub(crate) struct Decide {
    /// The match file
    file: PathBuf,
    /// Decisions as match files record them
    #[arg(value_name = "JSON", required = true)]
    decisions: Vec<String>,
}

impl Decide {
    pub(super) fn run(&self, options: &Options) -> Result<(), Failure> {
        let decisions: Result<Vec<_>, _> = self
            .decisions
            .iter()
            .map(|text| read_decision(text))
            .collect();
        let decisions = decisions?;
        let (before, format) = files::read_match(&self.file, options)?;
        let format = format.judging(&before.inputs.settings, options)?;
        let after = before.decide(&format.game(), &decisions, Some(&format))?;
        files::write(options.to.as_deref(), &after.to_json())
    }
}

/// Sets up the next game of a match: the same players and decks, the game's number one higher.
#[derive(Debug, clap::Args)]
pub(crate) struct Next {
    /// The match file of the game that was played
    file: PathBuf,
    #[command(flatten)]
    chance: Chance,
}

impl Next {
    pub(super) fn run(&self, options: &Options) -> Result<(), Failure> {
        let (before, format) = files::read_match(&self.file, options)?;
        let next = before.next_game(&format.game(), self.chance.randomness()?)?;
        files::write(options.to.as_deref(), &next.to_json())
    }
}
