//! `match decide` and `match next`: a match goes on.

use super::{Chance, Failure, Options, files};
use crate::matches::{SeatId, read_decision};
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
/// A match file keeps no results: with `--won` for each game so far, a match that is decided
/// is refused. What is then pending, such as swaps and who begins, is decided as before.
#[derive(Debug, clap::Args)]
pub(crate) struct Next {
    /// The match file of the game that was played
    file: PathBuf,
    /// The seat that won, or draw; once for each game of the match so far, in order
    #[arg(long, value_name = "SEAT")]
    won: Vec<String>,
    /// A decision for the new game, such as '{"step":"first-player","by":"choice","seat":"B"}'
    #[arg(long = "decide", value_name = "JSON")]
    decisions: Vec<String>,
    #[command(flatten)]
    chance: Chance,
}

impl Next {
    pub(super) fn run(&self, options: &Options) -> Result<(), Failure> {
        let winner = |word: &String| match (word.as_str(), SeatId::parse(word)) {
            ("draw", _) => Ok(None),
            (_, Some(seat)) => Ok(Some(seat)),
            _ => Err(Failure::call(format!(
                "--won {word}: a seat is A, B, C or D; or draw"
            ))),
        };
        let results = self.won.iter().map(winner).collect::<Result<Vec<_>, _>>()?;
        let decisions = self.decisions.iter().map(|text| read_decision(text));
        let decisions = decisions.collect::<Result<Vec<_>, _>>()?;
        let (before, format) = files::read_match(&self.file, options)?;
        if !results.is_empty() {
            before.check_results(&format.game(), &results)?;
        }
        let mut next = before.next_game(&format.game(), self.chance.randomness()?)?;
        if !decisions.is_empty() {
            let format = format.judging(&before.inputs.settings, options)?;
            next = next.decide(&format.game(), &decisions, Some(&format))?;
        }
        files::write(options.to.as_deref(), &next.to_json())
    }
}
