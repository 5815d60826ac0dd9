//! Branch and bound, depth first: the loop of the search for a smallest solution and of the
//! search for a proof.

use super::program::Bounds;

/// One half of a branching: a column is at least `at`, or less.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Branch {
    pub(super) column: usize,
    pub(super) at: i64,
    pub(super) or_more: bool,
}

impl Branch {
    /// The other half.
    pub(super) fn opposite(self) -> Branch {
        Branch { or_more: !self.or_more, ..self }
    }

    /// The bounds of this half.
    pub(super) fn within(self, mut bounds: Bounds) -> Bounds {
        if self.or_more {
            let lower = &mut bounds.lower[self.column];
            *lower = self.at.max(*lower);
        } else {
            let upper = &mut bounds.upper[self.column];
            *upper = (self.at - 1).min(*upper);
        }
        bounds
    }
}

/// An open column on which a search may branch: at most `below`, or more.
#[derive(Debug, Clone, Copy)]
pub(super) struct Candidate {
    pub(super) column: usize,
    /// Its value in the relaxation.
    pub(super) value: f64,
    /// The distance of the value from a whole number.
    pub(super) fraction: f64,
    pub(super) below: i64,
}

impl Candidate {
    /// A column with its value in the relaxation, if that is known; `None`: the column is fixed.
    pub(super) fn new(column: usize, bounds: &Bounds, value: Option<f64>) -> Option<Candidate> {
        /// Numbers this near to whole ones are whole.
        const WHOLE: f64 = 1e-6;
        if bounds.is_fixed(column) {
            return None;
        }
        let (low, high) = (bounds.lower[column], bounds.upper[column]);
        let value = value.map_or(low as f64, |value| value.clamp(low as f64, high as f64));
        let apart = (value - value.round()).abs();
        Some(Candidate {
            column,
            value,
            fraction: if apart > WHOLE { apart } else { 0.0 },
            below: (value.floor() as i64).clamp(low, high - 1),
        })
    }

    /// The half that is nearer to the value.
    pub(super) fn nearer(&self) -> Branch {
        Branch {
            column: self.column,
            at: self.below + 1,
            or_more: self.value - self.below as f64 > 0.5,
        }
    }
}

/// A node after it was bounded.
pub(super) enum Node<R> {
    /// It holds nothing that the search looks for.
    Closed(R),
    /// It is split. The bounds are those that are left of it, and this half comes first.
    Split(Bounds, Branch),
}

/// A problem that branch and bound searches.
pub(super) trait Tree {
    /// What is recorded of a subtree that holds nothing.
    type Record;
    /// Why a search ends before every node is closed.
    type End;

    /// Bounds a node. `path` has its branchings, from the root down.
    ///
    /// # Errors
    /// The end of the search.
    fn node(&mut self, bounds: Bounds, path: &[Branch]) -> Result<Node<Self::Record>, Self::End>;

    /// Whether the record of a half needs its branching. The record of one that does not is
    /// also that of the other half.
    fn needs(&self, record: &Self::Record, half: Branch) -> bool;

    /// The record of a node from those of its two halves; `half` is that of `second`.
    fn join(&mut self, half: Branch, first: Self::Record, second: Self::Record) -> Self::Record;
}

/// Closes every node below some bounds, to which the branchings of `path` led.
///
/// # Errors
/// The end of the search.
pub(super) fn branch_and_bound<T: Tree>(
    tree: &mut T,
    root: Bounds,
    mut path: Vec<Branch>,
) -> Result<T::Record, T::End> {
    // The bounds of each node on the path below the root, and the record of its first half.
    let mut open: Vec<(Bounds, Option<T::Record>)> = Vec::new();
    let mut next = root;
    loop {
        let mut record = match tree.node(next, &path)? {
            Node::Closed(record) => record,
            Node::Split(bounds, half) => {
                next = half.within(bounds.clone());
                path.push(half);
                open.push((bounds, None));
                continue;
            }
        };
        next = loop {
            let Some(((bounds, first), half)) = open.pop().zip(path.pop()) else {
                return Ok(record);
            };
            if !tree.needs(&record, half) {
                continue;
            }
            if let Some(first) = first {
                record = tree.join(half, first, record);
            } else {
                let second = half.opposite();
                path.push(second);
                open.push((Bounds::default(), Some(record)));
                break second.within(bounds);
            }
        };
    }
}
