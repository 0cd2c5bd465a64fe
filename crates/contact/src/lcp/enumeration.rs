//! Enumeration of all complementary bases.

use super::basis::solve_basis;
use super::problem::LinearComplementarityProblem;

/// Largest size for which all `2ⁿ` bases are looked at.
pub(super) const MAX_SIZE: usize = 14;

/// All basic solutions with a relative residual at or under `tolerance`, in the order of their bases; at most `limit` of them.
///
/// Costs `2ⁿ n³`, so problems over 14 unknowns give nothing. A singular basis is solved with its free unknowns at zero.
pub fn enumerate_lcp(
    problem: &LinearComplementarityProblem,
    tolerance: f64,
    limit: usize,
) -> Vec<Vec<f64>> {
    let n = problem.size();
    let mut found: Vec<Vec<f64>> = Vec::new();
    if n > MAX_SIZE {
        return found;
    }
    for set in 0..(1_usize << n) {
        if found.len() >= limit {
            break;
        }
        let active: Vec<usize> = (0..n).filter(|i| set >> i & 1 == 1).collect();
        let Some(mut z) = solve_basis(problem, &active) else {
            continue;
        };
        // Rounding below zero is zero; a truly negative entry shows in the residual as the w that it leaves.
        for x in &mut z {
            *x = x.max(0.0);
        }
        if problem.relative_residual(&z) <= tolerance && !found.contains(&z) {
            found.push(z);
        }
    }
    found
}
