//! Rocks as convex rigid bodies: the engine of `klast_dynamics::single` on ground of slope materials, with the laws
//! that rockfall adds to it.

mod ground;
mod laws;
mod program;
mod rock;

pub use laws::{Scarring, VegetationDrag};
pub use program::Program;
pub use rock::{RigidOptions, RigidRock, RigidTally};
