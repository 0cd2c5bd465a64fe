//! An ogive-nosed projectile as a convex polyhedron, solid or with a cavity.
//!
//! Profile: a tangent ogive of radius `R` on a shank of diameter `D`, `H` long in all. The nose is
//! `√(R D − D²/4)` long; at `x` behind the tip its radius is `√(R² − (l − x)²) − (R − D/2)`. All vertices lie on the
//! surface of revolution, so the polyhedron is inside it.

use crate::error::DemError;
use crate::particle::Particle;
use glam::DVec3;
use klast_geometry::{ConvexPolyhedron, Pose};
use klast_numerics::OutOfRange;
use klast_numerics::check::{require, within};
use std::f64::consts::TAU;
use std::sync::Arc;

/// How the nose is divided along the axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum NoseSpacing {
    /// Equal angles of the arc.
    #[default]
    Arc,
    /// Equal lengths along the axis.
    Axial,
}

/// Shape of the projectile.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ogive {
    /// `H`, with the nose, m.
    pub length: f64,
    /// `R`, m.
    pub nose_radius: f64,
    /// `D`, m.
    pub diameter: f64,
    /// Rings on the nose, the shoulder included.
    pub rings: u32,
    /// Vertices around.
    pub sectors: u32,
    /// Where the rings are.
    pub spacing: NoseSpacing,
}

/// What the body is filled with.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Cavity {
    /// Solid, density in kg/m³.
    None {
        /// kg/m³.
        density: f64,
    },
    /// Mass only: centre and moments as those of the solid body, scaled by mass.
    Mass {
        /// kg.
        mass: f64,
    },
    /// Mass, centre and moments.
    Given {
        /// kg.
        mass: f64,
        /// Mass centre behind the tip, m.
        centre: f64,
        /// Moment about the axis, kg m².
        axial: f64,
        /// Moment across it through the mass centre, kg m².
        transverse: f64,
    },
}

impl Ogive {
    /// `H` = 800, `R` = 500, `D` = 150 mm, 12 divisions along the nose and 36 around, with `H` the whole length and `R`
    /// the radius of a tangent ogive: the reading that a tangent nose allows.
    #[must_use]
    pub fn rockfill() -> Self {
        Self {
            length: 0.8,
            nose_radius: 0.5,
            diameter: 0.15,
            rings: 12,
            sectors: 36,
            spacing: NoseSpacing::Arc,
        }
    }

    /// Length of the nose, m.
    #[must_use]
    pub fn nose_length(&self) -> f64 {
        (self.nose_radius * self.diameter - 0.25 * self.diameter * self.diameter)
            .max(0.0)
            .sqrt()
    }

    fn check(&self) -> Result<(), DemError> {
        require("diameter", self.diameter, self.diameter > 0.0, "> 0 m")?;
        within(
            "nose radius",
            self.nose_radius,
            (0.5 * self.diameter, 1e6),
            "at least half the diameter, m",
        )?;
        require(
            "length",
            self.length,
            self.length > self.nose_length(),
            "over the length of the nose, m",
        )?;
        for (field, found, least) in [("rings", self.rings, 1), ("sectors", self.sectors, 3)] {
            if found < least || found > 1000 {
                return Err(OutOfRange::new(field, found as usize, "1 (3 around) to 1000").into());
            }
        }
        Ok(())
    }

    /// Distance behind the tip and radius of each ring, the base last, m.
    fn profile(&self) -> Vec<(f64, f64)> {
        let nose = self.nose_length();
        let full = libm::asin((nose / self.nose_radius).min(1.0));
        let shift = self.nose_radius - 0.5 * self.diameter;
        let mut rings: Vec<(f64, f64)> = (1..=self.rings)
            .map(|k| {
                let part = f64::from(k) / f64::from(self.rings);
                if k == self.rings {
                    return (nose, 0.5 * self.diameter);
                }
                match self.spacing {
                    NoseSpacing::Arc => {
                        let (sin, cos) = libm::sincos(full * (1.0 - part));
                        (
                            nose - self.nose_radius * sin,
                            self.nose_radius * cos - shift,
                        )
                    }
                    NoseSpacing::Axial => {
                        let ahead = nose * (1.0 - part);
                        let square = self.nose_radius * self.nose_radius - ahead * ahead;
                        (nose - ahead, square.sqrt() - shift)
                    }
                }
            })
            .collect();
        rings.push((self.length, 0.5 * self.diameter));
        rings
    }

    /// The polyhedron with its tip at the origin and the axis along −x: it flies towards +x.
    ///
    /// # Errors
    /// Lengths that make no ogive.
    pub fn polyhedron(&self) -> Result<ConvexPolyhedron, DemError> {
        self.check()?;
        let n = self.sectors;
        let mut vertices = vec![DVec3::ZERO];
        for (behind, radius) in self.profile() {
            vertices.extend((0..n).map(|k| {
                let (sin, cos) = libm::sincos(TAU * f64::from(k) / f64::from(n));
                DVec3::new(-behind, radius * cos, radius * sin)
            }));
        }
        let ring = |r: u32, k: u32| 1 + r * n + k % n;
        let mut loops: Vec<Vec<u32>> = (0..n)
            .map(|k| vec![0, ring(0, k), ring(0, k + 1)])
            .collect();
        for r in 0..self.rings {
            loops.extend((0..n).map(|k| {
                vec![
                    ring(r, k),
                    ring(r + 1, k),
                    ring(r + 1, k + 1),
                    ring(r, k + 1),
                ]
            }));
        }
        loops.push((0..n).rev().map(|k| ring(self.rings, k)).collect());
        Ok(ConvexPolyhedron::from_facets(vertices, &loops)?)
    }

    /// The projectile with its axis along its body x axis, and the distance of its mass centre behind the tip, m.
    ///
    /// # Errors
    /// Lengths that make no ogive; a mass, centre or moment that no body of this shape can have.
    pub fn particle(&self, cavity: Cavity, material: usize) -> Result<(Particle, f64), DemError> {
        let solid = self.polyhedron()?;
        let properties = solid.mass_properties(1.0)?;
        let inertia = properties.inertia();
        let (own_axial, own_transverse) = (
            inertia.x_axis.x,
            0.5 * (inertia.y_axis.y + inertia.z_axis.z),
        );
        let own_centre = -properties.centre.x;
        let (mass, centre, axial, transverse) = match cavity {
            Cavity::None { density } => {
                require("density", density, density > 0.0, "> 0 kg/m³")?;
                let mass = density * properties.mass;
                (
                    mass,
                    own_centre,
                    density * own_axial,
                    density * own_transverse,
                )
            }
            Cavity::Mass { mass } => {
                require("mass", mass, mass > 0.0, "> 0 kg")?;
                let density = mass / properties.mass;
                (
                    mass,
                    own_centre,
                    density * own_axial,
                    density * own_transverse,
                )
            }
            Cavity::Given {
                mass,
                centre,
                axial,
                transverse,
            } => (mass, centre, axial, transverse),
        };
        let shape = solid.transformed(&Pose::from_translation(DVec3::X * centre))?;
        let moments = DVec3::new(axial, transverse, transverse);
        let particle = Particle::new(Arc::new(shape), mass, moments, material)?;
        Ok((particle, centre))
    }
}
