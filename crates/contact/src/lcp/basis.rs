//! From a guess of the positive `z` to the solution of that basis.

use super::problem::LinearComplementarityProblem;
use klast_numerics::dot;

/// Solves `M_BB z_B = −q_B`, balanced; a vanishing pivot leaves its unknown at zero. Complete pivoting, two steps of
/// iterative refinement with compensated residuals. Nothing when the result is not finite.
pub(super) fn solve_basis(
    problem: &LinearComplementarityProblem,
    active: &[usize],
) -> Option<Vec<f64>> {
    let k = active.len();
    let mut a: Vec<f64> = Vec::with_capacity(k * k);
    for &i in active {
        a.extend(active.iter().map(|&j| problem.balanced(i, j)));
    }
    let factors = Factors::new(a, k);
    let mut z = vec![0.0; problem.size()];
    for _ in 0..3 {
        let residual: Vec<f64> = active
            .iter()
            .map(|&i| -dot(problem.row(i), &z, problem.q()[i]) * problem.row_scale(i))
            .collect();
        for (&i, dz) in active.iter().zip(factors.solve(residual)) {
            z[i] += dz * problem.column_scale(i);
        }
    }
    z.iter().all(|x| x.is_finite()).then_some(z)
}

/// The unknowns that are positive as `z` shows it.
pub(super) fn basis_of(problem: &LinearComplementarityProblem, z: &[f64]) -> Vec<usize> {
    let w = problem.w(z);
    (0..problem.size()).filter(|&i| z[i] > w[i]).collect()
}

/// The better of `z` and the exact solution on the basis that `z` shows.
pub(super) fn refine(problem: &LinearComplementarityProblem, z: Vec<f64>) -> Vec<f64> {
    let active = basis_of(problem, &z);
    sharpened(problem, z, &active)
}

/// The better of `z` and the exact solution on a basis.
pub(super) fn sharpened(
    problem: &LinearComplementarityProblem,
    z: Vec<f64>,
    active: &[usize],
) -> Vec<f64> {
    let Some(mut sharp) = solve_basis(problem, active) else {
        return z;
    };
    for x in &mut sharp {
        // Rounding below zero is zero; a truly negative entry shows in the residual as the w that it leaves.
        *x = x.max(0.0);
    }
    if problem.relative_residual(&sharp) <= problem.relative_residual(&z) {
        sharp
    } else {
        z
    }
}

/// LU with complete pivoting of a small dense matrix, stopped at its numerical rank.
struct Factors {
    n: usize,
    rank: usize,
    lu: Vec<f64>,
    rows: Vec<usize>,
    columns: Vec<usize>,
}

impl Factors {
    fn new(mut a: Vec<f64>, n: usize) -> Self {
        let size = a.iter().fold(0.0_f64, |s, x| s.max(x.abs()));
        let (mut rows, mut columns): (Vec<usize>, Vec<usize>) =
            ((0..n).collect(), (0..n).collect());
        let mut rank = 0;
        for k in 0..n {
            let (mut pi, mut pj) = (k, k);
            for i in k..n {
                for j in k..n {
                    if a[i * n + j].abs() > a[pi * n + pj].abs() {
                        (pi, pj) = (i, j);
                    }
                }
            }
            if a[pi * n + pj].abs() <= 1e-13 * size {
                break;
            }
            for j in 0..n {
                a.swap(k * n + j, pi * n + j);
            }
            for i in 0..n {
                a.swap(i * n + k, i * n + pj);
            }
            rows.swap(k, pi);
            columns.swap(k, pj);
            for i in k + 1..n {
                let f = a[i * n + k] / a[k * n + k];
                a[i * n + k] = f;
                for j in k + 1..n {
                    a[i * n + j] -= f * a[k * n + j];
                }
            }
            rank = k + 1;
        }
        Self {
            n,
            rank,
            lu: a,
            rows,
            columns,
        }
    }

    fn solve(&self, b: Vec<f64>) -> Vec<f64> {
        let n = self.n;
        let mut y: Vec<f64> = self.rows.iter().map(|&i| b[i]).collect();
        for i in 0..self.rank {
            for j in 0..i {
                y[i] -= self.lu[i * n + j] * y[j];
            }
        }
        for i in (0..self.rank).rev() {
            for j in i + 1..self.rank {
                y[i] -= self.lu[i * n + j] * y[j];
            }
            y[i] /= self.lu[i * n + i];
        }
        let mut x = vec![0.0; n];
        for k in 0..self.rank {
            x[self.columns[k]] = y[k];
        }
        x
    }
}
