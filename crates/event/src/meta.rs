//! What is played: the table of cards of an event's decks.

use crate::event::{Event, EventError};
use crate::standing::Standing;
use crate::verdict;
use decklaw_core::judge::ReadDeck;
use decklaw_core::rules::Verdict;
use decklaw_core::spreadsheet::Cell;
use std::collections::{BTreeMap, BTreeSet};

/// How much a card is played.
#[derive(Debug, Clone, PartialEq)]
pub struct CardUse {
    /// The section.
    pub section: String,
    /// The card.
    pub card: String,
    /// Decks that have it there.
    pub decks: usize,
    /// Those of them that are legal.
    pub legal: usize,
    /// Copies in all of them.
    pub copies: i64,
}

/// What is played at an event.
#[derive(Debug, Clone, Default)]
pub struct Meta {
    /// Decks that were looked at.
    pub decks: usize,
    /// How many have each verdict.
    pub verdicts: BTreeMap<&'static str, usize>,
    /// The cards, the most played first.
    pub cards: Vec<CardUse>,
    /// Decks that could not be read.
    pub unread: usize,
}

impl Meta {
    /// The columns of its table.
    pub const COLUMNS: [&str; 8] = [
        "section",
        "card",
        "decks",
        "share %",
        "copies",
        "copies a deck",
        "legal decks",
        "illegal decks",
    ];

    /// Counts the cards of the decks that count; with `only`, of those with this verdict.
    ///
    /// # Errors
    /// A lock that judges nothing of the kind.
    pub fn of(
        event: &Event,
        standing: &Standing,
        only: Option<Verdict>,
    ) -> Result<Meta, EventError> {
        let mut meta = Meta::default();
        let mut cards: BTreeMap<(String, String), CardUse> = BTreeMap::new();
        for (_, entry) in standing.counting() {
            let Some(entry) = event.roster().entries.get(&entry) else {
                continue;
            };
            let (report, text) = event.report(standing, entry)?;
            if only.is_some_and(|only| only != report.verdict) {
                continue;
            }
            meta.decks += 1;
            *meta.verdicts.entry(report.verdict.word()).or_default() += 1;
            let input = match entry.read_as {
                Some(_) => decklaw_core::deck::Input::default(),
                None => verdict::input(entry),
            };
            let format = report.format.as_deref();
            let Ok(opened) = event.judge().open(&text, input, format) else {
                meta.unread += 1;
                continue;
            };
            let ReadDeck::Deck(resolved) =
                event.judge().read(&opened.source, opened.input, format)?
            else {
                meta.unread += 1;
                continue;
            };
            let list = resolved.into_list();
            let mut seen = BTreeSet::new();
            for holding in list.holdings() {
                let section = list.sections().get(usize::from(holding.section));
                let key = (
                    section.cloned().unwrap_or_default(),
                    list.name(holding.card).to_owned(),
                );
                let own = cards.entry(key.clone()).or_insert_with(|| CardUse {
                    section: key.0.clone(),
                    card: key.1.clone(),
                    decks: 0,
                    legal: 0,
                    copies: 0,
                });
                own.copies += holding.copies;
                if seen.insert(key) {
                    own.decks += 1;
                    own.legal += usize::from(report.verdict == Verdict::Legal);
                }
            }
        }
        meta.cards = cards.into_values().collect();
        meta.cards.sort_by(|one, other| {
            let key = |card: &CardUse| {
                (
                    std::cmp::Reverse(card.decks),
                    std::cmp::Reverse(card.copies),
                )
            };
            key(one)
                .cmp(&key(other))
                .then_with(|| (&one.section, &one.card).cmp(&(&other.section, &other.card)))
        });
        Ok(meta)
    }

    /// The share of decks that have a card, in percent.
    pub fn share(&self, card: &CardUse) -> f64 {
        100.0 * card.decks as f64 / self.decks.max(1) as f64
    }

    /// The rows of its table.
    pub fn rows(&self) -> Vec<Vec<Cell>> {
        let hundredths = |number: f64| Cell::Decimal((number * 100.0).round() / 100.0);
        let row = |card: &CardUse| {
            vec![
                Cell::text(&card.section),
                Cell::text(&card.card),
                Cell::count(card.decks),
                hundredths(self.share(card)),
                Cell::Number(card.copies),
                hundredths(card.copies as f64 / card.decks.max(1) as f64),
                Cell::count(card.legal),
                Cell::count(card.decks - card.legal),
            ]
        };
        self.cards.iter().map(row).collect()
    }
}
