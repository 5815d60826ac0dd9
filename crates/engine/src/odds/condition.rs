//! A hand query checked against a pool: a formula over totals of numbers on cards.
//!
//! Whatever a query asks comes down to one kind of condition, a [`Tally`]: each card has a
//! number, and the sum over the hand lies within bounds. A count gives each card of its group
//! a 1; `some` is an *or* over a field's values; `different` is Hall's condition.

use super::Population;
use super::chart::MEMORY;
use decklaw_core::pool::{CardSet, Column, FieldKind, Pool};
use decklaw_core::query::hand::{Count, FieldName, Group, Hand, HandTest};
use decklaw_core::query::{Comparison, HandQuery, QueryError, TotalQuery, no_field};
use decklaw_core::text::{Span, counted};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// The most values over which `some` goes.
const MOST_VALUES: usize = 100;
/// The most counts in one `different`.
const MOST_DIFFERENT: usize = 8;
/// The most conditions once `some` and `different` are written out.
const MOST_TALLIES: usize = 4000;
/// What writing them out may take: looking at a card of the pool is 1, and each part is [`PART`],
/// told apart from others or not. What stands in one another multiplies.
const MOST_WORK: u64 = 200_000_000;
const PART: u64 = 10_000;

/// Whether the query can be asked of these cards.
///
/// # Errors
/// An unknown field or card, a comparison that the field does not allow, a `sum` over what
/// is no number, `some` over more than 100 values or `different` with more than 8 counts.
pub fn check(query: &HandQuery, population: &Population<'_>) -> Result<(), QueryError> {
    Conditions::of(population).add(query).map(|_| ())
}

/// Its groups, as written, that no card drawn from is in; each once.
pub(crate) fn empty_groups_of_hand(query: &HandQuery, population: &Population<'_>) -> Vec<String> {
    empty_groups(&query.root.groups(), population)
}

/// Why no `seen` cards of the population can hold what it counts, a sentence each: they are
/// too few, or the deck has too few of a group.
pub(crate) fn out_of_reach(
    query: &HandQuery,
    population: &Population<'_>,
    seen: u32,
) -> Vec<String> {
    let mut wanted = Vec::new();
    wanted_by(&query.root, &mut wanted);
    let mut told: Vec<String> = Vec::new();
    for (low, group) in wanted {
        let Ok(cards) = group.cards.select(population.pool()) else {
            continue;
        };
        let held = population.cards().iter();
        let held = held.filter(|(card, _)| cards.has(*card));
        let held = match group.cards.is_everything() {
            true => population.size(),
            false => held.map(|(_, copies)| *copies).sum(),
        };
        let shown = group.shown();
        let message = if low > seen {
            let seen = counted(i64::from(seen), "card");
            format!("{low} of `{shown}` are asked of {seen}")
        } else if low > held && held > 0 {
            let held = counted(i64::from(held), "card");
            format!("{low} of `{shown}` are asked for, and the deck has {held} of it")
        } else {
            continue;
        };
        if !told.contains(&message) {
            told.push(message);
        }
    }
    told
}

/// The least numbers that a hand has to hold of groups, wherever nothing says not to.
fn wanted_by<'h>(hand: &'h Hand, wanted: &mut Vec<(u32, &'h Group)>) {
    match hand {
        Hand::Any(parts) | Hand::All(parts) => {
            parts.iter().for_each(|part| wanted_by(part, wanted));
        }
        Hand::Is(HandTest::Some(_, inner)) => wanted_by(inner, wanted),
        Hand::Is(HandTest::Different(counts, _)) => {
            wanted.extend(counts.iter().map(|count| (count.low, &count.group)));
        }
        Hand::Is(HandTest::Count(count)) => wanted.push((count.low, &count.group)),
        Hand::Not(_) | Hand::Is(HandTest::Total { .. }) => {}
    }
}

/// What each card of the population adds, strangers (always 0) last.
pub(crate) fn weights(
    query: &TotalQuery,
    population: &Population<'_>,
) -> Result<Vec<i64>, QueryError> {
    Conditions::of(population).total(&query.field, query.group.as_ref(), None)
}

/// Its groups, as written, that no card drawn from is in; each once.
pub(crate) fn empty_groups_of_total(
    query: &TotalQuery,
    population: &Population<'_>,
) -> Vec<String> {
    let groups: Vec<&Group> = query.group.iter().collect();
    empty_groups(&groups, population)
}

fn empty_groups(groups: &[&Group], population: &Population<'_>) -> Vec<String> {
    let mut empty: Vec<String> = Vec::new();
    for group in groups.iter().filter(|group| !group.cards.is_everything()) {
        let Ok(cards) = group.cards.select(population.pool()) else {
            continue;
        };
        let shown = group.shown();
        let drawn = population.cards().iter().any(|(card, _)| cards.has(*card));
        if !drawn && !empty.contains(&shown) {
            empty.push(shown);
        }
    }
    empty
}

/// The sum over a hand of each card's number is in `low..=high`, or is not if `outside`.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Tally {
    /// By place in the population; last, that of a card the pool does not know.
    pub(crate) weights: Vec<i64>,
    pub(crate) low: i128,
    pub(crate) high: i128,
    pub(crate) outside: bool,
}

impl Tally {
    pub(crate) fn holds(&self, sum: i128) -> bool {
        (self.low <= sum && sum <= self.high) != self.outside
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Formula {
    Is(bool),
    Tally(usize),
    All(Vec<Formula>),
    Any(Vec<Formula>),
    Not(Box<Formula>),
}

impl Formula {
    /// Whether it holds when the tallies do as told.
    pub(crate) fn holds(&self, tally: &impl Fn(usize) -> bool) -> bool {
        match self {
            Formula::Is(known) => *known,
            Formula::Tally(at) => tally(*at),
            Formula::All(parts) => parts.iter().all(|part| part.holds(tally)),
            Formula::Any(parts) => parts.iter().any(|part| part.holds(tally)),
            Formula::Not(part) => !part.holds(tally),
        }
    }
}

/// Hand queries over one population, compiled side by side so that they share their tallies.
pub(crate) struct Conditions<'p> {
    population: &'p Population<'p>,
    pub(crate) tallies: Vec<Tally>,
    known: FxHashMap<Tally, usize>,
    /// Bytes that conditions may still hold.
    memory: u64,
    /// What writing them out may still take, see [`MOST_WORK`].
    work: u64,
    /// The groups met, as written, and which cards they have: for showing the work.
    pub(crate) groups: Vec<(String, Vec<bool>)>,
}

impl<'p> Conditions<'p> {
    pub(crate) fn of(population: &'p Population<'p>) -> Conditions<'p> {
        Conditions {
            population,
            tallies: Vec::new(),
            known: FxHashMap::default(),
            memory: MEMORY,
            work: MOST_WORK,
            groups: Vec::new(),
        }
    }

    /// Adds a query; its formula speaks of the tallies by number.
    pub(crate) fn add(&mut self, query: &HandQuery) -> Result<Formula, QueryError> {
        self.formula(&query.root, None)
    }

    /// Which cards the group of a query has that is one count; see [`Conditions::members`].
    pub(crate) fn members_of(&mut self, query: &HandQuery) -> Option<Vec<bool>> {
        match &query.root {
            Hand::Is(HandTest::Count(count)) => self.members(&count.group, None).ok(),
            _ => None,
        }
    }

    /// Before a part is made, or a set of cards of the pool.
    fn spend(&mut self, work: u64, span: Span) -> Result<(), QueryError> {
        let left = self.work.checked_sub(work).ok_or_else(|| {
            let message = "too many conditions once written out: `some` and `different` stand in \
                           one another too often; ask for less at a time";
            QueryError::at(message, span)
        })?;
        self.work = left;
        Ok(())
    }

    fn formula(&mut self, hand: &Hand, within: Option<&CardSet>) -> Result<Formula, QueryError> {
        match hand {
            Hand::All(parts) => {
                let parts = parts.iter().map(|part| self.formula(part, within));
                Ok(Formula::All(parts.collect::<Result<_, _>>()?))
            }
            Hand::Any(parts) => {
                let parts = parts.iter().map(|part| self.formula(part, within));
                Ok(Formula::Any(parts.collect::<Result<_, _>>()?))
            }
            Hand::Not(part) => Ok(Formula::Not(Box::new(self.formula(part, within)?))),
            Hand::Is(HandTest::Some(field, inner)) => {
                let pool = self.population.pool().len() as u64;
                let values = self.values(field)?;
                self.spend(values.len() as u64 * pool, field.span)?;
                if values.is_empty() {
                    // Still checked, so that a wrong query is wrong for every deck.
                    self.formula(inner, Some(&CardSet::default()))?;
                }
                let mut either = Vec::new();
                for mut cards in values {
                    if let Some(within) = within {
                        self.spend(pool, field.span)?;
                        let both = |card| within.has(card) && cards.has(card);
                        cards = CardSet::of(self.population.pool().len(), both);
                    }
                    either.push(self.formula(inner, Some(&cards))?);
                }
                Ok(Formula::Any(either))
            }
            Hand::Is(HandTest::Different(counts, span)) => self.different(counts, *span, within),
            Hand::Is(HandTest::Count(count)) => {
                let members = self.members(&count.group, within)?;
                self.count(&members, count.low, count.high, count.group.span)
            }
            Hand::Is(HandTest::Total {
                field,
                group,
                comparison,
                number,
            }) => {
                let weights = self.total(field, group.as_ref(), within)?;
                let number = i128::from(*number);
                let (low, high) = match comparison {
                    Comparison::Less => (i128::MIN, number - 1),
                    Comparison::AtMost => (i128::MIN, number),
                    Comparison::More => (number + 1, i128::MAX),
                    Comparison::AtLeast => (number, i128::MAX),
                    Comparison::Is | Comparison::Equal | Comparison::NotEqual => (number, number),
                };
                let outside = *comparison == Comparison::NotEqual;
                let tally = Tally {
                    weights,
                    low,
                    high,
                    outside,
                };
                self.tally(tally, field.span)
            }
        }
    }

    fn count(
        &mut self,
        members: &[bool],
        low: u32,
        high: Option<u32>,
        span: Span,
    ) -> Result<Formula, QueryError> {
        let tally = Tally {
            weights: members.iter().map(|member| i64::from(*member)).collect(),
            low: low.into(),
            high: high.map_or(i128::MAX, i128::from),
            outside: false,
        };
        self.tally(tally, span)
    }

    fn tally(&mut self, tally: Tally, span: Span) -> Result<Formula, QueryError> {
        self.spend(PART, span)?;
        if tally.weights.iter().all(|weight| *weight == 0) {
            return Ok(Formula::Is(tally.holds(0)));
        }
        if let Some(at) = self.known.get(&tally) {
            return Ok(Formula::Tally(*at));
        }
        let at = self.tallies.len();
        if at >= MOST_TALLIES {
            let message = format!("too many conditions once written out; at most {MOST_TALLIES}");
            return Err(QueryError { message, span });
        }
        // Each stands here twice, and twice again once the deck is told apart by it.
        let cards = tally.weights.len();
        let bytes = 4 * (size_of::<Tally>() + size_of::<i64>() * cards) as u64;
        self.hold(bytes, span)?;
        self.known.insert(tally.clone(), at);
        self.tallies.push(tally);
        Ok(Formula::Tally(at))
    }

    fn hold(&mut self, bytes: u64, span: Span) -> Result<(), QueryError> {
        let Some(left) = self.memory.checked_sub(bytes) else {
            let message = format!(
                "too many conditions for a deck of {}; ask for less at a time",
                counted(self.population.cards().len() as i64, "different card")
            );
            return Err(QueryError::at(message, span));
        };
        self.memory = left;
        Ok(())
    }

    /// Each count holds, and no card is needed twice: by Hall's theorem, any of the groups
    /// together have as many cards as they ask for together.
    fn different(
        &mut self,
        counts: &[Count],
        span: Span,
        within: Option<&CardSet>,
    ) -> Result<Formula, QueryError> {
        if counts.len() > MOST_DIFFERENT {
            let message = format!("`different` takes at most {MOST_DIFFERENT} counts");
            return Err(QueryError { message, span });
        }
        let groups = counts
            .iter()
            .map(|count| self.members(&count.group, within));
        let groups: Vec<Vec<bool>> = groups.collect::<Result<_, _>>()?;
        let mut all = Vec::new();
        for (count, members) in counts.iter().zip(&groups) {
            if count.high.is_some() {
                all.push(self.count(members, count.low, count.high, span)?);
            }
        }
        for chosen in 1_u32..1 << counts.len() {
            let mut union = vec![false; self.population.cards().len() + 1];
            let mut wanted = 0_u32;
            for (at, count) in counts.iter().enumerate() {
                if chosen >> at & 1 == 1 {
                    wanted = wanted.saturating_add(count.low);
                    for (together, member) in union.iter_mut().zip(&groups[at]) {
                        *together |= member;
                    }
                }
            }
            if wanted > 0 {
                all.push(self.count(&union, wanted, None, span)?);
            }
        }
        Ok(Formula::All(all))
    }

    /// Which cards of the population a group has; last, whether a card unknown to the pool.
    fn members(
        &mut self,
        group: &Group,
        within: Option<&CardSet>,
    ) -> Result<Vec<bool>, QueryError> {
        let pool = self.population.pool();
        self.spend(pool.len() as u64, group.span)?;
        let cards = group.select(pool)?;
        let inside = |card| cards.has(card) && within.is_none_or(|within| within.has(card));
        let known = self.population.cards().iter();
        let mut members: Vec<bool> = known.map(|(card, _)| inside(*card)).collect();
        let stranger = group.cards.is_everything() && within.is_none();
        members.push(stranger && self.population.strangers() > 0);
        let text = group.shown();
        if within.is_none() && !self.groups.iter().any(|(known, _)| *known == text) {
            self.hold(members.len() as u64, group.span)?;
            self.groups.push((text, members.clone()));
        }
        Ok(members)
    }

    fn total(
        &mut self,
        field: &FieldName,
        group: Option<&Group>,
        within: Option<&CardSet>,
    ) -> Result<Vec<i64>, QueryError> {
        let pool = self.population.pool();
        match known_field(pool, field)? {
            Some(FieldKind::Number { .. }) => {}
            _ => {
                let message = format!("`{}` is not a number, so it has no sum", field.name);
                let span = field.span;
                return Err(QueryError { message, span });
            }
        }
        let members = match group {
            Some(group) => Some(self.members(group, within)?),
            None => None,
        };
        let cards = self.population.cards().iter().enumerate();
        let mut weights: Vec<i64> = cards
            .map(|(at, (card, _))| {
                let counted = match &members {
                    Some(members) => members[at],
                    None => within.is_none_or(|within| within.has(*card)),
                };
                pool.number(*card, &field.name)
                    .filter(|_| counted)
                    .unwrap_or(0)
            })
            .collect();
        weights.push(0);
        Ok(weights)
    }

    /// The cards that share a value of a field, for every value in the population.
    fn values(&self, field: &FieldName) -> Result<Vec<CardSet>, QueryError> {
        let pool = self.population.pool();
        let kind = known_field(pool, field)?;
        let cards = || self.population.cards().iter().map(|(card, _)| *card);
        let mut words = BTreeSet::new();
        let mut numbers = BTreeSet::new();
        match (kind, pool.column(&field.name)) {
            (None, _) => words.extend(cards().map(|card| pool.folded(card))),
            (Some(_), Some(Column::Number(cells))) => {
                numbers.extend(cards().filter_map(|card| cells[card.index()]));
            }
            (Some(_), Some(_)) => {
                words.extend(cards().flat_map(|card| {
                    let words = pool.words(card, &field.name).iter();
                    words.map(|word| &**word)
                }));
            }
            (Some(_), None) => {}
        }
        let found = words.len() + numbers.len();
        if found > MOST_VALUES {
            let message = format!(
                "`{}` has {found} values in this deck; `some` goes over at most {MOST_VALUES}",
                field.name
            );
            let span = field.span;
            return Err(QueryError { message, span });
        }
        let of_word = words.iter().map(|word| {
            CardSet::of(pool.len(), |card| match kind {
                None => pool.folded(card) == *word,
                Some(_) => pool
                    .words(card, &field.name)
                    .iter()
                    .any(|other| **other == **word),
            })
        });
        let of_number = numbers.iter().map(|number| {
            CardSet::of(pool.len(), |card| {
                pool.number(card, &field.name) == Some(*number)
            })
        });
        Ok(of_word.chain(of_number).collect())
    }
}

/// What a field holds; `None` for `name`, which every card has.
fn known_field<'p>(pool: &'p Pool, field: &FieldName) -> Result<Option<&'p FieldKind>, QueryError> {
    if field.name == "name" {
        return Ok(None);
    }
    let known = pool.fields().iter().find(|known| known.name == field.name);
    known.map(|known| Some(&known.kind)).ok_or_else(|| {
        let message = no_field(&field.name, pool.fields());
        QueryError::at(message, field.span)
    })
}
