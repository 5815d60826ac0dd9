//! Setting up by asking: each thing that is pending is a question with its answers numbered.

use super::games::PlayedFormat;
use super::line::ask;
use super::pages::{self, CLEAR};
use super::{Failure, Run, files};
use crate::cli::terminal;
use crate::matches::{Answer, Match, Question, Randomness, Reader, Sealed, SeatId, read_decision};
use crate::text::harmless;
use serde_json::Value;
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
    run: &Run,
    mut made: Match,
    format: &PlayedFormat,
    mut keep: impl FnMut(&Match) -> Result<Option<Match>, Failure>,
) -> Result<Ended, Failure> {
    let mut seated: Option<SeatId> = None;
    let mut sealed: BTreeMap<SeatId, Value> = BTreeMap::new();
    let mut notes: Vec<String> = Vec::new();
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
                }
                let table = Table {
                    run,
                    made: &made,
                    format,
                    notes: std::mem::take(&mut notes),
                };
                answered(&table, question, &mut sealed)?
            }
            (None, None) => {
                let told = crate::matches::pending_told(&pending);
                files::print(&format!("Still to decide: {}\n", harmless(&told, false)))?;
                written(run)?
            }
        };
        let Some(decision) = decision else {
            return Ok(Ended::Left(Box::new(made)));
        };
        match made.decide(&game, &[decision], Some(format)) {
            Ok(decided) => {
                for remark in &decided.remarks {
                    say(run, &mut notes, "warning", remark);
                }
                made = match keep(&decided)? {
                    None => decided,
                    Some(newer) => {
                        let told = "others decided meanwhile; look again";
                        say(run, &mut notes, "not done", told);
                        newer
                    }
                };
            }
            Err(error) => say(run, &mut notes, "not done", &error.to_string()),
        }
    }
}

/// Says something of an answer: at once, or on a screen with the next question.
fn say(run: &Run, notes: &mut Vec<String>, kind: &str, told: &str) {
    match is_screen() {
        true => notes.push(format!("{kind}: {}", harmless(told, false))),
        false => run.complain(kind, told),
    }
}

/// Has another player take the keyboard, where there are several and a screen. Answers whether
/// somebody did.
fn hand_over(seat: SeatId, made: &Match) -> Result<bool, Failure> {
    if made.table.seats.len() == 1 || !is_screen() {
        return Ok(true);
    }
    files::print(CLEAR)?;
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

/// The table at which something is asked.
struct Table<'a> {
    run: &'a Run,
    made: &'a Match,
    format: &'a PlayedFormat,
    /// What is to be said of the answer before: on a screen that was cleared.
    notes: Vec<String>,
}

impl Table<'_> {
    /// All that a seat should know before it answers.
    fn told(&self, seat: SeatId) -> Result<String, Failure> {
        let Table { made, format, .. } = self;
        let view = made.view(Reader::Seat(seat))?.to_short_text();
        Ok(view + &made.told_to(&format.rules.setup, seat)?)
    }

    /// Asks a question, with what its seat should know above it: on a screen as far as there is
    /// room. Answers what was typed meanwhile.
    fn ask(&self, question: &Question) -> Result<String, Failure> {
        let whose = question
            .seat
            .map_or(String::new(), |seat| format!("Seat {seat}: "));
        let asked = format!("{whose}{}?", harmless(&question.text, false));
        let answers = (1..).zip(&question.answers);
        let answers = answers.map(|(number, answer)| (number, answer.told.as_str()));
        if !is_screen() {
            if let Some(seat) = question.seat {
                files::print(&self.told(seat)?)?;
            }
            return list(&asked, answers);
        }
        let (columns, rows) = pages::size();
        let answers = numbered(answers);
        let notes = self.notes.iter();
        let notes = notes.flat_map(|note| terminal::wrapped(note, columns));
        let mut lines: Vec<String> = notes.collect();
        lines.extend(terminal::wrapped(&asked, columns));
        lines.extend(pages::listed(&answers, columns, rows / 2));
        // A line below is for the answer, and one for what may be wrong with it.
        let room = rows.saturating_sub(lines.len() + 2);
        if lines.len() + 2 > rows {
            return pages::shown(&lines.join("\n"));
        }
        let more = "`show` tells all";
        let above = match question.seat {
            Some(seat) if room > 2 => self.made.screen(Reader::Seat(seat), columns, room, more)?,
            _ => Vec::new(),
        };
        let all = above.iter().chain(&lines);
        let all: String = all.map(|line| format!("{line}\n")).collect();
        files::print(&format!("{CLEAR}{all}"))?;
        Ok(String::new())
    }
}

/// Answers or cards with their numbers.
fn numbered<'a>(of: impl Iterator<Item = (usize, &'a str)>) -> Vec<String> {
    let each = of.map(|(number, told)| format!("  {number}. {}", harmless(told, false)));
    each.collect()
}

/// A question with what is counted below it; on a screen in columns, page by page. Answers what
/// was typed meanwhile.
fn list<'a>(asked: &str, of: impl Iterator<Item = (usize, &'a str)>) -> Result<String, Failure> {
    let items = numbered(of);
    if !is_screen() {
        let below: String = items.iter().map(|item| format!("{item}\n")).collect();
        files::print(&format!("{asked}\n{below}"))?;
        return Ok(String::new());
    }
    let (columns, rows) = pages::size();
    let mut lines = terminal::wrapped(asked, columns);
    lines.extend(pages::listed(
        &items,
        columns,
        rows.saturating_sub(5).max(4),
    ));
    if lines.len() + 2 > rows {
        return pages::shown(&lines.join("\n"));
    }
    files::print(&format!("{CLEAR}{}\n", lines.join("\n")))?;
    Ok(String::new())
}

/// Asks a question until it is answered. `None`: the players leave.
fn answered(
    table: &Table<'_>,
    question: &Question,
    sealed: &mut BTreeMap<SeatId, Value>,
) -> Result<Option<Value>, Failure> {
    let run = table.run;
    let mut meanwhile = table.ask(question)?;
    loop {
        let line = match std::mem::take(&mut meanwhile) {
            typed if typed.is_empty() => ask("answer (a number; ? asks again; quit leaves)> ")?,
            typed => Some(typed),
        };
        let Some(line) = line else {
            return Ok(None);
        };
        match line.as_str() {
            "" => continue,
            "quit" => return Ok(None),
            "show" if question.seat.is_some() && is_screen() => {
                let seat = question.seat.unwrap_or(SeatId::A);
                meanwhile = pages::shown(&table.told(seat)?)?;
                if meanwhile.is_empty() {
                    meanwhile = table.ask(question)?;
                }
                continue;
            }
            "?" | "help" | "show" => {
                meanwhile = table.ask(question)?;
                continue;
            }
            typed if typed.starts_with('{') => match read_decision(typed) {
                Ok(decision) => return Ok(Some(decision)),
                Err(error) => {
                    run.complain("not done", &error.to_string());
                    continue;
                }
            },
            _ => (),
        }
        let (answer, more) = match question.read(&line) {
            Ok(read) => read,
            Err(error) => {
                run.complain("not done", &error.to_string());
                continue;
            }
        };
        if let Some(choice) = &answer.sealed {
            return seal(question, choice, sealed).map(Some);
        }
        if let Some(first) = answer.cards.first().filter(|_| !more.is_empty())
            && let Err(error) = first.ids(&more)
        {
            run.complain("not done", &error.to_string());
            continue;
        }
        match named(run, answer, more)? {
            Some(decision) => return Ok(Some(decision)),
            None => return Ok(None),
        }
    }
}

/// Asks for the cards that an answer names besides. `None`: the players leave.
fn named(run: &Run, answer: &Answer, mut typed: Vec<String>) -> Result<Option<Value>, Failure> {
    let mut lists = Vec::new();
    for cards in &answer.cards {
        loop {
            // With the answer itself the cards of its first list may be typed.
            let words = match std::mem::take(&mut typed) {
                words if !words.is_empty() || cards.count == Some(0) => words,
                _ => {
                    let names = cards.of.iter().map(|(_, name)| name.as_str());
                    let asked = format!("{}?", harmless(&cards.told, false));
                    let meanwhile = list(&asked, names.enumerate())?;
                    let wanted = match cards.count {
                        Some(count) => format!("{count} numbers> "),
                        None => "numbers, or Enter for none> ".to_owned(),
                    };
                    let line = match meanwhile.is_empty() {
                        true => ask(&wanted)?,
                        false => Some(meanwhile),
                    };
                    match line {
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
                Err(error) => run.complain("not done", &error.to_string()),
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
    let Sealed { commits, opens } = Sealed::of(seat, nonce.bytes(), choice);
    pages::shown(&format!(
        "Sealed. Should you leave before all choices are opened, this opens yours; keep it to \
         yourself:\n{opens}\n"
    ))?;
    sealed.insert(seat, opens);
    Ok(commits)
}

/// Reads a decision that people write themselves.
fn written(run: &Run) -> Result<Option<Value>, Failure> {
    loop {
        let Some(line) = ask("decision> ")? else {
            return Ok(None);
        };
        if line == "quit" {
            return Ok(None);
        }
        match read_decision(&line) {
            Ok(decision) => return Ok(Some(decision)),
            Err(error) => run.complain("not done", &error.to_string()),
        }
    }
}
