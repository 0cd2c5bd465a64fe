//! Sums that carry their rounding along.

use crate::DoubleDouble;

/// A compensated sum: the rounding of every addition is kept and added at the end, so that a million small terms leave
/// no rounding in a balance of 1e-12.
///
/// Neumaier's sum (1974) with the rounding found without a branch (Knuth 1969), exact for terms of any order of size.
/// The error is that of one rounding of the result and n² ε² Σ|x|.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct CompensatedSum {
    total: f64,
    carry: f64,
}

impl CompensatedSum {
    /// Adds a term.
    #[inline]
    pub fn add(&mut self, x: f64) {
        let sum = DoubleDouble::sum(self.total, x);
        self.carry += sum.low;
        self.total = sum.high;
    }

    /// The sum so far.
    #[inline]
    #[must_use]
    pub fn value(&self) -> f64 {
        self.total + self.carry
    }
}

impl FromIterator<f64> for CompensatedSum {
    fn from_iter<I: IntoIterator<Item = f64>>(terms: I) -> Self {
        terms.into_iter().fold(Self::default(), |mut sum, x| {
            sum.add(x);
            sum
        })
    }
}

/// `start + Σ a_k b_k` over the shorter of the two, with the rounding of sums and products carried along ("Dot2",
/// Ogita, Rump and Oishi 2005): as if computed in twice the digits and rounded once.
#[must_use]
pub fn dot(a: &[f64], b: &[f64], start: f64) -> f64 {
    let (mut sum, mut rest) = (start, 0.0);
    for (x, y) in a.iter().zip(b) {
        let product = x * y;
        rest += x.mul_add(*y, -product);
        let next = DoubleDouble::sum(sum, product);
        rest += next.low;
        sum = next.high;
    }
    sum + rest
}
