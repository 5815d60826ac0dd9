//! The linear relaxation of a program: the dual simplex method with bounds on every unknown,
//! on a dense table.
//!
//! Costs are never negative, so with every unknown at its lower bound the table is ready for
//! the dual method, and it stays so whatever bounds the search sets: the search goes from
//! node to node without starting again. Floating-point numbers only suggest: what is concluded
//! from them is reckoned again in whole numbers, by [`Proof`].

use super::answer::Answer;
use super::program::{Bounds, Demand, HUGE, Program};
use super::proof::Proof;
use std::borrow::Cow;

/// Differences smaller than this are rounding.
pub(super) const TOLERANCE: f64 = 1e-7;
/// Factors smaller than this are no pivots.
const PIVOT: f64 = 1e-7;
/// Multipliers of rows are whole numbers of this part.
pub(super) const SCALE: i64 = 1 << 26;
/// So many numbers that are looked at or changed are a step.
pub(super) const A_STEP: u64 = 1 << 14;
/// The tableau is rebuilt after this many pivots, before rounding errors add up.
const FRESH: u32 = 600;

/// After this many degenerate steps in a row the method counts as stalled.
const STILL: u32 = 40;

/// How a run goes.
#[derive(Debug, Default)]
pub(super) struct Pace {
    /// Steps in a row that cost nothing.
    pub(super) idle: u32,
    /// Whether costs are changed.
    pub(super) changed: bool,
    /// Whether they were, and were put back: that is done once.
    pub(super) restored: bool,
}

impl Pace {
    /// Records the cost of a step; returns whether the method has stalled.
    fn stalls(&mut self, cost: f64) -> bool {
        self.idle = if cost > TOLERANCE { 0 } else { self.idle + 1 };
        self.idle > STILL && !self.changed && !self.restored
    }
}

/// The relaxation of a program, at whatever bounds are asked about.
#[derive(Debug)]
pub(super) struct Relaxation<'p> {
    pub(super) program: Cow<'p, Program>,
    pub(super) columns: usize,
    pub(super) rows: usize,
    /// `basic unknown = sum of factor × free unknown`, a row a basic unknown. Unknowns are the
    /// columns, then the sums of the demands.
    pub(super) table: Vec<f64>,
    /// What each free unknown costs beyond what the others make of it.
    pub(super) reduced: Vec<f64>,
    /// The unknown of each row, and of each place in a row.
    pub(super) basic: Vec<usize>,
    pub(super) free: Vec<usize>,
    /// Whether a nonbasic column is at its upper bound.
    pub(super) at_upper: Vec<bool>,
    pub(super) pivots: u32,
    /// Numbers looked at or changed so far: the measure of work.
    pub(super) touched: u64,
    value: Vec<f64>,
    lower: Vec<f64>,
    upper: Vec<f64>,
    /// The multipliers of the rows that show why there is nothing.
    ray: Vec<f64>,
    /// How far the unknown of each row lies from others, roughly, squared: by devex pricing one
    /// that is out of its bounds counts the less the farther that is.
    weight: Vec<f64>,
}

impl<'p> Relaxation<'p> {
    pub(super) fn new(program: Cow<'p, Program>) -> Relaxation<'p> {
        let mut relaxation = Relaxation::empty(program);
        relaxation.fill();
        relaxation
    }

    /// The same with nothing in the table yet.
    pub(super) fn empty(program: Cow<'p, Program>) -> Relaxation<'p> {
        let (columns, rows) = (program.columns.len(), program.demands.len());
        let costs = program.columns.iter().map(|column| column.cost as f64);
        let mut relaxation = Relaxation {
            reduced: costs.collect(),
            program,
            columns,
            rows,
            table: vec![0.0; rows * columns],
            basic: (columns..columns + rows).collect(),
            free: (0..columns).collect(),
            at_upper: vec![false; columns],
            pivots: 0,
            touched: (rows * columns) as u64,
            value: vec![0.0; columns + rows],
            lower: vec![0.0; columns + rows],
            upper: vec![0.0; columns + rows],
            ray: Vec::new(),
            weight: vec![1.0; rows],
        };
        for (row, demand) in relaxation.program.demands.iter().enumerate() {
            relaxation.lower[columns + row] =
                demand.low.map_or(f64::NEG_INFINITY, |low| low as f64);
            relaxation.upper[columns + row] = demand.high.map_or(f64::INFINITY, |high| high as f64);
        }
        relaxation
    }

    /// The steps that this has taken, and what else was touched; one at least.
    pub(super) fn steps(&self, besides: u64) -> u64 {
        1 + (self.touched + besides) / A_STEP
    }

    /// Builds the table again, with the columns free.
    fn restart(&mut self) {
        self.touched += self.table.len() as u64;
        self.table.fill(0.0);
        self.basic = (self.columns..self.columns + self.rows).collect();
        self.free = (0..self.columns).collect();
        self.at_upper.fill(false);
        self.pivots = 0;
        for (reduced, column) in self.reduced.iter_mut().zip(&self.program.columns) {
            *reduced = column.cost as f64;
        }
        self.fill();
    }

    /// Writes the program into the empty table.
    fn fill(&mut self) {
        for (row, demand) in self.program.demands.iter().enumerate() {
            for (column, factor) in &demand.terms {
                self.table[row * self.columns + column] = *factor as f64;
            }
        }
    }

    /// Solves the relaxation within some bounds of the columns. Found: the values are a smallest
    /// solution of it. None: no values satisfy the demands, if rounding did not deceive.
    pub(super) fn solve(&mut self, bounds: &Bounds) -> Answer {
        for column in 0..self.columns {
            self.lower[column] = finite(bounds.lower[column]);
            self.upper[column] = finite(bounds.upper[column]);
        }
        if self.pivots > FRESH {
            self.restart();
        }
        let relaxed = self.run();
        let terms = self.program.demands.iter().map(|demand| demand.terms.len());
        self.touched += (3 * terms.sum::<usize>() + 4 * self.columns) as u64;
        if self.is_credible(relaxed, bounds) {
            return relaxed;
        }
        // Rounding errors have added up early: large factors next to small ones do that.
        self.restart();
        self.run()
    }

    /// Whether the result of the tableau holds for the program's own numbers, within the tolerance.
    fn is_credible(&self, relaxed: Answer, bounds: &Bounds) -> bool {
        /// A sum may be off by this part of its summands.
        const OFF: f64 = 1e-6;
        let is_sum = |(row, demand): (usize, &Demand)| {
            let (mut sum, mut size) = (0.0, 1.0);
            for (column, by) in &demand.terms {
                let summand = *by as f64 * self.value[*column];
                sum += summand;
                size += summand.abs();
            }
            (sum - self.value[self.columns + row]).abs() <= OFF * size
        };
        match relaxed {
            Answer::Found(()) => self.program.demands.iter().enumerate().all(is_sum),
            Answer::None => self.refutation().refutes(bounds),
            Answer::Limit => false,
        }
    }

    /// Pivots until the values satisfy the demands, or it is clear that none do.
    fn run(&mut self) -> Answer {
        /// Where the method goes round in circles it is stopped.
        const MOST: u32 = 5_000;
        let mut pace = Pace::default();
        self.weight.clear();
        self.weight.resize(self.rows, 1.0);
        self.place();
        for step in 0..MOST {
            let Some((row, short)) = self.leaving() else {
                if self.settle_costs(&mut pace) {
                    self.place();
                    continue;
                }
                return Answer::Found(());
            };
            let Some(place) = self.entering(row, short) else {
                self.blame(row, short);
                self.settle_costs(&mut pace);
                return Answer::None;
            };
            if pace.stalls(self.reduced[place].abs()) {
                self.perturb(&mut pace);
                // Another one may be the cheapest now.
                self.place();
                continue;
            }
            self.pivot(row, place, short);
            // Now and then values are reckoned afresh.
            if step % 64 == 63 {
                self.place();
            }
        }
        self.settle_costs(&mut pace);
        Answer::Limit
    }

    /// Puts free unknowns at the bounds that their reduced costs ask for, and reckons the
    /// basic ones.
    fn place(&mut self) {
        for place in 0..self.columns {
            let unknown = self.free[place];
            let (low, high) = (self.lower[unknown], self.upper[unknown]);
            let upper = match self.reduced[place] {
                cost if cost > TOLERANCE => !low.is_finite(),
                cost if cost < -TOLERANCE => high.is_finite(),
                _ => (self.at_upper[place] && high.is_finite()) || !low.is_finite(),
            };
            self.at_upper[place] = upper;
            self.value[unknown] = if upper { high } else { low };
        }
        // Most free unknowns are 0 and add nothing.
        let places = self.free.iter().enumerate();
        let there: Vec<(usize, f64)> = places
            .map(|(place, unknown)| (place, self.value[*unknown]))
            .filter(|(_, value)| *value != 0.0)
            .collect();
        self.touched += (self.columns + self.rows * (1 + there.len())) as u64;
        for row in 0..self.rows {
            let factors = &self.table[row * self.columns..(row + 1) * self.columns];
            let mut sum = 0.0;
            for (place, value) in &there {
                let factor = factors[*place];
                if factor != 0.0 {
                    sum += factor * value;
                }
            }
            self.value[self.basic[row]] = sum;
        }
    }

    /// The row that is farthest out of its bounds, as rows are weighted, and by how much:
    /// negative if it is too small.
    fn leaving(&self) -> Option<(usize, f64)> {
        let (mut worst, mut most) = (None, 0.0);
        for (row, unknown) in self.basic.iter().enumerate() {
            let value = self.value[*unknown];
            let out = if value < self.lower[*unknown] - TOLERANCE {
                value - self.lower[*unknown]
            } else if value > self.upper[*unknown] + TOLERANCE {
                value - self.upper[*unknown]
            } else {
                continue;
            };
            let by = out * out / self.weight[row];
            if by > most {
                most = by;
                worst = Some((row, out));
            }
        }
        worst
    }

    /// The place whose unknown enters for a row that is out of its bounds. Unknowns that
    /// cost less to move and cannot mend it alone go to their other bound on the way.
    fn entering(&mut self, row: usize, out: f64) -> Option<usize> {
        let start = row * self.columns;
        let mut candidates: Vec<(f64, usize)> = Vec::new();
        for place in 0..self.columns {
            let factor = self.table[start + place];
            if factor.abs() < PIVOT {
                continue;
            }
            let unknown = self.free[place];
            if self.lower[unknown] == self.upper[unknown] {
                continue;
            }
            // The row must grow if it is too small.
            let grows = (factor > 0.0) != self.at_upper[place];
            if grows == (out < 0.0) {
                candidates.push((self.reduced[place].abs() / factor.abs(), place));
            }
        }
        self.touched += (self.columns + 8 * candidates.len()) as u64;
        let factor = |place: usize| self.table[start + place].abs();
        candidates.sort_by(|a, b| {
            a.0.total_cmp(&b.0)
                .then_with(|| factor(b.1).total_cmp(&factor(a.1)))
                .then_with(|| a.1.cmp(&b.1))
        });
        let mut left = out.abs();
        let mut flips = Vec::new();
        let mut chosen = None;
        for (_, place) in &candidates {
            let unknown = self.free[*place];
            let reach = factor(*place) * (self.upper[unknown] - self.lower[unknown]);
            if reach >= left - TOLERANCE {
                chosen = Some(*place);
                break;
            }
            left -= reach;
            flips.push(*place);
        }
        let chosen = chosen?;
        self.touched += (self.rows * (1 + flips.len())) as u64;
        for place in flips {
            let unknown = self.free[place];
            let before = self.value[unknown];
            self.at_upper[place] = !self.at_upper[place];
            let after =
                if self.at_upper[place] { self.upper[unknown] } else { self.lower[unknown] };
            self.value[unknown] = after;
            for row in 0..self.rows {
                let factor = self.table[row * self.columns + place];
                if factor != 0.0 {
                    self.value[self.basic[row]] += factor * (after - before);
                }
            }
        }
        Some(chosen)
    }

    /// Exchanges the unknown of a row for the free one at a place.
    fn pivot(&mut self, row: usize, place: usize, out: f64) {
        self.pivots += 1;
        let width = self.columns;
        let (leaves, enters) = (self.basic[row], self.free[place]);
        let bound = if out < 0.0 { self.lower[leaves] } else { self.upper[leaves] };
        let by = self.table[row * width + place];
        let step = (bound - self.value[leaves]) / by;
        let weight = self.weight[row];
        // The row, solved for the unknown that enters.
        let mut pivot_row: Vec<f64> = self.table[row * width..(row + 1) * width].to_vec();
        for factor in &mut pivot_row {
            *factor = clean(-*factor / by);
        }
        pivot_row[place] = 1.0 / by;
        let used: Vec<(usize, f64)> = (pivot_row.iter().copied().enumerate())
            .filter(|(at, by)| *by != 0.0 && *at != place)
            .collect();
        let add = |line: &mut [f64], factor: f64| {
            for (at, by) in &used {
                let cell = &mut line[*at];
                *cell = clean(*cell + factor * by);
            }
        };
        let mut lines = 0;
        for (other, line) in self.table.chunks_exact_mut(width).enumerate() {
            let factor = line[place];
            if other == row || factor == 0.0 {
                continue;
            }
            let part = factor / by;
            self.value[self.basic[other]] += factor * step;
            self.weight[other] = self.weight[other].max(part * part * weight);
            add(line, factor);
            line[place] = part;
            lines += 1;
        }
        self.touched += (3 * width + 4 * self.rows + 2 * lines * used.len()) as u64;
        self.weight[row] = (weight / (by * by)).max(1.0);
        self.value[enters] += step;
        self.value[leaves] = bound;
        let factor = self.reduced[place];
        if factor != 0.0 {
            add(&mut self.reduced, factor);
            self.reduced[place] = factor / by;
        }
        self.table[row * width..(row + 1) * width].copy_from_slice(&pivot_row);
        self.basic[row] = enters;
        self.free[place] = leaves;
        self.at_upper[place] = out > 0.0;
    }

    /// Notes which rows, added up, show that a row cannot come within its bounds.
    fn blame(&mut self, row: usize, out: f64) {
        let sign = if out < 0.0 { 1.0 } else { -1.0 };
        self.ray = vec![0.0; self.rows];
        if let Some(demand) = self.basic[row].checked_sub(self.columns) {
            self.ray[demand] = sign;
        }
        for (place, unknown) in self.free.iter().enumerate() {
            if let Some(demand) = unknown.checked_sub(self.columns) {
                self.ray[demand] = -sign * self.table[row * self.columns + place];
            }
        }
    }

    /// The value of a column in the relaxation.
    pub(super) fn value(&self, column: usize) -> f64 {
        self.value[column]
    }

    /// The proof of what the last solution costs at least.
    pub(super) fn bound(&self) -> Proof {
        Proof::new(&self.program, &self.multipliers(), SCALE)
    }

    /// What the last solution pays for each row, in parts.
    pub(super) fn multipliers(&self) -> Vec<i64> {
        let mut multipliers = vec![0; self.rows];
        for (place, unknown) in self.free.iter().enumerate() {
            if let Some(demand) = unknown.checked_sub(self.columns) {
                multipliers[demand] = scaled(self.reduced[place]);
            }
        }
        multipliers
    }

    /// The proof that there is nothing.
    pub(super) fn refutation(&self) -> Proof {
        Proof::new(&self.program, &self.blamed(), 0)
    }

    /// The multipliers of the rows that show that there is nothing.
    pub(super) fn blamed(&self) -> Vec<i64> {
        let largest = self.ray.iter().fold(0.0_f64, |most, by| most.max(by.abs()));
        let by = if largest > 0.0 { 1.0 / largest } else { 1.0 };
        self.ray.iter().map(|part| scaled(part * by)).collect()
    }
}

fn finite(bound: i64) -> f64 {
    match bound {
        bound if bound >= HUGE => f64::INFINITY,
        bound if bound <= -HUGE => f64::NEG_INFINITY,
        bound => bound as f64,
    }
}

/// Rounding left over where there should be nothing.
pub(super) fn clean(number: f64) -> f64 {
    if number.abs() < 1e-11 { 0.0 } else { number }
}

/// A multiplier as a whole number of parts; one that is too large to be right is none.
fn scaled(number: f64) -> i64 {
    let parts = (number * SCALE as f64).round();
    if parts.abs() < 1e15 { parts as i64 } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::super::program::{Column, Program};
    use super::*;

    /// Rounding errors add up to the tableau of another program. Whatever is in it, what
    /// is answered is of this one.
    #[test]
    fn a_table_that_has_gone_wrong_is_made_anew() {
        let column = |cost| Column { lower: 0, upper: 40, cost, first: false };
        let demand =
            |terms: &[(usize, i64)], low, high| Demand { terms: terms.to_vec(), low, high };
        let program = Program {
            columns: vec![column(3), column(5), column(0), column(2)],
            demands: vec![
                demand(&[(0, 4), (1, 7), (3, -1)], Some(15), Some(90)),
                demand(&[(0, 1), (2, 1), (3, 1)], Some(6), Some(6)),
                demand(&[(1, 13_972), (2, -1)], Some(0), None),
            ],
            fixed_cost: 0,
        };
        // Bounds one after the other, as a search sets them; those of the third are impossible.
        let bounds = [
            ([0, 0, 0, 0], [40, 40, 40, 40]),
            ([0, 1, 0, 0], [2, 40, 3, 40]),
            ([7, 0, 0, 0], [9, 40, 40, 40]),
            ([0, 0, 1, 1], [40, 1, 2, 4]),
        ];
        let mut kept = Relaxation::new(Cow::Borrowed(&program));
        for (number, (lower, upper)) in (0_u32..).zip(bounds) {
            let bounds = Bounds { lower: lower.to_vec(), upper: upper.to_vec() };
            let mut fresh = Relaxation::new(Cow::Borrowed(&program));
            for (at, cell) in kept.table.iter_mut().enumerate() {
                let off = f64::from((at as u32 * 7 + number) % 5) - 2.0;
                *cell += off * 1e-3;
            }
            let came = fresh.solve(&bounds);
            assert_eq!(kept.solve(&bounds), came, "{number}");
            let cost = |solved: &Relaxation<'_>| solved.bound().cost(&bounds);
            match came {
                Answer::Found(()) => assert_eq!(cost(&kept), cost(&fresh), "{number}"),
                Answer::None => assert!(kept.refutation().refutes(&bounds)),
                Answer::Limit => panic!("{number}"),
            }
        }
    }
}
