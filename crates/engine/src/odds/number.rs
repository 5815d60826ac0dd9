//! The numbers in which hands are counted.

use super::budget::{Budget, Limit};
use super::fraction::Fraction;
use super::totals::{Distribution, Totals};
use num_bigint::BigUint;
use std::borrow::Cow;

/// A whole number in which ways to draw are counted: as narrow as the question allows.
pub(crate) trait Natural:
    Clone + PartialOrd + From<u32> + Into<BigUint> + TryFrom<BigUint>
{
    /// `self += a × b`.
    fn add_product(&mut self, a: &Self, b: &Self);
    fn times(&self, other: &Self) -> Self;

    /// About the bytes of a number of this many bits.
    fn bytes_of(bits: u64) -> u64;

    fn zero() -> Self {
        Self::from(0)
    }

    fn is_zero(&self) -> bool {
        *self == Self::zero()
    }
}

/// What is counted of hands: how many satisfy a query, or how many have each total.
pub(crate) trait Number: Clone {
    /// The number of ways to draw cards.
    type Ways: Natural;
    /// The share of all hands.
    type Share: Share;

    fn zero() -> Self;
    /// This number of hands, each with this total.
    fn of(ways: Self::Ways, total: i128) -> Self;
    /// `self += ways × more`.
    fn add(&mut self, ways: &Self::Ways, more: &Self);
    fn exceeds(&self, other: &Self) -> bool;
    fn share(&self, of: &BigUint) -> Self::Share;
    /// About the bytes that it takes.
    fn bytes(&self) -> u64;
    /// For 0, 1, 2… cards of `cards` that add nothing: the ways to draw them, each with `total`.
    fn row(choices: &Choices<Self::Ways>, cards: u32, width: usize, total: i128)
    -> Cow<'_, [Self]>;
    /// The row of `before` and the cards of one more atom together, `all` cards. `ways` has the
    /// ways to draw 0, 1, 2… cards of the atom; each card adds `adds`.
    fn joined<'c>(
        before: Cow<'c, [Self]>,
        choices: &'c Choices<Self::Ways>,
        ways: &[Self::Ways],
        all: u32,
        adds: i64,
        budget: &mut Budget,
    ) -> Result<Cow<'c, [Self]>, Limit>;
}

/// A share of all hands: a probability, or a distribution.
pub(crate) trait Share: Clone {
    /// Itself, where it is a probability.
    fn probability(&self) -> Option<&Fraction>;
}

impl Share for Fraction {
    fn probability(&self) -> Option<&Fraction> {
        Some(self)
    }
}

impl Share for Distribution {
    fn probability(&self) -> Option<&Fraction> {
        None
    }
}

macro_rules! natural {
    ($number:ty, ($a:ident, $b:ident) $times:expr, $bits:ident => $more:expr) => {
        impl Natural for $number {
            fn bytes_of($bits: u64) -> u64 {
                size_of::<Self>() as u64 + $more
            }
            #[inline]
            fn add_product(&mut self, $a: &Self, $b: &Self) {
                *self += $times;
            }
            #[inline]
            fn times(&self, $b: &Self) -> Self {
                let $a = self;
                $times
            }
        }

        impl Number for $number {
            type Ways = Self;
            type Share = Fraction;

            fn zero() -> Self {
                Natural::zero()
            }
            fn of(ways: Self, _: i128) -> Self {
                ways
            }
            #[inline]
            fn add(&mut self, ways: &Self, more: &Self) {
                self.add_product(ways, more);
            }
            fn exceeds(&self, other: &Self) -> bool {
                self > other
            }
            fn share(&self, of: &BigUint) -> Fraction {
                Fraction::new(self.clone().into(), of.clone())
            }
            fn bytes(&self) -> u64 {
                Self::bytes_of(BigUint::from(self.clone()).bits())
            }
            fn row(choices: &Choices<Self>, cards: u32, width: usize, _: i128) -> Cow<'_, [Self]> {
                Cow::Borrowed(&choices.row(cards)[..width])
            }
            fn joined<'c>(
                before: Cow<'c, [Self]>,
                choices: &'c Choices<Self>,
                _: &[Self],
                all: u32,
                _: i64,
                _: &mut Budget,
            ) -> Result<Cow<'c, [Self]>, Limit> {
                Ok(Self::row(choices, all, before.len(), 0))
            }
        }
    };
}

natural!(u64, (a, b) a * b, _bits => 0);
natural!(u128, (a, b) a * b, _bits => 0);
// A number that is not 0 is a piece of memory of its own, which a sum may have doubled.
natural!(BigUint, (a, b) a * b, bits => if bits > 0 { 16 + bits / 4 } else { 0 });

impl Number for Totals {
    type Ways = BigUint;
    type Share = Distribution;

    fn zero() -> Self {
        Totals::default()
    }
    fn of(ways: BigUint, total: i128) -> Self {
        Totals::from([(total, ways)])
    }
    fn add(&mut self, ways: &BigUint, more: &Self) {
        self.add_shifted(ways, more, 0);
    }
    fn exceeds(&self, other: &Self) -> bool {
        // One hand has one distribution: the first that is found.
        other.is_empty()
    }
    fn share(&self, of: &BigUint) -> Distribution {
        Distribution::new(self, of)
    }
    fn bytes(&self) -> u64 {
        Totals::bytes(self)
    }
    fn row(choices: &Choices<BigUint>, cards: u32, width: usize, total: i128) -> Cow<'_, [Self]> {
        let row = choices.row(cards)[..width].iter();
        row.map(|ways| Totals::of(ways.clone(), total)).collect()
    }
    fn joined<'c>(
        before: Cow<'c, [Self]>,
        _: &'c Choices<BigUint>,
        ways: &[BigUint],
        _: u32,
        adds: i64,
        budget: &mut Budget,
    ) -> Result<Cow<'c, [Self]>, Limit> {
        Totals::convolved(&before, ways, adds, budget).map(Cow::Owned)
    }
}

/// The number of ways to choose `taken` of `all` cards.
///
/// ```
/// assert_eq!(decklaw_engine::odds::choose(49, 6).to_string(), "13983816");
/// assert_eq!(decklaw_engine::odds::choose(2, 3).to_string(), "0");
/// ```
pub fn choose(all: u32, taken: u32) -> BigUint {
    if taken > all {
        return BigUint::ZERO;
    }
    let taken = taken.min(all - taken);
    let mut ways = BigUint::from(1_u32);
    for step in 0..taken {
        ways = ways * (all - step) / (step + 1);
    }
    ways
}

/// Pascal's triangle for up to `rows` cards and `most` of them taken, row by row.
#[derive(Debug, Clone)]
pub(crate) struct Choices<T> {
    /// The bytes of the largest number that is counted.
    pub(crate) bytes: u64,
    width: usize,
    cells: Vec<T>,
}

impl<T: Natural> Choices<T> {
    /// The triangle, where no number that is counted with it exceeds `largest`.
    pub(crate) fn new(
        rows: u32,
        most: u32,
        largest: &BigUint,
        budget: &mut Budget,
    ) -> Result<Choices<T>, Limit> {
        let cells = (u64::from(rows) + 1) * (u64::from(most) + 1);
        let work = match largest.bits() {
            0..=64 => 1,
            65..=128 => 2,
            bits => 10 + bits / 64,
        };
        let bytes = T::bytes_of(largest.bits());
        budget.hold(cells.saturating_mul(bytes))?;
        budget.spend(cells.saturating_mul(work))?;
        let (rows, width) = (rows as usize + 1, most as usize + 1);
        let one = T::from(1);
        let mut cells = vec![T::zero(); rows * width];
        for row in 0..rows {
            cells[row * width] = one.clone();
            for taken in 1..width.min(row + 1) {
                let above = (row - 1) * width + taken;
                let mut sum = cells[above - 1].clone();
                sum.add_product(&cells[above], &one);
                cells[row * width + taken] = sum;
            }
        }
        Ok(Choices { bytes, width, cells })
    }

    /// The ways to take 0, 1, 2… of `all` cards.
    #[inline]
    pub(crate) fn row(&self, all: u32) -> &[T] {
        let start = all as usize * self.width;
        &self.cells[start..start + self.width]
    }
}
