//! One tuning: which counts there are, what they are worth, and which a legal deck has.

use super::chances::{OddsByCounts, order, rank};
use super::engine::{Engine, Fit, KindCounts, counted};
use super::vectors::{Space, Vector};
use super::{Odds, Step, Stop, TuneError, Tuning};
use crate::odds::{Fraction, OddsError};
use crate::solve::levels::Costs;
use crate::solve::problem::{Problem, UpperBound};
use crate::solve::ties::WHOLE;
use decklaw_core::pool::CardId;
use decklaw_core::resolve::Decklist;
use decklaw_core::rules::{Severity, Tag};
use rayon::prelude::*;
use rustc_hash::FxHashSet;
use std::cmp::Ordering;

/// More counts of kinds than this are not all looked at.
const MOST_VECTORS: u64 = 40_000;
/// All counts that are looked at together take about as much work as this many questions.
const SHARES: u64 = 5;
/// The steps that one question to the solver may take.
const EACH: u64 = 2_000;

/// Counts, and the odds that they mean.
struct Candidate {
    vector: Vector,
    each: Vec<Fraction>,
}

impl Candidate {
    fn odds(&self) -> Odds {
        Odds {
            each: self.each.clone(),
            probability: self.each[0].clone(),
        }
    }
}

/// What was found for a number of exchanges.
#[derive(Default)]
struct Best {
    /// Which candidate, and the deck.
    deck: Option<(usize, Decklist)>,
    /// The largest probability of an earlier candidate whose legality is unknown.
    doubt: Option<Fraction>,
}

pub(super) struct Run<'r> {
    pub(super) problem: Problem<'r>,
    start: &'r Decklist,
    tuning: &'r Tuning,
    pub(super) chances: OddsByCounts<'r>,
    pub(super) counted: KindCounts,
    pub(super) now: Vec<i64>,
    /// How many counts of kinds are looked at.
    pub(super) most: usize,
    effort: u64,
}

impl<'r> Run<'r> {
    pub(super) fn new(
        mut problem: Problem<'r>,
        start: &'r Decklist,
        tuning: &'r Tuning,
    ) -> Result<Run<'r>, TuneError> {
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
        )?;
        let mut now = vec![0; chances.kinds()];
        for held in here().filter(|held| start.knows(held.card)) {
            now[chances.kinds[held.card.index()] as usize] += held.copies;
        }
        let section = usize::from(tuning.section);
        let counted = counted(&mut problem, section, &chances.kinds, chances.kinds());
        let work = tuning.request.work.saturating_mul(SHARES);
        let most = (work / chances.work(&now).max(1)).clamp(1, MOST_VECTORS);
        Ok(Run {
            most: usize::try_from(most).unwrap_or(1),
            effort: tuning.wishes.effort,
            problem,
            start,
            tuning,
            chances,
            counted,
            now,
        })
    }

    /// The odds of the deck as it is, the best by exchanges, and what prevents better ones.
    pub(super) fn run(mut self) -> Result<(Odds, Vec<Step>, Vec<Stop>), TuneError> {
        let Some(each) = self.chances.each(&self.now)? else {
            // Asked unchanged, so that the reason is reported.
            return Err(self.odds_error());
        };
        let before = Candidate {
            vector: self.space_of_now(),
            each,
        };
        let wishes = &self.tuning.wishes.must;
        let stands = wishes.iter().all(|wish| wish.holds(self.start, self.start));
        let active = |tag: Tag| self.problem.counts(tag);
        let changes = self.tuning.changes;
        let Some(engine) = Engine::new(&self.problem, &self.counted, changes, &[], &active) else {
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
        let mut found = self.descend(engine, &candidates, &before, stands, changes);
        if complete < changes {
            // Beyond what can be looked at whole: from the best of each step one exchange on.
            for exchanges in complete + 1..=changes {
                let from = match &found[exchanges as usize - 1].deck {
                    Some((at, _)) => candidates[*at].vector.counts.clone(),
                    None => self.now.clone(),
                };
                let known: FxHashSet<Vec<i64>> = candidates
                    .iter()
                    .map(|known| known.vector.counts.clone())
                    .collect();
                let mut beside = space.beside(&from);
                beside.retain(|next| next.least <= changes && !known.contains(&next.counts));
                beside.truncate(self.most);
                candidates.extend(self.reckoned(beside)?);
                sort(&mut candidates);
                let active = |tag: Tag| self.problem.counts(tag);
                let Some(engine) = Engine::new(&self.problem, &self.counted, changes, &[], &active)
                else {
                    break;
                };
                found = self.descend(engine, &candidates, &before, stands, changes);
            }
        }
        self.chain(&mut found, &candidates);
        let size: i64 = self.now.iter().sum::<i64>();
        let fixed = space.size.0 == space.size.1;
        let mut steps = Vec::new();
        for (exchanges, Best { deck, doubt }) in (1..=changes).zip(&found) {
            let best = match deck {
                Some((at, deck)) => Some((deck.clone(), &candidates[*at])),
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
                let most = if fixed && size > 0 {
                    let size = u32::try_from(size).unwrap_or(u32::MAX);
                    self.chances.bound(&before.each[0], exchanges, size)
                } else {
                    one()
                };
                optimal &= each
                    .as_ref()
                    .is_some_and(|each| each.len() == 1 && each[0] == most);
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
        let best = best
            .map_or(&before, |(at, _)| &candidates[*at])
            .each
            .clone();
        let stops = self.stops(&candidates, &best);
        Ok((before.odds(), steps, stops))
    }

    fn space_of_now(&self) -> Vector {
        Vector {
            least: 0,
            counts: self.now.clone(),
        }
    }

    /// Why the deck as it is has no odds.
    fn odds_error(&self) -> TuneError {
        let section = usize::from(self.tuning.section);
        let population = crate::odds::Population::of_list(self.start, section);
        let asked = population.and_then(|population| {
            crate::odds::ask(&population, &self.tuning.queries[0], &self.tuning.request)
        });
        match asked {
            Err(error) => error.into(),
            Ok(_) => OddsError::NoCards.into(),
        }
    }

    /// The odds of vectors, without those from which no hand can be drawn.
    fn reckoned(&self, vectors: Vec<Vector>) -> Result<Vec<Candidate>, TuneError> {
        let chances = &self.chances;
        let each: Vec<Result<Option<Vec<Fraction>>, TuneError>> = vectors
            .par_iter()
            .map(|vector| chances.each(&vector.counts))
            .collect();
        let mut found = Vec::with_capacity(vectors.len());
        for (vector, each) in vectors.into_iter().zip(each) {
            if let Some(each) = each? {
                found.push(Candidate { vector, each });
            }
        }
        Ok(found)
    }

    /// What is better than the deck as it is, or all where it does not satisfy the wishes,
    /// the best first; and up to how many exchanges that is everything.
    fn candidates(
        &self,
        space: &Space,
        before: &Candidate,
    ) -> Result<(Vec<Candidate>, u32), TuneError> {
        let mut complete = 0;
        let mut vectors = Vec::new();
        for exchanges in 1..=self.tuning.changes {
            match space.within(exchanges, self.most) {
                Some(all) => (vectors, complete) = (all, exchanges),
                None => break,
            }
        }
        if complete == 0 {
            vectors = space.beside(&self.now);
            vectors.truncate(self.most);
        }
        // A deck may change and its counts stay: where wishes ask for it.
        vectors.push(self.space_of_now());
        let mut found = self.reckoned(vectors)?;
        let wishes = &self.tuning.wishes.must;
        if wishes.iter().all(|wish| wish.holds(self.start, self.start)) {
            found.retain(|one| rank(&one.each, &before.each) == Ordering::Greater);
        }
        sort(&mut found);
        Ok((found, complete))
    }

    /// From the best candidate down: for each number of exchanges the first that a legal deck
    /// has, and the largest probability of those for which that is not known.
    fn descend(
        &mut self,
        mut engine: Engine,
        candidates: &[Candidate],
        before: &Candidate,
        stands: bool,
        changes: u32,
    ) -> Vec<Best> {
        let mut found: Vec<Best> = (0..changes).map(|_| Best::default()).collect();
        for (at, candidate) in candidates.iter().enumerate() {
            if stands && rank(&candidate.each, &before.each) != Ordering::Greater {
                break;
            }
            loop {
                let open = |(_, best): &(u32, &Best)| best.deck.is_none();
                let Some(most) = (1..).zip(&found).filter(open).map(|(step, _)| step).last() else {
                    return found;
                };
                if candidate.vector.least > most {
                    break;
                }
                match self.fit(&mut engine, candidate, most) {
                    Fit::Nothing => break,
                    Fit::Open => {
                        let from = candidate.vector.least.max(1) as usize - 1;
                        for best in &mut found[from..most as usize] {
                            if best.deck.is_none() && best.doubt.is_none() {
                                best.doubt = Some(candidate.each[0].clone());
                            }
                        }
                        break;
                    }
                    Fit::Found(deck, exchanges) => {
                        let from = exchanges.max(1) as usize - 1;
                        for best in &mut found[from..most as usize] {
                            best.deck.get_or_insert_with(|| (at, (*deck).clone()));
                        }
                        if exchanges <= 1 {
                            return found;
                        }
                    }
                }
            }
        }
        found
    }

    /// Asks the solver for a deck of a candidate's counts, and the judge about the deck. Alike
    /// cards are distinguished from the first deck on that the judge refuses: what several do
    /// together no single ones could. What is neither found nor refuted is open.
    fn fit(&mut self, engine: &mut Engine, candidate: &Candidate, most: u32) -> Fit {
        loop {
            let given = self.effort.min(EACH);
            if given == 0 {
                return Fit::Open;
            }
            let mut left = given;
            let fit = engine.fit(&self.problem, &candidate.vector.counts, most, &mut left);
            self.effort -= given - left;
            match &fit {
                Fit::Found(deck, exchanges) if !self.is_right(deck, *exchanges) => {}
                _ => return fit,
            }
            if !engine.is_merged() {
                return Fit::Open;
            }
            let all = vec![true; self.problem.rank.len()];
            let active = |tag: Tag| self.problem.counts(tag);
            let (problem, changes) = (&self.problem, self.tuning.changes);
            match Engine::new(problem, &self.counted, changes, &all, &active) {
                Some(single) => *engine = single,
                None => return Fit::Nothing,
            }
        }
    }

    /// Lets the steps build on one another: of decks with equal counts a step takes the one that
    /// goes on from the step before it.
    fn chain(&self, found: &mut [Best], candidates: &[Candidate]) {
        let mut last: Option<(usize, Decklist)> = None;
        for (exchanges, best) in (1..).zip(found) {
            let Some((at, deck)) = &mut best.deck else {
                continue;
            };
            match &last {
                Some((known, same)) if known == at => deck.clone_from(same),
                _ => {
                    let before = last.as_ref().map_or(self.start, |(_, deck)| deck);
                    let counts = &candidates[*at].vector.counts;
                    if let Some(next) = self.next(before, counts, exchanges) {
                        *deck = next;
                    }
                }
            }
            last = Some((*at, deck.clone()));
        }
    }

    /// The deck with these counts that changes the fewest copies, of the fewest cards; and of those
    /// first the copies that changed before, then those of cards with few copies.
    fn next(&self, before: &Decklist, counts: &[i64], exchanges: u32) -> Option<Decklist> {
        let problem = &self.problem;
        let most = 2 * i64::from(exchanges);
        // Each costs more than all of the next.
        let card = (WHOLE + 1) * most;
        let copy = card * (most + 1);
        let sections = problem.linear.sections().max(1);
        let (mut out, mut into) = (Vec::new(), Vec::new());
        for (at, old) in problem.old.iter().enumerate() {
            let held = before.copies((at % sections) as u16, CardId((at / sections) as u32));
            let leaving = if held < *old {
                0
            } else {
                *old.clamp(&1, &WHOLE)
            };
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
    fn stops(&mut self, candidates: &[Candidate], best: &[Fraction]) -> Vec<Stop> {
        let rulebook = self.start.rulebook();
        let changes = self.tuning.changes;
        let better: Vec<&Candidate> = candidates
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
        for id in ids {
            let rules = rulebook.rules();
            let kept = |tag: Tag| rules.get(tag as usize).is_none_or(|rule| rule.id != id);
            let active = |tag: Tag| self.problem.counts(tag) && kept(tag);
            let Some(mut engine) = Engine::new(&self.problem, &self.counted, changes, &[], &active)
            else {
                continue;
            };
            let mut left = self.tuning.wishes.effort / 10;
            for one in &better {
                let mut own = left.min(EACH);
                let given = own;
                if given == 0 {
                    break;
                }
                let fit = engine.fit(&self.problem, &one.vector.counts, changes, &mut own);
                left -= given - own;
                let breaks_it_alone =
                    |deck: &Decklist| deck.errors().iter().all(|(rule, _)| rule == id);
                if matches!(&fit, Fit::Found(deck, _) if breaks_it_alone(deck)) {
                    let stop = Stop {
                        rule: id.to_owned(),
                        odds: one.odds(),
                    };
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
fn sort(candidates: &mut [Candidate]) {
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

fn one() -> Fraction {
    Fraction::new(1_u32.into(), 1_u32.into())
}
