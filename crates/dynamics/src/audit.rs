//! Where the energy of a body goes.

use crate::KineticEnergy;

/// Audit of one impact (J).
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct EnergyAudit {
    /// Kinetic energy just before.
    pub before: KineticEnergy,
    /// Kinetic energy just after.
    pub after: KineticEnergy,
    /// Work of the normal impulses, Σ r_n (u_n⁻ + u_n⁺)/2.
    pub normal_work: f64,
    /// Work of the friction impulses, Σ r_t·(u_t⁻ + u_t⁺)/2.
    pub friction_work: f64,
}

/// Gain under this part of the larger kinetic energy is rounding and solver residual (1e-10 of a velocity).
const GAIN: f64 = 1e-9;

impl EnergyAudit {
    /// Energy that the impact took away (J); negative where it made some.
    pub fn loss(&self) -> f64 {
        self.before.total() - self.after.total()
    }

    /// Whether the impact made energy, which Newton's law with friction can do (Kane 1984): more than 1e-9 of what was there.
    pub fn is_gain(&self) -> bool {
        -self.loss() > GAIN * self.before.total().max(self.after.total())
    }
}

/// Sums over a run.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct EnergyLedger {
    /// Impacts counted.
    pub impacts: usize,
    /// Impacts that made energy.
    pub gains: usize,
    /// Energy made by those (J).
    pub gained: f64,
    /// Energy taken by all others (J).
    pub lost: f64,
    /// Energy taken by friction between impacts, while the body slid or rolled on the ground (J).
    pub slid: f64,
}

impl EnergyLedger {
    /// Enters one impact.
    pub fn enter(&mut self, audit: &EnergyAudit) {
        self.impacts += 1;
        if audit.is_gain() {
            self.gains += 1;
            self.gained -= audit.loss();
        } else {
            self.lost += audit.loss();
        }
    }
}
