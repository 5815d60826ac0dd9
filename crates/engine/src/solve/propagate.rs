//! Bound propagation: narrows the bounds of columns to what linear constraints leave of them.

use super::gateway::SharedImplication;
use super::program::{Column, Program, Sum, tighten};
use std::collections::VecDeque;

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

/// Many short lists in one allocation.
#[derive(Debug)]
pub(super) struct Lists<T> {
    starts: Vec<u32>,
    all: Vec<T>,
}

impl<T: Copy + Default> Lists<T> {
    /// Makes `count` lists of the entries that `each` adds. `each` is called twice, first to count.
    pub(super) fn of(count: usize, each: impl Fn(&mut dyn FnMut(usize, &[T]))) -> Lists<T> {
        let mut starts = vec![0_u32; count + 1];
        each(&mut |at, entries| starts[at + 1] += entries.len() as u32);
        for at in 0..count {
            starts[at + 1] += starts[at];
        }
        let mut next = starts.clone();
        let mut all = vec![T::default(); starts[count] as usize];
        each(&mut |at, entries| {
            let start = next[at] as usize;
            all[start..start + entries.len()].copy_from_slice(entries);
            next[at] += entries.len() as u32;
        });
        Lists { starts, all }
    }

    /// The list with this index.
    pub(super) fn own(&self, at: usize) -> &[T] {
        &self.all[self.starts[at] as usize..self.starts[at + 1] as usize]
    }
}

/// The demands of each column, in ascending order, and its factor in each.
pub(super) type Matrix = Lists<(u32, i64)>;

/// The demands of a program by column.
pub(super) fn matrix(program: &Program) -> Matrix {
    Lists::of(program.columns.len(), |add| {
        for (row, demand) in (0..).zip(&program.demands) {
            for (column, by) in &demand.terms {
                add(*column, &[(row, *by)]);
            }
        }
    })
}

/// A constraint that narrows bounds.
#[derive(Debug, Clone, Copy)]
pub(super) enum Constraint<'c> {
    Sum(Sum<'c>),
    Gateway(&'c SharedImplication),
}

impl Constraint<'_> {
    fn columns(self, see: &mut dyn FnMut(usize)) {
        match self {
            Constraint::Sum(sum) => sum.terms.iter().for_each(|(column, _)| see(*column)),
            Constraint::Gateway(gateway) => {
                gateway.flags.iter().for_each(|(column, _)| see(*column));
                gateway.behind.iter().copied().for_each(see);
            }
        }
    }

    /// Narrows bounds and adds the columns whose bounds moved; `false`: nothing satisfies it.
    pub(super) fn tighten(self, bounds: &mut Bounds, moved: &mut Vec<usize>) -> bool {
        match self {
            Constraint::Sum(sum) => tighten(sum, bounds, moved),
            Constraint::Gateway(gateway) => gateway.narrow(bounds, moved),
        }
    }
}

/// Looks at constraints until no bound moves any more.
#[derive(Debug)]
pub(super) struct Propagator {
    /// The constraints of each column.
    of: Lists<u32>,
    count: usize,
    /// Whether a constraint that moved a bound is looked at again by itself.
    is_repeated: bool,
}

impl Propagator {
    /// For `count` constraints over `columns` columns.
    pub(super) fn new<'c>(
        columns: usize,
        count: usize,
        constraint: impl Fn(usize) -> Constraint<'c>,
    ) -> Propagator {
        Propagator {
            of: Lists::of(columns, |add| {
                for at in 0..count {
                    constraint(at).columns(&mut |column| add(column, &[at as u32]));
                }
            }),
            count,
            is_repeated: true,
        }
    }

    /// The same; a constraint is looked at again only where another one moved a bound of it.
    pub(super) fn unrepeated(self) -> Propagator {
        Propagator { is_repeated: false, ..self }
    }

    /// The constraints of a column.
    pub(super) fn of(&self, column: usize) -> &[u32] {
        self.of.own(column)
    }

    /// Narrows bounds, from some constraints on, in at most `limit` steps of `tighten`; `false`:
    /// nothing is left.
    pub(super) fn run(
        &self,
        first: impl Iterator<Item = usize>,
        limit: usize,
        bounds: &mut Bounds,
        mut tighten: impl FnMut(usize, &mut Bounds, &mut Vec<usize>) -> bool,
    ) -> bool {
        let mut is_waiting = vec![false; self.count];
        let mut queue: VecDeque<usize> = first.collect();
        queue.iter().for_each(|at| is_waiting[*at] = true);
        let mut moved = Vec::new();
        for _ in 0..limit {
            let Some(at) = queue.pop_front() else { break };
            is_waiting[at] = false;
            if !tighten(at, bounds, &mut moved) {
                return false;
            }
            for column in moved.drain(..) {
                for other in self.of.own(column).iter().map(|other| *other as usize) {
                    if !is_waiting[other] && (self.is_repeated || other != at) {
                        is_waiting[other] = true;
                        queue.push_back(other);
                    }
                }
            }
        }
        true
    }
}

/// Narrows bounds by constraints, on average in at most `rounds` steps each; `None`: nothing is
/// left.
pub(super) fn propagate<'c>(
    count: usize,
    constraint: impl Fn(usize) -> Constraint<'c>,
    rounds: usize,
    bounds: &mut Bounds,
) -> Option<()> {
    let propagator = Propagator::new(bounds.lower.len(), count, &constraint);
    let limit = rounds.saturating_mul(count);
    let tighten = |at: usize, bounds: &mut Bounds, moved: &mut Vec<usize>| {
        constraint(at).tighten(bounds, moved)
    };
    propagator.run(0..count, limit, bounds, tighten).then_some(())
}
