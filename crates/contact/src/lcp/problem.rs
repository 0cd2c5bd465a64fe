//! Data of a linear complementarity problem and its residual.

use super::balance::balance;
use crate::error::{ContactError, finite};

/// Find `z ≥ 0` with `w = M z + q ≥ 0` and `zᵀ w = 0` (Cottle, Pang & Stone 1992, "The linear complementarity problem").
#[derive(Debug, Clone, PartialEq)]
pub struct LinearComplementarityProblem {
    m: Vec<f64>,
    q: Vec<f64>,
    /// See [`balance`].
    rows: Vec<f64>,
    columns: Vec<f64>,
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
        let (rows, columns) = balance(&m, &q);
        Ok(Self {
            m,
            q,
            rows,
            columns,
        })
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

    /// `r_i`, a power of two: `r_i w_i` and the entries of the balanced matrix `r_i M_ij c_j` have no unit.
    pub(super) fn row_scale(&self, i: usize) -> f64 {
        self.rows[i]
    }

    /// `c_j`, a power of two: `z_j / c_j` has the unit of `r_i w_i`.
    pub(super) fn column_scale(&self, j: usize) -> f64 {
        self.columns[j]
    }

    /// `r_i M_ij c_j`, the largest of each row and column between 1/2 and 4.
    pub(super) fn balanced(&self, i: usize, j: usize) -> f64 {
        self.row(i)[j] * self.rows[i] * self.columns[j]
    }

    /// `max_i |min(z_i, w_i)|` in the units of the data, zero exactly at a solution; infinite when `z` or `w` is not finite
    /// or `z` of the wrong length.
    pub fn residual(&self, z: &[f64]) -> f64 {
        self.largest_gap(z, |_, z, w| w.min(z).abs())
    }

    /// The residual without units, `max_i (|min(z_i / c_i, r_i w_i)| − δ_i)⁺ / Q`, where `Q = max_i (−r_i q_i)⁺` is that of
    /// `z = 0`.
    ///
    /// `r` and `c` are powers of two that balance the rows and columns of `M`, so that neither the units of `M` and `q` nor
    /// those of single rows and columns tell. `δ_i = 4 ε r_i (|q_i| + Σ |M_ij| z_j)` is what the rounding of `z` to doubles
    /// leaves in `w_i`, and no `z` can be asked for less; but `δ_i ≤ √ε max(Q, r_i |q_i|)`, as a `z` that runs away rounds all of `q` off.
    pub fn relative_residual(&self, z: &[f64]) -> f64 {
        let loads = self.q.iter().zip(&self.rows);
        let load = loads.fold(0.0_f64, |s, (q, r)| s.max(-q * r));
        if !load.is_finite() {
            return f64::INFINITY;
        }
        let left = self.largest_gap(z, |i, z_i, w| {
            let terms = self.row(i).iter().zip(z).map(|(m, z)| (m * z).abs());
            let size = self.q[i].abs() + terms.sum::<f64>();
            let rounding = 4.0 * f64::EPSILON * size * self.rows[i];
            let most = f64::EPSILON.sqrt() * load.max(self.q[i].abs() * self.rows[i]);
            let gap = (w * self.rows[i]).min(z_i / self.columns[i]).abs();
            gap - rounding.min(most)
        });
        if left > 0.0 { left / load } else { 0.0 }
    }

    /// The largest of `gap(i, z_i, w_i)` that is above zero.
    fn largest_gap(&self, z: &[f64], gap: impl Fn(usize, f64, f64) -> f64) -> f64 {
        if z.len() != self.size() {
            return f64::INFINITY;
        }
        let w = self.w(z);
        if !z.iter().chain(&w).all(|x| x.is_finite()) {
            return f64::INFINITY;
        }
        let all = z.iter().zip(&w).enumerate();
        all.map(|(i, (z, w))| gap(i, *z, *w))
            .fold(0.0, |m, gap| match gap.is_nan() {
                true => f64::INFINITY,
                false => m.max(gap),
            })
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
