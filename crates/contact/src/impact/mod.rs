//! Impact laws: from the velocities before to the impulses.

mod cascade;
mod energy;
mod law;
mod newton;
mod problem;
mod sequential;
mod slip_path;

pub use energy::ImpactEnergy;
pub use law::{Friction, Impact, ImpactLaw};
pub use problem::{ImpactContact, ImpactProblem};
pub use slip_path::{Hypothesis, single_contact_impact};
