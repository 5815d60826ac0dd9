//! Totals of hands: the number of ways for each total, and distributions.

use super::budget::{Budget, Limit};
use super::fraction::Fraction;
use num_bigint::{BigInt, BigUint, Sign};
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::fmt;

/// For each total the number of hands that have it: a polynomial whose exponents are the totals.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Totals(BTreeMap<i128, BigUint>);

impl<const N: usize> From<[(i128, BigUint); N]> for Totals {
    fn from(ways: [(i128, BigUint); N]) -> Totals {
        let ways = ways.into_iter().filter(|(_, ways)| *ways != BigUint::ZERO);
        Totals(ways.collect())
    }
}

impl Totals {
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// About the bytes that they take.
    pub(crate) fn bytes(&self) -> u64 {
        let longest = self.0.values().map(BigUint::bits).max().unwrap_or(0);
        // A total, its number, its node of the tree.
        self.0.len() as u64 * (96 + longest / 8)
    }

    /// `self += ways × more`, with `shift` added to each total of `more`.
    pub(crate) fn add_shifted(&mut self, ways: &BigUint, more: &Totals, shift: i128) {
        if *ways == BigUint::ZERO {
            return;
        }
        for (total, number) in &more.0 {
            match self.0.entry(total + shift) {
                Entry::Vacant(free) => drop(free.insert(number * ways)),
                Entry::Occupied(mut known) => *known.get_mut() += number * ways,
            }
        }
    }

    /// The totals of 0, 1, 2… cards, from those of some cards and one more atom. `ways` has the
    /// ways to draw 0, 1, 2… cards of the atom; each card adds `adds`.
    pub(crate) fn convolved(
        before: &[Totals],
        ways: &[BigUint],
        adds: i64,
        budget: &mut Budget,
    ) -> Result<Vec<Totals>, Limit> {
        let mut together = vec![Totals::default(); before.len()];
        let mut held = 0;
        for (cards, totals) in before.iter().enumerate() {
            budget.spend(1 + 10 * (totals.0.len() * ways.len()) as u64)?;
            for (taken, ways) in ways.iter().enumerate().take(before.len() - cards) {
                let sum = &mut together[cards + taken];
                let known = sum.bytes();
                sum.add_shifted(ways, totals, i128::from(adds) * taken as i128);
                let fresh = sum.bytes() - known;
                // The row before takes as much.
                budget.hold(2 * fresh)?;
                held += 2 * fresh;
            }
        }
        budget.release(held);
        Ok(together)
    }
}

/// A mean, exact. Unlike a probability it may be negative.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mean {
    negative: bool,
    size: Fraction,
}

impl Mean {
    /// The nearest double.
    pub fn nearest(&self) -> f64 {
        let size = self.size.nearest();
        if self.negative { -size } else { size }
    }
}

impl fmt::Display for Mean {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.negative { "-" } else { "" };
        write!(out, "{sign}{}", self.size)
    }
}

/// The probability of each value of a total; the probabilities add up to exactly 1.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Distribution {
    /// The values, ascending.
    pub values: Vec<(i128, Fraction)>,
    /// The mean of the values.
    pub mean: Mean,
}

impl Distribution {
    pub(crate) fn new(totals: &Totals, hands: &BigUint) -> Distribution {
        let share =
            |(value, ways): (&i128, &BigUint)| (*value, Fraction::new(ways.clone(), hands.clone()));
        let products = totals.0.iter();
        let products =
            products.map(|(value, ways)| BigInt::from(*value) * BigInt::from(ways.clone()));
        let sum: BigInt = products.sum();
        Distribution {
            values: totals.0.iter().map(share).collect(),
            mean: Mean {
                negative: sum.sign() == Sign::Minus,
                size: Fraction::new(sum.magnitude().clone(), hands.clone()),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::odds::number::{Choices, Number};

    /// Every set of the cards has a total of its own.
    #[test]
    fn totals_beyond_the_memory_limit_are_too_much_work() {
        let totals = |cards: u32, drawn: u32| {
            let budget = &mut Budget::new(u64::MAX, 1 << 20);
            let choices = Choices::new(cards, drawn, &1_u32.into(), budget)?;
            let mut row = Totals::row(&choices, 0, drawn as usize + 1, 0).into_owned();
            for power in 0..cards {
                row = Totals::convolved(&row, &choices.row(1)[..2], 1 << power, budget)?;
            }
            Ok(row.pop().map_or(0, |totals| totals.0.len()))
        };
        assert_eq!(totals(40, 20), Err(Limit::Memory));
        assert_eq!(totals(40, 2), Ok(40 * 39 / 2));
    }
}
