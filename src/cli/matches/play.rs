//! `match play`: a table that knows no rules, in the browser or line by line.

use super::asking::{Ended, set_up};
use super::games::PlayedFormat;
use super::kept::Kept;
use super::turns::turns;
use super::{Failure, Run, files, warn};
use crate::cli::files::{Draft, Exchange, Readers, exchange};
use crate::cli::output::is_same;
use crate::matches::{Match, Play, UnprovedPlay};
use crate::text::{counted, harmless};
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// Play on from a match, in the browser or line by line; what --to keeps is carried on
// What the setup still has to decide is asked first, and kept in the match file. Every move is kept
// in the file of `--to`, or beside the match in NAME.play.json; where that file holds a game of this
// match already, it is carried on, and any other file there is left alone. Without a terminal, as in
// a script, moves are read from standard input, a line each.
#[derive(Debug, clap::Args)]
pub(crate) struct PlayOn {
    /// The match file, or a play file
    file: PathBuf,
    /// Play in the terminal, a line for each move
    #[arg(long)]
    plain: bool,
    /// Print the address of the table and open no browser
    #[arg(long, conflicts_with = "plain")]
    no_open: bool,
}

/// What a file holds.
enum Held {
    Match(Box<Match>, Box<PlayedFormat>),
    Play(Box<Play>),
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
        let held = if begun {
            let (play, _, warning) = files::prove_play(&text, &self.file, run)?;
            warning.iter().for_each(|warning| warn(run, warning));
            Held::Play(Box::new(play))
        } else {
            let (start, format, warning) = files::prove_match(&text, &self.file, run)?;
            warning.iter().for_each(|warning| warn(run, warning));
            Held::Match(Box::new(start), Box::new(format))
        };
        let seats = match &held {
            Held::Match(made, _) => made.table.seats.len(),
            Held::Play(play) => play.now.table.seats.len(),
        };
        if seats == 1 {
            return Err(Failure::refused(
                "one player plays this game alone: carry it on with `match goldfish`",
            ));
        }
        let kept = match &run.options.to {
            Some(to) => to.clone(),
            None if begun => self.file.clone(),
            None => self.file.with_extension("play.json"),
        };
        if self.no_open || !self.plain && io::stdin().is_terminal() && io::stdout().is_terminal() {
            return self.at_a_table(held, &text, &kept, run);
        }
        let play = match held {
            Held::Play(play) => *play,
            Held::Match(start, format) => {
                match set_up_in(&self.file, text.clone(), *start, *format, run)? {
                    Some(start) => Play::begin(start)?,
                    None => return Ok(()),
                }
            }
        };
        let (play, kept) = match begun && is_same(&kept, &self.file) {
            true => (play, Kept::read(&kept, &text, run)),
            false => carried_on(play, &kept, run)?,
        };
        // Without a card pool nothing is told of cards, and the game goes on.
        let id = play.start.inputs.format.clone();
        let format = PlayedFormat::of_file(&id, &kept.shown(), run).ok();
        let settings = &play.start.inputs.settings;
        let format = format.and_then(|format| format.judging(settings, run).ok());
        turns(run, play, Some(kept), format.as_ref(), None)
    }

    /// Opens the table in the browser. Decisions go to the match file, moves to `kept`.
    fn at_a_table(&self, held: Held, text: &[u8], kept: &Path, run: &Run) -> Result<(), Failure> {
        let file = match held {
            Held::Match(made, _) if !made.pending.is_empty() => {
                if kept.exists() && !run.options.replace {
                    return Err(elsewhere(kept));
                }
                made.to_json()
            }
            Held::Match(made, _) => carried_on(Play::begin(*made)?, kept, run)?.0.to_json(),
            Held::Play(play) if is_same(kept, &self.file) => play.to_json(),
            Held::Play(play) => carried_on(*play, kept, run)?.0.to_json(),
        };
        let file_name = self.file.file_stem().unwrap_or_default();
        // What each file held when it was last read or written.
        let known = Mutex::new([Some(text.to_owned()), std::fs::read(kept).ok()]);
        let paths = [self.file.clone(), kept.to_owned()];
        let (own, open) = (run.clone(), !self.no_open);
        let write = move |text: &str, begun: bool| -> Result<(), String> {
            let at = usize::from(begun);
            let path = &paths[at];
            let mut known = known.lock().unwrap_or_else(PoisonError::into_inner);
            let written = match &known[at] {
                Some(before) => exchange(&own, path, before, text.as_bytes(), Readers::Owner),
                None => Draft::fresh(&own, path, Readers::Owner, false)
                    .and_then(|draft| draft.whole(text.as_bytes()))
                    .map(|()| Exchange::Done),
            };
            match written {
                Ok(Exchange::Done) => {
                    known[at] = Some(text.as_bytes().to_vec());
                    Ok(())
                }
                Ok(Exchange::Changed) => Err(format!(
                    "{} was changed meanwhile; call `decklaw match play` again to go on from it",
                    path.display()
                )),
                Err(crate::cli::Refusal(message)) => Err(message),
            }
        };
        let to_play = crate::serve::ToPlay {
            title: file_name.to_string_lossy().into_owned(),
            file,
            write: Box::new(write),
        };
        match crate::cli::serve::play(to_play, open, run) {
            Ok(_) => Ok(()),
            Err(crate::cli::Refusal(message)) => Err(Failure::call(message)),
        }
    }
}

/// Refuses a file that holds something else.
fn elsewhere(path: &Path) -> Failure {
    Failure::call(format!(
        "{} exists already and does not hold this game; name another file with `--to`, or let the \
         game take its place with `--replace`",
        harmless(&path.display().to_string(), false)
    ))
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
    let text = files::read(run, path)?;
    if !UnprovedPlay::is_one(&text) {
        return Err(elsewhere(path));
    }
    let (kept, _, _) = files::prove_play(&text, path, run)?;
    let same_match = kept.start.inputs_digest() == play.start.inputs_digest();
    if !same_match || !kept.entries.starts_with(&play.entries) {
        return Err(elsewhere(path));
    }
    let moves = counted(kept.entries.len() as i64, "move");
    files::print(&format!(
        "The game in {shown} is carried on after {moves}.\n"
    ))?;
    Ok((kept, Kept::read(path, &text, run)))
}
