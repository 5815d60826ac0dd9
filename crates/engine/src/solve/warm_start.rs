//! Warm start: the relaxation of a larger program from the basis of a smaller one.

use super::program::Program;
use super::simplex::{Relaxation, clean};
use std::borrow::Cow;

impl Relaxation<'_> {
    /// The relaxation of a larger program from the basis of this one. The other program begins with
    /// the columns and demands of this one, and its old demands have the same old columns.
    pub(super) fn warm_start<'p>(self, program: Cow<'p, Program>) -> Relaxation<'p> {
        let mut grown = Relaxation::empty(program);
        let program = Cow::clone(&grown.program);
        let more = grown.columns - self.columns;
        let moved = |unknown: usize| {
            if unknown < self.columns { unknown } else { unknown + more }
        };
        for (place, unknown) in self.free.iter().enumerate() {
            grown.free[place] = moved(*unknown);
            grown.at_upper[place] = self.at_upper[place];
        }
        for (row, unknown) in self.basic.iter().enumerate() {
            grown.basic[row] = moved(*unknown);
        }
        let (old, width) = (self.columns, grown.columns);
        for row in 0..self.rows {
            let from = &self.table[row * old..(row + 1) * old];
            grown.table[row * width..row * width + old].copy_from_slice(from);
        }
        grown.reduced[..old].copy_from_slice(&self.reduced);
        // An old demand is what it was, and what new columns add to it.
        let mut sums: Vec<Option<(bool, usize)>> = vec![None; self.rows];
        for (place, unknown) in self.free.iter().enumerate().filter(|(_, own)| **own >= old) {
            sums[unknown - old] = Some((true, place));
        }
        for (row, unknown) in self.basic.iter().enumerate().filter(|(_, own)| **own >= old) {
            sums[unknown - old] = Some((false, row));
        }
        for (demand, sum) in program.demands.iter().zip(&sums) {
            for (column, by) in demand.terms.iter().filter(|(column, _)| *column >= old) {
                let by = *by as f64;
                match sum {
                    Some((true, place)) => {
                        for row in 0..self.rows {
                            let factor = self.table[row * old + place];
                            if factor != 0.0 {
                                grown.table[row * width + column] -= factor * by;
                            }
                        }
                        grown.reduced[*column] -= self.reduced[*place] * by;
                    }
                    Some((false, row)) => grown.table[row * width + column] += by,
                    None => {}
                }
            }
        }
        // A new demand is a sum of columns, and some of them are sums themselves now.
        let mut row_of: Vec<Option<usize>> = vec![None; width];
        let mut place_of: Vec<Option<usize>> = vec![None; width];
        for (place, unknown) in grown.free.iter().enumerate().filter(|(_, own)| **own < width) {
            place_of[*unknown] = Some(place);
        }
        for (row, unknown) in grown.basic[..self.rows].iter().enumerate() {
            if *unknown < width {
                row_of[*unknown] = Some(row);
            }
        }
        let (known, new) = grown.table.split_at_mut(self.rows * width);
        let demands = program.demands.iter().skip(self.rows);
        for (line, demand) in new.chunks_mut(width).zip(demands) {
            for (column, by) in &demand.terms {
                let by = *by as f64;
                if let Some(place) = place_of[*column] {
                    line[place] += by;
                } else if let Some(row) = row_of[*column] {
                    let sum = &known[row * width..(row + 1) * width];
                    for (to, from) in line.iter_mut().zip(sum) {
                        *to = clean(*to + by * from);
                    }
                }
            }
        }
        grown.pivots = self.pivots;
        grown.touched += self.touched;
        grown
    }
}
