//! Impact laws: from the velocities before to the impulses.

mod cascade;
mod energy;
mod friction;
mod law;
mod newton;
mod problem;
mod sequential;

pub use energy::ImpactEnergy;
pub use friction::Friction;
pub use law::{Impact, ImpactLaw};
pub use problem::{ImpactContact, ImpactProblem};
