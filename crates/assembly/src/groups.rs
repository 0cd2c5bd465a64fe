//! How clusters form and part: who stays with whom after an impact, a stop or a release.
//!
//! Touching blocks with one velocity follow Gauss' principle: their accelerations are the weighted isotonic regression
//! of the free ones, cut off by the walls (a block at rest counts with the soft threshold of the floor). A pool of the
//! regression is a cluster; between pools the contact opens at once, exactly where its force would pull.

use crate::assembly::Assembly;
use crate::cluster::{Cluster, Mode};
use crate::event::Event;
use crate::fine::Fine;
use crate::isotonic::{self, Pool};
use crate::reading::segment;

/// Where and how fast a group of touching blocks is.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Placement {
    pub(crate) time: f64,
    /// Coordinate in the basin.
    pub(crate) y: f64,
    /// Small offset to `y`.
    pub(crate) dy: f64,
    /// Coordinate in the frame.
    pub(crate) u: Fine,
    /// Velocity in the frame.
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
                    let (way, v) = cluster.way_to(t);
                    cluster.u += way;
                    (cluster.path, cluster.v) = (cluster.path + way.value(), v.value());
                    cluster.t = t;
                    (cluster.y, cluster.dy) = (f64::NAN, 0.0);
                }
            }
            Mode::Rest => {
                let (k, basin) = (self.kin(t), self.motion.place(t));
                let cluster = &mut self.clusters[c];
                cluster.u = Fine::sum(cluster.y, cluster.dy) + basin;
                cluster.v = k.velocity;
                cluster.t = t;
            }
        }
    }

    /// As [`Assembly::bring`], with the coordinate in the basin.
    pub(crate) fn bring_placed(&mut self, c: usize, t: f64) {
        let (y, dy) = self.placed_at(&self.clusters[c], t);
        self.bring(c, t);
        (self.clusters[c].y, self.clusters[c].dy) = (y, dy);
    }

    /// Books work and heat of a cluster up to its clock, which stands at `t`.
    pub(crate) fn close_segment(&mut self, c: usize, t: f64) {
        let k = self.kin(t);
        let cluster = self.clusters[c];
        let (work, heat) = segment(&cluster, cluster.path, &k, self.motion.velocity(), t);
        self.ledger.add_drive(work);
        self.ledger.add_friction(heat);
    }

    /// Books the step from velocity `v`, within the cut-off of that of the basin, to it: small, yet a part in 1e11 of the
    /// turnover for each of many.
    fn book_hold(&mut self, first: usize, last: usize, v: f64, t: f64) {
        let basin = self.kin(t).velocity;
        let mass = self.mass_of(first, last);
        let carried = basin + self.motion.velocity();
        self.ledger.add_drive(mass * carried * (basin - v));
        self.ledger
            .add_friction(0.5 * mass * (basin - v) * (basin - v));
    }

    fn mass_of(&self, first: usize, last: usize) -> f64 {
        self.blocks[first..=last].iter().map(|b| b.mass).sum()
    }

    /// Friction over mass of one block, m/s².
    fn grip_of(&self, block: usize) -> f64 {
        self.blocks[block].friction * self.basin.gravity
    }

    /// Basin accelerations that make the first pool of a resting group slide: to the right and to the left.
    pub(crate) fn thresholds(&self, first: usize, last: usize) -> (f64, f64) {
        if self.even_grip {
            let grip = self.grip_of(first);
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
            self.book_hold(first, last, at.v, at.time);
            self.place_at_rest(first, last, (at.y, at.dy), at.time);
        } else {
            self.place_sliding(first, last, at, if w > 0.0 { 1.0 } else { -1.0 });
        }
    }

    /// A group without relative velocity: it stays, or slides off where the pull exceeds the floor and no wall holds it.
    pub(crate) fn place_at_rest(
        &mut self,
        first: usize,
        last: usize,
        (y, dy): (f64, f64),
        time: f64,
    ) {
        let k = self.kin(time);
        let pull = -k.acceleration;
        let at = Placement {
            time,
            y,
            dy,
            u: Fine::sum(y, dy) + self.motion.place(time),
            v: k.velocity,
        };
        let held_left = first == 0 && y == 0.0 && dy == 0.0;
        let held_right = last + 1 == self.blocks.len() && y == self.free && dy == 0.0;
        let side = if pull > 0.0 { 1.0 } else { -1.0 };
        if (side > 0.0 && held_right) || (side < 0.0 && held_left) {
            self.set_cluster(first, last, at, None);
            return;
        }
        if self.even_grip {
            let grip = self.grip_of(first);
            self.set_cluster(first, last, at, (pull.abs() > grip).then_some((side, grip)));
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
                self.set_cluster(a, z, at, Some((side, pool.value.abs())));
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
            self.set_cluster(first, last, at, Some((side, self.grip_of(first))));
            return;
        }
        let mut b = first;
        for pool in self.pools(first, last, side) {
            self.set_cluster(b, b + pool.count - 1, at, Some((side, pool.value.abs())));
            b += pool.count;
        }
    }

    /// Writes one cluster: at rest (`None`), or sliding to the given side with the given friction over mass. The number
    /// that decided the slide is the one that brakes it: recomputed, it could differ by rounding and stop it at once.
    fn set_cluster(&mut self, first: usize, last: usize, at: Placement, slide: Option<(f64, f64)>) {
        let k = self.kin(at.time);
        let (mode, f, grip, mark_x) = match slide {
            None => (Mode::Rest, 0.0, 0.0, k.velocity),
            Some((side, grip)) => (Mode::Slide, side * grip, grip, k.position),
        };
        self.clusters[first] = Cluster {
            last,
            mode,
            mass: self.mass_of(first, last),
            grip,
            t: at.time,
            u: at.u,
            v: at.v,
            f,
            y: at.y,
            dy: at.dy,
            path: 0.0,
            mark_x,
            mark_t: at.time,
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
        self.bring_placed(c, t);
        self.close_segment(c, t);
        let Cluster { last, v, y, dy, .. } = self.clusters[c];
        self.book_hold(c, last, v, t);
        self.ledger.counts.stops += 1;
        if self.log.is_some() {
            let time = self.epoch_start() + t;
            self.note(Event::Stop {
                time,
                blocks: (c, last),
            });
        }
        self.place_at_rest(c, last, (y, dy), t);
        self.predict_range(c, last);
    }

    /// The pull on a resting cluster has reached its threshold.
    pub(crate) fn release_event(&mut self, c: usize, t: f64) {
        self.bring(c, t);
        self.close_segment(c, t);
        let Cluster { last, y, dy, .. } = self.clusters[c];
        self.place_at_rest(c, last, (y, dy), t);
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
