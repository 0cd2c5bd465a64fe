//! Rocks as convex rigid bodies: the engine of `klast_dynamics::single` on ground of slope materials, with the laws
//! that rockfall adds to it.

mod follow;
mod ground;
mod laws;
mod options;
mod program;
mod rock;
mod tally;

pub use laws::{Scarring, VegetationDrag};
pub use options::RigidOptions;
pub use program::Program;
pub use rock::RigidRock;
pub use tally::RigidTally;
