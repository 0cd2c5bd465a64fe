//! One body on its base in three dimensions, or a column of them: it rocks about edges and corners, rolls along its
//! rim, slides, twists and jumps.
//!
//! The body is a convex polyhedron or a frustum on a plane that moves with three components; contacts are solved by the
//! Moreau–Jean steps of `klast_dynamics::World` with Coulomb friction and plastic impacts, which is Housner's law where
//! nothing slips. Steps end where an impact falls into them (`pace`). A round body that stands alone is moved by its
//! own equations between impacts (`rim`). The engine in the plane is the limit of a prism that
//! keeps to a plane of symmetry. Axes x and y along the base, z up; tilt is the angle of the body's axis to the
//! vertical.

mod body;
mod column;
mod pace;
mod rest;
mod result;
mod rim;
mod run;
mod setting;
mod watch;

pub use body::SpatialBody;
pub use column::SpatialColumn;
use klast_numerics::check::require;
pub use result::{
    DrumMotion, SpatialColumnRun, SpatialEnergy, SpatialOutcome, SpatialRun, SpatialSample,
};

use crate::error::RockingError;
use glam::{DQuat, DVec3};
use klast_ground_motion::Component;

/// Motion of the base along x, y and z.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct SpatialMotion {
    /// The components along x, y and z.
    pub components: [Component; 3],
}

impl SpatialMotion {
    /// The motion that comes in at an angle (rad, from x to y), times a factor: its first component acts along the
    /// direction of the angle.
    ///
    /// # Errors
    /// Components that have no sum: waves of several frequencies.
    pub fn incident(&self, angle: f64, factor: f64) -> Result<Self, RockingError> {
        let (sin, cos) = libm::sincos(angle);
        let [x, y, z] = &self.components;
        Ok(Self {
            components: [
                x.combined(factor * cos, y, -factor * sin)?,
                x.combined(factor * sin, y, factor * cos)?,
                z.scaled(factor),
            ],
        })
    }
}

/// What to integrate and how.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SpatialOptions {
    /// End of the simulation (s).
    pub duration: f64,
    /// Step (s).
    pub step: f64,
    /// Friction coefficient.
    pub friction: f64,
    /// Attitude at the start, from the one in which the body stands upright.
    pub attitude: DQuat,
    /// Angular velocity at the start (rad/s, world axes); the lowest point is at rest.
    pub angular_velocity: DVec3,
    /// Tilt that counts as overturned (rad); halfway from the largest critical tilt to π/2 when absent.
    pub overturned_at: Option<f64>,
    /// Interval of the samples of the history (s); none when absent.
    pub sample: Option<f64>,
    /// Relative residual to which the contacts of a step are solved.
    pub tolerance: f64,
}

impl SpatialOptions {
    /// A body at rest for `duration` seconds, steps of 0.5 ms.
    #[must_use]
    pub fn new(duration: f64, friction: f64) -> Self {
        Self {
            duration,
            step: 5e-4,
            friction,
            attitude: DQuat::IDENTITY,
            angular_velocity: DVec3::ZERO,
            overturned_at: None,
            sample: None,
            tolerance: 1e-8,
        }
    }

    /// Released at rest from `tilt` (rad) towards `azimuth` (rad from x to y).
    #[must_use]
    pub fn released(duration: f64, friction: f64, tilt: f64, azimuth: f64) -> Self {
        let (sin, cos) = libm::sincos(azimuth);
        Self {
            attitude: DQuat::from_axis_angle(DVec3::new(-sin, cos, 0.0), tilt),
            ..Self::new(duration, friction)
        }
    }

    /// Says what is wrong with them before anything is run.
    pub fn check(&self) -> Result<(), RockingError> {
        require("duration", self.duration, self.duration > 0.0, "above 0 s")?;
        let few = self.step > 0.0 && self.duration / self.step <= 1e9;
        require("step", self.step, few, "above 0 s, up to a billion of them")?;
        let friction = self.friction;
        require(
            "friction coefficient",
            friction,
            friction >= 0.0,
            "at least 0",
        )?;
        let length = self.attitude.length();
        let unit = (length - 1.0).abs() < 1e-9;
        require("length of the attitude", length, unit, "1")?;
        let spin = self.angular_velocity.length();
        require("angular velocity", spin, true, "finite")?;
        if let Some(limit) = self.overturned_at {
            let good = limit > 0.0 && limit <= std::f64::consts::PI;
            require(
                "tilt of overturning",
                limit,
                good,
                "above 0 and at most π rad",
            )?;
        }
        if let Some(interval) = self.sample {
            require("sample interval", interval, interval > 0.0, "above 0 s")?;
        }
        let tolerance = self.tolerance;
        let good = tolerance > 0.0 && tolerance <= 1e-3;
        require("tolerance", tolerance, good, "above 0, up to 1e-3")?;
        Ok(())
    }
}
