//! A rock as a barrier sees it: its body as it is turned.
//!
//! A barrier stands upright over its line, so a body meets it where its outline in plan meets a piece of the line. The
//! gap of the two convex sets is found by the algorithm of Gilbert, Johnson and Keerthi (1988), the first touch on an
//! arc by going ahead as far as the gap allows at the fastest speed of any point (Mirtich 1996, "Impulse-based dynamic
//! simulation of rigid body systems", section 2.3).

use crate::arc::{Arc, Motion};
use glam::{DQuat, DVec2, DVec3};
use klast_dynamics::single::{Flight, FollowedFlight};
use klast_dynamics::{Body, State, Twist};
use klast_geometry::Pose;

/// Gap, relative to the radius, that is none.
const TOUCHING: f64 = 1e-6;
/// Least way ahead, relative to the radius, in the search for a first touch: an overlap shorter than this may be
/// missed.
const AHEAD: f64 = 1e-3;
/// Most looks of the search for a gap.
const MAX_GAP_SEARCHES: usize = 40;

/// A piece of a line in plan (m).
pub(crate) type Piece = (DVec2, DVec2);

/// What of a rock meets barriers.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Outline<'a> {
    /// A sphere of this radius (m) about the mass centre: a lumped mass too.
    Sphere(f64),
    /// A convex body.
    Hull(&'a Body),
}

impl<'a> Outline<'a> {
    pub(crate) fn of(body: &'a Body) -> Self {
        match body.sphere_radius() {
            Some(radius) => Outline::Sphere(radius),
            None => Outline::Hull(body),
        }
    }

    /// No point is farther from the mass centre (m).
    pub(crate) fn radius(&self) -> f64 {
        match self {
            Outline::Sphere(radius) => *radius,
            Outline::Hull(body) => body.shape().radius(),
        }
    }

    /// How far the highest point stands above the mass centre at a time of an arc (m).
    pub(crate) fn rise(&self, arc: &Arc, t: f64) -> f64 {
        match self {
            Outline::Sphere(radius) => *radius,
            Outline::Hull(body) => {
                let turn = Turning::new(body, arc);
                farthest(body, turn.attitude(t), DVec3::Z).z
            }
        }
    }

    /// Whether its outline meets a piece at a time of an arc.
    pub(crate) fn meets(&self, arc: &Arc, t: f64, piece: Piece) -> bool {
        let centre = arc.position_at(t).truncate();
        let far = to_piece(centre, piece).length();
        let touching = TOUCHING * self.radius();
        match self {
            Outline::Sphere(radius) => far <= radius + touching,
            Outline::Hull(body) => {
                far <= self.radius() && {
                    let attitude = Turning::new(body, arc).attitude(t);
                    gap(body, (centre, attitude), piece) <= touching
                }
            }
        }
    }

    /// Whether an arc stays away from a piece, by a quick look.
    pub(crate) fn is_far(&self, arc: &Arc, (a, b): Piece) -> bool {
        // A parabola lies within its ends and the point where its tangents meet.
        let from = arc.position.truncate();
        let bend = from + arc.velocity.truncate() * (0.5 * arc.duration);
        let to = arc.end().truncate();
        let reach = DVec2::splat((1.0 + TOUCHING) * self.radius());
        let low = from.min(bend).min(to) - reach;
        let high = from.max(bend).max(to) + reach;
        a.max(b).cmplt(low).any() || a.min(b).cmpgt(high).any()
    }

    /// The first time of an arc (s) at which its outline meets a piece.
    pub(crate) fn first_meeting(&self, arc: &Arc, piece: Piece) -> Option<f64> {
        let centre = |t: f64| arc.position_at(t).truncate();
        let ends = [arc.velocity, arc.velocity_at(arc.duration)];
        let speed = ends.map(|v| v.truncate().length());
        let speed = speed[0].max(speed[1]);
        let touching = TOUCHING * self.radius();
        let ball = |t: f64| to_piece(centre(t), piece).length() - self.radius();
        let step = AHEAD * self.radius();
        let near = first_touch(arc.duration, (speed, step), touching, 0.0, ball)?;
        let Outline::Hull(body) = self else {
            return Some(near);
        };
        let turn = Turning::new(body, arc);
        let mut turning = turn.followed();
        let fastest = speed + turn.spin() * self.radius();
        first_touch(arc.duration, (fastest, step), touching, near, |t| {
            gap(body, (centre(t), turning.attitude(t)), piece)
        })
    }
}

/// The first time from `begin` on and up to `end` (s) at which a gap (m) that closes no faster than a speed (m/s) is no
/// more than `touching`.
fn first_touch(
    end: f64,
    (speed, least): (f64, f64),
    touching: f64,
    begin: f64,
    mut gap: impl FnMut(f64) -> f64,
) -> Option<f64> {
    let mut t = begin;
    loop {
        let gap = gap(t);
        if gap <= touching {
            return Some(t);
        }
        // The end is looked at too.
        if t >= end || speed == 0.0 {
            return None;
        }
        t = (t + gap.max(least) / speed).min(end);
    }
}

/// The attitude of a body along an arc: exact in flight, between its ends on the ground.
struct Turning<'a> {
    arc: &'a Arc,
    flight: Option<Flight>,
}

impl<'a> Turning<'a> {
    fn new(body: &Body, arc: &'a Arc) -> Self {
        let state = State {
            pose: Pose {
                rotation: arc.attitude[0],
                translation: arc.position,
            },
            velocity: Twist {
                linear: arc.velocity,
                angular: arc.spin,
            },
        };
        let flight =
            (arc.motion == Motion::Flight).then(|| Flight::new(body, state, arc.acceleration));
        Turning { arc, flight }
    }

    /// A bound of the spin (rad/s).
    fn spin(&self) -> f64 {
        match &self.flight {
            Some(flight) => flight.spin_bound(),
            None => {
                // A turn by φ takes a unit quaternion by 2 sin(φ/4), to itself or to its negative.
                let [a, b] = self.arc.attitude;
                let chord = (a - b).length().min((a + b).length());
                std::f64::consts::PI * chord / self.arc.duration.max(f64::MIN_POSITIVE)
            }
        }
    }

    fn attitude(&self, t: f64) -> DQuat {
        match &self.flight {
            Some(flight) => flight.state(t).pose.rotation,
            None => self.on_the_ground(t),
        }
    }

    fn on_the_ground(&self, t: f64) -> DQuat {
        let [a, b] = self.arc.attitude;
        let part = t / self.arc.duration.max(f64::MIN_POSITIVE);
        a.slerp(b, part.clamp(0.0, 1.0))
    }

    fn followed(&self) -> FollowedTurning<'_> {
        FollowedTurning {
            turning: self,
            flight: self.flight.as_ref().map(Flight::followed),
        }
    }
}

/// The same, to be looked at at many times.
struct FollowedTurning<'a> {
    turning: &'a Turning<'a>,
    flight: Option<FollowedFlight<'a>>,
}

impl FollowedTurning<'_> {
    fn attitude(&mut self, t: f64) -> DQuat {
        match &mut self.flight {
            Some(flight) => flight.state(t).pose.rotation,
            None => self.turning.on_the_ground(t),
        }
    }
}

/// The point of a body farthest along a direction, from its mass centre (m).
fn farthest(body: &Body, attitude: DQuat, direction: DVec3) -> DVec3 {
    let own = attitude.inverse() * direction;
    let first = body.vertices().first().copied().unwrap_or_default();
    let along = |v: &DVec3| own.dot(*v);
    let best = body.vertices().iter().copied();
    let best = best.fold(first, |a, b| if along(&b) > along(&a) { b } else { a });
    attitude * best
}

/// The way from a point to a segment.
fn to_piece(p: DVec2, (a, b): Piece) -> DVec2 {
    let along = b - a;
    let square = along.length_squared();
    let share = match square > 0.0 {
        true => ((p - a).dot(along) / square).clamp(0.0, 1.0),
        false => 0.0,
    };
    a + along * share - p
}

/// A lower bound of the gap in plan between a body and a piece (m), zero where they overlap and exact but for rounding.
fn gap(body: &Body, (centre, attitude): (DVec2, DQuat), (a, b): Piece) -> f64 {
    // Of all differences between points of the body and of the piece the one that is farthest along a direction.
    let support = |d: DVec2| {
        let end = if d.dot(a) < d.dot(b) { a } else { b };
        centre + farthest(body, attitude, d.extend(0.0)).truncate() - end
    };
    let mut near = support(DVec2::X);
    let mut edge = (near, near);
    let mut bound = 0.0f64;
    for _ in 0..MAX_GAP_SEARCHES {
        let length = near.length();
        if length == 0.0 {
            return 0.0;
        }
        let next = support(-near);
        let seen = near.dot(next) / length;
        bound = bound.max(seen);
        if length - seen <= 1e-12 * length {
            return length;
        }
        let (p, q) = edge;
        if holds_origin(p, q, next) {
            return 0.0;
        }
        // The nearest side of the triangle; that of before is no farther away than the point nearest on it.
        let sides = [(p, next), (q, next)];
        let from = |side: Piece| to_piece(DVec2::ZERO, side);
        let [first, second] = sides.map(from);
        (near, edge) = match first.length_squared() <= second.length_squared() {
            true => (first, sides[0]),
            false => (second, sides[1]),
        };
    }
    bound
}

/// Whether a triangle holds the origin.
fn holds_origin(a: DVec2, b: DVec2, c: DVec2) -> bool {
    let side = [a.perp_dot(b), b.perp_dot(c), c.perp_dot(a)];
    let twice = (b - a).perp_dot(c - a);
    twice != 0.0 && (side.iter().all(|s| *s >= 0.0) || side.iter().all(|s| *s <= 0.0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use klast_geometry::Solid;

    /// A cube turned by 45° about the vertical reaches √2/2 along an axis, along its sides 1/2.
    #[test]
    fn the_gap_is_that_of_the_outline_as_it_is_turned() {
        let body = Body::uniform(&Solid::Cube.with_volume(1.0).unwrap(), 2700.0).unwrap();
        for (angle, part) in [(0.0, 0.5), (std::f64::consts::FRAC_PI_4, 0.5f64.sqrt())] {
            let attitude = DQuat::from_rotation_z(angle);
            for far in [0.9, 2.0, 30.0] {
                let piece = (DVec2::new(far, -3.0), DVec2::new(far, 4.0));
                let found = gap(&body, (DVec2::ZERO, attitude), piece);
                assert!((found - (far - part)).abs() < 1e-12, "{found}");
                // End on.
                let piece = (DVec2::new(far, 0.0), DVec2::new(far + 5.0, 0.0));
                let found = gap(&body, (DVec2::ZERO, attitude), piece);
                assert!((found - (far - part)).abs() < 1e-12, "{found}");
            }
            let through = (DVec2::new(0.2, -3.0), DVec2::new(0.2, 4.0));
            assert_eq!(gap(&body, (DVec2::ZERO, attitude), through), 0.0);
        }
    }
}
