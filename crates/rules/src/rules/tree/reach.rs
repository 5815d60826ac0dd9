//! How far cards that come in can move the numbers of a deck, and so whether a broken condition
//! can come to hold by adding cards alone.
//!
//! What each section takes, and how much its cards count, is found once a rulebook and kept
//! ([`Growth`]); a deck then asks for its own values, and for what its sections can still hold
//! ([`Space`]).

use super::value::{Span, near, plus, times, where_holds};
use super::{AgreementWeight, Cond, FAR, Leaf, Num, UnknownCards, Weights};
use crate::rules::contents::each_card;
use crate::rules::groups::Groups;
use crate::rules::{Contents, SectionSet};
use decklaw_cards::pool::{CardId, CardSet};
use std::cmp::Reverse;
use std::sync::Arc;

/// The cards of a pool that each section of a game takes.
#[derive(Debug)]
pub(crate) struct Accepted {
    /// By section.
    pub sets: Vec<CardSet>,
    /// How many cards the pool has.
    pub known: usize,
}

impl Accepted {
    /// Whether a section takes a card; it takes any that the pool does not know.
    fn has(&self, section: usize, card: CardId) -> bool {
        card.index() >= self.known || self.sets.get(section).is_some_and(|set| set.has(card))
    }

    fn sections(&self, among: SectionSet) -> impl Iterator<Item = usize> + use<'_> {
        (0..self.sets.len()).filter(move |section| among.has(*section))
    }
}

/// What the sections of a deck can still hold.
#[derive(Debug)]
pub(crate) struct Space<'r> {
    pub accepted: &'r Accepted,
    /// How many further copies some sections can hold together.
    caps: Vec<(SectionSet, i64)>,
}

impl<'r> Space<'r> {
    /// Sections without any limit.
    pub(crate) fn new(accepted: &'r Accepted) -> Space<'r> {
        Space { accepted, caps: Vec::new() }
    }

    /// Notes how many further copies some sections can hold together; whether that is news.
    pub(crate) fn limit(&mut self, sections: SectionSet, copies: i64) -> bool {
        let copies = copies.max(0);
        let is_news = !self.caps.iter().any(|(same, most)| *same == sections && *most <= copies);
        if is_news {
            self.caps.retain(|(same, _)| *same != sections);
            self.caps.push((sections, copies));
        }
        is_news
    }

    /// The most further copies that some sections can hold together.
    pub(crate) fn room(&self, sections: SectionSet) -> i64 {
        let alone = |section: usize| {
            let own = self.caps.iter().filter(|(cap, _)| cap.has(section));
            own.map(|(_, most)| *most).min().unwrap_or(FAR)
        };
        let apart = |sections: SectionSet| {
            self.accepted.sections(sections).fold(0, |sum, section| near(sum + alone(section)))
        };
        let together = self.caps.iter();
        let together =
            together.map(|(cap, most)| near(most + apart(SectionSet(sections.0 & !cap.0))));
        together.fold(apart(sections), i64::min)
    }

    fn is_open(&self, section: usize) -> bool {
        self.room(SectionSet::only(section)) > 0
    }

    /// The most that further copies are worth, where a copy in each section is worth so much.
    fn worth(&self, weights: &[i64]) -> i64 {
        let mut order: Vec<usize> = (0..weights.len()).filter(|at| weights[*at] > 0).collect();
        order.sort_by_key(|section| Reverse(weights[*section]));
        let (mut first, mut sum) = (SectionSet::default(), 0_i64);
        for (at, section) in order.iter().enumerate() {
            first = first.and(SectionSet::only(*section));
            let next = order.get(at + 1).map_or(0, |next| weights[*next]);
            let by = weights[*section] - next;
            sum = near(sum.saturating_add(self.room(first).saturating_mul(by)));
        }
        sum
    }
}

/// Whether a condition can come to hold by adding cards, but for what a deck has.
#[derive(Debug)]
pub(crate) enum Growth {
    /// Numbers that must all be at least 0.
    Within(Vec<Reach>),
    /// The number must be one of these.
    Among(Box<Reach>, Vec<i64>),
    All(Vec<Growth>),
    Any(Vec<Growth>),
}

/// How far cards that come in can move a number.
#[derive(Debug)]
pub(crate) struct Reach {
    num: Num,
    steps: Steps,
    /// What is no sum over cards, and how often it counts.
    others: Vec<(i64, Other)>,
}

/// Sums over cards, added up card by card.
#[derive(Debug, Default)]
struct Steps {
    terms: Vec<(i64, Term)>,
    /// Upwards and downwards.
    ways: [Way; 2],
}

/// What a copy of a card counts in a sum.
#[derive(Debug)]
enum Term {
    /// Each copy.
    Copies(Leaf),
    /// Each card once, from a number of copies on.
    Once(Leaf, i64),
    /// Copies that may count otherwise where their card agrees.
    Agreed(Box<AgreementWeight>),
}

/// How far sums move one way.
#[derive(Debug, Default)]
struct Way {
    /// By section, the most that one further copy of a card moves them, and that any copy does.
    each: Vec<i64>,
    any: Vec<i64>,
    /// By section, what first copies move them beyond that, each card once; and of all sections.
    once: Vec<i64>,
    once_in_all: i64,
}

const WAYS: [i64; 2] = [1, -1];

/// A number that is no sum over cards.
#[derive(Debug)]
enum Other {
    Groups {
        groups: Arc<Groups>,
        least: i64,
        leaf: Leaf,
        /// How many groups have a card that each section takes, and that any does.
        counts: Vec<i64>,
        in_all: i64,
        /// The most groups of one card.
        most: i64,
    },
    Extreme {
        greatest: bool,
        leaf: Leaf,
        /// The least and the greatest number of a card that each section takes.
        ends: Vec<Option<Span>>,
    },
    /// Cards of the deck that agree, or agree no more, once identity cards come into sections.
    Agreement(Box<AgreementWeight>, SectionSet),
    When {
        cond: Cond,
        begins: Box<Growth>,
        ceases: Box<Growth>,
        num: Box<Reach>,
    },
    Div(Box<Reach>, i64),
}

impl Growth {
    pub(crate) fn of(cond: &Cond, accepted: &Accepted) -> Growth {
        let all = |parts: &[Cond]| parts.iter().map(|part| Growth::of(part, accepted)).collect();
        match cond {
            Cond::Within(num, low, high) => {
                let above = low.as_ref().map(|low| num.minus(low));
                let below = high.as_ref().map(|high| high.minus(num));
                let ends = low.as_ref().zip(high.as_ref()).map(|(low, high)| high.minus(low));
                let sums = [above, below, ends].into_iter().flatten();
                Growth::Within(sums.map(|sum| Reach::of(sum, accepted)).collect())
            }
            Cond::Among(num, options) => {
                Growth::Among(Box::new(Reach::of(num.clone(), accepted)), options.clone())
            }
            Cond::All(parts) => Growth::All(all(parts)),
            Cond::Any(parts) => Growth::Any(all(parts)),
        }
    }

    /// Whether it holds of a deck, or can by adding cards.
    pub(crate) fn can_hold(&self, contents: &Contents<'_>, space: &Space<'_>) -> bool {
        match self {
            Growth::Within(sums) => sums.iter().all(|sum| sum.span(contents, space).1 >= 0),
            Growth::Among(num, options) => {
                let (least, most) = num.span(contents, space);
                options.iter().any(|option| (least..=most).contains(option))
            }
            Growth::All(parts) => parts.iter().all(|part| part.can_hold(contents, space)),
            Growth::Any(parts) => parts.iter().any(|part| part.can_hold(contents, space)),
        }
    }
}

impl Num {
    fn minus(&self, other: &Num) -> Num {
        Num::Add(vec![self.clone(), Num::Times(-1, Box::new(other.clone()))])
    }
}

impl Reach {
    fn of(num: Num, accepted: &Accepted) -> Reach {
        let (mut steps, mut others) = (Steps::default(), Vec::new());
        add(&num, 1, accepted, &mut steps.terms, &mut others);
        steps.ways = WAYS.map(|way| steps.way(way, accepted));
        Reach { num, steps, others }
    }

    /// The least and the most that the number can be once cards come in.
    fn span(&self, contents: &Contents<'_>, space: &Space<'_>) -> Span {
        let [up, down] = [0, 1].map(|way| self.steps.gain(way, contents, space));
        let span = plus(self.num.value(contents), (-down, up));
        self.others
            .iter()
            .fold(span, |span, (by, other)| plus(span, times(other.movement(contents, space), *by)))
    }
}

/// Adds a number to sums over cards, or to others.
fn add(
    num: &Num,
    by: i64,
    accepted: &Accepted,
    terms: &mut Vec<(i64, Term)>,
    others: &mut Vec<(i64, Other)>,
) {
    let reach = |num: &Num| Reach::of(num.clone(), accepted);
    let when = |cond: &Cond, num: &Num| Other::When {
        cond: cond.clone(),
        begins: Box::new(Growth::of(cond, accepted)),
        ceases: Box::new(Growth::of(&cond.negated(), accepted)),
        num: Box::new(reach(num)),
    };
    let other = match num {
        Num::Const(_) | Num::Own { .. } => return,
        Num::Sum(leaf) => return terms.push((by, Term::Copies((**leaf).clone()))),
        Num::Different { groups: None, least, leaf } => {
            return terms.push((by, Term::Once((**leaf).clone(), *least)));
        }
        Num::Different { groups: Some(groups), least, leaf } => {
            Other::groups(groups, *least, leaf, accepted)
        }
        Num::Extreme { greatest, leaf } => Other::extreme(*greatest, leaf, accepted),
        Num::Agreed(agreed) => {
            terms.push((by, Term::Agreed(agreed.clone())));
            let heads = agreed.identity.heads.taken_in(accepted);
            Other::Agreement(agreed.clone(), heads)
        }
        Num::When(cond, num) => when(cond, num),
        Num::Add(parts) => {
            return parts.iter().for_each(|part| add(part, by, accepted, terms, others));
        }
        Num::Times(times, num) => {
            return add(num, by.saturating_mul(*times), accepted, terms, others);
        }
        Num::Div(num, by) => Other::Div(Box::new(reach(num)), *by),
    };
    others.push((by, other));
}

impl Term {
    fn leaf(&self) -> &Leaf {
        match self {
            Term::Copies(leaf) | Term::Once(leaf, _) => leaf,
            Term::Agreed(agreed) => &agreed.leaf,
        }
    }

    /// What a further copy of a card counts at most, `by` times, and what its first copy counts
    /// beyond that.
    fn weights(&self, card: CardId, by: i64) -> (i64, i64) {
        let of = |weight: i64| weight.saturating_mul(by);
        let leaf = self.leaf();
        let weight = match leaf.unknown {
            UnknownCards::One(own, low, high) if own == card => of(low).max(of(high)),
            _ => of(leaf.weight(card).unwrap_or(0)),
        };
        match self {
            Term::Copies(_) => (weight, 0),
            Term::Once(..) => (0, weight),
            Term::Agreed(agreed) => {
                let then = agreed.then.get(card.index()).map_or(weight, |then| of(*then));
                let ([first, further], weight) = (agreed.copies, weight.max(then));
                (weight * further, weight * (first - further))
            }
        }
    }
}

impl Steps {
    /// What a further copy of a card in a section moves the sums, and what its first copy moves
    /// them beyond that.
    fn weights(&self, section: usize, card: CardId, way: i64) -> (i64, i64) {
        let here = self.terms.iter().filter(|(_, term)| term.leaf().sections.has(section));
        here.fold((0, 0), |(each, once), (by, term)| {
            let (more, more_once) = term.weights(card, by.saturating_mul(way));
            (near(each + near(more)), near(once + near(more_once)))
        })
    }

    /// The cards that count.
    fn cards(&self, known: usize) -> Vec<CardId> {
        let mut cards = Vec::new();
        for (_, term) in &self.terms {
            let leaf = term.leaf();
            match &leaf.cards {
                Weights::Few(few) => cards.extend(few.iter().map(|(card, _)| *card)),
                _ => return (0..known as u32).map(CardId).collect(),
            }
            if let UnknownCards::One(card, ..) = leaf.unknown {
                cards.push(card);
            }
        }
        cards.sort_unstable();
        cards.dedup();
        cards
    }

    fn way(&self, way: i64, accepted: &Accepted) -> Way {
        let count = accepted.sets.len();
        let mut found =
            Way { each: vec![0; count], any: vec![0; count], once: vec![0; count], once_in_all: 0 };
        let sections = self.terms.iter().map(|(_, term)| term.leaf().sections);
        let sections = sections.fold(SectionSet::default(), SectionSet::and);
        for card in self.cards(accepted.known) {
            let mut best = 0;
            for section in accepted.sections(sections) {
                if !accepted.has(section, card) {
                    continue;
                }
                let (each, once) = self.weights(section, card, way);
                found.each[section] = found.each[section].max(each);
                found.any[section] = found.any[section].max(each).max(near(each + once));
                let once = beyond(each, once);
                found.once[section] = near(found.once[section] + once);
                best = best.max(once);
            }
            found.once_in_all = near(found.once_in_all + best);
        }
        found
    }

    /// The most that cards which come in move the sums one way.
    fn gain(&self, way: usize, contents: &Contents<'_>, space: &Space<'_>) -> i64 {
        let own = &self.ways[way];
        let open = (0..own.any.len()).filter(|at| own.any[*at] > 0 && space.is_open(*at));
        let open = open.fold(SectionSet::default(), |all, one| all.and(SectionSet::only(one)));
        if open == SectionSet::default() {
            return 0;
        }
        let any = space.worth(&own.any);
        if own.once_in_all == 0 {
            return any;
        }
        let here: i64 = open.iter().fold(0, |sum, section| near(sum + own.once[section]));
        let (held_here, held) = self.held_once(WAYS[way], open, contents, space.accepted);
        let once = (here - held_here).min(own.once_in_all - held).max(0);
        any.min(near(space.worth(&own.each).saturating_add(once)))
    }

    /// What cards that the deck has already would move the sums by their first copies, in some
    /// sections and in any.
    fn held_once(
        &self,
        way: i64,
        open: SectionSet,
        contents: &Contents<'_>,
        accepted: &Accepted,
    ) -> (i64, i64) {
        let mut once = self.terms.iter().filter(|(_, term)| !matches!(term, Term::Copies(_)));
        // Of several such sums none says for all whether the card counts already.
        let (Some((_, term)), None) = (once.next(), once.next()) else {
            return (0, 0);
        };
        let least = if let Term::Once(_, least) = term { *least } else { 1 };
        let (mut here, mut best) = (0, 0);
        let leaf = term.leaf();
        each_card(contents.known_in(leaf.sections), leaf.sections, |card, copies| {
            if copies < least {
                return;
            }
            let mut most = 0;
            for section in accepted.sections(leaf.sections) {
                if accepted.has(section, card) {
                    let (each, once) = self.weights(section, card, way);
                    let once = beyond(each, once);
                    here += if open.has(section) { once } else { 0 };
                    most = most.max(once);
                }
            }
            best += most;
        });
        (here, best)
    }
}

/// What a first copy moves a sum beyond what further copies do.
fn beyond(each: i64, once: i64) -> i64 {
    near(once + each.min(0)).max(0)
}

impl Other {
    fn groups(groups: &Arc<Groups>, least: i64, leaf: &Leaf, accepted: &Accepted) -> Other {
        let mut all = vec![0_u64; groups.len()];
        let mut most = 0;
        for (card, _) in leaf.weighed(accepted.known) {
            let here = accepted.sections(leaf.sections).filter(|at| accepted.has(*at, card));
            let here = here.fold(SectionSet::default(), |all, one| all.and(SectionSet::only(one)));
            let own = groups.of_card(card);
            own.iter().for_each(|group| all[*group as usize] |= here.0);
            most = most.max(if here.0 == 0 { 0 } else { own.len() as i64 });
        }
        let in_section = |section: usize| all.iter().filter(|set| *set >> section & 1 == 1).count();
        Other::Groups {
            counts: (0..accepted.sets.len()).map(|at| in_section(at) as i64).collect(),
            in_all: all.iter().filter(|set| **set != 0).count() as i64,
            groups: Arc::clone(groups),
            least,
            leaf: leaf.clone(),
            most,
        }
    }

    fn extreme(greatest: bool, leaf: &Leaf, accepted: &Accepted) -> Other {
        let mut ends: Vec<Option<Span>> = vec![None; accepted.sets.len()];
        let cards = match &leaf.cards {
            Weights::Few(few) => few.clone(),
            _ => leaf.weighed(accepted.known),
        };
        for (card, weight) in cards {
            for section in accepted.sections(leaf.sections).filter(|at| accepted.has(*at, card)) {
                let (low, high) = ends[section].unwrap_or((weight, weight));
                ends[section] = Some((low.min(weight), high.max(weight)));
            }
        }
        Other::Extreme { greatest, leaf: leaf.clone(), ends }
    }

    /// How far cards that come in move it, down and up.
    fn movement(&self, contents: &Contents<'_>, space: &Space<'_>) -> Span {
        let (value, span) = match self {
            Other::Groups { groups, least, leaf, counts, in_all, most } => {
                let mut there = 0;
                leaf.groups(groups, *least, contents, |_| there += 1);
                let taking = (0..counts.len()).filter(|at| counts[*at] > 0);
                let (open, full): (Vec<usize>, Vec<usize>) =
                    taking.partition(|at| space.is_open(*at));
                let sections = open.iter().map(|at| SectionSet::only(*at));
                let room = space.room(sections.fold(SectionSet::default(), SectionSet::and));
                let mut more = (in_all - there).min(near(room.saturating_mul(*most)));
                if !full.is_empty() {
                    more = more.min(open.iter().map(|at| counts[*at]).sum());
                }
                return (0, more.max(0));
            }
            Other::Extreme { greatest, leaf, ends } => {
                let open = (0..ends.len()).filter(|at| space.is_open(*at));
                let open = open.filter_map(|at| ends[at]);
                let ends = open.reduce(|one, other| (one.0.min(other.0), one.1.max(other.1)));
                let Some((low, high)) = ends else {
                    return (0, 0);
                };
                let num = Num::Extreme { greatest: *greatest, leaf: Box::new(leaf.clone()) };
                let (value, mut is_there) = (num.value(contents), false);
                leaf.held(contents, |_, _, _| is_there = true);
                let falls = !is_there || !greatest;
                let rises = !is_there || *greatest;
                let low = if falls { value.0.min(low) } else { value.0 };
                let high = if rises { value.1.max(high) } else { value.1 };
                (value, (low, high))
            }
            Other::Agreement(agreed, heads) => {
                if space.room(*heads) == 0 {
                    return (0, 0);
                }
                let value = Num::Agreed(agreed.clone()).value(contents);
                let (sections, mut span) = (agreed.leaf.sections, (0, 0));
                each_card(contents.known_in(sections), sections, |card, copies| {
                    let price = agreed.leaf.weight(card).unwrap_or(0);
                    let then = agreed.then[card.index()];
                    let prices = (price.min(then), price.max(then));
                    span = plus(span, times(prices, agreed.times(copies)));
                });
                (value, plus(span, agreed.leaf.unknown_span(contents, true)))
            }
            Other::When { cond, begins, ceases, num } => {
                let (holds, span) = (cond.holds(contents), num.span(contents, space));
                let value = where_holds(holds, || num.num.value(contents));
                let may_hold = holds != Some(false) || begins.can_hold(contents, space);
                let may_fail = holds != Some(true) || ceases.can_hold(contents, space);
                let will_hold = match (may_hold, may_fail) {
                    (true, true) => None,
                    (will, _) => Some(will),
                };
                (value, where_holds(will_hold, || span))
            }
            Other::Div(num, by) => {
                let (value, span) = (num.num.value(contents), num.span(contents, space));
                let rounded = |span: Span| (span.0.div_euclid(*by), span.1.div_euclid(*by));
                (rounded(value), rounded(span))
            }
        };
        ((span.0 - value.0).min(0), (span.1 - value.1).max(0))
    }
}
