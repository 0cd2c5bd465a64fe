//! The impulses at the contacts of one body: one contact in closed form, up to four by their modes, more by Newton's
//! method on the six velocities of the body. Where that finds nothing (several answers or none, under strong friction)
//! come the solver of many bodies and those of the assembled problem.
//!
//! ũ = W p + q with q = u_free + bias, 0 ≤ ũ_n ⟂ p_n ≥ 0, ‖p_t‖ ≤ μ p_n, friction against ũ_t. The bias is what a law
//! adds: restitution, the gap that is left over the step, the velocity that curvature takes off until the end of the
//! step.

mod few;
mod general;
mod mobility;
mod problem;
mod proximal_newton;
mod single;
mod solver;

pub(crate) use general::fill_delassus;
pub(in crate::single) use mobility::SINGULAR;
pub(crate) use mobility::world_inverse_inertia;
pub(crate) use problem::{ContactProblem, Effort, Solved};
pub(crate) use solver::ContactSolver;
