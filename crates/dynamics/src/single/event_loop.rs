//! The loop: fly, hit, stay in contact, until something ends it.

use super::audit::EnergyLedger;
use super::contact_problem::ContactSolver;
use super::contacts::touch_surely;
use super::first_contact::{FirstTouch, Search, touch_of};
use super::flight::Flight;
use super::impact::{Impact, Slow, impact_with};
use super::law::{Coefficients, Drag, GroundLaw};
use super::observer::{ImpactEvent, Motion, Observer, StopReason, Stretch};
use super::options::{Options, Stepping};
use super::sustained;
use crate::{Body, DynamicsError, State};
use glam::DVec3;
use klast_geometry::terrain::Terrain;
use klast_geometry::{ContactPoint, Manifold, lowest_vertex};
use std::ops::ControlFlow;

/// Runs of one body at a time over ground of one shape.
#[derive(Clone)]
pub struct SingleBody<'a> {
    terrain: &'a dyn Terrain,
    options: Options,
}

/// Buffers, handed on from run to run: nothing is allocated once they are as long as they get, but by impact laws other
/// than the default one.
#[derive(Debug, Default)]
pub struct Workspace {
    pub(super) search: Search,
    pub(super) manifold: Manifold,
    // Apart: a workspace is handed on by value.
    pub(super) solver: Box<ContactSolver>,
    impulses: Vec<DVec3>,
    pub(super) sustained: sustained::Buffers,
}

/// What happened in a run.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Tally {
    /// Flights, impacts and stretches of sustained contact.
    pub steps: usize,
    /// Steps in sustained contact.
    pub contact_steps: usize,
    /// Slides that were followed in closed form or to the accuracy of rounding.
    pub slides: usize,
    /// Contact problems that missed their tolerance.
    pub unconverged: usize,
    /// Steps taken without a load because nothing else moved the body on.
    pub forced: usize,
    /// Whether it swung in place until it was taken for stopped.
    pub swinging: bool,
    /// Sums of the energy audits of all phases.
    pub energy: EnergyLedger,
}

/// A run that has ended.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Run {
    /// The state at the end.
    pub state: State,
    /// The time at the end (s).
    pub time: f64,
    /// Why it ended.
    pub reason: StopReason,
    /// What happened.
    pub tally: Tally,
}

/// The first impact of a run.
#[derive(Debug, Clone, PartialEq)]
pub struct FirstImpact {
    /// When (s).
    pub time: f64,
    /// Pose and velocities just before.
    pub before: State,
    /// Pose and velocities just after.
    pub after: State,
    /// Where the body and the ground touch.
    pub contacts: Vec<ContactPoint>,
    /// What the impact did.
    pub impact: Impact,
}

impl<'a> SingleBody<'a> {
    /// A run over a terrain. Refused: options outside of their meaning.
    pub fn new(terrain: &'a dyn Terrain, options: Options) -> Result<Self, DynamicsError> {
        options.validate()?;
        Ok(Self { terrain, options })
    }

    /// The ground's shape.
    pub fn terrain(&self) -> &'a dyn Terrain {
        self.terrain
    }

    /// The options.
    pub fn options(&self) -> &Options {
        &self.options
    }

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
        });
        ControlFlow::Break(())
    }
}

/// Longest flight with drag in one stretch, as a part of the time m/c_d in which drag slows the body, and in seconds:
/// drag acts at its two ends (second order), so the relative error of a speed is about 1e-4/12 a stretch.
const DRAG_PART: f64 = 0.01;
const DRAG_STEP: f64 = 0.05;
/// Flights shorter than this part of a step in contact lead nowhere, and how many of them a body may make in a row.
const PROGRESS: f64 = 0.1;
pub(super) const PATIENCE: u32 = 8;
/// Height, relative to the radius, up to which features take part in an impact.
pub(super) const TOUCHING: f64 = 1e-9;
/// Normal speed (m/s) that is none: rounding of an impact solution.
const NO_SPEED: f64 = 1e-10;
/// Angle (rad) over which the attitude is followed in flights whose spin changes. It takes a piece of a series a
/// radian: about a second.
const MAXIMUM_TURN: f64 = 1e6;

pub(super) type Flow<T> = ControlFlow<StopReason, T>;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Phase {
    Fly,
    Stay,
}

/// One body on its way.
pub(super) struct Follow<'a> {
    pub(super) terrain: &'a dyn Terrain,
    pub(super) options: &'a Options,
    pub(super) body: &'a Body,
    /// Radius of the inner sphere of the body (m): half of its thickness where it is thin.
    pub(super) inner_radius: f64,
    pub(super) law: &'a mut dyn GroundLaw,
    observer: &'a mut dyn Observer,
    pub(super) state: State,
    pub(super) time: f64,
    pub(super) tally: Tally,
    pub(super) workspace: &'a mut Workspace,
    /// Flights in a row that led nowhere.
    pub(super) stuck: u32,
    /// Angle of the flights whose spin changes, at most (rad).
    turned: f64,
    /// What sustained contact remembers from step to step.
    pub(super) memory: sustained::Memory,
}

impl<'a> Follow<'a> {
    fn new(
        single: &'a SingleBody<'a>,
        body: &'a Body,
        start: State,
        law: &'a mut dyn GroundLaw,
        observer: &'a mut dyn Observer,
        workspace: &'a mut Workspace,
    ) -> Self {
        // Nothing of the run before may be seen.
        workspace.solver.forget();
        workspace.sustained.forget();
        let mut tally = Tally::default();
        tally.energy.largest_kinetic = start.kinetic_energy(body).total();
        Follow {
            terrain: single.terrain,
            options: &single.options,
            body,
            inner_radius: body.shape().inner_sphere().1,
            law,
            observer,
            state: start,
            time: 0.0,
            tally,
            workspace,
            stuck: 0,
            turned: 0.0,
            memory: sustained::Memory::new(start.pose.translation),
        }
    }

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
        let (lowest, _) = lowest_vertex(self.body.shape(), pose, &plane);
        let rounding = TOUCHING * self.body.shape().radius()
            + 8.0 * f64::EPSILON * (pose.translation.length() + plane.offset.abs());
        match lowest < -rounding {
            true => ControlFlow::Break(StopReason::BelowGround),
            false => ControlFlow::Continue(()),
        }
    }

    pub(super) fn is_finite(&self) -> Flow<()> {
        let State { pose, velocity } = &self.state;
        let finite = pose.translation.is_finite()
            && pose.rotation.is_finite()
            && velocity.linear.is_finite()
            && velocity.angular.is_finite();
        match finite {
            true => ControlFlow::Continue(()),
            false => ControlFlow::Break(StopReason::NotFinite),
        }
    }

    fn fly(&mut self) -> Flow<Phase> {
        let left = self.options.limits.time - self.time;
        if left <= 0.0 {
            return ControlFlow::Break(StopReason::MaximumTime);
        }
        let drag = self.drag_here();
        // Drag acts at the two ends of a short flight (Strang's splitting); higher up it is looked for again as late as
        // that.
        let short = self
            .law
            .drag()
            .map(|d| (DRAG_PART * self.body.mass() / d.coefficient).min(DRAG_STEP));
        let limit = short.map_or(left, |short| left.min(short));
        let drag_time = if drag.is_some() { limit } else { 0.0 };
        if let Some(drag) = drag {
            self.slow_down(&drag, 0.5 * drag_time);
        }
        let flight = Flight::new(self.body, self.state, self.options.gravity);
        let spin = match flight.steady_axis() {
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
        self.travel(time, end, Motion::Flight)?;
        self.law.flown(time);
        if let Some(drag) = drag {
            self.slow_down(&drag, time - 0.5 * drag_time);
        }
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

    /// The drag that acts on the body where it is.
    pub(super) fn drag_here(&self) -> Option<Drag> {
        self.law.drag()?;
        let p = self.state.pose.translation;
        let ground = self.terrain.surface(p.x, p.y)?;
        self.law.drag_at(&self.state, p.z - ground.height)
    }

    /// Drag for a time (s).
    pub(super) fn slow_down(&mut self, drag: &Drag, time: f64) {
        let was = self.state.kinetic_energy(self.body).total();
        self.state.velocity.linear *= drag.decay(self.body.mass(), time);
        self.tally.energy.slid += was - self.state.kinetic_energy(self.body).total();
    }

    /// Drag, and where it touches rolling resistance, for a time (s).
    pub(super) fn resist(&mut self, touches: bool, time: f64) {
        if let Some(drag) = self.drag_here() {
            self.slow_down(&drag, time);
        }
        let resistance = match touches {
            true => self.law.resistance(&self.state),
            false => 0.0,
        };
        if resistance > 0.0 && self.state.velocity.linear != DVec3::ZERO {
            self.brake(resistance * time);
        }
    }

    /// Takes a speed (m/s) from the mass centre, at most what it has.
    fn brake(&mut self, speed: f64) {
        let was = self.state.kinetic_energy(self.body).total();
        let linear = &mut self.state.velocity.linear;
        *linear *= (1.0 - speed / linear.length()).max(0.0);
        self.tally.energy.slid += was - self.state.kinetic_energy(self.body).total();
    }

    /// Goes to a state and shows the stretch that leads there.
    pub(super) fn travel(&mut self, duration: f64, end: State, motion: Motion) -> Flow<()> {
        let start = self.state;
        let acceleration = match motion {
            Motion::Flight => self.options.gravity,
            Motion::Contact if duration > 0.0 => {
                (end.velocity.linear - start.velocity.linear) / duration
            }
            Motion::Contact => DVec3::ZERO,
        };
        let stretch = Stretch {
            time: self.time,
            duration,
            motion,
            start,
            end,
            acceleration,
        };
        self.state = end;
        self.time += duration;
        shown(self.observer.stretch(&stretch))
    }

    pub(super) fn still_on_the_map(&self) -> Flow<()> {
        let p = self.state.pose.translation;
        match self.terrain.surface(p.x, p.y) {
            Some(_) => ControlFlow::Continue(()),
            None => ControlFlow::Break(StopReason::LeftMap),
        }
    }

    /// The coefficients where the body touches.
    pub(super) fn coefficients(&self) -> Coefficients {
        let at = self
            .workspace
            .manifold
            .points
            .first()
            .map_or(self.state.pose.translation, |c| c.point);
        self.law.coefficients(at)
    }

    /// Touches the ground, up to a margin (m): an impact where a point closes, else contact goes on.
    pub(super) fn meet(&mut self, margin: f64) -> Flow<Phase> {
        let (state, cutoff) = (self.state, self.options.limits.normal_velocity);
        let Workspace {
            search, manifold, ..
        } = &mut *self.workspace;
        touch_surely(self.terrain, self.body, &state, margin, (search, manifold));
        if matches!(self.options.stepping, Stepping::Late(_)) {
            let gaps = manifold.points.iter().map(|c| c.gap);
            let lowest = gaps.fold(f64::INFINITY, f64::min);
            manifold.points.retain(|c| c.gap <= lowest + 1e-9);
            // Impulses act at the vertices, as deep as they are.
            for c in &mut manifold.points {
                c.point += c.normal * c.gap;
            }
        }
        self.law.turn_normals(&state, &mut manifold.points);
        let speed = |c: &ContactPoint, twist: &crate::Twist| {
            twist.at(c.point - state.pose.translation).dot(c.normal)
        };
        let closing = |c: &ContactPoint| speed(c, &state.velocity) < -NO_SPEED;
        if !manifold.points.iter().any(closing) {
            return ControlFlow::Continue(Phase::Stay);
        }
        let coefficients = self.coefficients();
        let Workspace {
            manifold,
            solver,
            impulses,
            ..
        } = &mut *self.workspace;
        let law = (&self.options.impact_law, Slow { cutoff });
        let list = std::mem::take(impulses);
        let points = &manifold.points;
        let Ok(hit) = impact_with(self.body, &state, points, &coefficients, law, list, solver)
        else {
            return ControlFlow::Break(StopReason::NotFinite);
        };
        self.state.velocity = hit.after;
        self.tally.unconverged += usize::from(!hit.converged);
        self.tally.energy.enter(&hit.energy);
        let event = ImpactEvent {
            time: self.time,
            before: state,
            contacts: points,
            impact: &hit,
        };
        let seen = self.observer.impact(&event);
        // Nothing left but to stay where any touching point hardly leaves the ground.
        let slow = |c: &ContactPoint| speed(c, &hit.after) < cutoff.max(1e-9);
        let stays = self.stuck > PATIENCE || points.iter().any(slow);
        self.workspace.impulses = hit.impulses;
        shown(seen)?;
        ControlFlow::Continue(if stays { Phase::Stay } else { Phase::Fly })
    }
}

fn shown(seen: ControlFlow<()>) -> Flow<()> {
    match seen {
        ControlFlow::Continue(()) => ControlFlow::Continue(()),
        ControlFlow::Break(()) => ControlFlow::Break(StopReason::Observer),
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
