//! A rock that stays on the ground: Moreau's midpoint scheme with Newton's law (Moreau 1988; for rockfall Leine et al. 2014).
//!
//! Half a step with the old velocities, the contact problem there (gravity and impulses of the whole step), half a step with the new ones. The angular
//! momentum is what gravity leaves alone, so it is carried, and the spin follows from it and the attitude. Contacts that close faster
//! than the normal-velocity cutoff rebound with R_n, slower ones do not.

use glam::{DQuat, DVec3};
use klast_dynamics::{Body, State, Twist};
use klast_geometry::Pose;

/// A pose moved by a twist for a time.
pub(crate) fn moved(pose: &Pose, twist: &Twist, time: f64) -> Pose {
    let half = twist.angular * (0.5 * time);
    let angle = half.length();
    // sin(x)/x = 1 − x²/6 + …; below 1e-4 the next term is under rounding.
    let factor = if angle < 1e-4 {
        1.0 - angle * angle / 6.0
    } else {
        libm::sin(angle) / angle
    };
    let v = half * factor;
    let turn = DQuat::from_xyzw(v.x, v.y, v.z, libm::cos(angle));
    Pose {
        rotation: (turn * pose.rotation).normalize(),
        translation: pose.translation + twist.linear * time,
    }
}

/// The spin that belongs to an angular momentum at an attitude.
pub(crate) fn spin(body: &Body, rotation: DQuat, momentum: DVec3) -> DVec3 {
    if body.is_isotropic() {
        return momentum / body.inertia().x;
    }
    rotation * ((rotation.conjugate() * momentum) / body.inertia())
}

/// State at the middle of a step, before the contact problem.
pub(crate) fn middle(body: &Body, state: &State, step: f64) -> State {
    let pose = moved(&state.pose, &state.velocity, 0.5 * step);
    let angular = spin(body, pose.rotation, state.angular_momentum(body));
    State {
        pose,
        velocity: Twist {
            linear: state.velocity.linear,
            angular,
        },
    }
}

/// State at the end of a step from its middle with the velocities after the contact problem.
pub(crate) fn end(body: &Body, middle: &Pose, twist: &Twist, step: f64) -> State {
    let at_middle = State {
        pose: *middle,
        velocity: *twist,
    };
    let momentum = at_middle.angular_momentum(body);
    let pose = moved(middle, twist, 0.5 * step);
    State {
        pose,
        velocity: Twist {
            linear: twist.linear,
            angular: spin(body, pose.rotation, momentum),
        },
    }
}
