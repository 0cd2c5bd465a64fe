//! A state seen from its contacts.

use crate::impact::world_inverse_inertia;
use crate::{Body, State, Twist};
use glam::{DMat3, DVec3};
use klast_contact::Frame;

/// How a contact point goes on.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Mode {
    /// It stays where it is.
    Stick,
    /// It slips along its velocity, blended with a reference direction that takes over where that vanishes.
    Slip {
        /// The direction at the beginning of the phase.
        reference: DVec3,
        /// Speed at which both weigh the same (m/s).
        blend: f64,
    },
}

/// A contact of the phase.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Active {
    pub(crate) vertex: usize,
    pub(crate) mode: Mode,
}

/// What does not change during a phase.
#[derive(Debug, Clone)]
pub(crate) struct Setting<'a> {
    pub(crate) body: &'a Body,
    pub(crate) frame: Frame,
    pub(crate) gravity: DVec3,
    pub(crate) friction: f64,
}

/// Cosine of the angle by which a slip direction may turn from the phase's reference direction inside a step.
const TURNED: f64 = 0.1;
/// Speed (m/s) at which a slip has ended: its square over 2 μ g is far below any rounding of a position.
pub(crate) const STILL: f64 = 1e-10;

/// The blend of a slip that begins. The direction of a slow slip u follows the forces within u/(μ g), and while that is tiny an explicit
/// integrator crawls; the direction in which slip begins is the one it settles to, so the blend costs under this much of a speed (m/s).
pub(crate) const BEGINS: f64 = 1e-5;
/// A slip faster than this many blends is free of it.
pub(crate) const BLENDS: f64 = 100.0;

/// Rates of the two velocities.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct Rates {
    pub(crate) linear: DVec3,
    pub(crate) angular: DVec3,
}

/// Inertia, attitude and velocities of one instant.
pub(crate) struct Moment {
    inverse_mass: f64,
    inverse_inertia: DMat3,
    rotation: DMat3,
    /// Rates under gravity alone.
    pub(crate) free: Rates,
    pub(crate) velocity: Twist,
}

impl Moment {
    pub(crate) fn new(setting: &Setting, state: &State) -> Self {
        let body = setting.body;
        let inverse_inertia = world_inverse_inertia(body, state);
        let w = state.velocity.angular;
        let free_spin = match body.is_isotropic() {
            true => DVec3::ZERO,
            false => inverse_inertia * state.angular_momentum(body).cross(w),
        };
        Self {
            inverse_mass: 1.0 / body.mass(),
            inverse_inertia,
            rotation: DMat3::from_quat(state.pose.rotation),
            free: Rates {
                linear: setting.gravity,
                angular: free_spin,
            },
            velocity: state.velocity,
        }
    }

    pub(crate) fn arm(&self, body: &Body, vertex: usize) -> DVec3 {
        self.rotation * body.vertices().get(vertex).copied().unwrap_or(DVec3::ZERO)
    }

    /// Acceleration of the point at an arm under given rates.
    pub(crate) fn acceleration(&self, arm: DVec3, rates: &Rates) -> DVec3 {
        let w = self.velocity.angular;
        rates.linear + rates.angular.cross(arm) + w.cross(w.cross(arm))
    }

    /// What a force with its moment about the centre adds to the rates.
    pub(crate) fn push(&self, force: DVec3, moment: DVec3) -> Rates {
        Rates {
            linear: force * self.inverse_mass,
            angular: self.inverse_inertia * moment,
        }
    }

    /// The rates under gravity and forces at arms.
    pub(crate) fn rates(&self, arms: &[DVec3], forces: &[DVec3]) -> Rates {
        let (mut force, mut moment) = (DVec3::ZERO, DVec3::ZERO);
        for (arm, f) in arms.iter().zip(forces) {
            force += *f;
            moment += arm.cross(*f);
        }
        let pushed = self.push(force, moment);
        Rates {
            linear: self.free.linear + pushed.linear,
            angular: self.free.angular + pushed.angular,
        }
    }

    /// The matrix from the force at an arm to the acceleration there, in the local frame.
    pub(crate) fn mobility(&self, frame: &Frame, arm: DVec3) -> DMat3 {
        let column = |e: DVec3| {
            let r = self.push(e, arm.cross(e));
            frame.to_local(r.linear + r.angular.cross(arm))
        };
        DMat3::from_cols(
            column(frame.normal),
            column(frame.tangent1),
            column(frame.tangent2),
        )
    }

    /// Tangential velocity of the point at an arm.
    pub(crate) fn slip(&self, frame: &Frame, arm: DVec3) -> DVec3 {
        let u = self.velocity.at(arm);
        u - frame.normal * frame.normal.dot(u)
    }

    /// Direction of slip of a contact: of its velocity, unless that has turned away from the phase's direction.
    pub(crate) fn slip_direction(
        &self,
        frame: &Frame,
        arm: DVec3,
        reference: DVec3,
        blend: f64,
    ) -> DVec3 {
        let slip = self.slip(frame, arm);
        if slip.dot(reference) < TURNED * slip.length() {
            return reference;
        }
        (slip + reference * blend)
            .try_normalize()
            .unwrap_or(reference)
    }

    /// The body's velocities with the normal speeds of the contacts taken away by impulses, the nearest ones in kinetic energy. Points that do
    /// not slip are kept from it: else they would slip in a phase in which friction takes no energy from them.
    pub(crate) fn without_normal_speed(
        &self,
        setting: &Setting,
        active: &[Active],
        arms: &mut Vec<DVec3>,
    ) -> Twist {
        let frame = &setting.frame;
        arms.clear();
        arms.extend(active.iter().map(|c| self.arm(setting.body, c.vertex)));
        let mut velocity = self.velocity;
        for _ in 0..PROJECTIONS {
            let mut largest: f64 = 0.0;
            for arm in arms.iter() {
                let impulse = match self.slip(frame, *arm).length() > SLIPS {
                    true => {
                        let speed = velocity.at(*arm).dot(frame.normal);
                        largest = largest.max(speed.abs());
                        let push = self.push(frame.normal, arm.cross(frame.normal));
                        let answer = push.linear + push.angular.cross(*arm);
                        frame.normal * (-speed / answer.dot(frame.normal))
                    }
                    false => {
                        let speed = frame.to_local(velocity.at(*arm));
                        largest = largest.max(speed.abs().max_element());
                        frame.to_world(self.mobility(frame, *arm).inverse() * -speed)
                    }
                };
                let push = self.push(impulse, arm.cross(impulse));
                velocity.linear += push.linear;
                velocity.angular += push.angular;
            }
            // Rounding of velocities up to tens of metres per second.
            if arms.len() <= 1 || largest < 1e-14 {
                break;
            }
        }
        velocity
    }
}

/// Slip speed (m/s) below which a contact point is at rest.
pub(crate) const SLIPS: f64 = 1e-9;
/// Sweeps of the projection; each gains about a digit on an edge or a face.
const PROJECTIONS: usize = 200;
