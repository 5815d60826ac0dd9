//! Setting up by asking: each thing that is pending is a question with its answers numbered.

use super::games::Format;
use super::line::ask;
use super::{Failure, files, terminal};
use crate::matches::{
    Answer, Match, Question, Randomness, Reader, SeatId, Seed, read_decision, spec_commitment,
};
use crate::text::harmless;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io::{self, IsTerminal};

/// How a setup that was asked about ended.
pub(super) enum Ended {
    /// Nothing is pending any more.
    Ready(Box<Match>),
    /// The players left before that.
    Left(Box<Match>),
}

/// Asks until nothing is pending. After each decision `keep` puts the match where it is kept;
/// where others have decided meanwhile it answers with the match as they left it.
pub(super) fn set_up(
    mut made: Match,
    format: &Format,
    mut keep: impl FnMut(&Match) -> Result<Option<Match>, Failure>,
) -> Result<Ended, Failure> {
    let mut seated: Option<SeatId> = None;
    let mut sealed: BTreeMap<SeatId, Value> = BTreeMap::new();
    loop {
        let game = format.game();
        if format.rules.setup.seats_one() {
            made = made.begin_alone(&game)?;
        }
        let Some(pending) = made.pending.first().cloned() else {
            return Ok(Ended::Ready(Box::new(made)));
        };
        let question = made
            .questions(&format.rules.setup)?
            .into_iter()
            .next()
            .flatten();
        let seat = pending.get("seat").and_then(Value::as_str);
        let seat = seat.and_then(SeatId::parse);
        // What was sealed at this keyboard is opened when all are sealed.
        let open = seat.and_then(|seat| sealed.get(&seat).cloned());
        let open = open.filter(|open| open.get("step") == pending.get("step"));
        let decision = match (&open, &question) {
            (Some(open), _) => Some(open.clone()),
            (None, Some(question)) => {
                if let Some(seat) = seat {
                    if seated != Some(seat) && !hand_over(seat, &made)? {
                        return Ok(Ended::Left(Box::new(made)));
                    }
                    seated = Some(seat);
                    show(&made, format, seat)?;
                }
                answered(question, &mut sealed)?
            }
            (None, None) => {
                let told = crate::matches::pending_told(&pending);
                files::print(&format!("Still to decide: {}\n", harmless(&told, false)))?;
                written()?
            }
        };
        let Some(decision) = decision else {
            return Ok(Ended::Left(Box::new(made)));
        };
        match made.decide(&game, &[decision], Some(format)) {
            Ok(decided) => {
                decided
                    .remarks
                    .iter()
                    .for_each(|remark| super::warn(remark));
                made = match keep(&decided)? {
                    None => decided,
                    Some(newer) => {
                        let told = "others decided meanwhile; look again";
                        terminal::complain("not done", told);
                        newer
                    }
                };
            }
            Err(error) => terminal::complain("not done", &error.to_string()),
        }
    }
}

/// Has another player take the keyboard, where there are several and a screen. Answers whether
/// somebody did.
fn hand_over(seat: SeatId, made: &Match) -> Result<bool, Failure> {
    if made.table.seats.len() == 1 || !is_screen() {
        return Ok(true);
    }
    files::print("\u{1b}[2J\u{1b}[3J\u{1b}[H")?;
    let name = made.inputs.seats.get(seat.index());
    let name = name.map_or("", |seat| seat.name.as_str());
    let name = harmless(name, false);
    let taken = ask(&format!(
        "Seat {seat} ({name}), take the keyboard and press Enter: "
    ))?;
    Ok(taken.is_some())
}

/// Whether people look at a screen and type.
pub(super) fn is_screen() -> bool {
    io::stdin().is_terminal() && io::stdout().is_terminal()
}

/// Shows a seat what it should know before it answers.
fn show(made: &Match, format: &Format, seat: SeatId) -> Result<(), Failure> {
    let view = made.view(Reader::Seat(seat))?;
    files::print(&view.to_short_text())?;
    files::print(&made.told_to(&format.rules.setup, seat)?)
}

/// The question with its answers numbered.
fn told(question: &Question) -> String {
    let whose = question
        .seat
        .map_or(String::new(), |seat| format!("Seat {seat}: "));
    let mut text = format!("{whose}{}?\n", harmless(&question.text, false));
    for (number, answer) in (1..).zip(&question.answers) {
        text.push_str(&format!("  {number}. {}\n", harmless(&answer.told, false)));
    }
    text
}

/// Asks a question until it is answered. `None`: the players leave.
fn answered(
    question: &Question,
    sealed: &mut BTreeMap<SeatId, Value>,
) -> Result<Option<Value>, Failure> {
    files::print(&told(question))?;
    loop {
        let Some(line) = ask("answer (a number; ? asks again; quit leaves)> ")? else {
            return Ok(None);
        };
        match line.as_str() {
            "" => continue,
            "quit" => return Ok(None),
            "?" | "help" | "show" => {
                files::print(&told(question))?;
                continue;
            }
            typed if typed.starts_with('{') => match read_decision(typed) {
                Ok(decision) => return Ok(Some(decision)),
                Err(error) => {
                    terminal::complain("not done", &error.to_string());
                    continue;
                }
            },
            _ => (),
        }
        let (answer, more) = match question.read(&line) {
            Ok(read) => read,
            Err(error) => {
                terminal::complain("not done", &error.to_string());
                continue;
            }
        };
        if let Some(choice) = &answer.sealed {
            return seal(question, choice, sealed).map(Some);
        }
        if let Some(first) = answer.cards.first().filter(|_| !more.is_empty())
            && let Err(error) = first.ids(&more)
        {
            terminal::complain("not done", &error.to_string());
            continue;
        }
        match named(answer, more)? {
            Some(decision) => return Ok(Some(decision)),
            None => return Ok(None),
        }
    }
}

/// Asks for the cards that an answer names besides. `None`: the players leave.
fn named(answer: &Answer, mut typed: Vec<String>) -> Result<Option<Value>, Failure> {
    let mut lists = Vec::new();
    for cards in &answer.cards {
        loop {
            // With the answer itself the cards of its first list may be typed.
            let words = match std::mem::take(&mut typed) {
                words if !words.is_empty() || cards.count == Some(0) => words,
                _ => {
                    let mut text = format!("{}?\n", harmless(&cards.told, false));
                    for (number, (_, name)) in cards.of.iter().enumerate() {
                        text.push_str(&format!("  {number}. {}\n", harmless(name, false)));
                    }
                    files::print(&text)?;
                    let wanted = match cards.count {
                        Some(count) => format!("{count} numbers> "),
                        None => "numbers, or Enter for none> ".to_owned(),
                    };
                    match ask(&wanted)? {
                        None => return Ok(None),
                        Some(line) if line == "quit" => return Ok(None),
                        // The answer's own word may stand before the numbers again.
                        Some(line) => {
                            let own = answer.told.split_whitespace().next();
                            let words = line.split_whitespace();
                            let numbers = words.skip_while(|word| Some(*word) == own);
                            numbers.map(str::to_owned).collect()
                        }
                    }
                }
            };
            match cards.ids(&words) {
                Ok(ids) => {
                    lists.push(ids);
                    break;
                }
                Err(error) => terminal::complain("not done", &error.to_string()),
            }
        }
    }
    Ok(Some(answer.decided(&lists)))
}

/// Seals a secret choice. What opens it is kept at this keyboard, and told in case the table
/// is left before.
fn seal(
    question: &Question,
    choice: &str,
    sealed: &mut BTreeMap<SeatId, Value>,
) -> Result<Value, Failure> {
    let seat = question.seat.unwrap_or(SeatId::A);
    let nonce = Randomness::from_system()?.seed()?;
    let commit = Seed::from_bytes(spec_commitment(seat, nonce.bytes(), choice)).hex();
    let open = json!({ "step": "reveal", "seat": seat, "spec": choice, "nonce": nonce.hex() });
    files::print(&format!(
        "Sealed. Should you leave before all choices are opened, this opens yours; keep it to \
         yourself:\n{open}\n"
    ))?;
    sealed.insert(seat, open);
    Ok(json!({ "step": "spec", "seat": seat, "commit": commit }))
}

/// Reads a decision that people write themselves.
fn written() -> Result<Option<Value>, Failure> {
    loop {
        let Some(line) = ask("decision> ")? else {
            return Ok(None);
        };
        if line == "quit" {
            return Ok(None);
        }
        match read_decision(&line) {
            Ok(decision) => return Ok(Some(decision)),
            Err(error) => terminal::complain("not done", &error.to_string()),
        }
    }
}
