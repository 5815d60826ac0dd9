//! Sample hands.

use super::conditions::Conditions;
use super::wrong;
use super::{DEFAULT_MEMORY, HandQuery, OddsError, Population, wrong_query};
use decklaw_text::Problem;
use serde::Serialize;

/// The most hands that are dealt at once.
const MOST_DEALS: u32 = 10_000;

/// A sample hand.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Deal {
    /// The cards in the order drawn.
    pub cards: Vec<String>,
    /// Whether the hand satisfies each query.
    pub satisfies: Vec<bool>,
}

/// Deals hands from the shuffled population: the same for the same seed, on every machine.
///
/// # Errors
/// A hand larger than the population, more than 10,000 hands, a query that cannot be asked.
pub fn deals(
    population: &Population<'_>,
    queries: &[String],
    hand: u32,
    count: u32,
    seed: &str,
) -> Result<Vec<Deal>, Problem> {
    let size = population.size();
    if hand > size {
        return Err(OddsError::too_large_a_hand(hand, size).into());
    }
    if count > MOST_DEALS {
        let message = format!("{count} sample hands are too many; at most {MOST_DEALS} are dealt");
        return Err(wrong(message, ""));
    }
    let mut conditions = Conditions::of(population, DEFAULT_MEMORY);
    let mut formulas = Vec::new();
    for text in queries {
        let formula = HandQuery::parse(text).and_then(|query| conditions.add(&query));
        formulas.push(formula.map_err(|error| wrong_query("the query", text, &error))?);
    }
    let known = population.cards();
    let copies = known.iter().map(|(_, copies)| *copies);
    let copies = copies.chain([population.unknown()]).enumerate();
    let mut deck: Vec<usize> =
        copies.flat_map(|(place, copies)| std::iter::repeat_n(place, copies as usize)).collect();
    let mut random = SplitMix64::seeded(seed);
    let name = |place: &usize| match known.get(*place) {
        Some((card, _)) => population.pool().name(*card).to_owned(),
        None => "a card unknown to the pool".to_owned(),
    };
    let mut deal = || {
        random.shuffle_front(&mut deck, hand as usize);
        let cards = &deck[..hand as usize];
        let holds = |at: usize| {
            let sum = &conditions.sums[at];
            sum.holds(cards.iter().map(|place| i128::from(sum.weights[*place])).sum())
        };
        let satisfies = formulas.iter().map(|formula| formula.holds(&holds));
        Deal { cards: cards.iter().map(name).collect(), satisfies: satisfies.collect() }
    };
    Ok((0..count).map(|_| deal()).collect())
}

/// The generator SplitMix64, seeded by a text. For samples only: it is predictable.
#[derive(Debug, Clone)]
pub(super) struct SplitMix64(u64);

impl SplitMix64 {
    pub(super) fn seeded(text: &str) -> SplitMix64 {
        let digest = decklaw_text::digest::sha256(text.as_bytes());
        let first = digest.get(..16).unwrap_or("0");
        SplitMix64(u64::from_str_radix(first, 16).unwrap_or(0))
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `bound`, each equally likely; 0 if the bound is 0.
    pub(super) fn below(&mut self, bound: u32) -> u32 {
        if bound == 0 {
            return 0;
        }
        let bound = u64::from(bound);
        let fair = u64::MAX - u64::MAX % bound;
        loop {
            let number = self.next();
            if number < fair {
                return (number % bound) as u32;
            }
        }
    }

    /// Moves `count` random cards to the front.
    fn shuffle_front<T>(&mut self, cards: &mut [T], count: usize) {
        for at in 0..count.min(cards.len()) {
            let other = at + self.below((cards.len() - at) as u32) as usize;
            cards.swap(at, other);
        }
    }
}
