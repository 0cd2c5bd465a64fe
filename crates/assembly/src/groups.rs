//! How clusters form and part: who stays with whom after an impact, a stop or a release.
//!
//! Touching blocks with one velocity follow Gauss' principle: their accelerations are the weighted isotonic regression
//! of the free ones, cut off by the walls (a block at rest counts with the soft threshold of the floor). A pool of the
//! regression is a cluster; between pools the contact opens at once, exactly where its force would pull.

use crate::assembly::{Assembly, segment};
use crate::cluster::{Cluster, Mode};
use crate::event::Event;
use crate::isotonic::{self, Pool};

/// Where and how fast a group of touching blocks is.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Placement {
    pub(crate) time: f64,
    /// Coordinate in the basin, NaN where only `u` is known.
    pub(crate) y: f64,
    /// Laboratory coordinate.
    pub(crate) u: f64,
    /// Laboratory velocity.
    pub(crate) v: f64,
}

impl Assembly {
    /// Brings a cluster to time `t`.
    #[inline]
    pub(crate) fn bring(&mut self, c: usize, t: f64) {
        match self.clusters[c].mode {
            Mode::Slide => {
                let cluster = &mut self.clusters[c];
                if cluster.t != t {
                    (cluster.u, cluster.v) = cluster.slide_to(t);
                    cluster.t = t;
                    cluster.y = f64::NAN;
                }
            }
            Mode::Rest => {
                let k = self.kin(t);
                let cluster = &mut self.clusters[c];
                cluster.u = cluster.y + k.position;
                cluster.v = k.velocity;
                cluster.t = t;
            }
        }
    }

    /// Books work and heat of a cluster up to its clock, which stands at `t`.
    pub(crate) fn close_segment(&mut self, c: usize, t: f64) {
        let k = self.kin(t);
        let cluster = self.clusters[c];
        let (work, heat) = segment(&cluster, cluster.u, &k);
        self.ledger.add_drive(work);
        self.ledger.add_friction(heat);
    }

    /// Books the step from velocity `v`, within the cut-off of that of the basin, to it: small, yet a part in 1e11 of the
    /// turnover for each of many.
    fn book_hold(&mut self, first: usize, last: usize, v: f64, t: f64) {
        let basin = self.kin(t).velocity;
        let mass = self.pool_of(first, last).0;
        self.ledger.add_drive(mass * basin * (basin - v));
        self.ledger
            .add_friction(0.5 * mass * (basin - v) * (basin - v));
    }

    /// Mean friction over mass of the blocks `first..=last`, and their mass.
    fn pool_of(&self, first: usize, last: usize) -> (f64, f64) {
        let (mut mass, mut force) = (0.0, 0.0);
        for b in &self.blocks[first..=last] {
            mass += b.mass;
            force += b.mass * b.friction;
        }
        let friction = if self.even_grip {
            self.blocks[first].friction
        } else {
            force / mass
        };
        (mass, friction * self.basin.gravity)
    }

    /// Basin accelerations that make the first pool of a resting group slide: to the right and to the left.
    pub(crate) fn thresholds(&self, first: usize, last: usize) -> (f64, f64) {
        if self.even_grip {
            let grip = self.blocks[first].friction * self.basin.gravity;
            return (grip, grip);
        }
        let lowest = |pools: Vec<Pool>| {
            pools
                .iter()
                .map(|p| p.value.abs())
                .fold(f64::INFINITY, f64::min)
        };
        (
            lowest(self.pools(first, last, 1.0)),
            lowest(self.pools(first, last, -1.0)),
        )
    }

    /// Pools of the blocks `first..=last` when each is held back by its own floor friction while moving `side`-wards.
    fn pools(&self, first: usize, last: usize, side: f64) -> Vec<Pool> {
        let mut pools = Vec::new();
        for b in &self.blocks[first..=last] {
            isotonic::push(&mut pools, b.mass, -side * b.friction * self.basin.gravity);
        }
        pools
    }

    /// Makes the blocks `first..=last`, which touch and move as one, into clusters. Their old clusters are closed and
    /// their queue slots empty; predictions are the caller's.
    pub(crate) fn place(&mut self, first: usize, last: usize, at: Placement) {
        let k = self.kin(at.time);
        let w = at.v - k.velocity;
        if w.abs() <= self.cutoff {
            let y = if at.y.is_nan() {
                at.u - k.position
            } else {
                at.y
            };
            self.book_hold(first, last, at.v, at.time);
            self.place_at_rest(first, last, y, at.time);
        } else {
            self.place_sliding(first, last, at, if w > 0.0 { 1.0 } else { -1.0 });
        }
    }

    /// A group without relative velocity: it stays, or slides off where the pull exceeds the floor and no wall holds it.
    pub(crate) fn place_at_rest(&mut self, first: usize, last: usize, y: f64, time: f64) {
        let k = self.kin(time);
        let pull = -k.acceleration;
        let at = Placement {
            time,
            y,
            u: y + k.position,
            v: k.velocity,
        };
        let held_left = first == 0 && y == 0.0;
        let held_right = last + 1 == self.blocks.len() && y == self.free;
        let side = if pull > 0.0 { 1.0 } else { -1.0 };
        if (side > 0.0 && held_right) || (side < 0.0 && held_left) {
            self.set_cluster(first, last, at, None);
            return;
        }
        if self.even_grip {
            let moves = pull.abs() > self.blocks[first].friction * self.basin.gravity;
            self.set_cluster(first, last, at, moves.then_some(side));
            return;
        }
        // Sliding pools lie on the side to which the pull points; what does not slide stays one resting group.
        let pools = self.pools(first, last, side);
        let mut rest: Option<(usize, usize)> = None;
        let mut b = first;
        for pool in pools {
            let (a, z) = (b, b + pool.count - 1);
            b = z + 1;
            if pull.abs() > pool.value.abs() {
                if let Some((ra, rz)) = rest.take() {
                    self.set_cluster(ra, rz, at, None);
                }
                self.set_cluster(a, z, at, Some(side));
            } else {
                rest = Some((rest.map_or(a, |r| r.0), z));
            }
        }
        if let Some((ra, rz)) = rest {
            self.set_cluster(ra, rz, at, None);
        }
    }

    fn place_sliding(&mut self, first: usize, last: usize, at: Placement, side: f64) {
        if self.even_grip || first == last {
            self.set_cluster(first, last, at, Some(side));
            return;
        }
        let mut b = first;
        for pool in self.pools(first, last, side) {
            self.set_cluster(b, b + pool.count - 1, at, Some(side));
            b += pool.count;
        }
    }

    /// Writes one cluster: at rest (`None`), or sliding to the given side.
    fn set_cluster(&mut self, first: usize, last: usize, at: Placement, side: Option<f64>) {
        let k = self.kin(at.time);
        let (mass, grip) = self.pool_of(first, last);
        let (mode, f, mark_x) = match side {
            None => (Mode::Rest, 0.0, k.velocity),
            Some(side) => (Mode::Slide, side * grip, k.position),
        };
        self.clusters[first] = Cluster {
            last,
            mode,
            mass,
            grip,
            t: at.time,
            u: at.u,
            v: at.v,
            f,
            y: at.y,
            mark_u: at.u,
            mark_x,
        };
        self.head[last] = first;
    }

    /// The cluster `c` was at rest before and slides now: an event of its own.
    pub(crate) fn note_slip(&mut self, c: usize) {
        self.ledger.counts.slips += 1;
        if self.log.is_some() {
            let cluster = self.clusters[c];
            let time = self.epoch_start() + cluster.t;
            let direction = if -self.kin(cluster.t).acceleration > 0.0 {
                1
            } else {
                -1
            };
            self.note(Event::Slip {
                time,
                blocks: (c, cluster.last),
                direction,
            });
        }
    }

    pub(crate) fn note(&mut self, event: Event) {
        if let Some(log) = &mut self.log {
            log.push(event);
        }
    }

    /// A cluster has lost its relative velocity.
    pub(crate) fn stop_event(&mut self, c: usize, t: f64) {
        self.bring(c, t);
        self.close_segment(c, t);
        let k = self.kin(t);
        let Cluster { last, u, v, .. } = self.clusters[c];
        let y = u - k.position;
        self.book_hold(c, last, v, t);
        self.ledger.counts.stops += 1;
        if self.log.is_some() {
            let time = self.epoch_start() + t;
            self.note(Event::Stop {
                time,
                blocks: (c, last),
            });
        }
        self.place_at_rest(c, last, y, t);
        self.predict_range(c, last);
    }

    /// The pull on a resting cluster has reached its threshold.
    pub(crate) fn release_event(&mut self, c: usize, t: f64) {
        self.bring(c, t);
        self.close_segment(c, t);
        let (last, y) = (self.clusters[c].last, self.clusters[c].y);
        self.place_at_rest(c, last, y, t);
        let mut h = c;
        let mut moved = false;
        while h <= last {
            if self.clusters[h].mode == Mode::Slide {
                moved = true;
                self.note_slip(h);
            }
            h = self.clusters[h].last + 1;
        }
        self.predict_range(c, last);
        if !moved {
            // The threshold was touched, not passed: look again a little later.
            let slot = self.blocks.len() + 1 + c;
            self.put(slot, (t + 1e-7 * self.scale_time, false));
        }
    }

    /// Predictions of all clusters and contacts of the blocks `first..=last`, both outer contacts included.
    pub(crate) fn predict_range(&mut self, first: usize, last: usize) {
        let mut c = first;
        while c <= last {
            self.predict_contact(c);
            self.predict_cluster(c);
            c = self.clusters[c].last + 1;
        }
        self.predict_contact(last + 1);
    }
}
