//! Atoms: cards that no condition of the question distinguishes.

use super::budget::DEFAULT_MEMORY;
use super::conditions::Conditions;
use super::{Population, wrong_query};
use crate::partition::partition;
use decklaw_cards::pool::Pool;
use decklaw_cards::query::HandQuery;
use decklaw_text::problem::Problem;

/// The deck in atoms, in the order in which the engine goes through them. Cards that no condition
/// counts are the rest.
#[derive(Debug, Clone)]
pub(crate) struct Atoms {
    /// The cards of each atom.
    pub(crate) sizes: Vec<u32>,
    /// The cards of the rest.
    pub(crate) rest: u32,
    /// What a card of each atom adds to each sum.
    pub(crate) weights: Vec<Vec<i64>>,
    /// What a card of each atom adds to the total that is asked; 0 where none is.
    pub(crate) adds: Vec<i64>,
    /// The places in the population; the place after the last is that of unknown cards.
    pub(crate) members: Vec<Vec<usize>>,
}

impl Atoms {
    /// Splits a population by what its cards add to the sums of the conditions and to a total.
    pub(crate) fn of(
        population: &Population<'_>,
        conditions: &Conditions<'_>,
        total: Option<&[i64]>,
    ) -> Atoms {
        let places = population.cards().len() + usize::from(population.unknown() > 0);
        let copies = |place: usize| match population.cards().get(place) {
            Some((_, copies)) => *copies,
            None => population.unknown(),
        };
        let signature = |place: usize| -> Vec<i64> {
            let sums = conditions.sums.iter().map(|sum| sum.weights[place]);
            sums.chain(total.map(|total| total[place])).collect()
        };
        let signatures: Vec<Vec<i64>> = (0..places).map(signature).collect();
        let is_counted = |place: &usize| signatures[*place].iter().any(|weight| *weight != 0);
        let (counted, others): (Vec<usize>, Vec<usize>) = (0..places).partition(is_counted);
        let classes = partition(counted.iter().map(|at| &signatures[*at]));
        let mut members: Vec<Vec<usize>> = Vec::new();
        for (class, place) in classes.into_iter().zip(counted) {
            if class == members.len() {
                members.push(Vec::new());
            }
            members[class].push(place);
        }
        let mut weights: Vec<Vec<i64>> =
            members.iter().map(|own| signatures[own[0]].clone()).collect();
        let sums = conditions.sums.len();
        let order = closing_early(&weights, sums);
        let members: Vec<Vec<usize>> = order.iter().map(|at| members[*at].clone()).collect();
        weights = order.iter().map(|at| weights[*at].clone()).collect();
        let adds = weights.iter().map(|own| own.get(sums).copied().unwrap_or(0));
        Atoms {
            sizes: members.iter().map(|own| own.iter().copied().map(copies).sum()).collect(),
            rest: others.into_iter().map(copies).sum(),
            adds: adds.collect(),
            weights,
            members,
        }
    }

    /// The number of atoms, without the rest.
    pub(crate) fn len(&self) -> usize {
        self.sizes.len()
    }

    /// The number of cards.
    pub(crate) fn cards(&self) -> u32 {
        self.sizes.iter().sum::<u32>() + self.rest
    }

    /// The total of a hand with these cards of each atom.
    pub(crate) fn total(&self, counts: &[u32]) -> i128 {
        let adds = counts.iter().zip(&self.adds);
        adds.map(|(cards, adds)| i128::from(*cards) * i128::from(*adds)).sum()
    }

    /// About how many different hands of `hand` cards there are.
    pub(crate) fn hands(&self, hand: u32) -> f64 {
        let mut by_cards = vec![0.0; hand as usize + 1];
        by_cards[0] = 1.0;
        for size in &self.sizes {
            let mut window = 0.0;
            let before = by_cards.clone();
            for cards in 0..by_cards.len() {
                window += before[cards];
                if let Some(gone) = cards.checked_sub(*size as usize + 1) {
                    window -= before[gone];
                }
                by_cards[cards] = window;
            }
        }
        let fewest = hand.saturating_sub(self.rest) as usize;
        by_cards.get(fewest..).unwrap_or_default().iter().sum()
    }
}

/// An order of the atoms in which few sums are open at a time (one of their atoms is behind, and
/// one is ahead): every open sum multiplies the states of a diagram.
fn closing_early(weights: &[Vec<i64>], sums: usize) -> Vec<usize> {
    /// Larger questions keep the order of the deck.
    const MOST: usize = 4_000_000;
    let count = weights.len();
    if count * count * sums > MOST {
        return (0..count).collect();
    }
    let touches = |atom: usize, sum: &usize| weights[atom][*sum] != 0;
    let atoms_of = |sum: usize| (0..count).filter(|atom| touches(*atom, &sum)).count();
    let mut left: Vec<usize> = (0..sums).map(atoms_of).collect();
    let mut is_open = vec![false; sums];
    let mut waiting: Vec<usize> = (0..count).collect();
    let mut order = Vec::with_capacity(count);
    while !waiting.is_empty() {
        // The atom that opens fewest sums, then the one whose open sum needs fewest more atoms.
        let rank = |atom: usize| {
            let own = || (0..sums).filter(|sum| touches(atom, sum));
            let opens = own().filter(|sum| !is_open[*sum] && left[*sum] > 1).count();
            let closes = own().filter(|sum| is_open[*sum] && left[*sum] == 1).count();
            let nearest = own().filter(|sum| is_open[*sum]).map(|sum| left[sum]).min();
            let first = own().next().unwrap_or(sums);
            let opened = opens as i64 - closes as i64;
            (opened, nearest.unwrap_or(usize::MAX), first, atom)
        };
        let best = waiting.iter().enumerate().min_by_key(|(_, atom)| rank(**atom));
        let Some((at, atom)) = best.map(|(at, atom)| (at, *atom)) else {
            break;
        };
        waiting.remove(at);
        order.push(atom);
        for sum in (0..sums).filter(|sum| touches(atom, sum)) {
            is_open[sum] = true;
            left[sum] -= 1;
        }
    }
    order
}

/// The class of each card of a pool, numbered as they occur: decks with as many cards of each
/// class have the same odds for the queries.
///
/// # Errors
/// A query that cannot be asked of these cards.
pub(crate) fn kinds(pool: &Pool, queries: &[&HandQuery]) -> Result<Vec<u32>, Problem> {
    let one_each = Population::new(pool, pool.ids().map(|card| (card, 1)), 1)?;
    let mut conditions = Conditions::of(&one_each, DEFAULT_MEMORY);
    for query in queries {
        let added = conditions.add(query);
        added.map_err(|error| wrong_query("the query", query.text(), &error))?;
    }
    let signature = |place: usize| -> Vec<i64> {
        let sums = conditions.sums.iter();
        sums.map(|sum| sum.weights[place]).collect()
    };
    let classes = partition((0..pool.len()).map(signature));
    Ok(classes.into_iter().map(|class| class as u32).collect())
}
