//! Projected Gauss–Seidel for the LCP.

use super::basis::{basis_of, sharpened};
use super::problem::LinearComplementarityProblem;

/// Cryer (1971), "The solution of a quadratic programming problem using systematic overrelaxation", without relaxation.
///
/// Converges for symmetric positive definite `M`, and often beyond; rows without a positive diagonal are left alone.
/// `tolerance` bounds [`LinearComplementarityProblem::relative_residual`]. Solves on the basis it has reached every ten sweeps where that is a new one, so that the end is exact. Gives `z` and the sweeps done.
pub fn projected_gauss_seidel(
    problem: &LinearComplementarityProblem,
    tolerance: f64,
    max_sweeps: usize,
) -> (Vec<f64>, usize) {
    let n = problem.size();
    let mut z = vec![0.0; n];
    let mut best = (problem.relative_residual(&z), z.clone());
    let mut seen: Option<Vec<usize>> = None;
    for sweep in 1..=max_sweeps {
        for i in 0..n {
            let row = problem.row(i);
            if row[i] > 0.0 {
                let w: f64 = row.iter().zip(&z).map(|(m, z)| m * z).sum::<f64>() + problem.q()[i];
                z[i] = (z[i] - w / row[i]).max(0.0);
            }
        }
        if sweep % 10 == 0 || sweep == max_sweeps {
            // A factorisation of the same basis would say the same.
            let basis = basis_of(problem, &z);
            let sharp = match seen.as_ref() == Some(&basis) {
                true => z.clone(),
                false => sharpened(problem, z.clone(), &basis),
            };
            seen = Some(basis);
            let residual = problem.relative_residual(&sharp);
            if residual < best.0 {
                best = (residual, sharp);
            }
            if best.0 <= tolerance || !z.iter().all(|x| x.is_finite()) {
                return (best.1, sweep);
            }
        }
    }
    (best.1, max_sweeps)
}
