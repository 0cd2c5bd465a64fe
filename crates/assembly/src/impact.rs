//! Impacts: the pair that most of them are, and chains of touching bodies.

use crate::assembly::Assembly;
use crate::chain::ImpactRule;
use crate::cluster::{Cluster, Mode};
use crate::event::{Collision, Event};
use crate::fine::Fine;
use crate::predict::Due;

impl Assembly {
    /// Runs all events up to the local time `until`.
    pub(crate) fn run_to(&mut self, mut until: f64) {
        loop {
            let (slot, time) = self.queue.first();
            if time > until {
                break;
            }
            if time > self.frame_end && slot <= 2 * self.blocks.len() {
                let begin = self.now.max(time);
                self.next_frame(begin);
                until -= begin;
                continue;
            }
            if self.due[slot] == Due::Event {
                self.now = self.now.max(time);
                until -= self.handle(slot, self.now);
            } else {
                self.refine(slot);
            }
        }
        self.now = self.now.max(until);
    }

    /// Lets the event of a slot happen; returns how far the clock was set back by it.
    pub(crate) fn handle(&mut self, slot: usize, t: f64) -> f64 {
        let n = self.blocks.len();
        if slot <= n {
            self.contact_event(slot, t);
        } else if slot == 2 * n + 1 {
            return self.jump_event(t);
        } else {
            let c = slot - n - 1;
            match self.clusters[c].mode {
                Mode::Slide => self.stop_event(c, t),
                Mode::Rest => self.release_event(c, t),
            }
        }
        0.0
    }

    pub(crate) fn contact_event(&mut self, i: usize, t: f64) {
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
    pub(crate) fn alone(&self, left_contact: usize, right_contact: usize, t: f64) -> bool {
        let soon = t + self.simultaneous();
        self.queue.time(left_contact) > soon && self.queue.time(right_contact) > soon
    }

    /// Two sliding bodies collide; false (and nothing changed but their clocks) when it is no plain impact.
    pub(crate) fn pair_impact(&mut self, l: usize, r: usize, t: f64) -> bool {
        self.bring(l, t);
        self.bring(r, t);
        let (a, b) = (self.clusters[l], self.clusters[r]);
        let u = b.v - a.v;
        let e = self.basin.restitution.block;
        // Bodies that do not part stay together, which is for the chains to settle.
        if e * -u <= self.cutoff || self.bounces[r].is_endless() {
            return false;
        }
        let reduced = a.mass * b.mass / (a.mass + b.mass);
        let p = -(1.0 + e) * u * reduced;
        let (va, vb) = (a.v - p / a.mass, b.v + p / b.mass);
        // A body whose slip nearly vanishes is settled with the chains.
        let Some((side_a, side_b)) = self.side(&a, va, t).zip(self.side(&b, vb, t)) else {
            return false;
        };
        let gap = b.u - a.u;
        self.ledger.note_gap(gap.value());
        let place = a.u + gap.half();
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
        let period = self.scale_time;
        self.bounces[r].meet(t, period);
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
                grazing: false,
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
    pub(crate) fn side(&mut self, c: &Cluster, v: f64, t: f64) -> Option<f64> {
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
    pub(crate) fn turn(&mut self, c: usize, side: f64, place: Fine, v: f64, t: f64) {
        let f = side * self.clusters[c].grip;
        if f != self.clusters[c].f {
            self.close_segment(c, t);
            let x = self.kin(t).position;
            let cluster = &mut self.clusters[c];
            (cluster.f, cluster.path) = (f, 0.0);
            (cluster.mark_x, cluster.mark_t) = (x, t);
        }
        let cluster = &mut self.clusters[c];
        (cluster.u, cluster.v) = (place, v);
        (cluster.y, cluster.dy) = (f64::NAN, 0.0);
    }

    /// Enters an impact, whose time is still the local one, into the list of events and of the strongest.
    pub(crate) fn note_impact(&mut self, mut impact: Collision, approach_energy: f64) {
        impact.time += self.epoch_start();
        self.ledger.note_largest(&impact, approach_energy);
        self.note(Event::Impact(impact));
    }
}
