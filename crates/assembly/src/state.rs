//! The state of a run: where the blocks are, who moves with whom, and at what time.

use crate::bounce::Bounce;
use crate::clock::Clock;
use crate::cluster::{Cluster, Mode};
use crate::model::Model;
use crate::predictor::Predictor;
use crate::record::Record;
use klast_numerics::DoubleDouble;

/// The clock, the clusters and what is known of each contact.
#[derive(Debug, Clone)]
pub(crate) struct State {
    pub(crate) clock: Clock,
    /// Clusters, each in the place of its first block; other places hold what has been.
    pub(crate) clusters: Vec<Cluster>,
    /// First block of the cluster that ends with this block.
    pub(crate) head: Vec<usize>,
    /// The last impact of each contact.
    pub(crate) bounces: Vec<Bounce>,
}

impl State {
    /// First blocks of all clusters from left to right.
    pub(crate) fn heads(&self) -> impl Iterator<Item = usize> + '_ {
        let n = self.clusters.len();
        let next = move |c: &usize| Some(self.clusters[*c].last + 1).filter(|&d| d < n);
        std::iter::successors((n > 0).then_some(0), next)
    }

    /// The clusters on either side of the contact in front of block `i`; none where the wall is.
    #[inline]
    pub(crate) fn sides(&self, i: usize) -> (Option<&Cluster>, Option<&Cluster>) {
        let left = (i > 0).then(|| &self.clusters[self.head[i - 1]]);
        (left, self.clusters.get(i))
    }

    /// Brings a cluster to time `t`.
    #[inline]
    pub(crate) fn bring(&mut self, c: usize, t: f64) {
        match self.clusters[c].mode {
            Mode::Slide => {
                let cluster = &mut self.clusters[c];
                if cluster.t != t {
                    let (moved, v) = cluster.displacement_until(t);
                    cluster.u += moved;
                    (cluster.path, cluster.v) = (cluster.path + moved.value(), v.value());
                    cluster.t = t;
                    (cluster.y, cluster.dy) = (f64::NAN, 0.0);
                }
            }
            Mode::Rest => {
                let k = self.clock.kinematics(t);
                let basin = self.clock.motion.basin_position(t);
                let cluster = &mut self.clusters[c];
                cluster.u = DoubleDouble::sum(cluster.y, cluster.dy) + basin;
                cluster.v = k.velocity;
                cluster.t = t;
            }
        }
    }

    /// As [`State::bring`], with the coordinate in the basin.
    pub(crate) fn bring_placed(&mut self, model: &Model, c: usize, t: f64) {
        let (y, dy) = Predictor::new(model, &self.clock).placed_at(&self.clusters[c], t);
        self.bring(c, t);
        (self.clusters[c].y, self.clusters[c].dy) = (y, dy);
    }

    /// Books work and heat of a cluster up to its clock, which stands at `t`.
    pub(crate) fn close_segment(&mut self, record: &mut Record, c: usize, t: f64) {
        let k = self.clock.kinematics(t);
        let cluster = &self.clusters[c];
        let (work, heat) = cluster.work_and_heat(cluster.path, &k, self.clock.motion.velocity(), t);
        record.energy.add_drive(work);
        record.energy.add_friction(heat);
    }

    /// Coordinate in the basin of a cluster for which it is known.
    pub(crate) fn coordinate(&self, c: usize) -> f64 {
        self.clusters[c].y + self.clusters[c].dy
    }

    /// Velocity in the frame of a cluster at `t`.
    pub(crate) fn speed_at(&mut self, c: &Cluster, t: f64) -> f64 {
        match c.mode {
            Mode::Rest => self.clock.kinematics(t).velocity,
            Mode::Slide => c.slide_to(t).1.value(),
        }
    }
}
