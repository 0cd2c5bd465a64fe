//! The limit of equal small gaps.

use super::bodies::{Chain, MOST_PAIR_IMPACTS, Workspace};
use super::lcp;
use crate::queue::EventQueue;

/// Bodies with their own clocks; the unit of length is the small gap.
struct Flight {
    place: Vec<f64>,
    clock: Vec<f64>,
}

impl Flight {
    fn move_to(&mut self, b: usize, velocity: f64, time: f64) {
        self.place[b] += velocity * (time - self.clock[b]);
        self.clock[b] = time;
    }

    /// Time at which contact `j` closes, from the clocks of its two sides.
    fn closes(&self, chain: &Chain, j: usize) -> f64 {
        let u = chain.opening(j);
        if -u <= chain.cutoff {
            return f64::INFINITY;
        }
        let n = chain.mass.len();
        let left = j
            .checked_sub(1)
            .map(|b| (self.place[b], chain.velocity[b], self.clock[b]));
        let right = (j < n).then(|| (self.place[j], chain.velocity[j], self.clock[j]));
        let wall = |at: f64| (at, chain.wall_velocity, 0.0);
        let (xl, vl, tl) = left.unwrap_or(wall(-1.0));
        let (xr, vr, tr) = right.unwrap_or(wall(n as f64));
        let now = tl.max(tr);
        let gap = (xr + vr * (now - tr)) - (xl + vl * (now - tl));
        now + gap.max(0.0) / -u
    }
}

/// Event by event in exact order of time.
pub(super) fn resolve(chain: &mut Chain, workspace: &mut Workspace) {
    let n = chain.mass.len();
    let contacts = chain.contacts();
    let mut flight = Flight {
        place: (0..n).map(|b| b as f64).collect(),
        clock: vec![0.0; n],
    };
    let mut queue = EventQueue::new(n + 1);
    for j in contacts.clone() {
        queue.set(j, flight.closes(chain, j));
    }
    let mut done = 0;
    loop {
        let (j, time) = queue.first();
        if time == f64::INFINITY {
            break;
        }
        if done == MOST_PAIR_IMPACTS {
            chain.cut_off = true;
            break;
        }
        if j > 0 {
            flight.move_to(j - 1, chain.velocity[j - 1], time);
        }
        if j < n {
            flight.move_to(j, chain.velocity[j], time);
        }
        chain.collide(j);
        done += 1;
        for k in j.saturating_sub(1).max(contacts.start)..(j + 2).min(contacts.end) {
            queue.set(k, flight.closes(chain, k));
        }
    }
    finish(chain, workspace);
}

/// What still closes, at no more than the cut-off unless the sequence was cut short, ends as one plastic impact.
pub(super) fn finish(chain: &mut Chain, workspace: &mut Workspace) {
    if chain.cut_off {
        let kept = std::mem::take(&mut chain.restitution);
        chain.restitution = vec![0.0; kept.len()];
        lcp::resolve(chain, workspace);
        chain.restitution = kept;
    }
}
