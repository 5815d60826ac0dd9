//! What is played: the table of cards that organisers publish, by verdict, and after the event by
//! record.

use crate::event::{Event, EventError};
use crate::record::PlayerId;
use crate::standing::Standing;
use crate::verdict;
use decklaw_core::judge::ReadDeck;
use decklaw_core::rules::Verdict;
use decklaw_core::spreadsheet::Cell;
use std::collections::{BTreeMap, BTreeSet};

/// How a player did.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Score {
    /// Matches won.
    pub won: u32,
    /// Matches lost.
    pub lost: u32,
    /// Matches drawn.
    pub drawn: u32,
}

impl Score {
    /// Reads a record such as `3-1`, `3-1-1` or `3/1/0`. `None`: it is none.
    ///
    /// ```
    /// use decklaw_event::Score;
    /// assert_eq!(Score::read("3-1-1"), Some(Score { won: 3, lost: 1, drawn: 1 }));
    /// assert_eq!(Score::read("3 : 2"), Some(Score { won: 3, lost: 2, drawn: 0 }));
    /// assert_eq!(Score::read("third"), None);
    /// ```
    pub fn read(text: &str) -> Option<Score> {
        let parts = text
            .split(['-', '/', ':', '\u{2013}'])
            .map(|part| part.trim().parse().ok());
        let parts: Vec<u32> = parts.collect::<Option<_>>()?;
        match parts[..] {
            [won, lost] => Some(Score {
                won,
                lost,
                drawn: 0,
            }),
            [won, lost, drawn] => Some(Score { won, lost, drawn }),
            _ => None,
        }
    }

    fn add(&mut self, other: Score) {
        self.won = self.won.saturating_add(other.won);
        self.lost = self.lost.saturating_add(other.lost);
        self.drawn = self.drawn.saturating_add(other.drawn);
    }

    /// The share of matches that were won, in percent, drawn ones for a half; `None`: none was
    /// played.
    pub fn rate(self) -> Option<f64> {
        let all = f64::from(self.won) + f64::from(self.lost) + f64::from(self.drawn);
        (all > 0.0).then(|| 100.0 * (f64::from(self.won) + f64::from(self.drawn) / 2.0) / all)
    }
}

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
    /// How the players of these decks did.
    pub score: Score,
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
    /// How all of their players did; `None`: no results were given.
    pub score: Option<Score>,
    /// Decks that could not be read.
    pub unread: usize,
}

/// The columns of its table, those of results where there are any.
const COLUMNS: [&str; 8] = [
    "section",
    "card",
    "decks",
    "share %",
    "copies",
    "copies a deck",
    "legal decks",
    "illegal decks",
];
const RESULTS: [&str; 4] = ["won", "lost", "drawn", "match wins %"];

impl Meta {
    /// Counts the cards of the decks that count; with `only`, of those with this verdict.
    /// `scores` are results by player.
    ///
    /// # Errors
    /// A lock that judges nothing of the kind.
    pub fn of(
        event: &Event,
        standing: &Standing,
        only: Option<Verdict>,
        scores: Option<&BTreeMap<PlayerId, Score>>,
    ) -> Result<Meta, EventError> {
        let mut meta = Meta {
            score: scores.map(|_| Score::default()),
            ..Meta::default()
        };
        let mut cards: BTreeMap<(String, String), CardUse> = BTreeMap::new();
        for (player, entry) in standing.counting() {
            let Some(entry) = event.roster().entries.get(&entry) else {
                continue;
            };
            let (report, text) = event.report(standing, entry)?;
            if only.is_some_and(|only| only != report.verdict) {
                continue;
            }
            meta.decks += 1;
            *meta.verdicts.entry(report.verdict.word()).or_default() += 1;
            let score = scores.and_then(|scores| scores.get(&player)).copied();
            let score = score.unwrap_or_default();
            if let Some(all) = &mut meta.score {
                all.add(score);
            }
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
                    score: Score::default(),
                });
                own.copies += holding.copies;
                if seen.insert(key) {
                    own.decks += 1;
                    own.legal += usize::from(report.verdict == Verdict::Legal);
                    own.score.add(score);
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

    /// The columns of its table.
    pub fn columns(&self) -> Vec<&'static str> {
        let results: &[&str] = if self.score.is_some() { &RESULTS } else { &[] };
        [&COLUMNS[..], results].concat()
    }

    /// The rows of its table.
    pub fn rows(&self) -> Vec<Vec<Cell>> {
        let hundredths = |number: f64| Cell::Decimal((number * 100.0).round() / 100.0);
        let row = |card: &CardUse| {
            let mut row = vec![
                Cell::text(&card.section),
                Cell::text(&card.card),
                Cell::count(card.decks),
                hundredths(self.share(card)),
                Cell::Number(card.copies),
                hundredths(card.copies as f64 / card.decks.max(1) as f64),
                Cell::count(card.legal),
                Cell::count(card.decks - card.legal),
            ];
            if self.score.is_some() {
                let score = card.score;
                row.extend(
                    [score.won, score.lost, score.drawn].map(|own| Cell::Number(i64::from(own))),
                );
                row.push(score.rate().map_or_else(|| Cell::text(""), hundredths));
            }
            row
        };
        self.cards.iter().map(row).collect()
    }
}
