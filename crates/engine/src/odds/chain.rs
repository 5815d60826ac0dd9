//! Mulligans, exactly: a chain over hands.
//!
//! Where the old hand is set aside, the next one comes from the other cards, and then the old
//! one goes back: so each hand depends on the one before alone. Where it is shuffled in first,
//! it depends on nothing. Values are worked out from the last hand, which is kept, to the
//! first, as whole numbers over one denominator for all hands.

use super::atoms::Atoms;
use super::chart::{Budget, Chart, TooMuchWork};
use super::hands::Hands;
use super::number::{Choices, Fraction, Natural, choose};
use num_bigint::BigUint;
use rustc_hash::FxHashMap;

/// What becomes of the hand that a mulligan puts away.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mulligan {
    /// There is none.
    None,
    /// It is set aside, the new hand comes from the other cards, then it is shuffled in.
    Aside,
    /// It is shuffled in before the new hand is drawn.
    Shuffle,
}

impl Mulligan {
    /// The word for it in commands and format files.
    pub fn word(self) -> &'static str {
        match self {
            Mulligan::None => "none",
            Mulligan::Aside => "aside",
            Mulligan::Shuffle => "shuffle",
        }
    }
}

/// A question about the kept hand and what is drawn after it.
pub(crate) struct Chain<'q> {
    pub(crate) atoms: &'q Atoms,
    pub(crate) goal: &'q Chart,
    /// When a hand is kept; `None`: whenever that is best for the goal.
    pub(crate) keep: Option<&'q Chart>,
    /// What the opening hand is known to satisfy.
    pub(crate) given: Option<&'q Chart>,
    pub(crate) hand: u32,
    pub(crate) mulligan: Mulligan,
    /// Cards bottomed on keeping after 0, 1, 2… mulligans; as many as hands there may be.
    pub(crate) bottom: &'q [u32],
    /// Cards drawn after keeping: a result for each.
    pub(crate) draws: &'q [u32],
}

/// What playing so comes to.
#[derive(Debug, Clone)]
pub(crate) struct Outcome {
    /// For each of the draws asked about; `None`: what is given never happens.
    pub(crate) probabilities: Option<Vec<Fraction>>,
    /// With `keep` best, the same when the first hand is always kept.
    pub(crate) never: Option<Vec<Fraction>>,
    /// With `keep` best, after 0, 1… mulligans, for the first draws: which hands are kept.
    pub(crate) kept: Vec<Vec<bool>>,
}

/// Tables of one width, reusable while the deck and the hand size stay.
#[derive(Debug, Clone)]
pub(crate) enum Tables {
    Narrow(Choices<u64>),
    Wide(Choices<u128>),
    Big(Choices<BigUint>),
}

impl Tables {
    /// For decks of `cards`, up to `most` taken, where no number exceeds `largest`.
    pub(crate) fn new(
        cards: u32,
        most: u32,
        largest: &BigUint,
        budget: &mut Budget,
    ) -> Result<Tables, TooMuchWork> {
        let cells = (u64::from(cards) + 1) * (u64::from(most) + 1);
        let number = match largest.bits() {
            0..=64 => 8,
            65..=128 => 16,
            bits => 40 + bits / 8,
        };
        budget.hold(cells.saturating_mul(number))?;
        Ok(match largest.bits() {
            0..=64 => {
                budget.spend(cells)?;
                Tables::Narrow(Choices::new(cards, most))
            }
            65..=128 => {
                budget.spend(2 * cells)?;
                Tables::Wide(Choices::new(cards, most))
            }
            bits => {
                budget.spend(cells.saturating_mul(10 + bits / 64))?;
                Tables::Big(Choices::new(cards, most))
            }
        })
    }
}

impl Chain<'_> {
    /// The hands that may be drawn.
    pub(crate) fn hands(&self, budget: &mut Budget) -> Result<Hands, TooMuchWork> {
        Hands::new(self.atoms, self.hand, budget)
    }

    /// Tables wide enough for [`Chain::play`].
    pub(crate) fn tables(&self, budget: &mut Budget) -> Result<Tables, TooMuchWork> {
        let cards = self.atoms.total();
        let most_drawn = self.draws.iter().copied().max().unwrap_or(0);
        let most = self.hand.max(most_drawn);
        // Before anything large is multiplied: could it ever be paid for?
        budget.clone().spend(u64::from(cards) * u64::from(most))?;
        let mut largest = choose(cards, self.hand);
        for _ in 1..self.bottom.len() {
            largest *= self.redeals();
        }
        let left = cards - self.hand;
        let drawn = self.draws.iter().map(|draws| choose(left, *draws)).max();
        largest *= drawn.unwrap_or_default();
        Tables::new(cards, most, &largest, budget)
    }

    /// In how many ways the hand after a mulligan may be dealt.
    fn redeals(&self) -> BigUint {
        let all = self.atoms.total();
        match self.mulligan {
            Mulligan::None => BigUint::from(1_u32),
            Mulligan::Aside => choose(all - self.hand, self.hand),
            Mulligan::Shuffle => choose(all, self.hand),
        }
    }

    /// Plays it out over every hand.
    pub(crate) fn play(
        &self,
        hands: &Hands,
        tables: &Tables,
        budget: &mut Budget,
    ) -> Result<Outcome, TooMuchWork> {
        match tables {
            Tables::Narrow(choices) => self.values(hands, choices, budget),
            Tables::Wide(choices) => self.values(hands, choices, budget),
            Tables::Big(choices) => self.values(hands, choices, budget),
        }
    }

    fn values<T: Natural>(
        &self,
        hands: &Hands,
        choices: &Choices<T>,
        budget: &mut Budget,
    ) -> Result<Outcome, TooMuchWork> {
        let turns = self.draws.len();
        let left = self.atoms.total() - self.hand;
        let drawn: Vec<BigUint> = self
            .draws
            .iter()
            .map(|cards| choose(left, *cards))
            .collect();
        let redeals = self.redeals();
        let mut goals = FxHashMap::default();
        for bottom in self.bottom {
            if !goals.contains_key(bottom) {
                goals.insert(*bottom, self.goals(hands, choices, *bottom, budget)?);
            }
        }
        let last = self.bottom.len() - 1;
        let mut values: Vec<T> = goals[&self.bottom[last]].clone();
        let mut kept = vec![vec![true; hands.len()]];
        let mut scale = BigUint::from(1_u32);
        for taken in (0..last).rev() {
            scale *= &redeals;
            let (here, factor) = (&goals[&self.bottom[taken]], T::narrow(&scale));
            let after_last = taken + 1 == last && self.bottom[last] == 0;
            let mut again = Again {
                chain: self,
                hands,
                choices,
                next: &values,
                simple: after_last && self.draws.iter().all(|cards| *cards == 0),
                ready: false,
                sums: vec![T::zero(); turns],
                none: vec![0; self.atoms.len()],
                deck: Vec::new(),
                scratch: Vec::new(),
            };
            let mut now = Vec::with_capacity(values.len());
            let mut stays = vec![true; hands.len()];
            for hand in 0..hands.len() {
                let mine = here[hand * turns..(hand + 1) * turns].iter();
                let keeping = mine.map(|goal| goal.times(&factor));
                let keep = self.keep.map(|keep| keep.holds(hands.counts(hand)));
                let asked = taken > 0
                    || self
                        .given
                        .is_none_or(|given| given.holds(hands.counts(hand)));
                if keep == Some(true) || !asked {
                    now.extend(keeping);
                    continue;
                }
                let going = again.values(hand, budget)?;
                if keep.is_some() {
                    now.extend_from_slice(going);
                    continue;
                }
                let start = now.len();
                now.extend(keeping);
                stays[hand] = !going[0].exceeds(&now[start]);
                for (keep, go) in now[start..].iter_mut().zip(going) {
                    if go.exceeds(keep) {
                        *keep = go.clone();
                    }
                }
            }
            values = now;
            kept.push(stays);
        }
        kept.reverse();
        let probabilities = self.average(hands, choices, &values, &drawn, &scale);
        let never = match self.keep {
            Some(_) => None,
            None => {
                let (first, one) = (&goals[&self.bottom[0]], BigUint::from(1_u32));
                self.average(hands, choices, first, &drawn, &one)
            }
        };
        Ok(Outcome {
            probabilities,
            never,
            kept,
        })
    }

    /// The mean of the values over the opening hand, as far as it is given.
    fn average<T: Natural>(
        &self,
        hands: &Hands,
        choices: &Choices<T>,
        values: &[T],
        drawn: &[BigUint],
        scale: &BigUint,
    ) -> Option<Vec<Fraction>> {
        let turns = drawn.len();
        let mut sums = vec![T::zero(); turns];
        let mut dealt = T::zero();
        for hand in 0..hands.len() {
            if self
                .given
                .is_some_and(|given| !given.holds(hands.counts(hand)))
            {
                continue;
            }
            let ways = hands.ways(choices, &self.atoms.sizes, self.atoms.rest, hand);
            dealt.add_product(&ways, &T::one());
            for (sum, value) in sums.iter_mut().zip(&values[hand * turns..]) {
                sum.add_product(&ways, value);
            }
        }
        if dealt.is_zero() {
            return None;
        }
        let below = dealt.big() * scale;
        let each = sums.iter().zip(drawn);
        Some(
            each.map(|(sum, drawn)| Fraction::new(sum.big(), &below * drawn))
                .collect(),
        )
    }

    /// For each hand and each number of draws: the draws after which the goal holds, when the
    /// best `bottom` cards of it are put under the deck.
    fn goals<T: Natural>(
        &self,
        hands: &Hands,
        choices: &Choices<T>,
        bottom: u32,
        budget: &mut Budget,
    ) -> Result<Vec<T>, TooMuchWork> {
        let most = self.draws.iter().copied().max().unwrap_or(0);
        let turns = self.draws.len();
        // The goals themselves, and as much again for the values made of them; big numbers are
        // longer than their handles.
        let cell = size_of::<T>() as u64 * 4;
        budget.hold((hands.len() as u64 * turns as u64).saturating_mul(cell))?;
        let mut goals = vec![T::zero(); hands.len() * turns];
        let (mut deck, mut scratch) = (Vec::new(), Vec::new());
        for hand in 0..hands.len() {
            let rest = hands.without(self.atoms, hand, &mut deck);
            let mine = &mut goals[hand * turns..(hand + 1) * turns];
            let effort = if most == 0 {
                self.atoms.len() as u64
            } else {
                self.goal.effort(most)
            };
            let mut consider = |held: &[u32]| {
                budget.spend(1 + effort)?;
                if most == 0 {
                    if self.goal.holds(held) {
                        mine.fill(T::one());
                    }
                    return Ok(());
                }
                let ways = self
                    .goal
                    .count(choices, held, &deck, rest, (most, true), &mut scratch);
                for (best, cards) in mine.iter_mut().zip(self.draws) {
                    if ways[*cards as usize].exceeds(best) {
                        *best = ways[*cards as usize].clone();
                    }
                }
                Ok(())
            };
            if bottom == 0 {
                consider(hands.counts(hand))?;
                continue;
            }
            let mut held = hands.counts(hand).to_vec();
            without_bottom(&mut held, 0, bottom, hands.rest(hand), &mut consider)?;
        }
        Ok(goals)
    }
}

/// Every way to put `bottom` cards of a hand away, the last of them from the rest.
fn without_bottom(
    held: &mut Vec<u32>,
    atom: usize,
    bottom: u32,
    rest: u32,
    consider: &mut impl FnMut(&[u32]) -> Result<(), TooMuchWork>,
) -> Result<(), TooMuchWork> {
    if atom == held.len() {
        return if bottom <= rest {
            consider(held)
        } else {
            Ok(())
        };
    }
    let all = held[atom];
    for away in 0..=all.min(bottom) {
        held[atom] = all - away;
        without_bottom(held, atom + 1, bottom - away, rest, consider)?;
    }
    held[atom] = all;
    Ok(())
}

/// What a hand is worth that is put away.
struct Again<'a, 'q, T> {
    chain: &'a Chain<'q>,
    hands: &'a Hands,
    choices: &'a Choices<T>,
    next: &'a [T],
    /// The next hand is kept as it is: counting what satisfies the goal is enough.
    simple: bool,
    /// The values are known, and the new hand does not depend on the old one.
    ready: bool,
    sums: Vec<T>,
    /// No card of any atom.
    none: Vec<u32>,
    deck: Vec<u32>,
    scratch: Vec<T>,
}

impl<T: Natural> Again<'_, '_, T> {
    fn values(&mut self, hand: usize, budget: &mut Budget) -> Result<&[T], TooMuchWork> {
        if self.ready {
            return Ok(&self.sums);
        }
        let atoms = self.chain.atoms;
        let turns = self.chain.draws.len();
        let rest = if self.chain.mulligan == Mulligan::Aside {
            self.hands.without(atoms, hand, &mut self.deck)
        } else {
            self.ready = true;
            self.deck.clone_from(&atoms.sizes);
            atoms.rest
        };
        if self.simple {
            budget.spend(self.chain.goal.effort(self.chain.hand))?;
            let (goal, size) = (self.chain.goal, self.chain.hand);
            let (none, scratch) = (&self.none, &mut self.scratch);
            let asked = (size, false);
            let ways = goal.count(self.choices, none, &self.deck, rest, asked, scratch);
            self.sums.fill(ways[size as usize].clone());
            return Ok(&self.sums);
        }
        budget.spend(self.hands.len() as u64 * (atoms.len() + turns + 1) as u64)?;
        self.sums.fill(T::zero());
        for next in 0..self.hands.len() {
            let ways = self.hands.ways(self.choices, &self.deck, rest, next);
            if ways.is_zero() {
                continue;
            }
            let values = &self.next[next * turns..];
            for (sum, value) in self.sums.iter_mut().zip(values) {
                sum.add_product(&ways, value);
            }
        }
        Ok(&self.sums)
    }
}
