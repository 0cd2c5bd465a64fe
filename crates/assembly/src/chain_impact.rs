//! Impacts of chains: all bodies that touch at one instant, walls included.

use crate::assembly::Assembly;
use crate::chain::{Chain, ImpactRule};
use crate::cluster::{Cluster, Mode};
use crate::event::Collision;
use crate::fine::Fine;
use crate::groups::Placement;
use crate::predict::Due;

/// Grazing: an open contact met no faster than this part of the velocity scale. A tangent touch is found at the root of
/// its derivative, where nothing but rounding of the speed is left.
const GRAZING: f64 = 1e-12;

/// Impacts slower than this part of the velocity scale are the tail of a bounce: their order does not matter.
const MATTERS: f64 = 1e-9;

impl Assembly {
    pub(crate) fn speed_at(&mut self, c: &Cluster, t: f64) -> f64 {
        match c.mode {
            Mode::Rest => self.kin(t).velocity,
            Mode::Slide => c.slide_to(t).1.value(),
        }
    }

    /// Whether the contact in front of block `j` takes part in an impact at `t`: it is due now, or it is closed.
    pub(crate) fn closed(&mut self, j: usize, t: f64) -> bool {
        let n = self.blocks.len();
        let left = (j > 0).then(|| self.clusters[self.head[j - 1]]);
        let right = (j < n).then(|| self.clusters[j]);
        let resting = |c: &Cluster| c.mode == Mode::Rest;
        // Bodies that parted at this very instant count as touching: rounding may have them close again, and settling
        // them two by two would go on for ever.
        let here = |c: &Cluster| c.mode == Mode::Rest || c.t == t;
        let touching = match (left, right) {
            (Some(l), Some(r)) => {
                let drift = self.speed_at(&r, t) - self.speed_at(&l, t);
                let same = l.y == r.y && l.dy == r.dy;
                here(&l) && here(&r) && same && drift.abs() <= self.cutoff
            }
            (None, Some(r)) => resting(&r) && r.lies_at(0.0),
            (Some(l), None) => resting(&l) && l.lies_at(self.free),
            (None, None) => false,
        };
        let soon = t + self.simultaneous();
        while self.due[j] != Due::Event && self.queue.time(j) <= soon {
            self.refine(j);
        }
        let due = self.queue.time(j) <= soon;
        if due && !touching {
            let speed = |side: &Option<Cluster>, all: &mut Self| match side {
                Some(c) => all.speed_at(c, t),
                None => all.kin(t).velocity,
            };
            let closing = speed(&left, self) - speed(&right, self);
            if closing > MATTERS * self.velocity_scale {
                let time = self.epoch_start() + t;
                self.ledger.coincidence.get_or_insert(time);
            }
        }
        touching || due
    }

    /// An impact of all bodies that are in contact at this instant.
    pub(crate) fn chain_event(&mut self, i: usize, t: f64) {
        let n = self.blocks.len();
        let (mut lo, mut hi) = (i, i);
        while lo > 0 {
            lo = self.head[lo - 1];
            if !self.closed(lo, t) {
                break;
            }
            if lo == 0 {
                break;
            }
        }
        let left_wall = lo == 0 && (i == 0 || self.closed(0, t));
        while hi < n {
            hi = self.clusters[hi].last + 1;
            if !self.closed(hi, t) {
                break;
            }
        }
        let right_wall = hi == n && (i == n || self.closed(n, t));
        self.chain_impact(lo, hi - 1, (left_wall, right_wall), i, t);
    }

    /// Resolves the chain of blocks `first..=last`, all at one place.
    pub(crate) fn chain_impact(
        &mut self,
        first: usize,
        last: usize,
        walls: (bool, bool),
        origin: usize,
        t: f64,
    ) {
        let mut heads = std::mem::take(&mut self.work);
        heads.clear();
        let mut c = first;
        while c <= last {
            self.bring_placed(c, t);
            self.close_segment(c, t);
            heads.push(c);
            c = self.clusters[c].last + 1;
        }
        let at = self.common_place(&heads, walls);
        let mut chain = std::mem::take(&mut self.chain);
        self.fill_chain(&mut chain, &heads, walls);
        let origin_body = if self.rule == ImpactRule::Complementarity {
            heads.partition_point(|&h| h < origin)
        } else {
            origin - first
        };
        let approach = -chain.opening(origin_body);
        let endless = self.bounces[origin].is_endless();
        if endless {
            chain.restitution[origin_body] = 0.0;
            self.bounces[origin].end();
        }
        let before: f64 = chain
            .mass
            .iter()
            .zip(&chain.velocity)
            .map(|(m, v)| m * v)
            .sum();
        let size: f64 = chain
            .mass
            .iter()
            .zip(&chain.velocity)
            .map(|(m, v)| (m * v).abs())
            .sum();
        let mut scratch = std::mem::take(&mut self.scratch);
        chain.resolve(self.rule, &mut scratch);
        self.scratch = scratch;
        chain.cut_off |= endless;
        let grazing = self.audit_approach(approach, chain.opening(origin_body), origin, t);
        self.book_chain(&chain, &heads, walls, (before, size));
        let energy = approach_energy(&chain, origin_body, approach);
        let impact = Collision {
            time: t,
            interface: origin,
            blocks: (first, last),
            approach,
            impulse: chain.impulse[origin_body],
            dissipated: chain.dissipated.value(),
            grazing,
        };
        self.note_impact(impact, energy);
        self.regroup(
            &chain,
            &heads,
            Placement {
                time: t,
                y: at.0,
                dy: at.1,
                u: Fine::sum(at.0, at.1) + self.motion.place(t),
                v: 0.0,
            },
        );
        self.chain = chain;
        self.work = heads;
        self.predict_range(first, last);
    }

    /// Counts an impact and what becomes of its contact; whether it is a grazing one.
    fn audit_approach(&mut self, approach: f64, after: f64, origin: usize, t: f64) -> bool {
        self.ledger.counts.impacts += 1;
        if approach > 0.0 && after <= self.cutoff {
            self.ledger.counts.joins += 1;
        }
        let open = self.bounces[origin].meet(t, self.scale_time);
        let grazing = open && approach.abs() <= GRAZING * self.velocity_scale;
        if grazing {
            let time = self.epoch_start() + t;
            self.ledger.note_grazing(time, origin, approach);
        }
        grazing
    }

    /// The one coordinate of a chain: that of a wall or of a resting body in it, else the mean.
    fn common_place(&mut self, heads: &[usize], walls: (bool, bool)) -> (f64, f64) {
        let Some((first, last)) = heads.first().zip(heads.last()) else {
            return (0.0, 0.0);
        };
        let (first, last) = (self.clusters[*first], self.clusters[*last]);
        let mut resting = None;
        let (mut left, mut sum) = (first, 0.0);
        for &h in heads {
            let c = self.clusters[h];
            if c.mode == Mode::Rest {
                resting = resting.or(Some((c.y, c.dy)));
            }
            self.ledger.note_gap(left.gap_to(&c));
            sum += (c.y - first.y) + (c.dy - first.dy);
            left = c;
        }
        // Either wall, whether or not it takes part.
        self.ledger.note_gap(first.y + first.dy);
        self.ledger.note_gap((self.free - last.y) - last.dy);
        match (walls, resting) {
            ((true, _), _) => (0.0, 0.0),
            ((_, true), _) => (self.free, 0.0),
            (_, Some(place)) => place,
            _ => (first.y, first.dy + sum / heads.len() as f64),
        }
    }

    /// Bodies of the chain: clusters under the complementarity rule, which keeps them rigid, single blocks otherwise.
    pub(crate) fn fill_chain(&mut self, chain: &mut Chain, heads: &[usize], walls: (bool, bool)) {
        chain.clear();
        (chain.left_wall, chain.right_wall) = walls;
        chain.cutoff = self.cutoff;
        let e = self.basin.restitution;
        for (k, &h) in heads.iter().enumerate() {
            let c = self.clusters[h];
            if k == 0 {
                chain.wall_velocity = self.kin(c.t).velocity;
                chain
                    .restitution
                    .push(if h == 0 { e.wall } else { e.block });
            }
            if self.rule == ImpactRule::Complementarity {
                chain.mass.push(c.mass);
                chain.velocity.push(c.v);
                chain.restitution.push(e.block);
            } else {
                for b in &self.blocks[h..=c.last] {
                    chain.mass.push(b.mass);
                    chain.velocity.push(c.v);
                    chain.restitution.push(e.block);
                }
            }
        }
        if walls.1
            && let Some(behind) = chain.restitution.last_mut()
        {
            *behind = e.wall;
        }
    }

    /// Energy, momentum, counts and impulses of a resolved chain.
    pub(crate) fn book_chain(
        &mut self,
        chain: &Chain,
        heads: &[usize],
        walls: (bool, bool),
        (before, size): (f64, f64),
    ) {
        let Some((&first, &last_head)) = heads.first().zip(heads.last()) else {
            return;
        };
        let end = self.clusters[last_head].last + 1;
        self.ledger.add_impact(chain.dissipated.value());
        self.ledger.counts.wall_impacts += u64::from(
            (walls.0 && chain.impulse.first().is_some_and(|p| *p > 0.0))
                || (walls.1 && chain.impulse.last().is_some_and(|p| *p > 0.0)),
        );
        self.ledger.counts.cut_off += u64::from(chain.cut_off);
        let after: f64 = chain
            .mass
            .iter()
            .zip(&chain.velocity)
            .map(|(m, v)| m * v)
            .sum();
        let from_walls = chain.impulse.first().copied().unwrap_or(0.0)
            - chain.impulse.last().copied().unwrap_or(0.0);
        // Between two walls the row is carried, and who gave what is not told.
        let given = if walls.0 && walls.1 {
            after - before
        } else {
            from_walls
        };
        self.ledger
            .add_drive(chain.wall_work.value() + self.motion.velocity() * given);
        let passed: f64 = chain.impulse.iter().sum();
        if !(walls.0 && walls.1) {
            self.ledger
                .note_momentum((after - before - from_walls).abs(), size + passed);
        }
        if self.rule != ImpactRule::Complementarity {
            for (j, (count, p)) in chain.impacts.iter().zip(&chain.impulse).enumerate() {
                self.ledger.note_pair(first + j, *count, *p);
            }
            return;
        }
        for (k, &h) in heads.iter().enumerate() {
            self.ledger.note_pair(h, chain.impacts[k], chain.impulse[k]);
            let (c, p, q) = (self.clusters[h], chain.impulse[k], chain.impulse[k + 1]);
            if p > 0.0 || q > 0.0 {
                self.ledger.note_inner(h, c.last, p, (p - q) / c.mass);
            }
        }
        self.ledger
            .note_pair(end, chain.impacts[heads.len()], chain.impulse[heads.len()]);
    }
}

/// Kinetic energy of approach ½ m_red u² at the contact where a chain impact began.
fn approach_energy(chain: &Chain, j: usize, approach: f64) -> f64 {
    let mobility = j
        .checked_sub(1)
        .and_then(|b| chain.mass.get(b))
        .map_or(0.0, |m| 1.0 / m)
        + chain.mass.get(j).map_or(0.0, |m| 1.0 / m);
    if mobility > 0.0 {
        0.5 * approach * approach / mobility
    } else {
        0.0
    }
}
