//! A round body that rolls on its rim.
//!
//! A prism in the place of a round body falls from corner to corner where the body rolls, and loses energy at each: one
//! over the number of its sides. But a body of rotational symmetry moves the same however it is turned about its axis:
//! before each step the prism is turned, without its motion, so that a corner is where the rim touches in the middle of
//! the step. The gap of that corner is then the same at both ends of the step. A step then costs what a corner of a
//! prism would whose corners are as far apart as the rim rolls in the step; where it rolls fast, steps are divided.

use super::SpatialBody;
use crate::error::RockingError;
use glam::{DQuat, DVec3};
use klast_dynamics::World;

/// Tilt (rad) under which a body stays as it is turned: its face is about to strike, or lies on the base.
const UPRIGHT: f64 = 2e-6;

/// Parts of the angle between two corners over which the rim may roll in a step, and parts into which a step may be
/// divided for that.
const FINER: f64 = 30.0;
const PARTS: f64 = 16.0;

/// The turns of a round body about its axis that are none of its motion.
pub(super) struct Rolling {
    /// Angle between two corners (rad); none of what is not round.
    spacing: Option<f64>,
    /// Attitude of the upright body.
    upright: DQuat,
    /// Their sum (rad).
    turned: f64,
}

impl Rolling {
    /// Of bodies on one another: only one that stands alone is turned, for the corners of several lie on each other.
    pub(super) fn of(bodies: &[SpatialBody]) -> Self {
        let spacing = match bodies {
            [one] => one
                .corners()
                .map(|corners| std::f64::consts::TAU / corners as f64),
            _ => None,
        };
        let first = bodies.first();
        Self {
            spacing,
            upright: first.map_or(DQuat::IDENTITY, |body| body.body().frame().rotation),
            turned: 0.0,
        }
    }

    /// The attitude with a corner at the lowest point of the rim; of an upright body as it is.
    pub(super) fn start(&mut self, attitude: DQuat) -> DQuat {
        self.turn(attitude, 0.0, 0.0).unwrap_or(attitude)
    }

    /// Turns the body of a world before a step of at most `longest` (s); how long it may be, of steps of `step` (s).
    pub(super) fn before(
        &mut self,
        world: &mut World,
        longest: f64,
        step: f64,
    ) -> Result<f64, RockingError> {
        let (Some(spacing), Some(state)) = (self.spacing, world.state(0).copied()) else {
            return Ok(longest);
        };
        let attitude = state.pose.rotation * self.upright.inverse();
        let rate = leads(attitude * DVec3::Z, state.velocity.angular);
        let fine = spacing / (FINER * rate.abs());
        let length = longest.min(fine.max(step / PARTS));
        if let Some(turned) = self.turn(attitude, 0.5 * length * rate, UPRIGHT) {
            world.set_attitude(0, turned * self.upright)?;
        }
        Ok(length)
    }

    /// The attitude turned about its axis to a corner that is ahead of the lowest point of the rim by `lead` (rad), at
    /// a tilt above the least (rad).
    fn turn(&mut self, attitude: DQuat, lead: f64, least: f64) -> Option<DQuat> {
        let spacing = self.spacing?;
        let down = attitude.inverse() * DVec3::NEG_Z;
        if libm::hypot(down.x, down.y) <= least {
            return None;
        }
        let lowest = libm::atan2(down.y, down.x);
        let lead = lead.clamp(-0.5 * spacing, 0.5 * spacing);
        let angle = libm::remainder(lowest + lead, spacing);
        self.turned += angle;
        Some(attitude * about_axis(angle))
    }

    /// The attitude with what was turned taken back.
    pub(super) fn moved(&self, attitude: DQuat) -> DQuat {
        match self.spacing {
            Some(_) => attitude * about_axis(-self.turned),
            None => attitude,
        }
    }
}

/// A turn (rad) about the axis of the upright body.
fn about_axis(angle: f64) -> DQuat {
    let (sin, cos) = libm::sincos(0.5 * angle);
    DQuat::from_xyzw(0.0, 0.0, sin, cos)
}

/// Angular velocity (rad/s) with which the lowest point of the rim moves round a body whose axis leans, as seen from
/// the body: of the lean round the vertical, ψ′ cos θ, less that of the body about its axis.
fn leads(axis: DVec3, spin: DVec3) -> f64 {
    let moved = spin.cross(axis);
    let lean = axis.x * axis.x + axis.y * axis.y;
    let round = (axis.x * moved.y - axis.y * moved.x) / lean.max(UPRIGHT * UPRIGHT);
    round * axis.z - spin.dot(axis)
}
