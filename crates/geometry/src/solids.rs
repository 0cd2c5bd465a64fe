//! The solids that rocks are made from: regular ones, spheres of facets, boxes and extruded polygons.

use crate::{ConvexPolyhedron, GeometryError};
use glam::{DVec2, DVec3};
use klast_numerics::OutOfRange;
use klast_numerics::check::positive;
use std::f64::consts::TAU;

/// Subdivisions of an icosphere beyond which a single body has over ten thousand vertices.
const FINEST_ICOSPHERE: u32 = 5;

/// A solid by its name; its volume or its size is given when it is made. The mass centre is at the origin.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Solid {
    /// Regular tetrahedron inscribed in a cube, an edge along (1, −1, 0) at the bottom. Size: its edge.
    Tetrahedron,
    /// Cube, faces along the axes. Size: its edge.
    Cube,
    /// Regular octahedron, a vertex at the bottom. Size: its edge.
    Octahedron,
    /// Regular dodecahedron, an edge along y at the bottom. Size: its edge.
    Dodecahedron,
    /// Regular icosahedron, an edge along y at the bottom. Size: its edge.
    Icosahedron,
    /// Icosahedron whose triangles are halved `level` times and blown up to the sphere. Size: the sphere's diameter.
    Icosphere {
        /// Number of halvings, 0 to 5.
        level: u32,
    },
    /// Box with edges x : y : z, along the axes. Size: its longest edge.
    Box {
        /// Proportions of the edges.
        edges: DVec3,
    },
    /// Regular polygon with 3 or more sides in the x–y plane, extruded along z. Size: diameter of its circumcircle.
    Prism {
        /// Number of sides.
        sides: u32,
        /// Height over the diameter of the circumcircle.
        slenderness: f64,
    },
    /// Rectangle x : y extruded along z (5:6, 2:3 and 1:2 are the usual ones). Size: its longer side.
    Slab {
        /// Proportions of the rectangle.
        sides: DVec2,
        /// Height over the longer side.
        slenderness: f64,
    },
}

impl Solid {
    /// The solid with the given volume (m³).
    pub fn with_volume(&self, volume: f64) -> Result<ConvexPolyhedron, GeometryError> {
        positive("volume", volume)?;
        let unit = self.with_size(1.0)?;
        unit.scaled(libm::cbrt(volume / unit.volume()))?.centred()
    }

    /// The solid with the given size (m); each variant says which length that is.
    pub fn with_size(&self, size: f64) -> Result<ConvexPolyhedron, GeometryError> {
        positive("size", size)?;
        let (points, unit) = self.outline()?;
        let scaled: Vec<DVec3> = points.iter().map(|p| *p * (size / unit)).collect();
        ConvexPolyhedron::from_points(&scaled)?.centred()
    }

    /// Points of the solid in some scale, and its size in that scale.
    fn outline(&self) -> Result<(Vec<DVec3>, f64), GeometryError> {
        let golden = 0.5 * (1.0 + 5f64.sqrt());
        Ok(match *self {
            Solid::Tetrahedron => (
                vec![
                    DVec3::new(1.0, 1.0, 1.0),
                    DVec3::new(1.0, -1.0, -1.0),
                    DVec3::new(-1.0, 1.0, -1.0),
                    DVec3::new(-1.0, -1.0, 1.0),
                ],
                8f64.sqrt(),
            ),
            Solid::Cube => (signs(DVec3::splat(0.5)), 1.0),
            Solid::Octahedron => (
                DVec3::AXES.iter().flat_map(|a| [*a, -*a]).collect(),
                2f64.sqrt(),
            ),
            Solid::Dodecahedron => {
                let mut points = signs(DVec3::ONE);
                points.extend(cyclic(DVec3::new(0.0, 1.0 / golden, golden)));
                (points, 2.0 / golden)
            }
            Solid::Icosahedron => (cyclic(DVec3::new(0.0, 1.0, golden)), 2.0),
            Solid::Icosphere { level } => (icosphere(level)?, 2.0),
            Solid::Box { edges } => {
                for (index, edge) in edges.to_array().into_iter().enumerate() {
                    positive("edges", edge).map_err(|e| e.at(index))?;
                }
                (
                    signs(edges / edges.max_element())
                        .iter()
                        .map(|p| *p * 0.5)
                        .collect(),
                    1.0,
                )
            }
            Solid::Prism { sides, slenderness } => {
                positive("slenderness", slenderness)?;
                (prism_points(&regular(sides)?, slenderness), 1.0)
            }
            Solid::Slab { sides, slenderness } => {
                positive("sides.x", sides.x)?;
                positive("sides.y", sides.y)?;
                positive("slenderness", slenderness)?;
                let half = sides / (2.0 * sides.max_element());
                let outline = [
                    half,
                    DVec2::new(-half.x, half.y),
                    -half,
                    DVec2::new(half.x, -half.y),
                ];
                (prism_points(&outline, slenderness), 1.0)
            }
        })
    }
}

/// The solid swept by a convex polygon in the x–y plane along z, its mass centre at the origin.
pub fn extruded(outline: &[DVec2], height: f64) -> Result<ConvexPolyhedron, GeometryError> {
    positive("height", height)?;
    ConvexPolyhedron::from_points(&prism_points(outline, height))?.centred()
}

fn prism_points(outline: &[DVec2], height: f64) -> Vec<DVec3> {
    let at = |z: f64| outline.iter().map(move |p| p.extend(z));
    at(-0.5 * height).chain(at(0.5 * height)).collect()
}

/// Corners of a regular polygon of circumdiameter 1, a side at the bottom of the x–y picture.
fn regular(sides: u32) -> Result<Vec<DVec2>, GeometryError> {
    if !(3..=1000).contains(&sides) {
        return Err(OutOfRange::new("sides", f64::from(sides), "3 to 1000").into());
    }
    let step = TAU / f64::from(sides);
    let corner = |k: u32| {
        let angle = -0.25 * TAU + step * (f64::from(k) + 0.5);
        DVec2::new(libm::cos(angle), libm::sin(angle)) * 0.5
    };
    Ok((0..sides).map(corner).collect())
}

/// All eight sign choices of a vector.
fn signs(v: DVec3) -> Vec<DVec3> {
    let sign = |bit: u32| if bit == 0 { -1.0 } else { 1.0 };
    (0..8u32)
        .map(|i| v * DVec3::new(sign(i & 1), sign(i & 2), sign(i & 4)))
        .collect()
}

/// (0, ±y, ±z) and its cyclic permutations.
fn cyclic(v: DVec3) -> Vec<DVec3> {
    let mut points = Vec::with_capacity(12);
    for (y, z) in [(v.y, v.z), (v.y, -v.z), (-v.y, v.z), (-v.y, -v.z)] {
        points.extend([
            DVec3::new(0.0, y, z),
            DVec3::new(z, 0.0, y),
            DVec3::new(y, z, 0.0),
        ]);
    }
    points
}

fn icosphere(level: u32) -> Result<Vec<DVec3>, GeometryError> {
    if level > FINEST_ICOSPHERE {
        return Err(OutOfRange::new("level", f64::from(level), "0 to 5").into());
    }
    let mut points = Solid::Icosahedron.outline()?.0;
    points.iter_mut().for_each(|p| *p = p.normalize());
    for _ in 0..level {
        // All triangles of a blown-up icosphere are facets, so its edges are the ones to halve.
        let body = ConvexPolyhedron::from_points(&points)?;
        points = body.vertices().to_vec();
        let middles = body
            .edges()
            .iter()
            .map(|e| (body.vertex(e.vertices[0]) + body.vertex(e.vertices[1])).normalize());
        points.extend(middles);
    }
    Ok(points)
}
