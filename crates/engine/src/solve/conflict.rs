//! Which demands make a problem impossible: as few as can be.

use super::Conflict;
use super::answer::Answer;
use super::problem::{Problem, WISH};
use super::reduce::Objective;
use decklaw_rules::rules::Tag;

impl Problem<'_> {
    /// Leaves out one demand after the other, rules before wishes, while what is left still
    /// cannot hold together.
    pub(super) fn conflict(&self) -> Conflict {
        self.effort.set(self.wishes.saved(self.effort.get()));
        let wishes = (WISH..).zip(&self.wishes.must).map(|(tag, _)| tag);
        let rules = self.rules.iter().copied();
        let mut demands: Vec<Tag> = rules.filter(|tag| self.counts(*tag)).chain(wishes).collect();
        let mut irreducible = true;
        for tag in demands.clone() {
            let rest = |other: Tag| other != tag && demands.contains(&other);
            match self.exists(&rest) {
                Answer::None => demands.retain(|other| *other != tag),
                Answer::Found(()) => {}
                Answer::Limit => irreducible = false,
            }
        }
        Conflict {
            rules: demands.iter().filter(|tag| **tag < WISH).map(|tag| *tag as usize).collect(),
            wishes: demands
                .iter()
                .filter_map(|tag| tag.checked_sub(WISH))
                .map(|at| at as usize)
                .collect(),
            irreducible,
        }
    }

    /// Whether some deck satisfies the demands whose tags are `active`.
    pub(super) fn exists(&self, active: &dyn Fn(Tag) -> bool) -> Answer {
        let task = self.task(Objective::Sum(&[]), &[], &[]);
        self.spend(u64::MAX, |effort| task.exists(active, effort))
    }
}
