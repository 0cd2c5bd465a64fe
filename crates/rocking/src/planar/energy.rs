//! The audit of the energy: every arc, every impact.

use super::SlideRockEnergy;

/// Adds up where the energy goes.
#[derive(Debug, Default)]
pub(super) struct Audit {
    pub energy: SlideRockEnergy,
    /// Energy change of the phase so far, less work, plus losses.
    open: f64,
    /// Round-off of an energy (J/kg).
    round_off: f64,
}

impl Audit {
    pub fn start(unit: f64, energy: f64) -> Self {
        let mut audit = Self {
            round_off: 1e-14 * unit,
            ..Self::default()
        };
        audit.energy.start = energy;
        audit
    }

    /// An arc with its change of energy, the work of the base and what friction, dashpots and yielding took.
    pub fn arc(&mut self, change: f64, work: f64, [friction, damping, yielding]: [f64; 3]) {
        self.energy.base_work += work;
        self.energy.friction += friction;
        self.energy.damping += damping;
        self.energy.yielding += yielding;
        self.open += change - work + friction + damping + yielding;
        self.energy.imbalance = self.energy.imbalance.max(self.open.abs());
    }

    /// An impact between two energies; ends the phase.
    pub fn impact(&mut self, before: f64, after: f64) {
        self.energy.impacts += (before - after).max(0.0);
        // A gain within the round-off of the energy itself is none.
        let gain = after - before;
        if gain > self.round_off + 1e-13 * before.abs() {
            self.energy.gained += gain;
        }
        self.open = 0.0;
    }

    /// A change of mode ends the phase.
    pub fn phase(&mut self) {
        self.open = 0.0;
    }
}
