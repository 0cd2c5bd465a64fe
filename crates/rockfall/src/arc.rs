//! The path of a rock as arcs of constant acceleration.

use glam::{DQuat, DVec2, DVec3};
use klast_geometry::terrain::Area;

/// How a rock moves along an arc.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Motion {
    /// In the air.
    Flight,
    /// On the ground: sliding, rolling, toppling.
    Contact,
}

/// A stretch of path with constant acceleration of the mass centre and constant rotational energy: a flight between two
/// touches, a slide, or one step on the ground.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Arc {
    /// Time at the beginning since release (s).
    pub time: f64,
    /// How long it lasts (s).
    pub duration: f64,
    /// Mass centre at the beginning (m), local coordinates.
    pub position: DVec3,
    /// Its velocity at the beginning (m/s).
    pub velocity: DVec3,
    /// Its acceleration (m/s²).
    pub acceleration: DVec3,
    /// Spin at the beginning (rad/s).
    pub spin: DVec3,
    /// Attitude at the beginning and at the end; of a lumped mass that of no turn.
    pub attitude: [DQuat; 2],
    /// Rotational kinetic energy (J).
    pub rotational_energy: f64,
    /// In the air or on the ground.
    pub motion: Motion,
}

impl Arc {
    /// Position after `t` seconds on this arc.
    pub fn position_at(&self, t: f64) -> DVec3 {
        self.position + (self.velocity + self.acceleration * (0.5 * t)) * t
    }

    /// Velocity after `t` seconds on this arc.
    pub fn velocity_at(&self, t: f64) -> DVec3 {
        self.velocity + self.acceleration * t
    }

    /// Position at the end.
    pub fn end(&self) -> DVec3 {
        self.position_at(self.duration)
    }

    /// Whether the arc, and the way to it from another place in plan, stay outside of a rectangle, by a quick look: it
    /// lies within its ends and the point where its tangents meet.
    pub(crate) fn is_beside(&self, area: &Area, from: DVec2) -> bool {
        let beside = |from: f64, p: f64, v: f64, a: f64, low: f64, high: f64| {
            if p >= low && p <= high {
                return false;
            }
            let half = 0.5 * self.duration;
            let places = [from, p + v * half, p + (v + a * half) * self.duration];
            match p < low {
                true => places.iter().all(|x| *x < low),
                false => places.iter().all(|x| *x > high),
            }
        };
        let (p, v, a) = (self.position, self.velocity, self.acceleration);
        beside(from.x, p.x, v.x, a.x, area.lower.x, area.upper.x)
            || beside(from.y, p.y, v.y, a.y, area.lower.y, area.upper.y)
    }

    /// The same arc, cut short.
    pub fn until(&self, t: f64) -> Arc {
        Arc {
            duration: t.min(self.duration),
            ..*self
        }
    }

    /// When the arc is highest over ground that rises evenly from one height to another (m) between two times, which is
    /// where the two rise alike. `None` where it is highest at one of these times: where it does not bend down, or the
    /// two rise alike before or after.
    pub(crate) fn highest(&self, ground: [f64; 2], (from, to): (f64, f64)) -> Option<f64> {
        let t = ((ground[1] - ground[0]) / (to - from) - self.velocity.z) / self.acceleration.z;
        (self.acceleration.z < 0.0 && from < t && t < to).then_some(t)
    }

    /// When the arc turns round in front of a vertical plane, within its duration; its end where it does not.
    pub(crate) fn turn(&self, normal: DVec2) -> f64 {
        let rate = normal.dot(self.velocity.truncate());
        let t = -rate / normal.dot(self.acceleration.truncate());
        if t > 0.0 && t < self.duration {
            t
        } else {
            self.duration
        }
    }

    /// When the arc goes through a vertical plane n·p = offset between two times at which it is on either side, give or
    /// take rounding, and between which it does not turn round.
    pub(crate) fn crossing(&self, normal: DVec2, offset: f64, (from, to): (f64, f64)) -> f64 {
        let outside = |t: &f64| (from - t).max(t - to).max(0.0);
        let roots = self.roots(normal, offset).into_iter();
        let nearest = roots
            .filter(|t| t.is_finite())
            .min_by(|a, b| outside(a).total_cmp(&outside(b)));
        nearest.map_or(from, |t| t.clamp(from, to))
    }

    /// Times, of any sign, at which the arc goes through a vertical plane; NaN or infinite where there is none.
    fn roots(&self, normal: DVec2, offset: f64) -> [f64; 2] {
        self.across(normal).roots(offset)
    }

    /// The arc across vertical planes with a normal.
    pub(crate) fn across(&self, normal: DVec2) -> Across {
        let rate = normal.dot(self.velocity.truncate());
        Across {
            place: normal.dot(self.position.truncate()),
            rate,
            half: 0.5 * normal.dot(self.acceleration.truncate()),
            even: -0.5 * (rate + (rate * rate).sqrt().copysign(rate)),
            duration: self.duration,
        }
    }

    /// Times on (0, duration] at which the arc goes through a vertical plane n·p = offset, at most two, in order.
    pub fn crossings(&self, normal: DVec2, offset: f64) -> [Option<f64>; 2] {
        self.across(normal).crossings(offset)
    }
}

/// An arc across vertical planes with one normal: n·p, n·v and half of n·a, of which the first two are at its
/// beginning.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Across {
    place: f64,
    rate: f64,
    half: f64,
    /// What the distance is divided by where n·v stays.
    even: f64,
    duration: f64,
}

impl Across {
    fn roots(&self, offset: f64) -> [f64; 2] {
        if self.half == 0.0 {
            return [self.even_crossing(offset), f64::NAN];
        }
        let c = self.place - offset;
        let (a, b) = (self.half, self.rate);
        // The root without cancellation first, the other from the product of both.
        let q = -0.5 * (b + (b * b - 4.0 * a * c).sqrt().copysign(b));
        [c / q, q / a]
    }

    /// When it does so where n·v stays.
    fn even_crossing(&self, offset: f64) -> f64 {
        (self.place - offset) / self.even
    }

    /// As [`Arc::crossings`].
    pub(crate) fn crossings(&self, offset: f64) -> [Option<f64>; 2] {
        let root = |t: f64| (t > 0.0 && t <= self.duration).then_some(t);
        if self.half == 0.0 {
            return [root(self.even_crossing(offset)), None];
        }
        let [first, second] = self.roots(offset).map(root);
        match (first, second) {
            (Some(s), Some(t)) if t < s => [Some(t), Some(s)],
            (None, t) => [t, None],
            both => [both.0, both.1],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Thrown level with v over a slope of θ that falls: v tan θ = g t is where it is highest, by v² tan² θ/(2 g).
    #[test]
    fn a_flight_is_highest_over_a_slope_where_both_fall_alike() {
        let (v, slope, g) = (6.0, 0.8, 9.81);
        let arc = Arc {
            time: 0.0,
            duration: 2.0,
            position: DVec3::ZERO,
            velocity: DVec3::X * v,
            acceleration: DVec3::NEG_Z * g,
            spin: DVec3::ZERO,
            attitude: [DQuat::IDENTITY; 2],
            rotational_energy: 0.0,
            motion: Motion::Flight,
        };
        let ground = |t: f64| -slope * v * t;
        for (from, to) in [(0.0, 2.0), (0.1, 0.9)] {
            let t = arc.highest([ground(from), ground(to)], (from, to)).unwrap();
            assert!((t - v * slope / g).abs() < 1e-14, "{t}");
            let height = arc.position_at(t).z - ground(t);
            assert!((height - (v * slope).powi(2) / (2.0 * g)).abs() < 1e-13);
        }
        // Both fall alike at 0.489 s.
        for (from, to) in [(0.0, 0.4), (1.0, 2.0)] {
            assert_eq!(arc.highest([ground(from), ground(to)], (from, to)), None);
        }
        let rises = Arc {
            acceleration: DVec3::Z * g,
            ..arc
        };
        assert_eq!(rises.highest([ground(0.0), ground(2.0)], (0.0, 2.0)), None);
    }
}
