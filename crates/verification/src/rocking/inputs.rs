//! Coefficients and motions by their names in the tables.

use anyhow::Result;
use klast_ground_motion::{Component, Frequency};
use klast_rocking::{Restitution, RestitutionModel, RockingBlock, RockingError, Side};
use std::f64::consts::FRAC_PI_2;

/// A base motion by its name in the tables.
pub(super) fn motion(kind: &str, amplitude: f64, omega: f64) -> Result<Component, RockingError> {
    Ok(match kind {
        "sine" => Component::waves(amplitude, Frequency::rad_per_s(omega), 0.0, 1.0)?,
        "cosine" => Component::waves(amplitude, Frequency::rad_per_s(omega), FRAC_PI_2, 1.0)?,
        _ => Component::harmonic(amplitude, Frequency::rad_per_s(omega), 0.0, f64::INFINITY)?,
    })
}

/// The coefficient of a symmetric block.
pub(super) fn eta(block: &RockingBlock, model: RestitutionModel) -> Result<f64> {
    Ok(Restitution::new(model)?.coefficient(block, Side::Right))
}
