//! `match new`: a start position from legal decks.

use super::brought::Brought;
use super::games::PlayedFormat;
use super::{Chance, Failure, Run, files, warn};
use crate::matches::{Choice, Match, NewMatch, Randomness, Settings, read_decision};
use crate::render::Kind;
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// How many matches are dealt before they are written.
const BATCH: usize = 1024;

/// Seed a match: a start position from legal decks
#[derive(Debug, clap::Args)]
pub(crate) struct New {
    /// The format, or the decks in seat order
    #[arg(value_name = "FORMAT|DECK", required = true)]
    game: Vec<String>,
    /// A deck, for each seat in order, or one to share
    #[arg(long = "deck", value_name = "FILE")]
    decks: Vec<PathBuf>,
    /// A player's name, in seat order
    #[arg(long = "player", value_name = "NAME")]
    players: Vec<String>,
    #[command(flatten)]
    table: TableOptions,
    #[command(flatten)]
    chance: Chance,
    /// A decision as match files record it, such as '{"step":"first-player","by":"random"}'
    #[arg(long = "decide", value_name = "JSON")]
    decisions: Vec<String>,
    /// Make so many, a line of JSON each; with --seed TEXT the K-th by TEXT/K
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    count: Option<u32>,
}

/// What a table is set up by, beside decks and chance.
#[derive(Debug, clap::Args)]
pub(super) struct TableOptions {
    /// An option of the game, such as players=3
    #[arg(long = "option", value_name = "K=V")]
    choices: Vec<String>,
    /// Take decks that are not legal; the file says so
    #[arg(long)]
    pub(super) allow_illegal: bool,
}

impl TableOptions {
    /// The format with these settings and card files, and a match to start in it.
    pub(super) fn wanted(
        &self,
        format: &str,
        run: &Run,
    ) -> Result<(PlayedFormat, NewMatch), Failure> {
        let wanted = self.new_match(run)?;
        Ok((PlayedFormat::load(format, run)?, wanted))
    }

    /// A match with the options and settings of the call.
    fn new_match(&self, run: &Run) -> Result<NewMatch, Failure> {
        let mut options = BTreeMap::new();
        for pair in &self.choices {
            let (name, value) = pair_of(pair, "--option")?;
            if options
                .insert(name.to_owned(), Choice::parse(value))
                .is_some()
            {
                return Err(Failure::call(format!("--option {name} is given twice")));
            }
        }
        Ok(NewMatch {
            options,
            settings: settings(run)?,
            ..NewMatch::default()
        })
    }
}

/// The settings of the call: whole numbers.
pub(super) fn settings(run: &Run) -> Result<Settings, Failure> {
    let mut settings = BTreeMap::new();
    for pair in &run.options.set {
        let (name, value) = pair_of(pair, "--set")?;
        let Ok(number) = value.parse() else {
            return Err(Failure::call(format!(
                "--set {pair}: a match takes settings that are whole numbers"
            )));
        };
        if settings.insert(name.to_owned(), number).is_some() {
            return Err(Failure::call(format!("--set {name} is given twice")));
        }
    }
    Ok(settings)
}

fn pair_of<'a>(pair: &'a str, flag: &str) -> Result<(&'a str, &'a str), Failure> {
    let wrong = || Failure::call(format!("{flag} {pair}: write NAME=VALUE"));
    pair.split_once('=')
        .filter(|(name, _)| !name.is_empty())
        .ok_or_else(wrong)
}

impl New {
    /// The format and what each seat brings: as the call names them, or as decks say.
    fn sit_down(&self, run: &Run) -> Result<(PlayedFormat, NewMatch), Failure> {
        let paths: Vec<PathBuf> = self.game.iter().map(PathBuf::from).collect();
        let missing = paths.iter().find(|path| !path.is_file());
        match (self.game.as_slice(), missing) {
            // A file called like a format is named with a path, such as ./shell.
            ([format], _) if missing.is_some() || !format.contains(['.', '/', '\\']) => {
                if let Some(option) = &run.options.format {
                    return Err(Failure::call(format!(
                        "the format is named twice: `{format}`, and `--format {option}`; leave \
                         one of them out"
                    )));
                }
                let (format, mut wanted) = self.table.wanted(format, run)?;
                wanted.players = self.players.clone();
                wanted.decks = format.decks(run, &self.decks, self.table.allow_illegal)?;
                Ok((format, wanted))
            }
            (_, Some(missing)) => Err(Failure::call(format!(
                "{}: there is no such deck file; name one format, or a deck file for each seat",
                missing.display()
            ))),
            (_, None) if !self.decks.is_empty() => Err(Failure::call(
                "decks are named once: as deck files alone, or with --deck after a format",
            )),
            (_, None) => {
                let mut wanted = self.table.new_match(run)?;
                let brought = Brought::read(&paths, self.table.allow_illegal, run)?;
                let format = brought.seat(&mut wanted, &self.players);
                Ok((format, wanted))
            }
        }
    }

    pub(super) fn run(&self, run: &Run) -> Result<(), Failure> {
        let (format, wanted) = self.sit_down(run)?;
        let decisions: Result<Vec<_>, _> = self
            .decisions
            .iter()
            .map(|text| read_decision(text))
            .collect();
        let decisions = decisions?;
        let start = |randomness: Randomness| {
            let (wanted, decisions) = (wanted.clone(), decisions.clone());
            Match::start(&format.game(), wanted, randomness, decisions, Some(&format))
        };
        let Some(count) = self.count else {
            let outputs = files::outputs::<files::MatchFiles>(run)?;
            let made = start(self.chance.randomness()?)?;
            self.chance.warn(run);
            made.remarks.iter().for_each(|remark| warn(run, remark));
            let kept = files::kept_in(&outputs);
            files::finish(outputs, |kind| match kind {
                Kind::Ndjson => made.to_json_line(),
                _ => made.to_json(),
            })?;
            return kept.map_or(Ok(()), |file| files::tell_awaited(&made, &file));
        };
        self.chance.warn(run);
        let line = |number: u32| -> Result<String, Failure> {
            let randomness = match &self.chance.seed {
                Some(text) => Randomness::from_text(&format!("{text}/{number}")),
                None => self.chance.randomness()?,
            };
            Ok(start(randomness)?.to_json_line())
        };
        let mut lines = files::Lines::new(run, files::only(run, "ndjson")?, run.options.replace)?;
        // Each batch is written before the next one is dealt: memory stays bounded.
        for first in (1..=count).step_by(BATCH) {
            let last = count.min(first.saturating_add(BATCH as u32 - 1));
            run.threads();
            let batch: Result<Vec<String>, Failure> =
                (first..=last).into_par_iter().map(line).collect();
            if !lines.write(&batch?.concat())? {
                break;
            }
        }
        lines.finish()
    }
}
