//! Atoms: cards that no condition of the question tells apart.

use super::Population;
use super::condition::{Conditions, Tally};
use rustc_hash::FxHashMap;

/// The deck in atoms, in the order in which the engine goes through them. Cards that no
/// condition counts are the rest.
#[derive(Debug, Clone)]
pub(crate) struct Atoms {
    /// Cards of each atom.
    pub(crate) sizes: Vec<u32>,
    /// Cards of the rest.
    pub(crate) rest: u32,
    /// What a card of each atom adds to each tally.
    pub(crate) weights: Vec<Vec<i64>>,
    /// Places in the population, the place past the last card standing for strangers.
    pub(crate) members: Vec<Vec<usize>>,
}

impl Atoms {
    pub(crate) fn of(population: &Population<'_>, conditions: &Conditions<'_>) -> Atoms {
        Atoms::with(population, &conditions.tallies, &[])
    }

    /// Splits by what cards add to the tallies, and by `also` besides (a number a card).
    pub(crate) fn with(population: &Population<'_>, tallies: &[Tally], also: &[i64]) -> Atoms {
        let places = population.cards().len() + usize::from(population.strangers() > 0);
        let copies = |place: usize| match population.cards().get(place) {
            Some((_, copies)) => *copies,
            None => population.strangers(),
        };
        let mut found: FxHashMap<(Vec<i64>, i64), usize> = FxHashMap::default();
        let mut sizes: Vec<u32> = Vec::new();
        let mut rest = 0;
        let mut weights: Vec<Vec<i64>> = Vec::new();
        let mut members: Vec<Vec<usize>> = Vec::new();
        for place in 0..places {
            let signature: Vec<i64> = tallies.iter().map(|tally| tally.weights[place]).collect();
            let besides = also.get(place).copied().unwrap_or(0);
            if besides == 0 && signature.iter().all(|weight| *weight == 0) {
                rest += copies(place);
                continue;
            }
            let atom = *found
                .entry((signature, besides))
                .or_insert_with_key(|(signature, _)| {
                    sizes.push(0);
                    weights.push(signature.clone());
                    members.push(Vec::new());
                    sizes.len() - 1
                });
            sizes[atom] += copies(place);
            members[atom].push(place);
        }
        let order = close_early(&weights, tallies.len());
        let pick = |old: &usize| members[*old].clone();
        Atoms {
            sizes: order.iter().map(|old| sizes[*old]).collect(),
            rest,
            members: order.iter().map(pick).collect(),
            weights: order.into_iter().map(|old| weights[old].clone()).collect(),
        }
    }

    /// How many atoms there are, the rest not among them.
    pub(crate) fn len(&self) -> usize {
        self.sizes.len()
    }

    pub(crate) fn total(&self) -> u32 {
        self.sizes.iter().sum::<u32>() + self.rest
    }
}

/// An order of the atoms in which few tallies are begun and not finished at any time: the
/// fewer are open, the fewer states the engine has to keep apart.
fn close_early(weights: &[Vec<i64>], tallies: usize) -> Vec<usize> {
    /// Larger questions keep the order of the deck.
    const MOST: usize = 4_000_000;
    let count = weights.len();
    let mut order: Vec<usize> = Vec::with_capacity(count);
    if count * count * tallies > MOST {
        return (0..count).collect();
    }
    let touches = |atom: usize, tally: usize| weights[atom][tally] != 0;
    let atoms_in = |tally: &usize| (0..count).filter(|atom| touches(*atom, *tally)).count();
    let mut left: Vec<usize> = (0..tallies)
        .collect::<Vec<_>>()
        .iter()
        .map(atoms_in)
        .collect();
    let mut open = vec![false; tallies];
    let mut waiting: Vec<usize> = (0..count).collect();
    while !waiting.is_empty() {
        // Opens fewest; then works on the tally that needs fewest more; then as written.
        let rank = |atom: usize| {
            let mine = || (0..tallies).filter(|tally| touches(atom, *tally));
            let opened = mine()
                .filter(|tally| !open[*tally] && left[*tally] > 1)
                .count();
            let closed = mine()
                .filter(|tally| open[*tally] && left[*tally] == 1)
                .count();
            let near = mine()
                .filter(|tally| open[*tally])
                .map(|tally| left[tally])
                .min();
            let first = mine().next().unwrap_or(tallies);
            (
                opened as i64 - closed as i64,
                near.unwrap_or(usize::MAX),
                first,
                atom,
            )
        };
        let best = waiting
            .iter()
            .enumerate()
            .min_by_key(|(_, atom)| rank(**atom));
        let Some((at, atom)) = best.map(|(at, atom)| (at, *atom)) else {
            break;
        };
        waiting.remove(at);
        order.push(atom);
        for tally in 0..tallies {
            if touches(atom, tally) {
                open[tally] = true;
                left[tally] -= 1;
            }
        }
    }
    order
}
