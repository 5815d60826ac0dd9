//! Hand queries over what is drawn from: formulas of conditions on weighted sums.
//!
//! `some` is an *or* over the values of a field, and `different` is Hall's condition.

use super::Population;
use super::budget::DEFAULT_MEMORY;
use crate::lowering::{self, Lowering, Sum, known_field, lower, select};
use decklaw_cards::pool::{CardId, CardSet, Column, Pool};
use decklaw_cards::query::hand::{Count, FieldName, Group, Hand, HandTest};
use decklaw_cards::query::{HandQuery, QueryError, TotalQuery};
use decklaw_text::text::{Span, counted};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// The most values of a field for `some`.
const MOST_VALUES: usize = 100;
/// The most counts in one `different`.
const MOST_DIFFERENT: usize = 8;
/// The most conditions of all queries together, `some` and `different` expanded.
const MOST_SUMS: usize = 4000;
/// The most work of expanding: 1 for each card that is looked at, and [`PART`] for each
/// condition. Nested `some` and `different` multiply.
const MOST_WORK: u64 = 200_000_000;
const PART: u64 = 10_000;

/// Checks that a query can be asked of these cards.
///
/// # Errors
/// An unknown field or card, a comparison that the field does not allow, a `sum` over a field that
/// is not a number, `some` over more than 100 values, `different` with more than 8 counts, and
/// queries with too many conditions.
pub fn check(query: &HandQuery, population: &Population<'_>) -> Result<(), QueryError> {
    Conditions::of(population, DEFAULT_MEMORY).add(query).map(|_| ())
}

/// The condition that the sum of the cards' weights is in `low..=high`, or is not if `outside`.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct WeightedSum {
    /// By place in the population; last, the weight of a card that the pool does not know.
    pub(crate) weights: Vec<i64>,
    pub(crate) low: i128,
    pub(crate) high: i128,
    pub(crate) outside: bool,
}

impl WeightedSum {
    pub(crate) fn holds(&self, sum: i128) -> bool {
        (self.low <= sum && sum <= self.high) != self.outside
    }

    /// Whether it holds without a card that weighs and never with one, or `Some(false)` the other
    /// way round; `None`: it is more than that.
    fn only_absence(&self) -> Option<bool> {
        let lightest = self.weights.iter().copied().filter(|weight| *weight != 0).min()?;
        let lightest = i128::from(lightest);
        if lightest < 0 {
            return None;
        }
        let is_none = self.low <= 0 && (0..lightest).contains(&self.high);
        let is_some = (1..=lightest).contains(&self.low) && self.high == i128::MAX;
        (is_none || is_some).then_some(is_none != self.outside)
    }
}

/// A hand query over the sums of a [`Conditions`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Formula<T = usize> {
    Is(bool),
    Sum(T),
    All(Vec<Formula<T>>),
    Any(Vec<Formula<T>>),
    Not(Box<Formula<T>>),
}

/// A condition of a query that is being lowered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Term {
    /// A sum of the [`Conditions`].
    Sum(usize),
    /// None of these cards is in the hand; by place. Several of them in a conjunction are one, so
    /// that their cards are one atom.
    Absence(Vec<bool>),
}

impl Formula<Term> {
    /// The parts in a conjunction, or without `all` in a disjunction, where absences are one part:
    /// no A and no B is no card of both; some A or some B is some card of both.
    fn joined(parts: Vec<Formula<Term>>, all: bool) -> Formula<Term> {
        let mut absent: Option<Vec<bool>> = None;
        let mut others = Vec::with_capacity(parts.len());
        for part in parts {
            let cards = match part {
                Formula::Sum(Term::Absence(cards)) if all => cards,
                Formula::Not(part) if !all => match *part {
                    Formula::Sum(Term::Absence(cards)) => cards,
                    part => {
                        others.push(Formula::Not(Box::new(part)));
                        continue;
                    }
                },
                part => {
                    others.push(part);
                    continue;
                }
            };
            match &mut absent {
                Some(absent) => absent.iter_mut().zip(cards).for_each(|(one, other)| *one |= other),
                None => absent = Some(cards),
            }
        }
        let absent = absent.map(|cards| Formula::Sum(Term::Absence(cards)));
        others.extend(absent.map(|absent| if all { absent } else { Formula::opposite(absent) }));
        match (others.pop(), others.is_empty()) {
            (None, _) => Formula::Is(all),
            (Some(only), true) => only,
            (Some(last), false) => {
                others.push(last);
                if all { Formula::All(others) } else { Formula::Any(others) }
            }
        }
    }

    fn opposite(part: Formula<Term>) -> Formula<Term> {
        match part {
            Formula::Not(part) => *part,
            part => Formula::Not(Box::new(part)),
        }
    }
}

impl Formula {
    /// Whether it holds where `sum` says which sums do.
    pub(crate) fn holds(&self, sum: &impl Fn(usize) -> bool) -> bool {
        match self {
            Formula::Is(known) => *known,
            Formula::Sum(at) => sum(*at),
            Formula::All(parts) => parts.iter().all(|part| part.holds(sum)),
            Formula::Any(parts) => parts.iter().any(|part| part.holds(sum)),
            Formula::Not(part) => !part.holds(sum),
        }
    }
}

/// The conditions of several hand queries over one population; equal ones are shared.
pub(crate) struct Conditions<'p> {
    population: &'p Population<'p>,
    pub(crate) sums: Vec<WeightedSum>,
    known: FxHashMap<WeightedSum, usize>,
    /// Bytes left.
    pub(crate) memory: u64,
    /// Work left, see [`MOST_WORK`].
    work: u64,
    /// The groups as the queries have them, and the places of their cards.
    pub(crate) groups: Vec<(String, Vec<bool>)>,
}

impl<'p> Conditions<'p> {
    /// No conditions yet, and this many bytes for them.
    pub(crate) fn of(population: &'p Population<'p>, memory: u64) -> Conditions<'p> {
        Conditions {
            population,
            sums: Vec::new(),
            known: FxHashMap::default(),
            memory,
            work: MOST_WORK,
            groups: Vec::new(),
        }
    }

    /// Adds a query. Its formula refers to the sums by number.
    pub(crate) fn add(&mut self, query: &HandQuery) -> Result<Formula, QueryError> {
        let formula = lower(self, &query.root, None)?;
        self.numbered(formula)
    }

    /// The formula with the sums of its absences.
    fn numbered(&mut self, formula: Formula<Term>) -> Result<Formula, QueryError> {
        let each = |own: &mut Conditions<'_>, parts: Vec<Formula<Term>>| {
            parts.into_iter().map(|part| own.numbered(part)).collect::<Result<Vec<_>, _>>()
        };
        let count = |cards: Vec<bool>, low, high| WeightedSum {
            weights: cards.into_iter().map(i64::from).collect(),
            low,
            high,
            outside: false,
        };
        Ok(match formula {
            Formula::Is(known) => Formula::Is(known),
            Formula::Sum(Term::Sum(at)) => Formula::Sum(at),
            Formula::Sum(Term::Absence(cards)) => {
                Formula::Sum(self.number(count(cards, 0, 0), Span::default())?)
            }
            Formula::All(parts) => Formula::All(each(self, parts)?),
            Formula::Any(parts) => Formula::Any(each(self, parts)?),
            Formula::Not(part) => match *part {
                Formula::Sum(Term::Absence(cards)) => {
                    Formula::Sum(self.number(count(cards, 1, i128::MAX), Span::default())?)
                }
                part => Formula::Not(Box::new(self.numbered(part)?)),
            },
        })
    }

    /// The number of a sum; equal ones have one.
    fn number(&mut self, sum: WeightedSum, span: Span) -> Result<usize, QueryError> {
        if let Some(at) = self.known.get(&sum) {
            return Ok(*at);
        }
        let at = self.sums.len();
        if at >= MOST_SUMS {
            let message = format!("too many conditions; at most {MOST_SUMS}");
            return Err(QueryError::at(message, span));
        }
        // The list and the table have a copy each, and so have the atoms.
        let bytes = 4 * (size_of::<WeightedSum>() + size_of::<i64>() * sum.weights.len()) as u64;
        self.hold(bytes, span)?;
        self.known.insert(sum.clone(), at);
        self.sums.push(sum);
        Ok(at)
    }

    /// What each card of the population adds to a total; last, a card that the pool does not know.
    pub(crate) fn total(&mut self, query: &TotalQuery) -> Result<Vec<i64>, QueryError> {
        let sum = lowering::total(self, &query.field, query.group.as_ref(), None)?;
        Ok(self.weights(&sum))
    }

    fn weights(&self, sum: &Sum<'_>) -> Vec<i64> {
        let pool = self.population.pool();
        let known = self.population.cards().iter();
        let known = known.map(|(card, _)| sum.weight(pool, *card));
        let has_unknown = self.population.unknown() > 0;
        let unknown = if has_unknown { sum.weight_of_unknown() } else { 0 };
        known.chain([unknown]).collect()
    }

    fn spend(&mut self, work: u64, span: Span) -> Result<(), QueryError> {
        let left = self.work.checked_sub(work).ok_or_else(|| {
            let message = "too many conditions: `some` and `different` are nested too deeply";
            QueryError::at(message, span)
        })?;
        self.work = left;
        Ok(())
    }

    fn hold(&mut self, bytes: u64, span: Span) -> Result<(), QueryError> {
        let left = self.memory.checked_sub(bytes).ok_or_else(|| {
            let cards = counted(self.population.cards().len() as i64, "different card");
            QueryError::at(format!("too many conditions for a deck of {cards}"), span)
        })?;
        self.memory = left;
        Ok(())
    }

    /// The cards of each value that a field has in the population.
    fn values(&self, field: &FieldName) -> Result<Vec<CardSet>, QueryError> {
        let pool = self.population.pool();
        let kind = known_field(pool, field)?;
        let (mut words, mut numbers) = (BTreeSet::new(), BTreeSet::new());
        match (kind, pool.column(&field.name)) {
            (None, _) => words.extend(self.cards().map(|card| pool.folded(card))),
            (Some(_), Some(Column::Number(cells))) => {
                numbers.extend(self.cards().filter_map(|card| cells[card.index()]));
            }
            (Some(_), Some(_)) => {
                let words_of = |card| pool.words(card, &field.name).iter();
                words.extend(self.cards().flat_map(words_of).map(|word| &**word));
            }
            (Some(_), None) => {}
        }
        let found = words.len() + numbers.len();
        if found > MOST_VALUES {
            let message = format!(
                "`{}` has {found} values in this deck; `some` takes at most {MOST_VALUES}",
                field.name
            );
            return Err(QueryError::at(message, field.span));
        }
        let of_word = words.iter().map(|word| {
            self.cards_of(|card| {
                if kind.is_none() {
                    return pool.folded(card) == *word;
                }
                let mut words = pool.words(card, &field.name).iter();
                words.any(|other| **other == **word)
            })
        });
        let of_number = numbers.iter().map(|number| {
            let has = |card| pool.number(card, &field.name) == Some(*number);
            self.cards_of(has)
        });
        Ok(of_word.chain(of_number).collect())
    }
}

impl Lowering for Conditions<'_> {
    type Condition = Formula<Term>;

    fn pool(&self) -> &Pool {
        self.population.pool()
    }

    fn cards(&self) -> impl Iterator<Item = CardId> {
        self.population.ids()
    }

    fn selecting(&mut self, span: Span) -> Result<(), QueryError> {
        self.spend(self.population.cards().len() as u64, span)
    }

    fn sum(&mut self, sum: Sum<'_>) -> Result<Formula<Term>, QueryError> {
        self.spend(PART, sum.span)?;
        let weights = self.weights(&sum);
        if let Some(group) = sum.group {
            let text = group.shown();
            if !self.groups.iter().any(|(known, _)| *known == text) {
                self.hold(weights.len() as u64, sum.span)?;
                let whole = Sum { field: None, ..sum };
                let members = self.weights(&whole);
                let members = members.iter().map(|weight| *weight != 0).collect();
                self.groups.push((text, members));
            }
        }
        let (low, high) = sum.range;
        let condition = WeightedSum { weights, low, high, outside: sum.outside };
        if condition.weights.iter().all(|weight| *weight == 0) {
            return Ok(Formula::Is(condition.holds(0)));
        }
        if let Some(is_absence) = condition.only_absence() {
            self.hold(condition.weights.len() as u64, sum.span)?;
            let cards = condition.weights.iter().map(|weight| *weight > 0).collect();
            let absence = Formula::Sum(Term::Absence(cards));
            return Ok(if is_absence { absence } else { Formula::opposite(absence) });
        }
        Ok(Formula::Sum(Term::Sum(self.number(condition, sum.span)?)))
    }

    fn all(parts: Vec<Formula<Term>>) -> Formula<Term> {
        Formula::joined(parts, true)
    }

    fn any(parts: Vec<Formula<Term>>) -> Formula<Term> {
        Formula::joined(parts, false)
    }

    fn not(part: Formula<Term>) -> Formula<Term> {
        Formula::opposite(part)
    }

    fn some(
        &mut self,
        field: &FieldName,
        hand: &Hand,
        within: Option<&CardSet>,
    ) -> Result<Formula<Term>, QueryError> {
        let looked = self.population.cards().len();
        let values = self.values(field)?;
        self.spend((values.len() * looked) as u64, field.span)?;
        if values.is_empty() {
            // A wrong query is wrong for every deck.
            lower(self, hand, Some(&CardSet::default()))?;
        }
        let mut either = Vec::new();
        for mut cards in values {
            if let Some(within) = within {
                self.spend(looked as u64, field.span)?;
                cards = self.cards_of(|card| within.has(card) && cards.has(card));
            }
            either.push(lower(self, hand, Some(&cards))?);
        }
        Ok(Formula::joined(either, false))
    }

    /// By Hall's theorem: the groups of every set of counts together have as many cards as these
    /// counts need together.
    fn different(
        &mut self,
        counts: &[Count],
        span: Span,
        within: Option<&CardSet>,
    ) -> Result<Formula<Term>, QueryError> {
        if counts.len() > MOST_DIFFERENT {
            let message = format!("`different` takes at most {MOST_DIFFERENT} counts");
            return Err(QueryError::at(message, span));
        }
        let count = |cards, low: u32, high: Option<u32>, group| Sum {
            cards,
            field: None,
            group,
            range: (low.into(), high.map_or(i128::MAX, i128::from)),
            outside: false,
            span,
        };
        let mut groups = Vec::new();
        for count in counts {
            groups.push(select(self, &count.group, within)?);
        }
        let mut all = Vec::new();
        for (own, cards) in counts.iter().zip(&groups) {
            let group = within.is_none().then_some(&own.group);
            if own.high.is_some() {
                all.push(self.sum(count(cards.clone(), own.low, own.high, group))?);
            }
        }
        for chosen in 1_u32..1 << counts.len() {
            let is_chosen = |at: &usize| chosen >> at & 1 == 1;
            let chosen = || (0..counts.len()).filter(is_chosen);
            let wanted = chosen().fold(0_u32, |sum, at| sum.saturating_add(counts[at].low));
            if wanted > 0 {
                let union: Option<Vec<&CardSet>> = chosen().map(|at| groups[at].as_ref()).collect();
                let union =
                    union.map(|sets| self.cards_of(|card| sets.iter().any(|set| set.has(card))));
                let mut one = chosen();
                let only = match (one.next(), one.next()) {
                    (Some(at), None) if within.is_none() => Some(&counts[at].group),
                    _ => None,
                };
                all.push(self.sum(count(union, wanted, None, only))?);
            }
        }
        Ok(Formula::joined(all, true))
    }
}

/// The groups that no card drawn from is in, as written, each once.
pub(super) fn empty_groups(groups: &[&Group], population: &Population<'_>) -> Vec<String> {
    let mut empty: Vec<String> = Vec::new();
    for group in groups.iter().filter(|group| !group.cards.is_everything()) {
        let Ok(cards) = group.select(population.pool(), population.ids()) else {
            continue;
        };
        let shown = group.shown();
        let is_drawn = !cards.is_empty();
        if !is_drawn && !empty.contains(&shown) {
            empty.push(shown);
        }
    }
    empty
}

/// Why `seen` cards of the population cannot have the counts of a query, a sentence for each
/// count: the cards are too few, or the deck has too few cards of the group.
pub(super) fn out_of_reach(
    query: &HandQuery,
    population: &Population<'_>,
    seen: u32,
) -> Vec<String> {
    let mut least = Vec::new();
    least_counts(&query.root, &mut least);
    let mut sentences: Vec<String> = Vec::new();
    for (low, group) in least {
        let Ok(cards) = group.select(population.pool(), population.ids()) else {
            continue;
        };
        let held = population.cards().iter();
        let held = held.filter(|(card, _)| cards.has(*card));
        let held = if group.cards.is_everything() {
            population.size()
        } else {
            held.map(|(_, copies)| *copies).sum()
        };
        let shown = group.shown();
        let message = if low > seen {
            let seen = counted(i64::from(seen), "card");
            format!("the query needs {low} of `{shown}`, but only {seen} are seen")
        } else if low > held && held > 0 {
            let held = counted(i64::from(held), "card");
            format!("the query needs {low} of `{shown}`, but the deck has {held} of it")
        } else {
            continue;
        };
        if !sentences.contains(&message) {
            sentences.push(message);
        }
    }
    sentences
}

/// The least counts of groups, except under `not`.
fn least_counts<'h>(hand: &'h Hand, least: &mut Vec<(u32, &'h Group)>) {
    match hand {
        Hand::Any(parts) | Hand::All(parts) => {
            parts.iter().for_each(|part| least_counts(part, least));
        }
        Hand::Is(HandTest::Some(_, inner)) => least_counts(inner, least),
        Hand::Is(HandTest::Different(counts, _)) => {
            least.extend(counts.iter().map(|count| (count.low, &count.group)));
        }
        Hand::Is(HandTest::Count(count)) => least.push((count.low, &count.group)),
        Hand::Not(_) | Hand::Is(HandTest::Total { .. }) => {}
    }
}
