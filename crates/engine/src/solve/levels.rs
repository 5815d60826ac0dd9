//! Lexicographic optimisation: the levels of a repair, each over the decks that the levels before
//! it leave.

use super::minimise::{Minimum, Solution};
use super::problem::{Problem, UpperBound};
use super::reduce::{Cap, Objective, Task};
use super::reduced::Reduced;
use super::solved::{Repair, SolvedDeck};
use super::taste::Taste;
use super::wishes::{Advice, Wishes};
use super::{Decklist, Floor, Wish};
use decklaw_rules::rules::{Severity, Tag};

/// An objective. What it reaches binds the levels behind it.
#[derive(Debug, Clone, Copy)]
pub(super) enum Level<'l> {
    /// How far a deck is from a preferred wish or an aim, by its index among all of them.
    Wish(usize),
    /// The advice of the format, rule by rule in its order.
    Advice,
    /// The copies that change. The levels behind it choose among decks at the same distance.
    Distance,
    /// The cards that change, and the copies that go.
    Leaving(&'l Taste),
    /// The copies that come.
    Coming(&'l Taste),
    /// The kinds, numbers and playsets of what was begun anew.
    Shape(Option<&'l Taste>),
}

impl Wishes {
    /// The levels of a repair.
    pub(super) fn levels(&self) -> Vec<Level<'_>> {
        let (preferred, all) = (self.prefer.len(), self.prefer.len() + self.aims.len());
        let advice = |is_here: bool| is_here.then_some(Level::Advice);
        let mut levels: Vec<Level<'_>> = (0..preferred).map(Level::Wish).collect();
        levels.extend(advice(self.advice == Advice::First));
        levels.extend((preferred..all).map(Level::Wish));
        levels.push(Level::Distance);
        levels.extend(advice(self.advice == Advice::AtNoCost));
        if let Some(taste) = &self.taste {
            levels.extend([Level::Leaving(taste), Level::Coming(taste)]);
        }
        levels.extend(self.shaped.then_some(Level::Shape(self.taste.as_deref())));
        levels
    }
}

/// The state between two levels.
pub(super) struct Choice {
    /// The best deck that is known.
    pub(super) deck: Option<Decklist>,
    /// Sums, and the most that each may be by the levels so far.
    pub(super) kept: Vec<UpperBound>,
    /// The distance of the deck, once its level is done.
    distance: Option<i64>,
    /// The distance that no deck is below.
    floor: Floor,
    /// Whether the optimum of each preferred wish and aim is proven.
    is_proven: bool,
}

impl Problem<'_> {
    /// Finds the deck that is best in each level in turn, or reports what makes it impossible.
    pub(super) fn lexicographic(&mut self, levels: &[Level<'_>]) -> Repair {
        let mut choice = Choice {
            deck: None,
            kept: Vec::new(),
            distance: None,
            floor: Floor::UNKNOWN,
            is_proven: true,
        };
        for level in levels {
            let done = match level {
                Level::Wish(at) => self.reach(*at, &mut choice),
                Level::Distance => self.nearest(&mut choice),
                level => {
                    self.choose(level, &mut choice);
                    Ok(())
                }
            };
            if let Err(ended) = done {
                return ended;
            }
        }
        let settled = choice.is_optimal() && !self.stopped.get();
        self.found(choice.deck, choice.floor, settled)
    }

    /// The level of a wish.
    fn reach(&mut self, at: usize, choice: &mut Choice) -> Result<(), Repair> {
        // It may take half of the effort that is left: a deck must come out of the levels behind.
        let all = self.effort.get();
        self.effort.set(all / 2);
        let sum = self.misses[at].clone();
        let solved = self.minimise(Objective::Sum(&sum), &choice.kept, &[]);
        self.effort.set(self.effort.get() + all - all / 2);
        choice.is_proven &= solved.is_proven();
        let best = self.best(solved, choice)?;
        choice.deck = Some(self.decklist(&best.copies));
        choice.kept.push((sum, best.cost));
        Ok(())
    }

    /// The level of the distance.
    fn nearest(&mut self, choice: &mut Choice) -> Result<(), Repair> {
        let mut apart = Vec::new();
        loop {
            let solved = self.minimise(Objective::Distance, &choice.kept, &apart);
            let floor = solved.floor.plus(self.gone);
            let best = self.best(solved, choice)?;
            let distance = best.cost + self.gone;
            let after = self.decklist(&best.copies);
            if self.is_right(&after, distance) {
                choice.deck = Some(after);
                choice.distance = Some(distance);
                choice.floor = if choice.is_proven { floor } else { Floor::UNKNOWN };
                // Something is left for the choice among equals.
                self.effort.set(self.wishes.saved(self.effort.get()));
                return Ok(());
            }
            // What several cards do together no single ones could: each has its own columns now.
            if !best.is_merged || !apart.is_empty() {
                return Err(self.fallback(choice));
            }
            apart = vec![true; self.rank.len()];
        }
    }

    /// The other levels: they choose, and never make a deck impossible.
    fn choose(&mut self, level: &Level<'_>, choice: &mut Choice) {
        if choice.distance.is_some() && !choice.is_optimal() {
            return;
        }
        match level {
            Level::Advice => self.follow_advice(choice),
            Level::Leaving(taste) => self.choose_leaving(choice, taste),
            Level::Coming(taste) => self.choose_coming(choice, taste),
            Level::Shape(taste) => self.shape(choice, *taste),
            Level::Wish(_) | Level::Distance => {}
        }
    }

    /// The best solution; outside, the answer where there is none.
    fn best(&self, solved: Minimum, choice: &Choice) -> Result<Solution, Repair> {
        let none = solved.floor == Floor::NOTHING;
        solved.best.ok_or_else(|| {
            if none { Repair::Impossible(self.conflict()) } else { self.fallback(choice) }
        })
    }

    /// The answer where the effort ended before a nearest deck was found: a deck that is known, if
    /// it is right.
    fn fallback(&self, choice: &Choice) -> Repair {
        let deck = choice.deck.clone();
        let deck = deck.filter(|deck| self.is_right(deck, self.moved(deck)));
        self.found(deck, Floor::UNKNOWN, false)
    }

    fn found(&self, deck: Option<Decklist>, floor: Floor, settled: bool) -> Repair {
        let Some(deck) = deck else {
            return Repair::Unknown;
        };
        let missed = |wishes: &[Wish]| wishes.iter().map(|wish| wish.missed(&deck)).collect();
        Repair::Found(Box::new(SolvedDeck {
            distance: self.moved(&deck),
            missed: missed(&self.wishes.prefer),
            aims: missed(&self.wishes.aims),
            deck,
            floor,
            settled,
        }))
    }

    /// The advice that can be followed: all of it, or one rule after the other.
    fn follow_advice(&mut self, choice: &mut Choice) {
        let rulebook = self.deck.rulebook();
        let is_advice = |tag: &Tag| rulebook.rules()[*tag as usize].severity == Severity::Warning;
        let advice: Vec<Tag> = self.rules.iter().copied().filter(is_advice).collect();
        if advice.is_empty() {
            return;
        }
        self.advice.clone_from(&advice);
        if choice.distance.is_some() && choice.deck.as_ref().is_some_and(|deck| !is_warned(deck)) {
            return;
        }
        if self.is_feasible(choice) {
            return;
        }
        self.advice.clear();
        for tag in advice {
            self.advice.push(tag);
            if !self.is_feasible(choice) {
                self.advice.pop();
            }
        }
    }

    /// Whether some deck satisfies the advice that is followed, at the distance once that is
    /// known. If one does, it is taken.
    fn is_feasible(&self, choice: &mut Choice) -> bool {
        let objective = match choice.distance {
            Some(_) => Objective::Distance,
            None => Objective::Sum(&[]),
        };
        let task = self.task(objective, &choice.kept, &[]);
        let best = self.at_distance(choice.distance, |effort| {
            task.reduce(&|tag| self.counts(tag), &mut false, effort)
        });
        if choice.distance.is_some() {
            self.take(best.as_ref(), choice);
        }
        best.is_some()
    }

    /// A solution of a program at a distance that nothing is below.
    pub(super) fn at_distance(
        &self,
        distance: Option<i64>,
        reduced: impl FnOnce(&mut u64) -> Option<Reduced>,
    ) -> Option<Solution> {
        if self.effort.get() == 0 {
            self.stopped.set(true);
            return None;
        }
        let cost = distance.map(|distance| distance - self.gone);
        let solved = self.spend(self.share(), |effort| Minimum::of(reduced(effort), cost, effort));
        let is_open = solved.best.is_none() && !solved.is_proven();
        self.stopped.set(self.stopped.get() || is_open);
        solved.best
    }

    /// Takes a solution at the same distance, if the judge agrees.
    pub(super) fn take(&self, solution: Option<&Solution>, choice: &mut Choice) -> bool {
        let after = solution.map(|solution| self.decklist(&solution.copies));
        let right = after.filter(|after| self.is_right(after, choice.distance()));
        let is_right = right.is_some();
        choice.deck = right.or(choice.deck.take());
        is_right
    }

    /// Takes the deck at the same distance whose changes cost least.
    pub(super) fn take_cheapest(&self, costs: &Costs, choice: &mut Choice) {
        let most = choice.distance() - self.gone;
        let solved = self.cheapest(costs, &choice.kept, (most, most), self.share());
        self.stopped.set(self.stopped.get() || !solved.is_proven());
        self.take(solved.best.as_ref(), choice);
    }

    /// The deck whose changes cost least, with a limit of the copies that change and of those that
    /// go or come.
    pub(super) fn cheapest(
        &self,
        costs: &Costs,
        kept: &[UpperBound],
        (most, exchanges): (i64, i64),
        effort: u64,
    ) -> Minimum {
        let Costs { out, into, card } = costs;
        let objective = Objective::Changes { out, into, card: *card, most };
        let task = Task {
            cap: Cap::Near(exchanges),
            exchanges: Some(exchanges),
            ..self.task(objective, kept, &[])
        };
        self.spend(effort, |effort| {
            let reduced = task.reduce(&|tag| self.counts(tag), &mut false, effort);
            Minimum::of(reduced, None, effort)
        })
    }

    fn minimise(&self, objective: Objective<'_>, kept: &[UpperBound], apart: &[bool]) -> Minimum {
        let task = self.task(objective, kept, apart);
        self.spend(u64::MAX, |effort| task.minimise(&|tag| self.counts(tag), effort))
    }
}

impl Choice {
    /// The distance of the deck; 0 before its level.
    pub(super) fn distance(&self) -> i64 {
        self.distance.unwrap_or(0)
    }

    fn is_optimal(&self) -> bool {
        self.distance.is_some_and(|distance| self.floor.reaches(distance))
    }
}

/// The costs of changes.
pub(super) struct Costs {
    /// Of each copy that goes, by unknown.
    pub(super) out: Vec<i64>,
    /// Of each copy that comes.
    pub(super) into: Vec<i64>,
    /// Of each card that changes in a section.
    pub(super) card: i64,
}

fn is_warned(deck: &Decklist) -> bool {
    let judged = deck.judge();
    let mut severities = judged.iter().map(|found| deck.rulebook().severity(found));
    severities.any(|severity| severity == Severity::Warning)
}
