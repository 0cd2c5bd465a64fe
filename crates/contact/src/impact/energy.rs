//! The energy that an impact takes away, or gives.

use glam::DVec3;

/// Audit of one impact, J. The work of an impulse over an instantaneous impact is `r · (u⁻ + u⁺) / 2`, exactly
/// (Kelvin; Routh 1905, "Dynamics of a system of rigid bodies", art. 171).
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct ImpactEnergy {
    /// Change of the kinetic energy; negative is a loss.
    pub change: f64,
    /// The part that the normal impulses did.
    pub normal: f64,
    /// The part that friction did.
    pub tangential: f64,
    /// Sum of the magnitudes that cancel in `change`: rounding is a few ulps of it.
    pub scale: f64,
}

impl ImpactEnergy {
    /// From impulses (N s) and the relative velocities before and after (m/s).
    pub fn of(impulses: &[DVec3], before: &[DVec3], after: &[DVec3]) -> Self {
        let mut energy = Self::default();
        for ((r, a), b) in impulses.iter().zip(before).zip(after) {
            let normal = 0.5 * r.x * (a.x + b.x);
            let tangential = 0.5 * (r.y * (a.y + b.y) + r.z * (a.z + b.z));
            energy.normal += normal;
            energy.tangential += tangential;
            energy.scale += 0.5 * r.length() * (a.length() + b.length());
        }
        energy.change = energy.normal + energy.tangential;
        energy
    }

    /// Whether the impact made energy: more than 1e-10 of `scale`, which rounding and the solver's residual stay under.
    pub fn is_gain(&self) -> bool {
        self.change > 1e-10 * self.scale
    }
}
