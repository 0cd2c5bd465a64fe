//! What rocks of a source are like: shape, size, density, attitude.

use super::error::RockfallError;
use glam::{DQuat, DVec3};
use klast_geometry::{ConvexPolyhedron, Solid};
use klast_sampling::{Distribution, open_uniform};
use rand::Rng;

/// The shape of a rock.
#[derive(Debug, Clone, PartialEq)]
pub enum RockShape {
    /// A sphere.
    Sphere,
    /// A solid of the geometry crate.
    Solid(Solid),
    /// The convex hull of points in any unit; only its proportions count.
    Points(Vec<DVec3>),
}

impl RockShape {
    /// The shape with a volume of 1 m³; of a sphere, an icosphere of 162 vertices for drawing.
    pub fn unit(&self) -> Result<ConvexPolyhedron, RockfallError> {
        let hull = match self {
            RockShape::Sphere => return Ok(Solid::Icosphere { level: 2 }.with_volume(1.0)?),
            RockShape::Solid(solid) => return Ok(solid.with_volume(1.0)?),
            RockShape::Points(points) => ConvexPolyhedron::from_points(points)?,
        };
        Ok(hull.scaled(libm::cbrt(1.0 / hull.volume()))?)
    }
}

/// How big a rock is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum RockSize {
    /// By volume (m³).
    Volume(Distribution),
    /// By mass (kg).
    Mass(Distribution),
}

/// A group of rocks of one shape.
#[derive(Debug, Clone, PartialEq)]
pub struct RockGroup {
    /// Share of the rocks of the source, relative to the other groups.
    pub share: f64,
    /// Shape.
    pub shape: RockShape,
    /// Size.
    pub size: RockSize,
    /// Density (kg/m³).
    pub density: Distribution,
    /// Number of its class, for grounds that have laws by class ([`crate::Ground::with_alternatives_by_class`]); 0
    /// where rocks are of one class.
    pub class: usize,
}

/// How rocks are turned at release.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Attitude {
    /// Any way, uniformly over all rotations.
    Random,
    /// One way: any finite quaternion but zero, which is normalised.
    Fixed(DQuat),
}

/// Bound of heights (m), velocities (m/s) and spins (rad/s) at release, and of shares: beyond it squares and times of
/// flight lose their meaning.
pub(crate) const LARGEST: f64 = 1e6;

/// The least and the greatest value that can be drawn: a random number is at least 2⁻⁵⁴ from 0 and from 1.
pub(crate) fn extremes(d: &Distribution) -> [f64; 2] {
    [
        d.quantile(0.25 * f64::EPSILON),
        d.quantile(1.0 - 0.5 * f64::EPSILON),
    ]
}

/// Whether every draw gives the same.
pub(crate) fn is_constant(d: &Distribution) -> bool {
    let [least, greatest] = extremes(d);
    least == greatest
}

/// A rotation uniform over all (Shoemake 1992): three numbers.
pub(crate) fn random_rotation(rng: &mut impl Rng) -> DQuat {
    let (u, v, w) = (open_uniform(rng), open_uniform(rng), open_uniform(rng));
    let (a, b) = ((1.0 - u).sqrt(), u.sqrt());
    let (s1, c1) = libm::sincos(std::f64::consts::TAU * v);
    let (s2, c2) = libm::sincos(std::f64::consts::TAU * w);
    DQuat::from_xyzw(a * s1, a * c1, b * s2, b * c2)
}
