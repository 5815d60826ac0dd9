//! What the dual simplex does when it stalls: costs are changed by very little, no two
//! alike, so that every step costs something; in the end they are put back.

use super::simplex::{Pace, Relaxation};

/// Costs are changed by this at least, and less than twice as much: many times what counts as
/// rounding, and far less than what could make a whole number of difference.
const LITTLE: f64 = 2e-6;

impl Relaxation<'_> {
    /// Changes the costs of the free unknowns by very little, each away from where it would
    /// be better at its other bound.
    pub(super) fn perturb(&mut self, pace: &mut Pace) {
        pace.changed = true;
        for place in 0..self.columns {
            let by = LITTLE * (1.0 + fraction(self.free[place]));
            let by = if self.at_upper[place] { -by } else { by };
            self.reduced[place] += by;
        }
    }

    /// Puts the costs back, if they were changed; whether they were.
    pub(super) fn settle_costs(&mut self, pace: &mut Pace) -> bool {
        if !pace.changed {
            return false;
        }
        *pace = Pace { restored: true, ..Pace::default() };
        let cost = |unknown: usize| match self.program.columns.get(unknown) {
            Some(column) => column.cost as f64,
            None => 0.0,
        };
        let mut reduced: Vec<f64> = self.free.iter().map(|unknown| cost(*unknown)).collect();
        for (row, basic) in self.basic.iter().enumerate() {
            let cost = cost(*basic);
            if cost == 0.0 {
                continue;
            }
            let factors = &self.table[row * self.columns..(row + 1) * self.columns];
            for (reduced, factor) in reduced.iter_mut().zip(factors) {
                *reduced += cost * factor;
            }
        }
        self.reduced = reduced;
        true
    }
}

/// A number from 0 to 1 for an unknown, the same at every run.
fn fraction(unknown: usize) -> f64 {
    // Multiples of the golden ratio are spread evenly.
    (unknown as f64 * 0.618_033_988_749_894_9).fract()
}
