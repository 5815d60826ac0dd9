//! What a deck is made of.

use super::{Deck, Error};
use decklaw_core::stats::{self, Spec, Value};
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
    pub counts: Option<Vec<(String, i64)>>,
    /// A field's total over all copies.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sum: Option<i128>,
    /// Its mean.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mean: Option<f64>,
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
            let (counts, sum) = match &measure.value {
                Value::Counts(counts) => (Some(counts.clone()), None),
                Value::Sum { sum, .. } => (None, Some(*sum)),
            };
            let mean = measure.value.mean();
            Metric {
                id: measure.id.clone(),
                name: measure.name.clone(),
                counts,
                sum,
                mean: mean.map(|(over, under)| over as f64 / under as f64),
            }
        });
        Ok(Stats {
            metrics: metrics.collect(),
            cards: told.sections.iter().cloned().collect(),
            different: told.different,
        })
    }
}
