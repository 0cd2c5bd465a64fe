//! Moreau's midpoint scheme for one body on a plane, with a fixed step and no event finding.
//!
//! x_m = x + h/2 v; contacts are the vertices at or below the plane at the midpoint; v⁺ = v + h M⁻¹F + M⁻¹ Σ p with
//! 0 ≤ u_n⁺ + e u_n⁻ ⟂ p_n ≥ 0 and Coulomb's law on u_t⁺ + e_t u_t⁻ (u⁻ at the start of the step); x⁺ = x_m + h/2 v⁺.
//! Moreau (1988), "Unilateral contact and dry friction in finite freedom dynamics", section 13; first order in h through an impact.
//! The body enters the ground by up to v h before it is turned back: use [`crate::EventDriven`] where that matters.

use crate::error::{finite, positive};
use crate::impact::{fill_delassus, kicked, world_inverse_inertia};
use crate::{Body, ContactMaterial, DynamicsError, State, Twist};
use glam::{DMat3, DQuat, DVec3};
use klast_contact::{Delassus, Frame, FrictionContactProblem, SolveOptions, SolveRoom, solve_in};
use klast_geometry::{ContactPoint, Manifold, Plane, Pose, plane_contact};

/// The scheme: step, gravity, ground.
#[derive(Debug, Clone, PartialEq)]
pub struct MoreauMidpoint {
    step: f64,
    gravity: DVec3,
    plane: Plane,
    frame: Frame,
    material: ContactMaterial,
}

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
    points: Vec<(Frame, DVec3)>,
    /// `W`, `q` and `μ` of a contact problem.
    parts: (Delassus, Vec<DVec3>, Vec<f64>),
    solve: SolveRoom,
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
        room.points.clear();
        room.points.extend(arms.map(|arm| (self.frame, arm)));
        let mut report = MoreauStep {
            contacts: room.points.len(),
            converged: true,
        };
        let mut end = free;
        if !room.points.is_empty() {
            report.converged = self.solve(body, &inverse_inertia, &free, &start, room)?;
            let impulses = room
                .points
                .iter()
                .zip(&room.solve.solution().impulses)
                .map(|((frame, arm), p)| (*arm, frame.to_world(*p)));
            end = kicked(body, &free, &inverse_inertia, impulses);
        }
        *state = State {
            pose: moved(&middle.pose, &end, half),
            velocity: end,
        };
        Ok(report)
    }

    /// Solves the contact problem at the middle of a step, u⁺ + e u⁻ from the velocities without impulses and those at the
    /// start; whether it converged.
    fn solve(
        &self,
        body: &Body,
        inverse_inertia: &DMat3,
        free: &Twist,
        start: &Twist,
        room: &mut MoreauRoom,
    ) -> Result<bool, DynamicsError> {
        let tangential = self.material.tangential_restitution();
        let share = DVec3::new(self.material.restitution(), tangential, tangential);
        let posed = |(frame, arm): &(Frame, DVec3)| {
            frame.to_local(free.at(*arm)) + frame.to_local(start.at(*arm)) * share
        };
        let (mut w, mut q, mut mu) = std::mem::take(&mut room.parts);
        fill_delassus(&mut w, body, inverse_inertia, &room.points)?;
        q.clear();
        q.extend(room.points.iter().map(posed));
        mu.clear();
        mu.resize(room.points.len(), self.material.friction());
        let problem = FrictionContactProblem::new(w, q, mu)?;
        let options = SolveOptions {
            tolerance: 1e-12,
            ..SolveOptions::default()
        };
        let converged = solve_in(&problem, &options, None, &mut room.solve).converged();
        room.parts = problem.into_parts();
        Ok(converged)
    }
}

/// A pose carried on by a constant twist.
fn moved(pose: &Pose, twist: &Twist, time: f64) -> Pose {
    let angle = twist.angular.length() * time;
    let (s, c) = libm::sincos(0.5 * angle);
    let axis = twist.angular.normalize_or_zero() * s;
    let turn = DQuat::from_xyzw(axis.x, axis.y, axis.z, c);
    Pose {
        rotation: (turn * pose.rotation).normalize(),
        translation: pose.translation + twist.linear * time,
    }
}
