//! Dealing many hands, for questions beyond the work budget. Never called exact.

use super::condition::{Formula, Tally};
use super::dice::Dice;
use super::{Mulligan, Population};

/// Hands that a simulation deals.
pub(crate) const HANDS: u64 = 100_000;
/// The most cards that all deals of a simulation draw together.
const MOST_DRAWN: u64 = 50_000_000;
/// Standard deviations to either side within which 99 % lie.
const NINETY_NINE: f64 = 2.575_829_303_548_901;

/// How hands are dealt: as [`super::chain::Chain`] has it, where keeping goes by a formula.
pub(crate) struct Dealing<'q> {
    pub(crate) population: &'q Population<'q>,
    pub(crate) tallies: &'q [Tally],
    pub(crate) keep: &'q Formula,
    pub(crate) given: Option<&'q Formula>,
    pub(crate) hand: u32,
    pub(crate) mulligan: Mulligan,
    pub(crate) limit: u32,
    /// The most cards drawn after the kept hand.
    pub(crate) draws: u32,
    pub(crate) seed: &'q str,
}

/// How often something came out in a simulation.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Simulated {
    /// Hands in which it did.
    pub hits: u64,
    /// Hands dealt (and fit for what is given), from 1.
    pub hands: u64,
    /// Lower end of the 99 % interval (Wilson's), from 0 to 1.
    pub low: f64,
    /// Upper end of the interval.
    pub high: f64,
}

impl Simulated {
    pub(crate) fn new(hits: u64, hands: u64) -> Simulated {
        let (n, z) = (hands.max(1) as f64, NINETY_NINE);
        let share = hits as f64 / n;
        let middle = share + z * z / (2.0 * n);
        let reach = z * (share * (1.0 - share) / n + z * z / (4.0 * n * n)).sqrt();
        let scale = 1.0 + z * z / n;
        let low = if hits == 0 {
            0.0
        } else {
            (middle - reach) / scale
        };
        let high = if hits == hands {
            1.0
        } else {
            (middle + reach) / scale
        };
        Simulated {
            hits,
            hands,
            low: low.clamp(0.0, share),
            high: high.clamp(share, 1.0),
        }
    }

    /// The share of hands in which it came out.
    pub fn share(&self) -> f64 {
        self.hits as f64 / self.hands.max(1) as f64
    }
}

/// A mean over dealt hands.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SimulatedMean {
    /// The mean itself.
    pub mean: f64,
    /// Lower end of the 99 % interval (normal approximation).
    pub low: f64,
    /// Upper end of the interval.
    pub high: f64,
    /// Hands dealt (and fit for what is given), from 1.
    pub hands: u64,
}

impl SimulatedMean {
    /// Of values and how often each came out, `hands` times in all.
    pub(crate) fn of(hits: impl Iterator<Item = (i128, u64)> + Clone, hands: u64) -> SimulatedMean {
        let n = hands.max(1) as f64;
        let sum: f64 = hits
            .clone()
            .map(|(value, hits)| value as f64 * hits as f64)
            .sum();
        let mean = sum / n;
        let squares: f64 = hits
            .map(|(value, hits)| (value as f64 - mean).powi(2) * hits as f64)
            .sum();
        let reach = NINETY_NINE * (squares / n / (n - 1.0).max(1.0)).sqrt();
        SimulatedMean {
            mean,
            low: mean - reach,
            high: mean + reach,
            hands,
        }
    }
}

impl Dealing<'_> {
    /// Deals hands and shows each to `visit`: the mulligans taken and the cards by their place
    /// in the population, the kept hand first, then the draws. How many hands there were; 0
    /// when what is given never came about.
    pub(crate) fn each(&self, mut visit: impl FnMut(usize, &[u32])) -> u64 {
        let places = self.population.cards().iter().enumerate();
        let mut deck: Vec<u32> = Vec::new();
        for (place, (_, copies)) in places {
            deck.extend(std::iter::repeat_n(place as u32, *copies as usize));
        }
        let stranger = self.population.cards().len() as u32;
        deck.extend(std::iter::repeat_n(
            stranger,
            self.population.strangers() as usize,
        ));
        let mut dice = Dice::seeded(self.seed);
        let (size, most) = (self.hand as usize, self.draws as usize);
        let each =
            (size * (self.limit as usize + 1) + most) as u64 * (1 + self.tallies.len() as u64);
        let mut hands = 0;
        for _ in 0..HANDS.min(MOST_DRAWN / each.max(1)).max(100) {
            dice.deal(&mut deck, size);
            if self
                .given
                .is_some_and(|given| !self.holds(given, &deck[..size]))
            {
                continue;
            }
            hands += 1;
            let mut taken = 0;
            while taken < self.limit as usize && !self.holds(self.keep, &deck[..size]) {
                taken += 1;
                if self.mulligan == Mulligan::Aside {
                    dice.deal(&mut deck[size..], size);
                    let (old, others) = deck.split_at_mut(size);
                    old.swap_with_slice(&mut others[..size]);
                } else {
                    dice.deal(&mut deck, size);
                }
            }
            dice.deal(&mut deck[size..], most);
            visit(taken, &deck[..size + most]);
        }
        hands
    }

    /// Whether a formula holds of cards.
    pub(crate) fn holds(&self, formula: &Formula, cards: &[u32]) -> bool {
        formula.holds(&|tally| {
            let tally = &self.tallies[tally];
            let adds = cards
                .iter()
                .map(|card| i128::from(tally.weights[*card as usize]));
            tally.holds(adds.sum())
        })
    }
}
