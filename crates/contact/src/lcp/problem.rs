//! Data of a linear complementarity problem and its residual.

use crate::error::{ContactError, finite};

/// Find `z ≥ 0` with `w = M z + q ≥ 0` and `zᵀ w = 0` (Cottle, Pang & Stone 1992, "The linear complementarity problem").
#[derive(Debug, Clone, PartialEq)]
pub struct LinearComplementarityProblem {
    m: Vec<f64>,
    q: Vec<f64>,
}

impl LinearComplementarityProblem {
    /// `m` by rows, `q.len()` squared entries.
    ///
    /// # Errors
    /// When the length of `m` is not the square of that of `q`, or an entry is not finite.
    pub fn new(m: Vec<f64>, q: Vec<f64>) -> Result<Self, ContactError> {
        if m.len() != q.len() * q.len() {
            return Err(ContactError::Length {
                field: "M",
                found: m.len(),
                expected: q.len() * q.len(),
            });
        }
        for &x in &m {
            finite("M", x)?;
        }
        for &x in &q {
            finite("q", x)?;
        }
        Ok(Self { m, q })
    }

    /// Number of unknowns.
    pub fn size(&self) -> usize {
        self.q.len()
    }

    /// Row `i` of `M`.
    pub fn row(&self, i: usize) -> &[f64] {
        let n = self.size();
        self.m.get(i * n..(i + 1) * n).unwrap_or(&[])
    }

    /// The constant part.
    pub fn q(&self) -> &[f64] {
        &self.q
    }

    /// `w = M z + q`, each sum with compensation so that the residual shows the solution and not the summation.
    pub fn w(&self, z: &[f64]) -> Vec<f64> {
        (0..self.size())
            .map(|i| compensated(self.row(i), z, self.q[i]))
            .collect()
    }

    /// `max_i |min(z_i, w_i)|`, zero exactly at a solution; infinite when `z` is not finite or of the wrong length.
    pub fn residual(&self, z: &[f64]) -> f64 {
        if z.len() != self.size() || !z.iter().all(|x| x.is_finite()) {
            return f64::INFINITY;
        }
        self.w(z)
            .iter()
            .zip(z)
            .map(|(w, z)| w.min(*z).abs())
            .fold(0.0, f64::max)
    }
}

/// `start + Σ a_k b_k` with the rounding of sums and products carried along (Ogita, Rump & Oishi 2005, "Dot2").
pub(crate) fn compensated(a: &[f64], b: &[f64], start: f64) -> f64 {
    let (mut sum, mut rest) = (start, 0.0);
    for (x, y) in a.iter().zip(b) {
        let p = x * y;
        rest += x.mul_add(*y, -p);
        let s = sum + p;
        let back = s - sum;
        rest += (sum - (s - back)) + (p - back);
        sum = s;
    }
    sum + rest
}
