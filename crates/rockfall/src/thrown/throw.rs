//! A throw as it was measured, and what lies between it and a computed one.

use glam::{DQuat, DVec3};
use klast_dynamics::State;

/// Where the body was at one time.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sample {
    /// Time since the start (s).
    pub time: f64,
    /// Mass centre (m).
    pub centre: DVec3,
    /// Attitude of the principal axes, where it was measured.
    pub attitude: Option<DQuat>,
}

/// One throw.
#[derive(Debug, Clone, PartialEq)]
pub struct Throw {
    /// Its name.
    pub name: String,
    /// The body at the time 0.
    pub start: State,
    /// Where it was afterwards, in the order of time.
    pub samples: Vec<Sample>,
}

impl Throw {
    /// The time of the last sample (s).
    pub fn end(&self) -> f64 {
        self.samples.last().map_or(0.0, |s| s.time)
    }
}

/// What lies between a computed throw and the measured one.
///
/// The square of a sample is |x − x'|², x and x' the mass centres; where the attitude was measured 4 v·(I v)/m is
/// added, v the vector part of the quaternion that turns one attitude into the other and I the inertia in body axes.
/// That sum is the mean over the mass of the squared distances between the points of the body, here and there.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Compared {
    /// Sum of squares after the first impact (m²); infinite where the run did not stay finite.
    pub squares: f64,
    /// The part of that sum that the mass centres make alone (m²).
    pub position_squares: f64,
    /// Samples of that sum.
    pub samples: usize,
    /// Sum of squares before it (m²): what the start leaves, whatever the ground is.
    pub squares_before: f64,
    /// Samples of that sum.
    pub samples_before: usize,
    /// When the body first touches the ground (s).
    pub first_impact: Option<f64>,
    /// Impacts until the last sample that is compared.
    pub impacts: usize,
    /// Impacts that made energy.
    pub gains: usize,
    /// Contact problems that missed their tolerance.
    pub unconverged: usize,
    /// Whether the run ended before the last sample that is compared, and not at rest: it left the ground that there
    /// is, or took too many steps. Samples after its end are compared with a flight that meets nothing.
    pub cut_off: bool,
}
