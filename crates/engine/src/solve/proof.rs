//! What a relaxation suggests, reckoned again in whole numbers.

use super::program::{Bounds, HUGE, Program};

/// Rows added up with whole multipliers: a bound on costs that anyone can check. Any
/// multipliers give a true bound; good ones give a good one.
#[derive(Debug)]
pub(super) struct Proof {
    /// What each column costs beyond the rows, in parts.
    rest: Vec<i128>,
    /// The least value of the rows, in parts.
    rows: i128,
    /// The parts of one unit of cost.
    parts: i64,
}

impl Proof {
    /// The sum of a program's demands with these multipliers, in parts of a cost.
    pub(super) fn new(program: &Program, multipliers: &[i64], parts: i64) -> Proof {
        let mut rest: Vec<i128> = program
            .columns
            .iter()
            .map(|column| i128::from(column.cost) * i128::from(parts))
            .collect();
        let mut rows = 0_i128;
        for (demand, by) in program.demands.iter().zip(multipliers) {
            // A row that is open on the side that matters has no say.
            let end = match by {
                0 => continue,
                1.. => demand.low,
                _ => demand.high,
            };
            let Some(end) = end else {
                // Rounding gave a tiny multiplier to an open side.
                continue;
            };
            let by = i128::from(*by);
            rows += by * i128::from(end);
            for (column, factor) in &demand.terms {
                rest[*column] -= by * i128::from(*factor);
            }
        }
        Proof { rest, rows, parts }
    }

    /// The least that the sum can be within bounds, in parts.
    pub(super) fn least(&self, bounds: &Bounds) -> Option<i128> {
        let mut sum = self.rows;
        for (at, rest) in self.rest.iter().enumerate() {
            let bound = match rest {
                0 => continue,
                1.. => bounds.lower[at],
                _ => bounds.upper[at],
            };
            if bound.abs() >= HUGE {
                return None;
            }
            sum += rest * i128::from(bound);
        }
        Some(sum)
    }

    /// The cost that no whole solution within the bounds is below.
    pub(super) fn cost(&self, bounds: &Bounds) -> i64 {
        let parts = i128::from(self.parts.max(1));
        match self.least(bounds) {
            Some(sum) => {
                let whole = sum.div_euclid(parts) + i128::from(sum.rem_euclid(parts) != 0);
                i64::try_from(whole).unwrap_or(0).max(0)
            }
            None => 0,
        }
    }

    /// Whether the proof shows that there is nothing within the bounds.
    pub(super) fn refutes(&self, bounds: &Bounds) -> bool {
        self.parts == 0 && self.least(bounds).is_some_and(|sum| sum > 0)
    }

    /// What a column costs beyond the rows, in parts.
    pub(super) fn rest(&self, column: usize) -> i128 {
        self.rest[column]
    }

    /// What is left of `most`, in parts; `None`: the bounds say nothing.
    pub(super) fn left(&self, bounds: &Bounds, most: i64) -> Option<i128> {
        let least = self.least(bounds)?;
        Some(i128::from(most) * i128::from(self.parts) - least)
    }

    /// How far a column may move from its bound before more than `most` is
    /// spent; `None`: this proof sets no limit.
    pub(super) fn reach(
        &self,
        bounds: &Bounds,
        most: i64,
    ) -> Option<impl Fn(usize) -> Option<(i64, bool)> + '_> {
        let left = self.left(bounds, most)?;
        (left >= 0 && self.parts > 0).then_some(move |column: usize| {
            let rest = self.rest[column];
            if rest == 0 {
                return None;
            }
            let steps = i64::try_from(left / rest.abs()).unwrap_or(HUGE).min(HUGE);
            Some((steps, rest > 0))
        })
    }
}
