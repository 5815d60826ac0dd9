//! A program made tidy.

use crate::solve::program::{Bounds, Column, Demand, HUGE, Program, tighten};

/// A program made tidy.
pub(super) struct PreparedProgram {
    pub(super) program: Program,
    /// The columns that were taken out of it.
    pub(super) sums: Vec<EliminatedColumn>,
}

/// A column that only names a sum: it is what is left of a number.
#[derive(Debug)]
pub(super) struct EliminatedColumn {
    pub(super) column: usize,
    of: i64,
    terms: Vec<(usize, i64)>,
}

impl EliminatedColumn {
    /// Its value where all others are known.
    pub(super) fn value(&self, values: &[i64]) -> i64 {
        let terms = self.terms.iter();
        self.of + terms.map(|(column, by)| by * values[*column]).sum::<i64>()
    }
}

/// The same program with bounds as narrow as single demands make them, without what these bounds
/// settle, and without the columns that only name a sum. Columns that are `kept` stay as they
/// are. `None`: nothing satisfies it.
pub(super) fn tidy(program: &Program, kept: &[usize]) -> Option<PreparedProgram> {
    let mut tidied = Program {
        columns: program.columns.clone(),
        demands: Vec::with_capacity(program.demands.len()),
        fixed_cost: program.fixed_cost,
    };
    let mut bounds = Bounds::of(&program.columns);
    narrow_once(&program.demands, &mut bounds)?;
    give(&bounds, &mut tidied.columns, kept);
    let bounds = Bounds::of(&tidied.columns);
    let mut is_kept = vec![false; tidied.columns.len()];
    kept.iter().for_each(|kept| is_kept[*kept] = true);
    let settled: Vec<bool> = (tidied.columns.iter().zip(&is_kept))
        .map(|(column, kept)| !kept && column.lower == column.upper)
        .collect();
    let mut stands_in = vec![0_u32; tidied.columns.len()];
    for (column, _) in program.demands.iter().flat_map(|demand| &demand.terms) {
        stands_in[*column] += 1;
    }
    let names = |column: usize| {
        stands_in[column] == 1 && tidied.columns[column].cost == 0 && !is_kept[column]
    };
    let mut sums = Vec::new();
    for demand in &program.demands {
        let (mut open, mut shut) = (Vec::with_capacity(demand.terms.len()), 0);
        for (column, by) in &demand.terms {
            if settled[*column] {
                shut += by * tidied.columns[*column].lower
            } else {
                open.push((*column, *by))
            }
        }
        let mut demand = Demand {
            terms: open,
            low: demand.low.map(|low| low.saturating_sub(shut)),
            high: demand.high.map(|high| high.saturating_sub(shut)),
        };
        sums.extend(unnamed(&mut demand, &names, &tidied.columns));
        tidied.demands.extend(sharper(demand, &bounds));
    }
    for named in &sums {
        // It is in no demand any more.
        let column = &mut tidied.columns[named.column];
        column.upper = column.lower;
    }
    Some(PreparedProgram { program: tidied, sums })
}

/// Takes a column out of an equation that does nothing but name the sum of the others: what it
/// may be is the range of their sum.
fn unnamed(
    demand: &mut Demand,
    names: &dyn Fn(usize) -> bool,
    columns: &[Column],
) -> Option<EliminatedColumn> {
    let equal = demand.low.filter(|low| demand.high == Some(*low))?;
    let is_name = |(column, by): &(usize, i64)| by.abs() == 1 && names(*column);
    let at = demand.terms.iter().position(is_name)?;
    let (column, by) = demand.terms.remove(at);
    let own = columns[column];
    // The others sum to `equal - by × column`.
    let ends = match by {
        1 => (own.upper, own.lower),
        _ => (own.lower, own.upper),
    };
    let end = |end: i64| (end.abs() < HUGE).then(|| equal - by * end);
    (demand.low, demand.high) = (end(ends.0), end(ends.1));
    let terms = demand.terms.iter();
    Some(EliminatedColumn {
        column,
        of: by * equal,
        terms: terms.map(|(other, factor)| (*other, -by * factor)).collect(),
    })
}

/// Narrows bounds by each demand once; `None`: nothing satisfies one.
pub(super) fn narrow_once(demands: &[Demand], bounds: &mut Bounds) -> Option<()> {
    let mut moved = Vec::new();
    let mut each = demands.iter();
    each.all(|demand| tighten(demand.sum(), bounds, &mut moved)).then_some(())
}

/// Gives bounds to columns, but for those that are kept.
pub(super) fn give(bounds: &Bounds, columns: &mut [Column], kept: &[usize]) {
    let before: Vec<Column> = kept.iter().map(|kept| columns[*kept]).collect();
    for (at, column) in columns.iter_mut().enumerate() {
        (column.lower, column.upper) = (bounds.lower[at], bounds.upper[at]);
    }
    for (kept, before) in kept.iter().zip(before) {
        columns[*kept] = before;
    }
}

/// A demand without an end that bounds keep to already; `None`: it says nothing. What is opened
/// by columns is opened as far as it can go, and no farther: where a hundred cards are all that
/// a deck holds, a thousand copies need not be let in.
pub(super) fn sharper(mut demand: Demand, bounds: &Bounds) -> Option<Demand> {
    let opens = |(column, by): &(usize, i64)| *by < 0 && bounds.lower[*column] >= 0;
    if !demand.drop_implied(bounds) {
        return None;
    }
    let others = demand.terms.iter().filter(|term| !opens(term)).copied();
    let (_, opened) = bounds.extent(&others.collect::<Vec<_>>());
    if (demand.low, demand.high) == (None, Some(0))
        && opened > 0
        && let Ok(opened) = i64::try_from(opened)
    {
        for term in demand.terms.iter_mut().filter(|term| opens(term)) {
            term.1 = term.1.max(-opened);
        }
    }
    demand.divide();
    Some(demand)
}
