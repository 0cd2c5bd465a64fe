//! A rigid polyhedron: shape, mass, material; and where it is.

use crate::error::DemError;
use crate::rotation::Rotation;
use glam::DVec3;
use klast_geometry::{ConvexPolyhedron, Pose};
use klast_numerics::OutOfRange;
use klast_numerics::check::require;
use std::sync::Arc;

/// What does not change in time. Many particles may share one shape.
#[derive(Clone, Debug)]
pub struct Particle {
    /// In principal axes, mass centre at the origin.
    pub shape: Arc<ConvexPolyhedron>,
    /// kg.
    pub mass: f64,
    /// Principal moments, kg m².
    pub inertia: DVec3,
    /// Row in the table of laws.
    pub material: usize,
}

impl Particle {
    /// A homogeneous solid of `density` (kg/m³), given in any coordinates. Also gives the pose that puts the particle
    /// where the solid was.
    ///
    /// # Errors
    /// A density that is not positive.
    pub fn solid(
        solid: &ConvexPolyhedron,
        density: f64,
        material: usize,
    ) -> Result<(Self, Pose), DemError> {
        let properties = solid.mass_properties(density)?;
        let pose = Pose::new(properties.principal_frame, properties.centre)?;
        let shape = Arc::new(solid.transformed(&pose.inverse())?);
        let particle = Self::new(
            shape,
            properties.mass,
            properties.principal_inertia,
            material,
        )?;
        Ok((particle, pose))
    }

    /// A particle with given mass and moments, as a hollow body has. `shape` stands in principal axes about its centre
    /// of mass.
    ///
    /// # Errors
    /// A mass or moment that is not positive, moments that break the triangle inequality, a mass centre outside.
    pub fn new(
        shape: Arc<ConvexPolyhedron>,
        mass: f64,
        inertia: DVec3,
        material: usize,
    ) -> Result<Self, DemError> {
        let particle = Self {
            shape,
            mass,
            inertia,
            material,
        };
        particle.check()?;
        Ok(particle)
    }

    /// The fields are open: what was set later is checked again.
    pub(crate) fn check(&self) -> Result<(), DemError> {
        let Self {
            shape,
            mass,
            inertia,
            ..
        } = self;
        require("mass", *mass, *mass > 0.0, "> 0 kg")?;
        for moment in inertia.to_array() {
            require("inertia", moment, moment > 0.0, "> 0 kg m²")?;
        }
        let largest = inertia.max_element();
        let others = inertia.element_sum() - largest;
        if largest > others * (1.0 + 1e-12) {
            return Err(OutOfRange::new(
                "largest moment of inertia",
                largest,
                "at most the sum of the other two",
            )
            .into());
        }
        let outside = shape
            .facets()
            .iter()
            .map(|f| f.offset)
            .fold(f64::INFINITY, f64::min);
        require(
            "depth of the mass centre in the shape",
            outside,
            outside > 0.0,
            "> 0 m",
        )?;
        Ok(())
    }
}

/// State of one particle.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Motion {
    /// Mass centre, m.
    pub position: DVec3,
    /// m/s.
    pub velocity: DVec3,
    /// Attitude and angular momentum.
    pub rotation: Rotation,
}

impl Motion {
    /// At rest.
    #[must_use]
    pub fn at(pose: &Pose) -> Self {
        Self {
            position: pose.translation,
            velocity: DVec3::ZERO,
            rotation: Rotation {
                orientation: pose.rotation,
                momentum: DVec3::ZERO,
            },
        }
    }

    /// Position and attitude.
    #[must_use]
    pub fn pose(&self) -> Pose {
        Pose {
            rotation: self.rotation.orientation,
            translation: self.position,
        }
    }

    pub(crate) fn is_finite(&self) -> bool {
        self.position.is_finite()
            && self.velocity.is_finite()
            && self.rotation.orientation.is_finite()
            && self.rotation.momentum.is_finite()
    }
}
