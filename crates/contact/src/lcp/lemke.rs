//! Lemke's complementary pivoting.

use super::basis::refine;
use super::problem::LinearComplementarityProblem;
use super::tableau::Tableau;

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
/// `covering` is the positive vector `d` of `w = M z + q + d z₀`; another one may pass where one ends on a ray. Gives the
/// last `z` (made exact from its basis), how it ended and the pivots. Dense, O(n²) a pivot.
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
