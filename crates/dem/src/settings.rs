//! How a world is stepped.

use crate::error::DemError;
use glam::DVec3;
use klast_numerics::check::within;

/// How a world is stepped.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Settings {
    /// Step, s.
    pub step: f64,
    /// m/s².
    pub gravity: DVec3,
    /// Viscous damping coefficient c of `m ü + c u̇ = F`, kg/s; translation only.
    pub viscous: f64,
    /// Damping rate of all momenta, 1/s: for settling.
    pub damping_rate: f64,
    /// Extra reach of the neighbour list, m.
    pub skin: f64,
    /// How many steps ahead the neighbour list allows for at present speeds.
    pub horizon: u32,
    /// Mend kinks and jumps of the law between particles inside a step; see the theory chapter.
    pub mend_switches: bool,
    /// The same at walls.
    pub mend_walls: bool,
}

impl Settings {
    /// A step and nothing else: no gravity, no damping, kinks mended.
    #[must_use]
    pub fn new(step: f64) -> Self {
        Self {
            step,
            gravity: DVec3::ZERO,
            viscous: 0.0,
            damping_rate: 0.0,
            skin: 0.0,
            horizon: 10,
            mend_switches: true,
            mend_walls: true,
        }
    }

    pub(crate) fn check(&self) -> Result<(), DemError> {
        within("step", self.step, (f64::MIN_POSITIVE, 1e6), "> 0 s")?;
        within("gravity", self.gravity.length(), (0.0, 1e6), "finite")?;
        within("viscous", self.viscous, (0.0, f64::MAX), ">= 0 kg/s")?;
        within(
            "damping rate",
            self.damping_rate,
            (0.0, f64::MAX),
            ">= 0 1/s",
        )?;
        within("skin", self.skin, (0.0, 1e6), ">= 0 m")?;
        Ok(())
    }
}

/// Refuses a span of time (s) of more steps than anyone waits for, and one that has no end.
pub(crate) fn steps_within(field: &'static str, span: f64, step: f64) -> Result<(), DemError> {
    within(field, span / step, (f64::MIN, 1e9), "up to 1e9")?;
    Ok(())
}
