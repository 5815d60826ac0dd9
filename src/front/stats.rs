//! What a deck is made of.

use super::{Deck, Error};
use decklaw_engine::stats::{self, Spec, Value};
use serde::Serialize;
use std::collections::BTreeMap;

/// What a deck is made of, as the maker of its game counts it.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Stats {
    /// Copies by the section's id, of the sections that are counted.
    pub cards: BTreeMap<String, i64>,
    /// Different cards among them.
    pub different: i64,
    /// What is measured, in the maker's order.
    pub metrics: Vec<Metric>,
}

/// One thing that is measured.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Metric {
    /// Its id.
    pub id: String,
    /// What people call it.
    pub name: String,
    /// Copies by value, such as a curve's; none of a sum.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub counts: Option<Vec<Count>>,
    /// A field's total over all copies.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sum: Option<i128>,
    /// Copies that have it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cards: Option<i64>,
    /// Its mean over those: the double nearest to the fraction.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mean: Option<f64>,
    /// The same as `a/b`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mean_fraction: Option<String>,
}

/// The copies with a value.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Count {
    /// The value.
    pub key: String,
    /// The copies.
    pub value: i64,
}

impl Stats {
    pub(super) fn of(deck: &Deck) -> Result<Stats, Error> {
        let resolved = deck.resolved()?;
        let inferred;
        let spec = match deck.game.spec() {
            Some(spec) => spec,
            None => {
                inferred = Spec::inferred(resolved.pool());
                &inferred
            }
        };
        let told = stats::measure("-", &resolved, spec, &[])
            .map_err(|error| Error::game(error.message))?;
        let metrics = told.measures.iter().map(|measure| {
            let (counts, sum, cards) = match &measure.value {
                Value::Counts(counts) => {
                    let each = counts.iter().cloned();
                    let each = each.map(|(key, value)| Count { key, value });
                    (Some(each.collect()), None, None)
                }
                Value::Sum { sum, cards } => (None, Some(*sum), Some(*cards)),
            };
            let mean = measure.value.mean();
            Metric {
                id: measure.id.clone(),
                name: measure.name.clone(),
                counts,
                sum,
                cards,
                mean: mean.map(|(over, under)| over as f64 / under as f64),
                mean_fraction: mean.map(|(over, under)| format!("{over}/{under}")),
            }
        });
        Ok(Stats {
            metrics: metrics.collect(),
            cards: told.sections.iter().cloned().collect(),
            different: told.different,
        })
    }
}
