//! The frictional contact problem and its solvers. The crate contains only algebra, without shapes and time.
//!
//! # The problem
//! Find impulses `r` (N s) such that, with the relative velocities `u = W r + q` (m/s), every contact
//! obeys Signorini's condition and Coulomb's law. In De Saxcé's form: `K* ∋ û ⟂ r ∈ K_μ`, `û = u + μ‖u_T‖ n`. `W`
//! (1/kg) is the Delassus operator, which gives the velocities at the contacts that follow from impulses; `q` is the
//! value of `u` without impulses.
//!
//! # Conventions
//! A local vector is `(n, t1, t2)` in `(x, y, z)` of a [`glam::DVec3`]; the normal alone determines the
//! frame ([`Frame`]). The normal points from the second body (or the ground) to the first. With `u_n > 0` the bodies
//! separate, and with `r_n ≥ 0` the contact pushes.
//!
//! ```
//! use glam::{DMat3, DVec3};
//! use klast_contact::{Delassus, FrictionContactProblem, SolveOptions, solve};
//! // 2 kg sliding along t1 at 3 m/s while it hits the ground at 1 m/s, mu = 0.5.
//! let w = Delassus::from_blocks(1, [(0, 0, DMat3::from_diagonal(DVec3::splat(0.5)))])?;
//! let problem = FrictionContactProblem::new(w, vec![DVec3::new(-1.0, 3.0, 0.0)], vec![0.5])?;
//! let solution = solve(&problem, &SolveOptions::default());
//! assert!(solution.converged());
//! assert!((solution.impulses[0] - DVec3::new(2.0, -1.0, 0.0)).length() < 1e-9);
//! # Ok::<(), klast_contact::ContactError>(())
//! ```
#![cfg_attr(
    not(test),
    warn(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::disallowed_methods
    )
)]

pub mod bodies;
mod continuation;
mod error;
mod impact;
mod lcp;
mod linear;
mod linearised_cone;
mod local;
mod methods;
mod problem;
mod solve;

pub use error::ContactError;
/// The vectors of this crate: the release of `glam` whose types it takes and gives.
pub use glam;
pub use impact::{Friction, Impact, ImpactContact, ImpactEnergy, ImpactLaw, ImpactProblem};
pub use lcp::{
    LcpMethod, LcpOptions, LcpSolution, LcpStatus, LemkeEnd, LinearComplementarityProblem,
    enumerate_lcp, infeasibility_certificate, is_infeasibility_certificate, lemke,
    projected_gauss_seidel, solve_lcp,
};
pub use linearised_cone::{FacetDirections, solve_linearised};
pub use local::{Hypothesis, single_contact_impact, solve_one_contact};
pub use methods::{Admm, AdmmThenProximalNewton, ContactSolver, GaussSeidel, Step};
pub use problem::{Delassus, Frame, FrictionContactProblem, Residual, Status, in_cone, project};
pub use solve::{Method, Solution, SolveOptions, Workspace, solve, solve_with};
