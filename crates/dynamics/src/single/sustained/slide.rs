//! A body that slides flat on flat ground: on a face, an edge or a vertex, along any direction, with a spin about the
//! normal.
//!
//! The corners in contact stay on the plane, pressed by pressures p_i ≥ 0 that balance the weight, the moment of
//! friction at their depth h and the gyroscopic moment ([`super::pressure`]). Corner i slips with velocity u_i and is
//! braked by μ p_i against it. Where the body does not turn and gravity does not pull aside, the force of friction does
//! not depend on the pressures and the slide is a constant acceleration, exact to its stop. Otherwise three velocities
//! (two along the plane, one spin) follow smooth equations, integrated to rounding in pieces that grow shorter towards
//! the stop. It ends where the body stops, where no pressures balance the loads (it tips), and where the ground is flat
//! no farther.

use super::super::follow::{Flow, Follow, Phase};
use super::super::observer::{Motion, StopReason};
use super::face::{Face, STATES};
use super::pressure::Corner;
use crate::single::contact_problem::world_inverse_inertia;
use crate::single::torque_free::about;
use crate::{State, Twist};
use glam::{DMat3, DVec2, DVec3};
use klast_contact::Frame;
use klast_geometry::terrain::Area;
use klast_geometry::{ContactPoint, Pose};
use klast_numerics::ode::{Arrival, Dopri853, OdeOptions};
use std::cell::{Cell, RefCell};
use std::ops::ControlFlow;

/// Height, relative to the radius, up to which corners belong to the face that slides.
const FLUSH: f64 = 1e-9;
/// Part of √(gR) under which a normal speed, or a speed of turning out of the plane, is none.
const FLAT: f64 = 1e-7;
/// Part of the speed (and of √(gR)) under which a spin is rounding.
const NO_SPIN: f64 = 1e-11;
/// Part of √(gR) under which a body that spins has stopped: what is left of its way is the square of it.
const STOPPED: f64 = 1e-7;
/// Length of a piece of a slide that is integrated, as a part of the time that friction needs to stop the body.
const PIECE: f64 = 0.25;
/// Error of the integration, relative and in metres, seconds and radians.
const ACCURACY: f64 = 1e-12;
/// Most steps of the integration of a piece: a corner whose slip turns round needs more, and is a step's business.
const MOST_STEPS: usize = 60;
/// Longest piece of a slide that never ends (s), and most pieces' halvings in the search for where it tips.
const LONGEST: f64 = 3600.0;
const HALVINGS: usize = 12;
/// Least way of a slide over flat facets, relative to the radius: a shorter one is a step's business.
const LEAST_WAY: f64 = 0.02;
/// How far ahead, relative to the radius, facets are looked at.
const AHEAD: f64 = 64.0;
/// Way of a slide where materials change, relative to the radius.
const OVER_MATERIALS: f64 = 0.25;
/// Steps before a slide is tried again after it has tipped, or was found not to be smooth.
const AGAIN: u32 = 16;

/// How a slide begins.
struct Beginning {
    frame: Frame,
    /// Friction coefficient of all corners.
    friction: f64,
    velocity: DVec2,
    spin: f64,
}

impl Follow<'_> {
    /// Slides as far as it goes; `None` where the body does not slide flat.
    pub(super) fn slide(&mut self, normal: DVec3) -> Flow<Option<Phase>> {
        let Some(beginning) = self.lies_flat(normal) else {
            return ControlFlow::Continue(None);
        };
        let frame = beginning.frame;
        let along = |v: DVec3| DVec2::new(v.dot(frame.tangent1), v.dot(frame.tangent2));
        let gravity = self.options.gravity;
        let centre = self.state.pose.translation;
        let mut corners = std::mem::take(&mut self.workspace.sustained.corners);
        corners.clear();
        let arms = self.contacts().iter().map(|c| c.point - centre);
        corners.extend(arms.map(|arm| Corner(along(arm))));
        let height = self
            .contacts()
            .iter()
            .map(|c| (centre - c.point).dot(normal))
            .fold(f64::NEG_INFINITY, f64::max);
        let turn = DMat3::from_cols(frame.tangent1, frame.tangent2, normal);
        let inertia = world_inverse_inertia(self.body, &self.state.pose).inverse();
        let face = Face {
            corners: &corners,
            height,
            radius: self.body.shape().radius(),
            mass: self.body.mass(),
            inertia: turn.transpose() * inertia * turn,
            friction: beginning.friction,
            press: -gravity.dot(normal),
            pull: along(gravity),
            buffers: RefCell::new(std::mem::take(&mut self.workspace.sustained.pressures)),
            balanced: Cell::new(true),
        };
        let slid = self.slide_on(&face, &beginning);
        self.workspace.sustained.pressures = face.buffers.into_inner();
        self.workspace.sustained.corners = corners;
        slid
    }

    /// Whether the body lies on a plane with this normal and moves along it only.
    fn lies_flat(&mut self, normal: DVec3) -> Option<Beginning> {
        let gravity = self.options.gravity;
        let radius = self.body.shape().radius();
        let scale = (gravity.length() * radius).sqrt();
        let Twist { linear, angular } = self.state.velocity;
        let tilt = angular - normal * angular.dot(normal);
        let flat = FLAT * scale;
        if self.body.sphere_radius().is_some() {
            return None;
        }
        let steady = self.law.is_steady() && self.law.drag().is_none();
        if !steady
            || gravity.dot(normal) >= 0.0
            || linear.dot(normal).abs() > flat
            || tilt.length() * radius > flat
        {
            return None;
        }
        let pose = self.state.pose;
        self.touch(&pose, FLUSH * radius);
        let vertices = self.body.vertices().len() as u32;
        let belongs = |c: &ContactPoint| {
            c.feature < vertices && c.gap >= -FLUSH * radius && c.normal.dot(normal) > 1.0 - 1e-12
        };
        if self.contacts().is_empty() || !self.contacts().iter().all(belongs) {
            return None;
        }
        // Corners on materials that differ are a step's business.
        let friction = self.common_friction(DVec3::ZERO)?;
        let frame = Frame::from_normal(normal).ok()?;
        let velocity = DVec2::new(linear.dot(frame.tangent1), linear.dot(frame.tangent2));
        let spin = angular.dot(normal);
        let none = NO_SPIN * (velocity.length() + scale);
        Some(Beginning {
            frame,
            friction,
            velocity,
            spin: if spin.abs() * radius > none {
                spin
            } else {
                0.0
            },
        })
    }

    fn slide_on(&mut self, face: &Face, beginning: &Beginning) -> Flow<Option<Phase>> {
        let Beginning { velocity, spin, .. } = *beginning;
        let scale = (self.options.gravity.length() * face.radius).sqrt();
        if velocity.length() + spin.abs() * face.radius < STOPPED * scale {
            self.rests_or_slips(face, beginning)
        } else if spin == 0.0
            && velocity.perp_dot(face.pull).abs()
                <= NO_SPIN * velocity.length() * face.pull.length()
        {
            let direction = velocity.normalize();
            self.straight(face, beginning, direction)
        } else {
            self.curved(face, beginning)
        }
    }

    /// A body that has stopped: it rests where friction holds it, else it begins to slip with the pull.
    fn rests_or_slips(&mut self, face: &Face, beginning: &Beginning) -> Flow<Option<Phase>> {
        if self.is_held() {
            return self.stop().map_continue(|()| None);
        }
        let Some(direction) = face.pull.try_normalize() else {
            return ControlFlow::Continue(None);
        };
        if face.pull.length() <= face.friction * face.press {
            return ControlFlow::Continue(None);
        }
        let still = Beginning {
            velocity: DVec2::ZERO,
            spin: 0.0,
            ..*beginning
        };
        self.straight(face, &still, direction)
    }

    /// Constant acceleration along a line.
    fn straight(
        &mut self,
        face: &Face,
        beginning: &Beginning,
        direction: DVec2,
    ) -> Flow<Option<Phase>> {
        if face.accelerations(0.0, |_| direction).is_none() {
            self.memory.no_slide = AGAIN;
            return ControlFlow::Continue(None);
        }
        let speed = beginning.velocity.length();
        let gain = face.pull.dot(direction) - face.friction * face.press;
        let stop = if gain < 0.0 {
            -speed / gain
        } else {
            f64::INFINITY
        };
        let left = (self.options.limits.time - self.time).min(LONGEST);
        let wanted = stop.min(left);
        let way = |t: f64| (speed + 0.5 * gain * t) * t;
        let along = world(&beginning.frame, direction);
        let Some(free) = self.flat_way(&beginning.frame, along, way(wanted)) else {
            return ControlFlow::Continue(None);
        };
        let time = if free < way(wanted) {
            // speed t + gain t²/2 = free by the formula that cancels nothing.
            2.0 * free / (speed + (speed * speed + 2.0 * gain * free).max(0.0).sqrt())
        } else {
            wanted
        };
        let stopped = time == stop;
        let end_speed = if stopped { 0.0 } else { speed + gain * time };
        let end = State {
            pose: Pose {
                rotation: self.state.pose.rotation,
                translation: self.state.pose.translation + along * way(time),
            },
            velocity: Twist {
                linear: along * end_speed,
                angular: DVec3::ZERO,
            },
        };
        self.enter_slide(time, end)?;
        if stopped && self.is_held() {
            return self.stop().map_continue(|()| None);
        }
        self.goes_on()
    }

    /// A piece of a slide that turns.
    fn curved(&mut self, face: &Face, beginning: &Beginning) -> Flow<Option<Phase>> {
        let Beginning {
            frame,
            velocity,
            spin,
            ..
        } = *beginning;
        let slip = |r: DVec2| (velocity + spin * r.perp()).normalize_or_zero();
        if face.accelerations(spin, slip).is_none() {
            self.memory.no_slide = AGAIN;
            return ControlFlow::Continue(None);
        }
        let speed = velocity.length() + spin.abs() * face.radius;
        let brake = face.friction * face.press + face.pull.length();
        let mut time = (PIECE * speed / brake)
            .min(self.options.limits.time - self.time)
            .min(LONGEST);
        let reach = (velocity.length() + brake * time) * time;
        let along = world(&frame, velocity.normalize_or(DVec2::X));
        let Some(free) = self.flat_way(&frame, along, reach) else {
            return ControlFlow::Continue(None);
        };
        if free < reach {
            time *= free / reach;
        }
        for _ in 0..HALVINGS {
            let y = match self.integrated(face, beginning, time) {
                Some(y) => y,
                None if face.balanced.get() => break,
                None => {
                    time *= 0.5;
                    continue;
                }
            };
            let shift = world(&frame, DVec2::new(y[0], y[1]));
            let normal = frame.normal;
            let end = State {
                pose: Pose {
                    rotation: about(normal * y[2], self.state.pose.rotation),
                    translation: self.state.pose.translation + shift,
                },
                velocity: Twist {
                    linear: world(&frame, DVec2::new(y[3], y[4])),
                    angular: normal * y[5],
                },
            };
            self.enter_slide(time, end)?;
            return self.goes_on();
        }
        self.memory.no_slide = AGAIN;
        ControlFlow::Continue(None)
    }

    /// The state after a time; `None` where the loads were not balanced all the way.
    fn integrated(
        &mut self,
        face: &Face,
        beginning: &Beginning,
        time: f64,
    ) -> Option<[f64; STATES]> {
        let v = beginning.velocity;
        let start = [0.0, 0.0, 0.0, v.x, v.y, beginning.spin];
        let options = OdeOptions {
            relative: ACCURACY,
            absolute: ACCURACY,
            max_steps: MOST_STEPS,
            ..OdeOptions::default()
        };
        let kept = &mut self.workspace.sustained.method;
        let method = match kept {
            Some(method) => method,
            None => kept.insert(Dopri853::new(STATES, options).ok()?),
        };
        method.reset(0.0, &start).ok()?;
        face.balanced.set(true);
        let arrived = method.advance(face, time, &[]).ok()?;
        (face.balanced.get() && arrived == Arrival::End)
            .then(|| std::array::from_fn(|i| method.state().get(i).copied().unwrap_or(f64::NAN)))
    }

    /// Enters a slide.
    fn enter_slide(&mut self, time: f64, end: State) -> Flow<()> {
        let (start, speed) = (self.state, self.state.velocity.linear.length());
        let change = self.energy_change(&start, &end);
        let kinetic = end.kinetic_energy(self.body).total();
        self.tally.energy.enter_contact(kinetic, change);
        self.tally.slides += 1;
        self.travel(time, end, Motion::Contact)?;
        let mean = 0.5 * (speed + end.velocity.linear.length());
        self.law.slid(mean, time);
        self.still_on_the_map()
    }

    fn goes_on(&mut self) -> Flow<Option<Phase>> {
        if self.time >= self.options.limits.time {
            return ControlFlow::Break(StopReason::MaximumTime);
        }
        ControlFlow::Continue(Some(Phase::Stay))
    }

    /// The friction coefficient that all contacts have where the body is moved by `shift` (m).
    fn common_friction(&self, shift: DVec3) -> Option<f64> {
        let of = |c: &ContactPoint| self.law.coefficients(c.point + shift).friction();
        let (first, others) = self.contacts().split_first()?;
        let friction = of(first);
        let same = self.law.is_uniform() || others.iter().all(|c| of(c) == friction);
        same.then_some(friction)
    }

    /// How far along a way (m) the corners stay on what they stand on; `None` where that is not worth a slide.
    fn way_on_one_material(&self, along: DVec3, wanted: f64) -> Option<f64> {
        if self.law.is_uniform() {
            return Some(wanted);
        }
        let radius = self.body.shape().radius();
        let friction = self.common_friction(DVec3::ZERO)?;
        let mut way = wanted.min(OVER_MATERIALS * radius);
        while self.common_friction(along * way) != Some(friction) {
            way *= 0.5;
            if way < LEAST_WAY * radius {
                return None;
            }
        }
        Some(way)
    }

    /// How far the ground is flat along a way (m), and of one material; `None` where that is not worth a slide.
    fn flat_way(&mut self, frame: &Frame, along: DVec3, wanted: f64) -> Option<f64> {
        let radius = self.body.shape().radius();
        let mut way = self.way_on_one_material(along, wanted)?;
        if self.terrain.as_plane().is_some() {
            return Some(way);
        }
        way = way.min(AHEAD * radius);
        let centre = self.state.pose.translation;
        let contact = self.contacts().first()?.point;
        let search = &mut self.workspace.search;
        let rounding = 1e-9 * radius + 16.0 * f64::EPSILON * centre.length();
        loop {
            let ahead = centre + along * way;
            let area = Area::spanned(centre.truncate(), ahead.truncate()).grown(1.01 * radius);
            search.facets.clear();
            self.terrain.facets(area, &mut search.facets);
            let flat = |corner: &DVec3| frame.normal.dot(*corner - contact).abs() <= rounding;
            let inside = self.terrain.extent();
            let whole = inside.contains(area.lower) && inside.contains(area.upper);
            if whole && search.facets.iter().all(|f| f.corners.iter().all(flat)) {
                return Some(way);
            }
            way *= 0.5;
            if way < LEAST_WAY * radius {
                return None;
            }
        }
    }
}

/// Along the plane in world axes.
fn world(frame: &Frame, v: DVec2) -> DVec3 {
    frame.tangent1 * v.x + frame.tangent2 * v.y
}
