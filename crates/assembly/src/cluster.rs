//! Groups of blocks that move as one, each with its own clock.

use crate::motion::Kinematics;
use klast_numerics::DoubleDouble;

/// What the floor does to a cluster.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mode {
    /// At rest relative to the basin: it sticks, or a wall holds it.
    Rest,
    /// It slides (or there is no friction).
    Slide,
}

/// Blocks `first ..= last` in persistent contact. The state is that of its own last event; in sliding the motion in
/// the frame, which is inertial, is a parabola, u(t) = u + v τ − f τ²/2.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Cluster {
    pub(crate) last: usize,
    pub(crate) mode: Mode,
    pub(crate) mass: f64,
    /// Friction over mass, m/s²: the mean μ g of the blocks.
    pub(crate) friction_deceleration: f64,
    /// Clock, s.
    pub(crate) t: f64,
    /// Coordinate in the frame with the sizes of the blocks in front removed, m.
    pub(crate) u: DoubleDouble,
    /// Velocity in the frame, m/s.
    pub(crate) v: f64,
    /// Signed deceleration by friction, m/s².
    pub(crate) f: f64,
    /// Coordinate in the basin where known, NaN where not. Kept so that a body just off a wall starts at exactly zero
    /// gap.
    pub(crate) y: f64,
    /// Offset to `y`: the coordinate is y + dy. Hops on a wall at y = 8 may be lower than the rounding of 8.
    pub(crate) dy: f64,
    /// Path in the frame since the slide began: a sum of its own, since differences of u would lose the digits of short
    /// slides.
    pub(crate) path: f64,
    /// Basin position when the slide began; at rest: basin velocity when the rest began.
    pub(crate) mark_x: f64,
    /// When the slide began, s.
    pub(crate) mark_t: f64,
}

impl Cluster {
    /// Whether it lies exactly at `place`.
    pub(crate) fn lies_at(&self, place: f64) -> bool {
        self.y == place && self.dy == 0.0
    }

    /// Displacement in the frame from its clock to `t`, and the velocity then.
    #[inline]
    pub(crate) fn displacement_until(&self, t: f64) -> (DoubleDouble, DoubleDouble) {
        let tau = DoubleDouble::sum(t, -self.t);
        let lost = tau * (0.5 * self.f);
        let mean = DoubleDouble::new(self.v) - lost;
        (tau * mean, mean - lost)
    }

    /// What is between it and its right neighbour, both at one time with coordinates in the basin, m. Between two that
    /// slide it is known to a rounding of itself.
    pub(crate) fn gap_to(&self, right: &Self) -> f64 {
        if self.mode == Mode::Slide && right.mode == Mode::Slide {
            (right.u - self.u).value()
        } else {
            (right.y - self.y) + (right.dy - self.dy)
        }
    }

    /// Into the next frame, in which the basin of the given kinematics is at rest at the origin; `y` is known.
    pub(crate) fn carry(&mut self, basin: &Kinematics) {
        (self.u, self.v) = (DoubleDouble::sum(self.y, self.dy), self.v - basin.velocity);
    }

    /// On a clock that is set back by `by`, while the basin steps by `step` in the frame.
    pub(crate) fn set_back(&mut self, by: f64, step: DoubleDouble) {
        let time = DoubleDouble::sum(self.t, -by);
        self.t = time.high;
        if self.mode == Mode::Slide {
            // The state is that of high + low, and is taken to the new clock.
            self.u += step - DoubleDouble::product(self.v, time.low);
            if time.low != 0.0 {
                (self.y, self.dy) = (f64::NAN, 0.0);
            }
        }
    }

    /// Coordinate and velocity in the frame of a sliding cluster at `t`.
    #[inline]
    pub(crate) fn slide_to(&self, t: f64) -> (DoubleDouble, DoubleDouble) {
        if t == self.t {
            return (self.u, DoubleDouble::new(self.v));
        }
        let (moved, v) = self.displacement_until(t);
        (self.u + moved, v)
    }

    /// Work of the basin on it and heat of friction since its mark, to the time `t` at which the basin is at `k` and
    /// the path is `path`.
    ///
    /// Sliding: the friction force −m f does −m f ΔX on the basin side, and the heat is m f (path − ΔX). At rest the
    /// basin (floor and walls together) does all the work there is, m (V² − V0²)/2. The work is that in the laboratory,
    /// in which the frame moves with the velocity `frame`.
    pub(crate) fn work_and_heat(
        &self,
        path: f64,
        k: &Kinematics,
        frame: f64,
        t: f64,
    ) -> (f64, f64) {
        match self.mode {
            Mode::Rest => {
                let v0 = self.mark_x;
                let sum = k.velocity + v0 + 2.0 * frame;
                (0.5 * self.mass * (k.velocity - v0) * sum, 0.0)
            }
            Mode::Slide => {
                let dx = k.position - self.mark_x;
                let carried = dx + frame * (t - self.mark_t);
                (
                    -self.mass * self.f * carried,
                    self.mass * self.f * (path - dx),
                )
            }
        }
    }
}
