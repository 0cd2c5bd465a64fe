//! What a world can be asked: energy, momentum, contacts, the step it can take, what looks wrong.

use crate::HASH_KEY;
use crate::error::DemError;
use crate::facet::Feature;
use crate::laws::LawTable;
use crate::particle::{Motion, Particle};
use crate::settings::Settings;
use crate::wall::Wall;
use crate::world::{Total, World};
use glam::DVec3;
use klast_geometry::{NarrowPhase, Placed};
use klast_numerics::OutOfRange;
use klast_numerics::WordDigest;
use klast_numerics::check::within;
use rayon::prelude::*;

/// Energies, J.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Energy {
    /// Of translation.
    pub translation: f64,
    /// Of rotation.
    pub rotation: f64,
    /// Stored in the overlaps of pairs and walls.
    pub elastic: f64,
    /// Stored in tangential springs.
    pub tangential: f64,
    /// `−m g·x`.
    pub gravity: f64,
}

impl Energy {
    /// Sum of all.
    #[must_use]
    pub fn total(&self) -> f64 {
        self.translation + self.rotation + self.elastic + self.tangential + self.gravity
    }
}

/// One pair in contact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PairContact {
    /// Lower index.
    pub first: usize,
    /// Higher index.
    pub second: usize,
    /// Overlap, m.
    pub depth: f64,
    /// Force on the second, N.
    pub force: DVec3,
    /// Where it acts, m.
    pub point: DVec3,
    /// The facet of the Minkowski difference.
    pub feature: Feature,
}

/// Something that is allowed and probably not meant.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Warning {
    /// The step exceeds the stability limit.
    StepOverLimit {
        /// Step, s.
        step: f64,
        /// Limit, s.
        limit: f64,
    },
    /// The deepest overlap exceeds this share of the smaller body's radius: the law was not made for it.
    DeepOverlap {
        /// Overlap over radius.
        ratio: f64,
    },
}

impl std::fmt::Display for Warning {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Warning::StepOverLimit { step, limit } => write!(
                f,
                "step {step:.3e} s is over the stability limit {limit:.3e} s"
            ),
            Warning::DeepOverlap { ratio } => {
                write!(
                    f,
                    "the deepest overlap is {ratio:.2} of the smaller body's radius"
                )
            }
        }
    }
}

impl World {
    /// s.
    #[must_use]
    pub fn time(&self) -> f64 {
        self.time
    }

    /// Particles.
    #[must_use]
    pub fn particles(&self) -> &[Particle] {
        &self.particles
    }

    /// Their states.
    #[must_use]
    pub fn motions(&self) -> &[Motion] {
        &self.motions
    }

    /// Contact force and torque on each particle.
    #[must_use]
    pub fn contact_loads(&self) -> &[Total] {
        self.totals()
    }

    /// Walls.
    #[must_use]
    pub fn walls(&self) -> &[Wall] {
        &self.walls
    }

    /// Table of laws.
    #[must_use]
    pub fn laws(&self) -> &LawTable {
        &self.laws
    }

    /// How it is stepped.
    #[must_use]
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Number of candidate pairs, and how often the list was made.
    #[must_use]
    pub fn neighbour_statistics(&self) -> (usize, usize) {
        (self.neighbours.pairs().len(), self.neighbours.builds())
    }

    /// Sets the speed of a wall along its normal, m/s.
    ///
    /// # Errors
    /// No such wall, a speed that is not finite.
    pub fn set_wall_speed(&mut self, wall: usize, speed: f64) -> Result<(), DemError> {
        within("wall speed", speed, (-1e6, 1e6), "finite")?;
        match self.walls.get_mut(wall) {
            Some(w) => w.speed = speed,
            None => {
                return Err(OutOfRange::new("wall", wall, "below the number of walls").into());
            }
        }
        Ok(())
    }

    /// Energies of the present state.
    #[must_use]
    pub fn energy(&self) -> Energy {
        let mut energy = Energy::default();
        for (p, m) in self.particles.iter().zip(&self.motions) {
            energy.translation += 0.5 * p.mass * m.velocity.length_squared();
            energy.rotation += m.rotation.energy(p.inertia);
            energy.gravity -= p.mass * self.settings.gravity.dot(m.position);
        }
        for (link, (i, j)) in self.links.iter().zip(self.neighbours.pairs()) {
            if link.feature.is_some() {
                let [a, b] = [i, j].map(|k| self.particles[*k as usize].material);
                let law = self.laws.between(a, b);
                energy.elastic += law.potential(link.depth);
                energy.tangential +=
                    0.5 * law.tangential_stiffness() * link.spring.length_squared();
            }
        }
        let walls = self.walls.len().max(1);
        for (k, link) in self.wall_links.iter().enumerate() {
            let particle = self.particles[k / walls].material;
            let law = self.laws.between(particle, self.walls[k % walls].material);
            energy.elastic += link.potential;
            energy.tangential += 0.5 * law.tangential_stiffness() * link.spring.length_squared();
        }
        energy
    }

    /// Linear momentum (kg m/s) and angular momentum about the origin (kg m²/s).
    #[must_use]
    pub fn momentum(&self) -> (DVec3, DVec3) {
        let (mut linear, mut angular) = (DVec3::ZERO, DVec3::ZERO);
        for (p, m) in self.particles.iter().zip(&self.motions) {
            linear += p.mass * m.velocity;
            angular += m.position.cross(p.mass * m.velocity) + m.rotation.world_momentum();
        }
        (linear, angular)
    }

    /// Pairs in contact, in the order of the list.
    pub fn contacts(&self) -> impl Iterator<Item = PairContact> + '_ {
        let pairs = self.neighbours.pairs().iter();
        pairs
            .zip(&self.links)
            .zip(self.loads())
            .filter_map(|(((i, j), link), load)| {
                let (feature, load) = (link.feature?, load.as_ref()?);
                Some(PairContact {
                    first: *i as usize,
                    second: *j as usize,
                    depth: link.depth,
                    force: load.force,
                    point: load.point,
                    feature,
                })
            })
    }

    /// Mean number of contacts of a particle with others and walls.
    #[must_use]
    pub fn coordination(&self) -> f64 {
        let pairs = self.contacts().count();
        let walls = self
            .wall_links
            .iter()
            .filter(|link| link.force != DVec3::ZERO)
            .count();
        (2 * pairs + walls) as f64 / self.particles.len().max(1) as f64
    }

    /// Longest stable step, s: `2/√(12 k/m)` for the lightest particle in twelve contacts of the stiffest law, the
    /// usual estimate for a packing. For exponents over 1 the tangent stiffness at an overlap of a tenth of that
    /// particle's radius is taken.
    #[must_use]
    pub fn stability_limit(&self) -> f64 {
        let lightest = self
            .particles
            .iter()
            .min_by(|a, b| a.mass.total_cmp(&b.mass));
        let Some(lightest) = lightest else {
            return f64::INFINITY;
        };
        let depth = 0.1 * lightest.shape.radius();
        let stiffest = self
            .laws
            .all()
            .iter()
            .map(|law| law.tangent_stiffness(depth).max(law.tangential_stiffness()))
            .fold(0.0, f64::max);
        2.0 / (12.0 * stiffest / lightest.mass).sqrt()
    }

    /// What looks wrong now.
    #[must_use]
    pub fn warnings(&self) -> Vec<Warning> {
        let mut warnings = Vec::new();
        let (step, limit) = (self.settings.step, self.stability_limit());
        if step > limit {
            warnings.push(Warning::StepOverLimit { step, limit });
        }
        let ratio = self
            .contacts()
            .map(|c| {
                let radius = |i: usize| self.particles[i].shape.radius();
                c.depth / radius(c.first).min(radius(c.second))
            })
            .fold(0.0, f64::max);
        if ratio > 0.5 {
            warnings.push(Warning::DeepOverlap { ratio });
        }
        warnings
    }

    /// Refuses a start with overlaps over `accepted` metres.
    ///
    /// # Errors
    /// [`DemError::OverlappingStart`] with the deepest pair and the number of such pairs.
    pub fn check_start(&self, accepted: f64) -> Result<(), DemError> {
        let deep: Vec<PairContact> = self.contacts().filter(|c| c.depth > accepted).collect();
        match deep.iter().max_by(|a, b| a.depth.total_cmp(&b.depth)) {
            None => Ok(()),
            Some(worst) => Err(DemError::OverlappingStart {
                first: worst.first,
                second: worst.second,
                depth: worst.depth,
                accepted,
                count: deep.len(),
            }),
        }
    }

    /// A hash of every bit of the state: positions, attitudes, momenta, in the order of the particles.
    #[must_use]
    pub fn hash(&self) -> u64 {
        let mut hash = WordDigest::new(HASH_KEY);
        for m in &self.motions {
            hash.numbers(&m.position.to_array());
            hash.numbers(&m.velocity.to_array());
            hash.numbers(&m.rotation.orientation.to_array());
            hash.numbers(&m.rotation.momentum.to_array());
        }
        hash.finish()
    }

    /// The pairs that overlap by brute force over all particles: a check of the neighbour list.
    #[must_use]
    pub fn overlapping_pairs_by_brute_force(&self) -> Vec<(usize, usize)> {
        let n = self.particles.len();
        (0..n)
            .into_par_iter()
            .flat_map_iter(|i| {
                let mut work = NarrowPhase::default();
                let poses: Vec<_> = self.motions.iter().map(|m| m.pose()).collect();
                (i + 1..n)
                    .filter(|j| {
                        let placed = |k: usize| Placed {
                            shape: &self.particles[k].shape,
                            pose: &poses[k],
                        };
                        work.overlap(placed(i), placed(*j), None).is_some()
                    })
                    .map(|j| (i, j))
                    .collect::<Vec<_>>()
            })
            .collect()
    }
}
