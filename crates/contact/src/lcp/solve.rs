//! The entry for LCPs: one method after another until one holds, in a bounded number of steps.

use super::certificate::infeasibility_certificate;
use super::enumeration::{MAX_SIZE, enumerate_lcp};
use super::lemke::{LemkeEnd, lemke};
use super::pgs::projected_gauss_seidel;
use super::problem::LinearComplementarityProblem;

/// The strategies for an LCP.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum LcpMethod {
    /// Lemke; where it stops, other covering vectors, projected Gauss–Seidel, then enumeration if small.
    #[default]
    Default,
    /// Lemke alone, covering vector of ones.
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
    /// Bound on `max |min(z, w)|`. Default 1e-12.
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
    /// The residual is at or under the tolerance.
    Solved,
    /// Lemke ended on a ray and nothing else found a solution. Not a proof that there is none.
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
    /// `max |min(z, w)|`.
    pub residual: f64,
}

/// Solves an LCP as the options say.
pub fn solve_lcp(problem: &LinearComplementarityProblem, options: &LcpOptions) -> LcpSolution {
    let mut search = Search::new(problem, options);
    let ones = vec![1.0; problem.size()];
    match options.method {
        LcpMethod::Lemke => search.lemke(&ones, options.max_iterations),
        LcpMethod::ProjectedGaussSeidel => search.gauss_seidel(),
        LcpMethod::Enumeration => search.enumerate(),
        LcpMethod::Default => {
            // Most runs need some n pivots; one that needs far more is stuck on rounding, or exponential by design,
            // and gets its full count only after the others have had a try.
            let short = options.max_iterations.min(20 * (problem.size() + 2));
            search.lemke(&ones, short);
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
            if !search.solved() && !search.ray {
                search.lemke(&ones, options.max_iterations);
            }
        }
    }
    search.finish()
}

/// Other covering vectors: the row sizes of `M`, then powers that favour one end or the other.
fn covering(problem: &LinearComplementarityProblem, k: usize) -> Vec<f64> {
    let n = problem.size();
    (0..n)
        .map(|i| match k {
            0 => 1.0 + problem.row(i).iter().map(|x| x.abs()).sum::<f64>(),
            1 => 1.0 + i as f64,
            2 => (n - i) as f64,
            // Quadratic residues: no two neighbours in proportion.
            _ => 1.0 + ((i * i * 7 + 3 * i) % 11) as f64,
        })
        .collect()
}

struct Search<'a> {
    problem: &'a LinearComplementarityProblem,
    options: &'a LcpOptions,
    best: Option<(f64, Vec<f64>)>,
    iterations: usize,
    ray: bool,
}

impl<'a> Search<'a> {
    fn new(problem: &'a LinearComplementarityProblem, options: &'a LcpOptions) -> Self {
        Self {
            problem,
            options,
            best: None,
            iterations: 0,
            ray: false,
        }
    }

    fn offer(&mut self, z: Vec<f64>) {
        let residual = self.problem.residual(&z);
        if self.best.as_ref().is_none_or(|b| residual < b.0) {
            self.best = Some((residual, z));
        }
    }

    fn solved(&self) -> bool {
        self.best
            .as_ref()
            .is_some_and(|b| b.0 <= self.options.tolerance)
    }

    fn lemke(&mut self, covering: &[f64], max_pivots: usize) {
        let (z, end, pivots) = lemke(self.problem, covering, max_pivots);
        self.iterations += pivots;
        self.ray |= end == LemkeEnd::Ray;
        self.offer(z);
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
        let (residual, z) = self
            .best
            .unwrap_or((f64::INFINITY, vec![0.0; self.problem.size()]));
        let status = if solved {
            LcpStatus::Solved
        } else if let Some(certificate) = infeasibility_certificate(self.problem) {
            LcpStatus::Infeasible { certificate }
        } else if self.ray {
            LcpStatus::Ray
        } else {
            LcpStatus::NotConverged
        };
        LcpSolution {
            w: self.problem.w(&z),
            z,
            status,
            iterations: self.iterations,
            residual,
        }
    }
}
