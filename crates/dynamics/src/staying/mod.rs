//! A body that stays on a plane: it slides, rolls over a vertex or an edge, or topples, with its contact forces resolved at every instant.
//!
//! Between two changes of the contact modes (a contact opens, sticks, slips, or another vertex comes down) the motion is a smooth
//! ordinary differential equation. It is integrated to 1e-11, and the change is located as an event.

mod forces;
mod moment;

pub(crate) use forces::{ForceRoom, GONE};
pub(crate) use moment::{Active, Mode, Moment, Rates, Setting};

use crate::ode::{Arrival, Crossing, Dopri853, OdeOptions};
use crate::{Event, OdeSystem, State, Twist};
use glam::{DQuat, DVec3};
use klast_geometry::{Plane, Pose};
pub(crate) use moment::{BEGINS, BLENDS, SLIPS, STILL};
use std::cell::RefCell;

/// Accuracy of the integration per step: with gravity, metres and seconds of order one it is 1e-11 m.
const ACCURACY: f64 = 1e-11;
/// Depth, relative to the radius, at which a vertex that comes down has arrived; above the rounding of a height.
const ARRIVED: f64 = 1e-12;
/// Depth, relative to the radius, that a vertex may have while it goes up again: some touches in a row at [`ARRIVED`].
const DEEP: f64 = 1e-10;
/// Height, relative to the radius, at which a corner of a face has left the plane.
const LIFTED: f64 = 1e-7;
/// Speed (m/s) at which a corner that was to stick counts as slipping.
const GIVES_WAY: f64 = 1e-8;
/// Cosine of the turn of a slip direction at which the phase takes a new reference direction.
const TURN: f64 = 0.3;

/// A stretch of motion with fixed contact modes.
pub(crate) struct Phase<'a> {
    setting: Setting<'a>,
    plane: Plane,
    active: Vec<Active>,
    /// A vertical boundary that ends the run.
    gate: Option<Plane>,
    /// Room of the contact problem, which is solved again wherever the integrator looks.
    forces: RefCell<ForceRoom>,
}

/// Why a phase ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PhaseEnd {
    /// The time is up.
    TimeUp,
    /// The centre passed the gate.
    Gate,
    /// The contacts have to be looked at again.
    Change,
    /// The integration failed; nothing was done.
    Failed,
}

impl<'a> Phase<'a> {
    pub(crate) fn new(
        setting: Setting<'a>,
        plane: Plane,
        active: Vec<Active>,
        gate: Option<Plane>,
        forces: ForceRoom,
    ) -> Self {
        Self {
            setting,
            plane,
            active,
            gate,
            forces: RefCell::new(forces),
        }
    }

    /// Gives the lists back.
    pub(crate) fn into_lists(self) -> (Vec<Active>, ForceRoom) {
        (self.active, self.forces.into_inner())
    }

    /// Runs from `state` for at most `longest` seconds; the method is that of an earlier phase, or made here.
    pub(crate) fn run(
        &self,
        state: &State,
        longest: f64,
        method: &mut Option<Dopri853>,
    ) -> (State, f64, PhaseEnd) {
        let stop = (*state, 0.0, PhaseEnd::Failed);
        let options = OdeOptions {
            relative: ACCURACY,
            absolute: ACCURACY,
            max_steps: 20_000,
            ..OdeOptions::default()
        };
        let kept = match method.take() {
            Some(kept) => Ok(kept),
            None => Dopri853::new(STATES, options),
        };
        let Ok(kept) = kept else {
            return stop;
        };
        let method = method.insert(kept);
        if method.reset(0.0, &encode(state)).is_err() {
            return stop;
        }
        // A vertex that has just struck and goes up again still stands at its depth; the event begins below that, so that it can be
        // passed. Deeper vertices are no business of a phase.
        let depth = self.depth(state);
        let arrived = ARRIVED + 2.0 * depth;
        let room = self.margin(state, arrived);
        if depth > DEEP || room.is_nan() || room <= 0.0 {
            return stop;
        }
        let change = Falling(|y: &[f64]| self.margin(&decode(y), arrived));
        let gate = Falling(|y: &[f64]| {
            self.gate
                .map_or(1.0, |g| g.height(decode(y).pose.translation))
        });
        let events: [&dyn Event; 2] = [&change, &gate];
        let count = if self.gate.is_some() { 2 } else { 1 };
        let (end, elapsed) = match method.advance(self, longest, events.get(..count).unwrap_or(&[]))
        {
            Ok(Arrival::End) => (PhaseEnd::TimeUp, longest),
            Ok(Arrival::Event { index: 0 }) => (PhaseEnd::Change, method.time()),
            Ok(Arrival::Event { .. }) => (PhaseEnd::Gate, method.time()),
            Err(_) => return stop,
        };
        let after = self.settled(decode(method.state()));
        // Where a margin was missed by the looks at a step, the phase has no answer.
        if self.depth(&after) > 2.0 * DEEP {
            return stop;
        }
        (after, elapsed, end)
    }

    /// How deep the deepest vertex stands that is no contact of the phase, relative to the radius; 0 where none is below the plane.
    fn depth(&self, state: &State) -> f64 {
        let body = self.setting.body;
        let level = self.plane.height(state.pose.translation);
        let normal = state.pose.inverse_transform_vector(self.plane.normal);
        let others = body
            .vertices()
            .iter()
            .enumerate()
            .filter(|(i, _)| !self.active.iter().any(|c| c.vertex == *i));
        let lowest = others
            .map(|(_, v)| level + normal.dot(*v))
            .fold(0.0, f64::min);
        -lowest / body.shape().radius()
    }

    /// Distance to the next change, the least of several dimensionless margins. A vertex that comes down changes things at the depth `arrived`,
    /// relative to the radius.
    fn margin(&self, state: &State, arrived: f64) -> f64 {
        let Setting {
            body,
            frame,
            gravity,
            friction,
        } = &self.setting;
        let moment = Moment::new(&self.setting, state);
        let radius = body.shape().radius();
        let mut margin = f64::INFINITY;
        let level = self.plane.height(state.pose.translation);
        let normal = state.pose.inverse_transform_vector(self.plane.normal);
        for (i, v) in body.vertices().iter().enumerate() {
            let height = (level + normal.dot(*v)) / radius;
            margin = margin.min(match self.active.iter().any(|c| c.vertex == i) {
                false => height + arrived,
                // A corner of a face may lift without any force passing through zero.
                true if self.active.len() > 2 => LIFTED - height,
                true => f64::INFINITY,
            });
        }
        let weight = body.mass() * gravity.length();
        let loads = moment.known(&self.setting, &self.active);
        for (k, contact) in self.active.iter().enumerate() {
            let slip = moment.slip(frame, moment.arm(body, contact.vertex));
            margin = margin.min(match contact.mode {
                Mode::Slip { reference, blend } => {
                    let faster = if blend == BEGINS {
                        BLENDS * blend - slip.length()
                    } else {
                        f64::INFINITY
                    };
                    faster.min(slip.dot(reference) - TURN * slip.length() + STILL)
                } // Where the modes do not determine the forces, a corner that gives way shows by its speed.
                Mode::Stick if loads.is_none() => GIVES_WAY - slip.length(),
                Mode::Stick => f64::INFINITY,
            });
            let Some(force) = loads.as_ref().and_then(|l| l.forces().get(k)) else {
                continue;
            };
            let f = frame.to_local(*force) / weight;
            margin = margin.min(f.x + GONE);
            if contact.mode == Mode::Stick {
                margin = margin.min(friction * f.x - (f.y * f.y + f.z * f.z).sqrt() + GONE);
            }
        }
        margin
    }

    fn rates(&self, moment: &Moment) -> Rates {
        match moment.known(&self.setting, &self.active) {
            Some(loads) => loads.rates,
            None => moment
                .complementary(&self.setting, &self.active, &mut self.forces.borrow_mut())
                .unwrap_or(moment.free),
        }
    }

    /// Takes away the drift of the integration: the contacts stand on the plane.
    fn settled(&self, mut state: State) -> State {
        state.pose.rotation = state.pose.rotation.normalize();
        let height = |c: &Active| {
            let v = self
                .setting
                .body
                .vertices()
                .get(c.vertex)
                .copied()
                .unwrap_or_default();
            self.plane.height(state.pose.transform_point(v))
        };
        let lowest = self.active.iter().map(height).fold(f64::INFINITY, f64::min);
        if lowest.is_finite() {
            state.pose.translation -= self.plane.normal * lowest;
        }
        state
    }
}

/// An event that counts when it falls through zero.
struct Falling<F: Fn(&[f64]) -> f64>(F);

impl<F: Fn(&[f64]) -> f64> Event for Falling<F> {
    fn value(&self, _t: f64, y: &[f64]) -> f64 {
        (self.0)(y)
    }
    fn crossing(&self) -> Crossing {
        Crossing::Falling
    }
}

/// Centre, attitude, two velocities.
const STATES: usize = 13;

impl OdeSystem for Phase<'_> {
    fn dimension(&self) -> usize {
        STATES
    }

    fn derivative(&self, _t: f64, y: &[f64], dy: &mut [f64]) {
        let state = decode(y);
        let moment = Moment::new(&self.setting, &state);
        let rates = self.rates(&moment);
        let w = state.velocity.angular;
        let turn = DQuat::from_xyzw(w.x, w.y, w.z, 0.0) * state.pose.rotation * 0.5;
        let rate = State {
            pose: Pose {
                rotation: turn,
                translation: state.velocity.linear,
            },
            velocity: Twist {
                linear: rates.linear,
                angular: rates.angular,
            },
        };
        dy.copy_from_slice(&encode(&rate));
    }
}

fn encode(state: &State) -> [f64; STATES] {
    let mut y = [0.0; STATES];
    y[..3].copy_from_slice(&state.pose.translation.to_array());
    y[3..7].copy_from_slice(&state.pose.rotation.to_array());
    y[7..10].copy_from_slice(&state.velocity.linear.to_array());
    y[10..].copy_from_slice(&state.velocity.angular.to_array());
    y
}

fn decode(y: &[f64]) -> State {
    let at = |i: usize| y.get(i).copied().unwrap_or(f64::NAN);
    let vector = |i: usize| DVec3::new(at(i), at(i + 1), at(i + 2));
    State {
        pose: Pose {
            rotation: DQuat::from_xyzw(at(3), at(4), at(5), at(6)).normalize(),
            translation: vector(0),
        },
        velocity: Twist {
            linear: vector(7),
            angular: vector(10),
        },
    }
}

/// Names the modes of contact points from the forces that solve the contact problem, into `named`; contacts without a force are
/// left out.
///
/// A face keeps every corner that is not lifted: its forces are not unique, and a corner may carry none by chance.
pub(crate) fn modes(
    setting: &Setting,
    moment: &Moment,
    candidates: &[Active],
    forces: &[DVec3],
    rates: &Rates,
    named: &mut Vec<Active>,
) {
    let weight = setting.body.mass() * setting.gravity.length();
    let normal = setting.frame.normal;
    let face = forces
        .iter()
        .filter(|f| f.dot(normal) > GONE * weight)
        .count()
        > 2;
    let name = |(contact, force): (&Active, &DVec3)| {
        let f = setting.frame.to_local(*force);
        let lifting =
            || normal.dot(moment.acceleration(moment.arm(setting.body, contact.vertex), rates));
        let kept = face && lifting() <= GONE * setting.gravity.length();
        if f.x <= GONE * weight && !kept {
            return None;
        }
        let friction = *force - normal * f.x;
        let mode = match contact.mode {
            // On the edge of the cone it starts to slip against the friction force.
            Mode::Stick
                if f.x > 0.0 && friction.length() >= setting.friction * f.x * (1.0 - GONE) =>
            {
                Mode::Slip {
                    reference: -friction.try_normalize().unwrap_or(setting.frame.tangent1),
                    blend: BEGINS,
                }
            }
            mode => mode,
        };
        Some(Active {
            vertex: contact.vertex,
            mode,
        })
    };
    named.clear();
    named.extend(candidates.iter().zip(forces).filter_map(name));
}
