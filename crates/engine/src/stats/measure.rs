//! A deck, counted.

use super::spec::{Metric, Spec};
use decklaw_core::pool::{CardId, CardSet, Column, FieldKind, Pool};
use decklaw_core::query::{Query, QueryError};
use decklaw_core::resolve::Resolved;
use std::collections::{BTreeMap, BTreeSet};

/// The key of cards that have no value in a field.
const NONE: &str = "(none)";
/// The key of cards that the pool does not know.
const UNKNOWN: &str = "(unknown)";

/// The widest span of numbers that is shown with its gaps.
const MOST_GAPS: i64 = 30;

/// The statistics of one deck.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeckStats {
    /// The deck's path, or `-`.
    pub deck: String,
    /// The format's id.
    pub format: String,
    /// The deck's name.
    pub name: Option<String>,
    /// Its player.
    pub player: Option<String>,
    /// Copies in each section that was counted.
    pub sections: Vec<(String, i64)>,
    /// Different cards in them.
    pub different: i64,
    /// Copies of cards that the pool does not know.
    pub unknown: i64,
    /// The statistics.
    pub measures: Vec<Measure>,
}

/// One statistic of a deck.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Measure {
    /// What programs call it.
    pub id: String,
    /// What people call it.
    pub name: String,
    /// What it comes to.
    pub value: Value,
    /// The order of its keys that are words: these first, as they stand here, then the others
    /// by their letters. `None`: the keys are numbers.
    pub order: Option<Vec<String>>,
}

/// What a statistic comes to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Value {
    /// Copies by key: numbers ascending, words in the field's order. A card with several
    /// words in a list counts for each. Cards without a value, and unknown ones, stand last.
    Counts(Vec<(String, i64)>),
    /// The sum of a number field over `cards` copies that have a value in it.
    Sum {
        /// The sum.
        sum: i128,
        /// The copies.
        cards: i64,
    },
}

/// Copies of the cards in the sections that are counted.
struct Held {
    known: BTreeMap<CardId, i64>,
    unknown: i64,
}

/// Counts a deck. `asked` are the ids of the sections to count; empty: those of the spec,
/// or all that the deck has.
///
/// # Errors
/// A query of the spec that does not fit the pool; [`Spec::read`] finds those of its game.
pub fn measure(
    path: &str,
    resolved: &Resolved<'_>,
    spec: &Spec,
    asked: &[String],
) -> Result<DeckStats, QueryError> {
    let (deck, list, pool) = (resolved.deck(), resolved.list(), resolved.pool());
    let declared = spec.sections.iter().map(|section| section.value.as_str());
    let wanted: Vec<&str> = match asked {
        [] => declared.collect(),
        asked => asked.iter().map(String::as_str).collect(),
    };
    let counted = |id: &str| wanted.is_empty() || wanted.contains(&id);
    let mut sections: Vec<(String, i64)> = match wanted.as_slice() {
        [] => deck
            .sections
            .iter()
            .map(|section| (section.id.clone().into_owned(), 0))
            .collect(),
        wanted => wanted.iter().map(|id| ((*id).to_owned(), 0)).collect(),
    };
    let mut held = Held {
        known: BTreeMap::new(),
        unknown: 0,
    };
    let mut strangers = BTreeSet::new();
    for (line, card) in deck.lines.iter().zip(resolved.cards()) {
        let Some(section) = deck.sections.get(usize::from(line.section)) else {
            continue;
        };
        if !counted(&section.id) {
            continue;
        }
        let copies = i64::from(line.count);
        if let Some((_, total)) = sections.iter_mut().find(|(id, _)| *id == section.id) {
            *total += copies;
        }
        if list.knows(*card) {
            *held.known.entry(*card).or_insert(0) += copies;
        } else {
            held.unknown += copies;
            strangers.insert(*card);
        }
    }
    let measures = spec.metrics.iter().map(|metric| held.metric(metric, pool));
    Ok(DeckStats {
        deck: path.to_owned(),
        format: resolved.rulebook().format().id().to_owned(),
        name: deck
            .name
            .as_ref()
            .map(|name| name.value.clone().into_owned()),
        player: deck
            .player
            .as_ref()
            .map(|player| player.value.clone().into_owned()),
        different: (held.known.len() + strangers.len()) as i64,
        unknown: held.unknown,
        sections,
        measures: measures.collect::<Result<_, _>>()?,
    })
}

impl Held {
    fn metric(&self, metric: &Metric, pool: &Pool) -> Result<Measure, QueryError> {
        let of = match &metric.of {
            Some(query) => Query::parse(&query.value)?.select(pool)?,
            None => CardSet::of(pool.len(), |_| true),
        };
        let value = match (&metric.count, &metric.sum) {
            (Some(field), _) => Value::Counts(self.counts(&field.value, pool, &of)),
            (None, Some(field)) => self.sum(&field.value, pool, &of),
            (None, None) => Value::Counts(Vec::new()),
        };
        let order = metric
            .count
            .as_ref()
            .and_then(|field| order(&field.value, pool));
        Ok(Measure {
            id: metric.id.value.clone(),
            name: metric.name.clone(),
            value,
            order,
        })
    }

    fn within<'h>(&'h self, of: &'h CardSet) -> impl Iterator<Item = (CardId, i64)> + 'h {
        let known = self.known.iter().map(|(card, copies)| (*card, *copies));
        known.filter(|(card, _)| of.has(*card))
    }

    fn sum(&self, field: &str, pool: &Pool, of: &CardSet) -> Value {
        let mut total = 0_i128;
        let mut cards = 0;
        for (card, copies) in self.within(of) {
            if let Some(number) = pool.number(card, field) {
                total += i128::from(number) * i128::from(copies);
                cards += copies;
            }
        }
        Value::Sum { sum: total, cards }
    }

    fn counts(&self, field: &str, pool: &Pool, of: &CardSet) -> Vec<(String, i64)> {
        let mut none = 0;
        let mut counts = match pool.column(field) {
            Some(Column::Number(cells)) => {
                let mut by_number: BTreeMap<i64, i64> = BTreeMap::new();
                for (card, copies) in self.within(of) {
                    match cells[card.index()] {
                        Some(number) => *by_number.entry(number).or_insert(0) += copies,
                        None => none += copies,
                    }
                }
                with_gaps(by_number)
            }
            _ => {
                let order = order(field, pool).unwrap_or_default();
                let mut by_word: BTreeMap<(usize, String), i64> = BTreeMap::new();
                for (card, copies) in self.within(of) {
                    let words: BTreeSet<String> = pool
                        .words(card, field)
                        .iter()
                        .map(|word| written(pool, field, word))
                        .collect();
                    if words.is_empty() {
                        none += copies;
                    }
                    for word in words {
                        let at = order.iter().position(|known| *known == word);
                        *by_word
                            .entry((at.unwrap_or(order.len()), word))
                            .or_insert(0) += copies;
                    }
                }
                by_word
                    .into_iter()
                    .map(|((_, word), copies)| (word, copies))
                    .collect()
            }
        };
        for (key, copies) in [(NONE, none), (UNKNOWN, self.unknown)] {
            if copies > 0 {
                counts.push((key.to_owned(), copies));
            }
        }
        counts
    }
}

/// The order of a field's words; `None` where it holds numbers.
fn order(field: &str, pool: &Pool) -> Option<Vec<String>> {
    if matches!(pool.column(field), Some(Column::Number(_))) {
        return None;
    }
    let known = pool.fields().iter().find(|known| known.name == field);
    let values = known.map(|known| known.values()).unwrap_or_default();
    let words = values.iter().map(|value| value.written.clone());
    Some(words.collect())
}

/// Counts by number with the numbers between that no card has, unless they are very many.
fn with_gaps(mut counts: BTreeMap<i64, i64>) -> Vec<(String, i64)> {
    let ends = counts
        .keys()
        .next()
        .copied()
        .zip(counts.keys().next_back().copied());
    if let Some((first, last)) = ends
        && last
            .checked_sub(first)
            .is_some_and(|span| span <= MOST_GAPS)
    {
        for number in first..=last {
            counts.entry(number).or_insert(0);
        }
    }
    counts
        .into_iter()
        .map(|(number, copies)| (number.to_string(), copies))
        .collect()
}

/// A word as people read it; another spelling of one that is known, as that.
fn written(pool: &Pool, field: &str, word: &str) -> String {
    let known = pool.fields().iter().find(|known| known.name == field);
    let known = known.filter(|known| !matches!(known.kind, FieldKind::Text));
    let canonical = known.and_then(|known| known.canonical(word));
    let canonical = canonical.as_deref().unwrap_or(word);
    pool.written(field, canonical).to_owned()
}

impl Value {
    /// The mean as a reduced fraction, `None` where nothing was added up.
    pub fn mean(&self) -> Option<(i128, i128)> {
        match self {
            Value::Sum { sum, cards } if *cards > 0 => {
                let cards = i128::from(*cards);
                let common = divisor(sum.unsigned_abs(), cards.unsigned_abs()) as i128;
                Some((sum / common, cards / common))
            }
            _ => None,
        }
    }
}

fn divisor(a: u128, b: u128) -> u128 {
    if b == 0 { a.max(1) } else { divisor(b, a % b) }
}
