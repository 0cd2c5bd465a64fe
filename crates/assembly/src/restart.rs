//! Another state at the same time, for disturbed twins, and the units in which two states are compared.

use crate::assembly::Assembly;
use crate::row::Block;
use crate::settle::released;

impl Assembly {
    /// The same row at the same time and phase of the drive, with other coordinates (m, sizes removed) and slips (m/s).
    /// Coordinates are kept within the basin and in order; the books begin anew.
    pub(crate) fn restarted(&self, places: &[f64], slips: &[f64]) -> Self {
        let model = self.run.model.clone();
        let mut floor = 0.0_f64;
        let coordinates: Vec<f64> = places
            .iter()
            .map(|place| {
                floor = place.max(floor).min(model.free);
                floor
            })
            .collect();
        let clock = &self.run.state.clock;
        let basin = clock.kinematics_at(clock.now);
        let velocities: Vec<f64> = slips.iter().map(|slip| slip + basin.velocity).collect();
        let clock = clock.clone();
        let energy = |(b, v): (&Block, &f64)| {
            let carried = v + clock.motion.velocity();
            0.5 * b.mass * carried * carried
        };
        let initial = model.blocks.iter().zip(&velocities).map(energy).sum();
        Self {
            run: released(model, clock, &coordinates, &velocities, initial),
        }
    }

    /// Coordinates and slips of all blocks.
    pub(crate) fn phase_point(&self) -> (Vec<f64>, Vec<f64>) {
        self.state().iter().map(|b| (b.free, b.slip)).unzip()
    }

    /// Units of coordinate and slip in which a state is judged: u0 and u0 Ω of a harmonic drive.
    pub(crate) fn units(&self) -> (f64, f64) {
        let bounds = self.run.state.clock.motion.law().bounds();
        let length = if bounds.position > 0.0 && bounds.position.is_finite() {
            bounds.position
        } else {
            self.run.model.free
        };
        let speed = if bounds.velocity > 0.0 {
            bounds.velocity
        } else {
            self.run.model.velocity_scale
        };
        (
            if length > 0.0 { length } else { 1.0 },
            if speed > 0.0 { speed } else { 1.0 },
        )
    }
}
