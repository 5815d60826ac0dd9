//! Setting up by asking: each thing that is pending is a question with its answers numbered.

use super::games::PlayedFormat;
use super::line::ask;
use super::{Failure, Run, files};
use crate::matches::{Answer, Match, Question, Randomness, Reader, Sealed, SeatId, read_decision};
use crate::text::harmless;
use serde_json::Value;
use std::collections::BTreeMap;

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
                let table = Table {
                    run,
                    made: &made,
                    format,
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
                    run.complain("warning", remark);
                }
                made = match keep(&decided)? {
                    None => decided,
                    Some(newer) => {
                        let told = "others decided meanwhile; look again";
                        run.complain("not done", told);
                        newer
                    }
                };
            }
            Err(error) => run.complain("not done", &error.to_string()),
        }
    }
}

/// The table at which something is asked.
struct Table<'a> {
    run: &'a Run,
    made: &'a Match,
    format: &'a PlayedFormat,
}

impl Table<'_> {
    /// All that a seat should know before it answers.
    fn text_for(&self, seat: SeatId) -> Result<String, Failure> {
        let Table { made, format, .. } = self;
        let view = made.view(Reader::Seat(seat))?.to_short_text();
        Ok(view + &made.text_for(&format.rules.setup, seat)?)
    }

    /// Asks a question, with what its seat should know above it.
    fn ask(&self, question: &Question) -> Result<(), Failure> {
        if let Some(seat) = question.seat {
            files::print(&self.text_for(seat)?)?;
        }
        let whose = question
            .seat
            .map_or(String::new(), |seat| format!("Seat {seat}: "));
        let asked = format!("{whose}{}?", harmless(&question.text, false));
        let answers = (1..).zip(&question.answers);
        list(
            &asked,
            answers.map(|(number, answer)| (number, &*answer.told)),
        )
    }
}

/// A question with what is counted below it.
fn list<'a>(asked: &str, of: impl Iterator<Item = (usize, &'a str)>) -> Result<(), Failure> {
    let each = of.map(|(number, told)| format!("  {number}. {}\n", harmless(told, false)));
    files::print(&format!("{asked}\n{}", each.collect::<String>()))
}

/// Asks a question until it is answered. `None`: the players leave.
fn answered(
    table: &Table<'_>,
    question: &Question,
    sealed: &mut BTreeMap<SeatId, Value>,
) -> Result<Option<Value>, Failure> {
    let run = table.run;
    table.ask(question)?;
    loop {
        let Some(line) = ask("answer (a number; ? asks again; quit leaves)> ")? else {
            return Ok(None);
        };
        match line.as_str() {
            "" => continue,
            "quit" => return Ok(None),
            "?" | "help" | "show" => {
                table.ask(question)?;
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
                    list(&asked, names.enumerate())?;
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
    files::print(&format!(
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
