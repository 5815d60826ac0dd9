//! The nearest deck that satisfies a problem: what is preferred first, then aims, then as few
//! copies as can be.

use super::problem::{Kept, Problem};
use super::reduce::{Cap, Objective, Task};
use super::reduced::Reduced;
use super::repair::{Advice, Found, Repair};
use super::search::Outcome;
use super::{Decklist, Floor, Wish};

enum Solved {
    Smallest(Reduced, Vec<i64>, Floor),
    Nothing,
    Limited(Option<(Reduced, Vec<i64>)>, Floor),
}

impl Solved {
    /// What no deck is nearer than.
    fn floor(&self) -> Floor {
        match self {
            Solved::Nothing => Floor::NOTHING,
            Solved::Smallest(_, _, floor) | Solved::Limited(_, floor) => *floor,
        }
    }
}

impl Problem<'_> {
    /// The distance from which on a deck may have more copies of a card than are looked at
    /// first.
    fn beyond(&self) -> i64 {
        let held = self.old.iter().copied().max().unwrap_or(0);
        self.guess.saturating_add(1).saturating_sub(held)
    }

    /// Solves it, or tells what makes it impossible.
    pub(super) fn solve(&mut self) -> Repair {
        let mut besides = Vec::new();
        let mut missed = Vec::new();
        let mut proven = true;
        // Some deck that satisfies all demands: what is answered where the work ends too early.
        let mut known: Option<Decklist> = None;
        let sums = self.misses.clone();
        let (preferred, aims) = sums.split_at(self.wishes.prefer.len());
        for (sums, is_aim) in [(preferred, false), (aims, true)] {
            if is_aim && self.wishes.advice == Advice::First {
                self.heed(&besides, None);
            }
            for sum in sums {
                // What is preferred may take half of what is left: a deck must come out of it.
                let all = self.effort.get();
                self.effort.set(all / 2);
                let solved = self.minimise(Objective::Sum(sum), &besides, &[]);
                self.effort.set(self.effort.get() + all - all / 2);
                let (reduced, values, exact) = match solved {
                    Solved::Nothing => return Repair::Impossible(self.conflict()),
                    Solved::Limited(None, _) => return self.settled(known),
                    Solved::Limited(Some((reduced, values)), _) => (reduced, values, false),
                    Solved::Smallest(reduced, values, _) => (reduced, values, true),
                };
                let cost = reduced.program.cost(&values);
                known = Some(self.decklist(&reduced.expand(&values)));
                proven &= exact;
                missed.push(cost);
                besides.push((sum.clone(), cost));
            }
        }
        let missed_aims = missed.split_off(self.wishes.prefer.len());
        let mut apart = Vec::new();
        loop {
            let solved = self.minimise(Objective::Distance, &besides, &apart);
            let floor = solved.floor();
            let (reduced, values) = match solved {
                Solved::Nothing => return Repair::Impossible(self.conflict()),
                Solved::Limited(None, _) => return self.settled(known),
                Solved::Limited(Some((reduced, values)), _)
                | Solved::Smallest(reduced, values, _) => (reduced, values),
            };
            let distance = reduced.program.cost(&values) + self.gone;
            let after = self.decklist(&reduced.expand(&values));
            if self.is_right(&after, distance) {
                return Repair::Found(Box::new(Found {
                    deck: after,
                    distance,
                    floor: match proven {
                        true => floor.plus(self.gone),
                        false => Floor::UNKNOWN,
                    },
                    settled: true,
                    missed,
                    aims: missed_aims,
                }));
            }
            // What several cards do together no single ones could: they are told apart now.
            if !reduced.is_merged() || !apart.is_empty() {
                return self.settled(known);
            }
            apart = vec![true; self.rank.len()];
        }
    }

    /// The answer where the work ended before a nearest deck was found: a deck that is known,
    /// if it is one that was asked for.
    fn settled(&self, known: Option<Decklist>) -> Repair {
        let Some(deck) = known else {
            return Repair::Unknown;
        };
        let distance = self.moved(&deck);
        if !self.is_right(&deck, distance) {
            return Repair::Unknown;
        }
        let missed = |wishes: &[Wish]| wishes.iter().map(|wish| wish.missed(&deck)).collect();
        Repair::Found(Box::new(Found {
            missed: missed(&self.wishes.prefer),
            aims: missed(&self.wishes.aims),
            deck,
            distance,
            floor: Floor::UNKNOWN,
            settled: false,
        }))
    }

    /// Makes an objective as small as it can be. Where a guess cut copies off, what was found holds
    /// only as far as the guess reaches: what lies beyond is searched, too, where it could be
    /// better. A nearer deck has no more copies than the best one known allows.
    fn minimise(&mut self, objective: Objective<'_>, besides: &[Kept], apart: &[bool]) -> Solved {
        let guess = Cap::Guess(self.guess);
        let (solved, cut) = self.solved(objective, besides, apart, guess);
        if !cut {
            return solved;
        }
        let is_distance = matches!(objective, Objective::Distance);
        let beyond = if is_distance { self.beyond() } else { 0 };
        let (reduced, values, floor) = match solved {
            Solved::Nothing => return self.solved(objective, besides, apart, Cap::None).0,
            Solved::Limited(found, floor) => return Solved::Limited(found, floor.within(beyond)),
            Solved::Smallest(reduced, values, floor) => (reduced, values, floor),
        };
        let cost = reduced.program.cost(&values);
        let least = floor.within(beyond);
        if least.reaches(cost) {
            return Solved::Smallest(reduced, values, floor);
        }
        let wider = if is_distance {
            Cap::Near(cost - 1)
        } else {
            Cap::None
        };
        let is_less = |better: &Reduced, values: &[i64]| better.program.cost(values) < cost;
        match self.solved(objective, besides, apart, wider).0 {
            Solved::Smallest(better, less, floor) if is_less(&better, &less) => {
                Solved::Smallest(better, less, floor)
            }
            Solved::Limited(Some((better, less)), floor) if is_less(&better, &less) => {
                Solved::Limited(Some((better, less)), floor.max(least))
            }
            Solved::Smallest(..) | Solved::Nothing => Solved::Smallest(reduced, values, floor),
            Solved::Limited(_, floor) => {
                let floor = floor.max(least).within(cost);
                match floor.reaches(cost) {
                    true => Solved::Smallest(reduced, values, floor),
                    false => Solved::Limited(Some((reduced, values)), floor),
                }
            }
        }
    }

    /// Solves for copies up to a cap, and says whether that was a guess that cut some off.
    fn solved(
        &mut self,
        objective: Objective<'_>,
        besides: &[Kept],
        apart: &[bool],
        cap: Cap,
    ) -> (Solved, bool) {
        let mut cut = false;
        let reduced = {
            let task = Task {
                cap,
                ..self.task(objective, besides, apart)
            };
            let mut effort = self.effort.get();
            let reduced = task.reduce(&|tag| self.counts(tag), &mut cut, &mut effort);
            self.effort.set(effort);
            reduced
        };
        (self.finish(reduced), cut)
    }

    fn finish(&mut self, reduced: Option<Reduced>) -> Solved {
        let Some(mut reduced) = reduced else {
            return Solved::Nothing;
        };
        let outcome = self.spend(u64::MAX, |effort| reduced.search(None, effort));
        let floor = Floor::of(&outcome, &reduced.program);
        match outcome {
            Outcome::Nothing => Solved::Nothing,
            Outcome::Smallest(values) => Solved::Smallest(reduced, values, floor),
            Outcome::Limited(values, _) => {
                Solved::Limited(values.map(|values| (reduced, values)), floor)
            }
        }
    }
}
