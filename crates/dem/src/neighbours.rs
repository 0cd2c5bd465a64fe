//! Which pairs can touch before the list is made again.
//!
//! Each particle's box is widened by a margin: half the skin, and what it will travel over the horizon at its present
//! speed, so that one fast particle does not force a new list each step. The list holds until some surface point may
//! have moved more than its particle's margin.
//!
//! Boxes are sorted along one axis and swept; pairs come out sorted by (lower, higher) index whatever the threads do.

use crate::particle::{Motion, Particle};
use glam::DVec3;
use rayon::prelude::*;

/// A pair of particles, the lower index first.
pub type Pair = (u32, u32);

/// Candidate pairs and, for each particle, where it stands in them.
#[derive(Clone, Debug, Default)]
pub struct NeighbourList {
    pairs: Vec<Pair>,
    start: Vec<u32>,
    /// Index into `pairs`, times two, plus one where the particle is the second.
    incident: Vec<u32>,
    reference: Vec<Motion>,
    margins: Vec<f64>,
    builds: usize,
}

/// Axis-aligned box.
#[derive(Clone, Copy)]
struct Bounds {
    low: DVec3,
    high: DVec3,
}

impl NeighbourList {
    /// The pairs, sorted.
    #[must_use]
    pub fn pairs(&self) -> &[Pair] {
        &self.pairs
    }

    /// How often the list was made.
    #[must_use]
    pub fn builds(&self) -> usize {
        self.builds
    }

    /// The pairs of one particle: index into [`Self::pairs`], and whether the particle is the second of it.
    pub fn of(&self, particle: usize) -> impl Iterator<Item = (usize, bool)> + '_ {
        let range = match (self.start.get(particle), self.start.get(particle + 1)) {
            (Some(&a), Some(&b)) => a as usize..b as usize,
            _ => 0..0,
        };
        self.incident[range]
            .iter()
            .map(|k| ((k >> 1) as usize, k & 1 == 1))
    }

    /// Whether a pair outside the list may touch by now.
    pub(crate) fn is_stale(&self, particles: &[Particle], motions: &[Motion]) -> bool {
        if self.reference.len() != motions.len() {
            return true;
        }
        (0..motions.len())
            .into_par_iter()
            .with_min_len(512)
            .any(|i| {
                let travel = way(&self.reference[i], &motions[i], particles[i].shape.radius());
                // Not a number counts as moved.
                travel > self.margins[i] || travel.is_nan()
            })
    }

    /// Makes the list again.
    pub(crate) fn build(
        &mut self,
        particles: &[Particle],
        motions: &[Motion],
        skin: f64,
        horizon: f64,
    ) {
        self.margins = particles
            .par_iter()
            .zip(motions)
            .map(|(p, m)| {
                let spin = m.rotation.angular_velocity(p.inertia).length() * p.shape.radius();
                0.5 * skin + horizon * (m.velocity.length() + spin)
            })
            .collect();
        let bounds: Vec<Bounds> = (0..particles.len())
            .into_par_iter()
            .map(|i| bounds(&particles[i], &motions[i], self.margins[i]))
            .collect();
        self.pairs = sweep(&bounds, &|i, j| {
            let reach = particles[i].shape.radius()
                + particles[j].shape.radius()
                + self.margins[i]
                + self.margins[j];
            motions[i].position.distance_squared(motions[j].position) <= reach * reach
        });
        self.reference = motions.to_vec();
        self.index(particles.len());
        self.builds += 1;
    }

    fn index(&mut self, count: usize) {
        self.start = vec![0; count + 1];
        for (i, j) in &self.pairs {
            self.start[*i as usize + 1] += 1;
            self.start[*j as usize + 1] += 1;
        }
        for k in 1..self.start.len() {
            self.start[k] += self.start[k - 1];
        }
        let mut fill = self.start.clone();
        self.incident = vec![0; 2 * self.pairs.len()];
        for (k, (i, j)) in (0u32..).zip(&self.pairs) {
            for (particle, side) in [(*i, 0), (*j, 1)] {
                let slot = &mut fill[particle as usize];
                self.incident[*slot as usize] = 2 * k + side;
                *slot += 1;
            }
        }
    }
}

/// Bound of the way of any point within `radius` of the centre between two states.
///
/// `|R x − R₀ x| ≤ 2 sin(θ/2) |x|`, with `sin(θ/2)` the vector part of the quaternion between the two.
pub(crate) fn way(then: &Motion, now: &Motion, radius: f64) -> f64 {
    let between = then.rotation.orientation.conjugate() * now.rotation.orientation;
    (now.position - then.position).length() + 2.0 * between.xyz().length() * radius
}

fn bounds(particle: &Particle, motion: &Motion, margin: f64) -> Bounds {
    let turn = glam::DMat3::from_quat(motion.rotation.orientation);
    let (mut low, mut high) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
    for v in particle.shape.vertices() {
        let x = turn * *v;
        low = low.min(x);
        high = high.max(x);
    }
    Bounds {
        low: motion.position + low - margin,
        high: motion.position + high + margin,
    }
}

/// All pairs whose boxes meet and that `near` admits, sorted.
fn sweep(bounds: &[Bounds], near: &(impl Fn(usize, usize) -> bool + Sync)) -> Vec<Pair> {
    let spread = |axis: usize| {
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        for b in bounds {
            low = low.min(b.low[axis]);
            high = high.max(b.low[axis]);
        }
        high - low
    };
    let axis = (0..3)
        .max_by(|a, b| spread(*a).total_cmp(&spread(*b)))
        .unwrap_or(0);
    let mut order: Vec<u32> = (0..bounds.len() as u32).collect();
    order.par_sort_unstable_by(|a, b| {
        let (x, y) = (&bounds[*a as usize], &bounds[*b as usize]);
        x.low[axis].total_cmp(&y.low[axis]).then(a.cmp(b))
    });
    let mut pairs: Vec<Pair> = (0..order.len())
        .into_par_iter()
        .with_min_len(64)
        .flat_map_iter(|k| {
            let i = order[k];
            let own = bounds[i as usize];
            order[k + 1..]
                .iter()
                .copied()
                .take_while(move |j| bounds[*j as usize].low[axis] <= own.high[axis])
                .filter(move |j| {
                    let other = &bounds[*j as usize];
                    own.low.cmple(other.high).all()
                        && other.low.cmple(own.high).all()
                        && near(i as usize, *j as usize)
                })
                .map(move |j| (i.min(j), i.max(j)))
        })
        .collect();
    pairs.par_sort_unstable();
    pairs
}
