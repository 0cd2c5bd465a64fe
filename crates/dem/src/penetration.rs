//! A projectile through a layer of rock: the run and its record.

use crate::error::DemError;
use crate::laws::LawTable;
use crate::packing::Packing;
use crate::particle::Motion;
use crate::settings::Settings;
use crate::shot::Shot;
use crate::wall::Wall;
use crate::world::World;
use glam::DVec3;
use klast_geometry::Pose;

/// One line of the history.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Sample {
    /// s.
    pub time: f64,
    /// Distance of the tip behind the face x = 0, m.
    pub tip: f64,
    /// m/s.
    pub velocity: DVec3,
    /// Contact force on the projectile, N.
    pub force: DVec3,
    /// Part of the force against the velocity, N.
    pub resistance: f64,
    /// Angle of the velocity against its first direction, rad.
    pub velocity_deflection: f64,
    /// Angle of the axis against its first direction, rad.
    pub axis_deflection: f64,
    /// Rocks that touch the projectile.
    pub contacts: usize,
    /// Total energy of projectile and rocks, J.
    pub energy: f64,
}

/// Result of a shot.
#[derive(Clone, Debug, PartialEq)]
pub struct Penetration {
    /// History.
    pub samples: Vec<Sample>,
    /// When the tip passes the face x = 0, s.
    pub strike: f64,
    /// When the tip passes the far face, s, if it does.
    pub exit: Option<f64>,
    /// When the middle of the base passes the far face, s, if it does: the projectile is then through.
    pub through: Option<f64>,
    /// `strike + ∫ dx / v_x` over the layer, s: must agree with `exit`.
    pub exit_by_integral: f64,
    /// Speed when the projectile is through, or at the end, m/s.
    pub residual: f64,
    /// Angle of the velocity then, rad.
    pub velocity_deflection: f64,
    /// Angle of the axis then, rad.
    pub axis_deflection: f64,
    /// Lateral distance (m) of the rocks that moved by over a twentieth of their size, 95 % quantile.
    pub affected_radius: f64,
    /// Standard deviation of the resistance over its mean, while the tip is inside.
    pub fluctuation: f64,
    /// Mean resistance while the tip is inside, N.
    pub mean_resistance: f64,
    /// Largest resistance, N.
    pub peak_resistance: f64,
    /// Largest `|E/E₀ − 1|`.
    pub energy_drift: f64,
    /// Change of the linear momentum over its first value (gravity taken off); meant without walls.
    pub momentum_drift: f64,
    /// Steps taken.
    pub steps: usize,
    /// Hash of the last state.
    pub hash: u64,
}

/// A shot in progress: rocks and the projectile as the last particle.
#[derive(Clone, Debug)]
pub struct Flight {
    shot: Shot,
    world: World,
    layer: DVec3,
    tip_ahead: f64,
    start: Vec<DVec3>,
    energy: f64,
    momentum: DVec3,
    samples: Vec<Sample>,
    exit: Option<f64>,
    through: Option<f64>,
    strike: Option<f64>,
    travel_time: f64,
    resistance: Resistance,
    energy_drift: f64,
    steps: usize,
}

/// Moments of the resistance over the steps with the tip in the layer.
#[derive(Clone, Copy, Debug, Default)]
struct Resistance {
    steps: usize,
    mean: f64,
    /// Sum of the squared deviations from the mean (Welford 1962).
    squares: f64,
    peak: f64,
}

impl Resistance {
    fn enter(&mut self, value: f64) {
        self.steps += 1;
        let off = value - self.mean;
        self.mean += off / self.steps as f64;
        self.squares += off * (value - self.mean);
        self.peak = self.peak.max(value);
    }

    /// Standard deviation over mean.
    fn fluctuation(&self) -> f64 {
        if self.mean > 0.0 {
            (self.squares / self.steps as f64).sqrt() / self.mean
        } else {
            0.0
        }
    }
}

impl Flight {
    /// Puts the projectile before the layer.
    ///
    /// # Errors
    /// A shot that is none; a projectile that stands in the layer at the start.
    pub fn new(layer: &Packing, shot: &Shot) -> Result<Self, DemError> {
        shot.check()?;
        let (projectile, centre) = shot.ogive.particle(shot.cavity, 1)?;
        let edges = layer.edges;
        let position = DVec3::new(-shot.standoff - centre, 0.5 * edges.y, 0.5 * edges.z);
        let mut motion = Motion::at(&Pose::from_translation(position));
        motion.velocity = DVec3::X * shot.speed;
        let mut particles = layer.particles.clone();
        let mut motions = layer.motions.clone();
        let size = particles
            .iter()
            .map(|p| p.shape.radius())
            .fold(f64::INFINITY, f64::min);
        particles.push(projectile);
        motions.push(motion);
        let start = motions.iter().map(|m| m.position).collect();
        let walls = if shot.walls {
            // Sides −y, +y and the floor.
            Wall::box_sides(DVec3::ZERO, edges, 0)?[2..5].to_vec()
        } else {
            Vec::new()
        };
        let mut settings = Settings::new(shot.step);
        settings.gravity = DVec3::NEG_Z * shot.gravity;
        settings.mend_switches = shot.mend_switches;
        // Rocks at rest on the floor; the published shots were made so.
        settings.mend_walls = false;
        settings.skin = 0.2 * size;
        settings.horizon = 12;
        let laws = LawTable::new(2, shot.rock_law)?.with(0, 1, shot.projectile_law)?;
        let world = World::new(particles, motions, walls, laws, settings)?;
        let projectile = world.particles.len() - 1;
        if let Some(c) = world.contacts().find(|c| c.second == projectile) {
            return Err(DemError::OverlappingStart {
                first: c.first,
                second: c.second,
                depth: c.depth,
                accepted: 0.0,
                count: 1,
            });
        }
        let mut flight = Self {
            shot: *shot,
            layer: edges,
            tip_ahead: centre,
            start,
            energy: world.energy().total(),
            momentum: world.momentum().0,
            samples: Vec::new(),
            exit: None,
            through: None,
            strike: None,
            travel_time: 0.0,
            resistance: Resistance::default(),
            energy_drift: 0.0,
            steps: 0,
            world,
        };
        flight.samples.push(flight.sample());
        Ok(flight)
    }

    /// The world as it is.
    #[must_use]
    pub fn world(&self) -> &World {
        &self.world
    }

    fn projectile(&self) -> usize {
        self.world.particles.len() - 1
    }

    /// Position of the tip, m.
    #[must_use]
    pub fn tip(&self) -> DVec3 {
        let m = &self.world.motions[self.projectile()];
        m.pose().transform_point(DVec3::X * self.tip_ahead)
    }

    fn base(&self) -> DVec3 {
        let m = &self.world.motions[self.projectile()];
        m.pose()
            .transform_point(DVec3::X * (self.tip_ahead - self.shot.ogive.length))
    }

    fn tip_velocity(&self) -> DVec3 {
        let k = self.projectile();
        let (m, p) = (&self.world.motions[k], &self.world.particles[k]);
        let arm = self.tip() - m.position;
        m.velocity + m.rotation.angular_velocity(p.inertia).cross(arm)
    }

    /// Whether the projectile has left the layer with its whole length, stands still, or the time is over.
    #[must_use]
    pub fn is_over(&self) -> bool {
        let m = &self.world.motions[self.projectile()];
        self.through.is_some()
            || m.velocity.x < 0.02 * self.shot.speed
            || self.world.time >= self.shot.longest
    }

    /// Share of the way done, 0 to 1.
    #[must_use]
    pub fn progress(&self) -> f64 {
        let way = self.shot.standoff + self.layer.x + self.shot.ogive.length;
        ((self.tip().x + self.shot.standoff) / way).clamp(0.0, 1.0)
    }

    /// One step.
    ///
    /// # Errors
    /// [`DemError::Diverged`].
    pub fn step(&mut self) -> Result<(), DemError> {
        let (before, base_before) = (self.tip().x, self.base().x);
        self.world.step()?;
        self.steps += 1;
        let (now, h) = (self.tip().x, self.shot.step);
        let crossing = |before: f64, now: f64, face: f64| {
            (before < face && now >= face)
                .then(|| self.world.time - h * (now - face) / (now - before))
        };
        self.strike = self.strike.or(crossing(before, now, 0.0));
        self.exit = self.exit.or(crossing(before, now, self.layer.x));
        self.through = self
            .through
            .or(crossing(base_before, self.base().x, self.layer.x));
        // dx / v over the part of this step inside the layer, v from the state at its end and not from the path.
        let inside = now.clamp(0.0, self.layer.x) - before.clamp(0.0, self.layer.x);
        let speed = self.tip_velocity().x;
        if inside > 0.0 {
            self.travel_time += inside / speed;
        }
        if (0.0..=self.layer.x).contains(&now) {
            self.resistance.enter(self.resistance_now());
        }
        let every = self.shot.record_every.max(1) as usize;
        if self.steps.is_multiple_of(every) {
            let sample = self.sample();
            self.energy_drift = self
                .energy_drift
                .max((sample.energy / self.energy - 1.0).abs());
            self.samples.push(sample);
        }
        Ok(())
    }

    /// Force against the projectile's motion (N).
    fn resistance_now(&self) -> f64 {
        let k = self.projectile();
        let force = self.world.contact_loads()[k].force;
        -force.dot(self.world.motions[k].velocity.normalize_or_zero())
    }

    fn sample(&self) -> Sample {
        let k = self.projectile();
        let m = &self.world.motions[k];
        let force = self.world.contact_loads()[k].force;
        let angle = |v: DVec3| libm::atan2(libm::hypot(v.y, v.z), v.x);
        Sample {
            time: self.world.time,
            tip: self.tip().x,
            velocity: m.velocity,
            force,
            resistance: self.resistance_now(),
            velocity_deflection: angle(m.velocity),
            axis_deflection: angle(m.rotation.orientation * DVec3::X),
            contacts: self.world.contacts().filter(|c| c.second == k).count(),
            energy: self.world.energy().total(),
        }
    }

    /// The result so far.
    #[must_use]
    pub fn result(&self) -> Penetration {
        let last = self.sample();
        let strike = self.strike.unwrap_or(f64::NAN);
        let mass: f64 = self.world.particles.iter().map(|p| p.mass).sum();
        let weight = self.world.settings.gravity * (mass * self.world.time);
        let change = self.world.momentum().0 - self.momentum - weight;
        Penetration {
            strike,
            exit: self.exit,
            through: self.through,
            exit_by_integral: strike + self.travel_time,
            residual: last.velocity.length(),
            velocity_deflection: last.velocity_deflection,
            axis_deflection: last.axis_deflection,
            affected_radius: self.affected_radius(),
            fluctuation: self.resistance.fluctuation(),
            mean_resistance: self.resistance.mean,
            peak_resistance: self.resistance.peak,
            energy_drift: self.energy_drift,
            momentum_drift: change.length() / self.momentum.length(),
            steps: self.steps,
            hash: self.world.hash(),
            samples: self.samples.clone(),
        }
    }

    /// 95 % quantile of the distance from the line of fire, over the rocks that moved by over 0.05 of their size.
    fn affected_radius(&self) -> f64 {
        let axis = self.start[self.projectile()];
        let mut distances: Vec<f64> = Vec::new();
        for (k, p) in self
            .world
            .particles
            .iter()
            .enumerate()
            .take(self.projectile())
        {
            let size = libm::cbrt(6.0 * p.shape.volume() / std::f64::consts::PI);
            if self.world.motions[k].position.distance(self.start[k]) > 0.05 * size {
                let from = self.start[k] - axis;
                distances.push(libm::hypot(from.y, from.z));
            }
        }
        distances.sort_by(f64::total_cmp);
        let at = (0.95 * distances.len() as f64) as usize;
        distances
            .get(at.min(distances.len().saturating_sub(1)))
            .copied()
            .unwrap_or(0.0)
    }

    /// Runs to the end; `progress` hears about every twentieth step.
    ///
    /// # Errors
    /// As [`Self::step`].
    pub fn run(mut self, mut progress: impl FnMut(&Self)) -> Result<Penetration, DemError> {
        while !self.is_over() {
            self.step()?;
            if self.steps.is_multiple_of(20) {
                progress(&self);
            }
        }
        Ok(self.result())
    }
}
