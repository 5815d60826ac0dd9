//! `match next`: the next game of a match.

use super::files::MatchFile;
use super::{Chance, CliError, ConfigurationOptions, Output, Run, files, kinds};
use crate::matches::GameResult;
use std::path::PathBuf;

/// Start the next game of a match
// It has the same players and decks, and its number is one higher.
#[derive(Debug, clap::Args)]
#[command(mut_arg("output", kinds::<MatchFile>), after_help = "Example:\n  decklaw match next match.json --won B --to game-2.json")]
pub(crate) struct Next {
    /// The match file of the last game
    file: PathBuf,
    /// Who won the last game
    #[arg(long, value_name = "SEAT|draw", value_parser = ended)]
    won: GameResult,
    #[command(flatten)]
    chance: Chance,
    #[command(flatten)]
    configured: ConfigurationOptions,
    #[command(flatten)]
    output: Output,
}

fn ended(text: &str) -> Result<GameResult, String> {
    GameResult::parse(text).ok_or_else(|| "it is A, B, C, D or draw".to_owned())
}

impl Next {
    pub(super) fn run(&self, run: &Run) -> Result<(), CliError> {
        let _claim = files::claim(&self.file);
        let outputs = files::outputs::<MatchFile>(&self.output, Some(&self.file))?;
        let kept = files::kept_in(&outputs);
        let (before, format) = files::read_match(&self.file, run, &self.configured.clone().into())?;
        let next = before.next_game(&format.game(), self.won, self.chance.randomness()?)?;
        self.chance.warn(run);
        files::finish(run, outputs, |_| next.to_json())?;
        // Where the match goes to standard output, nothing else does.
        let Some(file) = kept else {
            return Ok(());
        };
        if let Some(score) = next.score() {
            files::print(&format!("{score}\n"))?;
        }
        files::print_awaited(&next, &file)
    }
}
