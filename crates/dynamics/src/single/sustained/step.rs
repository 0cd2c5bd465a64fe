//! One step in sustained contact.
//!
//! u⁻ are the velocities at the middle of the step before gravity and impulses, u⁺ those after. The work of the
//! impulses is Σ p·(u⁻ + u⁺)/2. With the law posed on u⁺ + bias, bias_n ≥ u_n⁻ where a contact opens and bias_t = u_t⁻,
//! no contact does work but what friction takes: that makes a contact that stays the exact mirror of itself about the
//! middle of the step, so the scheme is of second order and keeps energy. What slips so slowly that it may stop within
//! the step is posed on its velocity at the end instead (it would come back otherwise), and what is still open may
//! close by its gap. A body that drag slows comes to the middle with contacts that move by what it lost: they are the
//! mirror of themselves about that.

use super::super::contact_problem::{ContactProblem, Effort, Solved};
use super::super::contacts::{add_nearest, gather, separation};
use super::super::event_loop::TOUCHING;
use super::super::follow::{Flow, Follow, PATIENCE, Phase};
use super::super::impact::Slow;
use super::super::observer::{Motion, StopReason};
use super::super::slowing::Slowing;
use super::freely;
use super::impact::{DEEP, SHORTEST, STRUCK, Sooner};
use super::lift::{LEFT, SHORT_STEPS};
use super::middle::Middle;
use crate::{State, Twist};
use glam::DVec3;
use klast_geometry::Pose;
use std::ops::ControlFlow;

/// How often a step is shortened that ends deeper in the ground than it may.
const SHORTENED: usize = 12;
/// A slip this many times as fast as what friction and curvature change in a step does not stop within it.
const FAST: f64 = 4.0;
/// Work of contact, relative to the kinetic energy, that is rounding.
const NO_WORK: f64 = 1e-13;

/// How contacts are posed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Posing {
    /// As the head of this file says.
    Usual,
    /// All on the mean of u⁻ and u⁺: never makes energy.
    Mean,
}

impl Follow<'_> {
    /// The contact of a body that overlaps facets although no pair of features meets.
    fn touch_surely(&mut self, pose: &Pose) {
        if self.terrain.as_plane().is_some() {
            return;
        }
        let workspace = &mut *self.workspace;
        let (search, manifold) = (&mut workspace.search, &mut workspace.manifold);
        gather(self.terrain, self.body, pose, 0.0, search);
        add_nearest(self.body, pose, 0.0, (search, manifold));
    }

    /// The contact problem at the middle of a step, with the impulses of the whole step.
    fn carry(&mut self, middle: &Middle, posing: Posing) -> Solved {
        self.ask_the_ground();
        let (body, step) = (self.body, middle.step);
        let State { pose, velocity } = &middle.state;
        let gravity = self.options.gravity;
        let spin = velocity.angular;
        let vertices = body.vertices().len() as u32;
        let bend = self.bend();
        let facets = self.terrain.as_plane().is_none();
        let slow = Slow {
            cutoff: self.options.limits.normal_velocity,
        };
        let workspace = &mut *self.workspace;
        let stuck = &workspace.sustained.stuck;
        let problem = ContactProblem {
            body,
            pose,
            contacts: &workspace.manifold.points,
            free: Twist {
                linear: velocity.linear + gravity * step,
                angular: spin,
            },
            coefficients: &workspace.coefficients,
            effort: Effort::step(step),
        };
        workspace.solver.solve(&problem, |c, own, frame, arm| {
            let fast = FAST * step * own.friction() * bend;
            let u = frame.to_local(velocity.at(arm));
            if facets && c.gap <= 0.0 && slow.rebounds(own.restitution(), -u.x) {
                return DVec3::X * (own.restitution() * u.x);
            }
            // What the free half step that is left takes off the velocity of a vertex, and what slows the body off that
            // of all points.
            let curve = match c.feature < vertices {
                true => {
                    let acceleration = middle.spin_rate.cross(arm) + spin.cross(spin.cross(arm));
                    frame.to_local(acceleration) * (0.5 * step)
                }
                false => DVec3::ZERO,
            };
            let lost = frame.to_local(middle.lost);
            let both = curve + lost;
            let opening = match posing {
                Posing::Mean => u.x.max(0.0),
                Posing::Usual => u.x.clamp(lost.x.min(0.0), bend * step),
            };
            let open = match c.gap > 0.0 {
                // At the next middle it is where a contact that stays would be.
                true => c.gap / step + 0.75 * curve.x + 0.5 * lost.x,
                false => opening,
            };
            let normal = both.x.max(opening).max(open);
            let mean = posing == Posing::Mean
                || stuck.contains(&c.feature)
                || u.y * u.y + u.z * u.z > fast * fast;
            let along = if mean { u } else { both };
            DVec3::new(normal, along.y, along.z)
        })
    }

    /// Solves a step so that its impulses do no work.
    fn carry_without_work(&mut self, middle: &Middle) -> Solved {
        let solved = self.carry(middle, Posing::Usual);
        let solver = &self.workspace.solver;
        let (normal, friction) = solver.work(&middle.state.velocity, &solved.twist);
        let most = NO_WORK * self.tally.energy.largest_kinetic;
        if normal + friction <= most {
            return solved;
        }
        self.carry(middle, Posing::Mean)
    }

    /// The middle of the longest step, by halves, in which nothing strikes.
    fn without_strike(&mut self, step: f64, slowing: Slowing) -> Middle {
        let middle = self.middle(step, slowing);
        match self.strikes(&middle) {
            Some(_) => self.without_strike(0.5 * step, slowing),
            None => middle,
        }
    }

    /// Notes which contacts stick.
    fn note_sticking(&mut self) {
        let workspace = &mut *self.workspace;
        let contacts = workspace.manifold.points.iter();
        let contacts = contacts.zip(&workspace.coefficients);
        let sticks = |p: &DVec3, mu: f64| {
            p.x > 0.0 && (p.y * p.y + p.z * p.z).sqrt() < mu * p.x * (1.0 - 1e-9)
        };
        let stuck = &mut workspace.sustained.stuck;
        stuck.clear();
        let both = contacts.zip(workspace.solver.impulses());
        let sticking = both.filter(|((_, own), p)| sticks(p, own.friction()));
        stuck.extend(sticking.map(|((c, _), _)| c.feature));
    }

    /// Points and forces (N) of a step from here.
    pub(in crate::single) fn loads(&mut self) -> Vec<(DVec3, DVec3)> {
        let step = self.reference_step();
        let slowing = self.slowing(true);
        let middle = self.middle(step, slowing);
        let solved = self.carry(&middle, Posing::Usual);
        if !solved.loaded {
            return Vec::new();
        }
        let solver = &self.workspace.solver;
        let forces = solver.points().iter().zip(solver.impulses());
        let forces = forces.map(|((frame, _), p)| frame.to_world(*p / step));
        self.contacts()
            .iter()
            .map(|c| c.point)
            .zip(forces)
            .collect()
    }

    /// One step.
    pub(super) fn step(&mut self) -> Flow<Phase> {
        let left = self.options.limits.time - self.time;
        if left <= 0.0 {
            return ControlFlow::Break(StopReason::MaximumTime);
        }
        let slowing = self.slowing(true);
        let longest = self.step_size(&slowing);
        self.memory.short = self.memory.short.saturating_sub(1);
        let slip_ends = self.slip_ends(&slowing);
        let longest = slip_ends.map_or(longest, |time| longest.min(time));
        if self.memory.struck != self.time && self.closes_on_a_plane() {
            self.memory.struck = self.time;
            return self.meet(2.0 * DEEP * self.body.shape().radius());
        }
        let mut middle = self.middle(longest.min(left), slowing);
        // A point that comes down fast has an impact of its own: the step before it ends close to it.
        if self.strikes(&middle).is_some() {
            // Most that strikes does so from the start.
            let whole = middle.step;
            middle = self.middle(whole * SHORTEST, slowing);
            match self.strikes(&middle) {
                Some(closing) if self.memory.struck != self.time => {
                    self.memory.struck = self.time;
                    let margin = STRUCK * self.body.shape().radius() + closing * middle.step;
                    return self.meet(margin);
                }
                Some(_) => {}
                None => middle = self.without_strike(0.5 * whole, slowing),
            }
        }
        // A body that hops by less than a step resolves, or one between features that neither flight nor contact moves
        // on (a corner deep in a crevice), takes a step all the same.
        let hops = self.stuck > PATIENCE;
        if self.contacts().is_empty() {
            if !hops {
                return ControlFlow::Continue(Phase::Fly);
            }
            self.touch_surely(&middle.state.pose);
        }
        let (mut solved, mut end, mut sinks);
        let (mut shortened, mut nearest) = (0, false);
        loop {
            solved = self.carry_without_work(&middle);
            if !solved.loaded && !hops && !self.overlaps() {
                return ControlFlow::Continue(Phase::Fly);
            }
            end = self.end_of(&middle, &solved);
            match self.until_touch(&middle, &end) {
                Some(Sooner::After(step)) if shortened < SHORTENED => {
                    middle = self.middle(step, slowing);
                    shortened += 1;
                    continue;
                }
                Some(Sooner::Now(margin)) if self.memory.struck != self.time => {
                    self.memory.struck = self.time;
                    return self.meet(margin);
                }
                _ => {}
            }
            sinks = !solved.loaded && self.sinks(&end.pose);
            if !sinks || shortened >= SHORTENED {
                break;
            }
            // What moves freely and sinks does so where no pair of features meets, or comes down on other facets than
            // those of its middle: then the step ends before it does.
            shortened += 1;
            if nearest {
                middle = self.middle(0.5 * middle.step, slowing);
            } else {
                self.touch_surely(&middle.state.pose);
            }
            nearest = !nearest;
        }
        let out = self.way_out(&end);
        if self.memory.short == 0 && self.is_costly(&end, out) {
            self.memory.short = SHORT_STEPS;
            return ControlFlow::Continue(Phase::Stay);
        }
        self.note_sticking();
        self.tally.contact_steps += 1;
        self.tally.forced += usize::from(sinks);
        self.tally.unconverged += usize::from(!solved.converged);
        self.stuck = 0;
        self.finish((&middle, &solved), end, out, hops)?;
        self.still_on_the_map()?;
        self.come_to_rest()?;
        self.stays_in_place()?;
        ControlFlow::Continue(Phase::Stay)
    }

    /// Whether a contact of the middle of a step is in the ground. A flight cannot begin there: it would touch at once.
    /// So a body whose contacts open there leaves by steps without load, which are free motion.
    fn overlaps(&self) -> bool {
        let touching = -TOUCHING * self.body.shape().radius();
        self.terrain.as_plane().is_none() && self.contacts().iter().any(|c| c.gap < touching)
    }

    /// Whether a step without load ends deeper in the ground than it began, and deeper than what is left to a body.
    fn sinks(&mut self, end: &Pose) -> bool {
        if self.terrain.as_plane().is_some() {
            return false;
        }
        let (start, body) = (self.state.pose, self.body);
        let left = LEFT * body.shape().radius();
        let search = &mut self.workspace.search;
        let mut depth = |pose: &Pose| {
            gather(self.terrain, body, pose, 0.0, search);
            separation(body, pose, 0.0, search).map_or(0.0, |near| -near.gap)
        };
        let after = depth(end);
        after > left && after > depth(&start)
    }

    /// The end of a step.
    fn end_of(&self, middle: &Middle, solved: &Solved) -> State {
        let kicked = State {
            pose: middle.state.pose,
            velocity: solved.twist,
        };
        let half = 0.5 * middle.step;
        let mut end = freely(self.body, &kicked, half);
        let linear = &mut end.velocity.linear;
        // A body that is at rest in the first half is braked by what resists against what gravity gives in the whole
        // step: else it would creep.
        let unused = middle.slowing.unused(self.state.velocity.linear, half);
        *linear = middle.slowing.slowed(*linear, half + unused);
        end
    }

    /// Energy that drag and resistance to rolling took before and after the free motion of a step (J).
    fn taken_by_slowing(&self, middle: &Middle, solved: &Solved, end: &State) -> f64 {
        let square = |v: DVec3| v.length_squared();
        let start = self.state.velocity.linear;
        let before = square(start) - square(start + middle.lost);
        let after = square(solved.twist.linear) - square(end.velocity.linear);
        0.5 * self.body.mass() * (before + after)
    }

    /// Goes to the end of a step and enters it.
    fn finish(
        &mut self,
        (middle, solved): (&Middle, &Solved),
        mut end: State,
        out: DVec3,
        hops: bool,
    ) -> Flow<()> {
        let (start, step) = (self.state, middle.step);
        let change = self.energy_change(&start, &end);
        let kinetic = end.kinetic_energy(self.body).total();
        // Apart, so that it does not hide what contact makes.
        let taken = self.taken_by_slowing(middle, solved, &end);
        self.tally.energy.enter_step(kinetic, change, taken);
        self.take_in((middle, solved));
        let before = end;
        end.pose.translation += out;
        if hops && self.terrain.as_plane().is_none() {
            self.lift(&mut end);
        }
        self.pay_for(&before, &mut end);
        self.travel(step, end, Motion::Contact)?;
        let speed = 0.5 * (middle.state.velocity.linear + solved.twist.linear).length();
        self.law.slid(speed, step);
        ControlFlow::Continue(())
    }
}
