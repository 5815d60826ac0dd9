//! A game, and the answers to questions about its decks.

use crate::VERSION;
use decklaw_ask::{Answer, Folder, Library, Question, ask, problem};
use decklaw_core::{Problem, ProblemKind};
use jiff::civil::Date;
use serde::{Deserialize, Serialize};
use std::cell::Cell;

thread_local! {
    /// The day of the question that is answered.
    static DAY: Cell<Date> = const { Cell::new(Date::ZERO) };
}

/// What a page sends.
#[derive(Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
enum Message {
    /// Makes the game.
    Begin { day: Date, folder: Box<Folder> },
    /// Asks a question.
    Question { day: Date, question: Box<Question> },
}

/// What it gets: the answer's JSON, the engine's version, or a problem's.
#[derive(Serialize)]
#[serde(untagged)]
enum Outcome {
    Answer(Box<Answer>),
    Version { version: &'static str },
}

/// The JSON of an outcome, with whether there is an answer.
#[derive(Serialize)]
#[serde(rename_all = "kebab-case")]
enum Sent<'o> {
    Answer(&'o Outcome),
    Problem(&'o Problem),
}

fn json(sent: &Sent<'_>) -> Vec<u8> {
    // Plain data is always written.
    serde_json::to_vec(sent).unwrap_or_default()
}

/// A problem as the answer to a message.
pub(crate) fn refused(problem: &Problem) -> Vec<u8> {
    json(&Sent::Problem(problem))
}

/// Answers messages, from the one that makes the game on.
pub(crate) struct Engine {
    library: Option<Library>,
}

impl Engine {
    pub(crate) const fn new() -> Engine {
        Engine { library: None }
    }

    /// The answer to a message, as JSON.
    pub(crate) fn answer(&mut self, message: &[u8]) -> Vec<u8> {
        match self.outcome(message) {
            Ok(outcome) => json(&Sent::Answer(&outcome)),
            Err(problem) => refused(&problem),
        }
    }

    fn outcome(&mut self, message: &[u8]) -> Result<Outcome, Problem> {
        let message = serde_json::from_slice(message).map_err(|error| {
            let message = format!("the engine does not understand this: {error}");
            Problem::new(ProblemKind::Query, message)
        })?;
        match message {
            Message::Begin { day, folder } => {
                // Nothing is answered by the game before.
                self.library = None;
                DAY.set(day);
                self.library = Some(folder.library(|| DAY.get())?);
                let version = VERSION.trim_end();
                Ok(Outcome::Version { version })
            }
            Message::Question { day, question } => {
                DAY.set(day);
                let library = self.library.as_ref().ok_or_else(|| {
                    Problem::new(ProblemKind::Query, "send a game before questions")
                })?;
                ask(library, *question).map(|answer| Outcome::Answer(Box::new(answer)))
            }
        }
    }
}

/// A fault that ends the module, as its answer.
pub(crate) fn defect(what: &str) -> Vec<u8> {
    let mut problem = problem::defect();
    problem.message = format!("This is a defect in decklaw: {what}");
    refused(&problem)
}
