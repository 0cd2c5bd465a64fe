//! Rocks as points with the inertia of a sphere: free flight, the impact law of Pfeiffer and Bowen, pseudo-sliding.

mod askew;
mod concave_edge;
mod crossing;
mod decay;
mod follower;
mod impact;
mod lift;
mod mass;
mod projectile;
mod rebound_law;
mod run;
mod slide;

pub(crate) use follower::{Follower, Glide};
pub use impact::{Factors, LumpedLaw, Reading, Rebound, Restitution, Scaling};
pub use mass::{LumpedMass, LumpedState};
pub use projectile::Projectile;
pub use rebound_law::{ReboundLaw, Struck};
pub use run::{LumpedRock, LumpedTally, Roughness};
