//! Rows on their way from the linear form of rules to a program.

use super::gateway::Gateway;
use super::program::{Sum, divide, tighten};
use super::reduced::Place;

/// A row on its way: terms by index of their unknowns.
#[derive(Debug)]
pub(super) struct Working {
    pub(super) terms: Vec<(usize, i64)>,
    pub(super) low: Option<i64>,
    pub(super) high: Option<i64>,
    /// That the row is `unknown <= most × (a gate)`: the unknown, and the most.
    pub(super) gated: Option<(usize, i64)>,
}

/// Narrows bounds by rows and gateways until little changes; `None`: nothing satisfies them.
pub(super) fn narrow(
    rows: &[Working],
    gateways: &[Gateway],
    lower: &mut [i64],
    upper: &mut [i64],
) -> Option<()> {
    /// More rounds rarely find anything.
    const ROUNDS: usize = 6;
    // A row says nothing new while none of its unknowns has moved: when each moved last, and when
    // each row was looked at.
    let mut moved = vec![0_u32; lower.len()];
    let mut seen = vec![0_u32; rows.len()];
    let mut now = 0;
    for _ in 0..ROUNDS {
        let mut changed = false;
        for (row, seen) in rows.iter().zip(&mut seen) {
            if *seen > 0 && row.terms.iter().all(|(at, _)| moved[*at] < *seen) {
                continue;
            }
            now += 1;
            *seen = now;
            let sum = Sum {
                terms: &row.terms,
                low: row.low,
                high: row.high,
            };
            let note = |at: usize, _: i64, _: i64| {
                moved[at] = now;
                changed = true;
            };
            if !tighten(sum, lower, upper, note) {
                return None;
            }
        }
        now += 1;
        for gateway in gateways {
            let note = |at: usize| {
                moved[at] = now;
                changed = true;
            };
            if !gateway.narrow(lower, upper, note) {
                return None;
            }
        }
        if !changed {
            break;
        }
    }
    Some(())
}

/// Rows that hold only if a flag is 1, as rows that hold anyway: without the flag the sum may be
/// all that the bounds of its unknowns let it be, of which some `is_gone` then.
pub(super) fn unconditional(
    flag: usize,
    row: Working,
    lower: &[i64],
    upper: &[i64],
    is_gone: impl Fn(usize) -> bool,
) -> Vec<Working> {
    let ends = |least: bool, flagged: bool| -> i64 {
        let end = |(at, by): &(usize, i64)| match (*by > 0) == least {
            _ if !flagged && is_gone(*at) => 0,
            true => by.saturating_mul(lower[*at]),
            false => by.saturating_mul(upper[*at]),
        };
        row.terms.iter().map(end).fold(0, i64::saturating_add)
    };
    let mut rows = Vec::new();
    if let Some(high) = row.high.filter(|high| ends(false, true) > *high) {
        let most = ends(false, false);
        let mut terms = row.terms.clone();
        terms.push((flag, most.saturating_sub(high)));
        rows.push(Working {
            terms,
            low: None,
            high: Some(most),
            gated: None,
        });
    }
    if let Some(low) = row.low.filter(|low| ends(true, true) < *low) {
        let least = ends(true, false);
        let mut terms = row.terms;
        terms.push((flag, least.saturating_sub(low)));
        rows.push(Working {
            terms,
            low: Some(least),
            high: None,
            gated: None,
        });
    }
    rows
}

impl Working {
    /// Lets others stand in for the unknowns that are the same as these, or the sum of them.
    pub(super) fn stand_in(&mut self, places: &[Option<Place>]) {
        for at in 0..self.terms.len() {
            let (unknown, by) = self.terms[at];
            match &places[unknown] {
                Some(Place::Same(other)) => self.terms[at].0 = other.index(),
                Some(Place::Total(all)) => {
                    self.terms[at].1 = 0;
                    self.terms.extend(all.iter().map(|one| (one.index(), by)));
                }
                _ => {}
            }
        }
        self.gather();
    }

    /// Adds up terms of one unknown.
    pub(super) fn gather(&mut self) {
        self.terms.sort_unstable();
        self.terms.dedup_by(|next, kept| {
            let same = next.0 == kept.0;
            if same {
                kept.1 += next.1;
            }
            same
        });
        self.terms.retain(|(_, by)| *by != 0);
    }

    /// Takes settled unknowns out; `false` if what is left always holds.
    pub(super) fn settle(&mut self, lower: &[i64], upper: &[i64]) -> bool {
        let settled: i64 = self
            .terms
            .iter()
            .filter(|(at, _)| lower[*at] == upper[*at])
            .map(|(at, by)| by * lower[*at])
            .sum();
        self.terms.retain(|(at, _)| lower[*at] < upper[*at]);
        self.low = self.low.map(|low| low - settled);
        self.high = self.high.map(|high| high - settled);
        let (mut least, mut most) = (0_i128, 0_i128);
        for (at, by) in &self.terms {
            let ends = (
                i128::from(*by) * i128::from(lower[*at]),
                i128::from(*by) * i128::from(upper[*at]),
            );
            least += ends.0.min(ends.1);
            most += ends.0.max(ends.1);
        }
        self.low = self.low.filter(|low| least < i128::from(*low));
        self.high = self.high.filter(|high| most > i128::from(*high));
        divide(&mut self.terms, &mut self.low, &mut self.high);
        self.low.is_some() || self.high.is_some()
    }
}
