//! A triangle mesh as ground.

use super::{Area, Facet, Surface, Terrain, TerrainError, VerticalResolution};
use glam::{DVec2, DVec3};
use klast_numerics::OutOfRange;
use parry3d::bounding_volume::Aabb;
use parry3d::partitioning::{Bvh, BvhBuildStrategy};

/// Triangles with solid below. Where several lie above each other the highest is the ground: overhangs and caves are
/// not modelled.
///
/// Local coordinates start at the least x and y of the mesh.
#[derive(Debug, Clone)]
pub struct Mesh {
    facets: Vec<Facet>,
    extent: Area,
    // Bounding boxes of the triangles in plan; leaf k is triangle k.
    tree: Bvh,
    // Side of the square that holds two triangles of mean size.
    resolution: f64,
    origin: DVec3,
    crs: Option<String>,
    vertical: VerticalResolution,
    passed_over: usize,
}

/// A triangle whose area is below this part of its longest edge squared has none: its corners stand in a line.
const NO_AREA: f64 = 1e-12;

impl PartialEq for Mesh {
    /// The tree follows from the triangles.
    fn eq(&self, other: &Self) -> bool {
        (&self.facets, self.origin, &self.crs) == (&other.facets, other.origin, &other.crs)
    }
}

impl Mesh {
    /// A mesh from map coordinates (m) and triangles of corner numbers; the order of corners does not matter. Triangles
    /// without an area are passed over and counted ([`Mesh::passed_over`]).
    ///
    /// # Errors
    /// A corner that is not finite or not there, a vertical triangle, a mesh without an area, one that lies on its
    /// side.
    pub fn new(points: &[DVec3], triangles: &[[u32; 3]]) -> Result<Self, TerrainError> {
        if triangles.is_empty() || triangles.len() > u32::MAX as usize {
            return Err(
                OutOfRange::new("number of mesh triangles", triangles.len(), "1 or more").into(),
            );
        }
        if let Some(index) = points.iter().position(|p| !p.is_finite()) {
            return Err(OutOfRange::new(
                "mesh point",
                points[index].x + points[index].y + points[index].z,
                "a finite number",
            )
            .at(index)
            .into());
        }
        let lower = points.iter().fold(DVec3::INFINITY, |a, &p| a.min(p));
        let origin = DVec3::new(lower.x, lower.y, 0.0);
        let mut facets = Vec::with_capacity(triangles.len());
        let mut passed_over = 0;
        let (mut area, mut signed, mut vertical) = (DVec3::ZERO, DVec3::ZERO, None);
        for (index, triangle) in triangles.iter().enumerate() {
            let corner = |k: usize| points.get(triangle[k] as usize).map(|&p| p - origin);
            let (Some(a), Some(b), Some(c)) = (corner(0), corner(1), corner(2)) else {
                return Err(TerrainError::Triangle {
                    index,
                    reason: "names a corner that is not in the list",
                });
            };
            let cross = (b - a).cross(c - a);
            let longest = [b - a, c - b, a - c].map(DVec3::length_squared);
            if cross.length() <= NO_AREA * longest.into_iter().fold(0.0, f64::max) {
                passed_over += 1;
                continue;
            }
            area += cross.abs();
            signed += cross;
            // A triangle is found by its number: those that are passed over have none.
            match Facet::new(a, b, c, facets.len() as u32) {
                Some(facet) => facets.push(facet),
                None if vertical.is_none() => vertical = Some(index),
                None => {}
            }
        }
        if let Some((side, axis)) = seen_from_the_side(area, signed) {
            return Err(TerrainError::OnItsSide {
                plan: 0.5 * area.z,
                side: 0.5 * side,
                axis,
            });
        }
        if let Some(index) = vertical {
            return Err(TerrainError::Triangle {
                index,
                reason: "is vertical",
            });
        }
        if facets.is_empty() {
            return Err(OutOfRange::new("mesh triangles with an area", 0, "1 or more").into());
        }
        let mut mesh = Self::with_tree(facets, origin);
        mesh.passed_over = passed_over;
        Ok(mesh)
    }

    /// The same ground with heights as uncertain as stated, whatever their digits say.
    pub fn with_vertical_resolution(mut self, resolution: VerticalResolution) -> Self {
        self.vertical = resolution;
        self
    }

    /// The same mesh with the name of its coordinate reference system.
    pub fn with_crs(mut self, crs: impl Into<String>) -> Self {
        self.crs = Some(crs.into());
        self
    }

    /// Triangles without an area, which are not part of the ground.
    pub fn passed_over(&self) -> usize {
        self.passed_over
    }

    /// The triangles in local coordinates.
    pub fn triangles(&self) -> &[Facet] {
        &self.facets
    }

    fn with_tree(facets: Vec<Facet>, origin: DVec3) -> Self {
        let areas: Vec<Area> = facets.iter().map(plan_of).collect();
        let extent = areas.iter().fold(
            Area {
                lower: DVec2::INFINITY,
                upper: DVec2::NEG_INFINITY,
            },
            |all, a| Area {
                lower: all.lower.min(a.lower),
                upper: all.upper.max(a.upper),
            },
        );
        let boxes: Vec<Aabb> = areas.iter().map(|&a| flat(a)).collect();
        let size = extent.upper - extent.lower;
        let heights = facets.iter().flat_map(|f| f.corners).map(|c| c.z);
        Mesh {
            vertical: VerticalResolution::read(heights),
            tree: Bvh::from_leaves(BvhBuildStrategy::Binned, &boxes),
            resolution: (2.0 * size.x * size.y / facets.len() as f64).sqrt(),
            facets,
            extent,
            origin,
            crs: None,
            passed_over: 0,
        }
    }

    /// Numbers of the triangles whose boxes in plan meet an area, in no particular order.
    fn candidates(&self, area: Area) -> Vec<u32> {
        self.tree.intersect_aabb(&flat(area)).collect()
    }
}

/// Part of the area in plan that is seen from the side of ground that may lie on it: gentle ground whose flanks are
/// wound against each other does not.
const SIDE: f64 = 0.2;

/// Twice the area seen along x or y, where that is the way the ground faces: its triangles turn one side there and both
/// sides to the sky (or none), as relief does that is looked at along the slope. A cliff faces the sky with one side,
/// however steep.
fn seen_from_the_side(area: DVec3, signed: DVec3) -> Option<(f64, &'static str)> {
    let both = signed.z.abs() < 0.5 * area.z;
    [(area.x, signed.x, "x"), (area.y, signed.y, "y")]
        .into_iter()
        .filter(|(side, faced, _)| {
            (both && faced.abs() > 0.9 * side && *side > SIDE * area.z) || area.z < 1e-6 * side
        })
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(side, _, axis)| (side, axis))
}

/// The box of a triangle in plan.
fn plan_of(facet: &Facet) -> Area {
    let [a, b, c] = facet.corners.map(|c| c.truncate());
    Area {
        lower: a.min(b).min(c),
        upper: a.max(b).max(c),
    }
}

fn flat(area: Area) -> Aabb {
    Aabb::new(area.lower.extend(0.0), area.upper.extend(0.0))
}

impl Terrain for Mesh {
    fn surface(&self, x: f64, y: f64) -> Option<Surface> {
        let plan = DVec2::new(x, y);
        if !self.extent.contains(plan) {
            return None;
        }
        let mut best: Option<Surface> = None;
        // A point on a shared edge belongs to both sides, rounding included.
        let slack = 1e-12 * self.resolution;
        let near = self.candidates(
            Area {
                lower: plan,
                upper: plan,
            }
            .grown(slack),
        );
        for facet in near.iter().filter_map(|&id| self.facets.get(id as usize)) {
            if facet.inside(plan.extend(0.0)) < -slack {
                continue;
            }
            let (n, c) = (facet.normal, facet.corners[0]);
            let height = c.z - (n.x * (x - c.x) + n.y * (y - c.y)) / n.z;
            // Where two triangles meet in one height the lower number is the ground, whatever the order of the tree.
            let better =
                |b: &Surface| height > b.height || (height == b.height && facet.id < b.facet);
            if best.as_ref().is_none_or(better) {
                best = Some(Surface {
                    height,
                    normal: n,
                    facet: facet.id,
                });
            }
        }
        best
    }

    fn facets(&self, area: Area, out: &mut Vec<Facet>) {
        if !area.meets(&self.extent) {
            return;
        }
        let mut ids = self.candidates(area);
        ids.sort_unstable();
        out.extend(
            ids.into_iter()
                .filter_map(|id| self.facets.get(id as usize)),
        );
    }

    fn extent(&self) -> Area {
        self.extent
    }

    fn vertical_resolution(&self) -> VerticalResolution {
        self.vertical
    }

    fn resolution(&self) -> f64 {
        self.resolution
    }

    fn origin(&self) -> DVec3 {
        self.origin
    }

    fn crs(&self) -> Option<&str> {
        self.crs.as_deref()
    }
}
