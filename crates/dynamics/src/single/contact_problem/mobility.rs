//! How impulses at points of a body move its points.

use crate::Body;
use glam::{DMat3, DVec3};
use klast_contact::Frame;
use klast_geometry::Pose;

/// Pivots under this part of the largest entry count as zero: rounding of redundant contacts is 1e-16, true pivots of a
/// body's mobility stand above 1e-6.
pub(in crate::single) const SINGULAR: f64 = 1e-11;

/// I⁻¹ in world axes.
pub(crate) fn world_inverse_inertia(body: &Body, pose: &Pose) -> DMat3 {
    let inverse = DMat3::from_diagonal(body.inertia().recip());
    if body.is_isotropic() {
        return inverse;
    }
    let r = DMat3::from_quat(pose.rotation);
    r * inverse * r.transpose()
}

/// One block of the Delassus operator: the velocity at `at` that a unit impulse at `from` causes, in their frames.
pub(crate) fn mobility(
    body: &Body,
    inverse_inertia: &DMat3,
    at: (&Frame, DVec3),
    from: (&Frame, DVec3),
) -> DMat3 {
    let column = |e: DVec3| {
        at.0.to_local(e / body.mass() + (*inverse_inertia * from.1.cross(e)).cross(at.1))
    };
    let f = from.0;
    DMat3::from_cols(column(f.normal), column(f.tangent1), column(f.tangent2))
}
