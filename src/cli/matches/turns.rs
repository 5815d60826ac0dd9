//! Turn after turn, a line at a time: people at one keyboard, or one who tries a deck alone.

use super::asides::{self, answered};
use super::games::PlayedFormat;
use super::kept::{Kept, Written, moves_meanwhile};
use super::line::ask;
use super::{Failure, Run, files};
use crate::matches::{Move, Play, Reader, SeatId, moves_help};
use crate::odds::OddsDefaults;
use crate::text::{counted, harmless};
use std::collections::BTreeMap;

/// What can be typed; `alone` says how the turns of one player draw.
fn help(alone: Option<&OddsDefaults>) -> String {
    let mut text = moves_help() + "\n";
    if let Some(draws) = alone {
        text.push_str(
            "next [N]                         the next turn; N cards instead of the game's own draw\n",
        );
        if let Some(event) = &draws.event {
            let typed = format!("event {}", event.name);
            text.push_str(&format!("{typed:32} {}\n", event.told));
        }
    }
    text.push_str(&format!("Also:\n{}\n", asides::HELP));
    text
}

/// Move after move, until somebody leaves. Without `kept` no move is kept; `alone` says how the
/// turns of one player draw.
pub(super) fn turns(
    run: &Run,
    mut play: Play,
    mut kept: Option<Kept<'_>>,
    format: Option<&PlayedFormat>,
    alone: Option<&OddsDefaults>,
) -> Result<(), Failure> {
    files::print(&help(alone))?;
    if alone.is_some_and(|draws| draws.draws.is_none()) {
        say("how this game draws is not known: `next N` draws N cards")?;
    }
    if let Some(kept) = &mut kept {
        say(&format!("every move is kept in {}", kept.shown()))?;
        if alone.is_some() {
            let before = play.entries.len();
            if let Written::Meanwhile(newer) = kept.write(&play, before)? {
                play = *newer;
            }
        }
    }
    let mut seated: Option<SeatId> = None;
    // How many moves each seat has been shown at the end of its turn.
    let mut seen: BTreeMap<SeatId, usize> = BTreeMap::new();
    loop {
        let by = play.now.active;
        if seated != Some(by) {
            seen.extend(seated.map(|before| (before, play.entries.len())));
            seated = Some(by);
            show(&play, by)?;
            if let Some(from) = seen.get(&by) {
                meanwhile(&play, by, *from)?;
            }
        }
        let question = match alone {
            Some(_) => format!("turn {}> ", play.now.turns),
            None => format!("{by}> "),
        };
        let line = ask(&question)?;
        let line = line.as_deref().unwrap_or("quit");
        let words: Vec<&str> = line.split_whitespace().collect();
        // Cards that a turn should draw and the pile does not have.
        let mut missing = 0;
        let done = match (words.as_slice(), alone) {
            ([], _) => continue,
            (["quit" | "q"], _) => return kept.map_or(Ok(()), |_| leave(&play)),
            (["help" | "?"], _) => {
                files::print(&help(alone))?;
                continue;
            }
            (["show"], _) => {
                show(&play, by)?;
                continue;
            }
            (["undo" | "u"], _) => {
                let question = "Does everybody agree to take the last move back? (yes) ";
                if alone.is_none() && !agrees(question)? {
                    continue;
                }
                let by = play.now.table.seat_ids().collect();
                Ok(Move::Undo { by })
            }
            (["next" | "pass" | "p"], Some(draws)) => {
                let (done, short) = play.next_turn(draws, None);
                missing = short;
                Ok(done)
            }
            (["next", number], Some(draws)) => {
                let Ok(number) = number.parse() else {
                    run.complain("not done", "`next N` draws a whole number of cards");
                    continue;
                };
                let (done, short) = play.next_turn(draws, Some(number));
                missing = short;
                Ok(done)
            }
            (["event", name], Some(draws)) => play.event(draws.event.as_ref(), name),
            _ => {
                if let Some(told) = answered(line, &play, by, format)? {
                    files::print(&told)?;
                    continue;
                }
                let (seat, wanted) = out_of_turn(line, by);
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
        if let Err(error) = done.and_then(|done| play.act(done)) {
            // A slip of the keyboard ends no game.
            run.complain("not done", &error.to_string());
            continue;
        }
        if let Some(kept) = &mut kept
            && let Written::Meanwhile(newer) = kept.write(&play, before)?
        {
            run.complain("not done", &moves_meanwhile(&newer, before, by)?);
            play = *newer;
            continue;
        }
        match &remarked {
            Ok(Move::Look { .. }) => print_lines("", &play.log(Reader::Seat(by), before)?)?,
            _ if play.now.active == by => show(&play, by)?,
            _ => (),
        }
        if missing > 0 {
            let what = alone.and_then(|draws| draws.empty_deck.as_deref());
            let cards = counted(i64::from(missing), "card");
            say(&format!(
                "{cards} could not be drawn. {}",
                what.unwrap_or_default()
            ))?;
        }
        for remark in remarked.iter().flat_map(|done| play.remarks(done)) {
            say(&remark)?;
        }
    }
}

fn say(message: &str) -> Result<(), Failure> {
    files::print(&format!("note: {}\n", harmless(message, false)))
}

fn print_lines(indent: &str, lines: &[String]) -> Result<(), Failure> {
    let each = lines.iter();
    let each = each.map(|line| format!("{indent}{}\n", harmless(line, false)));
    files::print(&each.collect::<String>())
}

/// Asks whether somebody agrees.
fn agrees(question: &str) -> Result<bool, Failure> {
    Ok(matches!(ask(question)?.as_deref(), Some("yes" | "y")))
}

/// The most moves of others that are told when another seat acts.
const LAST: usize = 8;

/// Says what happened since a seat's last turn, the end of it where it was much.
fn meanwhile(play: &Play, by: SeatId, from: usize) -> Result<(), Failure> {
    let lines = play.log(Reader::Seat(by), from)?;
    if lines.is_empty() {
        return Ok(());
    }
    let left_out = lines.len().saturating_sub(LAST);
    files::print("Since your last turn:\n")?;
    if left_out > 0 {
        files::print(&format!("  … {left_out} more; `match log` tells all\n"))?;
    }
    print_lines("  ", &lines[left_out..])
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
    if seat != active
        && seat.index() < play.now.table.seats.len()
        && !agrees(&format!(
            "Do the others agree that seat {seat} acts now? (yes) "
        ))?
    {
        return Ok(false);
    }
    // What is wrong with the move is told when it is done.
    let needed = play.now.needs_leave(done).unwrap_or_default();
    for owner in &needed {
        if !agrees(&format!("Does seat {owner} give leave? (yes) "))? {
            return Ok(false);
        }
    }
    if let Move::Look { leave, .. } | Move::Random { leave, .. } = done {
        *leave = needed;
    }
    Ok(true)
}

/// Shows a seat what its player may see.
fn show(play: &Play, by: SeatId) -> Result<(), Failure> {
    files::print(&play.shown_to(by)?)
}

/// Says how far the transcript goes, so that the players can write it down.
fn leave(play: &Play) -> Result<(), Failure> {
    let moves = counted(play.entries.len() as i64, "move");
    files::print(&format!(
        "\n{moves} kept; the last hash is\n{}\n",
        play.last_hash()
    ))
}
