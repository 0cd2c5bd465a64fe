//! Free motion of one body over a step: gyroscopic moment, translation, rotation; how far it goes.

use crate::{Body, State};
use glam::{DMat3, DQuat, DVec3};
use klast_geometry::Pose;
use klast_numerics::mutant;

/// Newton iterations for the gyroscopic moment; from a good start two are enough.
const ITERATIONS: usize = 8;
/// Part of the spin under which the last change leaves no more than rounding, its square.
const NEAR: f64 = 1e-8;

/// Spin after the gyroscopic moment has acted for a step, world axes: I (ω' − ω) = −h ω_m × I ω_m with ω_m = (ω + ω')/2
/// in body axes. The implicit midpoint keeps ½ ω·Iω and |Iω| to rounding, whatever the step (Simo & Wong 1991); the
/// step must resolve the spin, h|ω| well under 1, for the direction to be right. Where it is so far from that that
/// Newton's method ends nowhere the spin stays as it is, which keeps the energy as well: the body turns about it.
pub(super) fn gyroscopic(body: &Body, state: &State, step: f64) -> DVec3 {
    let spin = state.velocity.angular;
    if body.is_isotropic() || spin == DVec3::ZERO {
        return spin;
    }
    let inertia = body.inertia();
    let start = state.body_spin();
    let (mut end, mut left) = (start, 0.0);
    for _ in 0..ITERATIONS {
        let middle = (start + end) * 0.5;
        let momentum = inertia * middle;
        let error = inertia * (end - start)
            + step * middle.cross(momentum) * mutant::factor("world-gyroscope", -1.0);
        let slope = DMat3::from_diagonal(inertia)
            + (skew(middle) * DMat3::from_diagonal(inertia) - skew(momentum)) * (0.5 * step);
        let change = slope.inverse() * error;
        if !change.is_finite() {
            return spin;
        }
        end -= change;
        left = change.length_squared() / start.length_squared();
        if left <= 1e-30 {
            break;
        }
    }
    if left > NEAR * NEAR {
        return spin;
    }
    state.pose.transform_vector(end)
}

/// The pose after moving by a displacement and a rotation vector (world axes).
pub(super) fn moved(pose: &Pose, displacement: DVec3, turn: DVec3) -> Pose {
    Pose {
        rotation: turned(pose.rotation, turn),
        translation: pose.translation + displacement,
    }
}

fn turned(rotation: DQuat, turn: DVec3) -> DQuat {
    let angle = turn.length();
    if angle == 0.0 {
        return rotation;
    }
    // Bodies at rest in a pile turn by rounding; a reproducible sine costs more than its series here.
    let (sin_over_angle, cos) = if angle < 1e-2 {
        let q = 0.25 * angle * angle;
        (
            0.5 * (1.0 - q / 6.0 * (1.0 - q / 20.0)),
            1.0 - 0.5 * q * (1.0 - q / 12.0 * (1.0 - q / 30.0)),
        )
    } else {
        let (sin, cos) = libm::sincos(0.5 * angle);
        (sin / angle, cos)
    };
    let v = turn * sin_over_angle;
    (DQuat::from_xyzw(v.x, v.y, v.z, cos) * rotation).normalize()
}

fn skew(v: DVec3) -> DMat3 {
    DMat3::from_cols(
        DVec3::new(0.0, v.z, -v.y),
        DVec3::new(-v.z, 0.0, v.x),
        DVec3::new(v.y, -v.x, 0.0),
    )
}

/// Bound on the way of any point of a body between two poses.
pub(super) fn way(now: &Pose, then: &Pose, radius: f64) -> f64 {
    let d: DQuat = now.rotation * then.rotation.conjugate();
    // 2 |vector part| ≥ 2 sin(angle / 2) times the radius is the longest chord.
    let chord = 2.0 * radius * DVec3::new(d.x, d.y, d.z).length();
    (now.translation - then.translation).length() + chord
}
