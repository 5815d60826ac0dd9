//! One recursion for all hands: deals, mulligans, draws, totals.
//!
//! The value of a hand that is kept is a [`Number`] for each of the draws: in how many ways the
//! goal holds after them, or in how many ways each total comes about. The value of a hand that is
//! put away is the sum of the values of the hands after it. Values are computed from the last
//! hand, which is always kept, to the first, as whole numbers over one denominator.
//!
//! Where the old hand is set aside, the new one is drawn from the other cards, and then the old
//! one goes back, so that a hand depends only on the one before. Where the old hand is shuffled in
//! first, the new one does not depend on it.

use super::Mulligan;
use super::atoms::Atoms;
use super::budget::{Budget, Limit};
use super::diagram::{Diagram, Draw};
use super::fraction::Fraction;
use super::hands::Hands;
use super::number::{Choices, Natural, Number, choose};
use super::totals::{Distribution, Totals};
use num_bigint::BigUint;
use rustc_hash::FxHashMap;

/// A question about the kept hand and the cards drawn after it.
pub(crate) struct Play<'q> {
    pub(crate) atoms: &'q Atoms,
    pub(crate) goal: &'q Diagram,
    /// When a hand is kept; `None`: whenever that is best for the goal.
    pub(crate) keep: Option<&'q Diagram>,
    /// The condition on the first hand.
    pub(crate) given: Option<&'q Diagram>,
    pub(crate) hand: u32,
    pub(crate) mulligan: Mulligan,
    /// Cards bottomed on keeping after 0, 1, 2… mulligans, one number for each hand.
    pub(crate) bottom: &'q [u32],
    /// Cards drawn after keeping, with a result for each number.
    pub(crate) draws: &'q [u32],
}

/// The result of a question.
#[derive(Debug, Clone)]
pub(crate) struct Outcome<S> {
    /// The share of hands for each of the draws; `None`: no hand is as given.
    pub(crate) shares: Option<Vec<S>>,
    /// Without `keep`: the same if the first hand is always kept.
    pub(crate) never: Option<Vec<S>>,
    /// After 0, 1… mulligans, for the first of the draws: which of the hands are kept.
    pub(crate) kept: Vec<Vec<bool>>,
    /// The hands that `kept` is about; `None`: none had to be enumerated.
    pub(crate) hands: Option<Hands>,
}

impl Play<'_> {
    /// The probability of the goal.
    pub(crate) fn probabilities(&self, budget: &mut Budget) -> Result<Outcome<Fraction>, Limit> {
        let largest = self.largest(budget)?;
        match largest.bits() {
            0..=64 => self.outcome::<u64>(&largest, budget),
            65..=128 => self.outcome::<u128>(&largest, budget),
            _ => self.outcome::<BigUint>(&largest, budget),
        }
    }

    /// The distribution of the total.
    pub(crate) fn distributions(
        &self,
        budget: &mut Budget,
    ) -> Result<Outcome<Distribution>, Limit> {
        // A large number, however few hands there are: totals are counted in these.
        let largest = self.largest(budget)?.max(BigUint::from(u128::MAX) + 1_u32);
        self.outcome::<Totals>(&largest, budget)
    }

    /// Whether the cards are the first of the deck, and nothing is known of them.
    fn is_plain(&self) -> bool {
        self.bottom == [0] && self.given.is_none()
    }

    fn most_drawn(&self) -> u32 {
        self.draws.iter().copied().max().unwrap_or(0)
    }

    /// The largest number that is counted.
    fn largest(&self, budget: &mut Budget) -> Result<BigUint, Limit> {
        let (cards, drawn) = (self.atoms.cards(), self.most_drawn());
        if self.is_plain() {
            let most = self.hand + drawn;
            budget.allows(u64::from(cards) * u64::from(most))?;
            let largest = choose(cards, most.min(cards / 2));
            let (words, sizes) = (1 + largest.bits() / 64, u64::from(most) + 1);
            budget.spend(self.goal.effort(most).saturating_mul(sizes) * words)?;
            return Ok(largest);
        }
        // Before large numbers are multiplied.
        let most = self.hand.max(drawn);
        budget.allows(u64::from(cards) * u64::from(most))?;
        let redeals = self.redeals();
        let dealt = (1..self.bottom.len()).fold(choose(cards, self.hand), |n, _| n * &redeals);
        let left = cards - self.hand;
        let largest = dealt * choose(left, drawn.min(left / 2));
        Ok(largest.max(choose(cards, most.min(cards / 2))))
    }

    /// The number of ways to deal the hand after a mulligan.
    fn redeals(&self) -> BigUint {
        let all = self.atoms.cards();
        match self.mulligan {
            Mulligan::None => BigUint::from(1_u32),
            Mulligan::Aside => choose(all - self.hand, self.hand),
            Mulligan::Shuffle => choose(all, self.hand),
        }
    }

    fn outcome<N: Number>(
        &self,
        largest: &BigUint,
        budget: &mut Budget,
    ) -> Result<Outcome<N::Share>, Limit> {
        let (cards, drawn) = (self.atoms.cards(), self.most_drawn());
        if self.is_plain() {
            let most = self.hand + drawn;
            let choices = Choices::new(cards, most, largest, budget)?;
            let draw = Draw {
                held: &vec![0; self.atoms.len()],
                deck: &self.atoms.sizes,
                rest: self.atoms.rest,
                cards: most,
                every: true,
            };
            let mut numbers = Vec::new();
            let numbers: &[N] =
                self.goal.count(self.atoms, &choices, &draw, &mut numbers, budget)?;
            let share = |draws: &u32| {
                let seen = self.hand + draws;
                numbers[seen as usize].share(&choose(cards, seen))
            };
            let bytes = |draws: &u32| 3 * numbers[(self.hand + draws) as usize].bytes();
            budget.hold(self.draws.iter().map(bytes).sum())?;
            return Ok(Outcome {
                shares: Some(self.draws.iter().map(share).collect()),
                never: None,
                kept: Vec::new(),
                hands: None,
            });
        }
        // Of each hand: its values by the number of cards that are bottomed, those of two mulligans
        // at a time, and after each mulligan whether it is kept.
        let (mut bottoms, mulligans) = (self.bottom.to_vec(), self.bottom.len() as u64);
        bottoms.sort_unstable();
        bottoms.dedup();
        let lists = bottoms.len() as u64 + mulligans.min(2);
        let values = lists * self.draws.len() as u64 * N::zero().bytes();
        let hands = Hands::new(self.atoms, self.hand, values + mulligans, budget)?;
        let choices = Choices::new(cards, self.hand.max(drawn), largest, budget)?;
        let hand = HandValues { play: self, hands: &hands, choices: &choices };
        let outcome = hand.play::<N>(budget)?;
        Ok(Outcome { hands: Some(hands), ..outcome })
    }
}

/// The recursion over hands.
struct HandValues<'a, 'q, W> {
    play: &'a Play<'q>,
    hands: &'a Hands,
    choices: &'a Choices<W>,
}

impl<W: Natural> HandValues<'_, '_, W> {
    fn play<N: Number<Ways = W>>(&self, budget: &mut Budget) -> Result<Outcome<N::Share>, Limit> {
        let play = self.play;
        let redeals = play.redeals();
        let mut goals: FxHashMap<u32, Vec<N>> = FxHashMap::default();
        for bottom in play.bottom {
            if !goals.contains_key(bottom) {
                goals.insert(*bottom, self.kept_values(*bottom, budget)?);
            }
        }
        let last = play.bottom.len() - 1;
        let values = &goals[&play.bottom[last]];
        budget.hold(values.iter().map(N::bytes).sum())?;
        // Of each hand, after each mulligan, whether it is kept.
        budget.hold((self.hands.len() * play.bottom.len()) as u64)?;
        let mut values = values.clone();
        let mut kept = vec![vec![true; self.hands.len()]];
        let mut scale = BigUint::from(1_u32);
        for taken in (0..last).rev() {
            scale *= &redeals;
            let here = &goals[&play.bottom[taken]];
            let is_last = taken + 1 == last && play.bottom[last] == 0 && play.most_drawn() == 0;
            let (now, stays) =
                self.values_before(here, &values, &scale, (taken, is_last), budget)?;
            values = now;
            kept.push(stays);
        }
        kept.reverse();
        let shares = self.average(&values, &scale);
        let first = &goals[&play.bottom[0]];
        let never = match play.keep {
            Some(_) => None,
            None => self.average(first, &BigUint::from(1_u32)),
        };
        Ok(Outcome { shares, never, kept, hands: None })
    }

    /// The values of the hands after `taken` mulligans, and which of them are kept: `here` has
    /// their values when they are kept, `next` those of the hands after the next mulligan.
    fn values_before<N: Number<Ways = W>>(
        &self,
        here: &[N],
        next: &[N],
        scale: &BigUint,
        (taken, is_last): (usize, bool),
        budget: &mut Budget,
    ) -> Result<(Vec<N>, Vec<bool>), Limit> {
        let (play, turns) = (self.play, self.play.draws.len());
        let scale = W::try_from(scale.clone()).unwrap_or_else(|_| W::zero());
        let cell = N::zero().bytes();
        budget.hold((next.len() as u64).saturating_mul(cell))?;
        let mut now: Vec<N> = Vec::with_capacity(next.len());
        let mut stays = vec![true; self.hands.len()];
        let mut shuffled: Option<Vec<N>> = None;
        let mut buffers = (Vec::new(), Vec::new());
        let mut grown = 0;
        for hand in 0..self.hands.len() {
            let keeping = here[hand * turns..][..turns].iter().map(|value| {
                let mut scaled = N::zero();
                scaled.add(&scale, value);
                scaled
            });
            budget.hold(now[grown..].iter().map(|value| value.bytes() - cell).sum())?;
            grown = now.len();
            let counts = self.hands.counts(hand);
            let keep = play.keep.map(|keep| keep.holds(counts));
            let is_possible = taken > 0 || play.given.is_none_or(|given| given.holds(counts));
            if keep == Some(true) || !is_possible {
                now.extend(keeping);
                continue;
            }
            let going = match shuffled.take() {
                Some(known) => known,
                None => self.values_after(hand, next, is_last, &mut buffers, budget)?,
            };
            if keep.is_some() {
                now.extend_from_slice(&going);
            } else {
                let start = now.len();
                now.extend(keeping);
                stays[hand] = !going[0].exceeds(&now[start]);
                for (keep, go) in now[start..].iter_mut().zip(&going) {
                    if go.exceeds(keep) {
                        *keep = go.clone();
                    }
                }
            }
            shuffled = (play.mulligan == Mulligan::Shuffle).then_some(going);
        }
        budget.hold(now[grown..].iter().map(|value| value.bytes() - cell).sum())?;
        budget.release(next.iter().map(N::bytes).sum());
        Ok((now, stays))
    }

    /// The value of a hand that is put away.
    fn values_after<N: Number<Ways = W>>(
        &self,
        hand: usize,
        next: &[N],
        is_last: bool,
        (deck, numbers): &mut (Vec<u32>, Vec<N>),
        budget: &mut Budget,
    ) -> Result<Vec<N>, Limit> {
        let (play, atoms, turns) = (self.play, self.play.atoms, self.play.draws.len());
        let rest = match play.mulligan {
            Mulligan::Aside => self.hands.without(atoms, hand, deck),
            Mulligan::None | Mulligan::Shuffle => {
                deck.clone_from(&atoms.sizes);
                atoms.rest
            }
        };
        if is_last {
            // The next hand is kept as it is: it is counted without being enumerated.
            budget.spend(play.goal.effort(play.hand))?;
            let draw =
                Draw { held: &vec![0; atoms.len()], deck, rest, cards: play.hand, every: false };
            let numbers = play.goal.count(atoms, self.choices, &draw, numbers, budget)?;
            return Ok(vec![numbers[play.hand as usize].clone(); turns]);
        }
        budget.spend(self.hands.len() as u64 * (atoms.len() + turns + 1) as u64)?;
        let mut sums = vec![N::zero(); turns];
        for other in 0..self.hands.len() {
            let ways = self.hands.ways(self.choices, deck, rest, other);
            if ways.is_zero() {
                continue;
            }
            for (sum, value) in sums.iter_mut().zip(&next[other * turns..]) {
                sum.add(&ways, value);
            }
        }
        Ok(sums)
    }

    /// The mean of the values over the first hands that are as given.
    fn average<N: Number<Ways = W>>(&self, values: &[N], scale: &BigUint) -> Option<Vec<N::Share>> {
        let (play, turns) = (self.play, self.play.draws.len());
        let mut sums = vec![N::zero(); turns];
        let mut dealt = W::zero();
        for hand in 0..self.hands.len() {
            let counts = self.hands.counts(hand);
            if play.given.is_some_and(|given| !given.holds(counts)) {
                continue;
            }
            let atoms = play.atoms;
            let ways = self.hands.ways(self.choices, &atoms.sizes, atoms.rest, hand);
            dealt.add_product(&ways, &W::from(1));
            for (sum, value) in sums.iter_mut().zip(&values[hand * turns..]) {
                sum.add(&ways, value);
            }
        }
        if dealt.is_zero() {
            return None;
        }
        let below: BigUint = dealt.into() * scale;
        let left = play.atoms.cards() - play.hand;
        let each = sums.iter().zip(play.draws);
        Some(each.map(|(sum, draws)| sum.share(&(&below * choose(left, *draws)))).collect())
    }

    /// For each hand and each of the draws, its value when it is kept and the best `bottom` of its
    /// cards go under the deck.
    fn kept_values<N: Number<Ways = W>>(
        &self,
        bottom: u32,
        budget: &mut Budget,
    ) -> Result<Vec<N>, Limit> {
        let (play, atoms, turns) = (self.play, self.play.atoms, self.play.draws.len());
        let most = play.most_drawn();
        let effort = match most {
            0 => atoms.len() as u64,
            _ => play.goal.effort(most),
        };
        let cell = N::zero().bytes();
        budget.hold((self.hands.len() as u64 * turns as u64).saturating_mul(cell))?;
        let mut values = vec![N::zero(); self.hands.len() * turns];
        let (mut deck, mut numbers) = (Vec::new(), Vec::new());
        for hand in 0..self.hands.len() {
            let rest = self.hands.without(atoms, hand, &mut deck);
            let own = &mut values[hand * turns..][..turns];
            let mut consider = |held: &[u32]| {
                budget.spend(1 + effort)?;
                if most == 0 {
                    if play.goal.holds(held) {
                        own.fill(N::of(W::from(1), atoms.total(held)));
                    }
                    return Ok(());
                }
                let draw = Draw { held, deck: &deck, rest, cards: most, every: true };
                let ways: &[N] =
                    play.goal.count(atoms, self.choices, &draw, &mut numbers, budget)?;
                for (best, cards) in own.iter_mut().zip(play.draws) {
                    if ways[*cards as usize].exceeds(best) {
                        *best = ways[*cards as usize].clone();
                    }
                }
                Ok(())
            };
            let counts = self.hands.counts(hand);
            let (mut held, others) = (Vec::new(), self.hands.rest(hand));
            if bottom > 0 {
                held.extend_from_slice(counts);
            }
            if bottom == 0 {
                consider(counts)?;
            } else if atoms.adds.iter().any(|adds| *adds != 0) {
                without_smallest(&mut held, others, bottom, &atoms.adds);
                consider(&held)?;
            } else {
                without_any(&mut held, 0, bottom, others, &mut consider)?;
            }
            let grown: u64 = own.iter().map(|value| value.bytes() - cell.min(value.bytes())).sum();
            budget.hold(grown)?;
        }
        Ok(values)
    }
}

/// Calls `consider` for each way to bottom cards of a hand, the last of them from the rest.
fn without_any(
    held: &mut Vec<u32>,
    atom: usize,
    bottom: u32,
    rest: u32,
    consider: &mut impl FnMut(&[u32]) -> Result<(), Limit>,
) -> Result<(), Limit> {
    if atom == held.len() {
        return if bottom <= rest { consider(held) } else { Ok(()) };
    }
    let all = held[atom];
    for away in 0..=all.min(bottom) {
        held[atom] = all - away;
        without_any(held, atom + 1, bottom - away, rest, consider)?;
    }
    held[atom] = all;
    Ok(())
}

/// Bottoms the cards that add least to a total; `rest` cards add nothing.
fn without_smallest(held: &mut [u32], rest: u32, bottom: u32, adds: &[i64]) {
    let mut order: Vec<usize> = (0..held.len()).collect();
    order.sort_by_key(|atom| adds[*atom]);
    let (mut bottom, mut rest) = (bottom, Some(rest));
    for atom in order {
        if adds[atom] > 0 {
            bottom -= rest.take().map_or(0, |rest| rest.min(bottom));
        }
        let away = held[atom].min(bottom);
        held[atom] -= away;
        bottom -= away;
    }
}
