//! The audit of the energy: every arc, every impact.

use super::SlideRockEnergy;
use super::arc::Arc;
use crate::block::RockingBlock;

/// Adds up where the energy goes.
#[derive(Debug, Default)]
pub(super) struct Audit {
    pub energy: SlideRockEnergy,
    /// Energy change of the phase so far, less work, plus friction.
    open: f64,
    /// Round-off of an energy (J/kg).
    round_off: f64,
}

impl Audit {
    pub fn start(block: &RockingBlock, energy: f64) -> Self {
        let mut audit = Self {
            round_off: 1e-14 * block.gravity() * block.radius(),
            ..Self::default()
        };
        audit.energy.start = energy;
        audit
    }

    /// An arc from its start to its end.
    pub fn arc(&mut self, block: &RockingBlock, arc: &Arc) {
        let (work, lost) = arc.work(block);
        let change = arc.at(arc.length).energy(block) - arc.at(0.0).energy(block);
        self.energy.base_work += work;
        self.energy.friction += lost;
        self.open += change - work + lost;
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
