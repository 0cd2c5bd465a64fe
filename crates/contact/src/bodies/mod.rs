//! The frictional contact problem in the velocities of bodies: `W = H M⁻¹ Hᵀ` over bodies of six velocities, never
//! assembled.
//!
//! A pile has many contacts per body, so its assembled `W` holds many more blocks than `H` does. Here a sweep keeps the
//! body velocities up to date instead: the cost is linear in the contacts.
//!
//! [`Problem`] is the data: bodies, contacts, and the impulses and velocities of the present point. [`Solver`] owns all
//! that solving needs, and works on any problem that it is given. Both are to be kept from step to step: nothing is
//! allocated once their lists have grown to the size of the scene.
//!
//! ```
//! use glam::{DMat3, DVec3};
//! use klast_contact::bodies::{BodyInertia, BodyVelocity, ContactPair, Problem, Solver, Tolerance};
//! // 2 kg on one point of the ground below its centre, falling at 1 m/s.
//! let body = BodyInertia { inverse_mass: 0.5, inverse_inertia: DMat3::IDENTITY };
//! let falling = BodyVelocity { linear: -DVec3::Z, angular: DVec3::ZERO };
//! let contact = ContactPair {
//!     first: 0, second: None, normal: DVec3::Z,
//!     arm_first: -0.5 * DVec3::Z, arm_second: DVec3::ZERO,
//!     bias: DVec3::ZERO, mu: 0.5, impulse: DVec3::ZERO,
//! };
//! let (mut problem, mut solver) = (Problem::new(), Solver::new());
//! problem.load(&[body], &[falling], &[contact])?;
//! let report = solver.solve(&mut problem, Tolerance::of(1e-10), 100);
//! assert!(report.converged());
//! assert!(problem.velocities()[0].linear.length() < 1e-9);
//! # Ok::<(), klast_contact::ContactError>(())
//! ```

mod accelerated_sweeps;
mod assemble;
pub(crate) mod block_layout;
mod body;
mod colour;
mod compliance;
mod contact_pair;
mod curve_follower;
mod dissipation;
mod frictionless;
mod group;
mod grouping;
mod load;
mod narrowing;
mod newton_budget;
mod newton_system;
mod problem;
mod report;
mod revision;
mod schedule;
mod semismooth_newton;
mod smoothed_curve;
mod smoothed_system;
mod solver;
mod two_solvers;
mod wide;

pub use assemble::Assembler;
pub use body::{BodyInertia, BodyVelocity};
pub use contact_pair::ContactPair;
pub use dissipation::{PassBounds, Shortened};
pub use problem::Problem;
pub use report::{Report, Tolerance};
pub use solver::Solver;
pub use two_solvers::TwoSolvers;
