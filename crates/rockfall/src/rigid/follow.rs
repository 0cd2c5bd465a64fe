//! A rigid rock on its way to its end.

use crate::arc;
use klast_dynamics::Twist;
use klast_dynamics::single::{Flight, Motion, Observer, StopReason};
use klast_geometry::Pose;

use super::ground::RockGround;
use super::rock::RigidRock;
use super::tally::RigidTally;
use crate::arc::Arc;
use crate::lumped::Roughness;
use crate::material::MaterialSample;
use crate::stop::Outcome;
use glam::DVec3;
use klast_dynamics::single::{FirstImpact, Limits, Options, SingleBody, Stretch, Workspace};
use klast_dynamics::{Body, State};
use std::ops::ControlFlow;

impl<'a> RigidRock<'a> {
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
            refuse_gains: self.refuse_gains,
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
            StopReason::Unresolved => Outcome::Unresolved,
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
    pub(crate) fn within(&self, body: &Body, time: f64) -> State {
        let Some(stretch) = &self.last else {
            return self.state;
        };
        if stretch.motion == Motion::Flight {
            return Flight::new(body, stretch.start, stretch.acceleration).state(time);
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

/// Shows stretches as arcs.
struct Path<'p> {
    body: &'p Body,
    path: &'p mut dyn FnMut(&Arc) -> ControlFlow<Outcome>,
    outcome: Option<Outcome>,
    last: Option<Stretch>,
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
            attitude: [start, &stretch.end].map(|s| s.pose.rotation),
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
