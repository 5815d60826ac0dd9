//! Whether a deck is the one that was submitted: `decklaw/registered/1`, and for people.

use crate::solve::{DeckComparison, Difference};
use decklaw_judge::judge::{Judge, Note};
use decklaw_judge::render::{
    DeckLabel, DeckNotes, FIGURES, Kind, Render, TextStyle, Written, deck_columns,
};
use decklaw_judge::report::json;
use decklaw_text::spreadsheet::Cell;
use decklaw_text::text::escape_control;
use serde_json::Value;
use std::fmt::Write;

/// A deck held against the registered one.
#[derive(Debug)]
pub struct RegisteredReport<'p> {
    /// What the deck is called.
    pub deck: &'p str,
    /// What the registered one is called.
    pub registered: &'p str,
    /// The digests of both.
    pub hashes: &'p [String; 2],
    /// What the one is to the other.
    pub played: &'p DeckComparison,
    /// What is to be known of the deck.
    pub notes: &'p [Note],
    /// What tables say of the deck.
    pub label: &'p DeckLabel,
    /// What both were judged by.
    pub judge: &'p Judge,
}

impl Written for RegisteredReport<'_> {
    const KINDS: &'static [Kind] = FIGURES;
}

impl Render for RegisteredReport<'_> {
    fn json(&self) -> serde_json::Result<Value> {
        let [hash, registered_hash] = self.hashes;
        Ok(serde_json::json!({
            "schema": "decklaw/registered/1",
            "deck": self.deck,
            "registered": self.registered,
            "answer": self.played.word(),
            "changes": self.played.differences(),
            "errors": self.played.wrong(),
            "notes": self.notes,
            "hash": hash,
            "registered_hash": registered_hash,
            "as_of": self.judge.day().to_string(),
            "rules": json::rules(self.judge)?,
        }))
    }

    fn human(&self, _: &TextStyle) -> String {
        let registered = self.registered;
        let answer = match self.played.word() {
            "same" => format!("the same deck as {registered}"),
            "swapped" => format!("{registered} after a legal side-swap"),
            "illegal-swap" => format!("{registered} after a swap that leaves no legal deck"),
            _ => format!("not the deck of {registered}"),
        };
        let mut out = format!("{}: {answer}\n", self.deck);
        let mut section = "";
        for one in self.played.differences() {
            if one.section != section {
                section = &one.section;
                let _ = writeln!(out, "\n{section}");
            }
            let (from, to, card) = (one.from, one.to, &one.card);
            let sign = if to > from { '+' } else { '-' };
            let copies = (to - from).abs();
            let _ = writeln!(out, "  {sign} {copies} {card} ({from} registered, {to} played)");
        }
        if !self.played.wrong().is_empty() {
            out.push('\n');
        }
        for wrong in self.played.wrong() {
            let _ = writeln!(out, "error: {wrong}");
        }
        escape_control(&out, true).into_owned()
    }

    fn table(&self) -> (Vec<&'static str>, Vec<Vec<Cell>>) {
        let row = |cells: [Cell; 4]| {
            let names = [self.played.word(), self.registered];
            self.label.row(self.deck, names.map(Cell::text).into_iter().chain(cells))
        };
        let cells = |one: &Difference| {
            let (section, card) = (Cell::text(&one.section), Cell::text(&one.card));
            row([section, card, Cell::Number(one.from), Cell::Number(one.to)])
        };
        let mut rows: Vec<Vec<Cell>> = self.played.differences().iter().map(cells).collect();
        if rows.is_empty() {
            rows.push(row([(); 4].map(|()| Cell::text(""))));
        }
        (deck_columns(&["answer", "registered", "section", "card", "from", "to"]), rows)
    }

    fn notes(&self) -> Option<Vec<DeckNotes<'_>>> {
        Some(vec![DeckNotes { deck: self.deck, notes: self.notes }])
    }

    fn is_ok(&self) -> bool {
        ["same", "swapped"].contains(&self.played.word())
    }
}
