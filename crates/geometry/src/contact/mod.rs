//! Where two shapes touch: contact points with normal, gap and a name that stays from step to step.

mod axis;
mod axis_certificate;
mod bodies;
mod candidate;
mod clip;
mod closest;
mod edge_axes;
mod followed;
mod lower_bound;
mod narrow;
mod nearest;
mod overlap;
mod pair;
mod plane;
mod rim;
mod separating_axis;
mod sphere;

pub use axis_certificate::{Hold, PairMemory, Proximity};
pub use candidate::AxisFeature;
pub use closest::{Closest, closest_points};
pub use followed::FollowedPoint;
pub use narrow::NarrowPhase;
pub use overlap::{Overlap, OverlapKind};
pub use pair::Placed;
pub use plane::{lowest_vertex, plane_contact};
pub use rim::{Round, round_on_plane, round_on_round};
pub use separating_axis::{PassingAxis, passing_axis, passing_axis_of_known};
pub use sphere::Sphere;

use glam::DVec3;

/// One point of contact.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ContactPoint {
    /// Where it is, in world coordinates (m): on the plane, or midway between two bodies.
    pub point: DVec3,
    /// Unit normal from the second body (or the ground) to the first.
    pub normal: DVec3,
    /// Distance along the normal (m); below zero is overlap.
    pub gap: f64,
    /// Names the pair of features that touch; the same while the contact persists.
    pub feature: u32,
}

/// All points of contact of two shapes, in an order that depends on the shapes alone. Reuse it to save allocations.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Manifold {
    /// The points.
    pub points: Vec<ContactPoint>,
    /// Whether the bodies are apart and neither has a facet over the other: a corner or an edge of each are nearest,
    /// and a small shift turns the direction between them.
    pub beside: bool,
    /// Of two polyhedra the least overlap along any axis (m), zero or less where they do not overlap. Queries on
    /// spheres and planes do not set it.
    pub depth: f64,
}
