//! The loop: fly, hit, stay in contact, until something ends it.

use super::contacts::lowest_point;
use super::first_contact::{FirstTouch, touch_of};
use super::flight::Flight;
use super::follow::{Flow, Follow, Phase};
use super::ground_law::GroundLaw;
use super::observer::{ImpactEvent, Motion, Observer, StopReason};
use super::options::Stepping;
use super::single_body::{FirstImpact, Run, SingleBody};
use super::workspace::Workspace;
use crate::{Body, State};
use glam::DVec3;
use klast_geometry::terrain::Terrain;
use std::ops::ControlFlow;

impl SingleBody<'_> {
    /// Follows a body from a state to its end.
    pub fn run(
        &self,
        body: &Body,
        start: State,
        law: &mut dyn GroundLaw,
        observer: &mut dyn Observer,
        workspace: &mut Workspace,
    ) -> Run {
        let mut follow = Follow::new(self, body, start, law, observer, workspace);
        let reason = match follow.follow_to_the_end() {
            ControlFlow::Break(reason) => reason,
            ControlFlow::Continue(()) => StopReason::MaximumSteps,
        };
        #[cfg(feature = "tracing")]
        tracing::debug!(
            time = follow.time,
            ?reason,
            steps = follow.tally.steps,
            "run ends"
        );
        Run {
            state: follow.state,
            time: follow.time,
            reason,
            tally: follow.tally,
        }
    }

    /// The first impact of a body from a state; none where the run ends before.
    pub fn first_impact(
        &self,
        body: &Body,
        start: State,
        law: &mut dyn GroundLaw,
        workspace: &mut Workspace,
    ) -> Option<FirstImpact> {
        let mut first = First(None);
        self.run(body, start, law, &mut first, workspace);
        first.0
    }

    /// Points at which the ground carries a body in the next step from a state in contact, and the forces there (N).
    /// Empty in the air.
    pub fn loads(
        &self,
        body: &Body,
        state: State,
        law: &mut dyn GroundLaw,
        workspace: &mut Workspace,
    ) -> Vec<(DVec3, DVec3)> {
        Follow::new(self, body, state, law, &mut (), workspace).loads()
    }
}

/// Keeps the first impact and ends the run.
struct First(Option<FirstImpact>);

impl Observer for First {
    fn impact(&mut self, event: &ImpactEvent) -> ControlFlow<()> {
        self.0 = Some(FirstImpact {
            time: event.time,
            before: event.before,
            after: event.after(),
            contacts: event.contacts.to_vec(),
            impact: event.impact.clone(),
            dug: event.dug,
        });
        ControlFlow::Break(())
    }
}

/// Longest flight with drag in one stretch, as a part of the time m/c_d in which drag slows the body, and in seconds. A
/// stretch has the mean acceleration of its time, so that the velocity at its end is exact; within it, and where it
/// ends at the ground, drag is wrong by at most 1e-4/8 of the speed, and a place by a third order (1e-6/12 of v m/c_d).
const DRAG_PART: f64 = 0.01;
const DRAG_STEP: f64 = 0.05;
/// Flights shorter than this part of a step in contact lead nowhere, and how many of them a body may make in a row.
const PROGRESS: f64 = 0.1;
/// Height, relative to the radius, up to which features take part in an impact.
pub(super) const TOUCHING: f64 = 1e-9;
/// Angle (rad) over which the attitude is followed in flights whose spin changes. It takes a piece of a series a
/// radian: about a second.
const MAXIMUM_TURN: f64 = 1e6;

impl Follow<'_> {
    fn follow_to_the_end(&mut self) -> Flow<()> {
        self.still_on_the_map()?;
        self.stands_outside()?;
        if let Stepping::Midpoint(step) = self.options.stepping {
            return self.midpoint_to_the_end(step);
        }
        let mut phase = Phase::Fly;
        while self.tally.steps < self.options.limits.steps {
            self.tally.steps += 1;
            self.is_finite()?;
            phase = match phase {
                Phase::Fly => self.fly()?,
                Phase::Stay => self.stay()?,
            };
        }
        ControlFlow::Continue(())
    }

    /// Refuses a body that begins in a plane, by more than rounding.
    fn stands_outside(&self) -> Flow<()> {
        let Some(plane) = self.terrain.as_plane() else {
            return ControlFlow::Continue(());
        };
        let pose = &self.state.pose;
        let (lowest, _) = lowest_point(self.body, pose, &plane);
        let rounding = TOUCHING * self.body.shape().radius()
            + 8.0 * f64::EPSILON * (pose.translation.length() + plane.offset.abs());
        match lowest < -rounding {
            true => ControlFlow::Break(StopReason::BelowGround),
            false => ControlFlow::Continue(()),
        }
    }

    fn fly(&mut self) -> Flow<Phase> {
        let left = self.options.limits.time - self.time;
        if left <= 0.0 {
            return ControlFlow::Break(StopReason::MaximumTime);
        }
        let drag = self.drag_here();
        // A short flight with the mean acceleration of gravity and drag; higher up drag is looked for again as late as
        // that.
        let short = self
            .law
            .drag()
            .map(|d| (DRAG_PART * self.body.mass() / d.coefficient).min(DRAG_STEP));
        let limit = short.map_or(left, |short| left.min(short));
        let (mass, gravity) = (self.body.mass(), self.options.gravity);
        let acceleration = drag.map_or(gravity, |drag| {
            drag.mean_acceleration(mass, gravity, self.state.velocity.linear, limit)
        });
        let flight = Flight::new(self.body, self.state, acceleration);
        let spin = match flight.steady() {
            Some(_) => 0.0,
            None => flight.spin_bound(),
        };
        let followable = (MAXIMUM_TURN - self.turned) / spin;
        let longest = limit.min(followable);
        let search = &mut self.workspace.search;
        let mut followed = flight.followed_with(std::mem::take(&mut search.flight));
        let touch = touch_of(self.body, &mut followed, self.terrain, longest, search);
        let late = match self.options.stepping {
            Stepping::Late(late) => late,
            _ => 0.0,
        };
        let time = match touch {
            FirstTouch::Ground { time } => time + late,
            FirstTouch::Nothing { time } => time,
            FirstTouch::Air => longest,
        };
        let gone = touch == FirstTouch::Air
            && limit == f64::INFINITY
            && never_back(self.terrain, self.body, &flight, longest);
        let end = if gone {
            self.state
        } else {
            followed.state(time)
        };
        self.workspace.search.flight = followed.into_segments();
        if gone {
            return ControlFlow::Break(StopReason::NoContact);
        }
        self.stuck = if time > PROGRESS * self.reference_step() {
            0
        } else {
            self.stuck + 1
        };
        self.turned += spin * time;
        if drag.is_some() {
            let way = end.pose.translation - self.state.pose.translation;
            self.tally.energy.slid += mass * (gravity - acceleration).dot(way);
        }
        self.go(time, end, Motion::Flight, acceleration)?;
        self.law.flown(time);
        match touch {
            FirstTouch::Ground { .. } => self.meet(TOUCHING * self.body.shape().radius()),
            FirstTouch::Nothing { .. } => ControlFlow::Break(StopReason::LeftMap),
            FirstTouch::Air if limit < left && longest == limit => {
                ControlFlow::Continue(Phase::Fly)
            }
            FirstTouch::Air if followable < left => ControlFlow::Break(StopReason::MaximumTurn),
            FirstTouch::Air => ControlFlow::Break(StopReason::MaximumTime),
        }
    }
}

/// Whether a flight without a contact so far, which may be for ever, is beyond the body's reach of a plane and never
/// comes back.
fn never_back(terrain: &dyn Terrain, body: &Body, flight: &Flight, time: f64) -> bool {
    let Some(plane) = terrain.as_plane() else {
        return time == f64::INFINITY;
    };
    let (speed, pull) = (
        plane.normal.dot(flight.start().velocity.linear),
        plane.normal.dot(flight.gravity()),
    );
    time == f64::INFINITY
        || (plane.height(flight.centre(time)) > body.shape().radius()
            && pull >= 0.0
            && speed + pull * time >= 0.0)
}
