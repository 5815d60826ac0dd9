//! `match new`: a start position from legal decks.

use super::entered::MatchDecks;
use super::games::JudgedFormat;
use super::options::TableOptions;
use super::{Chance, CliError, Judging, Output, Run, files, kinds, warn};
use crate::matches::{Decision, Match, NewMatch, Randomness};
use crate::render::Kind;
use rayon::prelude::*;
use std::path::PathBuf;

/// How many matches are dealt before they are written.
const BATCH: usize = 1024;

/// Start a match from legal decks
#[derive(Debug, clap::Args)]
#[command(mut_arg("output", kinds::<files::MatchFiles>), after_help = "Examples:\n  decklaw match new decks/shell/ebb.txt decks/shell/nineteen-trees.txt --to shell.json\n  decklaw match new vastrix --player Ann --player Ben --to match.json")]
pub(crate) struct New {
    /// A format, or the decks in seat order
    #[arg(value_name = "FORMAT|DECK", required = true)]
    game: Vec<String>,
    /// A deck for each seat in order, or one shared deck
    #[arg(long = "deck", value_name = "FILE")]
    decks: Vec<PathBuf>,
    /// Names of the players in seat order
    #[arg(long = "player", value_name = "NAME")]
    players: Vec<String>,
    #[command(flatten)]
    table: TableOptions,
    #[command(flatten)]
    chance: Chance,
    /// A decision of the setup, such as '{"step":"first-player","by":"random"}'
    #[arg(long = "decide", value_name = "JSON")]
    decisions: Vec<String>,
    /// Start N matches, one per line; match K is seeded TEXT/K
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    count: Option<u32>,
    #[command(flatten)]
    judging: Judging,
    #[command(flatten)]
    output: Output,
}

impl New {
    /// The format and what each seat brings: as the call names them, or as decks say.
    fn sit_down(&self, run: &Run) -> Result<(JudgedFormat, NewMatch), CliError> {
        let paths: Vec<PathBuf> = self.game.iter().map(PathBuf::from).collect();
        let set = &self.judging.by.settled.set;
        let missing = paths.iter().find(|path| !path.is_file());
        match (self.game.as_slice(), missing) {
            // A file called like a format is named with a path, such as ./shell.
            ([format], _) if missing.is_some() || !format.contains(['.', '/', '\\']) => {
                let mut wanted = self.table.new_match(set)?;
                let format = JudgedFormat::load(format, run, &self.judging)?;
                wanted.players = self.players.clone();
                wanted.decks = format.decks(run, &self.decks, self.table.allow_illegal)?;
                Ok((format, wanted))
            }
            (_, Some(missing)) => Err(CliError::call(format!(
                "{}: no such deck file; name one format, or a deck file for each seat",
                missing.display()
            ))),
            (_, None) if !self.decks.is_empty() => Err(CliError::call(
                "decks are named once: as deck files alone, or with --deck after a format",
            )),
            (_, None) => {
                let mut wanted = self.table.new_match(set)?;
                let entered =
                    MatchDecks::read(&paths, self.table.allow_illegal, run, &self.judging)?;
                let format = entered.seat(&mut wanted, &self.players);
                Ok((format, wanted))
            }
        }
    }

    pub(super) fn run(&self, run: &Run) -> Result<(), CliError> {
        let (format, wanted) = self.sit_down(run)?;
        let decisions: Result<Vec<_>, _> =
            self.decisions.iter().map(|text| Decision::read(text)).collect();
        let decisions = decisions?;
        let swaps = format.swaps();
        let start = |randomness: Randomness| {
            let (wanted, decisions) = (wanted.clone(), decisions.clone());
            Match::start(&format.game(), wanted, randomness, decisions, Some(&swaps))
        };
        let outputs = match self.count {
            None => files::outputs::<files::MatchFiles>(&self.output, None)?,
            Some(_) => files::outputs::<files::Lines>(&self.output, None)?,
        };
        self.chance.warn(run);
        let Some(count) = self.count else {
            let made = start(self.chance.randomness()?)?;
            made.remarks.iter().for_each(|remark| warn(run, remark));
            let kept = files::kept_in(&outputs);
            files::finish(run, outputs, |kind| match kind {
                Kind::Ndjson => made.to_json_line(),
                _ => made.to_json(),
            })?;
            return kept.map_or(Ok(()), |file| files::print_awaited(&made, &file));
        };
        let line = |number: u32| -> Result<String, CliError> {
            let randomness = match &self.chance.seed {
                Some(text) => Randomness::from_text(&format!("{text}/{number}")),
                None => self.chance.randomness()?,
            };
            Ok(start(randomness)?.to_json_line())
        };
        crate::cli::run::start_threads()?;
        for mut output in outputs {
            // Each batch is written before the next one is dealt: memory stays bounded.
            for first in (1..=count).step_by(BATCH) {
                let last = count.min(first.saturating_add(BATCH as u32 - 1));
                let batch: Result<Vec<String>, CliError> =
                    (first..=last).into_par_iter().map(line).collect();
                if !output.write_on(batch?.concat().as_bytes())? {
                    break;
                }
            }
            output.finish(run)?;
        }
        Ok(())
    }
}
