//! What nothing is below: the one value that the word *proven* hangs on.

use super::program::Program;
use super::search::Outcome;

/// A number of changes that nothing is below, as far as was shown.
///
/// Only a search that ended makes one that says more than nothing, and of parts that make up a
/// whole the lowest holds: whatever is given up on the way lowers it, so that no claim is left
/// standing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Floor(i64);

impl Floor {
    /// Nothing was shown.
    pub(super) const UNKNOWN: Floor = Floor(i64::MIN);
    /// Something must change.
    pub(super) const ONE: Floor = Floor(1);
    /// No change is smaller than none.
    pub(super) const ZERO: Floor = Floor(0);
    /// There is nothing at all.
    pub(super) const NOTHING: Floor = Floor(i64::MAX);

    /// What a search of a program showed.
    pub(super) fn of(outcome: &Outcome, program: &Program) -> Floor {
        match outcome {
            Outcome::Smallest(values) => Floor(program.cost(values)),
            Outcome::Nothing => Floor::NOTHING,
            Outcome::Limited(_, bound) => Floor((*bound).max(0)),
        }
    }

    /// The same where so much else is changed.
    pub(super) fn plus(self, besides: i64) -> Floor {
        match self {
            Floor::UNKNOWN | Floor::NOTHING => self,
            Floor(least) => Floor(least.saturating_add(besides)),
        }
    }

    /// The same of what is no farther than that.
    pub(super) fn within(self, most: i64) -> Floor {
        self.min(Floor(most.max(0)))
    }

    /// Whether nothing is below a number.
    pub fn reaches(self, number: i64) -> bool {
        self.0 >= number
    }

    /// The number; 0 where nothing was shown.
    pub fn get(self) -> i64 {
        self.0.max(0)
    }
}
