//! The linear complementarity problem: `z ≥ 0`, `w = M z + q ≥ 0`, `zᵀ w = 0`.

mod balance;
mod basis;
mod certificate;
mod enumeration;
mod lemke;
mod pgs;
mod problem;
mod solve;
mod tableau;

pub use certificate::{infeasibility_certificate, is_infeasibility_certificate};
pub use enumeration::enumerate_lcp;
pub use lemke::{LemkeEnd, lemke};
pub use pgs::projected_gauss_seidel;
pub use problem::LinearComplementarityProblem;
pub use solve::{LcpMethod, LcpOptions, LcpSolution, LcpStatus, solve_lcp};
