//! What a body meets where it touches the ground: coefficients at a place, and laws that a kind of ground adds.

use super::penetration::Penetration;
use super::slowing::mean_decay;
use crate::error::within;
use crate::{DynamicsError, State};
use glam::DVec3;
use klast_geometry::ContactPoint;

/// Normal restitution e (R_n) in [0, 1].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Restitution(pub f64);

/// Friction coefficient μ ≥ 0.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Friction(pub f64);

/// Tangential restitution e_t in [−1, 1], as an impulse law: friction seeks u_t⁺ = −e_t u_t⁻ instead of stick.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TangentialRestitution(pub f64);

/// Coefficients of a pair of surfaces; by default neither restitution nor friction.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Coefficients {
    restitution: f64,
    tangential_restitution: f64,
    friction: f64,
}

impl Coefficients {
    /// Normal restitution and friction; no tangential restitution.
    pub fn new(restitution: Restitution, friction: Friction) -> Result<Self, DynamicsError> {
        Self::with_tangential(restitution, TangentialRestitution(0.0), friction)
    }

    /// The same with a tangential restitution, which the laws of Newton and in sequence know.
    pub fn with_tangential(
        restitution: Restitution,
        tangential: TangentialRestitution,
        friction: Friction,
    ) -> Result<Self, DynamicsError> {
        let unit = |e: f64| (0.0..=1.0).contains(&e);
        let both = |e: f64| (-1.0..=1.0).contains(&e);
        Ok(Self {
            restitution: within("restitution", restitution.0, unit, "0 to 1")?,
            tangential_restitution: within(
                "tangential restitution",
                tangential.0,
                both,
                "-1 to 1",
            )?,
            friction: within(
                "friction coefficient",
                friction.0,
                |m| m >= 0.0,
                "finite, 0 or more",
            )?,
        })
    }

    /// The same with a part of the restitution, 0 to 1.
    pub(crate) fn with_part_of_restitution(self, part: f64) -> Self {
        let restitution = self.restitution * part.clamp(0.0, 1.0);
        Self {
            restitution,
            ..self
        }
    }

    /// Normal restitution e (R_n).
    pub fn restitution(&self) -> f64 {
        self.restitution
    }

    /// Tangential restitution e_t.
    pub fn tangential_restitution(&self) -> f64 {
        self.tangential_restitution
    }

    /// Friction coefficient μ.
    pub fn friction(&self) -> f64 {
        self.friction
    }
}

/// Drag of what grows on the ground: F = −c v on the mass centre while it is lower than `height` over the ground.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Drag {
    /// c (N s/m).
    pub coefficient: f64,
    /// Height up to which it acts (m).
    pub height: f64,
}

impl Drag {
    /// The mean acceleration (m/s²) of a mass (kg) that flies for a time (s) from a velocity (m/s) under gravity and
    /// drag: (g − c v/m) (1 − exp(−k))/k with k = c t/m. With it the velocity at the end of that time is exact.
    pub fn mean_acceleration(
        &self,
        mass: f64,
        gravity: DVec3,
        velocity: DVec3,
        time: f64,
    ) -> DVec3 {
        let rate = self.coefficient / mass;
        (gravity - rate * velocity) * mean_decay(rate * time)
    }
}

/// The laws of a ground for one body: what a kind of ground may add to plain coefficients. It belongs to one run and
/// may keep what the body has done to the ground so far.
pub trait GroundLaw {
    /// The coefficients at a point of the ground (local coordinates).
    fn coefficients(&self, point: DVec3) -> Coefficients;

    /// Whether the coefficients are the same everywhere.
    fn is_uniform(&self) -> bool {
        false
    }

    /// Whether the coefficients of a place never change, and nothing but friction slows a body that slides.
    fn is_steady(&self) -> bool {
        true
    }

    /// Turns the normals met at an impact, for ground that is rougher than its shape.
    fn turn_normals(&mut self, _before: &State, _contacts: &mut [ContactPoint]) {}

    /// How the ground at a point yields to an impact; none where it is rigid.
    fn penetration(&self, _point: DVec3) -> Option<Penetration> {
        None
    }

    /// Drag on the body near the ground: the most there is anywhere, by which steps are bounded; none where nothing
    /// slows the body between impacts.
    fn drag(&self) -> Option<Drag> {
        None
    }

    /// Drag on the body where it is, with its mass centre at a height over the ground (m).
    fn drag_at(&self, _state: &State, height: f64) -> Option<Drag> {
        self.drag().filter(|drag| height < drag.height)
    }

    /// Deceleration of the mass centre in sustained contact (m/s²), whatever its speed: resistance of soft ground to
    /// rolling. `pressing` is the sum of the normal forces per mass (m/s²).
    fn resistance(&self, _state: &State, _pressing: f64) -> f64 {
        0.0
    }

    /// Whether the ground holds a body that is slower than the stopped-velocity cutoff, whatever its contacts do: soft
    /// ground that a body sinks into. Asked where the ground under the mass centre is in reach of the body.
    fn holds(&self, _state: &State) -> bool {
        false
    }

    /// Takes note of a flight (s).
    fn flown(&mut self, _duration: f64) {}

    /// Takes note of sustained contact: mean speed of the mass centre (m/s) and duration (s).
    fn slid(&mut self, _speed: f64, _duration: f64) {}
}

/// The same coefficients everywhere.
impl GroundLaw for Coefficients {
    fn coefficients(&self, _point: DVec3) -> Coefficients {
        *self
    }

    fn is_uniform(&self) -> bool {
        true
    }
}
