//! Moreau's midpoint scheme for one body on a plane, with a fixed step and no event finding.
//!
//! x_m = x + h/2 v; contacts are the vertices at or below the plane at the midpoint; v⁺ = v + h M⁻¹F + M⁻¹ Σ p with
//! 0 ≤ u_n⁺ + e u_n⁻ ⟂ p_n ≥ 0 and Coulomb's law on u_t⁺ + e_t u_t⁻ (u⁻ at the start of the step); x⁺ = x_m + h/2 v⁺.
//! Moreau (1988), "Unilateral contact and dry friction in finite freedom dynamics", section 13; first order in h through an impact.
//! The body enters the ground by up to v h before it is turned back: use [`crate::EventDriven`] where that matters.

use crate::impact::{GeneralContacts, kicked, world_inverse_inertia};
use crate::{Body, ContactMaterial, DynamicsError, State, Twist};
use glam::{DQuat, DVec3};
use klast_contact::Frame;
use klast_geometry::{ContactPoint, Manifold, Plane, Pose, plane_contact};
use klast_numerics::check::{finite_vector as finite, positive};

/// The scheme: step, gravity, ground.
#[derive(Debug, Clone, PartialEq)]
pub struct MoreauMidpoint {
    step: f64,
    gravity: DVec3,
    plane: Plane,
    frame: Frame,
    material: ContactMaterial,
}

/// Residual asked of a contact problem, relative to its largest velocity.
const TOLERANCE: f64 = 1e-12;

/// What a step met.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct MoreauStep {
    /// Vertices in contact at the midpoint.
    pub contacts: usize,
    /// Whether the contact problem met its tolerance.
    pub converged: bool,
}

/// What a step works in, handed on from step to step: [`MoreauMidpoint::step_in`].
#[derive(Debug, Clone, Default)]
pub struct MoreauRoom {
    touching: Manifold,
    general: GeneralContacts,
}

impl MoreauMidpoint {
    /// A scheme with step h (s). Of the material's law only the coefficients count: the scheme is Newton's.
    pub fn new(
        step: f64,
        gravity: DVec3,
        plane: Plane,
        material: ContactMaterial,
    ) -> Result<Self, DynamicsError> {
        positive("step", step)?;
        finite("gravity", gravity)?;
        Ok(Self {
            step,
            gravity,
            frame: Frame::from_normal(plane.normal)?,
            plane,
            material,
        })
    }

    /// Step size (s).
    pub fn step_size(&self) -> f64 {
        self.step
    }

    /// Advances a state by one step.
    pub fn step(&self, body: &Body, state: &mut State) -> Result<MoreauStep, DynamicsError> {
        self.step_in(body, state, &mut MoreauRoom::default())
    }

    /// As [`MoreauMidpoint::step`], in room that goes from step to step: nothing is allocated once its lists are as long as
    /// they get.
    pub fn step_in(
        &self,
        body: &Body,
        state: &mut State,
        room: &mut MoreauRoom,
    ) -> Result<MoreauStep, DynamicsError> {
        let half = 0.5 * self.step;
        let start = state.velocity;
        let middle = State {
            pose: moved(&state.pose, &start, half),
            velocity: start,
        };
        let inverse_inertia = world_inverse_inertia(body, &middle);
        let gyroscopic = middle.angular_momentum(body).cross(start.angular);
        let free = Twist {
            linear: start.linear + self.step * self.gravity,
            angular: start.angular + self.step * (inverse_inertia * gyroscopic),
        };
        let touching = &mut room.touching;
        plane_contact(body.shape(), &middle.pose, &self.plane, 0.0, touching);
        // The vertices themselves, which stand up to v h/2 below the plane: friction acts where they are.
        let vertex = |p: &ContactPoint| {
            body.vertices()
                .get(p.feature as usize)
                .copied()
                .unwrap_or_default()
        };
        let arms = touching
            .points
            .iter()
            .map(|p| middle.pose.transform_vector(vertex(p)));
        let general = &mut room.general;
        general.points.clear();
        general.points.extend(arms.map(|arm| (self.frame, arm)));
        let mut report = MoreauStep {
            contacts: general.points.len(),
            converged: true,
        };
        let mut end = free;
        if !general.points.is_empty() {
            // u⁺ + e u⁻ from the velocities without impulses and those at the start.
            let tangential = self.material.tangential_restitution();
            let share = DVec3::new(self.material.restitution(), tangential, tangential);
            let posed = |frame: &Frame, arm: DVec3| {
                frame.to_local(free.at(arm)) + frame.to_local(start.at(arm)) * share
            };
            let mu = self.material.friction();
            general.solve(body, &inverse_inertia, posed, mu, TOLERANCE)?;
            report.converged = general.solution().converged();
            end = kicked(body, &free, &inverse_inertia, general.impulses());
        }
        *state = State {
            pose: moved(&middle.pose, &end, half),
            velocity: end,
        };
        Ok(report)
    }
}

/// A pose carried on by a constant twist.
pub(crate) fn moved(pose: &Pose, twist: &Twist, time: f64) -> Pose {
    let angle = twist.angular.length() * time;
    let (s, c) = libm::sincos(0.5 * angle);
    let axis = twist.angular.normalize_or_zero() * s;
    let turn = DQuat::from_xyzw(axis.x, axis.y, axis.z, c);
    Pose {
        rotation: (turn * pose.rotation).normalize(),
        translation: pose.translation + twist.linear * time,
    }
}
