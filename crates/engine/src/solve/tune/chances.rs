//! The odds of decks that are known only by how many cards of each kind they have.

use super::TuneError;
use crate::odds::{self, Fraction, HandQuery, Keep, OddsError, Population, Request};
use decklaw_core::pool::{CardId, Pool};
use num_bigint::BigUint;
use std::cmp::Ordering;

/// What the queries of a run see of a deck: cards that they do not distinguish are one kind.
pub(super) struct OddsByCounts<'a> {
    pool: &'a Pool,
    queries: &'a [HandQuery],
    request: &'a Request,
    /// The kind of each card of the pool.
    pub(super) kinds: Vec<u32>,
    /// A card of each kind.
    examples: Vec<CardId>,
    /// Cards that the pool does not know; they stay.
    unknown_cards: u32,
}

impl<'a> OddsByCounts<'a> {
    pub(super) fn new(
        pool: &'a Pool,
        queries: &'a [HandQuery],
        request: &'a Request,
        unknown_cards: u32,
    ) -> Result<OddsByCounts<'a>, TuneError> {
        let keep = match &request.policy.keep {
            Keep::Query(query) => Some(query),
            Keep::Goal | Keep::Best => None,
        };
        let asked: Vec<&HandQuery> = queries.iter().chain(keep).chain(&request.given).collect();
        let kinds = odds::kinds(pool, &asked)?;
        let mut examples: Vec<CardId> = Vec::new();
        for (card, kind) in pool.ids().zip(&kinds) {
            if *kind as usize == examples.len() {
                examples.push(card);
            }
        }
        Ok(OddsByCounts {
            pool,
            queries,
            request,
            kinds,
            examples,
            unknown_cards,
        })
    }

    /// How many kinds there are.
    pub(super) fn kinds(&self) -> usize {
        self.examples.len()
    }

    /// The probability of each query for a deck with these counts of each kind; `None` where no
    /// such hand can be drawn from it.
    pub(super) fn each(&self, counts: &[i64]) -> Result<Option<Vec<Fraction>>, TuneError> {
        let copies = counts
            .iter()
            .map(|count| u32::try_from(*count).unwrap_or(0));
        let cards = self.examples.iter().copied().zip(copies);
        let drawn = Population::new(self.pool, cards, self.unknown_cards);
        let mut found = Vec::with_capacity(self.queries.len());
        for query in self.queries {
            let asked = match &drawn {
                Ok(population) => odds::ask_counting(population, query, self.request),
                Err(error) => Err(error.clone()),
            };
            match asked.map(|(answer, _)| answer.value) {
                Ok(fraction) => found.push(fraction),
                Err(
                    OddsError::NoCards
                    | OddsError::TooManyCards { .. }
                    | OddsError::HandTooLarge { .. }
                    | OddsError::TooFewToSetAside { .. }
                    | OddsError::NeverGiven { .. },
                ) => return Ok(None),
                Err(error) => return Err(error.into()),
            }
        }
        Ok(Some(found))
    }

    /// How much work it takes to say that, or 0 where it cannot be said.
    pub(super) fn work(&self, counts: &[i64]) -> u64 {
        let copies = counts
            .iter()
            .map(|count| u32::try_from(*count).unwrap_or(0));
        let cards = self.examples.iter().copied().zip(copies);
        let Ok(population) = Population::new(self.pool, cards, self.unknown_cards) else {
            return 0;
        };
        let asked = |query| odds::ask_counting(&population, query, self.request);
        let each = self.queries.iter().filter_map(|query| asked(query).ok());
        each.map(|(_, work)| work).fold(0, u64::saturating_add)
    }

    /// An upper bound on the probability of any deck that differs by this many cards, of as many
    /// cards in all: where no card that changed is seen, everything goes as before.
    pub(super) fn bound(&self, now: &Fraction, exchanges: u32, size: u32) -> Fraction {
        let one = || Fraction::new(1_u32.into(), 1_u32.into());
        if self.request.given.is_some() || self.queries.len() > 1 {
            return one();
        }
        let hands = 1 + match self.request.policy.mulligan {
            odds::Mulligan::None => 0,
            odds::Mulligan::Aside | odds::Mulligan::Shuffle => self.request.policy.limit,
        };
        let (hand, draws) = (self.request.hand, self.request.draws);
        // Each hand for itself, the last with its draws: their sum is at least what it is.
        let mut sum = now.clone();
        for nth in 0..hands {
            let seen = if nth + 1 == hands { hand + draws } else { hand };
            let seen = seen.min(size);
            let all = odds::choose(size, seen);
            let none = match size.checked_sub(exchanges) {
                Some(rest) if rest >= seen => odds::choose(rest, seen),
                _ => BigUint::ZERO,
            };
            sum = plus(&sum, &Fraction::new(&all - none, all));
        }
        match order(&sum, &one()) {
            Ordering::Less => sum,
            Ordering::Equal | Ordering::Greater => one(),
        }
    }
}

fn plus(one: &Fraction, other: &Fraction) -> Fraction {
    let (a, b) = (one.denominator(), other.denominator());
    Fraction::new(one.numerator() * b + other.numerator() * a, a * b)
}

/// The order of two fractions.
pub(super) fn order(one: &Fraction, other: &Fraction) -> Ordering {
    let left = one.numerator() * other.denominator();
    left.cmp(&(other.numerator() * one.denominator()))
}

/// The order of two scores.
pub(super) fn rank(one: &[Fraction], other: &[Fraction]) -> Ordering {
    let parts = one.iter().zip(other).map(|(one, other)| order(one, other));
    parts.fold(Ordering::Equal, Ordering::then)
}
