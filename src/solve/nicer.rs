//! Among answers that are equally good, the nicer: one that follows the format's advice, or one
//! of many different cards.

use super::reduce::{Objective, Task};
use super::repair::{Found, Kept, Problem};
use super::search::within;
use crate::rules::{Severity, Tag};

/// Each try may take this part of the steps.
const SHARE: u64 = 8;

/// How many copies a card may have that comes in, in eighths, the finest first; less than one
/// where only some of alike cards come in.
const EIGHTHS: [i64; 16] = [
    1, 2, 3, 4, 6, 8, 16, 24, 32, 48, 64, 96, 128, 256, 512, 1024,
];

impl Problem<'_> {
    /// Finds the advice that can be followed, within a distance where one is given: all of
    /// it, or one rule after the other.
    pub(super) fn heed(&mut self, besides: &[Kept], most: Option<i64>) {
        let rules = (0..).zip(self.deck.rulebook().rules());
        let advice: Vec<Tag> = rules
            .filter(|(_, rule)| rule.severity == Severity::Warning)
            .map(|(tag, _)| tag)
            .collect();
        self.advice.clone_from(&advice);
        if self.values(besides, most, None).is_some() {
            return;
        }
        self.advice.clear();
        for tag in advice {
            self.advice.push(tag);
            if self.values(besides, most, None).is_none() {
                self.advice.pop();
            }
        }
    }

    /// Takes a deck at the same distance that follows advice, where there is one.
    pub(super) fn follow_advice(&mut self, found: &mut Found) {
        let besides = self.besides(found);
        self.heed(&besides, Some(found.distance));
        if !self.advice.is_empty() {
            self.replace(found, &besides, None);
        }
    }

    /// Takes a deck at the same distance whose new cards are spread as widely as can be.
    pub(super) fn vary(&self, found: &mut Found) {
        let besides = self.besides(found);
        let (mut low, mut high) = (0, EIGHTHS.len());
        while low < high {
            let middle = low + (high - low) / 2;
            match self.replace(found, &besides, Some(EIGHTHS[middle])) {
                true => high = middle,
                false => low = middle + 1,
            }
        }
    }

    fn replace(&self, found: &mut Found, besides: &[Kept], thin: Option<i64>) -> bool {
        let Some(copies) = self.values(besides, Some(found.distance), thin) else {
            return false;
        };
        let after = self.decklist(&copies);
        let right = self.is_right(&after, found.distance);
        if right {
            found.deck = after;
        }
        right
    }

    /// Copies of each card in each section of some deck that satisfies what counts.
    fn values(&self, besides: &[Kept], most: Option<i64>, thin: Option<i64>) -> Option<Vec<i64>> {
        let objective = match most {
            Some(_) => Objective::Distance,
            None => Objective::Sum(&[]),
        };
        let task = Task {
            thin,
            ..self.task(objective, besides, &[])
        };
        let reduced = task.reduce(&|tag| self.counts(tag))?;
        let most = most.map(|most| most - self.gone);
        let values = within(&reduced.program, most, self.effort / SHARE)?;
        Some(reduced.expand(&values))
    }
}
