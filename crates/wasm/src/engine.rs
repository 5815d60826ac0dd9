//! A game, and the answers to questions about its decks.

use crate::VERSION;
use decklaw_ask::{Folder, Library, Question, ask, problem};
use decklaw_text::{Problem, ProblemKind};
use jiff::civil::Date;
use serde::{Deserialize, Serialize};
use std::cell::Cell;

thread_local! {
    /// The day of the question that is answered.
    static DAY: Cell<Date> = const { Cell::new(Date::ZERO) };
}

/// What every message has, and the game that the first one makes.
#[derive(Deserialize)]
struct Head {
    day: Date,
    begin: Option<Box<Folder>>,
}

/// A question with its day.
#[derive(Deserialize)]
struct DatedQuestion {
    #[serde(rename = "day")]
    _day: Date,
    #[serde(flatten)]
    question: Question,
}

/// The answer to the message that makes the game.
#[derive(Serialize)]
struct ReadyMessage {
    version: &'static str,
}

/// An answer as JSON.
fn json(answer: &impl Serialize) -> Result<Vec<u8>, Problem> {
    serde_json::to_vec(answer).map_err(|_| problem::defect())
}

/// A problem as the answer to a message.
fn refused(problem: &Problem) -> Vec<u8> {
    // Plain data is always written.
    json(problem).unwrap_or_default()
}

fn read<'m, T: Deserialize<'m>>(message: &'m [u8]) -> Result<T, Problem> {
    serde_json::from_slice(message).map_err(|error| {
        let message = format!("the engine does not understand this: {error}");
        Problem::new(ProblemKind::Query, message)
    })
}

/// Answers messages, from the one that makes the game on.
pub(crate) struct Engine {
    library: Option<Library>,
}

impl Engine {
    pub(crate) const fn new() -> Engine {
        Engine { library: None }
    }

    /// The answer to a message, or the problem, as JSON.
    pub(crate) fn answer(&mut self, message: &[u8]) -> Vec<u8> {
        match self.outcome(message) {
            Ok(answer) => answer,
            Err(problem) => refused(&problem),
        }
    }

    fn outcome(&mut self, message: &[u8]) -> Result<Vec<u8>, Problem> {
        let Head { day, begin } = read(message)?;
        DAY.set(day);
        if let Some(folder) = begin {
            // Nothing is answered by the game before.
            self.library = None;
            self.library = Some(folder.library(|| DAY.get())?);
            let version = VERSION.trim_end();
            return json(&ReadyMessage { version });
        }
        let DatedQuestion { question, .. } = read(message)?;
        let library = self
            .library
            .as_ref()
            .ok_or_else(|| Problem::new(ProblemKind::Query, "send a game before questions"))?;
        json(&ask(library, question)?)
    }
}

/// A fault that ends the module, as its answer.
pub(crate) fn defect(what: &str) -> Vec<u8> {
    let mut problem = problem::defect();
    problem.message = format!("This is a defect in decklaw: {what}");
    refused(&problem)
}
