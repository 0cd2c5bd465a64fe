//! Calibration against observed runs: release, rock and place of rest known, ground parameters not.
//!
//! The procedure is a search over candidates that any reader can repeat: candidates are points of a rank-one lattice in the box of parameters (Korobov; even
//! cover, no chance), each is run for every observed release with the same random streams, and scored by the mean of CRPS of the runout and plan error.
//! Leave-one-out takes, for each run, the candidate that is best on all the other runs.

use crate::lumped::Roughness;
use crate::rigid::VegetationDrag;
use crate::score::{crps, plan_error};
use crate::seeder::random_rotation;
use crate::{Ground, Outcome, RigidRock, RockfallError, SlopeMaterial, StopConditions};
use glam::{DVec2, DVec3};
use klast_dynamics::{Body, Distribution, Family, Purpose, State, Streams, Twist};
use klast_geometry::terrain::Terrain;
use klast_geometry::{Pose, Solid};
use std::ops::ControlFlow;

/// One observed run, in local coordinates of the terrain.
#[derive(Debug, Clone, PartialEq)]
pub struct ObservedRun {
    /// Name.
    pub name: String,
    /// Release in plan (m).
    pub release: DVec2,
    /// Velocity at release (m/s).
    pub velocity: DVec3,
    /// Rock, by index into the list of bodies.
    pub rock: usize,
    /// Place of rest in plan (m).
    pub deposition: DVec2,
}

impl ObservedRun {
    /// Distance in plan from release to rest (m).
    pub fn runout(&self) -> f64 {
        self.release.distance(self.deposition)
    }
}

/// A set of ground parameters.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Candidate {
    /// Mean normal restitution R_n.
    pub normal_restitution: f64,
    /// Mean friction μ.
    pub friction: f64,
    /// Standard deviation of μ between runs, as a share of its mean.
    pub friction_spread: f64,
    /// Standard deviation of the roughness angle (rad).
    pub roughness: f64,
    /// Drag near the ground per mass, c_d/m (1/s): grass, soil and shrubs.
    pub drag: f64,
    /// Standard deviation of the drag between rocks, as a share of its mean.
    pub drag_spread: f64,
}

/// Least and greatest value of each parameter.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SearchBox {
    /// Least values.
    pub lower: Candidate,
    /// Greatest values.
    pub upper: Candidate,
}

impl SearchBox {
    /// `count` candidates on a lattice through the box.
    pub fn candidates(&self, count: usize) -> Vec<Candidate> {
        // Fractional parts of multiples of the powers of the root of x⁷ = x + 1: the generalised golden ratio of six dimensions, evenly spread for every count.
        let golden = 1.112_775_684_278_705_5_f64;
        let place =
            |k: usize, d: i32| (0.5 + (k + 1) as f64 / libm::pow(golden, f64::from(d))).fract();
        let between = |k, d, a: f64, b: f64| a + (b - a) * place(k, d);
        let (a, b) = (&self.lower, &self.upper);
        (0..count)
            .map(|k| Candidate {
                normal_restitution: between(k, 1, a.normal_restitution, b.normal_restitution),
                friction: between(k, 2, a.friction, b.friction),
                friction_spread: between(k, 3, a.friction_spread, b.friction_spread),
                roughness: between(k, 4, a.roughness, b.roughness),
                drag: between(k, 5, a.drag, b.drag),
                drag_spread: between(k, 6, a.drag_spread, b.drag_spread),
            })
            .collect()
    }
}

impl Candidate {
    /// The material of these parameters.
    pub fn material(&self) -> Result<SlopeMaterial, RockfallError> {
        let make = |field, family, low, high| {
            Distribution::truncated(family, low, high)
                .map_err(|source| RockfallError::Distribution { field, source })
        };
        let normal = |mean, sd| Family::Normal { mean, sd };
        let (mu, spread) = (self.friction, self.friction * self.friction_spread);
        Ok(SlopeMaterial {
            normal_restitution: make(
                "normal_restitution",
                normal(self.normal_restitution, 0.05),
                0.0,
                1.0,
            )?,
            friction: make("friction", normal(mu, spread), 0.1 * mu, 2.0 * mu)?,
            roughness: make("roughness", normal(0.0, self.roughness), -1.2, 1.2)?,
            ..SlopeMaterial::constant("calibrated", self.normal_restitution, 0.0, mu)
        })
    }
}

/// Terrain, rocks and runs of a field campaign.
pub struct Campaign<'a> {
    /// The ground.
    pub terrain: &'a dyn Terrain,
    /// The rocks.
    pub bodies: Vec<Body>,
    /// The runs.
    pub runs: Vec<ObservedRun>,
    /// Stop conditions.
    pub stop: StopConditions,
    /// Step of the motion in contact (s).
    pub contact_step: f64,
    /// Height over the ground up to which drag acts on the mass centre (m).
    pub drag_height: f64,
    /// Seed.
    pub seed: u64,
}

impl Campaign<'_> {
    /// Drag for one rock: its mean times a factor drawn for the rock.
    fn drag(
        &self,
        candidate: &Candidate,
        body: &Body,
        streams: &Streams,
        index: u64,
    ) -> Option<VegetationDrag> {
        let spread = candidate.drag_spread;
        let factor = Distribution::truncated(
            Family::Normal {
                mean: 1.0,
                sd: spread,
            },
            0.1,
            3.0,
        )
        .ok()?;
        let factor = factor.sample(&mut streams.rng(Purpose::Custom(1), index));
        let coefficient = candidate.drag * factor * body.mass();
        (coefficient > 0.0).then_some(VegetationDrag {
            coefficient,
            height: self.drag_height,
        })
    }

    /// Places of rest of rock `index` of a run under a candidate; a rock that leaves the map rests where it left.
    pub fn simulate(
        &self,
        candidate: &Candidate,
        run: usize,
        index: u64,
    ) -> Result<(DVec2, Outcome), RockfallError> {
        let ground = Ground::uniform(candidate.material()?)?;
        let observed = self.runs.get(run).ok_or(RockfallError::Count {
            field: "run",
            found: run,
            accepted: format!("below {}", self.runs.len()),
        })?;
        let body = self.bodies.get(observed.rock).ok_or(RockfallError::Count {
            field: "rock",
            found: observed.rock,
            accepted: format!("below {}", self.bodies.len()),
        })?;
        let streams = Streams::new(self.seed);
        // Runs share no streams: each has its own block of indices.
        let index = (run as u64) << 32 | index;
        let samples = ground.sample(&mut streams.rng(Purpose::Material, index));
        let roughness: Roughness =
            (candidate.roughness > 0.0).then(|| streams.rng(Purpose::Roughness, index));
        let rotation = random_rotation(&mut streams.rng(Purpose::Attitude, index));
        let height = self
            .terrain
            .surface(observed.release.x, observed.release.y)
            .map(|s| s.height);
        let height = height.ok_or(RockfallError::OffMap {
            what: "release of a run",
            x: observed.release.x,
            y: observed.release.y,
        })?;
        // Released from the hand: a rock's radius and a little over the ground, so that no corner starts inside it.
        let centre = observed
            .release
            .extend(height + 1.2 * body.shape().radius());
        let start = State {
            pose: Pose {
                rotation,
                translation: centre,
            },
            velocity: Twist {
                linear: observed.velocity,
                angular: DVec3::ZERO,
            },
        };
        let engine = RigidRock {
            terrain: self.terrain,
            ground: &ground,
            stop: &self.stop,
            gravity: DVec3::new(0.0, 0.0, -9.81),
            contact_step: self.contact_step,
            scarring: None,
            drag: self.drag(candidate, body, &streams, index),
        };
        let (outcome, end, _) = engine.run(body, &samples, start, roughness, &mut |_| {
            ControlFlow::Continue(())
        });
        Ok((end.pose.translation.truncate(), outcome))
    }
}

/// Scores of one candidate on one run.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Score {
    /// CRPS of the runout (m).
    pub crps: f64,
    /// Mean distance in plan to the observed place of rest (m).
    pub plan: f64,
}

impl Score {
    /// The score of places of rest; `None` without any.
    pub fn of(places: &[DVec2], run: &ObservedRun) -> Option<Self> {
        let runouts: Vec<f64> = places.iter().map(|p| p.distance(run.release)).collect();
        Some(Score {
            crps: crps(&runouts, run.runout())?,
            plan: plan_error(places, run.deposition)?,
        })
    }

    /// What the calibration makes small: the sum of both, in metres.
    pub fn loss(&self) -> f64 {
        self.crps + self.plan
    }
}

/// Number of the candidate with the least mean loss over all runs but one (or all, for `None`). `scores[candidate][run]`.
pub fn best_candidate(scores: &[Vec<Score>], left_out: Option<usize>) -> Option<usize> {
    let loss = |runs: &Vec<Score>| -> f64 {
        runs.iter()
            .enumerate()
            .filter(|(k, _)| Some(*k) != left_out)
            .map(|(_, s)| s.loss())
            .sum()
    };
    (0..scores.len()).min_by(|&a, &b| loss(&scores[a]).total_cmp(&loss(&scores[b])))
}

/// Null model: the training runs' own runouts from the release along a constant direction (unit vector in plan).
pub fn null_places(runs: &[ObservedRun], left_out: usize, direction: DVec2) -> Vec<DVec2> {
    let Some(target) = runs.get(left_out) else {
        return Vec::new();
    };
    let training = runs.iter().enumerate().filter(|(k, _)| *k != left_out);
    training
        .map(|(_, run)| target.release + direction * run.runout())
        .collect()
}

/// Mean direction in plan of all runs but one.
pub fn mean_direction(runs: &[ObservedRun], left_out: usize) -> DVec2 {
    let training = runs.iter().enumerate().filter(|(k, _)| *k != left_out);
    training
        .map(|(_, r)| (r.deposition - r.release).normalize_or_zero())
        .sum::<DVec2>()
        .normalize_or_zero()
}

/// A rock from its three measured sizes (m), mass (kg) and density (kg/m³): a box of the measured proportions with the volume of the mass. The measured sizes
/// are outer ones and a rock fills about half of their box, so the box is smaller; it keeps the corners that make a rock tumble and stop, where a
/// rounder body of the same sizes and mass rolls on and on.
pub fn box_of_mass(sizes: DVec3, mass: f64, density: f64) -> Result<Body, RockfallError> {
    crate::error::within("mass", mass, mass > 0.0, "above 0 kg")?;
    crate::error::within("density", density, density > 0.0, "above 0 kg/m³")?;
    Ok(Body::uniform(
        &Solid::Box { edges: sizes }.with_volume(mass / density)?,
        density,
    )?)
}
