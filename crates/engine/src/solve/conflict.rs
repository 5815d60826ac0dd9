//! Which demands make a problem impossible: as few as can be.

use super::Conflict;
use super::problem::{Problem, WISH};
use super::reduce::{Cap, Objective, Task};
use super::search::Outcome;
use decklaw_core::rules::Tag;

impl Problem<'_> {
    /// Leaves out one demand after the other, rules before wishes, while what is left still
    /// cannot hold together.
    pub(super) fn conflict(&self) -> Conflict {
        let wishes = (WISH..).zip(&self.wishes.must).map(|(tag, _)| tag);
        let rules = self.rules.iter().copied();
        let mut demands: Vec<Tag> = rules
            .filter(|tag| self.counts(*tag))
            .chain(wishes)
            .collect();
        let mut irreducible = true;
        for tag in demands.clone() {
            let rest = |other: Tag| other != tag && demands.contains(&other);
            match self.is_possible(&rest) {
                Some(false) => demands.retain(|other| *other != tag),
                Some(true) => {}
                None => irreducible = false,
            }
        }
        Conflict {
            rules: demands
                .iter()
                .filter(|tag| **tag < WISH)
                .map(|tag| *tag as usize)
                .collect(),
            wishes: demands
                .iter()
                .filter_map(|tag| tag.checked_sub(WISH))
                .map(|at| at as usize)
                .collect(),
            irreducible,
        }
    }

    /// Whether some demands can hold together; `None`: the work limit was reached.
    pub(super) fn is_possible(&self, active: &dyn Fn(Tag) -> bool) -> Option<bool> {
        let ask = |cap: Cap, cut: &mut bool| {
            let task = Task {
                cap,
                ..self.task(Objective::Sum(&[]), &[], &[])
            };
            let Some(mut reduced) = task.reduce(active, cut) else {
                return Some(false);
            };
            match reduced.search(&mut self.wishes.effort.clone()) {
                Outcome::Nothing => Some(false),
                Outcome::Smallest(_) | Outcome::Limited(Some(_), _) => Some(true),
                Outcome::Limited(None, _) => None,
            }
        };
        let mut cut = false;
        match ask(Cap::Guess(self.guess), &mut cut) {
            Some(false) if cut => ask(Cap::None, &mut cut),
            answer => answer,
        }
    }
}
