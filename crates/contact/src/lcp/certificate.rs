//! Proof that no `z ≥ 0` has `M z + q ≥ 0`.

use super::lemke::{TINY, Tableau, balanced_ones};
use super::problem::LinearComplementarityProblem;

/// Farkas' certificate, if the problem is infeasible: `y ≥ 0`, `Mᵀ y ≤ 0`, `qᵀ y < 0`, scaled to `Σ y = 1`.
///
/// Phase one of the simplex method on `min z₀`, `M z + q + 1 z₀ ≥ 0`; what it finds is checked by
/// [`is_infeasibility_certificate`] before it is returned.
pub fn infeasibility_certificate(problem: &LinearComplementarityProblem) -> Option<Vec<f64>> {
    let n = problem.size();
    let mut tableau = Tableau::new(problem, &balanced_ones(problem));
    let mut row = tableau.cover()?;
    for _ in 0..50 * (n + 1) {
        // z₀ falls with each column that has a positive entry in its row; the least index cannot cycle (Bland).
        let entering =
            (0..2 * n).find(|&j| tableau.row(row)[j] > 1e-10 && !tableau.basic.contains(&j));
        let Some(entering) = entering else {
            // Balanced, these are parts of one. A weight that is rounding would stand alone in a column where it has
            // the only entry above zero.
            let y: Vec<f64> = tableau.row(row)[..n]
                .iter()
                .enumerate()
                .map(|(i, x)| {
                    if -x > TINY {
                        -x * problem.row_scale(i)
                    } else {
                        0.0
                    }
                })
                .collect();
            let sum: f64 = y.iter().sum();
            let y: Vec<f64> = y.iter().map(|x| x / sum).collect();
            return is_infeasibility_certificate(problem, &y).then_some(y);
        };
        let leaving = tableau.ratio_test(entering)?;
        tableau.pivot(leaving, entering);
        if leaving == row {
            return None;
        }
        row = tableau
            .basic
            .iter()
            .position(|&v| v == tableau.artificial())?;
    }
    None
}

/// Whether `y ≥ 0`, `Mᵀ y ≤ 0` and `qᵀ y < 0`, each beyond rounding: entries of `Mᵀ y` may exceed zero by 1e-13 of the
/// sum of their magnitudes, and `−qᵀ y` must exceed 1e-9 of its own.
pub fn is_infeasibility_certificate(problem: &LinearComplementarityProblem, y: &[f64]) -> bool {
    let n = problem.size();
    if y.len() != n || !y.iter().all(|x| x.is_finite() && *x >= 0.0) {
        return false;
    }
    for j in 0..n {
        let (mut sum, mut size) = (0.0, 0.0);
        for (i, y) in y.iter().enumerate() {
            let x = problem.row(i)[j] * y;
            sum += x;
            size += x.abs();
        }
        if sum > 1e-13 * size {
            return false;
        }
    }
    let terms = problem.q().iter().zip(y).map(|(q, y)| q * y);
    let (sum, size) = terms.fold((0.0, 0.0), |(s, a), x| (s + x, a + x.abs()));
    sum < -1e-9 * size
}
