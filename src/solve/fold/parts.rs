//! Which parts of a program nothing tells apart.

use super::Local;
use super::matrix::Matrix;
use super::units::Units;
use crate::solve::program::Program;
use rustc_hash::FxHashMap;

/// The parts of a program, and what each demand is about.
pub(super) struct Parts<'p> {
    pub(super) whole: &'p Program,
    pub(super) matrix: &'p Matrix,
    pub(super) units: &'p Units,
    about: Vec<Option<u32>>,
}

/// No number that stands in a demand: it parts what a signature says.
const NEXT: i64 = i64::MIN;

impl<'p> Parts<'p> {
    pub(super) fn new(whole: &'p Program, matrix: &'p Matrix, units: &'p Units) -> Parts<'p> {
        let mut about = vec![None; whole.demands.len()];
        for (about, demand) in about.iter_mut().zip(&whole.demands) {
            let terms = demand.terms.iter();
            let mut own = terms.filter_map(|(column, _)| units.of[*column]);
            *about = own.next().filter(|first| own.all(|other| other == *first));
        }
        Parts {
            whole,
            matrix,
            units,
            about,
        }
    }

    /// The one part that a demand is about; `None`: it is about several, or none.
    pub(super) fn about(&self, row: u32) -> Option<u32> {
        self.about[row as usize]
    }

    /// The parts by class: each with its columns in an order that is the same in all of its
    /// class. Parts and classes stand in the order of their first columns' ranks.
    pub(super) fn classes(&self, rank: &[u32]) -> Vec<Vec<Vec<u32>>> {
        let rank = |column: &u32| {
            let own = rank.get(*column as usize).copied();
            (own.unwrap_or(*column), *column)
        };
        let mut order: Vec<&Vec<u32>> = self.units.columns.iter().collect();
        order.sort_by_cached_key(|columns| columns.iter().map(rank).min());
        let mut known: FxHashMap<Vec<i64>, usize> = FxHashMap::default();
        let mut classes: Vec<Vec<Vec<u32>>> = Vec::new();
        for columns in order {
            let (columns, signature) = self.signature(columns);
            let at = *known.entry(signature).or_insert_with(|| {
                classes.push(Vec::new());
                classes.len() - 1
            });
            classes[at].push(columns);
        }
        classes
    }

    /// What tells a part from others, and its columns in the order in which it says so. Parts of
    /// one signature are alike for certain; those of several may still be.
    fn signature(&self, columns: &[u32]) -> (Vec<u32>, Vec<i64>) {
        let mut rows: Vec<u32> = Vec::new();
        let mut each: Vec<(Vec<i64>, u32)> = columns
            .iter()
            .map(|column| (self.key(*column, &mut rows), *column))
            .collect();
        each.sort_unstable();
        rows.sort_unstable();
        rows.dedup();
        let order: Vec<u32> = each.iter().map(|(_, column)| *column).collect();
        let mut signature = Vec::new();
        for (key, _) in each {
            signature.extend(key);
            signature.push(NEXT);
        }
        let mut demands: Vec<Vec<i64>> = rows
            .into_iter()
            .map(|row| {
                let local = self.local(row, &order);
                let mut own = vec![
                    local.low.unwrap_or(NEXT),
                    local.high.unwrap_or(i64::MAX),
                    local.terms.len() as i64,
                ];
                let terms = local.terms.iter().chain(&local.others);
                own.extend(terms.flat_map(|(at, by)| [*at as i64, *by]));
                own
            })
            .collect();
        demands.sort_unstable();
        for demand in demands {
            signature.push(demand.len() as i64);
            signature.extend(demand);
        }
        (order, signature)
    }

    /// What tells a column from others, whatever the order of its part; the demands of the part
    /// are added to some rows.
    fn key(&self, column: u32, rows: &mut Vec<u32>) -> Vec<i64> {
        let at = column as usize;
        let own = self.whole.columns[at];
        let mut key = vec![own.lower, own.upper, own.cost, i64::from(own.first)];
        let mut shapes: Vec<[i64; 4]> = Vec::new();
        for (row, by) in self.matrix.of(at) {
            match self.about(*row) {
                None => key.extend([i64::from(*row), *by]),
                Some(_) => {
                    rows.push(*row);
                    let demand = &self.whole.demands[*row as usize];
                    let (low, high) = (demand.low.unwrap_or(NEXT), demand.high);
                    let length = demand.terms.len() as i64;
                    shapes.push([*by, low, high.unwrap_or(i64::MAX), length]);
                }
            }
        }
        shapes.sort_unstable();
        key.push(NEXT);
        key.extend(shapes.into_iter().flatten());
        key
    }

    /// A demand about a part whose columns stand in some order.
    pub(super) fn local(&self, row: u32, order: &[u32]) -> Local {
        let demand = &self.whole.demands[row as usize];
        let (mut terms, mut others) = (Vec::new(), Vec::new());
        for (column, by) in &demand.terms {
            match order.iter().position(|own| *own as usize == *column) {
                Some(place) => terms.push((place, *by)),
                None => others.push((*column, *by)),
            }
        }
        terms.sort_unstable();
        Local {
            terms,
            others,
            low: demand.low,
            high: demand.high,
        }
    }
}
