//! A slope without restitution, with the laws of Leine et al. (2014).

use anyhow::Result;
use glam::DVec3;
use klast_geometry::terrain::Slope;
use klast_rockfall::{
    Ground, GroundCoefficients, MaterialSample, RigidRock, SlopeMaterial, StopConditions,
};

/// A slope without restitution.
pub(super) struct Incline {
    pub(super) slope: Slope,
    pub(super) ground: Ground,
    pub(super) samples: [MaterialSample; 1],
    pub(super) gravity: DVec3,
    /// Out of the slope.
    pub(super) normal: DVec3,
    /// Down the slope.
    pub(super) downhill: DVec3,
    pub(super) step: f64,
}

impl Incline {
    pub(super) fn new(angle: f64, gravity: f64, friction: f64, step: f64) -> Result<Self> {
        let (sin, cos) = libm::sincos(angle);
        Ok(Incline {
            slope: Slope::downhill_x(angle)?,
            ground: Ground::uniform(SlopeMaterial::constant(
                "soil",
                GroundCoefficients {
                    normal_restitution: 0.0,
                    tangential_restitution: 0.0,
                    friction,
                },
            ))?,
            samples: [MaterialSample {
                normal_restitution: 0.0,
                tangential_restitution: 0.0,
                friction,
                ..MaterialSample::default()
            }],
            gravity: DVec3::new(0.0, 0.0, -gravity),
            normal: DVec3::new(sin, 0.0, cos),
            downhill: DVec3::new(cos, 0.0, -sin),
            step,
        })
    }

    /// Followed for a time (s), to rest only where nothing moves any more.
    pub(super) fn stop(time: f64) -> StopConditions {
        StopConditions {
            maximum_time: time,
            maximum_steps: u32::MAX,
            stopped_velocity_cutoff: 1e-3,
            normal_velocity_cutoff: 1e-3,
        }
    }

    pub(super) fn rock<'a>(&'a self, stop: &'a StopConditions) -> RigidRock<'a> {
        RigidRock {
            stop,
            gravity: self.gravity,
            contact_step: Some(self.step),
            ..RigidRock::new(&self.slope, &self.ground)
        }
    }
}
