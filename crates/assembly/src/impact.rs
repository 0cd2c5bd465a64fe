//! Impacts: the pair that most of them are, and chains of touching bodies.

use crate::assembly::Assembly;
use crate::chain::{Chain, ImpactRule};
use crate::cluster::{Cluster, Mode};
use crate::event::{Collision, Event};
use crate::groups::Placement;

/// Grazing: relative speeds below this part of the velocity scale.
const GRAZING: f64 = 1e-12;

impl Assembly {
    /// Runs all events up to the local time `until`.
    pub(crate) fn run_to(&mut self, until: f64) {
        while let Some((slot, time)) = self.queue.first() {
            if time > until {
                break;
            }
            if self.exact[slot] {
                self.now = self.now.max(time);
                self.handle(slot, self.now);
            } else {
                self.refine(slot);
            }
        }
        self.now = self.now.max(until);
    }

    fn handle(&mut self, slot: usize, t: f64) {
        let n = self.blocks.len();
        if slot <= n {
            self.contact_event(slot, t);
        } else if slot == 2 * n + 1 {
            self.jump_event(t);
        } else {
            let c = slot - n - 1;
            match self.clusters[c].mode {
                Mode::Slide => self.stop_event(c, t),
                Mode::Rest => self.release_event(c, t),
            }
        }
    }

    fn contact_event(&mut self, i: usize, t: f64) {
        let n = self.blocks.len();
        if i > 0 && i < n {
            let (l, r) = (self.head[i - 1], i);
            let (a, b) = (&self.clusters[l], &self.clusters[r]);
            let rigid = self.rule == ImpactRule::Complementarity || (a.last == l && b.last == r);
            if rigid
                && self.even_grip
                && a.mode == Mode::Slide
                && b.mode == Mode::Slide
                && self.alone(l, b.last + 1, t)
                && self.pair_impact(l, r, t)
            {
                return;
            }
        }
        self.chain_event(i, t);
    }

    /// No neighbouring contact is due at the same instant.
    #[inline]
    fn alone(&self, left_contact: usize, right_contact: usize, t: f64) -> bool {
        let soon = t + self.simultaneous();
        self.queue.time(left_contact) > soon && self.queue.time(right_contact) > soon
    }

    /// Two sliding bodies collide; false (and nothing changed but their clocks) when it is no plain impact.
    fn pair_impact(&mut self, l: usize, r: usize, t: f64) -> bool {
        self.bring(l, t);
        self.bring(r, t);
        let (a, b) = (self.clusters[l], self.clusters[r]);
        let u = b.v - a.v;
        if -u <= self.cutoff {
            return false;
        }
        let e = self.basin.restitution.block;
        let reduced = a.mass * b.mass / (a.mass + b.mass);
        let p = -(1.0 + e) * u * reduced;
        let (va, vb) = (a.v - p / a.mass, b.v + p / b.mass);
        // A body whose slip nearly vanishes is settled with the chains.
        let Some((side_a, side_b)) = self.side(&a, va, t).zip(self.side(&b, vb, t)) else {
            return false;
        };
        let place = 0.5 * (a.u + b.u);
        self.ledger.worst_overlap = self.ledger.worst_overlap.max(a.u - b.u);
        self.turn(l, side_a, place, va, t);
        self.turn(r, side_b, place, vb, t);
        let approach = 0.5 * reduced * u * u;
        let heat = (1.0 - e * e) * approach;
        self.ledger.add_impact(heat);
        let (before, after) = (a.mass * a.v + b.mass * b.v, a.mass * va + b.mass * vb);
        self.ledger.note_momentum(
            (after - before).abs(),
            (a.mass * a.v).abs() + (b.mass * b.v).abs() + p,
        );
        self.ledger.counts.impacts += 1;
        self.ledger.note_pair(r, 1, p);
        self.ledger.note_inner(l, a.last, 0.0, va - a.v);
        self.ledger.note_inner(r, b.last, p, vb - b.v);
        if approach > self.ledger.largest.approach_energy || self.log.is_some() {
            let impact = Collision {
                time: t,
                interface: r,
                blocks: (l, b.last),
                approach: -u,
                impulse: p,
                dissipated: heat,
            };
            self.note_impact(impact, approach);
        }
        self.predict_contact(l);
        self.predict_contact(r);
        self.predict_contact(b.last + 1);
        self.predict_cluster(l);
        self.predict_cluster(r);
        true
    }

    /// Direction of slip with velocity `v`; `None` when it nearly vanishes. Without friction there is none to know.
    #[inline]
    fn side(&mut self, c: &Cluster, v: f64, t: f64) -> Option<f64> {
        if c.grip == 0.0 {
            return Some(0.0);
        }
        if v.abs() > self.bounds.velocity + self.cutoff {
            return Some(v.signum());
        }
        let w = v - self.kin(t).velocity;
        (w.abs() > self.cutoff).then(|| w.signum())
    }

    /// New velocity of a sliding cluster, and a new account where its slip has turned.
    #[inline]
    fn turn(&mut self, c: usize, side: f64, place: f64, v: f64, t: f64) {
        let f = side * self.clusters[c].grip;
        if f != self.clusters[c].f {
            self.close_segment(c, t);
            let x = self.kin(t).position;
            let cluster = &mut self.clusters[c];
            (cluster.f, cluster.path, cluster.mark_x) = (f, 0.0, x);
        }
        let cluster = &mut self.clusters[c];
        (cluster.u, cluster.v) = (place, v);
        (cluster.y, cluster.dy) = (f64::NAN, 0.0);
    }

    /// Enters an impact, whose time is still the local one, into the list of events and of the strongest.
    fn note_impact(&mut self, mut impact: Collision, approach_energy: f64) {
        impact.time += self.epoch_start();
        self.ledger.note_largest(&impact, approach_energy);
        self.note(Event::Impact(impact));
    }

    fn speed_at(&mut self, c: &Cluster, t: f64) -> f64 {
        match c.mode {
            Mode::Rest => self.kin(t).velocity,
            Mode::Slide => c.slide_to(t).1,
        }
    }

    /// Whether the contact in front of block `j` takes part in an impact at `t`: it is due now, or it is closed.
    fn closed(&mut self, j: usize, t: f64) -> bool {
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
        while !self.exact[j] && self.queue.time(j) <= soon {
            self.refine(j);
        }
        touching || self.queue.time(j) <= soon
    }

    /// An impact of all bodies that are in contact at this instant.
    fn chain_event(&mut self, i: usize, t: f64) {
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
    fn chain_impact(
        &mut self,
        first: usize,
        last: usize,
        walls: (bool, bool),
        origin: usize,
        t: f64,
    ) {
        let k = self.kin(t);
        let mut heads = std::mem::take(&mut self.work);
        heads.clear();
        let mut c = first;
        while c <= last {
            self.bring_placed(c, t);
            self.close_segment(c, t);
            heads.push(c);
            c = self.clusters[c].last + 1;
        }
        let at = self.common_place(&heads, walls, t);
        let mut chain = std::mem::take(&mut self.chain);
        self.fill_chain(&mut chain, &heads, walls);
        let origin_body = if self.rule == ImpactRule::Complementarity {
            heads.partition_point(|&h| h < origin)
        } else {
            origin - first
        };
        let approach = -chain.opening(origin_body);
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
        self.audit_approach(approach, chain.opening(origin_body), origin, t);
        self.book_chain(&chain, &heads, walls, (before, size));
        let energy = approach_energy(&chain, origin_body, approach);
        let impact = Collision {
            time: t,
            interface: origin,
            blocks: (first, last),
            approach,
            impulse: chain.impulse[origin_body],
            dissipated: chain.dissipated,
        };
        self.note_impact(impact, energy);
        self.regroup(
            &chain,
            &heads,
            Placement {
                time: t,
                y: at.0,
                dy: at.1,
                u: at.0 + at.1 + k.position,
                v: 0.0,
            },
        );
        self.chain = chain;
        self.work = heads;
        self.predict_range(first, last);
    }

    fn audit_approach(&mut self, approach: f64, after: f64, origin: usize, t: f64) {
        self.ledger.counts.impacts += 1;
        if approach > 0.0 && after <= self.cutoff {
            self.ledger.counts.joins += 1;
        }
        if approach <= GRAZING * self.velocity_scale {
            let time = self.epoch_start() + t;
            self.ledger.note_grazing(time, origin, approach);
        }
    }

    /// The one coordinate of a chain: that of a wall or of a resting body in it, else the mean.
    fn common_place(&mut self, heads: &[usize], walls: (bool, bool), t: f64) -> (f64, f64) {
        let x = self.kin(t).position;
        let (mut low, mut high, mut sum) = (f64::INFINITY, f64::NEG_INFINITY, 0.0);
        let mut resting = None;
        let mut previous = f64::NEG_INFINITY;
        let mut overlap = self.ledger.worst_overlap;
        for &h in heads {
            let c = &self.clusters[h];
            let y = if c.y.is_nan() { c.u - x } else { c.y + c.dy };
            if c.mode == Mode::Rest {
                resting = resting.or(Some((c.y, c.dy)));
            }
            overlap = overlap.max(previous - y);
            previous = y;
            (low, high, sum) = (low.min(y), high.max(y), sum + y);
        }
        self.ledger.worst_overlap = overlap.max(-low).max(high - self.free);
        match (walls, resting) {
            ((true, _), _) => (0.0, 0.0),
            ((_, true), _) => (self.free, 0.0),
            (_, Some(place)) => place,
            _ => (sum / heads.len() as f64, 0.0),
        }
    }

    /// Bodies of the chain: clusters under the complementarity rule, which keeps them rigid, single blocks otherwise.
    fn fill_chain(&mut self, chain: &mut Chain, heads: &[usize], walls: (bool, bool)) {
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
    fn book_chain(
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
        self.ledger.add_impact(chain.dissipated);
        self.ledger.add_drive(chain.wall_work);
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

    /// Makes clusters of the bodies of a chain: neighbours that do not part stay together.
    fn regroup(&mut self, chain: &Chain, heads: &[usize], at: Placement) {
        let n = self.blocks.len();
        let Some(&first) = heads.first() else { return };
        for &h in heads {
            if h > first {
                self.put(h, (f64::INFINITY, true));
            }
            self.put(n + 1 + h, (f64::INFINITY, true));
        }
        let bodies = chain.mass.len();
        let whole = self.rule == ImpactRule::Complementarity;
        let start_of = |k: usize| if whole { heads[k] } else { first + k };
        let last_block = self.clusters[heads[heads.len() - 1]].last;
        let mut k = 0;
        while k < bodies {
            let (mut mass, mut momentum) = (chain.mass[k], chain.mass[k] * chain.velocity[k]);
            let begin = k;
            k += 1;
            while k < bodies && chain.opening(k) <= self.cutoff {
                mass += chain.mass[k];
                momentum += chain.mass[k] * chain.velocity[k];
                k += 1;
            }
            let (a, z) = (
                start_of(begin),
                if k < bodies {
                    start_of(k) - 1
                } else {
                    last_block
                },
            );
            // One value stays exactly what it is; the mean of equal ones need not.
            let even = chain.velocity[begin..k]
                .iter()
                .all(|v| *v == chain.velocity[begin]);
            let v = if even {
                chain.velocity[begin]
            } else {
                momentum / mass
            };
            if k - begin > 1 && self.log.is_some() {
                let time = self.epoch_start() + at.time;
                self.note(Event::Join {
                    time,
                    blocks: (a, z),
                });
            }
            self.place(a, z, Placement { v, ..at });
        }
    }

    /// The basin velocity jumps: laboratory velocities stay, resting bodies begin to slip, closed contacts collide.
    pub(crate) fn jump_event(&mut self, t: f64) {
        let before = self.motion.velocity_before(t);
        let mut k = self.motion.at(t);
        k.velocity = before;
        self.kept = Some((t, k));
        let heads: Vec<usize> = self.heads().collect();
        for &c in &heads {
            self.bring(c, t);
            self.close_segment(c, t);
        }
        self.motion.past_jump(t);
        self.kept = None;
        let k = self.kin(t);
        for &c in &heads {
            let cluster = &mut self.clusters[c];
            if cluster.y.is_nan() {
                (cluster.y, cluster.dy) = (cluster.u - k.position, 0.0);
            }
            cluster.mode = Mode::Slide;
            (cluster.path, cluster.mark_x, cluster.f) = (0.0, k.position, 0.0);
        }
        self.settle_all(t);
    }

    /// Finds all runs of bodies that touch, with the walls, lets them collide and predicts everything anew. All clusters
    /// are marked as sliding, with coordinate and clock set.
    pub(crate) fn settle_all(&mut self, t: f64) {
        let n = self.blocks.len();
        let mut first = 0;
        while first < n {
            let mut last = self.clusters[first].last;
            let y = self.place_of(first);
            while last + 1 < n && self.place_of(last + 1) <= y {
                last = self.clusters[last + 1].last;
            }
            let walls = (first == 0 && y <= 0.0, last + 1 == n && y >= self.free);
            self.settle_run(first, last, walls, t);
            first = last + 1;
        }
        self.predict_range(0, n - 1);
        let jump = self.motion.next_jump(t);
        self.put(2 * n + 1, (jump, true));
    }

    /// Coordinate of a cluster for which it is known.
    fn place_of(&self, c: usize) -> f64 {
        self.clusters[c].y + self.clusters[c].dy
    }

    fn settle_run(&mut self, first: usize, last: usize, walls: (bool, bool), t: f64) {
        let closing = self.first_closing(first, last, walls, t);
        if let Some(origin) = closing {
            self.chain_impact(first, last, walls, origin, t);
            return;
        }
        // Nothing closes: neighbours without relative velocity stay together.
        let x = self.kin(t).position;
        let Cluster { y, dy, .. } = self.clusters[first];
        let mut a = first;
        while a <= last {
            let mut z = self.clusters[a].last;
            let v = self.clusters[a].v;
            while z < last && self.clusters[z + 1].v - v <= self.cutoff {
                let gone = z + 1;
                z = self.clusters[gone].last;
                self.put(gone, (f64::INFINITY, true));
                self.put(self.blocks.len() + 1 + gone, (f64::INFINITY, true));
            }
            self.place(
                a,
                z,
                Placement {
                    time: t,
                    y,
                    dy,
                    u: y + dy + x,
                    v,
                },
            );
            a = z + 1;
        }
    }

    /// The lowest contact of the run that closes faster than the cut-off.
    fn first_closing(
        &mut self,
        first: usize,
        last: usize,
        walls: (bool, bool),
        t: f64,
    ) -> Option<usize> {
        let wall = self.kin(t).velocity;
        if walls.0 && wall - self.clusters[first].v > self.cutoff {
            return Some(0);
        }
        let mut c = first;
        while self.clusters[c].last < last {
            let next = self.clusters[c].last + 1;
            if self.clusters[c].v - self.clusters[next].v > self.cutoff {
                return Some(next);
            }
            c = next;
        }
        (walls.1 && self.clusters[c].v - wall > self.cutoff).then_some(last + 1)
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
