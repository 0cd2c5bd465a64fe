//! A sliding cluster seen from the basin.

use crate::closing::BLUR;
use crate::cluster::Cluster;
use crate::motion::{Frame, Kinematics, Onward};

/// The obstacle that a sliding cluster may meet: something at rest in the basin.
pub(crate) struct Obstacle {
    /// Its coordinate in the basin, m.
    pub(crate) place: f64,
    /// Small offset to it, m.
    pub(crate) offset: f64,
    /// +1 when it lies to the left of the cluster, −1 to the right.
    pub(crate) side: f64,
}

impl Obstacle {
    /// The wall at `place`.
    pub(crate) fn wall(place: f64, side: f64) -> Self {
        Self {
            place,
            offset: 0.0,
            side,
        }
    }

    /// A body at rest.
    pub(crate) fn body(c: &Cluster, side: f64) -> Self {
        Self {
            place: c.y,
            offset: c.dy,
            side,
        }
    }
}

/// A sliding cluster in basin coordinates from its clock on: y + w τ − R(τ) − f τ²/2.
pub(crate) struct Slide<'a> {
    frame: &'a Frame,
    motion: Onward<'a>,
    /// No gap above this one is a tangent touch, m.
    touch: f64,
    /// Characteristic period, s.
    scale_time: f64,
    start: f64,
    pub(crate) y: f64,
    pub(crate) dy: f64,
    /// Length whose rounding blurs `y`, m.
    coarse: f64,
    w: f64,
    f: f64,
}

impl<'a> Slide<'a> {
    /// The cluster from its clock on, in a frame; `touch` and `scale_time` as in the model of the run.
    pub(crate) fn new(frame: &'a Frame, c: &Cluster, touch: f64, scale_time: f64) -> Self {
        let k: Kinematics = frame.at(c.t);
        let (y, dy, coarse) = if c.y.is_nan() {
            let y = c.u - frame.basin_position(c.t);
            (y.high, y.low, c.u.high.abs() + k.position.abs())
        } else {
            (c.y, c.dy, c.y.abs())
        };
        Self {
            frame,
            motion: frame.onward(c.t),
            touch,
            scale_time,
            start: c.t,
            y,
            dy,
            coarse,
            w: c.v - k.velocity,
            f: c.f,
        }
    }

    /// How far rounding lets the gap to an obstacle be known after a displacement, m.
    pub(crate) fn blur(&self, o: &Obstacle, moved: f64) -> f64 {
        let place = if self.y == o.place {
            0.0
        } else {
            self.coarse + o.place.abs()
        };
        let blur = BLUR * (place + self.dy.abs() + o.offset.abs() + moved.abs());
        blur.min(self.touch)
    }

    /// Displacement in the basin and relative velocity after `tau`. The displacement stands alone: added to a
    /// coordinate it would lose the digits of small hops.
    pub(crate) fn at(&self, tau: f64) -> (f64, f64) {
        let step = self.motion.increment(tau);
        (
            tau * (self.w - 0.5 * self.f * tau) - step.rest,
            self.w - step.velocity - self.f * tau,
        )
    }

    /// Relative velocity and acceleration after `tau`.
    pub(crate) fn rate(&self, tau: f64) -> (f64, f64) {
        let step = self.motion.increment(tau);
        (
            self.w - step.velocity - self.f * tau,
            -step.acceleration - self.f,
        )
    }

    /// From `from` on (local time): does the relative acceleration point to the right, and until when.
    ///
    /// It vanishes where the basin acceleration is −f; between two such times the relative velocity is monotone, so an
    /// arc holds at most one turn and no root can hide. A search that does not come so far ends the arc where it is;
    /// the next goes on the same way.
    pub(crate) fn arc(&self, from: f64, limit: f64) -> (bool, f64) {
        let beyond = |above| {
            self.frame
                .acceleration_beyond(from, -self.f, above, limit)
                .0
        };
        let left = beyond(true);
        if left > from {
            return (true, left.min(limit));
        }
        (false, beyond(false).min(limit))
    }

    /// The first arc. A body is released within rounding of the end of an arc, where the level is crossed: there the
    /// acceleration itself, which decided the release, decides.
    pub(crate) fn first_arc(&self, tau: f64, limit: f64) -> (bool, f64) {
        let (rightward, end) = self.arc(self.start + tau, limit);
        if end <= self.start + tau && end < limit {
            return self.next_arc(end, limit);
        }
        let acceleration = self.rate(tau).1;
        let contradicts = if rightward {
            acceleration < 0.0
        } else {
            acceleration > 0.0
        };
        if contradicts && end - (self.start + tau) < 1e-6 * self.scale_time {
            return (!rightward, self.arc(self.after(end), limit).1);
        }
        (rightward, end)
    }

    /// The arc that follows one that ended at `end`; a tangent touch of the level is stepped over.
    pub(crate) fn next_arc(&self, end: f64, limit: f64) -> (bool, f64) {
        let (rightward, next) = self.arc(self.after(end), limit);
        (rightward, next.max(self.after(end)).min(limit))
    }

    pub(crate) fn after(&self, time: f64) -> f64 {
        time + 1e-15 * self.scale_time.max(time.abs())
    }
}
