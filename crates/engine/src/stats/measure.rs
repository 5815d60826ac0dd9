//! The statistics of a deck.

use super::spec::{Metric, Spec};
use decklaw_cards::pool::{CardId, CardSet, Column, FieldKind, Pool};
use decklaw_cards::query::{Query, QueryError};
use decklaw_judge::Note;
use decklaw_judge::resolve::Resolved;
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use std::collections::{BTreeMap, BTreeSet};

/// The key of cards that have no value in a field.
const NONE: &str = "(none)";
/// The key of cards that the pool does not know.
const UNKNOWN: &str = "(unknown)";

/// The widest span of numbers that is shown with its gaps.
const MOST_GAPS: i64 = 30;

/// The statistics of one deck: an entry of `decklaw/stats/1`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct DeckStats {
    /// The deck's path, or `-`.
    pub deck: String,
    /// The format's id.
    pub format: String,
    /// The deck's name.
    pub name: Option<String>,
    /// Its player.
    pub player: Option<String>,
    /// The copies in each section that is counted.
    #[serde(rename = "cards", serialize_with = "as_map")]
    pub sections: Vec<(String, i64)>,
    /// The different cards in these sections.
    pub different: i64,
    /// The copies of cards that the pool does not know.
    pub unknown: i64,
    /// The statistics.
    #[serde(rename = "metrics")]
    pub measures: Vec<Measure>,
    /// What is to be known of the deck.
    pub notes: Vec<Note>,
}

/// One statistic of a deck.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Measure {
    /// Its id for programs.
    pub id: String,
    /// Its name for people.
    pub name: String,
    /// Its value.
    #[serde(flatten)]
    pub value: Value,
    /// The order of keys that are words: these first, then others by their letters. `None`: the
    /// keys are numbers.
    #[serde(skip)]
    pub order: Option<Vec<String>>,
}

/// The value of a statistic.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Value {
    /// Copies by key: numbers ascending, words in the order of the field. A card with several
    /// words counts for each. Cards without a value and unknown cards are last.
    Counts(Vec<(String, i64)>),
    /// The sum of a number field over `cards` copies that have a value in it.
    Sum {
        /// The sum.
        sum: i128,
        /// The copies.
        cards: i64,
    },
}

fn as_map<S: Serializer>(sections: &[(String, i64)], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(sections.iter().map(|(id, copies)| (id, copies)))
}

/// A count in JSON.
#[derive(Serialize)]
struct Count<'a> {
    key: &'a str,
    value: i64,
}

impl Serialize for Value {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        match self {
            Value::Counts(counts) => {
                let counts = counts.iter();
                let counts = counts.map(|(key, value)| Count { key, value: *value });
                map.serialize_entry("counts", &counts.collect::<Vec<_>>())?;
            }
            Value::Sum { sum, cards } => {
                // Sums beyond 64 bits are texts.
                match i64::try_from(*sum) {
                    Ok(sum) => map.serialize_entry("sum", &sum)?,
                    Err(_) => map.serialize_entry("sum", &sum.to_string())?,
                }
                map.serialize_entry("cards", cards)?;
                map.serialize_entry("mean", &self.mean().map(nearest))?;
                let fraction = self.mean().map(|(over, under)| format!("{over}/{under}"));
                map.serialize_entry("mean_fraction", &fraction)?;
            }
        }
        map.end()
    }
}

/// The nearest double of a fraction.
pub(super) fn nearest((over, under): (i128, i128)) -> f64 {
    over as f64 / under as f64
}

/// Copies of the cards in the sections that are counted.
struct SectionCopies {
    known: BTreeMap<CardId, i64>,
    unknown: i64,
}

/// Counts a deck. `asked` are the ids of the sections to count; empty: those of the spec,
/// or all that the deck has. `notes` are those of the deck.
///
/// # Errors
/// A query of the spec that does not fit the pool; [`Spec::read`] finds those of its game.
pub fn measure(
    path: &str,
    resolved: &Resolved<'_>,
    spec: &Spec,
    asked: &[String],
    notes: Vec<Note>,
) -> Result<DeckStats, QueryError> {
    let (deck, list, pool) = (resolved.deck(), resolved.list(), resolved.pool());
    let declared = spec.sections.iter().map(|section| section.value.as_str());
    let wanted: Vec<&str> = match asked {
        [] => declared.collect(),
        asked => asked.iter().map(String::as_str).collect(),
    };
    let ids: Vec<&str> = match wanted.as_slice() {
        [] => deck.sections.iter().map(|section| &*section.id).collect(),
        wanted => wanted.to_vec(),
    };
    let mut sections: Vec<(String, i64)> = ids.iter().map(|id| ((*id).to_owned(), 0)).collect();
    let mut held = SectionCopies { known: BTreeMap::new(), unknown: 0 };
    let mut unknown = BTreeSet::new();
    for (line, card) in deck.lines.iter().zip(resolved.cards()) {
        let Some(section) = deck.sections.get(usize::from(line.section)) else {
            continue;
        };
        let Some((_, total)) = sections.iter_mut().find(|(id, _)| *id == section.id) else {
            continue;
        };
        let copies = i64::from(line.count);
        *total += copies;
        if list.knows(*card) {
            *held.known.entry(*card).or_insert(0) += copies;
        } else {
            held.unknown += copies;
            unknown.insert(*card);
        }
    }
    let measures = spec.metrics.iter().map(|metric| held.metric(metric, pool));
    Ok(DeckStats {
        deck: path.to_owned(),
        format: resolved.rulebook().format().id().to_owned(),
        name: deck.name.as_ref().map(|name| name.value.to_string()),
        player: deck.player.as_ref().map(|player| player.value.to_string()),
        different: (held.known.len() + unknown.len()) as i64,
        unknown: held.unknown,
        sections,
        measures: measures.collect::<Result<_, _>>()?,
        notes,
    })
}

impl SectionCopies {
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
        let order = metric.count.as_ref().and_then(|field| order(&field.value, pool));
        Ok(Measure { id: metric.id.value.clone(), name: metric.name.clone(), value, order })
    }

    fn within<'h>(&'h self, of: &'h CardSet) -> impl Iterator<Item = (CardId, i64)> + 'h {
        let known = self.known.iter().map(|(card, copies)| (*card, *copies));
        known.filter(|(card, _)| of.has(*card))
    }

    fn sum(&self, field: &str, pool: &Pool, of: &CardSet) -> Value {
        let (mut sum, mut cards) = (0, 0);
        for (card, copies) in self.within(of) {
            if let Some(number) = pool.number(card, field) {
                sum += i128::from(number) * i128::from(copies);
                cards += copies;
            }
        }
        Value::Sum { sum, cards }
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
                let place = |word: &String| order.iter().position(|known| known == word);
                let mut by_word: BTreeMap<(usize, String), i64> = BTreeMap::new();
                for (card, copies) in self.within(of) {
                    let words = pool.words(card, field).iter();
                    let words: BTreeSet<String> =
                        words.map(|word| written(pool, field, word)).collect();
                    if words.is_empty() {
                        none += copies;
                    }
                    for word in words {
                        let place = place(&word).unwrap_or(order.len());
                        *by_word.entry((place, word)).or_insert(0) += copies;
                    }
                }
                let by_word = by_word.into_iter();
                by_word.map(|((_, word), copies)| (word, copies)).collect()
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

/// Counts by number, with the numbers between that no card has unless they are very many.
fn with_gaps(mut counts: BTreeMap<i64, i64>) -> Vec<(String, i64)> {
    if let (Some((first, _)), Some((last, _))) = (counts.first_key_value(), counts.last_key_value())
        && last.checked_sub(*first).is_some_and(|span| span <= MOST_GAPS)
    {
        for number in *first..=*last {
            counts.entry(number).or_insert(0);
        }
    }
    let counts = counts.into_iter();
    counts.map(|(number, copies)| (number.to_string(), copies)).collect()
}

/// A word as the field writes it.
fn written(pool: &Pool, field: &str, word: &str) -> String {
    let known = pool.fields().iter().find(|known| known.name == field);
    let known = known.filter(|known| !matches!(known.kind, FieldKind::Text));
    let canonical = known.and_then(|known| known.canonical(word));
    let canonical = canonical.as_deref().unwrap_or(word);
    pool.written(field, canonical).to_owned()
}

impl Value {
    /// The mean as a reduced fraction; `None`: no card has a value.
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
