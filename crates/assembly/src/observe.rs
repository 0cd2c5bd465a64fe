//! What can be observed in a run without disturbing it.

use crate::assembly::Assembly;
use crate::cluster::{Cluster, Mode};
use crate::event::Event;
use crate::predictor::Predictor;
use klast_numerics::CompensatedSum;
use klast_numerics::DoubleDouble;

use crate::energy::EnergyBalance;
use crate::motion::Kinematics;
use crate::record::{Counts, Grazing, InterfaceRecord, LargestImpact};
use crate::row::{Basin, Block};

/// State of one block, in the laboratory.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BlockState {
    /// Position of the left edge, m.
    pub left: f64,
    /// Position of the right edge, m.
    pub right: f64,
    /// Velocity, m/s.
    pub velocity: f64,
    /// Coordinate in the basin with the sizes of the blocks in front removed, m.
    pub free: f64,
    /// Velocity relative to the basin, m/s.
    pub slip: f64,
}

impl Assembly {
    /// Number of blocks.
    #[must_use]
    pub fn len(&self) -> usize {
        self.run.model.len()
    }

    /// Always false: a row has at least one block.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.run.model.blocks.is_empty()
    }

    /// The blocks from left to right.
    #[must_use]
    pub fn blocks(&self) -> &[Block] {
        &self.run.model.blocks
    }

    /// The basin.
    #[must_use]
    pub fn basin(&self) -> &Basin {
        &self.run.model.basin
    }

    /// Free travel: basin length less all block sizes, m.
    #[must_use]
    pub fn free_travel(&self) -> f64 {
        self.run.model.free
    }

    /// Velocity scale, m/s: the larger of a bound on the basin velocity, which its peak may stay below
    /// ([`crate::BasinMotion::peak_velocity`]), and the fastest block at time zero. Of a record both count from the
    /// velocity with which it begins.
    #[must_use]
    pub fn velocity_scale(&self) -> f64 {
        self.run.model.velocity_scale
    }

    /// Keeps a list of all events from now on; take it with [`Assembly::take_events`]. At time zero those of the
    /// release are among them: a wall that starts with a velocity kicks what touches it.
    pub fn record_events(&mut self) {
        let at_release = self.time() == 0.0;
        let record = &mut self.run.record;
        if record.log.is_none() {
            let release = std::mem::take(&mut record.release);
            record.log = Some(if at_release { release } else { Vec::new() });
        }
    }

    /// The events recorded since the last call.
    pub fn take_events(&mut self) -> Vec<Event> {
        self.run
            .record
            .log
            .as_mut()
            .map(std::mem::take)
            .unwrap_or_default()
    }

    /// Counts of events so far.
    #[must_use]
    pub fn counts(&self) -> Counts {
        self.run.record.counts
    }

    /// Impact counts and impulses of all interfaces: the left wall, then between blocks, then the right wall.
    #[must_use]
    pub fn interfaces(&self) -> Vec<InterfaceRecord> {
        self.run.record.interfaces()
    }

    /// The impact with the largest energy of approach so far.
    #[must_use]
    pub fn largest_impact(&self) -> LargestImpact {
        self.run.record.largest
    }

    /// Begins the search for the largest impact anew.
    pub fn forget_largest_impact(&mut self) {
        self.run.record.largest = LargestImpact::default();
    }

    /// Open contacts met at 1e-12 of the velocity scale or less (the first ten thousand of them).
    #[must_use]
    pub fn grazings(&self) -> &[Grazing] {
        &self.run.record.grazing
    }

    /// First time, s, at which two impacts of one chain fell within 1e-13 of the period. They are settled as one; had
    /// one come first, the motion would go on differently, and double precision does not know which.
    #[must_use]
    pub fn first_coincidence(&self) -> Option<f64> {
        self.run.record.coincidence
    }

    /// Worst momentum residual of an impact, relative to the momenta and impulses in it.
    #[must_use]
    pub fn worst_momentum_residual(&self) -> f64 {
        self.run.record.worst_momentum
    }

    /// Largest overlap of two bodies, or of one and a wall, at any impact so far, before what touches is brought to one
    /// place, m.
    #[must_use]
    pub fn worst_overlap(&self) -> f64 {
        self.run.record.worst_overlap
    }

    /// Largest overlap of two bodies, or of one and a wall, at the time reached, m: from coordinates in two parts, so
    /// it shows where those of [`Assembly::state`] round to one number.
    #[must_use]
    pub fn overlap(&self) -> f64 {
        let mut worst = 0.0_f64;
        let mut left: Option<Cluster> = None;
        for c in self.run.state.heads() {
            let body = self.reached(&self.run.state.clusters[c]);
            let gap = match &left {
                Some(left) => left.gap_to(&body),
                None => body.y + body.dy,
            };
            worst = worst.max(-gap);
            left = Some(body);
        }
        let behind = left.map_or(0.0, |last| (self.run.model.free - last.y) - last.dy);
        worst.max(-behind)
    }

    /// A cluster at the time reached; one whose last event counts as before it, though rounding has it later, as that
    /// event left it.
    fn reached(&self, c: &Cluster) -> Cluster {
        let t = self.run.state.clock.now.max(c.t);
        let (y, dy) = Predictor::new(&self.run.model, &self.run.state.clock).placed_at(c, t);
        match c.mode {
            Mode::Rest => *c,
            Mode::Slide => {
                let (u, v) = c.slide_to(t);
                let v = v.value();
                Cluster {
                    t,
                    u,
                    v,
                    y,
                    dy,
                    ..*c
                }
            }
        }
    }

    /// Blocks that move as one: (first, last) of each cluster from left to right.
    #[must_use]
    pub fn clusters(&self) -> Vec<(usize, usize)> {
        self.run
            .state
            .heads()
            .map(|c| (c, self.run.state.clusters[c].last))
            .collect()
    }

    /// Position (m) and velocity (m/s) of the basin at the time reached.
    #[must_use]
    pub fn basin_state(&self) -> Kinematics {
        self.run
            .state
            .clock
            .motion
            .in_laboratory(self.run.state.clock.now)
    }

    /// State of all blocks at the time reached. Reading it does not disturb the run.
    #[must_use]
    pub fn state(&self) -> Vec<BlockState> {
        let (k, basin) = (
            self.run.state.clock.motion.at(self.run.state.clock.now),
            self.basin_state(),
        );
        let mut in_front = 0.0;
        let mut all = Vec::with_capacity(self.run.model.len());
        for c in self.run.state.heads() {
            let cluster = self.reached(&self.run.state.clusters[c]);
            let (y, w) = match cluster.mode {
                Mode::Rest => (cluster.y + cluster.dy, 0.0),
                Mode::Slide => (cluster.y + cluster.dy, cluster.v - k.velocity),
            };
            for b in &self.run.model.blocks[c..=cluster.last] {
                // The place of the basin comes last: edges that touch in the basin round to the same number however far
                // it is.
                let left = basin.position + (y + in_front);
                in_front += b.size;
                all.push(BlockState {
                    left,
                    right: basin.position + (y + in_front),
                    velocity: w + basin.velocity,
                    free: y,
                    slip: w,
                });
            }
        }
        all
    }

    /// Energy balance up to the time reached.
    #[must_use]
    pub fn energy(&self) -> EnergyBalance {
        let (k, frame) = (
            self.run.state.clock.motion.at(self.run.state.clock.now),
            self.run.state.clock.motion.velocity(),
        );
        let (mut drive, mut friction, mut kinetic) = (
            self.run.record.energy.drive,
            self.run.record.energy.friction,
            CompensatedSum::default(),
        );
        let mut turnover = self.run.record.energy.turnover;
        for c in self.run.state.heads() {
            let cluster = &self.run.state.clusters[c];
            let (moved, v) = match cluster.mode {
                Mode::Rest => (DoubleDouble::default(), DoubleDouble::new(k.velocity)),
                Mode::Slide => cluster.displacement_until(self.run.state.clock.now),
            };
            let (path, v) = (cluster.path + moved.value(), v.value());
            let (work, heat) = cluster.work_and_heat(path, &k, frame, self.run.state.clock.now);
            drive.add(work);
            friction.add(heat);
            turnover += work.abs() + heat.abs();
            kinetic.add(0.5 * cluster.mass * (v + frame) * (v + frame));
        }
        let kinetic = kinetic.value();
        EnergyBalance {
            initial: self.run.record.energy.initial,
            kinetic,
            drive: drive.value(),
            impacts: self.run.record.energy.impacts.value(),
            friction: friction.value(),
            turnover: turnover + kinetic,
        }
    }
}
