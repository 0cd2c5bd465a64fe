//! Solvers of the assembled problem: strategies behind one trait. The loop and the residual belong to `solve.rs`.

mod admm;
mod admm_then_proximal_newton;
mod anderson;
mod assembled_system;
mod body_factors;
mod equilibrated;
mod friction_stages;
mod gauss_seidel;
mod generalized_jacobian;
mod semismooth_newton;
mod smoothed_curve;
mod smoothed_system;
mod solver;

pub use admm::Admm;
pub use admm_then_proximal_newton::AdmmThenProximalNewton;
pub use gauss_seidel::GaussSeidel;
pub use solver::{ContactSolver, Step};
