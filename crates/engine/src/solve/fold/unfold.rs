//! Back from sums to the parts that they are made of.

use super::{Class, Fold, Place};
use crate::solve::program::{Bounds, Program, Sum};
use crate::solve::propagate::{Constraint, Propagator};

impl Fold {
    /// Values of the whole program that sum to those of the small one; or the classes whose
    /// sums cannot be shared out.
    pub(super) fn unfold(&self, whole: &Program, values: &[i64]) -> Result<Vec<i64>, Vec<usize>> {
        let mut found: Vec<i64> = self
            .places
            .iter()
            .map(|place| match place {
                Place::Own(column) => values[*column],
                Place::Fixed(value) => *value,
                Place::Shared => 0,
            })
            .collect();
        let mut failed = Vec::new();
        for (at, class) in self.classes.iter().enumerate() {
            let sums = &values[class.first..class.first + class.width];
            if class.share(sums, &mut found).is_none() {
                failed.push(at);
            }
        }
        for named in &self.sums {
            found[named.column] = named.value(&found);
        }
        match failed.is_empty() {
            true if whole.holds(&found) => Ok(found),
            true => Err((0..self.classes.len()).collect()),
            false => Err(failed),
        }
    }
}

impl Class {
    /// Gives sums out among the parts: as much to the first as goes, then to the second, and so
    /// on. `None`: it does not work out.
    fn share(&self, sums: &[i64], values: &mut [i64]) -> Option<()> {
        let demands = self.demands(values);
        let constraint = |at: usize| Constraint::Sum(demands[at]);
        let propagator = Propagator::new(self.width, demands.len(), constraint);
        let narrow = |bounds: &mut Bounds| {
            let tighten = |at: usize, bounds: &mut Bounds, moved: &mut Vec<usize>| {
                constraint(at).tighten(bounds, moved)
            };
            let is_possible = !bounds.is_crossed()
                && propagator.run(0..demands.len(), usize::MAX, bounds, tighten);
            is_possible.then_some(())
        };
        let count = self.columns.len() / self.width;
        let mut left = sums.to_vec();
        for (nth, part) in self.columns.chunks(self.width).enumerate() {
            if left.iter().all(|left| *left == 0) && self.ends.iter().all(|(low, _)| *low == 0) {
                return Some(());
            }
            let rest = (count - nth - 1) as i64;
            let mut bounds = Bounds::default();
            for (left, (low, high)) in left.iter().zip(&self.ends) {
                let others = (low.saturating_mul(rest), high.saturating_mul(rest));
                bounds.lower.push((*low).max(left.saturating_sub(others.1)));
                bounds.upper.push((*high).min(left.saturating_sub(others.0)));
            }
            narrow(&mut bounds)?;
            for at in 0..self.width {
                bounds = (bounds.lower[at]..=bounds.upper[at]).rev().find_map(|value| {
                    let mut tried = bounds.clone();
                    (tried.lower[at], tried.upper[at]) = (value, value);
                    narrow(&mut tried).map(|()| tried)
                })?;
            }
            for ((column, value), left) in part.iter().zip(&bounds.lower).zip(&mut left) {
                values[*column as usize] = *value;
                *left -= value;
            }
        }
        left.iter().all(|left| *left == 0).then_some(())
    }

    /// The demands within a part, what belongs to none settled.
    fn demands(&self, values: &[i64]) -> Vec<Sum<'_>> {
        let demands = self.local.iter().map(|local| {
            let others = local.others.iter();
            let settled: i64 = others.map(|(column, by)| by * values[*column]).sum();
            Sum {
                terms: &local.terms,
                low: local.low.map(|low| low - settled),
                high: local.high.map(|high| high - settled),
            }
        });
        demands.collect()
    }
}
