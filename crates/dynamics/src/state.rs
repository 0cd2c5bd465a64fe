//! Where a body is and how it moves.

use crate::{Body, DynamicsError};
use glam::DVec3;
use klast_geometry::Pose;
use klast_numerics::check::finite_vector;

/// Velocity of the centre of mass and spin, both in world axes.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Twist {
    /// Velocity of the centre of mass (m/s).
    pub linear: DVec3,
    /// Angular velocity (rad/s), world axes.
    pub angular: DVec3,
}

impl Twist {
    /// No motion.
    pub const ZERO: Twist = Twist {
        linear: DVec3::ZERO,
        angular: DVec3::ZERO,
    };

    /// A twist of finite numbers.
    pub fn new(linear: DVec3, angular: DVec3) -> Result<Self, DynamicsError> {
        Ok(Self {
            linear: finite_vector("linear velocity", linear)?,
            angular: finite_vector("angular velocity", angular)?,
        })
    }

    /// Velocity of the body point that stands `arm` away from the centre of mass (world axes): v + ω × arm.
    #[inline]
    pub fn at(&self, arm: DVec3) -> DVec3 {
        self.linear + self.angular.cross(arm)
    }
}

/// All that changes of one body. Plain data: a snapshot is a copy.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct State {
    /// Centre of mass and attitude of the principal axes.
    pub pose: Pose,
    /// Velocities.
    pub velocity: Twist,
}

/// Kinetic energy by its two parts (J).
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct KineticEnergy {
    /// ½ m v².
    pub translational: f64,
    /// ½ ω·Iω.
    pub rotational: f64,
}

impl KineticEnergy {
    /// The sum of both parts (J).
    pub fn total(&self) -> f64 {
        self.translational + self.rotational
    }
}

impl State {
    /// A state from a pose (normalised by [`Pose::new`]) and finite velocities.
    pub fn new(pose: Pose, velocity: Twist) -> Result<Self, DynamicsError> {
        let pose = Pose::new(pose.rotation, pose.translation)?;
        Ok(Self {
            pose,
            velocity: Twist::new(velocity.linear, velocity.angular)?,
        })
    }

    /// At rest at a pose.
    pub const fn at_rest(pose: Pose) -> Self {
        Self {
            pose,
            velocity: Twist::ZERO,
        }
    }

    /// Angular velocity in body axes (rad/s).
    #[inline]
    pub fn body_spin(&self) -> DVec3 {
        self.pose.inverse_transform_vector(self.velocity.angular)
    }

    /// Kinetic energy (J).
    pub fn kinetic_energy(&self, body: &Body) -> KineticEnergy {
        let w = self.body_spin();
        KineticEnergy {
            translational: 0.5 * body.mass() * self.velocity.linear.length_squared(),
            rotational: 0.5 * w.dot(body.inertia() * w),
        }
    }

    /// Angular momentum about the centre of mass, world axes (kg m²/s).
    pub fn angular_momentum(&self, body: &Body) -> DVec3 {
        self.pose
            .transform_vector(body.inertia() * self.body_spin())
    }

    /// Potential energy −m g·x in a uniform gravity field (J).
    pub fn potential_energy(&self, body: &Body, gravity: DVec3) -> f64 {
        -body.mass() * gravity.dot(self.pose.translation)
    }
}
