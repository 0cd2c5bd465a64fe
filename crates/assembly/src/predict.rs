//! When the next event of each contact and of each cluster can happen.
//!
//! A prediction is made from the local state of its two sides and costs O(1). Where a root needs the basin motion, a
//! cheap lower bound is queued first and solved only when it comes up: most are overtaken by another impact.

use crate::assembly::Assembly;
use crate::cluster::{Cluster, Mode};
use crate::fine::{Fine, no_later};
use crate::roots::{BLUR, parabola_falls};
use crate::slide::Obstacle;

/// A time and whether the event is there, or only cannot be earlier.
pub(crate) type Prediction = (f64, bool);

/// What the time in a slot of the queue is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Due {
    /// The event itself.
    Event,
    /// A time before which the event cannot be.
    Bound,
    /// An earlier such time, of a state that has passed; the bound of the present state is found when it comes up.
    Outdated,
}

/// Part of the drive period for which a bound is queued instead of a root: by then another impact has often come first.
const WORTH_WAITING: f64 = 0.01;

pub(crate) const NEVER: Prediction = (f64::INFINITY, true);

impl Assembly {
    /// Queues the next event of the contact in front of block `i` (the left wall for 0, the right wall for N).
    #[inline]
    pub(crate) fn predict_contact(&mut self, i: usize) {
        let n = self.blocks.len();
        let left = (i > 0).then(|| &self.clusters[self.head[i - 1]]);
        let right = (i < n).then(|| &self.clusters[i]);
        let found = match (left, right) {
            (Some(l), Some(r)) => match (l.mode, r.mode) {
                (Mode::Slide, Mode::Slide) => meet(l, r, self.touch),
                (Mode::Rest, Mode::Slide) => self.bound(r, &Obstacle::body(l, 1.0)),
                (Mode::Slide, Mode::Rest) => self.bound(l, &Obstacle::body(r, -1.0)),
                (Mode::Rest, Mode::Rest) => NEVER,
            },
            (None, Some(r)) if r.mode == Mode::Slide => self.bound(r, &Obstacle::wall(0.0, 1.0)),
            (Some(l), None) if l.mode == Mode::Slide => {
                self.bound(l, &Obstacle::wall(self.free, -1.0))
            }
            _ => NEVER,
        };
        self.put(i, found);
    }

    /// Queues the next stop or slip of the cluster that begins with block `c`.
    #[inline]
    pub(crate) fn predict_cluster(&mut self, c: usize) {
        let cluster = self.clusters[c];
        let found = match cluster.mode {
            Mode::Rest => self.release(c, cluster.t),
            Mode::Slide if cluster.f == 0.0 => NEVER,
            Mode::Slide if self.stops_later(c, &cluster) => return,
            Mode::Slide => self.stop_bound(&cluster),
        };
        self.put(self.blocks.len() + 1 + c, found);
    }

    /// Whether what the queue holds for a sliding cluster is still early enough: then it stays there, as outdated. Most
    /// bodies collide many times before friction could stop them, and the queue need not follow each change.
    #[inline]
    fn stops_later(&mut self, c: usize, cluster: &Cluster) -> bool {
        let slot = self.blocks.len() + 1 + c;
        let forward = if cluster.f > 0.0 {
            cluster.v
        } else {
            -cluster.v
        };
        let excess = forward - self.bounds.velocity;
        let later = excess > 0.0 && (self.queue.time(slot) - cluster.t) * cluster.f.abs() <= excess;
        if later {
            self.due[slot] = Due::Outdated;
        }
        later
    }

    /// Gives outdated slots the bounds of the present state.
    pub(crate) fn update_outdated(&mut self) {
        let n = self.blocks.len();
        for slot in n + 1..=2 * n {
            if self.due[slot] == Due::Outdated {
                self.refine(slot);
            }
        }
    }

    /// Has the events of what slides against something at rest, or a wall, found anew when they come up.
    pub(crate) fn doubt_obstacles(&mut self) {
        let n = self.blocks.len();
        for i in 0..=n {
            let left = (i > 0).then(|| self.clusters[self.head[i - 1]].mode);
            let right = (i < n).then(|| self.clusters[i].mode);
            let two_slide = left == Some(Mode::Slide) && right == Some(Mode::Slide);
            if !two_slide && self.due[i] == Due::Event && self.queue.time(i) < f64::INFINITY {
                self.put(i, (self.now, false));
            }
        }
    }

    #[inline]
    pub(crate) fn put(&mut self, slot: usize, (time, exact): Prediction) {
        self.queue.set(slot, time);
        self.due[slot] = if exact { Due::Event } else { Due::Bound };
    }

    /// Solves the root behind a lower bound that has come up.
    pub(crate) fn refine(&mut self, slot: usize) {
        let n = self.blocks.len();
        let from = self.queue.time(slot);
        let found = if slot <= n {
            let left = (slot > 0).then(|| self.clusters[self.head[slot - 1]]);
            let right = (slot < n).then(|| self.clusters[slot]);
            let (slider, place, offset, side) = match (left, right) {
                (Some(l), Some(r)) if l.mode == Mode::Slide => (l, r.y, r.dy, -1.0),
                (Some(l), Some(r)) => (r, l.y, l.dy, 1.0),
                (None, Some(r)) => (r, 0.0, 0.0, 1.0),
                (Some(l), None) => (l, self.free, 0.0, -1.0),
                (None, None) => return,
            };
            let obstacle = Obstacle {
                place,
                offset,
                side,
            };
            // Before its own last event the obstacle was not there, whatever the slider did then.
            let began = left.into_iter().chain(right).map(|c| c.t);
            let from = began.fold(from.max(self.now), f64::max);
            self.meet_bound(&slider, &obstacle, from)
                .unwrap_or_else(|| self.meet_in_time(&slider, &obstacle, from))
        } else {
            let c = slot - n - 1;
            let outdated = self.due[slot] == Due::Outdated;
            match self.clusters.get(c).copied() {
                Some(cluster) if outdated => self.stop_bound(&cluster),
                Some(cluster) if cluster.mode == Mode::Slide => self
                    .slip_bound(&cluster, from)
                    .unwrap_or_else(|| self.stop(&cluster, from)),
                Some(_) => self.release(c, from),
                None => (self.motion.next_jump(self.now), true),
            }
        };
        self.put(slot, found);
    }

    /// A time before which the cluster cannot reach the obstacle: its laboratory parabola must first reach the band in
    /// which the obstacle swings.
    pub(crate) fn bound(&self, c: &Cluster, o: &Obstacle) -> Prediction {
        let reach = self.bounds.position;
        let gap = o.side * (c.u.high - o.place - o.offset) - reach;
        if gap <= 0.0 || !reach.is_finite() {
            return self.swing_bound(c, o);
        }
        (
            c.t + parabola_falls(gap, o.side * c.v, -o.side * c.f, 0.0),
            false,
        )
    }

    /// Inside the band: leaving faster than the basin ever moves, it cannot meet until friction has slowed it down.
    pub(crate) fn swing_bound(&self, c: &Cluster, o: &Obstacle) -> Prediction {
        let excess = o.side * c.v - self.bounds.velocity;
        if excess <= 0.0 {
            return (c.t, false);
        }
        let slowing = o.side * c.f;
        if slowing > 0.0 {
            (c.t + excess / slowing, false)
        } else {
            NEVER
        }
    }

    /// A time before which a sliding cluster cannot stop: its speed must come down to that of the basin first.
    pub(crate) fn stop_bound(&mut self, c: &Cluster) -> Prediction {
        let forward = if c.f > 0.0 { c.v } else { -c.v };
        let excess = forward - self.bounds.velocity;
        if excess > 0.0 {
            return (c.t + excess / c.f.abs(), false);
        }
        let slip = c.v - self.kin(c.t).velocity;
        (
            c.t + slip.abs() / (self.bounds.acceleration + c.f.abs()),
            false,
        )
    }

    /// A later time before which a sliding cluster cannot stop, if it is worth waiting for: relative accelerations
    /// are bounded.
    pub(crate) fn slip_bound(&self, c: &Cluster, from: f64) -> Option<Prediction> {
        let slip = c.slide_to(from).1.value() - self.motion.at(from).velocity;
        let wait = slip.abs() / (self.bounds.acceleration + c.f.abs());
        (wait > WORTH_WAITING * self.scale_time).then_some((from + wait, false))
    }

    /// A later time before which a sliding cluster cannot reach the obstacle, if it is worth waiting for.
    pub(crate) fn meet_bound(&self, c: &Cluster, o: &Obstacle, from: f64) -> Option<Prediction> {
        let ((u, v), k) = (c.slide_to(from), self.motion.at(from));
        let gap = o.side * (u.high - k.position - o.place - o.offset);
        let closing = (-o.side * (v.high - k.velocity)).max(0.0);
        let bend = self.bounds.acceleration + c.f.abs();
        let wait = 2.0 * gap / (closing + (closing * closing + 2.0 * bend * gap.max(0.0)).sqrt());
        (wait > WORTH_WAITING * self.scale_time).then_some((from + wait, false))
    }

    /// First time from `from` on at which the basin acceleration overcomes the floor and no wall is in the way.
    pub(crate) fn release(&self, c: usize, from: f64) -> Prediction {
        let cluster = &self.clusters[c];
        let (at_left, at_right) = self.at_walls(c, cluster);
        let (to_right, to_left) = self.thresholds(c, cluster.last);
        let limit = match self.motion.next_jump(self.now) {
            jump if jump.is_finite() => jump,
            _ if self.motion.law().period().is_some() => f64::INFINITY,
            _ => from + 16.0 * self.scale_time,
        };
        let beyond = |wall, level, above| {
            if wall {
                NEVER
            } else {
                self.motion.acceleration_beyond(from, level, above, limit)
            }
        };
        let (right, surely_right) = beyond(at_right, -to_right, false);
        let (left, surely_left) = beyond(at_left, to_left, true);
        let (time, found) = if right <= left {
            (right, surely_right)
        } else {
            (left, surely_left)
        };
        if !found {
            return (time, false);
        }
        if time == f64::INFINITY {
            return if limit.is_finite() && !(at_left && at_right) {
                self.later(limit)
            } else {
                NEVER
            };
        }
        let pull = |t: f64| {
            let a = self.motion.at(t).acceleration;
            if right <= left {
                -a - to_right
            } else {
                a - to_left
            }
        };
        (self.past(time, pull), true)
    }

    /// The first time at or just after `time` at which `pull` is truly positive in rounded arithmetic, so that a
    /// released block is pushed the right way from its first instant on.
    pub(crate) fn past(&self, time: f64, pull: impl Fn(f64) -> f64) -> f64 {
        let mut step = f64::EPSILON * self.scale_time.max(time.abs());
        let mut t = time;
        // Doubling reaches 1e-6 of the period in about 33 rounds, beyond any tangent touch of the threshold.
        for _ in 0..40 {
            if pull(t) > 0.0 {
                break;
            }
            t += step;
            step *= 2.0;
        }
        t
    }

    /// Whether a resting cluster touches the left and the right wall.
    pub(crate) fn at_walls(&self, c: usize, cluster: &Cluster) -> (bool, bool) {
        (
            c == 0 && cluster.lies_at(0.0),
            cluster.last + 1 == self.blocks.len() && cluster.lies_at(self.free),
        )
    }
}

/// Two sliding clusters: their relative laboratory motion is a parabola, straight where they slide the same way.
#[inline]
fn meet(l: &Cluster, r: &Cluster, touch: f64) -> Prediction {
    let apart = r.u - l.u;
    // One of the two has just been in an event.
    let (now, gap, rate) = if l.t == r.t {
        (l.t, apart.value(), r.v - l.v)
    } else if l.t < r.t {
        let (way, v) = l.way_to(r.t);
        (r.t, (apart - way).value(), (Fine::new(r.v) - v).value())
    } else {
        let (way, v) = r.way_to(l.t);
        (l.t, (apart + way).value(), (v - Fine::new(l.v)).value())
    };
    let blur = touch.min(BLUR * (l.u.high.abs() + r.u.high.abs()));
    (
        no_later(now, parabola_falls(gap, rate, l.f - r.f, blur)),
        true,
    )
}
