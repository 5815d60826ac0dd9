//! A small program, and the way back from its columns to copies of cards.

use super::fold::{self, FoldedProgram, Marks};
use super::program::{Bounds, Program, Set};
use super::rows::Place;
use super::search::{KnownSolutions, Outcome, reading_steps, search_whole};
use super::spread::shares;
use decklaw_rules::rules::linear::Unknown;

/// Cards that nothing distinguishes, in the order in which they are taken.
#[derive(Debug, Clone)]
pub(super) struct Class {
    pub(super) members: Vec<u32>,
    /// The unknowns of each card that the class shares are found by these of the first.
    pub(super) unknowns: Vec<Unknown>,
}

/// Where the value of an unknown comes from, as others see it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Axis {
    /// A column of its own.
    Column(usize),
    /// It is always this number.
    Fixed(i64),
    /// Several columns.
    Shared,
}

/// A program, and how its columns become copies of cards.
#[derive(Debug)]
pub(super) struct Reduced {
    pub(super) program: Program,
    pub(super) places: Vec<Place>,
    pub(super) classes: Vec<Class>,
    pub(super) sections: usize,
    pub(super) copy_unknowns: usize,
    pub(super) bounds: Bounds,
    /// Whether alike cards share copies out as players do.
    pub(super) shaped: bool,
    /// The columns that count copies that go, and copies that come.
    pub(super) exchanges: Option<(usize, usize)>,
    /// The position of each column among those alike.
    pub(super) rank: Vec<u32>,
    /// The columns whose bounds a question may set, and what this question sets. The program
    /// itself has the widest bounds, whatever is asked of it.
    pub(super) set: Vec<Set>,
    /// The program in small, where it is a large one that was searched already.
    pub(super) fold: Option<FoldedProgram>,
}

/// The copies of a section so far, and those that are parts of playsets.
#[derive(Debug, Clone, Copy, Default)]
struct Sets {
    all: i64,
    full: i64,
}

impl Sets {
    /// The copies of playsets that are missing once some more copies come: of five copies three are
    /// parts of playsets.
    fn owed(self, more: i64) -> i64 {
        (self.all + more) * 3 / 5 - self.full
    }

    fn add(&mut self, shares: &[i64], most: i64) {
        let full = shares.iter().filter(|share| **share == most && most > 1);
        self.full += full.sum::<i64>();
        self.all += if most > 1 { shares.iter().sum::<i64>() } else { 0 };
    }
}

impl Reduced {
    /// See [`search()`](super::search()); with a cost that nothing is below, only solutions of that
    /// cost count.
    pub(super) fn search(&mut self, cost: Option<i64>, effort: &mut u64) -> Outcome {
        // Setting bounds reads the program, and the copies of a solution are read from it.
        let steps = reading_steps(self.program.size() + self.places.len());
        *effort = effort.saturating_sub(steps);
        if let Some((whole, set, fold)) = self.folded() {
            return fold.search(whole, set, cost, effort);
        }
        let known = KnownSolutions { values: None, cost };
        search_whole(&self.program.with(&self.set), known, effort)
    }

    /// A large program, the bounds that are set, and what it is folded to.
    fn folded(&mut self) -> Option<(&Program, &[Set], &mut FoldedProgram)> {
        if !fold::is_large(&self.program) {
            return None;
        }
        let (whole, rank, set) = (&self.program, &mut self.rank, &self.set);
        let fold = self.fold.get_or_insert_with(|| {
            let kept = set.iter().map(|set| set.column).collect();
            let rank = std::mem::take(rank);
            FoldedProgram::new(whole, Marks { rank, kept })
        });
        fold.is_of_use().then_some((whole, &**set, fold))
    }

    /// Lets the next questions set the bounds of some columns. It comes before the first search.
    pub(super) fn open(&mut self, columns: impl Iterator<Item = usize>) {
        for column in columns {
            let own = &self.program.columns[column];
            let (lower, upper) = (own.lower, own.upper);
            self.set.push(Set { column, lower, upper });
        }
    }

    /// Sets the bounds of one of the columns that are [open](Reduced::open) to it, within those
    /// that it has in the program.
    pub(super) fn bound(&mut self, column: usize, lower: i64, upper: i64) {
        let widest = &self.program.columns[column];
        let (lower, upper) = (lower.max(widest.lower), upper.min(widest.upper));
        for set in self.set.iter_mut().filter(|set| set.column == column) {
            (set.lower, set.upper) = (lower, upper);
        }
    }

    /// The copies of each card in each section that values of the columns mean, alike cards
    /// taken one after the other.
    pub(super) fn expand(&self, values: &[i64]) -> Vec<i64> {
        let mut copies: Vec<i64> =
            (0..self.copy_unknowns).map(|at| self.value(at, values)).collect();
        let mut sets = vec![Sets::default(); self.sections];
        for class in self.classes.iter().filter(|class| class.members.len() > 1) {
            self.share_out(class, values, &mut copies, &mut sets);
        }
        copies
    }

    /// Gives the copies of alike cards to each of them: as many to each as go, or playsets of some
    /// and single copies of others, so that every section has cards of its own.
    fn share_out(&self, class: &Class, values: &[i64], copies: &mut [i64], sets: &mut [Sets]) {
        let count = class.members.len();
        let own = || {
            let unknowns = class.unknowns.iter().map(|unknown| unknown.index());
            unknowns.filter(|at| *at < self.copy_unknowns)
        };
        let Bounds { lower, upper } = &self.bounds;
        let more = |at: usize| (self.value(at, values) - lower[at] * count as i64).max(0);
        let each = |at: usize| (upper[at] - lower[at]).max(1);
        let fewest = |at: usize| (more(at) as u64).div_ceil(each(at) as u64) as usize;
        let mut spare = count.saturating_sub(own().map(fewest).sum());
        let mut next = 0;
        for at in own() {
            let section = at % self.sections;
            let of =
                |member: usize| class.members[member % count] as usize * self.sections + section;
            for member in 0..count {
                copies[of(member)] = lower[at];
            }
            let total = more(at);
            let shares = if self.shaped {
                let cards = fewest(at) + spare;
                let shares = shares(total, each(at), cards, sets[section].owed(total));
                sets[section].add(&shares, each(at));
                spare = cards - shares.len().min(cards);
                shares
            } else {
                let full = (0..fewest(at) as i64).map(|card| total - card * each(at));
                full.map(|left| left.min(each(at))).collect()
            };
            for taken in shares {
                copies[of(next)] += taken;
                next += 1;
            }
        }
    }

    fn value(&self, at: usize, values: &[i64]) -> i64 {
        match &self.places[at] {
            Place::Fixed(value) => *value,
            Place::Column(column) => values[*column],
            Place::Moved { base, more, fewer } => {
                base + more.map_or(0, |column| values[column])
                    - fewer.map_or(0, |column| values[column])
            }
            Place::Same(other) => self.value(other.index(), values),
            Place::Total(all) => all.iter().map(|one| self.value(one.index(), values)).sum(),
        }
    }

    /// Where the value of an unknown comes from.
    pub(super) fn axis(&self, unknown: Unknown) -> Axis {
        match &self.places[unknown.index()] {
            Place::Column(column) => Axis::Column(*column),
            Place::Fixed(value) => Axis::Fixed(*value),
            Place::Moved { .. } | Place::Total(_) => Axis::Shared,
            Place::Same(other) => self.axis(*other),
        }
    }

    /// Lets no more copies go, and no more come, than this.
    pub(super) fn limit_exchanges(&mut self, most: i64) {
        if let Some((out, into)) = self.exchanges {
            self.bound(out, 0, most);
            self.bound(into, 0, most);
        }
    }

    /// How many copies go, or come, whichever is more.
    pub(super) fn exchanged(&self, values: &[i64]) -> i64 {
        self.exchanges.map_or(0, |(out, into)| values[out].max(values[into]))
    }

    /// Whether any cards were merged.
    pub(super) fn is_merged(&self) -> bool {
        self.classes.iter().any(|class| class.members.len() > 1)
    }
}
