//! The local frame of a contact, made from the normal alone.

use crate::error::{ContactError, within};
use glam::{DMat3, DVec3};

/// Right-handed orthonormal frame `(n, t1, t2)` of a contact, in world axes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Frame {
    /// Unit normal, from the second body to the first.
    pub normal: DVec3,
    /// First tangent.
    pub tangent1: DVec3,
    /// Second tangent, `n × t1`.
    pub tangent2: DVec3,
}

impl Frame {
    /// The frame of a unit normal (Duff et al. 2017, "Building an orthonormal basis, revisited", listing 3):
    /// no trigonometry, no dependence on any velocity, `(0, 0, 1)` gives the world's x and y.
    ///
    /// # Errors
    /// When the length of `normal` differs from 1 by more than 1e-6, or is not finite.
    pub fn from_normal(normal: DVec3) -> Result<Self, ContactError> {
        let length = normal.length();
        within(
            "normal length",
            length,
            |l| (l - 1.0).abs() <= 1e-6,
            "1 within 1e-6",
        )?;
        Ok(Self::from_unit(normal / length))
    }

    /// As [`Frame::from_normal`] for a normal known to be of unit length.
    #[inline]
    pub(crate) fn from_unit(n: DVec3) -> Self {
        // A normal whose zero has another sign is the same normal.
        let sign = if n.z < 0.0 { -1.0 } else { 1.0 };
        let a = -1.0 / (sign + n.z);
        let b = n.x * n.y * a;
        Self {
            normal: n,
            tangent1: DVec3::new(1.0 + sign * n.x * n.x * a, sign * b, -sign * n.x),
            tangent2: DVec3::new(b, sign + n.y * n.y * a, -n.y),
        }
    }

    /// World vector of the local components `(n, t1, t2)`.
    #[inline]
    pub fn to_world(&self, local: DVec3) -> DVec3 {
        self.normal * local.x + self.tangent1 * local.y + self.tangent2 * local.z
    }

    /// Local components `(n, t1, t2)` of a world vector.
    #[inline]
    pub fn to_local(&self, world: DVec3) -> DVec3 {
        DVec3::new(
            self.normal.dot(world),
            self.tangent1.dot(world),
            self.tangent2.dot(world),
        )
    }

    /// The matrix with columns `n, t1, t2`.
    #[inline]
    pub fn matrix(&self) -> DMat3 {
        DMat3::from_cols(self.normal, self.tangent1, self.tangent2)
    }
}
