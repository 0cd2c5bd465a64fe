//! Many particles, walls, and the step.
//!
//! Central differences in kick–drift–kick form: half a kick, a free drift (see [`crate::Rotation`]), the forces, half a
//! kick. Second order, and for elastic frictionless contacts symplectic between the kinks of the law.
//! The forces are those of `forces.rs`.

use super::load::{Load, corrections};
use crate::error::DemError;
use crate::laws::LawTable;
use crate::link::{Link, Options};
use crate::neighbours::{NeighbourList, way};
use crate::particle::{Motion, Particle};
use crate::settings::{Settings, steps_within};
use crate::wall::{Wall, WallLink};
use glam::DVec3;
use klast_dynamics::Twist;
use klast_geometry::{NarrowPhase, Plane, Pose};
use klast_numerics::OutOfRange;
use klast_numerics::check::within;
use rayon::prelude::*;

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
    pub(crate) loads: Vec<Option<Load>>,
    pub(crate) wall_links: Vec<WallLink>,
    /// Workspace of the search of contacts, kept from step to step.
    pub(crate) workspaces: Vec<NarrowPhase>,
    pub(crate) poses: Vec<Pose>,
    pub(crate) before: Vec<Pose>,
    /// Bound of the way any point of each particle has gone, m.
    pub(crate) travel: Vec<f64>,
    /// Force and torque (world) on each particle at the present state, without gravity.
    pub(crate) totals: Vec<Total>,
    /// Velocities at mid-step and predicted for the end of the step.
    pub(crate) half: Vec<Twist>,
    pub(crate) now: Vec<Twist>,
}

/// What acts on one particle.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Total {
    /// Contact force, N.
    pub force: DVec3,
    /// Contact torque about the mass centre, N m.
    pub torque: DVec3,
}

/// Particles, motions and walls that belong together and are within their limits.
fn check(
    particles: &[Particle],
    motions: &[Motion],
    walls: &[Wall],
    materials: usize,
) -> Result<(), DemError> {
    if particles.len() != motions.len() {
        return Err(
            OutOfRange::new("number of motions", motions.len(), "one for each particle").into(),
        );
    }
    if particles.len() >= 1 << 31 {
        return Err(OutOfRange::new("number of particles", particles.len(), "below 2^31").into());
    }
    let found = particles.iter().map(|p| p.material);
    for found in found.chain(walls.iter().map(|w| w.material)) {
        if found >= materials {
            return Err(OutOfRange::new(
                "material",
                found,
                "below the number of materials in the table of laws",
            )
            .into());
        }
    }
    if let Some(bad) = motions.iter().position(|m| !m.is_finite()) {
        return Err(OutOfRange::new("particle whose state is not finite", bad, "none").into());
    }
    particles.iter().try_for_each(Particle::check)?;
    for wall in walls {
        let Plane { normal, offset } = wall.plane;
        within("wall offset", offset, (-1e12, 1e12), "-1e12 to 1e12 m")?;
        within("wall speed", wall.speed, (-1e12, 1e12), "-1e12 to 1e12 m/s")?;
        let unit = "1 within 1e-9: a unit vector";
        within(
            "length of a wall's normal",
            normal.length(),
            (1.0 - 1e-9, 1.0 + 1e-9),
            unit,
        )?;
    }
    for m in motions {
        let length = m.rotation.orientation.length();
        let unit = "1 within 1e-6: a unit quaternion";
        within(
            "length of the orientation",
            length,
            (1.0 - 1e-6, 1.0 + 1e-6),
            unit,
        )?;
    }
    Ok(())
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
        check(&particles, &motions, &walls, laws.count())?;
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
            workspaces: Vec::new(),
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
            mend_walls: false,
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
            mend_walls: self.settings.mend_walls,
        });
        self.second_kick(h);
        Ok(())
    }

    /// Advances to the first step at or after `time`.
    ///
    /// # Errors
    /// As [`Self::step`]; a time that is not finite or over 1e9 steps away.
    pub fn run_until(&mut self, time: f64) -> Result<(), DemError> {
        steps_within("steps of the run", time - self.time, self.settings.step)?;
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
            wall_links,
            walls,
            ..
        } = self;
        let mend = settings.mend_switches;
        let mend_walls = settings.mend_walls && !walls.is_empty();
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
                if mend_walls {
                    let own = i * walls.len()..(i + 1) * walls.len();
                    let links = wall_links.get(own).unwrap_or(&[]);
                    for c in links.iter().filter_map(|link| link.correction) {
                        m.velocity += c.impulse / p.mass;
                        let arm = c.point - poses[i].translation;
                        m.rotation.kick(arm.cross(c.impulse) + c.couple);
                    }
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
