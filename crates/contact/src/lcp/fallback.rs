//! The entry for LCPs: Lemke's method, then others until one holds, in a bounded number of steps.

use super::basis::{basis_of, sharpened, solve_basis};
use super::certificate::infeasibility_certificate;
use super::lemke::{LemkeEnd, balanced_ones, lemke};
use super::problem::LinearComplementarityProblem;

/// The strategies for an LCP.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum LcpMethod {
    /// Lemke; where it stops, other covering vectors, projected Gauss–Seidel, then enumeration if small.
    #[default]
    Default,
    /// Lemke alone, covering vector of ones for balanced rows.
    Lemke,
    /// Projected Gauss–Seidel alone.
    ProjectedGaussSeidel,
    /// Enumeration alone, up to 14 unknowns.
    Enumeration,
}

/// When to stop.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LcpOptions {
    /// The strategy.
    pub method: LcpMethod,
    /// Bound on [`LinearComplementarityProblem::relative_residual`], which has no unit. Default 1e-12.
    pub tolerance: f64,
    /// Bound on the pivots of one run of Lemke and on the sweeps of Gauss–Seidel. Default 10 000.
    pub max_iterations: usize,
}

impl Default for LcpOptions {
    fn default() -> Self {
        Self {
            method: LcpMethod::Default,
            tolerance: 1e-12,
            max_iterations: 10_000,
        }
    }
}

/// What is known after the methods have run.
#[derive(Debug, Clone, PartialEq)]
pub enum LcpStatus {
    /// The relative residual is at or under the tolerance.
    Solved,
    /// Lemke ended on a ray, no run of it in a basis, and nothing else found a solution. Not a proof that there is
    /// none.
    Ray,
    /// There is no `z ≥ 0` with `M z + q ≥ 0`: `y ≥ 0`, `Mᵀ y ≤ 0`, `qᵀ y < 0`.
    Infeasible {
        /// The proof.
        certificate: Vec<f64>,
    },
    /// Steps used up, or a solution found only to a larger residual.
    NotConverged,
}

/// `z`, `w` and how good they are.
#[derive(Debug, Clone, PartialEq)]
pub struct LcpSolution {
    /// The best `z` found.
    pub z: Vec<f64>,
    /// `M z + q`.
    pub w: Vec<f64>,
    /// What it is worth.
    pub status: LcpStatus,
    /// Pivots and sweeps of all methods together.
    pub iterations: usize,
    /// `max |min(z, w)|` in the units of the data.
    pub residual: f64,
    /// [`LinearComplementarityProblem::relative_residual`], which the tolerance bounds.
    pub relative: f64,
}

/// Solves an LCP as the options say.
pub fn solve_lcp(problem: &LinearComplementarityProblem, options: &LcpOptions) -> LcpSolution {
    let mut search = Search::new(problem, options);
    let ones = balanced_ones(problem);
    match options.method {
        LcpMethod::Lemke => {
            search.lemke(&ones, options.max_iterations);
        }
        LcpMethod::ProjectedGaussSeidel => search.gauss_seidel(),
        LcpMethod::Enumeration => search.enumerate(),
        LcpMethod::Default => {
            // Most runs need some n pivots; one that needs far more is stuck on rounding, or exponential by design,
            // and gets its full count only after the others have had a try.
            let short = options.max_iterations.min(20 * (problem.size() + 2));
            let first = search.lemke(&ones, short);
            for k in 0..4 {
                if !search.solved() {
                    search.lemke(&covering(problem, k), short);
                }
            }
            if !search.solved() {
                search.gauss_seidel();
            }
            if !search.solved() && problem.size() <= MAX_SIZE {
                search.enumerate();
            }
            if !search.solved() && first == LemkeEnd::PivotLimit {
                search.lemke(&ones, options.max_iterations);
            }
        }
    }
    search.finish()
}

/// Other covering vectors, for balanced rows: their sizes, then ramps that favour one end or the other.
fn covering(problem: &LinearComplementarityProblem, k: usize) -> Vec<f64> {
    let n = problem.size();
    let balanced = |i: usize| match k {
        0 => 1.0 + (0..n).map(|j| problem.balanced(i, j).abs()).sum::<f64>(),
        1 => 1.0 + i as f64,
        2 => (n - i) as f64,
        // Quadratic residues: no two neighbours in proportion.
        _ => 1.0 + ((i * i * 7 + 3 * i) % 11) as f64,
    };
    (0..n).map(|i| balanced(i) / problem.row_scale(i)).collect()
}

struct Search<'a> {
    problem: &'a LinearComplementarityProblem,
    options: &'a LcpOptions,
    best: Option<(f64, Vec<f64>)>,
    iterations: usize,
    /// What the runs of Lemke say together: a solution outranks a ray, and a ray the limit.
    end: LemkeEnd,
}

impl<'a> Search<'a> {
    fn new(problem: &'a LinearComplementarityProblem, options: &'a LcpOptions) -> Self {
        Self {
            problem,
            options,
            best: None,
            iterations: 0,
            end: LemkeEnd::PivotLimit,
        }
    }

    fn offer(&mut self, z: Vec<f64>) {
        let residual = self.problem.relative_residual(&z);
        if self.best.as_ref().is_none_or(|b| residual < b.0) {
            self.best = Some((residual, z));
        }
    }

    fn solved(&self) -> bool {
        self.best
            .as_ref()
            .is_some_and(|b| b.0 <= self.options.tolerance)
    }

    fn lemke(&mut self, covering: &[f64], max_pivots: usize) -> LemkeEnd {
        let (z, end, pivots) = lemke(self.problem, covering, max_pivots);
        self.iterations += pivots;
        if end == LemkeEnd::Solved || self.end == LemkeEnd::PivotLimit {
            self.end = end;
        }
        self.offer(z);
        end
    }

    fn gauss_seidel(&mut self) {
        let (z, sweeps) = projected_gauss_seidel(
            self.problem,
            self.options.tolerance,
            self.options.max_iterations,
        );
        self.iterations += sweeps;
        self.offer(z);
    }

    fn enumerate(&mut self) {
        for z in enumerate_lcp(self.problem, self.options.tolerance, 1) {
            self.offer(z);
        }
        self.iterations += 1 << self.problem.size().min(MAX_SIZE);
    }

    fn finish(self) -> LcpSolution {
        let solved = self.solved();
        let (relative, z) = self
            .best
            .unwrap_or((f64::INFINITY, vec![0.0; self.problem.size()]));
        let status = if solved {
            LcpStatus::Solved
        } else if let Some(certificate) = infeasibility_certificate(self.problem) {
            LcpStatus::Infeasible { certificate }
        } else if self.end == LemkeEnd::Ray {
            LcpStatus::Ray
        } else {
            LcpStatus::NotConverged
        };
        LcpSolution {
            w: self.problem.w(&z),
            residual: self.problem.residual(&z),
            relative,
            z,
            status,
            iterations: self.iterations,
        }
    }
}

/// Cryer (1971), "The solution of a quadratic programming problem using systematic overrelaxation", without relaxation.
///
/// Converges for symmetric positive definite `M`, and often beyond; rows without a positive diagonal are left alone.
/// `tolerance` bounds [`LinearComplementarityProblem::relative_residual`]. Solves on the basis it has reached every ten
/// sweeps where that is a new one, so that the end is exact. Gives `z` and the sweeps done.
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

/// Largest size for which all `2ⁿ` bases are looked at.
const MAX_SIZE: usize = 14;

/// All basic solutions with a relative residual at or under `tolerance`, in the order of their bases; at most `limit`
/// of them.
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
