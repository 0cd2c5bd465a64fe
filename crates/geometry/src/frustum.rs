//! Cylinders, discs and frusta with circular edges.

use crate::{ConvexPolyhedron, GeometryError, MassProperties};
use glam::{DQuat, DVec3};
use klast_numerics::OutOfRange;
use klast_numerics::check::positive;
use std::f64::consts::{PI, TAU};

/// Most corners of the prism that stands for a frustum.
const MOST_CORNERS: usize = 2000;

/// A frustum of a right circular cone: two discs about the z axis, the lower one at z = 0. Equal radii are a cylinder,
/// and a height far below them a disc.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Frustum {
    bottom: f64,
    top: f64,
    height: f64,
}

impl Frustum {
    /// Of the radii at the bottom and at the top, and a height (m).
    ///
    /// # Errors
    /// What is not above 0.
    pub fn new(bottom: f64, top: f64, height: f64) -> Result<Self, GeometryError> {
        positive("radius at the bottom", bottom)?;
        positive("radius at the top", top)?;
        positive("height", height)?;
        Ok(Self {
            bottom,
            top,
            height,
        })
    }

    /// Radius at the bottom (m).
    #[must_use]
    pub fn bottom(&self) -> f64 {
        self.bottom
    }

    /// Radius at the top (m).
    #[must_use]
    pub fn top(&self) -> f64 {
        self.top
    }

    /// Height (m).
    #[must_use]
    pub fn height(&self) -> f64 {
        self.height
    }

    /// Volume (m³): π h (a² + a b + b²)/3.
    #[must_use]
    pub fn volume(&self) -> f64 {
        let (a, b) = (self.bottom, self.top);
        PI * self.height * (a * a + a * b + b * b) / 3.0
    }

    /// Mass properties for a uniform density (kg/m³), by the integrals over z of the area π r², of z π r² and of the
    /// moments of the discs, π r⁴/4 across the axis and π r⁴/2 about it, with r = a + (b − a) z/h.
    ///
    /// # Errors
    /// A density that is not above 0.
    pub fn mass_properties(&self, density: f64) -> Result<MassProperties, GeometryError> {
        positive("density", density)?;
        let (a, b, h) = (self.bottom, self.top, self.height);
        let sum = a * a + a * b + b * b;
        let mass = density * self.volume();
        let centre = h * (a * a + 2.0 * a * b + 3.0 * b * b) / (4.0 * sum);
        let fourth = a.powi(4) + a.powi(3) * b + a * a * b * b + a * b.powi(3) + b.powi(4);
        let along = 0.3 * mass * fourth / sum;
        // ∫ z² π r² dz over the mass, about the bottom.
        let squares = h * h * (a * a + 3.0 * a * b + 6.0 * b * b) / (10.0 * sum);
        let across = 0.5 * along + mass * (squares - centre * centre);
        Ok(MassProperties {
            mass,
            centre: DVec3::new(0.0, 0.0, centre),
            principal_inertia: DVec3::new(across, across, along),
            principal_frame: DQuat::IDENTITY,
        })
    }

    /// The point farthest along a direction, on a rim; of a face that all of it is farthest, its centre.
    #[must_use]
    pub fn support(&self, direction: DVec3) -> DVec3 {
        let across = libm::hypot(direction.x, direction.y);
        let rim = |radius: f64, z: f64| {
            let out = direction.with_z(0.0) * (radius / across);
            if across > 0.0 {
                out.with_z(z)
            } else {
                DVec3::Z * z
            }
        };
        let (low, high) = (rim(self.bottom, 0.0), rim(self.top, self.height));
        if low.dot(direction) >= high.dot(direction) {
            low
        } else {
            high
        }
    }

    /// The prism or pyramid frustum with so many corners on either rim, the first ones along x: it lies inside.
    ///
    /// # Errors
    /// Other than 3 to 2000 corners.
    pub fn inscribed(&self, corners: usize) -> Result<ConvexPolyhedron, GeometryError> {
        if !(3..=MOST_CORNERS).contains(&corners) {
            return Err(OutOfRange::new("corners", corners as f64, "3 to 2000").into());
        }
        let ring = |radius: f64, z: f64| {
            (0..corners).map(move |k| {
                let (sin, cos) = libm::sincos(TAU * k as f64 / corners as f64);
                DVec3::new(radius * cos, radius * sin, z)
            })
        };
        let points: Vec<DVec3> = ring(self.bottom, 0.0)
            .chain(ring(self.top, self.height))
            .collect();
        ConvexPolyhedron::from_points(&points)
    }
}
