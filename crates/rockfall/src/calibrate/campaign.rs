//! The runs of a campaign, and what a set of parameters makes of them.

use super::{FieldRock, GroundSet, ParameterSet};
use crate::error::within;
use crate::rock_group::random_rotation;
use crate::{DragSample, Ground, Outcome, RigidRock, RockfallError, StopConditions};
use glam::{DVec2, DVec3};
use klast_dynamics::single::Workspace;
use klast_dynamics::{Body, State, Twist};
use klast_geometry::Pose;
use klast_geometry::terrain::Terrain;
use klast_sampling::{Purpose, Streams};
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
    /// Rock, by index into the list of rocks.
    pub rock: usize,
    /// Place of rest in plan (m).
    pub deposition: DVec2,
}

impl ObservedRun {
    /// Distance in plan from release to rest (m).
    pub fn runout(&self) -> f64 {
        self.release.distance(self.deposition)
    }

    /// A forecast place of rest with its runout times a factor ([`super::Fit::correction`]), moved along its own way
    /// from the release. Nothing holds it on the map.
    pub fn corrected(&self, place: DVec2, factor: f64) -> DVec2 {
        self.release + factor * (place - self.release)
    }
}

/// Terrain, rocks and runs of a field campaign.
pub struct Campaign<'a> {
    /// The ground.
    pub terrain: &'a dyn Terrain,
    /// The rocks.
    pub rocks: Vec<FieldRock>,
    /// The runs.
    pub runs: Vec<ObservedRun>,
    /// Stop conditions.
    pub stop: StopConditions,
    /// Longest step in sustained contact (s); none: the tolerance of the engine alone sets it.
    pub contact_step: Option<f64>,
    /// Height over the ground up to which drag acts on the mass centre (m).
    pub drag_height: f64,
    /// A rock that comes to rest nearer to its release than this (m) was not released: another attitude is tried. A
    /// campaign lists rocks that left.
    pub least_runout: f64,
    /// Seed.
    pub seed: u64,
}

/// A campaign with one set of parameters.
pub struct Trial<'a> {
    campaign: &'a Campaign<'a>,
    ground: Ground,
    // By rock.
    bodies: Vec<(Body, GroundSet)>,
}

/// Where a rock of a run came to rest.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rest {
    /// The place in plan (m).
    pub place: DVec2,
    /// How it ended.
    pub outcome: Outcome,
    /// Whether it left its release: none of the attitudes that were tried let it go otherwise.
    pub left: bool,
}

/// Attitudes that are tried for a rock that does not leave its release.
const ATTEMPTS: u64 = 20;
/// A rock is let go this high over the ground, in radii, so that no corner starts inside it.
const HELD: f64 = 1.2;

impl<'a> Campaign<'a> {
    /// Refuses a campaign without runs, and runs that point outside of the lists or are released where there is no
    /// ground.
    pub fn validate(&self) -> Result<(), RockfallError> {
        self.stop.validate()?;
        self.contact_step
            .map_or(Ok(()), crate::error::contact_step)?;
        within(
            "drag_height",
            self.drag_height,
            self.drag_height >= 0.0,
            "0 m or more",
        )?;
        within(
            "least_runout",
            self.least_runout,
            self.least_runout >= 0.0,
            "0 m or more",
        )?;
        if self.runs.len() < 2 {
            return Err(RockfallError::Count {
                field: "runs",
                found: self.runs.len(),
                accepted: "2 or more: each is forecast from the others".into(),
            });
        }
        for run in &self.runs {
            if run.rock >= self.rocks.len() {
                return Err(RockfallError::Count {
                    field: "rock of a run",
                    found: run.rock,
                    accepted: format!("below {}", self.rocks.len()),
                });
            }
            self.height(run)?;
        }
        Ok(())
    }

    fn height(&self, run: &ObservedRun) -> Result<f64, RockfallError> {
        let (x, y) = (run.release.x, run.release.y);
        let origin = self.terrain.origin();
        self.terrain
            .surface(x, y)
            .map(|s| s.height)
            .ok_or(RockfallError::OffMap {
                what: "release of a run",
                x: origin.x + x,
                y: origin.y + y,
                map: crate::release::map_of(self.terrain),
            })
    }

    /// Takes up a set of parameters.
    ///
    /// # Errors
    /// A rock of a class that the set does not have, or one that cannot be made.
    pub fn trial(&'a self, set: impl Into<ParameterSet>) -> Result<Trial<'a>, RockfallError> {
        let set = set.into();
        let of_class = |class: usize| {
            set.of_class(class).ok_or_else(|| RockfallError::Count {
                field: "class of a rock",
                found: class,
                accepted: format!("below {}", set.classes()),
            })
        };
        let body = |rock: &FieldRock| {
            let own = of_class(rock.class)?;
            Ok::<_, RockfallError>((rock.body(own.sharpness)?, own))
        };
        Ok(Trial {
            campaign: self,
            ground: Ground::uniform(of_class(0)?.material()?)?,
            bodies: self.rocks.iter().map(body).collect::<Result<_, _>>()?,
        })
    }
}

impl Trial<'_> {
    /// Where rock `number` of a run comes to rest in plan; a rock that leaves the map rests where it left. The attitude
    /// at release, which nobody recorded, is any with equal probability among those that let the rock go; chance
    /// depends on the run and the number alone, so that sets are compared on the same rocks.
    pub fn place(&self, run: usize, number: u64) -> Result<Rest, RockfallError> {
        let campaign = self.campaign;
        let beyond = |field, found, length| RockfallError::Count {
            field,
            found,
            accepted: format!("below {length}"),
        };
        let observed = campaign.runs.get(run);
        let observed = observed.ok_or_else(|| beyond("run", run, campaign.runs.len()))?;
        let rock = self.bodies.get(observed.rock);
        let rock = rock.ok_or_else(|| beyond("rock", observed.rock, self.bodies.len()))?;
        let (body, set) = rock;
        let height = campaign.height(observed)? + HELD * body.shape().radius();
        let mut rest = Rest {
            place: observed.release,
            outcome: Outcome::Stopped,
            left: false,
        };
        for attempt in 0..ATTEMPTS {
            // Runs and attempts share no streams: each has its own block of indices.
            let index = (run as u64) << 40 | attempt << 32 | number;
            let (place, outcome) = self.roll((body, set), observed, height, index);
            let left = place.distance(observed.release) >= campaign.least_runout;
            rest = Rest {
                place,
                outcome,
                left,
            };
            if left {
                break;
            }
        }
        Ok(rest)
    }

    /// One rock with its own chance.
    fn roll(
        &self,
        (body, set): (&Body, &GroundSet),
        run: &ObservedRun,
        height: f64,
        index: u64,
    ) -> (DVec2, Outcome) {
        let campaign = self.campaign;
        let streams = Streams::new(campaign.seed);
        let mut samples = self
            .ground
            .sample(&mut streams.rng(Purpose::Material, index));
        let roughness = (set.roughness > 0.0).then(|| streams.rng(Purpose::Roughness, index));
        let start = State {
            pose: Pose {
                rotation: random_rotation(&mut streams.rng(Purpose::Attitude, index)),
                translation: run.release.extend(height),
            },
            velocity: Twist {
                linear: run.velocity,
                angular: DVec3::ZERO,
            },
        };
        for sample in &mut samples {
            sample.scarring = set.scarring(sample.friction);
            sample.drag = (set.drag > 0.0).then_some(DragSample {
                per_mass: set.drag,
                height: campaign.drag_height,
            });
        }
        let engine = RigidRock {
            stop: &campaign.stop,
            contact_step: campaign.contact_step,
            ..RigidRock::new(campaign.terrain, &self.ground)
        };
        let (outcome, end, _) = engine.run(
            body,
            &samples,
            start,
            roughness,
            &mut |_| ControlFlow::Continue(()),
            &mut Workspace::default(),
        );
        (end.pose.translation.truncate(), outcome)
    }
}
