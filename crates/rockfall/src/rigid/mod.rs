//! Rocks as convex rigid bodies: exact flight, exact first contact, impacts with friction, motion in contact.

mod laws;
mod one_facet;
mod onground;
mod response;
mod run;
mod search;
mod stay;
mod strike;

pub use laws::{Scarring, VegetationDrag};
pub(crate) use run::RigidRoom;
pub use run::{RigidRock, RigidTally};
pub use search::{Scratch, Touch, first_touch};
