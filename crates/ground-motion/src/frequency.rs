//! A frequency that says its unit where it is made.

use std::f64::consts::TAU;

/// A frequency; made of hertz or of radians per second, so that neither is taken for the other.
///
/// ```
/// use klast_ground_motion::Frequency;
///
/// assert_eq!(Frequency::hertz(2.0).circular(), 4.0 * std::f64::consts::PI);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
pub struct Frequency {
    circular: f64,
}

impl Frequency {
    /// Of periods per second (Hz).
    pub fn hertz(frequency: f64) -> Self {
        Self::rad_per_s(TAU * frequency)
    }

    /// Of a circular frequency ω (rad/s).
    pub fn rad_per_s(circular: f64) -> Self {
        Self { circular }
    }

    /// Circular frequency ω (rad/s).
    pub fn circular(self) -> f64 {
        self.circular
    }
}
