//! Lemke's complementary pivoting, and the tableau that it shares with the feasibility test.

use super::basis::refine;
use super::problem::LinearComplementarityProblem;

/// How Lemke's method ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LemkeEnd {
    /// `z₀` left the basis: a solution.
    Solved,
    /// A secondary ray. For most matrices that proves nothing: the problem may have a solution all the same.
    Ray,
    /// The pivots were used up.
    PivotLimit,
}

/// Lemke (1965), "Bimatrix equilibrium points and mathematical programming", with lexicographic ties.
///
/// `covering` is the positive vector `d` of `w = M z + q + d z₀`; another one may pass where one ends on a ray. Gives
/// the last `z` (made exact from its basis), how it ended and the pivots. Dense, O(n²) a pivot.
pub fn lemke(
    problem: &LinearComplementarityProblem,
    covering: &[f64],
    max_pivots: usize,
) -> (Vec<f64>, LemkeEnd, usize) {
    let n = problem.size();
    if covering.len() != n || !covering.iter().all(|d| *d > 0.0 && d.is_finite()) {
        return (vec![0.0; n], LemkeEnd::Ray, 0);
    }
    if problem.q().iter().all(|q| *q >= 0.0) {
        return (vec![0.0; n], LemkeEnd::Solved, 0);
    }
    let mut tableau = Tableau::new(problem, covering);
    let Some(row) = tableau.cover() else {
        return (vec![0.0; n], LemkeEnd::Solved, 0);
    };
    // The first row's w left; its complement enters.
    let mut entering = row + n;
    for pivots in 1..=max_pivots {
        let Some(row) = tableau.ratio_test(entering) else {
            return (tableau.z(), LemkeEnd::Ray, pivots);
        };
        let leaving = tableau.basic[row];
        tableau.pivot(row, entering);
        if leaving == tableau.artificial() {
            return (refine(problem, tableau.z()), LemkeEnd::Solved, pivots);
        }
        entering = if leaving < n {
            leaving + n
        } else {
            leaving - n
        };
    }
    (tableau.z(), LemkeEnd::PivotLimit, max_pivots)
}

/// What counts as zero where a column limits a row; the entries start at 1.
pub(super) const TINY: f64 = 1e-11;

/// The covering vector that is all ones once the rows are balanced.
pub(super) fn balanced_ones(problem: &LinearComplementarityProblem) -> Vec<f64> {
    (0..problem.size())
        .map(|i| problem.row_scale(i).recip())
        .collect()
}

/// Balanced: row `i` times `r_i`, `z_j` in units of `c_j`. Columns: `w` (0..n), `z` (n..2n), `z₀` (2n), right-hand side
/// (2n+1).
pub(super) struct Tableau<'a> {
    problem: &'a LinearComplementarityProblem,
    pub n: usize,
    width: usize,
    a: Vec<f64>,
    /// The variable that is basic in each row.
    pub basic: Vec<usize>,
}

impl<'a> Tableau<'a> {
    pub fn new(problem: &'a LinearComplementarityProblem, covering: &[f64]) -> Self {
        let n = problem.size();
        let width = 2 * n + 2;
        let mut a = vec![0.0; n * width];
        for (i, row) in a.chunks_exact_mut(width.max(1)).enumerate() {
            row[i] = 1.0;
            for (j, x) in row[n..2 * n].iter_mut().enumerate() {
                *x = -problem.balanced(i, j);
            }
            row[2 * n] = -covering[i] * problem.row_scale(i);
            row[2 * n + 1] = problem.q()[i] * problem.row_scale(i);
        }
        Self {
            problem,
            n,
            width,
            a,
            basic: (0..n).collect(),
        }
    }

    /// Index of `z₀`.
    pub fn artificial(&self) -> usize {
        2 * self.n
    }

    pub fn row(&self, i: usize) -> &[f64] {
        &self.a[i * self.width..(i + 1) * self.width]
    }

    pub fn value(&self, i: usize) -> f64 {
        self.row(i)[2 * self.n + 1]
    }

    /// Makes `column` basic in `row`.
    pub fn pivot(&mut self, row: usize, column: usize) {
        let width = self.width;
        let pivot = self.row(row)[column];
        let (before, rest) = self.a.split_at_mut(row * width);
        let (pivot_row, after) = rest.split_at_mut(width);
        for x in pivot_row.iter_mut() {
            *x /= pivot;
        }
        pivot_row[column] = 1.0;
        for other in before
            .chunks_exact_mut(width)
            .chain(after.chunks_exact_mut(width))
        {
            let factor = other[column];
            if factor != 0.0 {
                for (x, p) in other.iter_mut().zip(pivot_row.iter()) {
                    *x -= factor * p;
                }
                other[column] = 0.0;
            }
        }
        self.basic[row] = column;
    }

    /// The row that limits `column`: least ratio, ties broken lexicographically by the columns of `w` (which hold the
    /// basis inverse), so that a degenerate problem cannot cycle. A tie with `z₀` lets `z₀` leave.
    pub fn ratio_test(&self, column: usize) -> Option<usize> {
        let mut best: Option<usize> = None;
        for i in 0..self.n {
            if self.row(i)[column] <= TINY {
                continue;
            }
            best = match best {
                None => Some(i),
                Some(b) if self.lexicographically_less(i, b, column) => Some(i),
                keep => keep,
            };
        }
        best
    }

    fn lexicographically_less(&self, i: usize, b: usize, column: usize) -> bool {
        let (ri, rb) = (self.row(i), self.row(b));
        let (pi, pb) = (ri[column], rb[column]);
        let difference = |k: usize| {
            let (x, y) = (ri[k] / pi, rb[k] / pb);
            let noise = 1e-12 * (x.abs().max(y.abs()));
            if (x - y).abs() <= noise { 0.0 } else { x - y }
        };
        let first = difference(2 * self.n + 1);
        if first != 0.0 {
            return first < 0.0;
        }
        if self.basic[i] == self.artificial() || self.basic[b] == self.artificial() {
            return self.basic[i] == self.artificial();
        }
        (0..self.n)
            .map(difference)
            .find(|d| *d != 0.0)
            .is_some_and(|d| d < 0.0)
    }

    /// Brings `z₀` in at the row with the most negative right-hand side relative to the covering vector; the row.
    pub fn cover(&mut self) -> Option<usize> {
        let artificial = self.artificial();
        let mut best: Option<(f64, usize)> = None;
        for i in 0..self.n {
            let d = -self.row(i)[artificial];
            if d > 0.0 {
                let ratio = self.value(i) / d;
                if ratio < best.map_or(0.0, |b| b.0) {
                    best = Some((ratio, i));
                }
            }
        }
        let (_, row) = best?;
        self.pivot(row, artificial);
        Some(row)
    }

    /// The `z` part of the basic solution.
    pub fn z(&self) -> Vec<f64> {
        let mut z = vec![0.0; self.n];
        for (i, &v) in self.basic.iter().enumerate() {
            if (self.n..2 * self.n).contains(&v) {
                z[v - self.n] = self.value(i).max(0.0) * self.problem.column_scale(v - self.n);
            }
        }
        z
    }
}
