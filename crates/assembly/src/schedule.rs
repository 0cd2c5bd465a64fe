//! Which event comes next: a time for each contact and each cluster, found anew where something has changed.

use crate::cluster::{Cluster, Mode};
use crate::model::Model;
use crate::predictor::{NEVER, Prediction, Predictor, meet};
use crate::queue::EventQueue;
use crate::slide::Obstacle;
use crate::state::State;

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

/// Slots for N blocks: contacts 0 to N (contact i lies in front of block i), then clusters by their first blocks, then
/// the next jump of the basin velocity.
#[derive(Debug, Clone)]
pub(crate) struct Schedule {
    queue: EventQueue,
    /// What the time of each slot is.
    due: Vec<Due>,
}

impl Schedule {
    /// Nothing scheduled for `n` blocks.
    pub(crate) fn new(n: usize) -> Self {
        Self {
            queue: EventQueue::new(2 * n + 2),
            due: vec![Due::Bound; 2 * n + 2],
        }
    }

    /// Slot and time of the earliest event.
    #[inline]
    pub(crate) fn first(&self) -> (usize, f64) {
        self.queue.first()
    }

    #[inline]
    pub(crate) fn time(&self, slot: usize) -> f64 {
        self.queue.time(slot)
    }

    /// Whether the time of a slot is that of the event itself.
    #[inline]
    pub(crate) fn is_exact(&self, slot: usize) -> bool {
        self.due[slot] == Due::Event
    }

    #[inline]
    pub(crate) fn set(&mut self, slot: usize, (time, exact): Prediction) {
        self.queue.set(slot, time);
        self.due[slot] = if exact { Due::Event } else { Due::Bound };
    }

    /// Moves all times by the same amount.
    pub(crate) fn shift(&mut self, by: f64) {
        self.queue.shift(by);
    }

    /// Predictions of all clusters and contacts of the blocks `first..=last`, both outer contacts included.
    pub(crate) fn predict_range(
        &mut self,
        model: &Model,
        state: &State,
        first: usize,
        last: usize,
    ) {
        let mut c = first;
        while c <= last {
            self.predict_contact(model, state, c);
            self.predict_cluster(model, state, c);
            c = state.clusters[c].last + 1;
        }
        self.predict_contact(model, state, last + 1);
    }

    /// Queues the next event of the contact in front of block `i` (the left wall for 0, the right wall for N).
    #[inline]
    pub(crate) fn predict_contact(&mut self, model: &Model, state: &State, i: usize) {
        let predictor = Predictor::new(model, &state.clock);
        let (left, right) = state.sides(i);
        let found = match (left, right) {
            (Some(l), Some(r)) => match (l.mode, r.mode) {
                (Mode::Slide, Mode::Slide) => meet(l, r, model.touch),
                (Mode::Rest, Mode::Slide) => predictor.bound(r, &Obstacle::body(l, 1.0)),
                (Mode::Slide, Mode::Rest) => predictor.bound(l, &Obstacle::body(r, -1.0)),
                (Mode::Rest, Mode::Rest) => NEVER,
            },
            (None, Some(r)) if r.mode == Mode::Slide => {
                predictor.bound(r, &Obstacle::wall(0.0, 1.0))
            }
            (Some(l), None) if l.mode == Mode::Slide => {
                predictor.bound(l, &Obstacle::wall(model.free, -1.0))
            }
            _ => NEVER,
        };
        self.set(i, found);
    }

    /// Queues the next stop or slip of the cluster that begins with block `c`.
    #[inline]
    pub(crate) fn predict_cluster(&mut self, model: &Model, state: &State, c: usize) {
        let predictor = Predictor::new(model, &state.clock);
        let cluster = &state.clusters[c];
        let found = match cluster.mode {
            Mode::Rest => predictor.release(c, cluster, cluster.t),
            Mode::Slide if cluster.f == 0.0 => NEVER,
            Mode::Slide if self.stops_later(model, c, cluster) => return,
            Mode::Slide => predictor.stop_bound(cluster),
        };
        self.set(model.len() + 1 + c, found);
    }

    /// Whether what the queue holds for a sliding cluster is still early enough: then it stays there, as outdated. Most
    /// bodies collide many times before friction could stop them, and the queue need not follow each change.
    #[inline]
    fn stops_later(&mut self, model: &Model, c: usize, cluster: &Cluster) -> bool {
        let slot = model.len() + 1 + c;
        let forward = if cluster.f > 0.0 {
            cluster.v
        } else {
            -cluster.v
        };
        let excess = forward - model.bounds.velocity;
        let later = excess > 0.0 && (self.queue.time(slot) - cluster.t) * cluster.f.abs() <= excess;
        if later {
            self.due[slot] = Due::Outdated;
        }
        later
    }

    /// Gives outdated slots the bounds of the present state.
    pub(crate) fn update_outdated(&mut self, model: &Model, state: &State) {
        let n = model.len();
        for slot in n + 1..=2 * n {
            if self.due[slot] == Due::Outdated {
                self.refine(model, state, slot);
            }
        }
    }

    /// Has the events of what slides against something at rest, or a wall, found anew when they come up.
    pub(crate) fn invalidate_obstacles(&mut self, state: &State) {
        for i in 0..=state.clusters.len() {
            let (left, right) = state.sides(i);
            let slides = |side: Option<&Cluster>| side.is_some_and(|c| c.mode == Mode::Slide);
            let two_slide = slides(left) && slides(right);
            if !two_slide && self.due[i] == Due::Event && self.queue.time(i) < f64::INFINITY {
                self.set(i, (state.clock.now, false));
            }
        }
    }

    /// Solves the root behind a lower bound that has come up.
    pub(crate) fn refine(&mut self, model: &Model, state: &State, slot: usize) {
        let n = model.len();
        let predictor = Predictor::new(model, &state.clock);
        let from = self.queue.time(slot);
        let found = if slot <= n {
            let (left, right) = state.sides(slot);
            let (slider, place, offset, side) = match (left, right) {
                (Some(l), Some(r)) if l.mode == Mode::Slide => (l, r.y, r.dy, -1.0),
                (Some(l), Some(r)) => (r, l.y, l.dy, 1.0),
                (None, Some(r)) => (r, 0.0, 0.0, 1.0),
                (Some(l), None) => (l, model.free, 0.0, -1.0),
                (None, None) => return,
            };
            let obstacle = Obstacle {
                place,
                offset,
                side,
            };
            // Before its own last event the obstacle was not there, whatever the slider did then.
            let began = left.into_iter().chain(right).map(|c| c.t);
            let from = began.fold(from.max(state.clock.now), f64::max);
            predictor
                .meet_bound(slider, &obstacle, from)
                .unwrap_or_else(|| predictor.meet_in_time(slider, &obstacle, from))
        } else {
            let c = slot - n - 1;
            let outdated = self.due[slot] == Due::Outdated;
            match state.clusters.get(c) {
                Some(cluster) if outdated => predictor.stop_bound(cluster),
                Some(cluster) if cluster.mode == Mode::Slide => predictor
                    .slip_bound(cluster, from)
                    .unwrap_or_else(|| predictor.stop(cluster, from)),
                Some(cluster) => predictor.release(c, cluster, from),
                None => (state.clock.motion.next_jump(state.clock.now), true),
            }
        };
        self.set(slot, found);
    }
}
