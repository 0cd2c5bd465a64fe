//! The basin seen from a frame that travels with it.
//!
//! The mechanics is the same in every inertial frame, the digits are not: a coordinate a million lengths away is known
//! to 1e-10 of a length, and a velocity of a million lengths a second no better. A basin that moves further than its
//! own length is therefore seen from a frame that stands where the basin is, and moves as fast, at one instant; a
//! little later the next frame takes over. Within a frame the basin is where its increments say, which are computed
//! without cancellation; the laboratory enters into the energies and into what is read off.

use super::kinematics::{Bounds, Kinematics};
use super::law::{BasinMotion, Onward};
use super::{ground, position};
use klast_numerics::CompensatedSum;
use klast_numerics::DoubleDouble;

/// A basin motion on the clock and in the coordinates of a frame.
#[derive(Debug, Clone)]
pub(crate) struct Frame {
    law: BasinMotion,
    travels: bool,
    /// Time zero of the frame, s.
    start: f64,
    /// Time of the one jump of velocity that lies ahead, s; ∞ if there is none.
    jump: f64,
    /// Laboratory velocity of the frame: the sum of its steps, so that energies before and after a step belong
    /// together.
    velocity: CompensatedSum,
}

impl Frame {
    /// The frame of the laboratory, or for a motion that leads away from where it began one that `travels`.
    pub(crate) fn new(law: BasinMotion, travels: bool) -> Self {
        let mut velocity = CompensatedSum::default();
        if travels {
            velocity.add(law.at(0.0).velocity);
        }
        Self {
            jump: law.next_jump(0.0),
            law,
            travels,
            start: 0.0,
            velocity,
        }
    }

    #[inline]
    pub(crate) fn travels(&self) -> bool {
        self.travels
    }

    /// Time zero of the frame, s.
    #[inline]
    pub(crate) fn start(&self) -> f64 {
        self.start
    }

    /// Laboratory velocity of the frame, m/s.
    #[inline]
    pub(crate) fn velocity(&self) -> f64 {
        self.velocity.value()
    }

    #[inline]
    pub(crate) fn law(&self) -> &BasinMotion {
        &self.law
    }

    /// The basin in the laboratory.
    #[inline]
    pub(crate) fn in_laboratory(&self, t: f64) -> Kinematics {
        self.law.at(self.start + t)
    }

    /// The basin in the frame; at the start of one that travels it is at rest at the origin.
    #[inline]
    pub(crate) fn at(&self, t: f64) -> Kinematics {
        if !self.travels {
            return self.law.at(t);
        }
        let step = self.onward(0.0).increment(t);
        Kinematics {
            position: step.rest,
            velocity: step.velocity,
            // Not through the step: whether a body slips is decided here, and a search from `t` on must agree to the
            // last bit.
            acceleration: self.onward(t).increment(0.0).acceleration,
        }
    }

    /// Where the basin is in the frame, in two parts.
    pub(crate) fn basin_position(&self, t: f64) -> DoubleDouble {
        if self.travels {
            position::onward(&self.law, self.start, t)
        } else {
            position::at(&self.law, t)
        }
    }

    /// The motion seen from `t` on.
    #[inline]
    pub(crate) fn onward(&self, t: f64) -> Onward<'_> {
        let (sin, cos) = match &self.law {
            BasinMotion::Harmonic { omega, .. } => libm::sincos(omega * (self.start + t)),
            _ => (0.0, 1.0),
        };
        Onward {
            motion: &self.law,
            origin: self.start,
            start: t,
            sin,
            cos,
        }
    }

    /// As [`BasinMotion::acceleration_beyond`].
    #[inline]
    pub(crate) fn acceleration_beyond(
        &self,
        from: f64,
        level: f64,
        above: bool,
        limit: f64,
    ) -> (f64, bool) {
        if !self.travels {
            return self.law.acceleration_beyond(from, level, above, limit);
        }
        if let BasinMotion::Ground(component) = &self.law {
            let time = ground::beyond(component, self.start, from, level, above, limit);
            return (if time <= limit { time } else { f64::INFINITY }, true);
        }
        let at = self.start + from;
        let (time, found) = self
            .law
            .acceleration_beyond(at, level, above, self.start + limit);
        if time == at {
            (from, found)
        } else {
            ((time - self.start).max(from), found)
        }
    }

    /// Next time after `t` at which the basin velocity may jump; ∞ if none.
    #[inline]
    pub(crate) fn next_jump(&self, t: f64) -> f64 {
        let jump = self.jump - self.start;
        if t < jump { jump } else { f64::INFINITY }
    }

    /// Kinematics just before a jump at `t`.
    #[inline]
    pub(crate) fn before_jump(&self, t: f64) -> Kinematics {
        let mut k = self.at(t);
        if !self.travels {
            k.velocity = self.law.velocity_before(t);
        }
        k
    }

    /// The law from the jump at `t` on. Where frames travel the next one begins there; by how much it is faster is
    /// returned.
    pub(crate) fn pass_jump(&mut self, t: f64) -> f64 {
        let jump = std::mem::replace(&mut self.jump, f64::INFINITY);
        if !self.travels {
            self.law.past_jump(jump);
            return 0.0;
        }
        let (so_far, before) = (self.at(t).velocity, self.law.velocity_before(jump));
        self.law.past_jump(jump);
        let step = so_far + (self.law.at(jump).velocity - before);
        self.velocity.add(step);
        self.start = jump;
        step
    }

    /// The next frame begins at `t`.
    pub(crate) fn pass(&mut self, t: f64) {
        let step = self.at(t).velocity;
        self.velocity.add(step);
        self.start += t;
    }

    /// Sets the clock back by `by`, a span after which the motion repeats or that its law can take out of its phases.
    pub(crate) fn set_back(&mut self, by: f64) {
        if self.travels {
            self.start -= by;
        }
        self.law.set_back(by);
    }

    /// For how long a frame serves: until the basin may have gone by its length or the fastest body by some, and no
    /// longer than a few pieces of a record, through which increments are carried one by one.
    pub(crate) fn span(&self, bounds: Bounds, length: f64, fastest: f64) -> f64 {
        const LENGTHS: f64 = 16.0;
        const PIECES: usize = 16;
        let pieces = match &self.law {
            BasinMotion::Ground(component) => ground::span(component, self.start, PIECES),
            _ => f64::INFINITY,
        };
        let far = (2.0 * length / bounds.acceleration).sqrt();
        pieces.min(far).min(LENGTHS * length / fastest)
    }
}
