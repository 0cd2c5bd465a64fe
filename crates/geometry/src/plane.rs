//! An unbounded plane with solid below it.

use crate::GeometryError;
use glam::DVec3;
use klast_numerics::OutOfRange;
use klast_numerics::check::{finite, finite_vector};

/// The plane n·p = offset; the solid lies below, on the side that n points away from.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Plane {
    /// Unit normal, out of the solid.
    pub normal: DVec3,
    /// Height of the plane along the normal (m).
    pub offset: f64,
}

impl Plane {
    /// A plane from a normal of any length above zero (it is normalised) and its offset along the unit normal.
    pub fn new(normal: DVec3, offset: f64) -> Result<Self, GeometryError> {
        finite_vector("normal", normal)?;
        finite("offset", offset)?;
        let length = normal.length();
        if !(length.is_finite() && length > 1e-150) {
            return Err(OutOfRange::new("normal", length, "a vector with a length above 0").into());
        }
        Ok(Self {
            normal: normal / length,
            offset,
        })
    }

    /// The plane through `point` with the given normal.
    pub fn through(point: DVec3, normal: DVec3) -> Result<Self, GeometryError> {
        finite_vector("point", point)?;
        let plane = Self::new(normal, 0.0)?;
        Self::new(plane.normal, plane.normal.dot(point))
    }

    /// Signed height of a point above the plane (m); below zero is inside the solid.
    pub fn height(&self, point: DVec3) -> f64 {
        self.normal.dot(point) - self.offset
    }

    /// The nearest point of the plane.
    pub fn project(&self, point: DVec3) -> DVec3 {
        point - self.normal * self.height(point)
    }
}
