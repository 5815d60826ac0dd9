//! Bound propagation: narrows the bounds of columns to what linear constraints leave of them.

use super::program::{Bounds, Program, Sum, tighten};
use std::collections::VecDeque;

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

/// Unknowns that are 0 unless a sum, and a number, is at least 1.
#[derive(Debug)]
pub(super) struct SharedImplication {
    /// Terms by index of their unknowns; none of these is behind it.
    pub(super) flags: Vec<(usize, i64)>,
    pub(super) constant: i64,
    /// The unknowns by index.
    pub(super) behind: Vec<usize>,
}

impl SharedImplication {
    /// The largest or smallest that the sum and the number can be.
    pub(super) fn end(&self, largest: bool, bounds: &Bounds) -> i64 {
        let ends = self.flags.iter().map(|(flag, by)| {
            by.saturating_mul(if (*by > 0) == largest {
                bounds.upper[*flag]
            } else {
                bounds.lower[*flag]
            })
        });
        ends.fold(self.constant, i64::saturating_add)
    }

    pub(super) fn is_passed(&self, bounds: &Bounds) -> bool {
        self.behind.iter().any(|at| bounds.lower[*at] > 0)
    }

    /// Narrows bounds by it and adds the unknowns whose bounds moved; `false`: nothing satisfies
    /// it.
    pub(super) fn narrow(&self, bounds: &mut Bounds, moved: &mut Vec<usize>) -> bool {
        if self.is_passed(bounds) {
            let sum = Sum { terms: &self.flags, low: Some(1 - self.constant), high: None };
            return tighten(sum, bounds, moved);
        }
        if self.end(true, bounds) < 1 {
            for at in &self.behind {
                if bounds.upper[*at] > 0 {
                    bounds.upper[*at] = 0;
                    moved.push(*at);
                }
            }
        }
        true
    }
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
