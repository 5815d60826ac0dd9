//! Exact fractions.

use num_bigint::BigUint;
use serde::ser::{Serialize, SerializeStruct, Serializer};
use std::fmt;

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
            return Fraction { numerator: BigUint::ZERO, denominator: BigUint::from(1_u32) };
        }
        let common = greatest_common_divisor(&numerator, &denominator);
        Fraction { numerator: numerator / &common, denominator: denominator / common }
    }

    /// The number above the line.
    pub fn numerator(&self) -> &BigUint {
        &self.numerator
    }

    /// The number below the line, at least 1.
    pub fn denominator(&self) -> &BigUint {
        &self.denominator
    }

    /// This share of `hands`, a multiple of the denominator.
    pub(crate) fn of(&self, hands: &BigUint) -> BigUint {
        hands / &self.denominator * &self.numerator
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
            (self.numerator.clone(), &self.denominator << shift.unsigned_abs())
        };
        let quotient = &above / &below;
        let inexact = &quotient * &below != above;
        let digits = u128::try_from(&quotient).unwrap_or(u128::MAX) | u128::from(inexact);
        let half = (shift / 2) as i32;
        digits as f64 * 2_f64.powi(-half) * 2_f64.powi(half - shift as i32)
    }
}

impl Serialize for Fraction {
    /// `probability`, the nearest double, and `fraction`, `a/b`.
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut both = to.serialize_struct("Fraction", 2)?;
        both.serialize_field("probability", &self.nearest())?;
        both.serialize_field("fraction", &self.to_string())?;
        both.end()
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
