//! Large programs made small: parts that nothing distinguishes are added up.
//!
//! A pool has thousands of titles, each with a demand of its own on its printings, and most of
//! them are alike: the same columns with the same bounds and costs, the same demands among them,
//! the same factors in the demands that they share with others. The sum of such parts is a
//! part of the same shape, with bounds and demands as many times as large. Whatever satisfies
//! the whole satisfies the sums, at the same cost; so what the sums cost at least, the whole
//! does, and where no sums are possible, nothing is. The other way round, sums are shared out
//! among the parts again, and the whole program has the last word: where they cannot be, the
//! parts that fail get columns of their own, as many of them as can be of use.

mod build;
mod lazy;
mod matrix;
mod parts;
#[cfg(test)]
mod tests;
mod unfold;
mod units;

use super::program::{Program, Set};
use super::propagate::matrix as by_column;
use super::search::{KnownSolutions, Outcome, search_whole};
use matrix::EliminatedColumn;
use parts::Parts;
use rustc_hash::FxHashMap;

/// A program whose table would have more places than this is folded, to see how large the result
/// is.
const LARGE: usize = 1 << 14;
/// A program with a larger table than this is always searched folded.
const VAST: usize = 1 << 20;

/// Finds values of a program's columns that cost least. `effort` is the number of steps
/// that may be taken (a step is a fixed number of table entries read or written, and takes about as
/// long in any program); what is not used is left in it.
///
/// ```
/// use decklaw_engine::solve::{Column, Demand, Outcome, Program, search};
/// let column = |cost| Column { lower: 0, upper: 9, cost, first: false };
/// let program = Program {
///     columns: vec![column(3), column(5)],
///     demands: vec![Demand { terms: vec![(0, 4), (1, 7)], low: Some(15), high: Some(15) }],
///     fixed_cost: 0,
/// };
/// assert_eq!(search(&program, &mut 1000), Outcome::Smallest(vec![2, 1]));
/// ```
pub fn search(program: &Program, effort: &mut u64) -> Outcome {
    let fold = is_large(program).then(|| FoldedProgram::new(program, Marks::default()));
    match fold.filter(FoldedProgram::is_of_use) {
        Some(mut fold) => fold.search(program, &[], None, effort),
        None => search_whole(program, KnownSolutions::default(), effort),
    }
}

fn places(program: &Program) -> usize {
    program.columns.len().saturating_mul(program.demands.len())
}

/// Whether a program is so large that it may be better folded.
pub(super) fn is_large(program: &Program) -> bool {
    places(program) > LARGE
}

/// What a caller knows of the columns of a program.
#[derive(Debug, Clone, Default)]
pub(super) struct Marks {
    /// The rank of each column in the order in which alike parts are used; empty: as they are.
    pub(super) rank: Vec<u32>,
    /// Columns whose bounds a question may set, within those that they have.
    pub(super) kept: Vec<usize>,
}

/// A large program, and the small one that is searched in its place.
#[derive(Debug)]
pub(super) struct FoldedProgram {
    marks: Marks,
    /// The number of parts of a class with columns of their own, by the first column of its first
    /// part.
    single: Single,
    /// `None`: nothing satisfies the program.
    fold: Option<Fold>,
    is_of_use: bool,
}

type Single = FxHashMap<u32, usize>;

impl FoldedProgram {
    /// Folds a program.
    pub(super) fn new(whole: &Program, marks: Marks) -> FoldedProgram {
        let single = Single::default();
        let fold = Fold::new(whole, &marks, &single);
        let halved = |fold: &Fold| fold.program.columns.len() * 2 <= whole.columns.len();
        FoldedProgram {
            is_of_use: places(whole) > VAST || fold.as_ref().is_none_or(halved),
            marks,
            single,
            fold,
        }
    }

    /// Whether it is better searched than the whole.
    pub(super) fn is_of_use(&self) -> bool {
        self.is_of_use
    }

    /// See [`search()`](super::search()): what it says is of the whole program, with the bounds
    /// that are set. With a cost that nothing is below, only solutions of that cost count.
    pub(super) fn search(
        &mut self,
        whole: &Program,
        set: &[Set],
        exactly: Option<i64>,
        effort: &mut u64,
    ) -> Outcome {
        loop {
            let Some(fold) = &mut self.fold else {
                return Outcome::Nothing;
            };
            fold.set(set);
            let failed = match fold.search(exactly, effort) {
                Outcome::Nothing => return Outcome::Nothing,
                Outcome::Limited(None, bound) => return Outcome::Limited(None, bound),
                Outcome::Smallest(values) => match fold.unfold(whole, &values) {
                    Ok(values) => return Outcome::Smallest(values),
                    Err(failed) => failed,
                },
                Outcome::Limited(Some(values), bound) => match fold.unfold(whole, &values) {
                    Ok(values) => return Outcome::Limited(Some(values), bound),
                    Err(_) => return Outcome::Limited(None, bound),
                },
            };
            if !self.separate(whole, failed) {
                return Outcome::Limited(None, whole.fixed_cost);
            }
        }
    }

    /// Tells the parts of classes apart, as many as can be of use; whether any were together.
    fn separate(&mut self, whole: &Program, failed: Vec<usize>) -> bool {
        let Some(fold) = &self.fold else {
            return false;
        };
        let before = self.single.len();
        for class in failed.into_iter().filter_map(|at| fold.classes.get(at)) {
            if let Some(first) = class.columns.first() {
                self.single.insert(*first, fold.useful(class));
            }
        }
        self.fold = Fold::new(whole, &self.marks, &self.single);
        self.single.len() > before
    }
}

/// A folded program.
#[derive(Debug)]
struct Fold {
    /// The small program.
    program: Program,
    /// Where the value of each column of the whole comes from.
    places: Vec<Place>,
    classes: Vec<Class>,
    /// Columns of the whole that name a sum of others.
    sums: Vec<EliminatedColumn>,
    /// Whether each column of the small program is looked at from the beginning.
    always: Vec<bool>,
    /// For each column of the small program the first of those that come with it, and the one
    /// behind the last.
    bundle: Vec<(u32, u32)>,
}

/// Where the value of a column of the whole comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    /// A column of the small program.
    Own(usize),
    /// A share of one, given out by its class.
    Shared,
    /// It is always this.
    Fixed(i64),
}

/// Parts that nothing distinguishes and that are added up.
#[derive(Debug)]
struct Class {
    /// The columns of each part, in the same order in all, one part behind the other.
    columns: Vec<u32>,
    /// How many columns a part has.
    width: usize,
    /// The column of the small program that is the sum of the parts' first; the others follow.
    first: usize,
    /// What each column of a part may be.
    ends: Vec<(i64, i64)>,
    /// The demands within a part.
    local: Vec<Local>,
}

/// A demand within a part, and on columns that belong to none.
#[derive(Debug)]
struct Local {
    /// By place in the part.
    terms: Vec<(usize, i64)>,
    /// By column of the whole.
    others: Vec<(usize, i64)>,
    low: Option<i64>,
    high: Option<i64>,
}

impl Fold {
    /// Folds a program; `None`: nothing satisfies it.
    fn new(whole: &Program, marks: &Marks, single: &Single) -> Option<Fold> {
        let matrix::PreparedProgram { program: tidied, sums } = matrix::tidy(whole, &marks.kept)?;
        let mut apart: Vec<bool> =
            (tidied.columns.iter()).map(|column| column.lower == column.upper).collect();
        marks.kept.iter().for_each(|kept| apart[*kept] = true);
        let units = units::units(&tidied, &apart);
        let matrix = by_column(&tidied);
        let parts = Parts::new(&tidied, &matrix, &units);
        Some(build::fold(&parts, marks, single, sums))
    }

    /// Sets bounds of columns that were marked as kept.
    fn set(&mut self, set: &[Set]) {
        for set in set {
            if let Place::Own(own) = self.places[set.column] {
                let own = &mut self.program.columns[own];
                (own.lower, own.upper) = (set.lower, set.upper);
            }
        }
    }

    /// How many parts of a class can differ from nothing at once.
    fn useful(&self, class: &Class) -> usize {
        let all = class.columns.len() / class.width.max(1);
        let sums = self.program.columns[class.first..].iter().take(class.width);
        if sums.clone().any(|sum| sum.lower < 0) {
            return all;
        }
        let most = sums.map(|sum| sum.upper).fold(0, i64::saturating_add);
        usize::try_from(most).unwrap_or(all).min(all)
    }
}
