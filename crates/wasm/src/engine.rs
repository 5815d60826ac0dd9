//! A game, and the answers to what is asked of it.

use crate::VERSION;
use decklaw_builder::{Any, Builder, Folder, Refusal};
use jiff::civil::Date;
use serde::{Deserialize, Serialize};
use serde_json::value::{RawValue, to_raw_value};
use std::cell::Cell;

thread_local! {
    /// The day of the question that is answered.
    static DAY: Cell<Date> = const { Cell::new(Date::ZERO) };
}

/// What a page says.
#[derive(Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
enum Message {
    /// Makes the game.
    Begin { day: Date, folder: Folder },
    /// Asks of it.
    Ask { day: Date, question: Any },
}

/// What comes of it.
#[derive(Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Outcome {
    Answer(Box<RawValue>),
    Refusal(Refusal),
}

impl Outcome {
    pub(crate) fn json(&self) -> Vec<u8> {
        // A text and a document that is JSON already are always written.
        serde_json::to_vec(self).unwrap_or_default()
    }
}

/// What answers, from the first message on.
pub(crate) struct Engine {
    builder: Option<Builder>,
}

impl Engine {
    pub(crate) const fn new() -> Engine {
        Engine { builder: None }
    }

    /// The answer to a message, in JSON.
    pub(crate) fn answer(&mut self, message: &[u8]) -> Vec<u8> {
        let outcome = match self.outcome(message) {
            Ok(answer) => Outcome::Answer(answer),
            Err(refusal) => Outcome::Refusal(refusal),
        };
        outcome.json()
    }

    fn outcome(&mut self, message: &[u8]) -> Result<Box<RawValue>, Refusal> {
        let message = serde_json::from_slice(message).map_err(|error| {
            Refusal::wrong(format!("The engine does not understand this: {error}."))
        })?;
        match message {
            Message::Begin { day, folder } => {
                // A game that cannot be made leaves none: nothing is answered by the one before.
                self.builder = None;
                DAY.set(day);
                self.builder = Some(folder.builder(|| DAY.get())?);
                to_raw_value(VERSION.trim_end()).map_err(|_| Refusal::defect())
            }
            Message::Ask { day, question } => {
                DAY.set(day);
                let builder = self.builder.as_ref();
                let builder = builder.ok_or_else(|| Refusal::wrong("No game is begun yet."))?;
                question.answer(builder)
            }
        }
    }
}
