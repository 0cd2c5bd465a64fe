//! Where a body stands.

use crate::GeometryError;
use glam::{DQuat, DVec3};
use klast_numerics::OutOfRange;
use klast_numerics::check::finite_vector;

/// A rotation followed by a translation: maps body coordinates to world coordinates, x_world = R x_body + t.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Pose {
    /// Orientation, a unit quaternion.
    pub rotation: DQuat,
    /// Position of the body's origin (m).
    pub translation: DVec3,
}

impl Pose {
    /// No rotation, no translation.
    pub const IDENTITY: Pose = Pose {
        rotation: DQuat::IDENTITY,
        translation: DVec3::ZERO,
    };

    /// A pose from any finite quaternion that is not zero (it is normalised) and a finite position.
    pub fn new(rotation: DQuat, translation: DVec3) -> Result<Self, GeometryError> {
        let length = rotation.length();
        if !(length.is_finite() && length > 1e-150) {
            return Err(OutOfRange::new(
                "rotation",
                length,
                "a finite quaternion with a length above 0",
            )
            .into());
        }
        // A quaternion that is a unit one to rounding is kept bit for bit, so that a stored pose comes back as it was.
        let unit = if (length - 1.0).abs() <= 4.0 * f64::EPSILON {
            rotation
        } else {
            rotation / length
        };
        Ok(Self {
            rotation: unit,
            translation: finite_vector("translation", translation)?,
        })
    }

    /// A translation without rotation.
    pub const fn from_translation(translation: DVec3) -> Self {
        Self {
            rotation: DQuat::IDENTITY,
            translation,
        }
    }

    /// A rotation about the origin.
    pub const fn from_rotation(rotation: DQuat) -> Self {
        Self {
            rotation,
            translation: DVec3::ZERO,
        }
    }

    /// The world position of a body point.
    #[inline]
    pub fn transform_point(&self, point: DVec3) -> DVec3 {
        self.rotation * point + self.translation
    }

    /// The world direction of a body vector.
    #[inline]
    pub fn transform_vector(&self, vector: DVec3) -> DVec3 {
        self.rotation * vector
    }

    /// The body position of a world point.
    #[inline]
    pub fn inverse_transform_point(&self, point: DVec3) -> DVec3 {
        self.rotation.conjugate() * (point - self.translation)
    }

    /// The body direction of a world vector.
    #[inline]
    pub fn inverse_transform_vector(&self, vector: DVec3) -> DVec3 {
        self.rotation.conjugate() * vector
    }

    /// The pose that undoes this one.
    #[inline]
    pub fn inverse(&self) -> Self {
        let rotation = self.rotation.conjugate();
        Self {
            rotation,
            translation: -(rotation * self.translation),
        }
    }

    /// `inner` first, then `self`.
    #[inline]
    pub fn mul(&self, inner: &Pose) -> Self {
        Self {
            rotation: self.rotation * inner.rotation,
            translation: self.transform_point(inner.translation),
        }
    }

    /// The pose of `other` seen from this body: `self.inverse().mul(other)` with one rounding less.
    #[inline]
    pub fn relative(&self, other: &Pose) -> Self {
        let back = self.rotation.conjugate();
        Self {
            rotation: back * other.rotation,
            translation: back * (other.translation - self.translation),
        }
    }
}

impl Default for Pose {
    fn default() -> Self {
        Self::IDENTITY
    }
}

impl std::ops::Mul for Pose {
    type Output = Pose;
    fn mul(self, inner: Pose) -> Pose {
        Pose::mul(&self, &inner)
    }
}
