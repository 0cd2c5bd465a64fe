//! The double pulse of a base that is hit, slides, hits a stopper and slides back (Čeh 2018, chapter 8, device
//! ROORI-1).

use super::{Component, GroundMotionError, Law};
use klast_numerics::check::require;

/// A base that is brought to a velocity in a rise time, is slowed by friction, is reversed by a stopper in the same
/// rise time and is slowed by friction until it rests. Straight velocity ramps stand for the two impacts; the
/// deceleration is friction · g.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DoublePulse {
    /// Velocity reached by the first impact (m/s), of either sign.
    pub peak_velocity: f64,
    /// Duration of each impact (s).
    pub rise_time: f64,
    /// Way from the start to the stopper (m).
    pub gap: f64,
    /// Ratio of the velocities after and before the stopper.
    pub restitution: f64,
    /// Friction coefficient between the base and its track.
    pub friction: f64,
    /// Gravity (m/s²).
    pub gravity: f64,
}

impl DoublePulse {
    /// The motion. When friction stops the base before the stopper there is no second pulse.
    pub fn component(&self) -> Result<Component, GroundMotionError> {
        let speed = self.peak_velocity.abs();
        require(
            "peak_velocity",
            self.peak_velocity,
            speed > 0.0,
            "not 0 m/s",
        )?;
        require(
            "rise_time",
            self.rise_time,
            self.rise_time > 0.0,
            "above 0 s",
        )?;
        let e = self.restitution;
        require("restitution", e, (0.0..=1.0).contains(&e), "from 0 to 1")?;
        require("friction", self.friction, self.friction > 0.0, "above 0")?;
        require("gravity", self.gravity, self.gravity > 0.0, "above 0 m/s²")?;
        let rise_way = 0.5 * speed * self.rise_time;
        require(
            "gap",
            self.gap,
            self.gap > rise_way,
            "longer than the way of the first impact",
        )?;

        let sign = self.peak_velocity.signum();
        let slowing = self.friction * self.gravity;
        let ramp = |value: f64| Law::Linear {
            value: sign * value,
            slope: 0.0,
        };
        let mut laws = vec![(self.rise_time, ramp(speed / self.rise_time))];
        let at_stopper = speed * speed - 2.0 * slowing * (self.gap - rise_way);
        if at_stopper <= 0.0 {
            laws.push((speed / slowing, ramp(-slowing)));
            return Component::chain(0.0, 0.0, 0.0, &laws);
        }
        let hit = at_stopper.sqrt();
        laws.push(((speed - hit) / slowing, ramp(-slowing)));
        laws.push((self.rise_time, ramp(-(1.0 + e) * hit / self.rise_time)));
        if e > 0.0 {
            laws.push((e * hit / slowing, ramp(slowing)));
        }
        Component::chain(0.0, 0.0, 0.0, &laws)
    }
}
