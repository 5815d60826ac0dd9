//! The minimum of an objective over the decks of a task.

use super::Floor;
use super::answer::Answer;
use super::reduce::{Cap, Objective, Task};
use super::reduced::Reduced;
use super::search::Outcome;
use decklaw_rules::rules::linear::Tag;

/// The result of minimising an objective.
pub(super) struct Minimum {
    pub(super) best: Option<Solution>,
    /// The cost that nothing is below.
    pub(super) floor: Floor,
}

/// Copies of each card in each section.
pub(super) struct Solution {
    pub(super) copies: Vec<i64>,
    pub(super) cost: i64,
    /// Whether alike cards were one column.
    pub(super) is_merged: bool,
}

impl Minimum {
    /// Whether the best solution is proven to be that, or that there is none.
    pub(super) fn is_proven(&self) -> bool {
        let cost = self.best.as_ref().map_or(i64::MAX, |best| best.cost);
        self.floor.reaches(cost)
    }

    /// Searches a program; with a cost that nothing is below, for solutions of that cost.
    pub(super) fn of(reduced: Option<Reduced>, cost: Option<i64>, effort: &mut u64) -> Minimum {
        let Some(mut reduced) = reduced else {
            let floor = Floor::NOTHING;
            return Minimum { best: None, floor };
        };
        let outcome = reduced.search(cost, effort);
        let floor = Floor::of(&outcome, &reduced.program);
        let best = match outcome {
            Outcome::Smallest(values) | Outcome::Limited(Some(values), _) => Some(Solution {
                copies: reduced.expand(&values),
                cost: reduced.program.cost(&values),
                is_merged: reduced.is_merged(),
            }),
            Outcome::Nothing | Outcome::Limited(None, _) => None,
        };
        Minimum { best, floor }
    }
}

impl Task<'_, '_> {
    /// Whether some values satisfy the demands whose tags are `active`.
    pub(super) fn exists(&self, active: &dyn Fn(Tag) -> bool, effort: &mut u64) -> Answer {
        if *effort < self.steps() {
            *effort = 0;
            return Answer::Limit;
        }
        let solved = self.minimise(active, effort);
        if solved.best.is_some() {
            Answer::Found(())
        } else if solved.is_proven() {
            Answer::None
        } else {
            Answer::Limit
        }
    }

    /// Minimises the objective. Where a guess cut copies off, the result holds only as far as the
    /// guess reaches: the rest is searched, too, where it could be better. A nearer deck has no
    /// more copies than the best one known allows.
    pub(super) fn minimise(&self, active: &dyn Fn(Tag) -> bool, effort: &mut u64) -> Minimum {
        let mut cut = false;
        let first = Minimum::of(self.reduce(active, &mut cut, effort), None, effort);
        if !cut {
            return first;
        }
        let is_distance = matches!(self.objective, Objective::Distance);
        let beyond = if is_distance { self.beyond() } else { 0 };
        let least = first.floor.within(beyond);
        let cost = first.best.as_ref().map(|best| best.cost);
        if !first.is_proven() || cost.is_some_and(|cost| least.reaches(cost)) {
            return Minimum { floor: least, ..first };
        }
        let wider = Task {
            cap: match cost {
                Some(cost) if is_distance => Cap::Near(cost - 1),
                _ => Cap::None,
            },
            ..*self
        };
        let second = Minimum::of(wider.reduce(active, &mut cut, effort), None, effort);
        let Some(cost) = cost else {
            return second;
        };
        let floor = second.floor.max(least);
        if second.best.as_ref().is_some_and(|best| best.cost < cost) {
            return Minimum { floor, ..second };
        }
        Minimum { floor: floor.within(cost), ..first }
    }

    /// The distance from which on a deck may have more copies of a card than the guess.
    fn beyond(&self) -> i64 {
        let Cap::Guess(guess) = self.cap else {
            return 0;
        };
        let held = self.old.iter().copied().max().unwrap_or(0);
        guess.saturating_add(1).saturating_sub(held)
    }
}
