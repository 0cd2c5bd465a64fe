//! One rock as a rigid body, from release to its end.

use super::ground::RockGround;
use super::laws::{Scarring, VegetationDrag};
use crate::RockfallError;
use crate::arc::{self, Arc};
use crate::ground::Ground;
use crate::lumped::Roughness;
use crate::material::MaterialSample;
use crate::stop::{Outcome, StopConditions};
use glam::DVec3;
use klast_contact::{Friction, ImpactLaw};
use klast_dynamics::single::{
    FirstImpact, Flight, Limits, Motion, Observer, Options, SingleBody, Stepping, StopReason,
    Stretch, Tally, Workspace,
};
use klast_dynamics::{Body, State, Twist};
use klast_geometry::terrain::Terrain;
use klast_geometry::{ConvexPolyhedron, Pose};
use std::ops::ControlFlow;

/// Choices of the rigid-body engine for all rocks of a run.
#[derive(Debug, Clone, PartialEq)]
pub struct RigidOptions {
    /// Longest step in sustained contact (s); none: the tolerance of the engine alone sets it.
    pub contact_step: Option<f64>,
    /// Friction that grows with slippage instead of the material's.
    pub scarring: Option<Scarring>,
    /// Vegetation.
    pub drag: Option<VegetationDrag>,
    /// The law of impacts.
    pub impact_law: ImpactLaw,
    /// Tangential restitution e_t of the impact law, −1 to 1.
    pub tangential_restitution: f64,
    /// How time goes.
    pub stepping: Stepping,
    /// How far the vertices of a rock may stand out of the hull that moves for it, as a part of the radius of a sphere
    /// of its volume; hulls of up to [`RigidOptions::SMALL_HULL`] vertices move as they are.
    pub hull_tolerance: f64,
}

impl RigidOptions {
    /// Vertices up to which a hull is never reduced.
    pub const SMALL_HULL: usize = 64;

    /// The hull that moves for a rock whose unit shape (1 m³) this is, again of 1 m³.
    pub(crate) fn moving_hull(
        &self,
        unit: ConvexPolyhedron,
    ) -> Result<ConvexPolyhedron, RockfallError> {
        crate::error::within(
            "hull_tolerance",
            self.hull_tolerance,
            (0.0..=0.1).contains(&self.hull_tolerance),
            "0 to 0.1",
        )?;
        if unit.vertices().len() <= Self::SMALL_HULL {
            return Ok(unit);
        }
        let radius = libm::cbrt(0.75 / std::f64::consts::PI);
        let hull = unit.reduced(self.hull_tolerance * radius)?;
        Ok(hull.scaled(libm::cbrt(1.0 / hull.volume()))?)
    }
}

impl Default for RigidOptions {
    fn default() -> Self {
        Self {
            contact_step: None,
            scarring: None,
            drag: None,
            impact_law: ImpactLaw::default(),
            tangential_restitution: 0.0,
            stepping: Stepping::default(),
            hull_tolerance: 0.01,
        }
    }
}

/// The rigid-body engine: everything that is the same for all rocks of a run.
#[derive(Clone, Copy)]
pub struct RigidRock<'a> {
    /// The ground's shape.
    pub terrain: &'a dyn Terrain,
    /// Its materials.
    pub ground: &'a Ground,
    /// Stop conditions.
    pub stop: &'a StopConditions,
    /// Gravity (m/s²).
    pub gravity: DVec3,
    /// Longest step in sustained contact (s); none: the tolerance of the engine alone sets it.
    pub contact_step: Option<f64>,
    /// Friction that grows with slippage instead of the material's.
    pub scarring: Option<Scarring>,
    /// Vegetation.
    pub drag: Option<VegetationDrag>,
    /// The law of impacts.
    pub impact_law: &'a ImpactLaw,
    /// Tangential restitution e_t of the impact law, −1 to 1. R_t of a slope material is a law of lumped masses and has
    /// no part here.
    pub tangential_restitution: f64,
    /// How time goes.
    pub stepping: Stepping,
}

static NEWTON: ImpactLaw = ImpactLaw::Newton {
    friction: Friction::MaximumDissipation,
};

/// What happened on the way.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct RigidTally {
    /// Impacts.
    pub impacts: u32,
    /// Steps in sustained contact.
    pub contact_steps: u32,
    /// Slides that were followed in closed form or to rounding.
    pub slides: u32,
    /// Contact problems that missed their tolerance.
    pub unconverged: u32,
    /// Impacts that gained energy, as Newton's law with friction can.
    pub energy_gains: u32,
    /// Energy gained in them (J).
    pub gained: f64,
    /// Stretches of sustained contact in which energy rose by more than 1e-9 of the largest kinetic energy.
    pub energy_rises: u32,
    /// Energy risen in sustained contact (J).
    pub risen: f64,
    /// Potential energy given by taking the rock out of ground into which a step had put it (J).
    pub lifted: f64,
    /// Steps taken without a load because nothing else moved the rock on.
    pub forced: u32,
    /// Whether it swung in place until it was taken for stopped.
    pub swinging: bool,
    /// Slippage at the end (m).
    pub slippage: f64,
}

impl RigidTally {
    fn of(tally: &Tally, slippage: f64) -> Self {
        let count = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        Self {
            impacts: count(tally.energy.impacts),
            contact_steps: count(tally.contact_steps),
            slides: count(tally.slides),
            unconverged: count(tally.unconverged),
            energy_gains: count(tally.energy.gains),
            gained: tally.energy.gained,
            energy_rises: count(tally.energy.rises),
            risen: tally.energy.risen,
            lifted: tally.energy.lifted,
            forced: count(tally.forced),
            swinging: tally.swinging,
            slippage,
        }
    }
}

impl<'a> RigidRock<'a> {
    /// The engine on a ground, everything else as by default: stop conditions, gravity of 9.81 m/s², Newton's law on
    /// the exact cone, no scarring, no vegetation.
    pub fn new(terrain: &'a dyn Terrain, ground: &'a Ground) -> Self {
        Self {
            terrain,
            ground,
            stop: &StopConditions::DEFAULT,
            gravity: DVec3::new(0.0, 0.0, -9.81),
            contact_step: None,
            scarring: None,
            drag: None,
            impact_law: &NEWTON,
            tangential_restitution: 0.0,
            stepping: Stepping::default(),
        }
    }

    /// The same with the choices of a run.
    pub fn with_options(self, options: &'a RigidOptions) -> Self {
        Self {
            contact_step: options.contact_step,
            scarring: options.scarring,
            drag: options.drag,
            impact_law: &options.impact_law,
            tangential_restitution: options.tangential_restitution,
            stepping: options.stepping,
            ..self
        }
    }

    /// Checks the numbers of the engine.
    pub fn validate(&self) -> Result<(), RockfallError> {
        self.stop.validate()?;
        self.contact_step
            .map_or(Ok(()), crate::error::contact_step)?;
        self.scarring.map_or(Ok(()), |s| s.validate())?;
        self.drag.map_or(Ok(()), |d| d.validate())?;
        let known = matches!(
            self.impact_law,
            ImpactLaw::Newton { .. } | ImpactLaw::Sequential { .. }
        );
        let e = self.tangential_restitution;
        let accepted = match known {
            true => "-1 to 1",
            false => "0 with the laws of Poisson and Stronge",
        };
        let holds = if known { e.abs() <= 1.0 } else { e == 0.0 };
        crate::error::within("tangential_restitution", e, holds, accepted)
    }

    /// The engine below.
    fn single(&self) -> Option<SingleBody<'a>> {
        let options = Options {
            gravity: self.gravity,
            limits: Limits {
                time: self.stop.maximum_time,
                steps: self.stop.maximum_steps as usize,
                normal_velocity: self.stop.normal_velocity_cutoff,
                stopped_velocity: self.stop.stopped_velocity_cutoff,
            },
            contact_step: self.contact_step,
            impact_law: self.impact_law.clone(),
            stepping: self.stepping,
        };
        SingleBody::new(self.terrain, options).ok()
    }

    /// Follows a rock. Every arc goes to `path` in order; when `path` breaks, the rock has been caught by what watches
    /// it.
    pub fn run(
        &self,
        body: &Body,
        samples: &[MaterialSample],
        start: State,
        mut roughness: Roughness,
        path: &mut dyn FnMut(&Arc) -> ControlFlow<Outcome>,
        workspace: &mut Workspace,
    ) -> (Outcome, State, RigidTally) {
        let chance = (&mut roughness, 0.0);
        let run = self.follow(body, samples, start, chance, path, workspace);
        (run.outcome, run.state, run.tally)
    }

    /// The same with the slippage (m) at the start, and with the last stretch, from within which it may be followed
    /// anew.
    pub(crate) fn follow(
        &self,
        body: &Body,
        samples: &[MaterialSample],
        start: State,
        (roughness, slippage): (&mut Roughness, f64),
        path: &mut dyn FnMut(&Arc) -> ControlFlow<Outcome>,
        workspace: &mut Workspace,
    ) -> Followed {
        let mut path = Path {
            body,
            path,
            outcome: None,
            last: None,
        };
        let mut ground = self.ground_of(samples, roughness.take(), slippage, body.mass());
        // Numbers that `validate` refuses move no rock.
        let Some(single) = self.single() else {
            return Followed {
                outcome: Outcome::TimedOut,
                state: start,
                tally: RigidTally::default(),
                last: None,
            };
        };
        let run = single.run(body, start, &mut ground, &mut path, workspace);
        let outcome = match run.reason {
            StopReason::AtRest => Outcome::Stopped,
            StopReason::Observer => path.outcome.unwrap_or(Outcome::TimedOut),
            StopReason::LeftMap | StopReason::BelowGround | StopReason::NoContact => {
                Outcome::LeftMap
            }
            StopReason::MaximumTime
            | StopReason::MaximumSteps
            | StopReason::MaximumTurn
            | StopReason::NotFinite => Outcome::TimedOut,
        };
        let tally = RigidTally::of(&run.tally, ground.slippage);
        *roughness = ground.roughness;
        Followed {
            outcome,
            state: run.state,
            tally,
            last: path.last,
        }
    }

    /// The first impact of a rock; none where it ends before.
    pub fn first_impact(
        &self,
        body: &Body,
        samples: &[MaterialSample],
        start: State,
    ) -> Option<FirstImpact> {
        let mut ground = self.ground_of(samples, None, 0.0, body.mass());
        self.single()?
            .first_impact(body, start, &mut ground, &mut Workspace::default())
    }

    /// Points at which the ground carries a rock in the next step from a state, and the forces there (N): what a run
    /// with this slippage (m) would find. Empty in the air.
    pub fn loads(
        &self,
        body: &Body,
        samples: &[MaterialSample],
        state: State,
        slippage: f64,
    ) -> Vec<(DVec3, DVec3)> {
        let mut ground = self.ground_of(samples, None, slippage, body.mass());
        let single = self.single();
        single.map_or_else(Vec::new, |s| {
            s.loads(body, state, &mut ground, &mut Workspace::default())
        })
    }

    fn ground_of<'s>(
        &'s self,
        samples: &'s [MaterialSample],
        roughness: Roughness,
        slippage: f64,
        mass: f64,
    ) -> RockGround<'s> {
        RockGround {
            rock: self,
            samples,
            roughness,
            slippage,
            mass,
            closing: 0.0,
            last: std::cell::Cell::new(0),
        }
    }
}

/// Shows stretches as arcs.
struct Path<'p> {
    body: &'p Body,
    path: &'p mut dyn FnMut(&Arc) -> ControlFlow<Outcome>,
    outcome: Option<Outcome>,
    last: Option<Stretch>,
}

/// A rock that was followed to the end of a run.
pub(crate) struct Followed {
    pub(crate) outcome: Outcome,
    pub(crate) state: State,
    pub(crate) tally: RigidTally,
    /// The last stretch of motion.
    pub(crate) last: Option<Stretch>,
}

impl Followed {
    /// The state at a time (s) within the last stretch: exact in flight; between its ends in contact.
    pub(crate) fn within(&self, body: &Body, gravity: DVec3, time: f64) -> State {
        let Some(stretch) = &self.last else {
            return self.state;
        };
        if stretch.motion == Motion::Flight {
            return Flight::new(body, stretch.start, gravity).state(time);
        }
        let part = (time / stretch.duration).clamp(0.0, 1.0);
        let (a, b) = (&stretch.start, &stretch.end);
        // As the arc that was shown goes: with its mean acceleration.
        let (v, pull) = (a.velocity.linear, stretch.acceleration);
        let translation = a.pose.translation + (v + pull * (0.5 * time)) * time;
        let rotation = a.pose.rotation.slerp(b.pose.rotation, part);
        State {
            pose: Pose {
                rotation,
                translation,
            },
            velocity: Twist {
                linear: v + pull * time,
                angular: a.velocity.angular.lerp(b.velocity.angular, part),
            },
        }
    }
}

impl Observer for Path<'_> {
    fn stretch(&mut self, stretch: &Stretch) -> ControlFlow<()> {
        self.last = Some(*stretch);
        let start = &stretch.start;
        let arc = Arc {
            time: stretch.time,
            duration: stretch.duration,
            position: start.pose.translation,
            velocity: start.velocity.linear,
            acceleration: stretch.acceleration,
            spin: start.velocity.angular,
            rotational_energy: start.kinetic_energy(self.body).rotational,
            motion: match stretch.motion {
                Motion::Flight => arc::Motion::Flight,
                Motion::Contact => arc::Motion::Contact,
            },
        };
        match (self.path)(&arc) {
            ControlFlow::Continue(()) => ControlFlow::Continue(()),
            ControlFlow::Break(outcome) => {
                self.outcome = Some(outcome);
                ControlFlow::Break(())
            }
        }
    }
}
