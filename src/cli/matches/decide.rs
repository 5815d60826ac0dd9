//! `match decide` and `match next`: a match goes on.

use super::{Chance, Failure, Options, files};
use crate::matches::{GameResult, read_decision};
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
    /// Who won that game: the seat, A to D, or draw
    #[arg(long, value_name = "SEAT|draw", value_parser = ended)]
    won: GameResult,
    #[command(flatten)]
    chance: Chance,
}

fn ended(text: &str) -> Result<GameResult, String> {
    GameResult::parse(text).ok_or_else(|| "it is A, B, C, D or draw".to_owned())
}

impl Next {
    pub(super) fn run(&self, options: &Options) -> Result<(), Failure> {
        let (before, format) = files::read_match(&self.file, options)?;
        let next = before.next_game(&format.game(), self.won, self.chance.randomness()?)?;
        files::write(options.to.as_deref(), &next.to_json())?;
        // Where the match goes to standard output, nothing else does.
        match (&options.to, next.inputs.score()) {
            (Some(_), Some(score)) => files::print(&format!("{score}\n")),
            _ => Ok(()),
        }
    }
}
