//! Who stays with whom after an impact, and fresh starts: time zero, and jumps of the basin velocity.

use crate::assembly::Assembly;
use crate::chain::{Chain, ImpactRule};
use crate::cluster::{Cluster, Mode};
use crate::event::Event;
use crate::fine::Fine;
use crate::groups::Placement;
use crate::motion::Kinematics;

impl Assembly {
    /// Makes clusters of the bodies of a chain: neighbours that do not part stay together.
    pub(crate) fn regroup(&mut self, chain: &Chain, heads: &[usize], at: Placement) {
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

    /// The basin velocity jumps: laboratory velocities stay, resting bodies begin to slip, closed contacts collide. Returns how
    /// far the clock was set back.
    pub(crate) fn jump_event(&mut self, t: f64) -> f64 {
        let before = self.motion.before_jump(t);
        self.kept = Some((t, before));
        let heads: Vec<usize> = self.heads().collect();
        for &c in &heads {
            self.bring_placed(c, t);
            self.close_segment(c, t);
        }
        let step = self.motion.pass_jump(t);
        self.kept = None;
        let travels = self.motion.travels();
        let begin = if travels { 0.0 } else { t };
        let (k, basin) = (self.kin(begin), self.motion.place(begin));
        for &c in &heads {
            let cluster = &mut self.clusters[c];
            if travels {
                cluster.carry(&Kinematics {
                    velocity: step,
                    ..before
                });
                cluster.t = begin;
            }
            cluster.u = Fine::sum(cluster.y, cluster.dy) + basin;
            cluster.mode = Mode::Slide;
            (cluster.path, cluster.f) = (0.0, 0.0);
            (cluster.mark_x, cluster.mark_t) = (k.position, begin);
        }
        if travels {
            self.shift_clock(t);
        }
        self.settle_all(begin);
        t - begin
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
    pub(crate) fn place_of(&self, c: usize) -> f64 {
        self.clusters[c].y + self.clusters[c].dy
    }

    pub(crate) fn settle_run(&mut self, first: usize, last: usize, walls: (bool, bool), t: f64) {
        let closing = self.first_closing(first, last, walls, t);
        if let Some(origin) = closing {
            self.chain_impact(first, last, walls, origin, t);
            return;
        }
        // Nothing closes: neighbours without relative velocity stay together.
        let Cluster { y, dy, .. } = self.clusters[first];
        let u = Fine::sum(y, dy) + self.motion.place(t);
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
                    u,
                    v,
                },
            );
            a = z + 1;
        }
    }

    /// The lowest contact of the run that closes faster than the cut-off.
    pub(crate) fn first_closing(
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
