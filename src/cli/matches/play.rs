//! `match play`: two people at one keyboard, and a table that knows no rules.

use super::asking::{Ended, set_up};
use super::games::Format;
use super::kept::{Kept, Written, told};
use super::{Failure, Options, files, terminal, warn};
use crate::cli::files::{Exchange, Readers, exchange};
use crate::cli::output::is_same;
use crate::matches::{Match, Move, Play, Reader, SeatId, UnprovedPlay, moves_help};
use crate::text::{counted, harmless};
use std::collections::BTreeMap;
use std::io::{self, BufRead, IsTerminal};
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
    pub(super) fn run(&self, options: &Options) -> Result<(), Failure> {
        files::only_to_screen(options)?;
        if self.file.as_os_str() == "-" {
            return Err(Failure::call(
                "moves are typed on standard input, so the match must be in a file",
            ));
        }
        let text = files::read(&self.file)?;
        let begun = UnprovedPlay::is_one(&text);
        let play = if begun {
            let (play, _, warning) = files::prove_play(&text, &self.file, options)?;
            warning.iter().for_each(|warning| warn(warning));
            play
        } else {
            let (start, format, warning) = files::prove_match(&text, &self.file, options)?;
            warning.iter().for_each(|warning| warn(warning));
            match set_up_in(&self.file, text.clone(), start, format, options)? {
                Some(start) => Play::begin(start)?,
                None => return Ok(()),
            }
        };
        if play.now.table.seats.len() == 1 {
            return Err(Failure::refused(
                "one player plays this game alone: carry it on with `match goldfish`",
            ));
        }
        let kept = match &options.to {
            Some(to) => to.clone(),
            None if begun => self.file.clone(),
            None => self.file.with_extension("play.json"),
        };
        let (play, mut kept) = match begun && is_same(&kept, &self.file) {
            true => (play, Kept::read(&kept, &text, options)),
            false => carried_on(play, &kept, options)?,
        };
        turns(play, &mut kept)
    }
}

/// Asks for what is pending, and keeps each decision in the match file. `None`: the players
/// left before it was ready.
pub(super) fn set_up_in(
    path: &Path,
    mut text: Vec<u8>,
    start: Match,
    format: Format,
    options: &Options,
) -> Result<Option<Match>, Failure> {
    if start.pending.is_empty() {
        return Ok(Some(start));
    }
    let format = format.judging(&start.inputs.settings, options)?;
    let keep = |made: &Match| -> Result<Option<Match>, Failure> {
        let after = made.to_json().into_bytes();
        match exchange(path, &text, &after, Readers::Owner)? {
            Exchange::Done => {
                text = after;
                Ok(None)
            }
            Exchange::Changed => {
                text = files::bytes_of(path)?;
                let (newer, _, _) = files::prove_match(&text, path, options)?;
                Ok(Some(newer))
            }
        }
    };
    match set_up(start, &format, keep)? {
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
fn carried_on<'a>(
    play: Play,
    path: &Path,
    options: &'a Options,
) -> Result<(Play, Kept<'a>), Failure> {
    let found = std::fs::metadata(path);
    let there = found.is_ok_and(|found| found.is_file() && found.len() > 0);
    if !there || options.replace {
        return Ok((play, Kept::new(path, options.replace, options)));
    }
    let shown = harmless(&path.display().to_string(), false).into_owned();
    let other = || {
        Failure::call(format!(
            "{shown} exists already and does not hold this game; name another file with `--to`, \
             or let the game take its place with `--replace`"
        ))
    };
    let text = files::read(path)?;
    if !UnprovedPlay::is_one(&text) {
        return Err(other());
    }
    let (kept, _, _) = files::prove_play(&text, path, options)?;
    let same_match = kept.start.inputs_digest() == play.start.inputs_digest();
    if !same_match || !kept.entries.starts_with(&play.entries) {
        return Err(other());
    }
    let moves = counted(kept.entries.len() as i64, "move");
    files::print(&format!(
        "The game in {shown} is carried on after {moves}.\n"
    ))?;
    Ok((kept, Kept::read(path, &text, options)))
}

/// Move after move, until somebody leaves.
fn turns(mut play: Play, kept: &mut Kept<'_>) -> Result<(), Failure> {
    let screen = io::stdin().is_terminal() && io::stdout().is_terminal();
    files::print(&format!(
        "{}\nAlso: show, help, quit. Every move is kept in {}\n",
        moves_help(),
        kept.shown()
    ))?;
    let mut seated: Option<SeatId> = None;
    // How many moves each seat has been shown at the end of its turn.
    let mut shown: BTreeMap<SeatId, usize> = BTreeMap::new();
    loop {
        let by = play.now.active;
        if seated != Some(by) {
            shown.extend(seated.map(|before| (before, play.entries.len())));
            if screen {
                // Away with what the other seat saw.
                files::print("\u{1b}[2J\u{1b}[3J\u{1b}[H")?;
                if ask(&format!("Seat {by}, take the keyboard and press Enter: "))?.is_none() {
                    return leave(&play);
                }
            }
            seated = Some(by);
            show(&play, by)?;
            if let Some(from) = shown.get(&by) {
                meanwhile(&play, by, *from)?;
            }
        }
        let Some(line) = ask(&format!("{by}> "))? else {
            return leave(&play);
        };
        let done = match line.as_str() {
            "" => continue,
            "quit" => return leave(&play),
            "help" => {
                files::print(&format!("{}\n", moves_help()))?;
                continue;
            }
            "show" => {
                show(&play, by)?;
                continue;
            }
            "undo" => {
                let seats: Vec<SeatId> = play.now.table.seat_ids().collect();
                let answer = ask("Does everybody agree to take the last move back? (yes) ")?;
                if answer.as_deref() != Some("yes") {
                    continue;
                }
                Ok(Move::Undo { by: seats })
            }
            typed => {
                let (seat, typed) = out_of_turn(typed, by);
                match play.typed(typed, seat) {
                    Ok(mut done) => match agreed(&play, &mut done, seat, by)? {
                        true => Ok(done),
                        false => continue,
                    },
                    wrong => wrong,
                }
            }
        };
        let before = play.entries.len();
        let looks = matches!(&done, Ok(Move::Look { .. }));
        match done.and_then(|done| play.act(done)) {
            Ok(()) => {
                if let Written::Meanwhile(newer) = kept.write(&play, before)? {
                    terminal::complain("not done", &told(&newer, before));
                    play = *newer;
                }
                if looks {
                    let seen = play.log(Reader::Seat(by), before)?;
                    seen.iter().try_for_each(|line| {
                        files::print(&format!("{}\n", harmless(line, false)))
                    })?;
                } else if play.now.active == by {
                    show(&play, by)?;
                }
            }
            Err(error) => {
                // A slip of the keyboard ends no game.
                terminal::complain("not done", &error.to_string());
            }
        }
    }
}

/// The most moves of others that are told when the keyboard is handed over.
const LAST: usize = 8;

/// Tells a seat what happened since its last turn, the end of it where it was much.
fn meanwhile(play: &Play, by: SeatId, from: usize) -> Result<(), Failure> {
    let lines = play.log(Reader::Seat(by), from)?;
    if lines.is_empty() {
        return Ok(());
    }
    let left_out = lines.len().saturating_sub(LAST);
    let mut text = "Since your last turn:\n".to_owned();
    if left_out > 0 {
        text.push_str(&format!("  … {left_out} more; `match log` tells all\n"));
    }
    for line in &lines[left_out..] {
        text.push_str(&format!("  {}\n", harmless(line, false)));
    }
    files::print(&text)
}

/// Who acts, and what is typed behind `B:`.
fn out_of_turn(typed: &str, by: SeatId) -> (SeatId, &str) {
    let named = typed.split_once(':').and_then(|(seat, rest)| {
        let seat = SeatId::parse(seat.trim())?;
        Some((seat, rest.trim()))
    });
    named.unwrap_or((by, typed))
}

/// Asks for the leave that a move takes, and whether the others let a seat act out of turn.
fn agreed(play: &Play, done: &mut Move, seat: SeatId, active: SeatId) -> Result<bool, Failure> {
    if seat != active && seat.index() < play.now.table.seats.len() {
        let question = format!("Do the others agree that seat {seat} acts now? (yes) ");
        if ask(&question)?.as_deref() != Some("yes") {
            return Ok(false);
        }
    }
    // What is wrong with the move is told when it is done.
    let needed = play.now.needs_leave(done).unwrap_or_default();
    for owner in &needed {
        let question = format!("Does seat {owner} give leave? (yes) ");
        if ask(&question)?.as_deref() != Some("yes") {
            return Ok(false);
        }
    }
    if let Move::Look { leave, .. } | Move::Random { leave, .. } = done {
        *leave = needed;
    }
    Ok(true)
}

/// Says how far the transcript goes, so that the players can write it down.
pub(super) fn leave(play: &Play) -> Result<(), Failure> {
    let moves = counted(play.entries.len() as i64, "move");
    files::print(&format!(
        "\n{moves} kept; the last hash is\n{}\n",
        play.last_hash()
    ))
}

/// Asks for a line; `None` at the end of input.
pub(super) fn ask(question: &str) -> Result<Option<String>, Failure> {
    files::print(question)?;
    let mut line = String::new();
    match io::stdin().lock().read_line(&mut line) {
        Ok(0) => Ok(None),
        Ok(_) => Ok(Some(line.trim().to_owned())),
        Err(error) => Err(Failure::refused(format!("cannot read: {error}"))),
    }
}

/// Shows a seat what its player may see.
pub(super) fn show(play: &Play, by: SeatId) -> Result<(), Failure> {
    files::print(&play.shown_to(by)?)
}
