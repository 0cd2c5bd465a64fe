//! What can be read off a run without disturbing it.

use crate::assembly::Assembly;
use crate::cluster::{Cluster, Mode};
use crate::event::Event;
use crate::fine::Fine;
use crate::ledger::{Counts, EnergyBalance, Grazing, InterfaceRecord, LargestImpact, Sum};
use crate::motion::Kinematics;
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
        self.blocks.len()
    }

    /// Always false: a row has at least one block.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.blocks.is_empty()
    }

    /// The blocks from left to right.
    #[must_use]
    pub fn blocks(&self) -> &[Block] {
        &self.blocks
    }

    /// The basin.
    #[must_use]
    pub fn basin(&self) -> &Basin {
        &self.basin
    }

    /// Free travel: basin length less all block sizes, m.
    #[must_use]
    pub fn free_travel(&self) -> f64 {
        self.free
    }

    /// Velocity scale, m/s: the larger of a bound on the basin velocity, which its peak may stay below
    /// ([`crate::BasinMotion::peak_velocity`]), and the fastest block at time zero. Of a record both count from the velocity
    /// with which it begins.
    #[must_use]
    pub fn velocity_scale(&self) -> f64 {
        self.velocity_scale
    }

    /// Keeps a list of all events from now on; take it with [`Assembly::take_events`].
    pub fn record_events(&mut self) {
        self.log.get_or_insert_default();
    }

    /// The events recorded since the last call.
    pub fn take_events(&mut self) -> Vec<Event> {
        self.log.as_mut().map(std::mem::take).unwrap_or_default()
    }

    /// Counts of events so far.
    #[must_use]
    pub fn counts(&self) -> Counts {
        self.ledger.counts
    }

    /// Impact counts and impulses of all interfaces: the left wall, then between blocks, then the right wall.
    #[must_use]
    pub fn interfaces(&self) -> Vec<InterfaceRecord> {
        self.ledger.interfaces()
    }

    /// The impact with the largest energy of approach so far.
    #[must_use]
    pub fn largest_impact(&self) -> LargestImpact {
        self.ledger.largest
    }

    /// Begins the search for the largest impact anew.
    pub fn forget_largest_impact(&mut self) {
        self.ledger.largest = LargestImpact::default();
    }

    /// Open contacts met at 1e-12 of the velocity scale or less (the first ten thousand of them).
    #[must_use]
    pub fn grazings(&self) -> &[Grazing] {
        &self.ledger.grazing
    }

    /// First time, s, at which two impacts of one chain fell within 1e-13 of the period. They are settled as one; had one
    /// come first, the motion would go on differently, and double precision does not know which.
    #[must_use]
    pub fn first_coincidence(&self) -> Option<f64> {
        self.ledger.coincidence
    }

    /// Worst momentum residual of an impact, relative to the momenta and impulses in it.
    #[must_use]
    pub fn worst_momentum_residual(&self) -> f64 {
        self.ledger.worst_momentum
    }

    /// Largest overlap of two bodies, or of one and a wall, at any impact so far, before what touches is brought to one
    /// place, m.
    #[must_use]
    pub fn worst_overlap(&self) -> f64 {
        self.ledger.worst_overlap
    }

    /// Largest overlap of two bodies, or of one and a wall, at the time reached, m: from coordinates in two parts, so it
    /// shows where those of [`Assembly::state`] round to one number.
    #[must_use]
    pub fn overlap(&self) -> f64 {
        let mut worst = 0.0_f64;
        let mut left: Option<Cluster> = None;
        for c in self.heads() {
            let body = self.reached(&self.clusters[c]);
            let gap = match &left {
                Some(left) => left.gap_to(&body),
                None => body.y + body.dy,
            };
            worst = worst.max(-gap);
            left = Some(body);
        }
        let behind = left.map_or(0.0, |last| (self.free - last.y) - last.dy);
        worst.max(-behind)
    }

    /// A cluster at the time reached; one whose last event counts as before it, though rounding has it later, as that event
    /// left it.
    fn reached(&self, c: &Cluster) -> Cluster {
        let t = self.now.max(c.t);
        let (y, dy) = self.placed_at(c, t);
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
        self.heads().map(|c| (c, self.clusters[c].last)).collect()
    }

    /// Position (m) and velocity (m/s) of the basin at the time reached.
    #[must_use]
    pub fn basin_state(&self) -> Kinematics {
        self.motion.in_laboratory(self.now)
    }

    /// State of all blocks at the time reached. Reading it does not disturb the run.
    #[must_use]
    pub fn state(&self) -> Vec<BlockState> {
        let (k, basin) = (self.motion.at(self.now), self.basin_state());
        let mut in_front = 0.0;
        let mut all = Vec::with_capacity(self.blocks.len());
        for c in self.heads() {
            let cluster = self.reached(&self.clusters[c]);
            let (y, w) = match cluster.mode {
                Mode::Rest => (cluster.y + cluster.dy, 0.0),
                Mode::Slide => (cluster.y + cluster.dy, cluster.v - k.velocity),
            };
            for b in &self.blocks[c..=cluster.last] {
                // The place of the basin comes last: edges that touch in the basin round to the same number however far it is.
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
        let (k, frame) = (self.motion.at(self.now), self.motion.velocity());
        let (mut drive, mut friction, mut kinetic) =
            (self.ledger.drive, self.ledger.friction, Sum::default());
        let mut turnover = self.ledger.turnover;
        for c in self.heads() {
            let cluster = &self.clusters[c];
            let (way, v) = match cluster.mode {
                Mode::Rest => (Fine::default(), Fine::new(k.velocity)),
                Mode::Slide => cluster.way_to(self.now),
            };
            let (path, v) = (cluster.path + way.value(), v.value());
            let (work, heat) = segment(cluster, path, &k, frame, self.now);
            drive.add(work);
            friction.add(heat);
            turnover += work.abs() + heat.abs();
            kinetic.add(0.5 * cluster.mass * (v + frame) * (v + frame));
        }
        let kinetic = kinetic.value();
        EnergyBalance {
            initial: self.ledger.initial,
            kinetic,
            drive: drive.value(),
            impacts: self.ledger.impacts.value(),
            friction: friction.value(),
            turnover: turnover + kinetic,
        }
    }
}

/// Work of the basin on a cluster and heat of friction since its mark.
///
/// Sliding: the friction force −m f does −m f ΔX on the basin side, and the heat is m f (path − ΔX). At rest the basin
/// (floor and walls together) does all the work there is, m (V² − V0²)/2. The work is that in the laboratory, in which the
/// frame moves with the velocity `frame`.
pub(crate) fn segment(c: &Cluster, path: f64, k: &Kinematics, frame: f64, t: f64) -> (f64, f64) {
    match c.mode {
        Mode::Rest => {
            let v0 = c.mark_x;
            let sum = k.velocity + v0 + 2.0 * frame;
            (0.5 * c.mass * (k.velocity - v0) * sum, 0.0)
        }
        Mode::Slide => {
            let dx = k.position - c.mark_x;
            let carried = dx + frame * (t - c.mark_t);
            (-c.mass * c.f * carried, c.mass * c.f * (path - dx))
        }
    }
}
