//! Putting a run into another state without moving its clock, for disturbed twins.

use crate::assembly::Assembly;
use crate::bounce::Bounce;
use crate::cluster::{Cluster, Mode};
use crate::fine::Fine;
use crate::ledger::Ledger;
use crate::queue::EventQueue;

impl Assembly {
    /// The same row at the same time and phase of the drive, with other coordinates (m, sizes removed) and slips (m/s).
    /// Coordinates are kept within the basin and in order; the books begin anew.
    pub(crate) fn restarted(&self, places: &[f64], slips: &[f64]) -> Self {
        let n = self.blocks.len();
        let mut twin = self.clone();
        twin.log = None;
        twin.bounces.fill(Bounce::NEVER);
        twin.ledger = Ledger::new(&twin.blocks);
        twin.queue = EventQueue::new(2 * n + 2);
        let (k, basin) = (twin.motion.at(twin.now), twin.motion.place(twin.now));
        let mut floor = 0.0_f64;
        for (i, (place, slip)) in places.iter().zip(slips).enumerate().take(n) {
            let y = place.max(floor).min(twin.free);
            floor = y;
            let (b, u, v) = (twin.blocks[i], Fine::new(y) + basin, slip + k.velocity);
            let carried = v + twin.motion.velocity();
            twin.ledger.initial += 0.5 * b.mass * carried * carried;
            twin.clusters[i] = Cluster {
                last: i,
                mode: Mode::Slide,
                mass: b.mass,
                grip: b.friction * twin.basin.gravity,
                t: twin.now,
                u,
                v,
                f: 0.0,
                y,
                dy: 0.0,
                path: 0.0,
                mark_x: k.position,
                mark_t: twin.now,
            };
            twin.head[i] = i;
        }
        twin.ledger.turnover = twin.ledger.initial;
        twin.settle_all(twin.now);
        twin
    }

    /// Coordinates and slips of all blocks.
    pub(crate) fn phase_point(&self) -> (Vec<f64>, Vec<f64>) {
        self.state().iter().map(|b| (b.free, b.slip)).unzip()
    }

    /// Units of coordinate and slip in which a state is judged: u0 and u0 Ω of a harmonic drive.
    pub(crate) fn units(&self) -> (f64, f64) {
        let bounds = self.motion.law().bounds();
        let length = if bounds.position > 0.0 && bounds.position.is_finite() {
            bounds.position
        } else {
            self.free
        };
        let speed = if bounds.velocity > 0.0 {
            bounds.velocity
        } else {
            self.velocity_scale
        };
        (
            if length > 0.0 { length } else { 1.0 },
            if speed > 0.0 { speed } else { 1.0 },
        )
    }
}
