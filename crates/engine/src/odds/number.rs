//! Whole numbers wide enough to count hands, and exact fractions.

use num_bigint::BigUint;
use std::fmt;

/// A whole number in which hands are counted: as narrow as the question allows.
pub(crate) trait Natural: Clone {
    fn zero() -> Self;
    fn one() -> Self;
    /// `self += a × b`.
    fn add_product(&mut self, a: &Self, b: &Self);
    fn times(&self, other: &Self) -> Self;
    fn exceeds(&self, other: &Self) -> bool;
    fn is_zero(&self) -> bool;
    fn big(&self) -> BigUint;
    /// The caller has measured that it fits.
    fn narrow(value: &BigUint) -> Self;
}

macro_rules! machine_word {
    ($word:ty) => {
        impl Natural for $word {
            fn zero() -> Self {
                0
            }
            fn one() -> Self {
                1
            }
            #[inline]
            fn add_product(&mut self, a: &Self, b: &Self) {
                *self += a * b;
            }
            #[inline]
            fn times(&self, other: &Self) -> Self {
                self * other
            }
            fn exceeds(&self, other: &Self) -> bool {
                self > other
            }
            fn is_zero(&self) -> bool {
                *self == 0
            }
            fn big(&self) -> BigUint {
                BigUint::from(*self)
            }
            fn narrow(value: &BigUint) -> Self {
                <$word>::try_from(value).unwrap_or(<$word>::MAX)
            }
        }
    };
}
machine_word!(u64);
machine_word!(u128);

impl Natural for BigUint {
    fn zero() -> Self {
        BigUint::ZERO
    }
    fn one() -> Self {
        BigUint::from(1_u32)
    }
    fn add_product(&mut self, a: &Self, b: &Self) {
        *self += a * b;
    }
    fn times(&self, other: &Self) -> Self {
        self * other
    }
    fn exceeds(&self, other: &Self) -> bool {
        self > other
    }
    fn is_zero(&self) -> bool {
        *self == BigUint::ZERO
    }
    fn big(&self) -> BigUint {
        self.clone()
    }
    fn narrow(value: &BigUint) -> Self {
        value.clone()
    }
}

/// How many ways there are to choose `taken` of `all` cards.
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

/// Pascal's triangle up to `rows` cards and `most` taken, row by row.
#[derive(Debug, Clone)]
pub(crate) struct Choices<T> {
    width: usize,
    cells: Vec<T>,
}

impl<T: Natural> Choices<T> {
    pub(crate) fn new(rows: u32, most: u32) -> Choices<T> {
        let (rows, width) = (rows as usize + 1, most as usize + 1);
        let mut cells = vec![T::zero(); rows * width];
        for row in 0..rows {
            cells[row * width] = T::one();
            for taken in 1..width.min(row + 1) {
                let above = (row - 1) * width + taken;
                let mut sum = cells[above - 1].clone();
                sum.add_product(&cells[above], &T::one());
                cells[row * width + taken] = sum;
            }
        }
        Choices { width, cells }
    }

    #[inline]
    pub(crate) fn row(&self, all: u32) -> &[T] {
        let start = all as usize * self.width;
        &self.cells[start..start + self.width]
    }
}

/// An exact fraction, reduced, never negative; a probability is from `0/1` to `1/1`.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Fraction {
    numerator: BigUint,
    denominator: BigUint,
}

impl Fraction {
    /// The fraction in lowest terms. A denominator of zero gives `0/1`: nothing was counted.
    ///
    /// ```
    /// use decklaw_engine::odds::Fraction;
    /// assert_eq!(Fraction::new(6_u32.into(), 8_u32.into()).to_string(), "3/4");
    /// ```
    pub fn new(numerator: BigUint, denominator: BigUint) -> Fraction {
        if numerator == BigUint::ZERO || denominator == BigUint::ZERO {
            return Fraction {
                numerator: BigUint::ZERO,
                denominator: BigUint::from(1_u32),
            };
        }
        let common = greatest_common_divisor(&numerator, &denominator);
        Fraction {
            numerator: numerator / &common,
            denominator: denominator / common,
        }
    }

    /// The number above the line.
    pub fn numerator(&self) -> &BigUint {
        &self.numerator
    }

    /// The number below the line, at least 1.
    pub fn denominator(&self) -> &BigUint {
        &self.denominator
    }

    /// The nearest double.
    ///
    /// ```
    /// use decklaw_engine::odds::Fraction;
    /// assert_eq!(Fraction::new(4471_u32.into(), 6580_u32.into()).nearest(), 4471.0 / 6580.0);
    /// ```
    pub fn nearest(&self) -> f64 {
        /// More than twice the bits of a double, so that one rounding decides.
        const BITS: i64 = 110;
        if self.numerator == BigUint::ZERO {
            return 0.0;
        }
        let shift = BITS - (self.numerator.bits() as i64 - self.denominator.bits() as i64);
        let (above, below) = if shift >= 0 {
            (&self.numerator << shift as u64, self.denominator.clone())
        } else {
            (
                self.numerator.clone(),
                &self.denominator << shift.unsigned_abs(),
            )
        };
        let quotient = &above / &below;
        let inexact = &quotient * &below != above;
        let digits = u128::try_from(&quotient).unwrap_or(u128::MAX) | u128::from(inexact);
        let half = (shift / 2) as i32;
        digits as f64 * 2_f64.powi(-half) * 2_f64.powi(half - shift as i32)
    }
}

impl fmt::Display for Fraction {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}/{}", self.numerator, self.denominator)
    }
}

fn greatest_common_divisor(a: &BigUint, b: &BigUint) -> BigUint {
    let (mut a, mut b) = (a.clone(), b.clone());
    while b != BigUint::ZERO {
        if let (Ok(mut x), Ok(mut y)) = (u128::try_from(&a), u128::try_from(&b)) {
            while y != 0 {
                (x, y) = (y, x % y);
            }
            return BigUint::from(x);
        }
        let rest = &a % &b;
        a = std::mem::replace(&mut b, rest);
    }
    a
}
