//! The odds of decks that are known only by how many cards of each kind they have.

use crate::odds::{self, Fraction, HandQuery, Keep, OddsError, Population, Request};
use crate::solve::answer::Answer;
use decklaw_cards::pool::{CardId, Pool};
use num_bigint::BigUint;
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::{Cell, RefCell};
use std::cmp::Ordering;

/// The least work that the odds of some counts take, in the units of
/// [`DEFAULT_WORK`](odds::DEFAULT_WORK): a deck of these counts is made first.
const LEAST_WORK: u64 = 2_000;

/// What the queries of a run see of a deck: cards that they do not distinguish are one kind.
pub(super) struct OddsByCounts<'a> {
    pool: &'a Pool,
    request: &'a Request,
    /// The kind of each card of the pool.
    pub(super) kinds: Vec<u32>,
    /// How many kinds there are.
    count: usize,
    /// Cards that the pool does not know; they stay.
    unknown_cards: u32,
    queries: Vec<QueryOdds<'a>>,
    /// The work that is left.
    left: Cell<u64>,
    /// Why the odds of some counts were not computed.
    refusal: RefCell<Option<OddsError>>,
}

/// One query, and its odds that are known. It distinguishes fewer kinds than all queries together,
/// so that many counts are the same to it.
struct QueryOdds<'a> {
    query: &'a HandQuery,
    /// The kind that this query sees, by kind of all queries.
    of_kind: Vec<u32>,
    /// A card of each kind that this query sees.
    examples: Vec<CardId>,
    known: RefCell<FxHashMap<Vec<i64>, Answer<Fraction>>>,
    /// The work of all of them together, and how many they are.
    work: Cell<(u64, u64)>,
}

/// A card of each kind.
fn examples(pool: &Pool, kinds: &[u32]) -> Vec<CardId> {
    let mut examples: Vec<CardId> = Vec::new();
    for (card, kind) in pool.ids().zip(kinds) {
        if *kind as usize == examples.len() {
            examples.push(card);
        }
    }
    examples
}

impl<'a> OddsByCounts<'a> {
    /// `work` is the most that all odds together may take.
    pub(super) fn new(
        pool: &'a Pool,
        queries: &'a [HandQuery],
        request: &'a Request,
        unknown_cards: u32,
        work: u64,
    ) -> Result<OddsByCounts<'a>, OddsError> {
        let keep = match &request.policy.keep {
            Keep::Query(query) => Some(query),
            Keep::Goal | Keep::Best => None,
        };
        let kinds = |queries: &'a [HandQuery]| {
            let asked: Vec<&HandQuery> = queries.iter().chain(keep).chain(&request.given).collect();
            odds::kinds(pool, &asked)
        };
        let all = kinds(queries)?;
        let of_all = examples(pool, &all);
        let one = |query: &'a HandQuery| {
            let own = kinds(std::slice::from_ref(query))?;
            Ok(QueryOdds {
                query,
                of_kind: of_all.iter().map(|card| own[card.index()]).collect(),
                examples: examples(pool, &own),
                known: RefCell::default(),
                work: Cell::new((LEAST_WORK, 1)),
            })
        };
        let queries: Result<Vec<QueryOdds<'a>>, OddsError> = queries.iter().map(one).collect();
        Ok(OddsByCounts {
            pool,
            request,
            kinds: all,
            count: of_all.len(),
            unknown_cards,
            queries: queries?,
            left: Cell::new(work),
            refusal: RefCell::new(None),
        })
    }

    /// How many kinds there are.
    pub(super) fn kinds(&self) -> usize {
        self.count
    }

    /// The work that is left.
    pub(super) fn left(&self) -> u64 {
        self.left.get()
    }

    /// Why the odds of some counts were not computed.
    pub(super) fn refusal(&self) -> Option<OddsError> {
        self.refusal.borrow().clone()
    }

    /// The odds of decks with these counts of each kind, by query. None: no such hand can be drawn.
    /// A limit: the work does not reach them.
    pub(super) fn reckon(
        &self,
        counts: &[&[i64]],
    ) -> Result<Vec<Answer<Vec<Fraction>>>, OddsError> {
        for query in &self.queries {
            query.learn(self, counts)?;
        }
        let each = counts.iter().map(|counts| {
            let known = self.queries.iter().map(|query| query.known(counts));
            let mut odds = Vec::with_capacity(self.queries.len());
            let mut is_open = false;
            for known in known {
                match known {
                    Answer::Found(fraction) => odds.push(fraction),
                    Answer::None => return Answer::None,
                    Answer::Limit => is_open = true,
                }
            }
            if is_open { Answer::Limit } else { Answer::Found(odds) }
        });
        Ok(each.collect())
    }

    /// About how much work the odds of these counts take that are not known yet.
    pub(super) fn expected_work(&self, counts: &[&[i64]]) -> u64 {
        let each = self.queries.iter().map(|query| {
            let unknown = query.unknown(counts).len() as u64;
            unknown.saturating_mul(query.mean_work())
        });
        each.fold(0, u64::saturating_add)
    }

    /// The odds of one query for a deck with these counts of its kinds, and the work of that.
    fn ask(
        pool: &Pool,
        (examples, unknown_cards): (&[CardId], u32),
        (query, request): (&HandQuery, &Request),
        counts: &[i64],
    ) -> Result<(Fraction, u64), OddsError> {
        let copies = counts.iter().map(|count| u32::try_from(*count).unwrap_or(0));
        let cards = examples.iter().copied().zip(copies);
        let population = Population::new(pool, cards, unknown_cards)?;
        let (answer, work) = odds::ask_counting(&population, query, request)?;
        Ok((answer.value, work))
    }

    /// An upper bound on the probability of the first query in any deck that differs by at most
    /// this many cards that go and as many that come; `size` is the number of cards that are drawn
    /// from. Where no card is seen that went or came, everything goes as before.
    pub(super) fn bound(&self, now: &Fraction, exchanges: u32, size: u32) -> Fraction {
        let one = || Fraction::new(1_u32.into(), 1_u32.into());
        let policy = &self.request.policy;
        if self.request.given.is_some() {
            return one();
        }
        let hands = match policy.mulligan {
            odds::Mulligan::None => 1,
            odds::Mulligan::Aside | odds::Mulligan::Shuffle => 1 + policy.limit,
        };
        let (hand, draws) = (self.request.hand, self.request.draws);
        // How likely no changed card is seen: a/b. It is least where all exchanges are used.
        let (mut a, mut b) = (BigUint::from(1_u32), BigUint::from(1_u32));
        for nth in 0..hands {
            let is_aside = nth > 0 && policy.mulligan == odds::Mulligan::Aside;
            let from = size.saturating_sub(if is_aside { hand } else { 0 });
            let seen = if nth + 1 == hands { hand + draws } else { hand };
            let seen = seen.min(from);
            a *= match from.checked_sub(exchanges) {
                Some(rest) if rest >= seen => odds::choose(rest, seen),
                _ => BigUint::ZERO,
            };
            b *= odds::choose(from, seen);
        }
        let most = plus(now, &Fraction::new(&b - a, b));
        match order(&most, &one()) {
            Ordering::Less => most,
            Ordering::Equal | Ordering::Greater => one(),
        }
    }
}

impl QueryOdds<'_> {
    /// Counts of all kinds as this query sees them.
    fn seen(&self, counts: &[i64]) -> Vec<i64> {
        let mut seen = vec![0; self.examples.len()];
        for (kind, count) in self.of_kind.iter().zip(counts) {
            seen[*kind as usize] += count;
        }
        seen
    }

    fn mean_work(&self) -> u64 {
        let (sum, count) = self.work.get();
        sum / count
    }

    fn known(&self, counts: &[i64]) -> Answer<Fraction> {
        let known = self.known.borrow();
        known.get(&self.seen(counts)).cloned().unwrap_or(Answer::Limit)
    }

    /// Those of some counts whose odds are not known, as this query sees them.
    fn unknown(&self, counts: &[&[i64]]) -> Vec<Vec<i64>> {
        let known = self.known.borrow();
        let mut new: FxHashSet<Vec<i64>> = FxHashSet::default();
        let each = counts.iter().map(|counts| self.seen(counts));
        each.filter(|seen| !known.contains_key(seen) && new.insert(seen.clone())).collect()
    }

    /// Computes the odds of some counts, as far as the work goes. How many are computed at once
    /// follows from the work that is left, so that the same counts are reached on every machine.
    fn learn(&self, all: &OddsByCounts<'_>, counts: &[&[i64]]) -> Result<(), OddsError> {
        /// This many at once keep processors busy.
        const BATCH: u64 = 256;
        let unknown = self.unknown(counts);
        let mut rest = &unknown[..];
        while !rest.is_empty() {
            let left = all.left.get();
            if left == 0 && all.refusal.borrow().is_some() {
                break;
            }
            // Some take more than the mean.
            let batch = (left / 4 / self.mean_work()).clamp(1, BATCH);
            let (now, later) = rest.split_at(rest.len().min(batch as usize));
            rest = later;
            let most = left.min(all.request.work);
            let request = Request { work: most, ..all.request.clone() };
            let (pool, query, examples) = (all.pool, self.query, &self.examples[..]);
            let cards = (examples, all.unknown_cards);
            let each: Vec<Result<(Fraction, u64), OddsError>> = now
                .par_iter()
                .map(|counts| OddsByCounts::ask(pool, cards, (query, &request), counts))
                .collect();
            for (counts, asked) in now.iter().zip(each) {
                let (known, work) = match asked {
                    Ok((fraction, work)) => (Answer::Found(fraction), work.max(LEAST_WORK)),
                    Err(OddsError::NoHand(_)) => (Answer::None, LEAST_WORK),
                    Err(error @ OddsError::Limit { .. }) => {
                        all.refusal.borrow_mut().get_or_insert(error);
                        (Answer::Limit, most)
                    }
                    Err(error) => return Err(error),
                };
                let (sum, count) = self.work.get();
                self.work.set((sum.saturating_add(work), count + 1));
                all.left.set(all.left.get().saturating_sub(work));
                self.known.borrow_mut().insert(counts.clone(), known);
            }
        }
        Ok(())
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
