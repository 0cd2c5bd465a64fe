//! Data of a linear complementarity problem and its residual.

use crate::error::{ContactError, finite, length};
use klast_numerics::dot;

/// Find `z ≥ 0` with `w = M z + q ≥ 0` and `zᵀ w = 0` (Cottle, Pang & Stone 1992, "The linear complementarity
/// problem").
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
        length("number of entries of M", m.len(), q.len() * q.len())?;
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
            .map(|i| dot(self.row(i), z, self.q[i]))
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

    /// `max_i |min(z_i, w_i)|` in the units of the data, zero exactly at a solution; infinite when `z` or `w` is not
    /// finite or `z` of the wrong length.
    pub fn residual(&self, z: &[f64]) -> f64 {
        self.largest_gap(z, |_, z, w| w.min(z).abs())
    }

    /// The residual without units, `max_i (|min(z_i / c_i, r_i w_i)| − δ_i)⁺ / Q`, where `Q = max_i (−r_i q_i)⁺` is
    /// that of `z = 0`.
    ///
    /// `r` and `c` are powers of two that balance the rows and columns of `M`, so that neither the units of `M` and `q`
    /// nor those of single rows and columns tell. `δ_i = 4 ε r_i (|q_i| + Σ |M_ij| z_j)` is what the rounding of `z` to
    /// doubles leaves in `w_i`, and no `z` can be asked for less; but `δ_i ≤ √ε max(Q, r_i |q_i|)`, as a `z` that runs
    /// away rounds all of `q` off.
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

/// Exponent of an entry, nothing for zero.
fn exponent(x: f64) -> Option<i32> {
    (x != 0.0).then(|| libm::ilogb(x))
}

/// `r` and `c` for which the largest entry of each row and each column of `r_i M_ij c_j` lies near 1; powers of two, so
/// that scaling rounds nothing.
///
/// Ruiz (2001), "A scaling algorithm to equilibrate both rows and columns norms in matrices", RAL-TR-2001-034, on the
/// exponents: rows and columns share what is too much. A row of zeros has no such `r`; it gets one for which its `q` is
/// as large as the most negative of the others.
fn balance(m: &[f64], q: &[f64]) -> (Vec<f64>, Vec<f64>) {
    let n = q.len();
    let entries: Vec<(usize, usize, i32)> = m
        .iter()
        .enumerate()
        .filter_map(|(k, x)| exponent(*x).map(|e| (k / n, k % n, e)))
        .collect();
    let (mut rows, mut columns) = (vec![0; n], vec![0; n]);
    // The excess halves each time, and exponents start within ±1100.
    for _ in 0..16 {
        let (mut high, mut wide) = (vec![i32::MIN; n], vec![i32::MIN; n]);
        for &(i, j, e) in &entries {
            let e = e + rows[i] + columns[j];
            high[i] = high[i].max(e);
            wide[j] = wide[j].max(e);
        }
        let mut still = true;
        for (shift, excess) in rows
            .iter_mut()
            .zip(high)
            .chain(columns.iter_mut().zip(wide))
        {
            if excess != i32::MIN && excess / 2 != 0 {
                *shift -= excess / 2;
                still = false;
            }
        }
        if still {
            break;
        }
    }
    let mut empty = vec![true; n];
    entries.iter().for_each(|&(i, _, _)| empty[i] = false);
    let load = (0..n)
        .filter(|&i| !empty[i] && q[i] < 0.0)
        .map(|i| libm::ilogb(q[i]) + rows[i])
        .max()
        .unwrap_or(0);
    for i in (0..n).filter(|&i| empty[i]) {
        rows[i] = exponent(q[i]).map_or(0, |e| load - e);
    }
    let power = |e: i32| libm::ldexp(1.0, e.clamp(-1000, 1000));
    (
        rows.into_iter().map(power).collect(),
        columns.into_iter().map(power).collect(),
    )
}
