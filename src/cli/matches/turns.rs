//! Turn after turn at one keyboard.

use super::asides::{self, answered};
use super::asking::is_screen;
use super::games::PlayedFormat;
use super::kept::{Kept, Written, told};
use super::line::{ask, ask_with};
use super::pages::{self, CLEAR, shown};
use super::play::leave;
use super::{Failure, Run, files};
use crate::cli::terminal;
use crate::matches::{Move, Play, Reader, SeatId, moves_help};
use crate::text::harmless;
use std::collections::BTreeMap;

/// What stands below the table: messages of one line each.
#[derive(Debug, Default)]
pub(super) struct Below(Vec<String>);

impl Below {
    /// Says something below the table: at once where there is no screen.
    pub(super) fn say(&mut self, run: &Run, kind: &str, message: &str) -> Result<(), Failure> {
        if is_screen() {
            let line = message.lines().next().unwrap_or_default();
            self.0.push(format!("{kind}: {}", harmless(line, false)));
        } else if kind == "note" {
            files::print(&format!("note: {}\n", harmless(message, false)))?;
        } else {
            run.complain(kind, message);
        }
        Ok(())
    }

    /// Draws the table with what stands above and below it. What was said is forgotten then.
    pub(super) fn draw(
        &mut self,
        play: &Play,
        by: SeatId,
        above: &[String],
    ) -> Result<(), Failure> {
        let (columns, rows) = pages::size();
        let messages: Vec<String> = std::mem::take(&mut self.0);
        let messages = cut(&messages, columns, 3);
        let above = cut(above, columns, rows / 3);
        let room = rows.saturating_sub(messages.len() + above.len() + 1);
        let table = play.screen(Reader::Seat(by), columns, room)?;
        let mut text = CLEAR.to_owned();
        for line in above.iter().chain(&table).chain(&messages) {
            text.push_str(line);
            text.push('\n');
        }
        files::print(&text)
    }
}

/// Lines broken at spaces, the last ones of them where they are more than there is room for.
fn cut(lines: &[String], columns: usize, most: usize) -> Vec<String> {
    let lines: Vec<String> = lines
        .iter()
        .flat_map(|line| terminal::wrapped(line, columns))
        .collect();
    lines[lines.len().saturating_sub(most)..].to_vec()
}

/// Move after move, until somebody leaves.
pub(super) fn turns(
    run: &Run,
    mut play: Play,
    kept: &mut Kept<'_>,
    format: Option<&PlayedFormat>,
) -> Result<(), Failure> {
    let screen = is_screen();
    let mut below = Below::default();
    if screen {
        below.say(
            run,
            "note",
            "every move is kept; `help` lists moves, Tab completes, `quit` leaves",
        )?;
    } else {
        files::print(&format!(
            "{}\nAlso:\n{}\nEvery move is kept in {}\n",
            moves_help(),
            asides::HELP,
            kept.shown()
        ))?;
    }
    let mut seated: Option<SeatId> = None;
    // How many moves each seat has been shown at the end of its turn.
    let mut seen: BTreeMap<SeatId, usize> = BTreeMap::new();
    // What was typed while something was shown.
    let mut typed = String::new();
    loop {
        let by = play.now.active;
        let mut above = Vec::new();
        if seated != Some(by) {
            seen.extend(seated.map(|before| (before, play.entries.len())));
            if screen {
                // Away with what the other seat saw.
                files::print(CLEAR)?;
                if ask(&format!("Seat {by}, take the keyboard and press Enter: "))?.is_none() {
                    return leave(&play);
                }
            }
            seated = Some(by);
            if let Some(from) = seen.get(&by) {
                above = meanwhile(&play, by, *from)?;
            }
            if !screen {
                show(&play, by)?;
                above
                    .iter()
                    .try_for_each(|line| files::print(&format!("{line}\n")))?;
            }
        }
        if screen {
            below.draw(&play, by, &above)?;
        }
        let complete = |line: &str| play.completions(line, by);
        let line = match std::mem::take(&mut typed) {
            typed if typed.is_empty() => ask_with(&format!("{by}> "), &complete)?,
            typed => Some(typed),
        };
        let Some(line) = line else {
            return leave(&play);
        };
        let done = match line.as_str() {
            "" => continue,
            "quit" | "q" => return leave(&play),
            "help" | "?" => {
                typed = shown(&format!("{}\n{}\n", moves_help(), asides::HELP))?;
                continue;
            }
            "show" => {
                if !screen {
                    show(&play, by)?;
                }
                continue;
            }
            "undo" | "u" => {
                let seats: Vec<SeatId> = play.now.table.seat_ids().collect();
                let answer = ask("Does everybody agree to take the last move back? (yes) ")?;
                if !is_yes(answer.as_deref()) {
                    continue;
                }
                Ok(Move::Undo { by: seats })
            }
            wanted => {
                if let Some(told) = answered(wanted, &play, by, format)? {
                    typed = shown(&told)?;
                    continue;
                }
                let (seat, wanted) = out_of_turn(wanted, by);
                match play.typed(wanted, seat) {
                    Ok(mut done) => match agreed(&play, &mut done, seat, by)? {
                        true => Ok(done),
                        false => continue,
                    },
                    wrong => wrong,
                }
            }
        };
        let before = play.entries.len();
        let remarked = done.clone();
        match done.and_then(|done| play.act(done)) {
            Ok(()) => {
                if let Written::Meanwhile(newer) = kept.write(&play, before)? {
                    below.say(run, "not done", &told(&newer, before, by)?)?;
                    play = *newer;
                    continue;
                }
                let looks = matches!(&remarked, Ok(Move::Look { .. }));
                if looks {
                    let seen = play.log(Reader::Seat(by), before)?;
                    typed = shown(&lines(&seen))?;
                } else if play.now.active == by && !screen {
                    show(&play, by)?;
                }
                for remark in remarked.iter().flat_map(|done| play.remarks(done)) {
                    below.say(run, "note", &remark)?;
                }
            }
            // A slip of the keyboard ends no game.
            Err(error) => below.say(run, "not done", &error.to_string())?,
        }
    }
}

/// Whether somebody agrees.
fn is_yes(answer: Option<&str>) -> bool {
    matches!(answer, Some("yes" | "y"))
}

fn lines(told: &[String]) -> String {
    let each = told
        .iter()
        .map(|line| harmless(line, false).into_owned() + "\n");
    each.collect()
}

/// The most moves of others that are told when the keyboard is handed over.
const LAST: usize = 8;

/// What happened since a seat's last turn, the end of it where it was much: lines.
fn meanwhile(play: &Play, by: SeatId, from: usize) -> Result<Vec<String>, Failure> {
    let lines = play.log(Reader::Seat(by), from)?;
    if lines.is_empty() {
        return Ok(Vec::new());
    }
    let left_out = lines.len().saturating_sub(LAST);
    let mut told = vec!["Since your last turn:".to_owned()];
    if left_out > 0 {
        told.push(format!("  … {left_out} more; `match log` tells all"));
    }
    let last = lines[left_out..].iter();
    told.extend(last.map(|line| format!("  {}", harmless(line, false))));
    Ok(told)
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
        if !is_yes(ask(&question)?.as_deref()) {
            return Ok(false);
        }
    }
    // What is wrong with the move is told when it is done.
    let needed = play.now.needs_leave(done).unwrap_or_default();
    for owner in &needed {
        let question = format!("Does seat {owner} give leave? (yes) ");
        if !is_yes(ask(&question)?.as_deref()) {
            return Ok(false);
        }
    }
    if let Move::Look { leave, .. } | Move::Random { leave, .. } = done {
        *leave = needed;
    }
    Ok(true)
}

/// Shows a seat what its player may see.
pub(super) fn show(play: &Play, by: SeatId) -> Result<(), Failure> {
    files::print(&play.shown_to(by)?)
}
