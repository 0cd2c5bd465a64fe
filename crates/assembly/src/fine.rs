//! Numbers in two parts, for coordinates.
//!
//! A gap of 1e-16 m between two of ten thousand blocks must be told from none while both are metres away: one rounding of
//! 8 m is ten times that. A coordinate is therefore a sum high + low (Dekker 1971), and a path is multiplied out in both.

use std::ops::{Add, AddAssign, Mul, Neg, Sub};

/// The unevaluated sum high + low: some 30 digits. In sums and products the low part may grow to a few roundings of the
/// high one, which costs digits of the 30 but no time; what is kept is settled.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct Fine {
    pub(crate) high: f64,
    pub(crate) low: f64,
}

impl Fine {
    pub(crate) const fn new(high: f64) -> Self {
        Self { high, low: 0.0 }
    }

    /// a + b without rounding (Knuth 1969).
    #[inline]
    pub(crate) fn sum(a: f64, b: f64) -> Self {
        let high = a + b;
        let back = high - a;
        Self {
            high,
            low: (a - (high - back)) + (b - back),
        }
    }

    /// a b, rounded in the 32nd digit.
    #[inline]
    pub(crate) fn product(a: f64, b: f64) -> Self {
        let high = a * b;
        let ((a, c), (b, d)) = (halves(a), halves(b));
        Self {
            high,
            low: ((a * b - high) + (a * d + c * b)) + c * d,
        }
    }

    /// The nearest double.
    #[inline]
    pub(crate) fn value(self) -> f64 {
        self.high + self.low
    }

    /// Half of it, exactly.
    #[inline]
    pub(crate) fn half(self) -> Self {
        Self {
            high: 0.5 * self.high,
            low: 0.5 * self.low,
        }
    }

    /// The same with the low part below a rounding of the high one.
    #[inline]
    pub(crate) fn settled(self) -> Self {
        let high = self.high + self.low;
        Self {
            high,
            low: self.low - (high - self.high),
        }
    }
}

/// The first 26 binary digits and the rest. Masked, where Dekker's multiplication would overflow; a fused multiply-add, which
/// would do without, is a call of a library on processors that may lack it.
#[inline]
fn halves(x: f64) -> (f64, f64) {
    let first = f64::from_bits(x.to_bits() & !0x7ff_ffff);
    (first, x - first)
}

impl Add for Fine {
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

impl AddAssign for Fine {
    #[inline]
    fn add_assign(&mut self, other: Self) {
        *self = (*self + other).settled();
    }
}

impl Neg for Fine {
    type Output = Self;

    #[inline]
    fn neg(self) -> Self {
        Self {
            high: -self.high,
            low: -self.low,
        }
    }
}

impl Sub for Fine {
    type Output = Self;

    #[inline]
    fn sub(self, other: Self) -> Self {
        self + -other
    }
}

impl Mul<f64> for Fine {
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

impl Mul for Fine {
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

/// The last double not after `start` + `wait`, where `wait` is known to a rounding or two; not before `start` ≥ 0.
///
/// An impact is taken at a time at which its gap is still open: no later than it happens.
#[inline]
pub(crate) fn no_later(start: f64, wait: f64) -> f64 {
    const LESS: f64 = 1.0 - 2.0 * f64::EPSILON;
    let time = Fine::sum(start, LESS * wait);
    // One less in its bits is the next double below; without a branch, which none could foresee.
    let time = f64::from_bits(time.high.to_bits() - u64::from(time.low < 0.0));
    if time > start { time } else { start }
}
