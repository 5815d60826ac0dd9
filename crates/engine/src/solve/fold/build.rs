//! The folded program: columns of their own, and sums of what is alike.

use super::matrix::{EliminatedColumn, give, narrow_once, sharper};
use super::parts::Parts;
use super::{Class, Fold, Local, Marks, Place, Single};
use crate::solve::program::{Bounds, Column, Demand, HUGE, Program};

/// Adds up the parts of each class, except for classes in which some are distinguished.
pub(super) fn fold(
    parts: &Parts<'_>,
    marks: &Marks,
    single: &Single,
    sums: Vec<EliminatedColumn>,
) -> Fold {
    let whole = parts.whole;
    let mut small = Small {
        program: Program { fixed_cost: whole.fixed_cost, ..Program::default() },
        always: Vec::new(),
        bundle: Vec::new(),
    };
    let mut places: Vec<Place> = (whole.columns.iter().enumerate())
        .map(|(at, column)| match parts.units.of[at] {
            Some(_) => Place::Shared,
            None if column.lower == column.upper && !marks.kept.contains(&at) => {
                small.program.fixed_cost += column.cost * column.lower;
                Place::Fixed(column.lower)
            }
            None => {
                let always = column.first || marks.kept.contains(&at);
                Place::Own(small.add(&[*column], always))
            }
        })
        .collect();
    // The demands of a part are those of the first of its class; `None`: of itself.
    let mut times: Vec<i64> = vec![1; parts.units.columns.len()];
    let mut classes: Vec<Class> = Vec::new();
    for members in parts.classes(&marks.rank) {
        let first = &members[0];
        let columns = first.iter().map(|column| whole.columns[*column as usize]);
        let columns: Vec<Column> = columns.collect();
        let always = columns.iter().all(|column| column.first) && members.len() == 1;
        let told_apart = match members.len() {
            1 => Some(&1),
            _ => single.get(&first[0]),
        };
        let unit = |columns: &[u32]| {
            let unit = columns.first().and_then(|first| parts.units.of[*first as usize]);
            unit.map_or(0, |unit| unit as usize)
        };
        if let Some(count) = told_apart {
            for (nth, member) in members.iter().enumerate() {
                let start = (nth < *count).then(|| small.add(&columns, always));
                for (at, column) in member.iter().enumerate() {
                    places[*column as usize] = match start {
                        Some(start) => Place::Own(start + at),
                        None => Place::Fixed(0),
                    };
                }
                if start.is_none() {
                    times[unit(member)] = 0;
                }
            }
            continue;
        }
        let count = members.len() as i64;
        let sums: Vec<Column> = columns.iter().map(|column| sum(column, count)).collect();
        let start = small.add(&sums, false);
        for (nth, member) in members.iter().enumerate() {
            times[unit(member)] = if nth == 0 { count } else { 0 };
        }
        classes.push(Class {
            width: first.len(),
            first: start,
            ends: columns.iter().map(|column| (column.lower, column.upper)).collect(),
            local: local(parts, first),
            columns: members.concat(),
        });
    }
    // The first part of a class represents its sum.
    let mut of_sum: Vec<Option<usize>> = places
        .iter()
        .map(|place| match place {
            Place::Own(column) => Some(*column),
            Place::Shared | Place::Fixed(_) => None,
        })
        .collect();
    for class in &classes {
        for at in 0..class.width {
            of_sum[class.columns[at] as usize] = Some(class.first + at);
        }
    }
    for (row, demand) in (0..).zip(&whole.demands) {
        let about = parts.about(row);
        let times = about.map_or(1, |unit| times[unit as usize]);
        if times == 0 {
            continue;
        }
        let mut terms: Vec<(usize, i64)> = Vec::new();
        for (column, by) in &demand.terms {
            let times = match parts.units.of[*column] {
                Some(_) => 1,
                None => times,
            };
            if let Some(sum) = of_sum[*column] {
                terms.push((sum, by.saturating_mul(times)));
            }
        }
        terms.sort_unstable();
        let end = |end: i64| end.saturating_mul(times);
        small.program.demands.push(Demand {
            terms,
            low: demand.low.map(end),
            high: demand.high.map(end),
        });
    }
    let kept = marks.kept.iter().filter_map(|kept| of_sum[*kept]);
    small.narrow(&kept.collect::<Vec<usize>>());
    Fold {
        program: small.program,
        places,
        classes,
        sums,
        always: small.always,
        bundle: small.bundle,
    }
}

/// The demands within a part.
fn local(parts: &Parts<'_>, columns: &[u32]) -> Vec<Local> {
    let mut rows: Vec<u32> = Vec::new();
    for column in columns {
        let own = parts.matrix.own(*column as usize).iter().map(|(row, _)| *row);
        rows.extend(own.filter(|row| parts.about(*row).is_some()));
    }
    rows.sort_unstable();
    rows.dedup();
    rows.into_iter().map(|row| parts.local(row, columns)).collect()
}

/// So many columns together.
fn sum(column: &Column, count: i64) -> Column {
    let times = |bound: i64| bound.saturating_mul(count).clamp(-HUGE, HUGE);
    Column { lower: times(column.lower), upper: times(column.upper), ..*column }
}

struct Small {
    program: Program,
    always: Vec<bool>,
    bundle: Vec<(u32, u32)>,
}

impl Small {
    /// Adds columns that come together, and says where they begin.
    fn add(&mut self, columns: &[Column], always: bool) -> usize {
        let start = self.program.columns.len();
        let end = start + columns.len();
        self.program.columns.extend(columns);
        self.always.resize(end, always);
        self.bundle.resize(end, (start as u32, end as u32));
        start
    }

    /// Narrows the sums to what demands that they share allow.
    fn narrow(&mut self, kept: &[usize]) {
        let Program { columns, demands, .. } = &mut self.program;
        let mut bounds = Bounds::of(columns);
        // Where nothing is left, the search finds the same.
        if narrow_once(demands, &mut bounds).is_some() {
            give(&bounds, columns, kept);
            let bounds = Bounds::of(columns);
            let before = std::mem::take(demands).into_iter();
            demands.extend(before.filter_map(|demand| sharper(demand, &bounds)));
        }
        for (always, column) in self.always.iter_mut().zip(columns) {
            *always |= column.lower > 0 || column.upper < 0;
        }
    }
}
