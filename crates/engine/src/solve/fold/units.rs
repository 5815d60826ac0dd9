//! The small parts of a program: a few columns each that no small demand ties to others, but
//! for columns on which much depends.
//!
//! Printings of one title are such a part, tied by the demand on the copies of the title; a
//! colour that the leader has or has not is a column on which much depends.

use crate::solve::program::Program;

/// No part has more columns than this.
const LARGEST: usize = 16;

/// A column with more neighbours than this ties nothing together, and neither does a demand on
/// more columns: the largest numbers first, the smaller ones for what is still in one piece.
const DEGREES: [usize; 6] = [64, 24, 12, 8, 5, 3];

/// The parts of a program.
#[derive(Debug)]
pub(super) struct Units {
    /// The part of each column; `None`: it is in no part, and others may depend on it.
    pub(super) of: Vec<Option<u32>>,
    /// The columns of each part, in ascending order.
    pub(super) columns: Vec<Vec<u32>>,
}

/// Finds the parts of a program. Columns that are `apart` belong to none.
pub(super) fn units(program: &Program, apart: &[bool]) -> Units {
    let mut units = Units { of: vec![None; program.columns.len()], columns: Vec::new() };
    let mut open: Vec<u32> =
        (0..program.columns.len() as u32).filter(|column| !apart[*column as usize]).collect();
    let mut is_open = vec![false; program.columns.len()];
    let mut rows: Vec<u32> = (0..program.demands.len() as u32).collect();
    for degree in DEGREES {
        if open.is_empty() {
            break;
        }
        is_open.fill(false);
        open.iter().for_each(|column| is_open[*column as usize] = true);
        let within = |row: u32, is_open: &[bool]| {
            let terms = program.demands[row as usize].terms.iter();
            terms.filter(|(column, _)| is_open[*column]).count()
        };
        rows.retain(|row| within(*row, &is_open) > 1);
        // A column with too many neighbours is in no part from now on.
        let mut neighbours = vec![0_usize; program.columns.len()];
        for row in &rows {
            let size = within(*row, &is_open);
            if size <= degree {
                for (column, _) in &program.demands[*row as usize].terms {
                    neighbours[*column] += size - 1;
                }
            }
        }
        open.retain(|column| neighbours[*column as usize] <= degree);
        is_open.fill(false);
        open.iter().for_each(|column| is_open[*column as usize] = true);
        let mut trees = Trees::new(program.columns.len());
        for row in &rows {
            if (2..=degree).contains(&within(*row, &is_open)) {
                let terms = program.demands[*row as usize].terms.iter();
                let mut own = terms.map(|(column, _)| *column).filter(|at| is_open[*at]);
                if let Some(first) = own.next() {
                    own.for_each(|other| trees.join(first, other));
                }
            }
        }
        open.retain(|column| {
            let root = trees.root(*column as usize);
            if trees.size[root] as usize > LARGEST {
                return true;
            }
            let unit = *trees.unit[root].get_or_insert_with(|| {
                units.columns.push(Vec::new());
                units.columns.len() as u32 - 1
            });
            units.columns[unit as usize].push(*column);
            units.of[*column as usize] = Some(unit);
            false
        });
    }
    units
}

/// Sets that are joined one by one.
struct Trees {
    above: Vec<u32>,
    size: Vec<u32>,
    /// What the set of a root has become.
    unit: Vec<Option<u32>>,
}

impl Trees {
    fn new(count: usize) -> Trees {
        Trees { above: (0..count as u32).collect(), size: vec![1; count], unit: vec![None; count] }
    }

    fn root(&mut self, mut at: usize) -> usize {
        while self.above[at] as usize != at {
            let above = self.above[at] as usize;
            self.above[at] = self.above[above];
            at = above;
        }
        at
    }

    fn join(&mut self, one: usize, other: usize) {
        let (one, other) = (self.root(one), self.root(other));
        if one == other {
            return;
        }
        let (large, small) =
            if self.size[one] >= self.size[other] { (one, other) } else { (other, one) };
        self.above[small] = large as u32;
        self.size[large] += self.size[small];
    }
}
