//! What players say to each other at a table.

use super::Table;
use crate::Shared;
use crate::store::Fault;
use crate::trouble::Trouble;
use decklaw_core::digest::sha256;
use decklaw_core::text::harmless;
use decklaw_play::matches::SeatId;
use rusqlite::{Connection, params};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// The most letters that are said at once.
const LONGEST: usize = 300;
/// The most lines that are kept; of more, those that were said first are gone.
const LINES: usize = 200;

/// What a page sends.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Words {
    text: String,
    /// What tells it from everything else that was said.
    form: String,
}

/// Something that was said.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Line {
    by: SeatId,
    text: String,
    form: String,
}

/// All that was said at a table.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct Said {
    /// How many lines are gone.
    first: usize,
    lines: Vec<Line>,
}

impl Said {
    /// How much was said so far.
    pub(super) fn count(&self) -> usize {
        self.first + self.lines.len()
    }

    /// What every place at the table is told.
    pub(super) fn to_json(&self) -> Value {
        let lines = self.lines.iter();
        let lines = lines.map(|line| json!({"by": line.by, "text": line.text}));
        json!({"first": self.first, "lines": lines.collect::<Vec<_>>()})
    }

    /// Takes in what a seat says; whether it is new, and not sent again.
    ///
    /// # Errors
    /// No words, or too many.
    pub(super) fn add(&mut self, by: SeatId, words: &Words) -> Result<bool, Trouble> {
        let text = harmless(words.text.trim(), false).into_owned();
        if text.is_empty() || text.chars().count() > LONGEST {
            let mend = format!("Say something in at most {LONGEST} letters.");
            return Err(Trouble::new(422, "That is not said.", mend));
        }
        // However long it is, it is told by its digest.
        let form = sha256(words.form.as_bytes());
        if self
            .lines
            .iter()
            .any(|line| line.by == by && line.form == form)
        {
            return Ok(false);
        }
        self.lines.push(Line { by, text, form });
        let gone = self.lines.len().saturating_sub(LINES);
        self.lines.drain(..gone);
        self.first += gone;
        Ok(true)
    }

    /// Keeps it with its table.
    ///
    /// # Errors
    /// Data that cannot be written.
    pub(super) async fn keep(&self, app: &Shared, table: &Table) -> Result<(), Trouble> {
        let said = serde_json::to_string(self).map_err(|_| Trouble::defect())?;
        let id = table.id.clone();
        let sql = "update sitting set said = ?2 where id = ?1";
        let write = move |data: &Connection| {
            data.execute(sql, params![id, said])?;
            Ok::<_, Fault>(())
        };
        table.write(app, write).await
    }
}
