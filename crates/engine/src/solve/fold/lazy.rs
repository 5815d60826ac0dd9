//! Column generation: a program with many columns is searched by a few of them.
//!
//! The reduced cost of a column follows from the relaxation of a part of the program. Where it is
//! more than an answer could still save, the column is 0 in every better answer and stays out. All
//! of this is computed in whole numbers.

use super::Fold;
use crate::solve::answer::Answer;
use crate::solve::branching::Candidate;
use crate::solve::program::{Bounds, Demand, Program};
use crate::solve::proof::Proof;
use crate::solve::propagate::{Matrix, matrix};
use crate::solve::search::{KnownSolutions, Outcome, reading_steps, search_whole};
use crate::solve::simplex::{Relaxation, SCALE};
use std::borrow::Cow;

/// The columns that come in at once.
const BATCH: usize = 32;
/// The places, of 8 bytes each, of a table that may always be made; a larger one needs more effort.
const LARGEST: u64 = 1 << 21;
/// The places of a table for each step that is allowed.
const PER_STEP: u64 = 100;

/// The columns that are looked at; the others are 0.
struct Lazy<'f> {
    fold: &'f Fold,
    matrix: Matrix,
    bounds: Bounds,
    /// The place of each column of the small program in the part, and of each demand.
    place: Vec<Option<usize>>,
    says: Vec<Option<usize>>,
    part: Part,
    /// The most places that a table may have.
    largest: usize,
    /// The factors of the small program.
    terms: usize,
}

/// The program of the columns that are looked at.
struct Part {
    program: Program,
    /// Which column of the small program each is.
    columns: Vec<usize>,
    /// Which demand each is.
    rows: Vec<usize>,
}

impl Fold {
    /// See [`search()`](crate::solve::search()); with a cost that nothing is below, only solutions
    /// of that cost count.
    pub(super) fn search(&self, exactly: Option<i64>, effort: &mut u64) -> Outcome {
        let fixed = self.program.fixed_cost;
        *effort = effort.saturating_sub(reading_steps(self.program.size()));
        let mut lazy = Lazy::new(self, *effort);
        let mut relaxation = None;
        let proof = match lazy.root(&mut relaxation, &lazy.bounds.clone(), effort) {
            Answer::None => return Outcome::Nothing,
            Answer::Found(proof) => Some(proof),
            Answer::Limit => None,
        };
        let least = match &proof {
            Some(proof) => proof.cost(&lazy.bounds),
            None => 0,
        };
        let mut batch = BATCH;
        // Whatever costs no more than this is part of what is looked at.
        let mut seen = exactly.map_or(least, |cost| cost - fixed) - 1;
        let mut best: Option<(i64, Vec<i64>)> = None;
        loop {
            if proof.is_none() {
                lazy.reach_all();
            }
            if lazy.is_too_large() {
                return limited(best, seen.saturating_add(1) + fixed);
            }
            let part = &lazy.part;
            let known = KnownSolutions {
                values: best.as_ref().map(|(_, values)| part.of(values)),
                cost: exactly,
            };
            match search_whole(&part.program, known, effort) {
                Outcome::Smallest(values) => {
                    let cost = part.program.cost(&values) - fixed;
                    let found = part.whole(self, &values);
                    // What could be part of anything better is looked at, too.
                    let mut more = false;
                    while let Some(proof) = proof.as_ref().filter(|_| !more && seen + 1 < cost) {
                        seen = next_seen(least, seen, cost);
                        more = lazy.reach(proof, seen);
                    }
                    if !more {
                        return Outcome::Smallest(found);
                    }
                    best = Some((cost + fixed, found));
                }
                Outcome::Nothing => {
                    let Some(proof) = &proof else {
                        return Outcome::Nothing;
                    };
                    if let Some(cost) = exactly {
                        if lazy.reach(proof, cost - fixed) {
                            continue;
                        }
                        return Outcome::Nothing;
                    }
                    if lazy.is_all() {
                        return Outcome::Nothing;
                    }
                    // The relaxation has values, and whole numbers need more columns.
                    let known = lazy.part.columns.len();
                    if let Some(relaxation) = relaxation.take() {
                        lazy.dive(relaxation, effort);
                    }
                    if lazy.part.columns.len() == known {
                        lazy.activate(lazy.likeliest(proof, batch));
                        batch *= 2;
                    }
                }
                Outcome::Limited(found, bound) => {
                    let own =
                        |values: Vec<i64>| (part.program.cost(&values), part.whole(self, &values));
                    let found = found.map(own).or(best);
                    // What is not looked at costs more than what was seen.
                    let bound = match proof {
                        Some(_) => bound.min(seen.saturating_add(1) + fixed).max(least + fixed),
                        None => bound,
                    };
                    return limited(found, bound);
                }
            }
        }
    }
}

/// What is known where the work ended: the best values with their cost, and what nothing is below.
fn limited(best: Option<(i64, Vec<i64>)>, bound: i64) -> Outcome {
    match best {
        Some((cost, values)) if cost <= bound => Outcome::Smallest(values),
        best => Outcome::Limited(best.map(|(_, values)| values), bound),
    }
}

/// Up to which cost is looked at next, where a known answer has some cost: up to that, but where
/// it is far from the least that there can be, only a little farther than before. The farther,
/// the larger is what is searched.
fn next_seen(least: i64, seen: i64, cost: i64) -> i64 {
    /// So much is not far.
    const NEAR: i64 = 4;
    if cost - 1 - least <= NEAR { cost - 1 } else { (cost - 1).min(least + 2 * (seen + 1 - least)) }
}

impl<'f> Lazy<'f> {
    /// No column is in the part yet but those that always are. `effort` limits its table.
    fn new(fold: &'f Fold, effort: u64) -> Lazy<'f> {
        let mut lazy = Lazy {
            fold,
            matrix: matrix(&fold.program),
            terms: fold.program.demands.iter().map(|demand| demand.terms.len()).sum(),
            bounds: Bounds::of(&fold.program.columns),
            place: vec![None; fold.program.columns.len()],
            says: vec![None; fold.program.demands.len()],
            largest: usize::try_from(effort.saturating_mul(PER_STEP).max(LARGEST))
                .unwrap_or(usize::MAX),
            part: Part {
                columns: Vec::new(),
                rows: Vec::new(),
                program: Program { fixed_cost: fold.program.fixed_cost, ..Program::default() },
            },
        };
        let always = (0..lazy.place.len()).filter(|column| fold.always[*column]);
        lazy.activate(always.collect());
        // Some say something of columns that are all 0.
        (0..lazy.says.len()).for_each(|row| lazy.hear(row));
        lazy
    }

    /// Takes in what whole numbers need: one by one, the numbers on which much depends are made
    /// whole, and the relaxation is solved again.
    fn dive(&mut self, relaxation: Relaxation<'static>, effort: &mut u64) {
        /// This part of the work goes into it at most.
        const SHARE: u64 = 4;
        let (mut own, mut within) = (*effort / SHARE, self.bounds.clone());
        let saved = *effort - own;
        let mut relaxation = Some(relaxation);
        while let Some(solved) = &relaxation {
            let candidates = self.part.columns.iter().enumerate();
            let candidates = candidates
                .filter(|(_, column)| self.fold.program.columns[**column].first)
                .filter_map(|(place, column)| {
                    Candidate::new(*column, &within, Some(solved.value(place)))
                });
            let over = |candidate: &Candidate| candidate.value - candidate.value.floor();
            let fullest = candidates
                .filter(|candidate| candidate.fraction > 0.0)
                .max_by(|a, b| over(a).total_cmp(&over(b)).then(b.column.cmp(&a.column)));
            let Some(candidate) = fullest else {
                break;
            };
            let Candidate { column, below, .. } = candidate;
            // A flag with a fractional value is one that is needed.
            let is_down = over(&candidate) < 0.5 && within.upper[column] > 1;
            let whole = if is_down { below } else { below + 1 };
            (within.lower[column], within.upper[column]) = (whole, whole);
            if !matches!(self.root(&mut relaxation, &within, &mut own), Answer::Found(_)) {
                break;
            }
        }
        *effort = saved + own;
    }

    /// Solves the relaxation, with more and more columns, until no other could make it less: found
    /// are multipliers by which no column is worth looking at that is not.
    fn root(
        &mut self,
        relaxation: &mut Option<Relaxation<'static>>,
        bounds: &Bounds,
        effort: &mut u64,
    ) -> Answer<Proof> {
        let whole = &self.fold.program;
        loop {
            if *effort == 0 || self.is_too_large() {
                return Answer::Limit;
            }
            let columns = self.part.columns.iter();
            let own = Bounds {
                lower: columns.clone().map(|column| bounds.lower[*column]).collect(),
                upper: columns.map(|column| bounds.upper[*column]).collect(),
            };
            let program = Cow::Owned(self.part.program.clone());
            let is_grown = relaxation.is_some();
            let now = match relaxation.take() {
                Some(known) => known.warm_start(program),
                None => Relaxation::new(program),
            };
            let now = relaxation.insert(now);
            let before = now.steps(0);
            let relaxed = now.solve(&own);
            let priced = 4 * (self.terms + whole.columns.len()) as u64;
            *effort = effort.saturating_sub(now.steps(priced) - before);
            let spread = |multipliers: Vec<i64>| {
                let mut all = vec![0; whole.demands.len()];
                for (row, by) in self.part.rows.iter().zip(multipliers) {
                    all[*row] = by;
                }
                all
            };
            let proof = match relaxed {
                Answer::Found(()) => Proof::new(whole, &spread(now.multipliers()), SCALE),
                Answer::None => {
                    let proof = Proof::new(whole, &spread(now.blamed()), 0);
                    if proof.refutes(bounds) {
                        return Answer::None;
                    }
                    proof
                }
                Answer::Limit if is_grown => {
                    *relaxation = None;
                    continue;
                }
                Answer::Limit => return Answer::Limit,
            };
            let more = self.worthwhile(&proof);
            match (more.is_empty(), relaxed) {
                (true, Answer::Found(())) => return Answer::Found(proof),
                (true, _) => return Answer::Limit,
                (false, _) => self.activate(more),
            }
        }
    }

    /// The columns that could make the relaxation less, those that could most.
    fn worthwhile(&self, proof: &Proof) -> Vec<usize> {
        /// What is less than this is rounding.
        const LITTLE: i128 = 16;
        let mut found: Vec<(i128, usize)> = (0..self.place.len())
            .filter(|column| self.place[*column].is_none() && proof.rest(*column) < -LITTLE)
            .map(|column| {
                let most = i128::from(self.bounds.upper[column]);
                (proof.rest(column) * most, column)
            })
            .collect();
        found.sort_unstable();
        found.truncate(BATCH);
        found.into_iter().map(|(_, column)| column).collect()
    }

    /// Looks at whatever could be part of an answer that costs no more than this; whether any
    /// of it was not looked at before.
    fn reach(&mut self, proof: &Proof, most: i64) -> bool {
        let left = proof.left(&self.bounds, most);
        let near = |column: &usize| {
            let is_near = left.is_none_or(|left| proof.rest(*column) <= left);
            self.place[*column].is_none() && is_near
        };
        let near: Vec<usize> = (0..self.place.len()).filter(near).collect();
        let any = !near.is_empty();
        self.activate(near);
        any
    }

    /// Columns outside the part, those of the least reduced cost.
    fn likeliest(&self, proof: &Proof, count: usize) -> Vec<usize> {
        let mut others: Vec<usize> =
            (0..self.place.len()).filter(|column| self.place[*column].is_none()).collect();
        others.sort_by_key(|column| proof.rest(*column));
        others.truncate(count);
        others
    }

    /// Looks at everything.
    fn reach_all(&mut self) {
        self.activate((0..self.place.len()).collect());
    }

    fn is_all(&self) -> bool {
        self.part.columns.len() == self.place.len()
    }

    fn is_too_large(&self) -> bool {
        let Program { columns, demands, .. } = &self.part.program;
        columns.len().saturating_mul(demands.len()) > self.largest
    }

    /// Looks at some columns, too, and at those that come with them.
    fn activate(&mut self, columns: Vec<usize>) {
        let mut heard: Vec<usize> = Vec::new();
        for column in columns {
            let (from, to) = self.fold.bundle[column];
            for column in from as usize..to as usize {
                if self.place[column].is_some() {
                    continue;
                }
                let place = self.part.columns.len();
                self.place[column] = Some(place);
                self.part.columns.push(column);
                self.part.program.columns.push(self.fold.program.columns[column]);
                for (row, by) in self.matrix.own(column) {
                    match self.says[*row as usize] {
                        Some(at) => self.part.program.demands[at].terms.push((place, *by)),
                        None => heard.push(*row as usize),
                    }
                }
            }
        }
        heard.sort_unstable();
        heard.dedup();
        heard.into_iter().for_each(|row| self.hear(row));
    }

    /// Takes a demand in that says something of the columns that are looked at.
    fn hear(&mut self, row: usize) {
        let demand = &self.fold.program.demands[row];
        let terms = demand.terms.iter();
        let own = terms.filter_map(|(column, by)| Some((self.place[*column]?, *by)));
        let mut terms: Vec<(usize, i64)> = own.collect();
        let whole = terms.iter().map(|(place, by)| (self.part.columns[*place], *by));
        let (low, high) = (demand.low, demand.high);
        let mut implied = Demand { terms: whole.collect(), low, high };
        let says = implied.drop_implied(&self.bounds);
        terms.sort_unstable();
        // Both ends stay: columns that come later may need the other one.
        let own = Demand { terms, low, high };
        if says && self.says[row].is_none() {
            self.says[row] = Some(self.part.rows.len());
            self.part.rows.push(row);
            self.part.program.demands.push(own);
        }
    }
}

impl Part {
    /// What values of the small program are here.
    fn of(&self, whole: &[i64]) -> Vec<i64> {
        self.columns.iter().map(|column| whole[*column]).collect()
    }

    /// Values of the small program.
    fn whole(&self, fold: &Fold, values: &[i64]) -> Vec<i64> {
        let mut whole = vec![0; fold.program.columns.len()];
        for (column, value) in self.columns.iter().zip(values) {
            whole[*column] = *value;
        }
        whole
    }
}
