//! A layer of rock made once: loose cells, gravity, a wall that comes down; then kept.

use crate::HASH_KEY;
use crate::error::DemError;
use crate::fill::{Fill, Request, fill};
use crate::grading::Grading;
use crate::law::{PenaltyLaw, Release};
use crate::laws::LawTable;
use crate::particle::{Motion, Particle};
use crate::settings::{Settings, steps_within};
use crate::wall::Wall;
use crate::world::World;
use glam::DVec3;
use klast_numerics::OutOfRange;
use klast_numerics::WordDigest;
use klast_numerics::check::{require, within};
use klast_sampling::{Purpose, Streams, open_uniform};

const MOST_ROCKS: usize = 10_000_000;

/// Longest fall and rest, s, as of a shot: a layer falls and rests within a second.
const LONGEST: f64 = 1e3;

/// How a layer is made.
#[derive(Clone, Debug, PartialEq)]
pub struct PackingSpec {
    /// Edge lengths of the layer, m: the box from the origin.
    pub edges: DVec3,
    /// Sizes.
    pub grading: Grading,
    /// Volume of rock over volume of the layer in the end.
    pub solid_fraction: f64,
    /// The same in the loose start; the box is then higher. The start is looser still where the cells need it.
    pub start_fraction: f64,
    /// Passes that even out the cells. 0 is the plain Poisson–Voronoi tessellation.
    pub relaxations: u32,
    /// kg/m³.
    pub density: f64,
    /// Seed of everything random.
    pub seed: u64,
    /// Law between rocks while the layer is made (and at its walls).
    pub law: PenaltyLaw,
    /// Step over the stability limit. At 0.3 the rocks come to rest; at 0.5 the jumps of their contact points keep them
    /// trembling.
    pub step_ratio: f64,
    /// Angular speed of the loose rocks at the start, rad/s, about random axes: cells of a tessellation lie face to
    /// face, and rocks that fall do not.
    pub tumble: f64,
    /// Gravity while the rocks fall, m/s². Over 9.81 it saves time; the rest phase is under 9.81.
    pub fall_gravity: f64,
    /// Time to fall before the wall comes, s.
    pub fall_time: f64,
    /// Speed of the wall, m/s.
    pub wall_speed: f64,
    /// Time to come to rest after it, s, with the momenta damped at `rest_damping`.
    pub rest_time: f64,
    /// 1/s.
    pub rest_damping: f64,
}

impl PackingSpec {
    /// A layer of rocks of mean size `mean` within 10 %, filled to 0.60, density 2650 kg/m³, `k_n = 2e7` N/m,
    /// `k_s = 1e7` N/m, friction 0.2, restitution 0.4.
    ///
    /// # Errors
    /// None with these numbers; the law is checked as any other.
    pub fn rockfill(edges: DVec3, mean: f64, seed: u64) -> Result<Self, DemError> {
        Ok(Self {
            edges,
            grading: Grading::Normal { mean, spread: 0.1 },
            solid_fraction: 0.60,
            start_fraction: 0.50,
            relaxations: 3,
            density: 2650.0,
            seed,
            law: PenaltyLaw::elastic(2e7, 1.0)?
                .with_restitution(0.4, Release::NoTension)?
                .with_friction(0.2, 1e7)?,
            step_ratio: 0.3,
            tumble: 20.0,
            fall_gravity: 50.0,
            fall_time: 0.1,
            wall_speed: 4.0,
            rest_time: 0.1,
            rest_damping: 150.0,
        })
    }

    fn check(&self) -> Result<(), DemError> {
        require(
            "layer edge",
            self.edges.min_element(),
            self.edges.min_element() > 0.0,
            "> 0 m",
        )?;
        within(
            "solid fraction",
            self.solid_fraction,
            (0.01, 0.74),
            "0.01 to 0.74",
        )?;
        within(
            "start fraction",
            self.start_fraction,
            (0.01, self.solid_fraction),
            "0.01 to the solid fraction",
        )?;
        require("density", self.density, self.density > 0.0, "> 0 kg/m³")?;
        within("step ratio", self.step_ratio, (1e-3, 1.0), "0.001 to 1")?;
        require(
            "wall speed",
            self.wall_speed,
            self.wall_speed > 0.0,
            "> 0 m/s",
        )?;
        for (field, value) in [("fall time", self.fall_time), ("rest time", self.rest_time)] {
            within(field, value, (0.0, LONGEST), "0 to 1000 s")?;
        }
        for (field, value) in [
            ("rest damping", self.rest_damping),
            ("fall gravity", self.fall_gravity),
            ("tumble", self.tumble),
        ] {
            within(field, value, (0.0, 1e6), "0 to 1e6")?;
        }
        Ok(())
    }

    /// Number of rocks: `N = φ V / (π d³/6)` with the mean cube of the sizes.
    ///
    /// # Errors
    /// A bad grading; fewer than one rock, or a layer thinner than the largest of a thousand sizes: flat rocks of that
    /// volume may lie in it, but not the equant ones that the cells are.
    pub fn count(&self) -> Result<usize, DemError> {
        self.check()?;
        let sample = self.grading.sample()?;
        let volume = std::f64::consts::PI / 6.0 * sample.mean_cube;
        let count = (self.solid_fraction * self.edges.element_product() / volume).round() as usize;
        if count == 0 || self.edges.min_element() < sample.largest {
            return Err(DemError::ContainerTooSmall {
                found: self.edges.to_array(),
                needed: [sample.largest; 3],
            });
        }
        // A typing error of three zeros must not ask for all the memory there is.
        if count > MOST_ROCKS {
            return Err(OutOfRange::new("number of rocks", count, "up to 10 million").into());
        }
        Ok(count)
    }

    /// A name for this specification: packings with the same name are the same bit for bit.
    #[must_use]
    pub fn hash(&self) -> u64 {
        let mut hash = WordDigest::new(HASH_KEY);
        // Raised whenever the making of a layer changes.
        hash.word(2);
        hash.numbers(&self.edges.to_array());
        match &self.grading {
            Grading::Normal { mean, spread } => hash.numbers(&[1.0, *mean, *spread]),
            Grading::Classes(classes) => {
                hash.numbers(&[2.0, classes.len() as f64]);
                for c in classes {
                    hash.numbers(&[c.low, c.high, c.share]);
                }
            }
        }
        let law = &self.law;
        hash.numbers(&[
            self.solid_fraction,
            self.start_fraction,
            self.density,
            self.step_ratio,
            self.fall_time,
            self.wall_speed,
            self.rest_time,
            self.rest_damping,
            self.fall_gravity,
            self.tumble,
            law.normal_stiffness(),
            law.exponent(),
            law.restitution(),
            law.friction(),
            law.tangential_stiffness(),
        ]);
        hash.word(match law.release() {
            Release::NoTension => 0,
            Release::ZeroOverlap => 1,
        });
        hash.word(u64::from(self.relaxations));
        hash.word(self.seed);
        hash.finish()
    }
}

/// A layer at rest.
#[derive(Clone, Debug)]
pub struct Packing {
    /// Edge lengths, m.
    pub edges: DVec3,
    /// The rocks.
    pub particles: Vec<Particle>,
    /// Where they lie.
    pub motions: Vec<Motion>,
    /// Hash of the specification.
    pub spec_hash: u64,
}

/// What a layer is like.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PackingReport {
    /// Number of rocks.
    pub rocks: usize,
    /// One less the volume of rock over that of the box. Overlaps count twice.
    pub porosity: f64,
    /// Mean number of contacts of a rock.
    pub coordination: f64,
    /// Mean and standard deviation of the size, m.
    pub mean_size: f64,
    /// m.
    pub size_deviation: f64,
    /// Mean overlap of the contacts over the mean size.
    pub mean_overlap: f64,
    /// Largest overlap over the mean size.
    pub largest_overlap: f64,
    /// Mean square root speed, m/s.
    pub speed: f64,
    /// Hash of the state.
    pub hash: u64,
}

/// How far the making of a layer is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PackingProgress {
    /// Done, 0 to 1.
    pub fraction: f64,
    /// Height of the top wall, m.
    pub height: f64,
    /// Mean number of contacts.
    pub coordination: f64,
}

impl Packing {
    /// Makes a layer. `progress` is told about every fiftieth step.
    ///
    /// # Errors
    /// A bad specification, a box too small, over 1e9 steps, a step that diverges.
    pub fn make(
        spec: &PackingSpec,
        mut progress: impl FnMut(PackingProgress),
    ) -> Result<Self, DemError> {
        let (mut world, height) = loose(spec)?;
        let press = (height - spec.edges.z) / spec.wall_speed;
        let total = spec.fall_time + press + spec.rest_time;
        steps_within("steps of the making of a layer", total, world.settings.step)?;
        let mut run = |world: &mut World, until: f64| -> Result<(), DemError> {
            while world.time < until {
                for _ in 0..50 {
                    if world.time < until {
                        world.step()?;
                    }
                }
                progress(PackingProgress {
                    fraction: (world.time / total).min(1.0),
                    height: -world.walls[5].plane.offset,
                    coordination: world.coordination(),
                });
            }
            Ok(())
        };
        run(&mut world, spec.fall_time)?;
        world.set_wall_speed(5, spec.wall_speed)?;
        run(&mut world, spec.fall_time + press)?;
        world.set_wall_speed(5, 0.0)?;
        world.walls[5].plane.offset = -spec.edges.z;
        // First still under the strong gravity, so that what the wall threw up comes down; then to rest.
        run(&mut world, spec.fall_time + press + 0.4 * spec.rest_time)?;
        world.settings.damping_rate = spec.rest_damping;
        world.settings.gravity = DVec3::NEG_Z * 9.81;
        run(&mut world, total)?;
        let mut motions = world.motions;
        for m in &mut motions {
            m.velocity = DVec3::ZERO;
            m.rotation.momentum = DVec3::ZERO;
        }
        Ok(Self {
            edges: spec.edges,
            particles: world.particles,
            motions,
            spec_hash: spec.hash(),
        })
    }

    /// Sizes of the rocks, m.
    pub fn sizes(&self) -> impl Iterator<Item = f64> + '_ {
        self.particles
            .iter()
            .map(|p| libm::cbrt(6.0 * p.shape.volume() / std::f64::consts::PI))
    }

    /// Porosity, contacts and overlaps, under `law`.
    ///
    /// # Errors
    /// None for a packing that was made or loaded here.
    pub fn report(&self, law: &PenaltyLaw) -> Result<PackingReport, DemError> {
        let laws = LawTable::new(1, *law)?;
        let walls = Wall::box_sides(DVec3::ZERO, self.edges, 0)?;
        let mut settings = Settings::new(1e-9);
        settings.skin = 0.0;
        let world = World::new(
            self.particles.clone(),
            self.motions.clone(),
            walls,
            laws,
            settings,
        )?;
        let n = self.particles.len().max(1) as f64;
        let mean_size = self.sizes().sum::<f64>() / n;
        let variance = self.sizes().map(|d| (d - mean_size).powi(2)).sum::<f64>() / n;
        let volume: f64 = self.particles.iter().map(|p| p.shape.volume()).sum();
        let depths: Vec<f64> = world.contacts().map(|c| c.depth).collect();
        let square: f64 = self
            .motions
            .iter()
            .map(|m| m.velocity.length_squared())
            .sum();
        Ok(PackingReport {
            rocks: self.particles.len(),
            porosity: 1.0 - volume / self.edges.element_product(),
            coordination: world.coordination(),
            mean_size,
            size_deviation: variance.sqrt(),
            mean_overlap: depths.iter().sum::<f64>() / depths.len().max(1) as f64 / mean_size,
            largest_overlap: depths.iter().copied().fold(0.0, f64::max) / mean_size,
            speed: (square / n).sqrt(),
            hash: world.hash(),
        })
    }
}

/// The loose rocks in their high box, and its height.
fn loose(spec: &PackingSpec) -> Result<(World, f64), DemError> {
    let count = spec.count()?;
    let mut edges = spec.edges;
    edges.z *= spec.solid_fraction / spec.start_fraction;
    let Fill {
        particles,
        mut motions,
        edges: box_edges,
    } = fill(&Request {
        edges,
        count,
        grading: &spec.grading,
        relaxations: spec.relaxations,
        density: spec.density,
        seed: spec.seed,
    })?;
    let mut rng = Streams::new(spec.seed).rng(Purpose::Velocity, 0);
    for (m, p) in motions.iter_mut().zip(&particles) {
        let mut draw = || 2.0 * open_uniform(&mut rng) - 1.0;
        let axis = DVec3::new(draw(), draw(), draw()).normalize_or_zero();
        m.rotation.momentum = p.inertia * axis * spec.tumble;
    }
    let walls = Wall::box_sides(DVec3::ZERO, box_edges, 0)?;
    // The limit does not depend on the step; a tiny one keeps the neighbour list of this world short.
    let mut settings = Settings::new(1e-12);
    settings.gravity = DVec3::NEG_Z * spec.fall_gravity;
    settings.mend_switches = false;
    settings.mend_walls = false;
    let laws = LawTable::new(1, spec.law)?;
    let limit = World::new(
        particles.clone(),
        motions.clone(),
        vec![],
        laws.clone(),
        settings,
    )?
    .stability_limit();
    settings.step = spec.step_ratio * limit;
    settings.skin = 0.05 * libm::cbrt(spec.grading.sample()?.mean_cube);
    let world = World::new(particles, motions, walls, laws, settings)?;
    world.check_start(1e-9 * box_edges.max_element())?;
    Ok((world, box_edges.z))
}
