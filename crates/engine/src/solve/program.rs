//! An integer program: the seam between what rules and wishes demand and what solves it.
//!
//! On one side are [`reduce`](super::reduce) and [`repair`](super::repair), which know cards and
//! no method; on the other [`search()`](super::search()), which knows columns and demands and
//! no cards. Whatever solves a [`Program`] within a number of steps, and says of its answer
//! whether it is proven, can be used instead. The tests use another solver, `microlp`, and
//! both must find the same cost.
//! Programs of many parts that are alike are [folded](super::fold) before they are searched.
//!
//! The search is the project's own for three reasons. An answer is called smallest only when
//! that was reckoned in whole numbers, and the crates prove within a tolerance. The limit counts
//! steps, so that the same answer comes out on every machine. And a C++ solver, the fast kind,
//! needs more than a Rust toolchain to build.

use std::borrow::Cow;

/// A whole-number unknown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Column {
    /// The smallest value.
    pub lower: i64,
    /// The largest value.
    pub upper: i64,
    /// What each unit costs; never negative, and 0 where values may be negative.
    pub cost: i64,
    /// Whether the search settles it before others: a number on which much else depends.
    pub first: bool,
}

/// `low <= sum of coefficient × column <= high`; an end may be open.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Demand {
    /// Columns and their coefficients, by column, each once.
    pub terms: Vec<(usize, i64)>,
    /// The least that the sum may be.
    pub low: Option<i64>,
    /// The most that it may be.
    pub high: Option<i64>,
}

/// Find values of the columns that satisfy every demand and cost least.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Program {
    /// The unknowns.
    pub columns: Vec<Column>,
    /// What they must satisfy.
    pub demands: Vec<Demand>,
    /// Cost that nothing can avoid.
    pub fixed_cost: i64,
}

impl Program {
    /// Whether some values satisfy every bound and demand, reckoned in whole numbers.
    pub fn holds(&self, values: &[i64]) -> bool {
        let within =
            |(column, value): (&Column, &i64)| (column.lower..=column.upper).contains(value);
        let met = |demand: &Demand| {
            let sum: i128 = demand
                .terms
                .iter()
                .map(|(column, factor)| i128::from(values[*column]) * i128::from(*factor))
                .sum();
            demand.low.is_none_or(|low| sum >= i128::from(low))
                && demand.high.is_none_or(|high| sum <= i128::from(high))
        };
        self.columns.iter().zip(values).all(within) && self.demands.iter().all(met)
    }

    /// The number of its columns and terms.
    pub(super) fn size(&self) -> usize {
        let terms = self.demands.iter().map(|demand| demand.terms.len());
        self.columns.len() + terms.sum::<usize>()
    }

    /// What some values cost.
    pub fn cost(&self, values: &[i64]) -> i64 {
        let each = self.columns.iter().zip(values);
        self.fixed_cost + each.map(|(column, value)| column.cost * value).sum::<i64>()
    }
}

impl Program {
    /// The program of the columns that some bounds leave open, and which columns those are.
    pub(super) fn open(&self, bounds: &Bounds) -> (Program, Vec<usize>) {
        let all = 0..self.columns.len();
        let open: Vec<usize> = all.filter(|column| !bounds.is_fixed(*column)).collect();
        let columns = open.iter().map(|column| Column {
            lower: bounds.lower[*column],
            upper: bounds.upper[*column],
            ..self.columns[*column]
        });
        let demands = self.demands.iter().map(|demand| {
            let (mut terms, mut fixed) = (Vec::new(), 0);
            for (column, by) in &demand.terms {
                match open.binary_search(column) {
                    Ok(place) => terms.push((place, *by)),
                    Err(_) => fixed += by * bounds.lower[*column],
                }
            }
            Demand {
                terms,
                low: demand.low.map(|low| low - fixed),
                high: demand.high.map(|high| high - fixed),
            }
        });
        let fixed = self.columns.iter().enumerate();
        let fixed = fixed.filter(|(at, _)| bounds.is_fixed(*at));
        let fixed_cost = fixed.map(|(at, column)| column.cost * bounds.lower[at]);
        let program = Program {
            columns: columns.collect(),
            demands: demands.collect(),
            fixed_cost: self.fixed_cost + fixed_cost.sum::<i64>(),
        };
        (program, open)
    }
}

/// The smallest and the largest value of each column.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Bounds {
    pub(super) lower: Vec<i64>,
    pub(super) upper: Vec<i64>,
}

impl Bounds {
    pub(super) fn of(columns: &[Column]) -> Bounds {
        Bounds {
            lower: columns.iter().map(|column| column.lower).collect(),
            upper: columns.iter().map(|column| column.upper).collect(),
        }
    }

    /// Whether the column has one value only.
    pub(super) fn is_fixed(&self, column: usize) -> bool {
        self.lower[column] == self.upper[column]
    }

    /// Whether some column has no value.
    pub(super) fn is_crossed(&self) -> bool {
        let mut each = self.lower.iter().zip(&self.upper);
        each.any(|(lower, upper)| lower > upper)
    }

    /// The smallest and the largest sum.
    pub(super) fn extent(&self, terms: &[(usize, i64)]) -> (i128, i128) {
        let mut extent = (0, 0);
        for (column, by) in terms {
            let by = i128::from(*by);
            let ends = (by * i128::from(self.lower[*column]), by * i128::from(self.upper[*column]));
            extent.0 += ends.0.min(ends.1);
            extent.1 += ends.0.max(ends.1);
        }
        extent
    }
}

/// Bounds that a question sets for a column of a program, within those that it has there.
#[derive(Debug, Clone, Copy)]
pub(super) struct Set {
    pub(super) column: usize,
    pub(super) lower: i64,
    pub(super) upper: i64,
}

impl Program {
    /// The program with these bounds.
    pub(super) fn with(&self, set: &[Set]) -> Cow<'_, Program> {
        let mut program = Cow::Borrowed(self);
        for set in set {
            let own = &self.columns[set.column];
            if (own.lower, own.upper) != (set.lower, set.upper) {
                let own = &mut program.to_mut().columns[set.column];
                (own.lower, own.upper) = (set.lower, set.upper);
            }
        }
        program
    }
}

/// What is known about the smallest and largest sum that bounds allow: how much of it is
/// finite, and how many terms are not. Numbers beyond [`HUGE`] count as infinite.
#[derive(Debug, Clone, Copy, Default)]
struct Activity {
    sum: i128,
    infinite: u32,
}

/// From here on a bound says nothing.
pub(super) const HUGE: i64 = 1 << 40;

impl Activity {
    fn add(&mut self, factor: i64, bound: i64) {
        if bound.abs() >= HUGE {
            self.infinite += 1;
        } else {
            self.sum += i128::from(factor) * i128::from(bound);
        }
    }

    /// The sum of the others, where it is finite.
    fn without(self, factor: i64, bound: i64) -> Option<i128> {
        match (self.infinite, bound.abs() >= HUGE) {
            (0, _) => Some(self.sum - i128::from(factor) * i128::from(bound)),
            (1, true) => Some(self.sum),
            _ => None,
        }
    }
}

/// A sum between two numbers, as [`tighten`] sees it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sum<'t> {
    pub(super) terms: &'t [(usize, i64)],
    pub(super) low: Option<i64>,
    pub(super) high: Option<i64>,
}

impl Demand {
    /// Its sum and the two ends.
    pub(super) fn sum(&self) -> Sum<'_> {
        Sum { terms: &self.terms, low: self.low, high: self.high }
    }

    /// Removes each end that the bounds imply; `false`: nothing is left of it.
    pub(super) fn drop_implied(&mut self, bounds: &Bounds) -> bool {
        let (least, most) = bounds.extent(&self.terms);
        self.low = self.low.filter(|low| least < i128::from(*low));
        self.high = self.high.filter(|high| most > i128::from(*high));
        self.low.is_some() || self.high.is_some()
    }

    /// Divides the sum by what its factors share and rounds its ends to what it can meet: three
    /// times some flags is at most ten where the flags are at most three. To the relaxation, which
    /// knows no whole numbers, that says more. Ends between which there is no step stay as they
    /// are: nothing satisfies them, and [`tighten`] reports that.
    pub(super) fn divide(&mut self) {
        let step = common_divisor(&self.terms);
        if step <= 1 {
            return;
        }
        let by = i128::from(step);
        // A quotient is no farther from 0 than the number is.
        let low = self.low.map(|low| ceiling(i128::from(low), by) as i64);
        let high = self.high.map(|high| floor(i128::from(high), by) as i64);
        if low.zip(high).is_some_and(|(low, high)| low > high) {
            return;
        }
        (self.low, self.high) = (low, high);
        self.terms.iter_mut().for_each(|(_, by)| *by /= step);
    }
}

/// Sorts the terms by column and adds up those of one column.
pub(super) fn gather(terms: &mut Vec<(usize, i64)>) {
    terms.sort_unstable();
    terms.dedup_by(|next, kept| {
        let is_same = next.0 == kept.0;
        if is_same {
            kept.1 += next.1;
        }
        is_same
    });
    terms.retain(|(_, by)| *by != 0);
}

/// Narrows the bounds of a sum's terms to what the sum allows, and adds the columns whose bounds
/// moved. `false`: no values within the bounds satisfy it. Where the factors of all
/// open terms share a divisor, the sum moves in steps of it: ends between two steps count as
/// the step within, and where there is none, nothing satisfies the sum.
pub(super) fn tighten(sum: Sum<'_>, bounds: &mut Bounds, moved: &mut Vec<usize>) -> bool {
    let Bounds { lower, upper } = bounds;
    let (mut least, mut most) = (Activity::default(), Activity::default());
    let (mut settled, mut step) = (0_i128, 0_i64);
    for (column, factor) in sum.terms {
        let (low, high) = (lower[*column], upper[*column]);
        if low == high {
            settled += i128::from(*factor) * i128::from(low);
        } else if step != 1 {
            step = shared(step, *factor);
        }
        let (small, large) = if *factor > 0 { (low, high) } else { (high, low) };
        least.add(*factor, small);
        most.add(*factor, large);
    }
    let sum = match sum.in_steps(step, settled) {
        Some(sum) => sum,
        None => return false,
    };
    let over = |high: i64| least.infinite == 0 && least.sum > i128::from(high);
    let under = |low: i64| most.infinite == 0 && most.sum < i128::from(low);
    if sum.high.is_some_and(over) || sum.low.is_some_and(under) {
        return false;
    }
    let slack_high = sum
        .high
        .filter(|high| least.infinite > 0 || most.infinite > 0 || most.sum > i128::from(*high));
    let slack_low = sum
        .low
        .filter(|low| least.infinite > 0 || most.infinite > 0 || least.sum < i128::from(*low));
    if slack_high.is_none() && slack_low.is_none() {
        return true;
    }
    for (column, factor) in sum.terms {
        let (low, high) = (lower[*column], upper[*column]);
        if low == high {
            continue;
        }
        let (small, large) = if *factor > 0 { (low, high) } else { (high, low) };
        // factor × value is at most what the others leave of `high`, at least what they leave
        // of `low`.
        let room = slack_high.zip(least.without(*factor, small));
        let need = slack_low.zip(most.without(*factor, large));
        let most_of = room.map(|(high, rest)| i128::from(high) - rest);
        let least_of = need.map(|(low, rest)| i128::from(low) - rest);
        let by = i128::from(*factor);
        let (new_low, new_high) = if *factor > 0 {
            (least_of.map(|n| ceiling(n, by)), most_of.map(|n| floor(n, by)))
        } else {
            (most_of.map(|n| ceiling(n, by)), least_of.map(|n| floor(n, by)))
        };
        let clamp = |n: i128| n.clamp(i128::from(-HUGE), i128::from(HUGE)) as i64;
        let new_low = new_low.map_or(low, clamp).max(low);
        let new_high = new_high.map_or(high, clamp).min(high);
        if new_low > new_high {
            return false;
        }
        if (new_low, new_high) != (low, high) {
            moved.push(*column);
            lower[*column] = new_low;
            upper[*column] = new_high;
        }
    }
    true
}

impl<'t> Sum<'t> {
    /// The same sum with ends that it can meet when it moves in steps from what is settled;
    /// `None`: there is no such step between them.
    fn in_steps(self, step: i64, settled: i128) -> Option<Sum<'t>> {
        if step <= 1 {
            return Some(self);
        }
        let by = i128::from(step);
        let low = self.low.map(|low| i128::from(low) - settled);
        let high = self.high.map(|high| i128::from(high) - settled);
        let low = low.map(|low| ceiling(low, by) * by + settled);
        let high = high.map(|high| floor(high, by) * by + settled);
        if low.zip(high).is_some_and(|(low, high)| low > high) {
            return None;
        }
        let narrow = |end: Option<i128>| end.and_then(|end| i64::try_from(end).ok());
        Some(Sum { terms: self.terms, low: narrow(low), high: narrow(high) })
    }
}

/// The greatest number that divides all factors; 0 without any.
pub(super) fn common_divisor(terms: &[(usize, i64)]) -> i64 {
    terms.iter().fold(0, |step, (_, by)| match step {
        1 => 1,
        step => shared(step, *by),
    })
}

/// The greatest divisor of two numbers, not both 0.
fn shared(one: i64, other: i64) -> i64 {
    let (mut one, mut other) = (one.unsigned_abs(), other.unsigned_abs());
    while other != 0 {
        (one, other) = (other, one % other);
    }
    i64::try_from(one).unwrap_or(1)
}

/// `number / by`, rounded down; `by` may be negative.
fn floor(number: i128, by: i128) -> i128 {
    // Most factors are 1, and a division of 128 bits takes a while.
    if by == 1 {
        return number;
    }
    let quotient = number / by;
    let exact = number % by == 0;
    if !exact && ((number < 0) != (by < 0)) { quotient - 1 } else { quotient }
}

/// `number / by`, rounded up.
fn ceiling(number: i128, by: i128) -> i128 {
    -floor(-number, by)
}
