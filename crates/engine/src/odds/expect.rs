//! The whole distribution of a total over the kept hand and the draws, and its mean.

use super::atoms::Atoms;
use super::chain::{Chain, Mulligan};
use super::chart::{Budget, TooMuchWork};
use super::number::{Choices, Fraction, choose};
use num_bigint::{BigInt, BigUint, Sign};
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::fmt;

/// A mean, exact; unlike a probability it may be negative.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mean {
    negative: bool,
    size: Fraction,
}

impl Mean {
    /// The nearest double.
    pub fn nearest(&self) -> f64 {
        let size = self.size.nearest();
        if self.negative { -size } else { size }
    }
}

impl fmt::Display for Mean {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.negative { "-" } else { "" };
        write!(out, "{sign}{}", self.size)
    }
}

/// Every value that a total may have, with its probability; they add up to exactly 1.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Distribution {
    /// Ascending by value.
    pub values: Vec<(i128, Fraction)>,
    /// The mean of the values.
    pub mean: Mean,
}

impl Distribution {
    fn new(ways: &BTreeMap<i128, BigUint>, total: &BigUint) -> Distribution {
        let values = ways.iter().filter(|(_, ways)| **ways != BigUint::ZERO);
        let values =
            values.map(|(value, ways)| (*value, Fraction::new(ways.clone(), total.clone())));
        let mut sum = BigInt::ZERO;
        for (value, ways) in ways {
            sum += BigInt::from(*value) * BigInt::from(ways.clone());
        }
        Distribution {
            values: values.collect(),
            mean: Mean {
                negative: sum.sign() == Sign::Minus,
                size: Fraction::new(sum.magnitude().clone(), total.clone()),
            },
        }
    }
}

type Ways = BTreeMap<i128, BigUint>;

/// The total's distribution over the kept hand and each of the chain's draws. `adds` has what
/// a card of each atom adds; a card of the rest adds nothing. On keeping, the cards that add
/// least are bottomed. `None`: what is given never happens.
pub(crate) fn distributions(
    chain: &Chain<'_>,
    adds: &[i64],
    budget: &mut Budget,
) -> Result<Option<Vec<Distribution>>, TooMuchWork> {
    let atoms = chain.atoms;
    let limit = chain.bottom.len() - 1;
    let size = atoms.total();
    if limit == 0 && chain.bottom[0] == 0 && chain.given.is_none() {
        let each = chain.draws.iter().map(|draws| {
            let cards = chain.hand + draws;
            let ways = spread(&atoms.sizes, atoms.rest, adds, cards, budget)?;
            Ok(Distribution::new(&ways, &choose(size, cards)))
        });
        return each.collect::<Result<_, _>>().map(Some);
    }
    let hands = chain.hands(budget)?;
    let cells = u64::from(size) * u64::from(chain.hand + 1);
    budget.spend(cells.saturating_mul(10))?;
    let number = 40 + choose(size, chain.hand.min(size / 2)).bits() / 8;
    let masses = 2 * hands.len() as u64 * (chain.bottom.len() as u64 + 1);
    budget.hold((cells + masses).saturating_mul(number))?;
    let choices: Choices<BigUint> = Choices::new(size, chain.hand);
    let redeals = match chain.mulligan {
        Mulligan::Aside => choose(size - chain.hand, chain.hand),
        Mulligan::None | Mulligan::Shuffle => choose(size, chain.hand),
    };
    let given = |hand: usize| {
        chain
            .given
            .is_none_or(|given| given.holds(hands.counts(hand)))
    };
    let keeps = |hand: usize| chain.keep.is_none_or(|keep| keep.holds(hands.counts(hand)));
    let first = |hand: usize| hands.ways(&choices, &atoms.sizes, atoms.rest, hand);
    let mut mass: Vec<BigUint> = (0..hands.len())
        .map(|hand| {
            if given(hand) {
                first(hand)
            } else {
                BigUint::ZERO
            }
        })
        .collect();
    let dealt: BigUint = mass.iter().sum();
    if dealt == BigUint::ZERO {
        return Ok(None);
    }
    let mut sums: Vec<Ways> = vec![Ways::new(); chain.draws.len()];
    let mut scale = (0..limit).fold(BigUint::from(1_u32), |scale, _| scale * &redeals);
    let total = &dealt * &scale;
    let mut deck = Vec::new();
    for (taken, bottom) in chain.bottom.iter().enumerate() {
        let mut next = vec![BigUint::ZERO; hands.len()];
        let mut away = BigUint::ZERO;
        for (hand, mass) in mass.iter().enumerate() {
            if *mass == BigUint::ZERO {
                continue;
            }
            let rest = hands.without(atoms, hand, &mut deck);
            if taken == limit || keeps(hand) {
                let held = best_held(hands.counts(hand), hands.rest(hand), adds, *bottom);
                let weight = mass * &scale;
                for (sums, draws) in sums.iter_mut().zip(chain.draws) {
                    for (value, ways) in spread(&deck, rest, adds, *draws, budget)? {
                        *sums.entry(held + value).or_default() += ways * &weight;
                    }
                }
            } else if chain.mulligan == Mulligan::Aside {
                budget.spend(hands.len() as u64 * (10 + 5 * atoms.len() as u64))?;
                for (other, next) in next.iter_mut().enumerate() {
                    *next += mass * hands.ways(&choices, &deck, rest, other);
                }
            } else {
                away += mass;
            }
        }
        if away != BigUint::ZERO {
            for (other, next) in next.iter_mut().enumerate() {
                *next += &away * first(other);
            }
        }
        mass = next;
        if taken < limit {
            scale /= &redeals;
        }
    }
    let left = size - chain.hand;
    let each = sums.iter().zip(chain.draws);
    Ok(Some(
        each.map(|(ways, draws)| Distribution::new(ways, &(&total * choose(left, *draws))))
            .collect(),
    ))
}

/// The total of a hand without the `bottom` cards that add least.
fn best_held(counts: &[u32], rest: u32, adds: &[i64], bottom: u32) -> i128 {
    let mut held: Vec<(i64, u32)> = adds.iter().copied().zip(counts.iter().copied()).collect();
    held.push((0, rest));
    held.sort_unstable();
    let mut away = bottom;
    let mut sum = 0;
    for (adds, cards) in held {
        let gone = away.min(cards);
        away -= gone;
        sum += i128::from(adds) * i128::from(cards - gone);
    }
    sum
}

/// In how many ways `drawn` cards of a deck come to each total.
fn spread(
    deck: &[u32],
    rest: u32,
    adds: &[i64],
    drawn: u32,
    budget: &mut Budget,
) -> Result<Ways, TooMuchWork> {
    let mut alike: BTreeMap<i64, u32> = BTreeMap::from([(0, rest)]);
    for (cards, adds) in deck.iter().zip(adds) {
        *alike.entry(*adds).or_default() += cards;
    }
    budget.spend(u64::from(drawn))?;
    // A total, its number of ways, and what the tree needs besides.
    let all = deck.iter().sum::<u32>() + rest;
    let entry = 96 + choose(all, drawn.min(all / 2)).bits() / 8;
    let mut held = 0;
    let mut by_cards: Vec<Ways> = vec![Ways::new(); drawn as usize + 1];
    by_cards[0].insert(0, BigUint::from(1_u32));
    for (adds, cards) in alike {
        let mut choices = vec![BigUint::from(1_u32)];
        for taken in 1..=cards.min(drawn) {
            let last = &choices[taken as usize - 1];
            choices.push(last * (cards - taken + 1) / taken);
        }
        let mut next: Vec<Ways> = vec![Ways::new(); drawn as usize + 1];
        let mut fresh = 0;
        for (before, ways) in by_cards.iter().enumerate() {
            budget.spend(1 + 10 * (ways.len() * choices.len()) as u64)?;
            for (sum, ways) in ways {
                let room = drawn as usize - before;
                let more = entry * (room + 1).min(choices.len()) as u64;
                budget.hold(more)?;
                let mut known = 0;
                for (taken, choices) in choices.iter().enumerate().take(room + 1) {
                    let sum = sum + i128::from(adds) * taken as i128;
                    let ways = ways * choices;
                    match next[before + taken].entry(sum) {
                        Entry::Vacant(free) => drop(free.insert(ways)),
                        Entry::Occupied(mut sum) => {
                            known += 1;
                            *sum.get_mut() += ways;
                        }
                    }
                }
                budget.release(entry * known);
                fresh += more - entry * known;
            }
        }
        budget.release(std::mem::replace(&mut held, fresh));
        by_cards = next;
    }
    // What is given back stays held: its fractions are twice as long.
    budget.release(held);
    let kept = by_cards.last().map_or(0, |ways| ways.len() as u64);
    budget.hold(3 * entry * kept)?;
    Ok(by_cards.pop().unwrap_or_default())
}

/// What a card of each atom adds, by the population's weights.
pub(crate) fn adds(atoms: &Atoms, weights: &[i64]) -> Vec<i64> {
    let first = |members: &Vec<usize>| members.first().map_or(0, |place| weights[*place]);
    atoms.members.iter().map(first).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers of which no two sums are alike: as many totals as there are hands.
    #[test]
    fn totals_that_no_memory_holds_are_too_much_work() {
        let adds: Vec<i64> = (0..40).map(|power| 1 << power).collect();
        let deck = vec![1; 40];
        let small = &mut Budget::narrow(u64::MAX, 1 << 20);
        assert_eq!(spread(&deck, 0, &adds, 20, small), Err(TooMuchWork));
        let few = &mut Budget::narrow(u64::MAX, 1 << 20);
        let ways = spread(&deck, 20, &adds, 2, few).unwrap_or_default();
        assert_eq!(ways.len(), 1 + 40 + 40 * 39 / 2);
    }
}
