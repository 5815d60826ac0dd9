//! Rows on their way from the linear form of rules to a program.

use super::program::{Bounds, Demand, gather};
use super::propagate::{Constraint, SharedImplication, propagate};
use decklaw_rules::rules::linear::Unknown;

/// Where the value of an unknown comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Place {
    Fixed(i64),
    Column(usize),
    /// `base + more - fewer`.
    Moved {
        base: i64,
        more: Option<usize>,
        fewer: Option<usize>,
    },
    /// The same as another unknown.
    Same(Unknown),
    /// The sum of others.
    Total(Vec<Unknown>),
}

/// A demand on unknowns, by their index.
#[derive(Debug)]
pub(super) struct Row {
    pub(super) demand: Demand,
    /// That the row is `unknown <= most × (a gate)`: the unknown, and the most.
    pub(super) gated: Option<(usize, i64)>,
}

/// Narrows bounds by rows and gateways until little changes; `None`: nothing satisfies them.
pub(super) fn narrow(
    rows: &[Row],
    gateways: &[SharedImplication],
    bounds: &mut Bounds,
) -> Option<()> {
    /// More rounds rarely find anything.
    const ROUNDS: usize = 6;
    let constraint = |at: usize| match rows.get(at) {
        Some(row) => Constraint::Sum(row.demand.sum()),
        None => Constraint::Gateway(&gateways[at - rows.len()]),
    };
    propagate(rows.len() + gateways.len(), constraint, ROUNDS, bounds)
}

/// Rows that hold only if a flag is 1, as rows that hold anyway: without the flag the sum may be
/// all that the bounds of its unknowns let it be; some of it `is_gone` then.
pub(super) fn unconditional(
    flag: usize,
    row: Row,
    bounds: &Bounds,
    is_gone: impl Fn(usize) -> bool,
) -> Vec<Row> {
    let ends = |least: bool, flagged: bool| -> i64 {
        let end = |(at, by): &(usize, i64)| match (*by > 0) == least {
            _ if !flagged && is_gone(*at) => 0,
            true => by.saturating_mul(bounds.lower[*at]),
            false => by.saturating_mul(bounds.upper[*at]),
        };
        row.demand.terms.iter().map(end).fold(0, i64::saturating_add)
    };
    let mut rows = Vec::new();
    if let Some(high) = row.demand.high.filter(|high| ends(false, true) > *high) {
        let most = ends(false, false);
        let mut terms = row.demand.terms.clone();
        terms.push((flag, most.saturating_sub(high)));
        rows.push(Row::new(terms, None, Some(most)));
    }
    if let Some(low) = row.demand.low.filter(|low| ends(true, true) < *low) {
        let least = ends(true, false);
        let mut terms = row.demand.terms;
        terms.push((flag, least.saturating_sub(low)));
        rows.push(Row::new(terms, Some(least), None));
    }
    rows
}

impl Row {
    /// A row that is no gate.
    pub(super) fn new(terms: Vec<(usize, i64)>, low: Option<i64>, high: Option<i64>) -> Row {
        Row { demand: Demand { terms, low, high }, gated: None }
    }

    /// Removes fixed unknowns; `false` if what is left always holds.
    pub(super) fn settle(&mut self, bounds: &Bounds) -> bool {
        let Demand { terms, low, high } = &mut self.demand;
        let fixed = terms.iter().filter(|(at, _)| bounds.is_fixed(*at));
        let fixed: i64 = fixed.map(|(at, by)| by * bounds.lower[*at]).sum();
        terms.retain(|(at, _)| !bounds.is_fixed(*at));
        *low = low.map(|low| low - fixed);
        *high = high.map(|high| high - fixed);
        let says_something = self.demand.drop_implied(bounds);
        self.demand.divide();
        says_something
    }
}

/// Replaces unknowns by those that they equal, or by the sum that they equal.
pub(super) fn substitute(terms: &mut Vec<(usize, i64)>, places: &[Option<Place>]) {
    for at in 0..terms.len() {
        let (unknown, by) = terms[at];
        match &places[unknown] {
            Some(Place::Same(other)) => terms[at].0 = other.index(),
            Some(Place::Total(all)) => {
                terms[at].1 = 0;
                terms.extend(all.iter().map(|one| (one.index(), by)));
            }
            _ => {}
        }
    }
    gather(terms);
}
