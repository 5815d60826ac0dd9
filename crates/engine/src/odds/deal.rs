//! Sample hands.

use super::Part;
use super::condition::Conditions;
use super::dice::Dice;
use super::{HandQuery, OddsError, Population};

/// The most hands that are dealt at once.
const MOST_DEALS: u32 = 10_000;

/// A hand dealt as a sample.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Deal {
    /// The cards in the order drawn.
    pub cards: Vec<String>,
    /// Of each query whether the hand satisfies it.
    pub satisfies: Vec<bool>,
}

/// Deals hands from the shuffled population: the same for the same seed, on every machine.
///
/// # Errors
/// A hand larger than the population, more than 10,000 hands, a query that does not fit.
pub fn deals(
    population: &Population<'_>,
    queries: &[&str],
    hand: u32,
    count: u32,
    seed: &str,
) -> Result<Vec<Deal>, OddsError> {
    let size = population.size();
    if hand > size {
        return Err(OddsError::HandTooLarge { hand, size });
    }
    if count > MOST_DEALS {
        return Err(OddsError::TooManyDeals { count });
    }
    let mut conditions = Conditions::of(population);
    let mut formulas = Vec::new();
    for text in queries {
        let formula = HandQuery::parse(text).and_then(|query| conditions.add(&query));
        formulas.push(formula.map_err(|error| OddsError::query(Part::Query, text, error))?);
    }
    let known = population.cards();
    let mut deck: Vec<usize> = Vec::with_capacity(size as usize);
    for (place, (_, copies)) in known.iter().enumerate() {
        deck.extend(std::iter::repeat_n(place, *copies as usize));
    }
    deck.extend(std::iter::repeat_n(
        known.len(),
        population.strangers() as usize,
    ));
    let mut dice = Dice::seeded(seed);
    let name = |place: &usize| match known.get(*place) {
        Some((card, _)) => population.pool().name(*card).to_owned(),
        None => "a card unknown to the pool".to_owned(),
    };
    let mut dealt = Vec::new();
    for _ in 0..count {
        dice.deal(&mut deck, hand as usize);
        let cards = &deck[..hand as usize];
        let holds = |tally: usize| {
            let tally = &conditions.tallies[tally];
            let adds = cards.iter().map(|place| i128::from(tally.weights[*place]));
            tally.holds(adds.sum())
        };
        dealt.push(Deal {
            cards: cards.iter().map(name).collect(),
            satisfies: formulas
                .iter()
                .map(|formula| formula.holds(&holds))
                .collect(),
        });
    }
    Ok(dealt)
}
