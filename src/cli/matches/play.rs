//! `match play`: two people at one keyboard, and a table that knows no rules.

use super::asking::{Ended, set_up};
use super::games::PlayedFormat;
use super::kept::Kept;
use super::turns::turns;
use super::{Failure, Run, files, warn};
use crate::cli::files::{Exchange, Readers, exchange};
use crate::cli::output::is_same;
use crate::matches::{Match, Play, UnprovedPlay};
use crate::text::{counted, harmless};
use std::path::{Path, PathBuf};

/// Play on from a match: two people, one keyboard, no rules
///
/// What the setup still has to decide is asked first, and kept in the match file. Every move is kept in the file of `--to`, or
/// beside the match in NAME.play.json; where that file holds a game of this match already, it
/// is carried on, and any other file there is left alone.
#[derive(Debug, clap::Args)]
pub(crate) struct PlayOn {
    /// The match file, or a play file
    file: PathBuf,
}

impl PlayOn {
    pub(super) fn run(&self, run: &Run) -> Result<(), Failure> {
        files::only_to_screen(run)?;
        if self.file.as_os_str() == "-" {
            return Err(Failure::call(
                "moves are typed on standard input, so the match must be in a file",
            ));
        }
        let text = files::read(run, &self.file)?;
        let begun = UnprovedPlay::is_one(&text);
        let play = if begun {
            let (play, _, warning) = files::prove_play(&text, &self.file, run)?;
            warning.iter().for_each(|warning| warn(run, warning));
            play
        } else {
            let (start, format, warning) = files::prove_match(&text, &self.file, run)?;
            warning.iter().for_each(|warning| warn(run, warning));
            match set_up_in(&self.file, text.clone(), start, format, run)? {
                Some(start) => Play::begin(start)?,
                None => return Ok(()),
            }
        };
        if play.now.table.seats.len() == 1 {
            return Err(Failure::refused(
                "one player plays this game alone: carry it on with `match goldfish`",
            ));
        }
        let kept = match &run.options.to {
            Some(to) => to.clone(),
            None if begun => self.file.clone(),
            None => self.file.with_extension("play.json"),
        };
        let (play, mut kept) = match begun && is_same(&kept, &self.file) {
            true => (play, Kept::read(&kept, &text, run)),
            false => carried_on(play, &kept, run)?,
        };
        // Without a card pool nothing is told of cards, and the game goes on.
        let id = play.start.inputs.format.clone();
        let format = PlayedFormat::of_file(&id, &kept.shown(), run).ok();
        let settings = &play.start.inputs.settings;
        let format = format.and_then(|format| format.judging(settings, run).ok());
        turns(run, play, &mut kept, format.as_ref())
    }
}

/// Asks for what is pending, and keeps each decision in the match file. `None`: the players
/// left before it was ready.
pub(super) fn set_up_in(
    path: &Path,
    mut text: Vec<u8>,
    start: Match,
    format: PlayedFormat,
    run: &Run,
) -> Result<Option<Match>, Failure> {
    if start.pending.is_empty() {
        return Ok(Some(start));
    }
    let format = format.judging(&start.inputs.settings, run)?;
    let keep = |made: &Match| -> Result<Option<Match>, Failure> {
        let after = made.to_json().into_bytes();
        match exchange(run, path, &text, &after, Readers::Owner)? {
            Exchange::Done => {
                text = after;
                Ok(None)
            }
            Exchange::Changed => {
                text = files::bytes_of(path)?;
                let (newer, _, _) = files::prove_match(&text, path, run)?;
                Ok(Some(newer))
            }
        }
    };
    match set_up(run, start, &format, keep)? {
        Ended::Ready(made) => Ok(Some(*made)),
        Ended::Left(made) => {
            let file = path.display().to_string();
            files::print(&format!(
                "\nThe setup is not finished; {} holds what was decided: {}\n",
                harmless(&file, false),
                counted(made.inputs.decisions.len() as i64, "decision")
            ))?;
            Ok(None)
        }
    }
}

/// The game that a file holds already, where it is of the same match and nothing of it would
/// be lost; `play` itself where there is no such file, or where it may be replaced.
fn carried_on<'a>(play: Play, path: &Path, run: &'a Run) -> Result<(Play, Kept<'a>), Failure> {
    let found = std::fs::metadata(path);
    let there = found.is_ok_and(|found| found.is_file() && found.len() > 0);
    if !there || run.options.replace {
        return Ok((play, Kept::new(path, run.options.replace, run)));
    }
    let shown = harmless(&path.display().to_string(), false).into_owned();
    let other = || {
        Failure::call(format!(
            "{shown} exists already and does not hold this game; name another file with `--to`, \
             or let the game take its place with `--replace`"
        ))
    };
    let text = files::read(run, path)?;
    if !UnprovedPlay::is_one(&text) {
        return Err(other());
    }
    let (kept, _, _) = files::prove_play(&text, path, run)?;
    let same_match = kept.start.inputs_digest() == play.start.inputs_digest();
    if !same_match || !kept.entries.starts_with(&play.entries) {
        return Err(other());
    }
    let moves = counted(kept.entries.len() as i64, "move");
    files::print(&format!(
        "The game in {shown} is carried on after {moves}.\n"
    ))?;
    Ok((kept, Kept::read(path, &text, run)))
}

/// Says how far the transcript goes, so that the players can write it down.
pub(super) fn leave(play: &Play) -> Result<(), Failure> {
    let moves = counted(play.entries.len() as i64, "move");
    files::print(&format!(
        "\n{moves} kept; the last hash is\n{}\n",
        play.last_hash()
    ))
}
