//! Which cards are played at an event.

use crate::error::EventError;
use crate::event::Event;
use crate::standing::Standing;
use decklaw_rules::rules::Verdict;
use decklaw_text::spreadsheet::Cell;
use serde_json::{Value, json};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

/// How much a card is played.
#[derive(Debug, Clone, PartialEq)]
#[expect(missing_docs, reason = "names of fields say what they are")]
pub struct CardUse {
    pub section: String,
    pub card: String,
    pub decks: usize,
    pub legal: usize,
    pub copies: i64,
}

/// What is played at an event.
#[derive(Debug, Clone, Default)]
#[expect(missing_docs, reason = "names of fields say what they are")]
pub struct EventStats {
    pub decks: usize,
    pub verdicts: BTreeMap<&'static str, usize>,
    pub cards: Vec<CardUse>,
    pub unread: usize,
}

impl EventStats {
    /// The columns of its table.
    pub const COLUMNS: [&str; 8] =
        ["section", "card", "decks", "share", "copies", "copies_per_deck", "legal", "illegal"];

    /// Counts the cards of the decks that count; with `only`, of those with this verdict.
    ///
    /// # Errors
    /// Rules, cards or lists in the lock that are wrong.
    pub fn of(
        event: &Event,
        standing: &Standing,
        only: Option<Verdict>,
    ) -> Result<EventStats, EventError> {
        let mut stats = EventStats::default();
        let mut cards: BTreeMap<(String, String), CardUse> = BTreeMap::new();
        for (_, entry) in standing.counting() {
            let Some(entry) = event.roster().entries.get(&entry) else {
                continue;
            };
            let (report, text) = event.report(standing, entry)?;
            if only.is_some_and(|only| only != report.verdict) {
                continue;
            }
            stats.decks += 1;
            *stats.verdicts.entry(report.verdict.word()).or_default() += 1;
            let Some(copies) = event.copies(entry, &text, report.format.as_deref())? else {
                stats.unread += 1;
                continue;
            };
            let mut seen = BTreeSet::new();
            for (section, card, copies) in copies {
                let own = cards.entry((section.clone(), card.clone()));
                let own = own.or_insert_with(|| CardUse {
                    section: section.clone(),
                    card: card.clone(),
                    decks: 0,
                    legal: 0,
                    copies: 0,
                });
                own.copies += copies;
                if seen.insert((section, card)) {
                    own.decks += 1;
                    own.legal += usize::from(report.verdict == Verdict::Legal);
                }
            }
        }
        stats.cards = cards.into_values().collect();
        // They are in the order of their names, which stays among equals.
        stats.cards.sort_by_key(|card| (Reverse(card.decks), Reverse(card.copies)));
        Ok(stats)
    }

    /// How many decks can be read.
    pub fn read(&self) -> usize {
        self.decks - self.unread
    }

    /// The share of the decks that can be read that have a card, from 0 to 1.
    pub fn share(&self, card: &CardUse) -> f64 {
        card.decks as f64 / self.read().max(1) as f64
    }

    /// The rows of its table.
    pub fn rows(&self) -> Vec<Vec<Cell>> {
        let rounded = |number: f64| Cell::Decimal((number * 10_000.0).round() / 10_000.0);
        let row = |card: &CardUse| {
            vec![
                Cell::text(&card.section),
                Cell::text(&card.card),
                Cell::count(card.decks),
                rounded(self.share(card)),
                Cell::Number(card.copies),
                rounded(card.copies as f64 / card.decks.max(1) as f64),
                Cell::count(card.legal),
                Cell::count(card.decks - card.legal),
            ]
        };
        self.cards.iter().map(row).collect()
    }

    /// The document `decklaw/event-stats/1`.
    pub fn to_json(&self, event: &Event) -> Value {
        let cards = self.cards.iter().map(|card| {
            json!({
                "section": card.section, "card": card.card, "decks": card.decks,
                "share": self.share(card), "copies": card.copies, "legal": card.legal,
            })
        });
        json!({
            "schema": "decklaw/event-stats/1", "event": event.about.name, "lock": event.seal(),
            "decks": self.decks, "unread": self.unread, "verdicts": self.verdicts,
            "cards": cards.collect::<Vec<_>>(),
        })
    }
}
