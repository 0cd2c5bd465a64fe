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

    /// Whether the impact made energy, which Newton's law with friction can do (Kane 1984): more than 1e-9 of what was
    /// there.
    pub fn is_gain(&self) -> bool {
        -self.loss() > GAIN * self.before.total().max(self.after.total())
    }
}

/// Sums over a run (J). The energy of a body (kinetic and potential) at the end is that at the start
/// − `lost` − `dug` + `gained` − `slid` + `risen` + `lifted`.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct EnergyLedger {
    /// Impacts counted.
    pub impacts: usize,
    /// Impacts that made energy.
    pub gains: usize,
    /// Energy made by those.
    pub gained: f64,
    /// Impacts whose law makes energy, for which another one took its place.
    #[cfg_attr(feature = "serde", serde(default))]
    pub refused: usize,
    /// Energy taken by all others on ground that did not yield.
    pub lost: f64,
    /// Energy taken by impacts in which the ground yielded.
    #[cfg_attr(feature = "serde", serde(default))]
    pub dug: f64,
    /// Energy taken between impacts: by friction and plastic contact while the body slid or rolled on the ground, and
    /// by drag.
    pub slid: f64,
    /// What taking the body out of the ground gave back of what contact had taken on its way in, in steps before:
    /// `slid` is without it, and the energy rises by it again.
    #[cfg_attr(feature = "serde", serde(default))]
    pub returned: f64,
    /// Stretches of sustained contact in which energy rose by more than 1e-9 of the largest kinetic energy so far.
    pub rises: usize,
    /// Energy that rose in any stretch of sustained contact.
    pub risen: f64,
    /// Potential energy given by taking the body out of ground into which a step had put it.
    pub lifted: f64,
    /// Largest kinetic energy so far.
    pub largest_kinetic: f64,
}

impl EnergyLedger {
    /// Enters one impact.
    pub fn enter(&mut self, audit: &EnergyAudit) {
        self.impacts += 1;
        self.largest_kinetic = self
            .largest_kinetic
            .max(audit.before.total())
            .max(audit.after.total());
        if audit.is_gain() {
            self.gains += 1;
            self.gained -= audit.loss();
        } else {
            self.lost += audit.loss();
        }
    }

    /// Enters one impact, in which the ground may have yielded.
    pub(crate) fn enter_on(&mut self, audit: &EnergyAudit, yielded: bool) {
        let lost = self.lost;
        self.enter(audit);
        if yielded {
            self.dug += self.lost - lost;
            self.lost = lost;
        }
    }

    /// Enters what drag and resistance to rolling took beside contact.
    pub(crate) fn enter_slowing(&mut self, taken: f64) {
        self.slid += taken;
    }

    /// Enters a step in which energy changed, of which drag and resistance to rolling took a part beside contact.
    pub(crate) fn enter_step(&mut self, kinetic: f64, change: f64, taken: f64) {
        self.enter_slowing(taken);
        self.enter_contact(kinetic, change + taken);
    }

    /// Enters one stretch of sustained contact: kinetic energy at its end, and what contact changed in the sum of
    /// kinetic and potential energy, without what drag and resistance to rolling took.
    pub(crate) fn enter_contact(&mut self, kinetic: f64, change: f64) {
        self.largest_kinetic = self.largest_kinetic.max(kinetic);
        if change <= 0.0 {
            self.slid -= change;
            return;
        }
        self.risen += change;
        self.rises += usize::from(change > GAIN * self.largest_kinetic);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Contact that makes 2 J while drag takes 5 J of 100 J.
    #[test]
    fn what_drag_takes_does_not_hide_what_contact_makes() {
        let mut ledger = EnergyLedger::default();
        ledger.enter_step(97.0, -3.0, 5.0);
        assert_eq!((ledger.slid, ledger.risen, ledger.rises), (5.0, 2.0, 1));
    }
}
