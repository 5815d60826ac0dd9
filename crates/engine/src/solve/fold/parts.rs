//! Which parts of a program nothing distinguishes.

use super::Local;
use super::units::Units;
use crate::partition::partition;
use crate::solve::program::Program;
use crate::solve::propagate::Matrix;

/// The parts of a program, and what each demand is about.
pub(super) struct Parts<'p> {
    pub(super) whole: &'p Program,
    pub(super) matrix: &'p Matrix,
    pub(super) units: &'p Units,
    about: Vec<Option<u32>>,
}

/// A number that is in no demand: it separates the parts of a signature.
const NEXT: i64 = i64::MIN;

/// The record of a part; its memory is used again for the next.
#[derive(Default)]
struct PartRecord {
    signature: Vec<i64>,
    order: Vec<u32>,
    rows: Vec<u32>,
    keys: Texts,
    demands: Texts,
}

/// Some lists of numbers, one behind the other, each with a number of its own.
#[derive(Default)]
struct Texts {
    all: Vec<i64>,
    places: Vec<(u32, u32, u32)>,
}

impl Texts {
    fn clear(&mut self) {
        self.all.clear();
        self.places.clear();
    }

    fn add(&mut self, number: u32, write: impl FnOnce(&mut Vec<i64>)) {
        let start = self.all.len() as u32;
        write(&mut self.all);
        self.places.push((start, self.all.len() as u32, number));
    }

    /// By what they say, then by their numbers.
    fn sort(&mut self) {
        let Texts { all, places } = self;
        let said = |(from, to, _): &(u32, u32, u32)| &all[*from as usize..*to as usize];
        places.sort_unstable_by(|one, other| said(one).cmp(said(other)).then(one.2.cmp(&other.2)));
    }

    fn each(&self) -> impl Iterator<Item = (&[i64], u32)> {
        let places = self.places.iter();
        places.map(|(from, to, number)| (&self.all[*from as usize..*to as usize], *number))
    }
}

impl<'p> Parts<'p> {
    pub(super) fn new(whole: &'p Program, matrix: &'p Matrix, units: &'p Units) -> Parts<'p> {
        let mut about = vec![None; whole.demands.len()];
        for (about, demand) in about.iter_mut().zip(&whole.demands) {
            let terms = demand.terms.iter();
            let mut own = terms.filter_map(|(column, _)| units.of[*column]);
            *about = own.next().filter(|first| own.all(|other| other == *first));
        }
        Parts { whole, matrix, units, about }
    }

    /// The one part that a demand is about; `None`: it is about several, or none.
    pub(super) fn about(&self, row: u32) -> Option<u32> {
        self.about[row as usize]
    }

    /// The parts by class: each with its columns in an order that is the same in all of its
    /// class. Parts and classes are in the order of their first columns' ranks.
    pub(super) fn classes(&self, rank: &[u32]) -> Vec<Vec<Vec<u32>>> {
        let rank = |column: &u32| {
            let own = rank.get(*column as usize).copied();
            (own.unwrap_or(*column), *column)
        };
        let mut order: Vec<&Vec<u32>> = self.units.columns.iter().collect();
        order.sort_by_cached_key(|columns| columns.iter().map(rank).min());
        let mut part = PartRecord::default();
        let mut orders: Vec<Vec<u32>> = Vec::with_capacity(order.len());
        let signature = |columns: &Vec<u32>| {
            self.record(columns, &mut part);
            orders.push(part.order.clone());
            part.signature.clone()
        };
        let parted = partition(order.into_iter().map(signature));
        let mut classes: Vec<Vec<Vec<u32>>> = Vec::new();
        for (class, order) in parted.into_iter().zip(orders) {
            if class == classes.len() {
                classes.push(Vec::new());
            }
            classes[class].push(order);
        }
        classes
    }

    /// Records what distinguishes a part from others, and its columns in the order in which it says
    /// so. Parts of one signature are certainly alike; those of several may still be.
    fn record(&self, columns: &[u32], part: &mut PartRecord) {
        let PartRecord { signature, order, rows, keys, demands } = part;
        rows.clear();
        keys.clear();
        for column in columns {
            keys.add(*column, |key| self.key(*column, key, rows));
        }
        keys.sort();
        rows.sort_unstable();
        rows.dedup();
        order.clear();
        signature.clear();
        for (key, column) in keys.each() {
            order.push(column);
            signature.extend_from_slice(key);
            signature.push(NEXT);
        }
        demands.clear();
        for row in rows.iter() {
            demands.add(0, |own| self.write_local(*row, order, own));
        }
        demands.sort();
        for (demand, _) in demands.each() {
            signature.push(demand.len() as i64);
            signature.extend_from_slice(demand);
        }
    }

    /// What distinguishes a column from others, whatever the order of its part; the demands of the
    /// part are added to some rows.
    fn key(&self, column: u32, key: &mut Vec<i64>, rows: &mut Vec<u32>) {
        let at = column as usize;
        let own = self.whole.columns[at];
        key.extend([own.lower, own.upper, own.cost, i64::from(own.first)]);
        let mut shapes: Vec<[i64; 4]> = Vec::new();
        for (row, by) in self.matrix.own(at) {
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
    }

    /// Writes down a demand about a part whose columns are in some order.
    fn write_local(&self, row: u32, order: &[u32], own: &mut Vec<i64>) {
        let demand = &self.whole.demands[row as usize];
        let terms = demand.terms.iter();
        let inside = |column: usize| order.iter().position(|own| *own as usize == column);
        let places = terms.clone().filter_map(|(column, by)| Some((inside(*column)?, *by)));
        let mut places: Vec<(usize, i64)> = places.collect();
        places.sort_unstable();
        own.extend([
            demand.low.unwrap_or(NEXT),
            demand.high.unwrap_or(i64::MAX),
            places.len() as i64,
        ]);
        let others = terms.filter(|(column, _)| inside(*column).is_none());
        let all = places.iter().chain(others);
        own.extend(all.flat_map(|(at, by)| [*at as i64, *by]));
    }

    /// A demand about a part whose columns are in some order.
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
        Local { terms, others, low: demand.low, high: demand.high }
    }
}
