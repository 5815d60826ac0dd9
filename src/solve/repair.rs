//! Repair: the legal deck nearest to a given one, with proof, or the demands that make it
//! impossible.

use super::program::Program;
use super::reduce::{Cap, Objective, Reduced, Task};
use super::search::{Outcome, search};
use super::taste::Taste;
use super::{Choosing, Conflict, Decklist, Wish};
use crate::deck::MOST_COPIES;
use crate::pool::CardId;
use crate::rules::linear::Unknown;
use crate::rules::{Linear, Severity, Tag};
use sha2::{Digest, Sha256};
use std::sync::Arc;

/// The steps that a repair may take when nothing else is said: a second or so.
pub const DEFAULT_EFFORT: u64 = 20_000;

/// What is asked of a deck besides that it be legal.
#[derive(Debug, Clone)]
pub struct Wishes {
    /// What must hold.
    pub must: Vec<Wish>,
    /// What should hold as far as can be, the first before the second, and so on.
    pub prefer: Vec<Wish>,
    /// The steps that may be taken.
    pub effort: u64,
    /// Which of alike cards come first: by folded name, or shuffled by this text.
    pub seed: Option<String>,
    /// What the format's advice counts for.
    pub advice: Advice,
    /// Whether the cards that come in are many different ones, as far as the distance allows.
    pub varied: bool,
    /// What a deck should come to after all that is preferred and the format's advice.
    pub aims: Vec<Wish>,
    /// What chooses among decks that are equally near.
    pub taste: Option<Arc<Taste>>,
    /// Cards at hand ([`Wish::own`]): of decks that are equally near, those come first that
    /// need the fewest copies besides. Before advice that costs nothing, and before taste.
    pub at_hand: Option<Wish>,
    /// Which of the deck's choices may change.
    pub choosing: Choosing,
}

/// What the rules that are only advice count for; what can be followed is followed, rule by
/// rule in the format's order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Advice {
    /// Nothing.
    #[default]
    Ignored,
    /// It chooses among decks at the same distance.
    AtNoCost,
    /// It comes after what is preferred, and before the distance.
    First,
}

impl Default for Wishes {
    fn default() -> Wishes {
        Wishes {
            must: Vec::new(),
            prefer: Vec::new(),
            effort: DEFAULT_EFFORT,
            seed: None,
            advice: Advice::Ignored,
            varied: false,
            aims: Vec::new(),
            taste: None,
            at_hand: None,
            choosing: Choosing::default(),
        }
    }
}

/// What a repair came to.
#[derive(Debug, Clone)]
pub enum Repair {
    /// A legal deck.
    Found(Box<Found>),
    /// There is none: these demands contradict each other.
    Impossible(Conflict),
    /// The work limit was reached before any was found.
    Unknown,
}

/// A legal deck that satisfies the wishes.
#[derive(Debug, Clone)]
pub struct Found {
    /// The deck.
    pub deck: Decklist,
    /// Copies that change: the sum over sections and cards of |new - old|; and one for each
    /// choice that does.
    pub distance: i64,
    /// Whether no legal deck that satisfies the wishes is nearer; proven.
    pub optimal: bool,
    /// The distance that no such deck is below; proven.
    pub bound: i64,
    /// How far it is from each preferred wish: 0 where that holds.
    pub missed: Vec<i64>,
    /// How far it is from each aim: 0 where that holds.
    pub aims: Vec<i64>,
    /// The copies that it needs besides those at hand, where that was asked.
    pub lacking: Option<i64>,
}

/// A sum, and the most that it may be.
pub(super) type Kept = (Vec<(Unknown, i64)>, i64);

/// So many copies of a card are looked at first, at least, where no rule sets a limit. Nothing
/// is claimed of more copies before they were looked at, too.
const FIRST_GUESS: i64 = 99;

/// The tag of the first wish.
const WISH: Tag = 1 << 20;

/// Finds the legal deck nearest to a given one that satisfies the wishes.
///
/// Cards that the pool does not know must go, unless a setting lets them pass: then they
/// stay as they are. Among decks that are equally near, the one that the search meets first
/// is taken: its order is fixed by the rules and by folded names, alike cards being taken in
/// the order of their folded names, as many copies of each as go; or, where they are to be
/// varied, few copies of many. The same deck, rules and effort always give the same answer.
///
/// Where decks declare choices, those that the [wishes](Wishes::choosing) allow may change, too:
/// each counts as a copy does, and of what is equally near what changes fewest choices is taken.
pub fn repair(deck: &Decklist, wishes: &Wishes) -> Repair {
    super::choosing::repair(deck, wishes)
}

/// The same with the choices that the deck declares.
pub(super) fn repair_as_declared(deck: &Decklist, wishes: &Wishes) -> Repair {
    if deck.is_legal()
        && wishes.prefer.is_empty()
        && wishes.aims.is_empty()
        && wishes.advice != Advice::First
        && wishes.must.iter().all(|wish| wish.holds(deck, deck))
    {
        return Repair::Found(Box::new(Found {
            deck: deck.clone(),
            distance: 0,
            optimal: true,
            bound: 0,
            missed: Vec::new(),
            aims: Vec::new(),
            lacking: wishes.at_hand.as_ref().map(|wish| wish.missed(deck)),
        }));
    }
    let contents = deck.contents();
    let mut problem = Problem::new(deck, &contents, wishes, wishes.advice == Advice::First);
    let mut solved = problem.solve();
    if matches!(solved, Repair::Unknown) && !wishes.aims.is_empty() {
        return without_aims(deck, wishes);
    }
    if let Repair::Found(found) = &mut solved
        && found.optimal
    {
        let taste = wishes.taste.as_deref().filter(|_| found.distance > 0);
        let at_no_cost = wishes.advice == Advice::AtNoCost;
        let advised = at_no_cost && (taste.is_some() || is_warned(&found.deck));
        let at_hand = wishes.at_hand.as_ref().filter(|_| found.distance > 0);
        if advised || at_hand.is_some() {
            problem = Problem::new(deck, &contents, wishes, wishes.advice != Advice::Ignored);
        }
        if let Some(wish) = at_hand {
            problem.at_hand(found, wish);
        }
        if advised {
            problem.follow_advice(found);
        }
        if let Some(taste) = taste {
            problem.like(found, taste);
        }
        if wishes.varied {
            problem.vary(found);
        }
    }
    if let (Repair::Found(found), Some(wish)) = (&mut solved, &wishes.at_hand) {
        found.lacking = Some(wish.missed(&found.deck));
    }
    solved
}

/// A deck that nobody aimed with, where the work ended too early for one that was: it is what
/// was asked for, and how far it is from each aim is said.
fn without_aims(deck: &Decklist, wishes: &Wishes) -> Repair {
    let plain = Wishes {
        aims: Vec::new(),
        ..wishes.clone()
    };
    let mut solved = repair_as_declared(deck, &plain);
    if let Repair::Found(found) = &mut solved {
        let missed = wishes.aims.iter().map(|aim| aim.missed(&found.deck));
        found.aims = missed.collect();
        found.optimal = false;
    }
    solved
}

fn is_warned(deck: &Decklist) -> bool {
    let severity = |found| deck.rulebook().severity(found);
    deck.judge()
        .iter()
        .any(|found| severity(found) == Severity::Warning)
}

/// A deck, its rules and the wishes, as one linear problem.
pub(super) struct Problem<'d> {
    pub(super) deck: &'d Decklist,
    wishes: &'d Wishes,
    pub(super) linear: Linear<'d>,
    /// For each preferred wish, the sum that says how far it is.
    misses: Vec<Vec<(Unknown, i64)>>,
    /// What is needed besides the cards at hand, and that it stays so little.
    pub(super) lacking: Option<Kept>,
    pub(super) old: Vec<i64>,
    /// How many copies of a card are looked at first, where no rule sets a limit.
    guess: i64,
    pub(super) rank: Vec<u32>,
    /// Copies of unknown cards that must go.
    pub(super) gone: i64,
    pub(super) effort: u64,
    /// The rules of advice that are followed.
    pub(super) advice: Vec<Tag>,
}

impl<'d> Problem<'d> {
    pub(super) fn new(
        deck: &'d Decklist,
        contents: &'d crate::rules::Contents<'d>,
        wishes: &'d Wishes,
        advice: bool,
    ) -> Problem<'d> {
        let sections = deck.sections().len();
        let most = i64::from(MOST_COPIES);
        let mut linear = deck.rulebook().linear(contents, sections, most, advice);
        for (tag, wish) in (WISH..).zip(&wishes.must) {
            linear.tagged(tag);
            wish.linear(&mut linear, deck);
        }
        let mut misses = Vec::new();
        let soft = || wishes.prefer.iter().chain(&wishes.aims);
        for (tag, wish) in (WISH..).zip(soft()) {
            linear.tagged(tag + wishes.must.len() as Tag);
            misses.push(wish.miss(&mut linear, deck));
        }
        let named = wishes.must.iter().chain(soft()).map(Wish::largest);
        let held = deck.holdings().map(|holding| holding.copies);
        let largest = named.chain(held).chain([linear.largest()]).max();
        let guess = largest.unwrap_or(0).clamp(FIRST_GUESS, most);
        let mut old = vec![0; linear.copy_unknowns()];
        let mut gone = 0;
        for holding in deck.holdings() {
            let at = linear.copies(holding.card, usize::from(holding.section));
            match old.get_mut(at.index()) {
                Some(copies) => *copies = holding.copies,
                None => gone += holding.copies,
            }
        }
        Problem {
            rank: ranks(deck, wishes.seed.as_deref()),
            deck,
            wishes,
            linear,
            misses,
            lacking: None,
            old,
            guess,
            gone,
            effort: wishes.effort,
            advice: Vec::new(),
        }
    }

    /// Whether a demand counts: errors and wishes do, and the advice that is followed.
    pub(super) fn counts(&self, tag: Tag) -> bool {
        let rule = self.deck.rulebook().rules().get(tag as usize);
        rule.is_none_or(|rule| rule.severity == Severity::Error) || self.advice.contains(&tag)
    }

    pub(super) fn task<'t>(
        &'t self,
        objective: Objective<'t>,
        besides: &'t [Kept],
        apart: &'t [bool],
    ) -> Task<'t, 'd> {
        Task {
            linear: &self.linear,
            old: &self.old,
            objective,
            besides,
            apart,
            rank: &self.rank,
            by_rule: false,
            thin: None,
            cap: Cap::Guess(self.guess),
            exchanges: None,
        }
    }

    /// The distance from which on a deck may have more copies of a card than are looked at
    /// first.
    fn beyond(&self) -> i64 {
        let held = self.old.iter().copied().max().unwrap_or(0);
        self.guess.saturating_add(1).saturating_sub(held)
    }

    fn solve(&mut self) -> Repair {
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
                let all = self.effort;
                self.effort = all / 2;
                let solved = self.optimum(sum, &besides);
                self.effort += all - all / 2;
                let (reduced, values, exact) = match solved {
                    Solved::Nothing => return Repair::Impossible(self.conflict()),
                    Solved::Limited(None, _) => return self.settled(known),
                    Solved::Limited(Some((reduced, values)), _) => (reduced, values, false),
                    Solved::Smallest(reduced, values) => (reduced, values, true),
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
            let (reduced, values, bound) = match self.nearest(&besides, &apart) {
                Solved::Nothing => return Repair::Impossible(self.conflict()),
                Solved::Limited(None, _) => return self.settled(known),
                Solved::Limited(Some((reduced, values)), bound) => (reduced, values, Some(bound)),
                Solved::Smallest(reduced, values) => (reduced, values, None),
            };
            let distance = reduced.program.cost(&values) + self.gone;
            let after = self.decklist(&reduced.expand(&values));
            if self.is_right(&after, distance) {
                return Repair::Found(Box::new(Found {
                    deck: after,
                    distance,
                    optimal: proven && bound.is_none(),
                    bound: if proven {
                        bound.map_or(distance, |bound| bound + self.gone)
                    } else {
                        self.gone
                    },
                    missed,
                    aims: missed_aims,
                    lacking: None,
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
            optimal: false,
            lacking: None,
            bound: self.gone,
        }))
    }

    /// A nearest deck. Where a guess cut copies off, what it found holds only as far as the
    /// guess reaches; beyond that the best answer known says how many copies a nearer deck
    /// may have.
    fn nearest(&mut self, besides: &[Kept], apart: &[bool]) -> Solved {
        let guess = Cap::Guess(self.guess);
        let (solved, cut) = self.solved(Objective::Distance, besides, apart, guess);
        if !cut {
            return solved;
        }
        match solved {
            Solved::Nothing => {
                let (all, _) = self.solved(Objective::Distance, besides, apart, Cap::None);
                all
            }
            Solved::Smallest(reduced, values) => {
                let distance = reduced.program.cost(&values);
                if distance <= self.beyond() {
                    return Solved::Smallest(reduced, values);
                }
                let near = Cap::Near(distance - 1);
                let least = self.beyond();
                match self.solved(Objective::Distance, besides, apart, near).0 {
                    Solved::Smallest(better, nearer) if better.program.cost(&nearer) < distance => {
                        Solved::Smallest(better, nearer)
                    }
                    Solved::Smallest(..) | Solved::Nothing => Solved::Smallest(reduced, values),
                    Solved::Limited(Some((better, nearer)), bound)
                        if better.program.cost(&nearer) < distance =>
                    {
                        Solved::Limited(Some((better, nearer)), bound.max(least))
                    }
                    Solved::Limited(_, bound) => {
                        let bound = bound.max(least).min(distance);
                        match bound == distance {
                            true => Solved::Smallest(reduced, values),
                            false => Solved::Limited(Some((reduced, values)), bound),
                        }
                    }
                }
            }
            Solved::Limited(found, bound) => Solved::Limited(found, bound.min(self.beyond())),
        }
    }

    /// What each preferred wish must keep to.
    pub(super) fn besides(&self, found: &Found) -> Vec<Kept> {
        let sums = self.misses.iter().cloned();
        sums.zip(found.missed.iter().chain(&found.aims).copied())
            .chain(self.lacking.clone())
            .collect()
    }

    /// The least that a sum can be; what a guess cut off is looked at where it could be less
    /// there.
    fn optimum(&mut self, sum: &[(Unknown, i64)], besides: &[Kept]) -> Solved {
        let objective = Objective::Sum(sum);
        let guess = Cap::Guess(self.guess);
        let (solved, cut) = self.solved(objective, besides, &[], guess);
        let cost = |(reduced, values): (&Reduced, &Vec<i64>)| reduced.program.cost(values);
        match solved {
            Solved::Smallest(reduced, values) if cut && cost((&reduced, &values)) > 0 => {
                match self.solved(objective, besides, &[], Cap::None).0 {
                    Solved::Limited(Some((better, less)), bound)
                        if cost((&better, &less)) < cost((&reduced, &values)) =>
                    {
                        Solved::Limited(Some((better, less)), bound)
                    }
                    Solved::Limited(_, bound) => Solved::Limited(Some((reduced, values)), bound),
                    Solved::Nothing => Solved::Smallest(reduced, values),
                    smallest @ Solved::Smallest(..) => smallest,
                }
            }
            Solved::Nothing if cut => self.solved(objective, besides, &[], Cap::None).0,
            Solved::Limited(found, _) if cut => Solved::Limited(found, 0),
            solved => solved,
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
            task.reduce(&|tag| self.counts(tag), &mut cut)
        };
        (self.finish(reduced), cut)
    }

    fn finish(&mut self, reduced: Option<Reduced>) -> Solved {
        let Some(reduced) = reduced else {
            return Solved::Nothing;
        };
        match search(&reduced.program, &mut self.effort) {
            Outcome::Nothing => Solved::Nothing,
            Outcome::Smallest(values) => Solved::Smallest(reduced, values),
            Outcome::Limited(Some(values), bound) => {
                Solved::Limited(Some((reduced, values)), bound)
            }
            Outcome::Limited(None, bound) => Solved::Limited(None, bound),
        }
    }

    /// The deck of some copies; unknown cards that are no unknowns are gone.
    pub(super) fn decklist(&self, copies: &[i64]) -> Decklist {
        let sections = self.linear.sections().max(1);
        let mut after = self.deck.clone();
        for holding in self.deck.holdings() {
            after.set(holding.section, holding.card, 0);
        }
        for (at, copies) in copies.iter().enumerate().filter(|(_, copies)| **copies > 0) {
            after.set(
                (at % sections) as u16,
                CardId((at / sections) as u32),
                *copies,
            );
        }
        after
    }

    /// Copies that change.
    fn moved(&self, after: &Decklist) -> i64 {
        let changes = self.deck.changes_to(after);
        let moved = changes.iter().map(|change| (change.to - change.from).abs());
        moved.sum()
    }

    /// Whether a deck is what was asked for: the judge has the last word.
    pub(super) fn is_right(&self, after: &Decklist, distance: i64) -> bool {
        after.is_legal()
            && self.moved(after) == distance
            && self
                .wishes
                .must
                .iter()
                .all(|wish| wish.holds(self.deck, after))
    }

    /// Leaves out one demand after the other, rules before wishes, while what is left still
    /// cannot hold together.
    fn conflict(&self) -> Conflict {
        let rules = self.deck.rulebook().rules();
        let errors = (0..)
            .zip(rules)
            .filter(|(_, rule)| rule.severity == Severity::Error);
        let wishes = (WISH..).zip(&self.wishes.must).map(|(tag, _)| tag);
        let mut demands: Vec<Tag> = errors.map(|(tag, _)| tag).chain(wishes).collect();
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
            choices: self.deck.choices().clone(),
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
    fn is_possible(&self, active: &dyn Fn(Tag) -> bool) -> Option<bool> {
        let ask = |cap: Cap, cut: &mut bool| {
            let task = Task {
                cap,
                ..self.task(Objective::Sum(&[]), &[], &[])
            };
            let Some(reduced) = task.reduce(active, cut) else {
                return Some(false);
            };
            match search(&reduced.program, &mut self.wishes.effort.clone()) {
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

enum Solved {
    Smallest(Reduced, Vec<i64>),
    Nothing,
    Limited(Option<(Reduced, Vec<i64>)>, i64),
}

/// The program that a repair solves first: for measuring, and for other solvers to try.
pub fn program(deck: &Decklist) -> Option<Program> {
    let contents = deck.contents();
    let wishes = Wishes::default();
    let problem = Problem::new(deck, &contents, &wishes, false);
    let reduced = problem
        .task(Objective::Distance, &[], &[])
        .reduce(&|_| true, &mut false);
    reduced.map(|reduced| reduced.program)
}

/// Where each card stands among those alike: by folded name, or shuffled by a seed.
fn ranks(deck: &Decklist, seed: Option<&str>) -> Vec<u32> {
    let count = (deck.pool().len() + deck.strangers()) as u32;
    let Some(seed) = seed else {
        return (0..count).collect();
    };
    let mut order: Vec<u32> = (0..count).collect();
    order.sort_by_cached_key(|card| {
        let name = match CardId(*card) {
            card if deck.knows(card) => deck.pool().folded(card),
            card => deck.name(card),
        };
        Sha256::digest(format!("decklaw/build/1\0{seed}\0{name}"))
    });
    let mut ranks = vec![0; count as usize];
    for (rank, card) in (0..).zip(order) {
        ranks[card as usize] = rank;
    }
    ranks
}
