//! Free flight: the centre of mass on a parabola, the attitude as the torque-free top turns it.

use super::torque_free::TopSegment;
use crate::{Body, State, Twist};
use glam::{DQuat, DVec3};
use klast_geometry::Pose;

/// The motion of a body under gravity alone, from a state at time 0.
///
/// x(t) = x₀ + v₀ t + ½ g t² (Galilei 1638). Spin: constant in the world for an isotropic body or a spin about a
/// principal axis, so the attitude is one rotation; otherwise Euler's top by Taylor series, to rounding.
#[derive(Debug, Clone)]
pub struct Flight {
    start: State,
    gravity: DVec3,
    inertia: DVec3,
    spin: Spin,
}

/// How the attitude goes on.
#[derive(Debug, Clone, Copy)]
enum Spin {
    /// A turn about an axis that is fixed in the body and in the world, and the distance of the farthest vertex from
    /// it (m).
    Steady { axis: DVec3, rate: f64, arm: f64 },
    /// The torque-free top.
    Top { spin: DVec3 },
}

impl Flight {
    /// Flight from `start` at time 0 in a uniform gravity field (m/s²).
    pub fn new(body: &Body, start: State, gravity: DVec3) -> Self {
        let w = start.body_spin();
        let steady = body.is_isotropic() || (body.inertia() * w).cross(w) == DVec3::ZERO;
        let rate = w.length();
        let spin = match (rate > 0.0, steady) {
            (true, false) => Spin::Top { spin: w },
            (turns, _) => {
                let axis = if turns { w / rate } else { DVec3::Z };
                let arms = body
                    .vertices()
                    .iter()
                    .map(|v| v.cross(axis).length_squared());
                let arm = arms.fold(0.0, f64::max).sqrt();
                Spin::Steady { axis, rate, arm }
            }
        };
        Self {
            start,
            gravity,
            inertia: body.inertia(),
            spin,
        }
    }

    /// The state at time 0.
    pub fn start(&self) -> &State {
        &self.start
    }

    /// The gravity field (m/s²).
    pub fn gravity(&self) -> DVec3 {
        self.gravity
    }

    /// Position of the centre of mass after `time` seconds.
    pub fn centre(&self, time: f64) -> DVec3 {
        self.start.pose.translation
            + (self.start.velocity.linear + 0.5 * time * self.gravity) * time
    }

    /// The state after `time` seconds; a negative time goes back.
    pub fn state(&self, time: f64) -> State {
        let (rotation, angular) = match self.spin {
            Spin::Steady { axis, rate, .. } => (
                turned(self.start.pose.rotation, axis, rate * time),
                self.start.velocity.angular,
            ),
            Spin::Top { .. } => Attitude::new(self, Segments::default()).turned(time),
        };
        self.with(time, rotation, angular)
    }

    fn with(&self, time: f64, rotation: DQuat, angular: DVec3) -> State {
        State {
            pose: Pose {
                rotation,
                translation: self.centre(time),
            },
            velocity: Twist {
                linear: self.start.velocity.linear + time * self.gravity,
                angular,
            },
        }
    }

    /// The same flight to be looked at at many times: pieces of the top's series are kept.
    pub fn followed(&self) -> FollowedFlight<'_> {
        self.followed_with(Segments::default())
    }

    /// The same with the buffer that another flight has left.
    pub(crate) fn followed_with(&self, room: Segments) -> FollowedFlight<'_> {
        FollowedFlight(Attitude::new(self, room))
    }

    /// A bound W on the spin in rad/s that holds for all times.
    pub fn spin_bound(&self) -> f64 {
        match self.spin {
            Spin::Steady { rate, .. } => rate,
            // 2T is constant and I_min ω² ≤ 2T.
            Spin::Top { spin } => {
                (spin.dot(self.inertia * spin) / self.inertia.min_element()).sqrt()
            }
        }
    }

    /// Axis, rate and arm if the spin is constant.
    pub(crate) fn steady(&self) -> Option<(DVec3, f64, f64)> {
        match self.spin {
            Spin::Steady { axis, rate, arm } => Some((axis, rate, arm)),
            Spin::Top { .. } => None,
        }
    }
}

fn turned(start: DQuat, axis: DVec3, angle: f64) -> DQuat {
    let (s, c) = libm::sincos(0.5 * angle);
    let a = axis * s;
    (start * DQuat::from_xyzw(a.x, a.y, a.z, c)).normalize()
}

/// A flight that is looked at at many times: [`Flight::followed`].
#[derive(Debug, Clone)]
pub struct FollowedFlight<'a>(pub(super) Attitude<'a>);

/// Buffer for the pieces of a followed flight, handed on from flight to flight.
#[derive(Debug, Clone, Default)]
pub(crate) struct Segments(Vec<TopSegment>);

impl<'a> FollowedFlight<'a> {
    /// The flight that is followed.
    pub fn flight(&self) -> &'a Flight {
        self.0.flight
    }

    /// The state after `time` seconds, the same as of [`Flight::state`].
    pub fn state(&mut self, time: f64) -> State {
        let flight = self.0.flight;
        match flight.spin {
            Spin::Steady { .. } => flight.state(time),
            Spin::Top { .. } => {
                let (rotation, angular) = self.0.turned(time);
                flight.with(time, rotation, angular)
            }
        }
    }

    /// Gives the buffer back.
    pub(crate) fn into_segments(self) -> Segments {
        Segments(self.0.segments)
    }
}

/// Pieces of the series that are kept: a few turns, more than a search goes back.
const KEPT: usize = 64;

/// Evaluates the attitude at any times; pieces of the top's series are kept.
#[derive(Debug, Clone)]
pub(crate) struct Attitude<'a> {
    flight: &'a Flight,
    segments: Vec<TopSegment>,
    /// The piece that was used last.
    last: usize,
}

impl<'a> Attitude<'a> {
    pub(crate) fn new(flight: &'a Flight, room: Segments) -> Self {
        let mut segments = room.0;
        segments.clear();
        Self {
            flight,
            segments,
            last: 0,
        }
    }

    pub(crate) fn flight(&self) -> &'a Flight {
        self.flight
    }

    /// Attitude and spin in the world.
    fn turned(&mut self, time: f64) -> (DQuat, DVec3) {
        let (q, w) = self.at(time);
        let q = q.normalize();
        (q, q * w)
    }

    /// Attitude and body-axes spin.
    pub(crate) fn at(&mut self, time: f64) -> (DQuat, DVec3) {
        let start = self.flight.start.pose.rotation;
        match self.flight.spin {
            Spin::Steady { axis, rate, .. } => (turned(start, axis, rate * time), axis * rate),
            Spin::Top { spin } => self.segment(start, spin, time).at(time),
        }
    }

    /// The piece that holds `time`. Before the first one that is kept it begins anew from time 0.
    fn segment(&mut self, attitude: DQuat, spin: DVec3, time: f64) -> &TopSegment {
        let inertia = self.flight.inertia;
        if self.segments.first().is_none_or(|s| !s.begins_before(time)) {
            self.segments.clear();
            let first = TopSegment::new(inertia, 0.0, attitude, spin, time < 0.0);
            self.segments.push(first);
        }
        let mut k = self.last.min(self.segments.len() - 1);
        while k > 0 && !self.segments[k].begins_before(time) {
            k -= 1;
        }
        while !self.segments[k].ends_after(time) {
            if k + 1 == self.segments.len() {
                let next = self.segments[k].next(inertia);
                if self.segments.len() == KEPT {
                    self.segments.clear();
                }
                self.segments.push(next);
                k = self.segments.len() - 1;
            } else {
                k += 1;
            }
        }
        self.last = k;
        &self.segments[k]
    }
}
