//! Among answers that are equally good, the nicer: one that follows the format's advice, or one
//! of many different cards.

use super::problem::{Kept, Problem};
use super::reduce::Objective;
use super::reduced::Reduced;
use super::repair::Found;
use super::search::Outcome;
use decklaw_core::rules::{Severity, Tag};

/// How many copies a card may have that comes in, in eighths, the finest first; less than one
/// where only some of alike cards come in.
const EIGHTHS: [i64; 16] = [
    1, 2, 3, 4, 6, 8, 16, 24, 32, 48, 64, 96, 128, 256, 512, 1024,
];

impl Problem<'_> {
    /// Finds the advice that can be followed, within a distance where one is given: all of
    /// it, or one rule after the other. Answers with the copies of a deck that follows it.
    pub(super) fn heed(&mut self, besides: &[Kept], most: Option<i64>) -> Option<Vec<i64>> {
        let rules = (0..).zip(self.deck.rulebook().rules());
        let advice: Vec<Tag> = rules
            .filter(|(_, rule)| rule.severity == Severity::Warning)
            .map(|(tag, _)| tag)
            .collect();
        if advice.is_empty() {
            return None;
        }
        self.advice.clone_from(&advice);
        let all = self.values(besides, most);
        if all.is_some() {
            return all;
        }
        self.advice.clear();
        let mut best = None;
        for tag in advice {
            self.advice.push(tag);
            match self.values(besides, most) {
                None => _ = self.advice.pop(),
                better => best = better,
            }
        }
        best
    }

    /// Takes a deck at the same distance that follows advice, where there is one.
    pub(super) fn follow_advice(&mut self, found: &mut Found) {
        let besides = self.besides(found);
        if let Some(copies) = self.heed(&besides, Some(found.distance)) {
            self.replace(found, &copies);
        }
    }

    /// Takes a deck at the same distance whose new cards are spread as widely as can be.
    pub(super) fn vary(&self, found: &mut Found) {
        let besides = self.besides(found);
        let mut task = self.task(Objective::Distance, &besides, &[]);
        let Some(settled) = task.settle(&|tag| self.counts(tag), &mut false) else {
            return;
        };
        let (mut low, mut high) = (0, EIGHTHS.len());
        while low < high {
            let middle = low + (high - low) / 2;
            task.thin = Some(EIGHTHS[middle]);
            match self.within(task.columns(&settled), Some(found.distance)) {
                Some(copies) if self.replace(found, &copies) => high = middle,
                _ => low = middle + 1,
            }
        }
    }

    fn replace(&self, found: &mut Found, copies: &[i64]) -> bool {
        let after = self.decklist(copies);
        let right = self.is_right(&after, found.distance);
        if right {
            found.deck = after;
        }
        right
    }

    /// Copies of each card in each section of some deck that satisfies what counts.
    fn values(&self, besides: &[Kept], most: Option<i64>) -> Option<Vec<i64>> {
        let objective = match most {
            Some(_) => Objective::Distance,
            None => Objective::Sum(&[]),
        };
        let task = self.task(objective, besides, &[]);
        let reduced = self.spend(u64::MAX, |effort| {
            task.reduce(&|tag| self.counts(tag), &mut false, effort)
        });
        self.within(reduced, most)
    }

    /// The same of a program, within a distance where one is given.
    fn within(&self, reduced: Option<Reduced>, most: Option<i64>) -> Option<Vec<i64>> {
        let mut reduced = reduced?;
        let most = most.map(|most| most - self.gone);
        match self.spend(self.share(), |effort| reduced.search(most, effort)) {
            Outcome::Smallest(values) | Outcome::Limited(Some(values), _) => {
                Some(reduced.expand(&values))
            }
            Outcome::Nothing => None,
            Outcome::Limited(None, _) => {
                self.stopped.set(true);
                None
            }
        }
    }
}
