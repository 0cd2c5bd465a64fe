//! Double-double numbers (Dekker 1971): unevaluated sums of two doubles, with some 31 digits.

use std::ops::{Add, AddAssign, Mul, Neg, Sub};

/// The unevaluated sum high + low. In sums and products the low part may grow to a few roundings of the high one, which
/// costs a digit or two but no time; [`DoubleDouble::renormalized`] restores the form in which the high part is the
/// nearest double, and `+=` does so each time.
///
/// Plain arithmetic without fused multiply-add: the same bits on every processor. Overflow and NaN behave as in
/// doubles; products of factors below 1e-140 lose their low part.
///
/// ```
/// use klast_numerics::DoubleDouble;
///
/// let third = DoubleDouble::new(1.0) * (1.0 / 3.0);
/// let sum = DoubleDouble::sum(1.0, 1e-20) - DoubleDouble::new(1.0);
/// assert_eq!(sum.value(), 1e-20);
/// assert_eq!(third.value(), 1.0 / 3.0);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct DoubleDouble {
    /// The nearest double, or a few roundings beside it.
    pub high: f64,
    /// What is left.
    pub low: f64,
}

impl DoubleDouble {
    /// A double.
    pub const fn new(high: f64) -> Self {
        Self { high, low: 0.0 }
    }

    /// The sum of two parts, the low one below a rounding or so of the high one.
    pub const fn from_parts(high: f64, low: f64) -> Self {
        Self { high, low }
    }

    /// a + b without rounding (Knuth 1969).
    #[inline]
    #[must_use]
    pub fn sum(a: f64, b: f64) -> Self {
        let high = a + b;
        let back = high - a;
        Self {
            high,
            low: (a - (high - back)) + (b - back),
        }
    }

    /// a b, rounded in the 32nd digit.
    #[inline]
    #[must_use]
    pub fn product(a: f64, b: f64) -> Self {
        let high = a * b;
        let ((a, c), (b, d)) = (halves(a), halves(b));
        Self {
            high,
            low: ((a * b - high) + (a * d + c * b)) + c * d,
        }
    }

    /// The nearest double.
    #[inline]
    #[must_use]
    pub fn value(self) -> f64 {
        self.high + self.low
    }

    /// Half of it, exactly.
    #[inline]
    #[must_use]
    pub fn half(self) -> Self {
        Self {
            high: 0.5 * self.high,
            low: 0.5 * self.low,
        }
    }

    /// The same with the low part below a rounding of the high one.
    #[inline]
    #[must_use]
    pub fn renormalized(self) -> Self {
        let high = self.high + self.low;
        Self {
            high,
            low: self.low - (high - self.high),
        }
    }
}

/// The first 26 binary digits and the rest. Masked, where Dekker's multiplication would overflow; a fused multiply-add,
/// which would do without, is a call of a library on processors that may lack it.
#[inline]
fn halves(x: f64) -> (f64, f64) {
    let first = f64::from_bits(x.to_bits() & !0x7ff_ffff);
    (first, x - first)
}

impl Add for DoubleDouble {
    type Output = Self;

    #[inline]
    fn add(self, other: Self) -> Self {
        let sum = Self::sum(self.high, other.high);
        Self {
            high: sum.high,
            low: sum.low + (self.low + other.low),
        }
    }
}

impl AddAssign for DoubleDouble {
    #[inline]
    fn add_assign(&mut self, other: Self) {
        *self = (*self + other).renormalized();
    }
}

impl Neg for DoubleDouble {
    type Output = Self;

    #[inline]
    fn neg(self) -> Self {
        Self {
            high: -self.high,
            low: -self.low,
        }
    }
}

impl Sub for DoubleDouble {
    type Output = Self;

    #[inline]
    fn sub(self, other: Self) -> Self {
        self + -other
    }
}

impl Mul<f64> for DoubleDouble {
    type Output = Self;

    #[inline]
    fn mul(self, x: f64) -> Self {
        let product = Self::product(self.high, x);
        Self {
            high: product.high,
            low: product.low + self.low * x,
        }
    }
}

impl Mul for DoubleDouble {
    type Output = Self;

    #[inline]
    fn mul(self, other: Self) -> Self {
        let product = Self::product(self.high, other.high);
        Self {
            high: product.high,
            low: product.low + (self.high * other.low + self.low * other.high),
        }
    }
}
