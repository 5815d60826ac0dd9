//! `match play`: two people at one keyboard, and a table that knows no rules.

use super::{Failure, Options, files, terminal};
use crate::matches::{MOVES_HELP, Move, Play, Reader, SeatId};
use std::io::{self, BufRead, IsTerminal};
use std::path::PathBuf;

/// Plays on from a match that is ready, or from a game that was begun. The transcript is
/// kept in the file of `--to`, or beside the match; a play file is carried on.
#[derive(Debug, clap::Args)]
pub(crate) struct PlayOn {
    /// The match file, or a play file
    file: PathBuf,
}

impl PlayOn {
    pub(super) fn run(&self, options: &Options) -> Result<(), Failure> {
        let (mut play, _) = files::read_play(&self.file, options)?;
        let to = options
            .to
            .clone()
            .unwrap_or_else(|| self.file.with_extension("play.json"));
        let is_play = self.file.to_string_lossy().ends_with(".play.json");
        let to = if options.to.is_none() && is_play {
            self.file.clone()
        } else {
            to
        };
        let screen = io::stdin().is_terminal() && io::stdout().is_terminal();
        files::print(&format!(
            "{MOVES_HELP}\nAlso: show, help, quit. Every move is kept in {}\n",
            to.display()
        ))?;
        let mut seated: Option<SeatId> = None;
        loop {
            let by = play.now.active;
            if seated != Some(by) {
                if screen {
                    // Away with what the other seat saw.
                    files::print("\u{1b}[2J\u{1b}[3J\u{1b}[H")?;
                    if ask(&format!("Seat {by}, take the keyboard and press Enter: "))?.is_none() {
                        return Ok(());
                    }
                }
                seated = Some(by);
                show(&play, by)?;
            }
            let Some(line) = ask(&format!("{by}> "))? else {
                return Ok(());
            };
            let done = match line.as_str() {
                "" => continue,
                "quit" => return Ok(()),
                "help" => {
                    files::print(&format!("{MOVES_HELP}\n"))?;
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
                typed => play.typed(typed, by),
            };
            match done.and_then(|done| play.act(done)) {
                Ok(()) => {
                    files::keep(&to, &play.to_json())?;
                    if play.now.active == by {
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

pub(super) fn show(play: &Play, by: SeatId) -> Result<(), Failure> {
    let view = play.as_match().view(Reader::Seat(by))?;
    let mut text = view.to_text();
    if let Some((who, value)) = play.now.last_roll {
        text.push_str(&format!("Last roll: {value} (seat {who})\n"));
    }
    if !play.now.turned.is_empty() {
        let turned = play
            .now
            .turned
            .iter()
            .map(|card| play.now.table.instance(*card).id.as_str());
        text.push_str(&format!(
            "Turned sideways: {}\n",
            turned.collect::<Vec<_>>().join(" ")
        ));
    }
    files::print(&text)
}
