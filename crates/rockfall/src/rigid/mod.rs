//! Rocks as convex rigid bodies: the engine of `klast_dynamics::single` on ground of slope materials, with the laws
//! that rockfall adds to it.

mod follow;
mod ground;
mod options;
mod program;
mod rock;
mod scarring;
mod tally;

pub use options::RigidOptions;
pub use program::Program;
pub use rock::RigidRock;
pub use scarring::Scarring;
pub use tally::RigidTally;
