//! Asking the solver which counts of kinds a legal deck within a number of exchanges can have.

use super::vectors::Space;
use crate::solve::Decklist;
use crate::solve::answer::Answer;
use crate::solve::problem::Problem;
use crate::solve::reduce::{Cap, Objective, Task};
use crate::solve::reduced::{Axis, Reduced};
use crate::solve::search::Outcome;
use decklaw_rules::rules::SectionSet;
use decklaw_rules::rules::linear::{MEANING, Tag, Unknown};

/// A deck, and how many cards are taken out of it or put in, whichever is more; open too where the
/// judge refuses what was found.
pub(super) type Fit = Answer<(Box<Decklist>, u32)>;

/// A program whose counts of kinds and whose exchanges are set again and again.
pub(super) struct Engine {
    reduced: Reduced,
    /// For each kind its column, or the number that it always is.
    kinds: Vec<Axis>,
    size: Axis,
    unknown_cards: i64,
}

/// The counts of kinds in a section, and its cards in all.
pub(super) struct KindCounts {
    pub(super) kinds: Vec<Unknown>,
    pub(super) size: Unknown,
    /// Cards that the pool does not know; they stay.
    pub(super) unknown_cards: i64,
}

/// Adds the counts of kinds in a section to a problem.
pub(super) fn counted(
    problem: &mut Problem<'_>,
    section: usize,
    kinds: &[u32],
    count: usize,
) -> KindCounts {
    let linear = &mut problem.linear;
    linear.tagged(MEANING);
    let mut terms: Vec<Vec<(Unknown, i64)>> = vec![Vec::new(); count];
    let everywhere = linear.pool().ids().chain(linear.unknown_cards().iter().copied());
    let all = everywhere.map(|card| (linear.copies(card, section), 1)).collect();
    // A rule about the size of just this section asks for the same sum, and bounds it.
    let size = linear.total(all);
    let unknown_cards = linear.unknown_copies(SectionSet::only(section));
    for (card, kind) in linear.pool().ids().zip(kinds) {
        terms[*kind as usize].push((linear.copies(card, section), 1));
    }
    let mut totals = Vec::with_capacity(count);
    for mut terms in terms {
        let total = linear.number(0, i64::MAX / 4);
        terms.push((total, -1));
        linear.row(terms, Some(0), Some(0));
        totals.push(total);
    }
    KindCounts { kinds: totals, size, unknown_cards }
}

impl Engine {
    /// The program of all decks within a number of exchanges that keep to the demands whose tags
    /// are `active`; `None`: there is none.
    pub(super) fn new(
        problem: &Problem<'_>,
        counted: &KindCounts,
        changes: u32,
        apart: &[bool],
        active: &dyn Fn(Tag) -> bool,
    ) -> Option<Engine> {
        let task = Task {
            cap: Cap::Near(i64::from(changes)),
            exchanges: Some(i64::from(changes)),
            ..problem.task(Objective::Distance, &[], apart)
        };
        let mut reduced =
            problem.spend(u64::MAX, |effort| task.reduce(active, &mut false, effort))?;
        let kinds: Vec<Axis> = counted.kinds.iter().map(|kind| reduced.axis(*kind)).collect();
        let own = kinds.iter().filter_map(|kind| match kind {
            Axis::Column(column) => Some(*column),
            Axis::Fixed(_) | Axis::Shared => None,
        });
        reduced.open(own);
        Some(Engine {
            kinds,
            size: reduced.axis(counted.size),
            unknown_cards: counted.unknown_cards,
            reduced,
        })
    }

    /// The bounds of a column for every question.
    fn ends(&self, column: usize) -> (i64, i64) {
        let column = &self.reduced.program.columns[column];
        (column.lower, column.upper)
    }

    /// The counts that the bounds leave open.
    pub(super) fn space(&self, now: Vec<i64>, changes: u32) -> Space {
        let changes = i64::from(changes);
        let ends: Vec<(i64, i64)> = self
            .kinds
            .iter()
            .zip(&now)
            .map(|(kind, now)| match kind {
                Axis::Column(column) => {
                    let (low, high) = self.ends(*column);
                    (low.max(now - changes), high.min(now + changes))
                }
                Axis::Fixed(fixed) => (*fixed, *fixed),
                Axis::Shared => (now - changes, now + changes),
            })
            .collect();
        let held: i64 = now.iter().sum();
        Space { size: self.size((held - changes, held + changes)), now, ends }
    }

    /// The fewest and the most cards of all kinds together.
    fn size(&self, (low, high): (i64, i64)) -> (i64, i64) {
        let (least, most) = match self.size {
            Axis::Column(column) => self.ends(column),
            Axis::Fixed(fixed) => (fixed, fixed),
            Axis::Shared => return (low, high),
        };
        (low.max(least - self.unknown_cards), high.min(most - self.unknown_cards))
    }

    /// Looks for a deck of just these counts with at most a number of exchanges: the one that
    /// changes the fewest copies.
    pub(super) fn fit(
        &mut self,
        problem: &Problem<'_>,
        counts: &[i64],
        most: u32,
        effort: &mut u64,
    ) -> Fit {
        for (kind, count) in self.kinds.iter().zip(counts) {
            match kind {
                Axis::Column(column) => {
                    let (low, high) = self.ends(*column);
                    if !(low..=high).contains(count) {
                        return Answer::None;
                    }
                    self.reduced.bound(*column, *count, *count);
                }
                Axis::Fixed(fixed) if fixed != count => return Answer::None,
                Axis::Fixed(_) | Axis::Shared => {}
            }
        }
        self.reduced.limit_exchanges(i64::from(most));
        match self.reduced.search(None, effort) {
            Outcome::Nothing => Answer::None,
            Outcome::Limited(None, _) => Answer::Limit,
            Outcome::Smallest(values) | Outcome::Limited(Some(values), _) => {
                let deck = problem.decklist(&self.reduced.expand(&values));
                let exchanges = self.reduced.exchanged(&values);
                Answer::Found((Box::new(deck), u32::try_from(exchanges).unwrap_or(u32::MAX)))
            }
        }
    }

    /// Whether alike cards were merged.
    pub(super) fn is_merged(&self) -> bool {
        self.reduced.is_merged()
    }
}
