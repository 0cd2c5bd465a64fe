//! Many particles, walls, and the step.
//!
//! Central differences in kick–drift–kick form: half a kick, a free drift (see [`crate::Rotation`]), the forces, half a
//! kick. Second order, and for elastic frictionless contacts symplectic between the kinks of the law.
//!
//! Forces of pairs are found in parallel, each into its own slot; then each particle adds its slots in the order of the
//! list. No sum depends on threads, so the bits are the same on any number of them.

use crate::error::{DemError, within};
use crate::laws::LawTable;
use crate::link::{Link, Load, Options, Side, Twist, evaluate};
use crate::neighbours::{NeighbourList, way};
use crate::particle::{Motion, Particle};
use crate::wall::Wall;
use glam::DVec3;
use klast_geometry::{NarrowPhase, Pose};
use rayon::prelude::*;

/// How a world is stepped.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Settings {
    /// Step, s.
    pub step: f64,
    /// m/s².
    pub gravity: DVec3,
    /// Viscous damping coefficient c of `m ü + c u̇ = F`, kg/s; translation only.
    pub viscous: f64,
    /// Damping rate of all momenta, 1/s: for settling.
    pub damping_rate: f64,
    /// Extra reach of the neighbour list, m.
    pub skin: f64,
    /// How many steps ahead the neighbour list allows for at present speeds.
    pub horizon: u32,
    /// Mend kinks and jumps of the law inside a step; see the theory chapter.
    pub mend_switches: bool,
}

impl Settings {
    /// A step and nothing else: no gravity, no damping, kinks mended.
    #[must_use]
    pub fn new(step: f64) -> Self {
        Self {
            step,
            gravity: DVec3::ZERO,
            viscous: 0.0,
            damping_rate: 0.0,
            skin: 0.0,
            horizon: 10,
            mend_switches: true,
        }
    }

    fn check(&self) -> Result<(), DemError> {
        within("step", self.step, (f64::MIN_POSITIVE, 1e6), "> 0 s")?;
        within("gravity", self.gravity.length(), (0.0, 1e6), "finite")?;
        within("viscous", self.viscous, (0.0, f64::MAX), ">= 0 kg/s")?;
        within(
            "damping rate",
            self.damping_rate,
            (0.0, f64::MAX),
            ">= 0 1/s",
        )?;
        within("skin", self.skin, (0.0, 1e6), ">= 0 m")?;
        Ok(())
    }
}

/// Particles and walls in time.
#[derive(Clone, Debug)]
pub struct World {
    pub(crate) particles: Vec<Particle>,
    pub(crate) motions: Vec<Motion>,
    pub(crate) walls: Vec<Wall>,
    pub(crate) laws: LawTable,
    pub(crate) settings: Settings,
    pub(crate) time: f64,
    pub(crate) neighbours: NeighbourList,
    pub(crate) links: Vec<Link>,
    loads: Vec<Option<Load>>,
    pub(crate) wall_links: Vec<WallLink>,
    poses: Vec<Pose>,
    before: Vec<Pose>,
    /// Bound of the way any point of each particle has gone, m.
    travel: Vec<f64>,
    /// Force and torque (world) on each particle at the present state, without gravity.
    totals: Vec<Total>,
    /// Velocities at mid-step and predicted for the end of the step.
    half: Vec<Twist>,
    now: Vec<Twist>,
}

/// What acts on one particle.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Total {
    /// Contact force, N.
    pub force: DVec3,
    /// Contact torque about the centre of mass, N m.
    pub torque: DVec3,
}

/// Memory and load of one particle at one wall.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct WallLink {
    pub spring: DVec3,
    pub force: DVec3,
    pub potential: f64,
}

impl World {
    /// A world at time 0.
    ///
    /// # Errors
    /// Counts that do not match, a material without a law, a state that is not finite, bad settings.
    pub fn new(
        particles: Vec<Particle>,
        motions: Vec<Motion>,
        walls: Vec<Wall>,
        laws: LawTable,
        settings: Settings,
    ) -> Result<Self, DemError> {
        settings.check()?;
        if particles.len() != motions.len() {
            return Err(DemError::Count {
                field: "motions",
                found: motions.len(),
                accepted: "one for each particle",
            });
        }
        if particles.len() >= 1 << 31 {
            return Err(DemError::Count {
                field: "particles",
                found: particles.len(),
                accepted: "below 2^31",
            });
        }
        let materials = particles.iter().map(|p| p.material);
        for found in materials.chain(walls.iter().map(|w| w.material)) {
            if found >= laws.count() {
                return Err(DemError::Count {
                    field: "material",
                    found,
                    accepted: "below the number of materials in the table of laws",
                });
            }
        }
        if let Some(bad) = motions.iter().position(|m| !m.is_finite()) {
            return Err(DemError::Count {
                field: "particle whose state is not finite",
                found: bad,
                accepted: "none",
            });
        }
        let n = particles.len();
        let poses: Vec<Pose> = motions.iter().map(Motion::pose).collect();
        let mut world = Self {
            before: poses.clone(),
            poses,
            travel: vec![0.0; n],
            wall_links: vec![WallLink::default(); n * walls.len()],
            totals: vec![Total::default(); n],
            half: vec![Twist::default(); n],
            now: vec![Twist::default(); n],
            particles,
            motions,
            walls,
            laws,
            settings,
            time: 0.0,
            neighbours: NeighbourList::default(),
            links: Vec::new(),
            loads: Vec::new(),
        };
        world.start();
        Ok(world)
    }

    /// Forces of the state as it is.
    pub(crate) fn start(&mut self) {
        for (i, m) in self.motions.iter().enumerate() {
            let twist = Twist {
                linear: m.velocity,
                angular: m.rotation.angular_velocity(self.particles[i].inertia),
            };
            self.half[i] = twist;
            self.now[i] = twist;
        }
        self.refresh_neighbours();
        // Nothing happened yet: no event to mend, no slip to add.
        self.forces(Options {
            step: 0.0,
            mend: false,
        });
    }

    /// Advances by one step.
    ///
    /// # Errors
    /// [`DemError::Diverged`] when a state stops being finite.
    pub fn step(&mut self) -> Result<(), DemError> {
        let h = self.settings.step;
        self.kick_and_drift(h);
        for wall in &mut self.walls {
            wall.advance(h);
        }
        self.time += h;
        if self.neighbours.is_stale(&self.particles, &self.motions) {
            self.check_finite()?;
            self.refresh_neighbours();
        }
        self.forces(Options {
            step: h,
            mend: self.settings.mend_switches,
        });
        self.second_kick(h);
        Ok(())
    }

    /// Advances to the first step at or after `time`.
    ///
    /// # Errors
    /// As [`Self::step`].
    pub fn run_until(&mut self, time: f64) -> Result<(), DemError> {
        // Half a step of slack: time is a sum of steps.
        while self.time < time - 0.5 * self.settings.step {
            self.step()?;
        }
        self.check_finite()
    }

    fn kick_and_drift(&mut self, h: f64) {
        let Self {
            particles,
            motions,
            totals,
            poses,
            before,
            travel,
            half,
            now,
            settings,
            ..
        } = self;
        std::mem::swap(poses, before);
        motions
            .par_iter_mut()
            .zip(particles.par_iter())
            .zip(totals.par_iter())
            .zip(poses.par_iter_mut().zip(travel.par_iter_mut()))
            .zip(half.par_iter_mut().zip(now.par_iter_mut()))
            .with_min_len(256)
            .for_each(|((((m, p), total), (pose, travel)), (half, now))| {
                let start = *m;
                damp(m, p, settings, 0.5 * h);
                let acceleration = total.force / p.mass + settings.gravity;
                m.velocity += acceleration * (0.5 * h);
                m.rotation.kick(total.torque * (0.5 * h));
                m.position += m.velocity * h;
                m.rotation.drift(p.inertia, h);
                *travel += way(&start, m, p.shape.radius());
                *pose = m.pose();
                half.linear = m.velocity;
                half.angular = m.rotation.angular_velocity(p.inertia);
                // The torque of the last step is the best guess of the one to come.
                let mut next = m.rotation;
                next.kick(total.torque * (0.5 * h));
                now.linear = m.velocity + acceleration * (0.5 * h);
                now.angular = next.angular_velocity(p.inertia);
            });
    }

    fn second_kick(&mut self, h: f64) {
        let Self {
            particles,
            motions,
            totals,
            settings,
            neighbours,
            loads,
            poses,
            ..
        } = self;
        let mend = settings.mend_switches;
        motions
            .par_iter_mut()
            .enumerate()
            .with_min_len(256)
            .for_each(|(i, m)| {
                let (p, total) = (&particles[i], &totals[i]);
                m.velocity += (total.force / p.mass + settings.gravity) * (0.5 * h);
                m.rotation.kick(total.torque * (0.5 * h));
                if mend {
                    let (impulse, turn) = corrections(i, neighbours, loads, &poses[i]);
                    m.velocity += impulse / p.mass;
                    m.rotation.kick(turn);
                }
                damp(m, p, settings, 0.5 * h);
            });
    }

    fn refresh_neighbours(&mut self) {
        let old = std::mem::take(&mut self.links);
        let old_pairs = self.neighbours.pairs().to_vec();
        let settings = &self.settings;
        let horizon = f64::from(settings.horizon) * settings.step;
        self.neighbours
            .build(&self.particles, &self.motions, settings.skin, horizon);
        self.links = self
            .neighbours
            .pairs()
            .par_iter()
            .with_min_len(1024)
            .map(|pair| {
                old_pairs
                    .binary_search(pair)
                    .map_or_else(|_| Link::default(), |k| old[k])
            })
            .collect();
        self.loads = vec![None; self.links.len()];
    }

    fn forces(&mut self, options: Options) {
        self.pair_loads(options);
        self.gather();
        if !self.walls.is_empty() {
            self.add_walls(options);
        }
    }

    /// The load of each pair, each in its own slot.
    fn pair_loads(&mut self, options: Options) {
        let mut links = std::mem::take(&mut self.links);
        let mut loads = std::mem::take(&mut self.loads);
        links
            .par_iter_mut()
            .zip(loads.par_iter_mut())
            .zip(self.neighbours.pairs().par_iter())
            .with_min_len(64)
            .for_each_init(NarrowPhase::default, |work, ((link, load), (i, j))| {
                let (a, b) = (self.side(*i as usize), self.side(*j as usize));
                let law = self.laws.between(a.material, b.material);
                *load = evaluate(&a, &b, law, options, link, work);
            });
        (self.links, self.loads) = (links, loads);
    }

    /// The sum of the slots of each particle, in the order of the list.
    fn gather(&mut self) {
        let (neighbours, loads, poses) = (&self.neighbours, &self.loads, &self.poses);
        self.totals
            .par_iter_mut()
            .enumerate()
            .with_min_len(128)
            .for_each(|(i, total)| {
                *total = Total::default();
                for (k, second) in neighbours.of(i) {
                    if let Some(load) = &loads[k] {
                        let force = if second { load.force } else { -load.force };
                        total.force += force;
                        total.torque += (load.point - poses[i].translation).cross(force);
                    }
                }
            });
    }

    fn add_walls(&mut self, options: Options) {
        let mut wall_links = std::mem::take(&mut self.wall_links);
        let mut totals = std::mem::take(&mut self.totals);
        wall_links
            .par_chunks_mut(self.walls.len())
            .zip(totals.par_iter_mut())
            .enumerate()
            .with_min_len(128)
            .for_each(|(i, (links, total))| {
                let side = self.side(i);
                for (wall, link) in self.walls.iter().zip(links) {
                    let law = self.laws.between(side.material, wall.material);
                    let load = wall.load(&side, law, options.step, &mut link.spring);
                    (link.force, link.potential) = (DVec3::ZERO, 0.0);
                    if let Some((force, point, potential)) = load {
                        (link.force, link.potential) = (force, potential);
                        total.force += force;
                        total.torque += (point - side.pose.translation).cross(force);
                    }
                }
            });
        (self.wall_links, self.totals) = (wall_links, totals);
    }

    fn side(&self, i: usize) -> Side<'_> {
        let particle = &self.particles[i];
        Side {
            shape: &particle.shape,
            mass: particle.mass,
            material: particle.material,
            pose: &self.poses[i],
            before: &self.before[i],
            travel: self.travel[i],
            now: self.now[i],
            half: self.half[i],
        }
    }

    fn check_finite(&self) -> Result<(), DemError> {
        match self.motions.iter().position(|m| !m.is_finite()) {
            None => Ok(()),
            Some(particle) => Err(DemError::Diverged {
                particle,
                time: self.time,
                step: self.settings.step,
                limit: self.stability_limit(),
            }),
        }
    }

    pub(crate) fn loads(&self) -> &[Option<Load>] {
        &self.loads
    }

    pub(crate) fn totals(&self) -> &[Total] {
        &self.totals
    }
}

/// Exact decay of the momenta over `time`.
fn damp(m: &mut Motion, p: &Particle, settings: &Settings, time: f64) {
    if settings.viscous == 0.0 && settings.damping_rate == 0.0 {
        return;
    }
    let rate = settings.damping_rate + settings.viscous / p.mass;
    m.velocity *= libm::exp(-rate * time);
    m.rotation.momentum *= libm::exp(-settings.damping_rate * time);
}

/// Sum of what the last step missed, for one particle.
fn corrections(
    i: usize,
    neighbours: &NeighbourList,
    loads: &[Option<Load>],
    pose: &Pose,
) -> (DVec3, DVec3) {
    let (mut impulse, mut turn) = (DVec3::ZERO, DVec3::ZERO);
    for (k, second) in neighbours.of(i) {
        if let Some(c) = loads[k].as_ref().and_then(|load| load.correction) {
            let sign = if second { 1.0 } else { -1.0 };
            impulse += c.impulse * sign;
            turn += ((c.point - pose.translation).cross(c.impulse) + c.couple) * sign;
        }
    }
    (impulse, turn)
}
