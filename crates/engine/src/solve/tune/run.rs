//! One tuning: which counts there are, what they are worth, and which a legal deck has.

use super::chances::{OddsByCounts, order, rank};
use super::engine::{Engine, Fit, KindCounts, counted};
use super::vectors::{Space, Vector};
use super::{Odds, Step, Stop, Tuning};
use crate::odds::{DEFAULT_WORK, Fraction, OddsError};
use crate::solve::STEPS_A_SECOND;
use crate::solve::answer::Answer;
use crate::solve::levels::Costs;
use crate::solve::problem::{Problem, UpperBound};
use crate::solve::ties::WHOLE;
use decklaw_cards::pool::CardId;
use decklaw_judge::resolve::Decklist;
use decklaw_rules::rules::{Severity, Tag};
use rustc_hash::FxHashSet;
use std::cell::Cell;
use std::cmp::Ordering;
use std::rc::Rc;

/// More counts of kinds than this are not all looked at.
pub(super) const MOST_VECTORS: usize = 40_000;
/// The part of the effort that odds take from the solver's: several processors share them.
const CHARGED: u64 = 2;
/// The steps that one question to the solver may take.
const EACH: u64 = 2_000;

/// Counts, and the odds that they mean.
struct Candidate {
    vector: Vector,
    each: Vec<Fraction>,
    /// The most exchanges within which the solver found no deck with these counts.
    asked: Cell<u32>,
}

impl Candidate {
    fn odds(&self) -> Odds {
        Odds { each: self.each.clone(), probability: self.each[0].clone() }
    }
}

/// What was found for a number of exchanges.
#[derive(Default)]
struct Best {
    /// The candidate, and a deck with its counts.
    deck: Option<(Rc<Candidate>, Decklist)>,
    /// The largest probability of a better candidate whose legality is unknown.
    doubt: Option<Fraction>,
}

impl Best {
    fn is_below(&self, candidate: &Candidate) -> bool {
        let known = self.deck.as_ref();
        known.is_none_or(|(known, _)| rank(&candidate.each, &known.each) == Ordering::Greater)
    }
}

pub(super) struct Run<'r> {
    pub(super) problem: Problem<'r>,
    start: &'r Decklist,
    tuning: &'r Tuning,
    pub(super) chances: OddsByCounts<'r>,
    pub(super) counted: KindCounts,
    pub(super) now: Vec<i64>,
}

impl<'r> Run<'r> {
    /// `work` is the most that the odds of all counts may take.
    pub(super) fn new(
        mut problem: Problem<'r>,
        start: &'r Decklist,
        tuning: &'r Tuning,
        work: u64,
    ) -> Result<Run<'r>, OddsError> {
        let here = || {
            let section = tuning.section;
            start.holdings().filter(move |held| held.section == section)
        };
        let strange = here().filter(|held| !start.knows(held.card));
        let unknown_cards: i64 = strange.map(|held| held.copies).sum();
        let chances = OddsByCounts::new(
            start.pool(),
            &tuning.queries,
            &tuning.request,
            u32::try_from(unknown_cards).unwrap_or(u32::MAX),
            work,
        )?;
        let mut now = vec![0; chances.kinds()];
        for held in here().filter(|held| start.knows(held.card)) {
            now[chances.kinds[held.card.index()] as usize] += held.copies;
        }
        let section = usize::from(tuning.section);
        let counted = counted(&mut problem, section, &chances.kinds, chances.kinds());
        Ok(Run { problem, start, tuning, chances, counted, now })
    }

    /// The odds of the deck as it is, the best by exchanges, and what prevents better ones.
    pub(super) fn run(self) -> Result<(Odds, Vec<Step>, Vec<Stop>), OddsError> {
        let known = self.reckon(&[&self.now])?.pop();
        let Some(Answer::Found(each)) = known else {
            // Asked unchanged, so that the reason is reported.
            return Err(match self.chances.refusal() {
                Some(refusal) => refusal,
                None => self.odds_error(),
            });
        };
        let before = Candidate { vector: self.space_of_now(), each, asked: Cell::new(0) };
        let wishes = &self.tuning.wishes.must;
        let stands = wishes.iter().all(|wish| wish.holds(self.start, self.start));
        let active = |tag: Tag| self.problem.counts(tag);
        let changes = self.tuning.changes;
        let engine = Engine::new(&self.problem, &self.counted, changes, &[], &active);
        let Some(mut engine) = engine else {
            let step = |exchanges| Step {
                exchanges,
                best: stands.then(|| (self.start.clone(), before.odds())),
                optimal: true,
                bound: before.each[0].clone(),
            };
            return Ok((before.odds(), (1..=changes).map(step).collect(), Vec::new()));
        };
        let space = engine.space(self.now.clone(), changes);
        let (mut candidates, complete) = self.candidates(&space, &before)?;
        let mut found: Vec<Best> = (0..changes).map(|_| Best::default()).collect();
        self.descend(&mut engine, &candidates, (&before, stands), &mut found);
        let counts = candidates.iter().map(|known| known.vector.counts.clone());
        let mut known: FxHashSet<Vec<i64>> = counts.collect();
        // Beyond what can be looked at whole: from the best of each step one exchange on.
        for exchanges in complete + 1..=changes {
            if self.is_spent() {
                break;
            }
            let from = match &found[exchanges as usize - 1].deck {
                Some((best, _)) => &best.vector.counts,
                None => &self.now,
            };
            let mut next = space.beside(from);
            next.retain(|next| next.least <= changes && known.insert(next.counts.clone()));
            candidates.extend(self.reckoned(next)?.0);
            sort(&mut candidates);
            self.descend(&mut engine, &candidates, (&before, stands), &mut found);
        }
        self.chain(&mut found);
        let drawn_from = self.now.iter().sum::<i64>() + self.counted.unknown_cards;
        let size = u32::try_from(drawn_from).unwrap_or(u32::MAX);
        let mut steps = Vec::new();
        for (exchanges, Best { deck, doubt }) in (1..=changes).zip(&found) {
            let best = match deck {
                Some((candidate, deck)) => Some((deck.clone(), &**candidate)),
                None => stands.then(|| (self.start.clone(), &before)),
            };
            let each = best.as_ref().map(|(_, candidate)| candidate.each.clone());
            let mut bound = each.as_ref().map_or_else(zero, |each| each[0].clone());
            let mut optimal = true;
            if let Some(doubt) = doubt {
                optimal = false;
                bound = larger(bound, doubt.clone());
            }
            if exchanges > complete {
                let most = self.chances.bound(&before.each[0], exchanges, size);
                optimal &= each.as_ref().is_some_and(|each| each.len() == 1 && each[0] == most);
                bound = larger(bound, most);
            }
            steps.push(Step {
                exchanges,
                best: best.map(|(deck, candidate)| (deck, candidate.odds())),
                optimal,
                bound,
            });
        }
        let best = found.last().and_then(|best| best.deck.as_ref());
        let best = best.map_or(&before, |(candidate, _)| candidate).each.clone();
        let stops = self.stops(&candidates, &best);
        Ok((before.odds(), steps, stops))
    }

    fn space_of_now(&self) -> Vector {
        Vector { least: 0, counts: self.now.clone() }
    }

    /// Why the deck as it is has no odds.
    fn odds_error(&self) -> OddsError {
        let section = usize::from(self.tuning.section);
        let population = crate::odds::Population::of_list(self.start, section);
        let asked = population.and_then(|population| {
            crate::odds::ask(&population, &self.tuning.queries[0], &self.tuning.request)
        });
        match asked {
            Err(error) => error,
            Ok(_) => OddsError::no_cards(),
        }
    }

    /// The odds of some counts. Their work is no longer left to the solver.
    fn reckon(&self, counts: &[&[i64]]) -> Result<Vec<Answer<Vec<Fraction>>>, OddsError> {
        let before = self.chances.left();
        let each = self.chances.reckon(counts)?;
        let work = before - self.chances.left();
        let steps = work.saturating_mul(2 * STEPS_A_SECOND) / DEFAULT_WORK / CHARGED;
        self.problem.spend(steps, |left| *left = 0);
        Ok(each)
    }

    /// The odds of vectors, without those from which no hand can be drawn; and whether the work
    /// reached all of them.
    fn reckoned(&self, vectors: Vec<Vector>) -> Result<(Vec<Rc<Candidate>>, bool), OddsError> {
        let counts: Vec<&[i64]> = vectors.iter().map(|vector| &vector.counts[..]).collect();
        let each = self.reckon(&counts)?;
        let mut found = Vec::with_capacity(vectors.len());
        let mut is_whole = true;
        for (vector, each) in vectors.into_iter().zip(each) {
            match each {
                Answer::Found(each) => {
                    found.push(Rc::new(Candidate { vector, each, asked: Cell::new(0) }))
                }
                Answer::None => {}
                Answer::Limit => is_whole = false,
            }
        }
        Ok((found, is_whole))
    }

    /// What is better than the deck as it is, or all where it does not satisfy the wishes,
    /// the best first; and up to how many exchanges that is everything.
    fn candidates(
        &self,
        space: &Space,
        before: &Candidate,
    ) -> Result<(Vec<Rc<Candidate>>, u32), OddsError> {
        let changes = self.tuning.changes;
        let mut complete = 0;
        // A deck may change and its counts stay: where wishes ask for it.
        let (mut found, _) = self.reckoned(vec![self.space_of_now()])?;
        while complete < changes {
            let next = complete + 1;
            let Some(mut vectors) = space.within(next, MOST_VECTORS) else {
                break;
            };
            vectors.retain(|vector| vector.least == next);
            let counts: Vec<&[i64]> = vectors.iter().map(|vector| &vector.counts[..]).collect();
            // Something is left for the exchanges that are not looked at whole.
            let part = if next < changes { 2 } else { 1 };
            if self.chances.expected_work(&counts) > self.chances.left() / part {
                break;
            }
            let (reached, is_whole) = self.reckoned(vectors)?;
            found.extend(reached);
            if !is_whole {
                break;
            }
            complete = next;
        }
        let wishes = &self.tuning.wishes.must;
        if wishes.iter().all(|wish| wish.holds(self.start, self.start)) {
            found.retain(|one| rank(&one.each, &before.each) == Ordering::Greater);
        }
        sort(&mut found);
        Ok((found, complete))
    }

    /// Whether no more steps are left than what follows may take.
    fn is_spent(&self) -> bool {
        self.problem.effort.get() <= self.problem.share()
    }

    /// From the best candidate down: for each number of exchanges the first that a legal deck
    /// has, and the largest probability of those for which that is not known.
    fn descend(
        &self,
        engine: &mut Engine,
        candidates: &[Rc<Candidate>],
        (before, stands): (&Candidate, bool),
        found: &mut [Best],
    ) {
        for candidate in candidates {
            if stands && rank(&candidate.each, &before.each) != Ordering::Greater {
                return;
            }
            loop {
                // Fewer exchanges do no better than more.
                let most = found.partition_point(|best| best.is_below(candidate));
                if most == 0 {
                    return;
                }
                let exchanges = u32::try_from(most).unwrap_or(u32::MAX);
                if candidate.vector.least.max(candidate.asked.get() + 1) > exchanges {
                    break;
                }
                match self.fit(engine, candidate, exchanges) {
                    Answer::Found((deck, needed)) => {
                        let from = needed.max(1) as usize - 1;
                        for best in &mut found[from..most] {
                            best.deck = Some((Rc::clone(candidate), (*deck).clone()));
                            let is_better =
                                |doubt: &Fraction| order(doubt, &candidate.each[0]).is_gt();
                            best.doubt = best.doubt.take().filter(is_better);
                        }
                    }
                    fit => {
                        candidate.asked.set(exchanges);
                        let from = candidate.vector.least.max(1) as usize - 1;
                        let is_open = matches!(fit, Answer::Limit);
                        for best in found[from..most].iter_mut().filter(|_| is_open) {
                            let own = candidate.each[0].clone();
                            best.doubt = Some(match best.doubt.take() {
                                Some(doubt) => larger(doubt, own),
                                None => own,
                            });
                        }
                        break;
                    }
                }
            }
        }
    }

    /// Asks the solver for a deck of a candidate's counts, and the judge about the deck. Alike
    /// cards are distinguished from the first deck on that the judge refuses: what several do
    /// together no single ones could. What is neither found nor refuted is open.
    fn fit(&self, engine: &mut Engine, candidate: &Candidate, most: u32) -> Fit {
        let problem = &self.problem;
        loop {
            if self.is_spent() {
                return Answer::Limit;
            }
            let counts = &candidate.vector.counts;
            let fit = problem.spend(EACH, |left| engine.fit(problem, counts, most, left));
            match &fit {
                Answer::Found((deck, exchanges)) if !self.is_right(deck, *exchanges) => {}
                _ => return fit,
            }
            if !engine.is_merged() {
                return Answer::Limit;
            }
            let all = vec![true; problem.rank.len()];
            let active = |tag: Tag| problem.counts(tag);
            match Engine::new(problem, &self.counted, self.tuning.changes, &all, &active) {
                Some(single) => *engine = single,
                None => return Answer::None,
            }
        }
    }

    /// Lets the steps build on one another: of decks with equal counts a step takes the one that
    /// goes on from the step before it.
    fn chain(&self, found: &mut [Best]) {
        let mut last: Option<(Rc<Candidate>, Decklist)> = None;
        for (exchanges, best) in (1..).zip(found) {
            let Some((candidate, deck)) = &mut best.deck else {
                continue;
            };
            match &last {
                Some((known, same)) if Rc::ptr_eq(known, candidate) => deck.clone_from(same),
                _ => {
                    let before = last.as_ref().map_or(self.start, |(_, deck)| deck);
                    let counts = &candidate.vector.counts;
                    if let Some(next) = self.next(before, counts, exchanges) {
                        *deck = next;
                    }
                }
            }
            last = Some((Rc::clone(candidate), deck.clone()));
        }
    }

    /// The deck with these counts that changes the fewest copies, of the fewest cards; and of those
    /// first the copies that changed before, then those of cards with few copies.
    fn next(&self, before: &Decklist, counts: &[i64], exchanges: u32) -> Option<Decklist> {
        let problem = &self.problem;
        if problem.effort.get() == 0 {
            return None;
        }
        let most = 2 * i64::from(exchanges);
        // Each costs more than all of the next.
        let card = (WHOLE + 1) * most;
        let copy = card * (most + 1);
        let sections = problem.linear.sections().max(1);
        let (mut out, mut into) = (Vec::new(), Vec::new());
        for (at, old) in problem.old.iter().enumerate() {
            let held = before.copies((at % sections) as u16, CardId((at / sections) as u32));
            let leaving = if held < *old { 0 } else { *old.clamp(&1, &WHOLE) };
            out.push(copy + leaving);
            into.push(copy + i64::from(held <= *old));
        }
        let each = self.counted.kinds.iter().zip(counts);
        let ends =
            each.map(|(kind, count)| [(vec![(*kind, 1)], *count), (vec![(*kind, -1)], -count)]);
        let kept: Vec<UpperBound> = ends.flatten().collect();
        let costs = Costs { out, into, card };
        let solved = problem.cheapest(&costs, &kept, (most, i64::from(exchanges)), EACH);
        let deck = problem.decklist(&solved.best?.copies);
        let moved = self.exchanged(&deck);
        (moved <= exchanges && self.is_right(&deck, moved)).then_some(deck)
    }

    /// How many copies come into a deck, or go from it, whichever is more.
    fn exchanged(&self, deck: &Decklist) -> u32 {
        let changes = self.start.changes_to(deck).into_iter();
        let (mut came, mut gone) = (0, 0);
        for by in changes.map(|change| change.to - change.from) {
            came += by.max(0);
            gone += (-by).max(0);
        }
        u32::try_from(came.max(gone)).unwrap_or(u32::MAX)
    }

    /// Whether a deck is what was asked for: the judge has the last word.
    fn is_right(&self, deck: &Decklist, exchanges: u32) -> bool {
        let wishes = &self.tuning.wishes.must;
        deck.is_legal()
            && self.exchanged(deck) == exchanges
            && wishes.iter().all(|wish| wish.holds(self.start, deck))
    }

    /// The rules without which something better could be had.
    fn stops(&self, candidates: &[Rc<Candidate>], best: &[Fraction]) -> Vec<Stop> {
        let rulebook = self.start.rulebook();
        let changes = self.tuning.changes;
        let better: Vec<&Rc<Candidate>> = candidates
            .iter()
            .take_while(|one| rank(&one.each, best) == Ordering::Greater)
            .filter(|one| one.vector.least <= changes)
            .collect();
        let mut stops: Vec<(Vec<Fraction>, Stop)> = Vec::new();
        if better.is_empty() {
            return Vec::new();
        }
        let mut ids: Vec<&str> = Vec::new();
        for rule in rulebook.rules() {
            // What a section takes at all is no limit of what is better.
            if rule.severity == Severity::Error
                && !rule.is_gate()
                && !ids.contains(&rule.id.as_str())
            {
                ids.push(&rule.id);
            }
        }
        let problem = &self.problem;
        for id in ids {
            if problem.effort.get() == 0 {
                break;
            }
            let rules = rulebook.rules();
            let kept = |tag: Tag| rules.get(tag as usize).is_none_or(|rule| rule.id != id);
            let active = |tag: Tag| problem.counts(tag) && kept(tag);
            let engine = Engine::new(problem, &self.counted, changes, &[], &active);
            let Some(mut engine) = engine else {
                continue;
            };
            let kept = problem.effort.get().saturating_sub(problem.share());
            for one in &better {
                if problem.effort.get() <= kept {
                    break;
                }
                let counts = &one.vector.counts;
                let fit = problem.spend(EACH, |left| engine.fit(problem, counts, changes, left));
                let breaks_it_alone =
                    |deck: &Decklist| deck.errors().iter().all(|(rule, _)| rule == id);
                if matches!(&fit, Answer::Found((deck, _)) if breaks_it_alone(deck)) {
                    let stop = Stop { rule: id.to_owned(), odds: one.odds() };
                    stops.push((one.each.clone(), stop));
                    break;
                }
            }
        }
        stops.sort_by(|one, other| rank(&other.0, &one.0));
        stops.into_iter().map(|(_, stop)| stop).collect()
    }
}

/// The best first; of equals the one that changes least.
fn sort(candidates: &mut [Rc<Candidate>]) {
    candidates.sort_by(|one, other| {
        rank(&other.each, &one.each).then_with(|| one.vector.cmp(&other.vector))
    });
}

fn larger(one: Fraction, other: Fraction) -> Fraction {
    match order(&one, &other) {
        Ordering::Less => other,
        Ordering::Equal | Ordering::Greater => one,
    }
}

fn zero() -> Fraction {
    Fraction::new(0_u32.into(), 1_u32.into())
}
