//! One contact by itself: its exact solution, friction under a given normal impulse, and an impact followed along its
//! slip.

mod friction_disc;
pub(crate) mod one_contact;
mod quartic;
mod slip;
pub(crate) mod slip_path;

pub(crate) use friction_disc::minimum_on_disc;
pub use one_contact::solve_one_contact;
pub use slip_path::{Hypothesis, single_contact_impact};
