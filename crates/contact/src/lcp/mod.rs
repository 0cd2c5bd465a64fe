//! The linear complementarity problem: `z ≥ 0`, `w = M z + q ≥ 0`, `zᵀ w = 0`.

mod basis;
mod certificate;
mod fallback;
mod lemke;
mod problem;

pub use certificate::{infeasibility_certificate, is_infeasibility_certificate};
pub use fallback::{
    LcpMethod, LcpOptions, LcpSolution, LcpStatus, enumerate_lcp, projected_gauss_seidel, solve_lcp,
};
pub use lemke::{LemkeEnd, lemke};
pub use problem::LinearComplementarityProblem;
