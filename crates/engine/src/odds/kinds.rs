//! Which cards of a pool queries do not tell apart.

use super::Part;
use super::condition::Conditions;
use super::{OddsError, Population};
use decklaw_core::pool::Pool;
use decklaw_core::query::HandQuery;
use rustc_hash::FxHashMap;

/// For each card of a pool its kind, numbered as they are met: two decks with as many cards of
/// each kind answer the queries alike.
///
/// # Errors
/// A query that cannot be asked of these cards.
pub(crate) fn kinds(pool: &Pool, queries: &[&HandQuery]) -> Result<Vec<u32>, OddsError> {
    let one_each = Population::new(pool, pool.ids().map(|card| (card, 1)), 1)?;
    let mut conditions = Conditions::of(&one_each);
    for query in queries {
        let added = conditions.add(query);
        added.map_err(|error| OddsError::query(Part::Query, query.text(), error))?;
    }
    let mut known: FxHashMap<Vec<i64>, u32> = FxHashMap::default();
    let kind = |place: usize| {
        let weights = conditions.tallies.iter().map(|tally| tally.weights[place]);
        let next = known.len() as u32;
        *known.entry(weights.collect()).or_insert(next)
    };
    Ok((0..pool.len()).map(kind).collect())
}
