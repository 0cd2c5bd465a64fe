//! A triangle mesh as ground.

use super::{Area, Facet, Surface, Terrain, TerrainError, VerticalResolution};
use glam::{DVec2, DVec3};
use klast_numerics::OutOfRange;
use parry3d::bounding_volume::Aabb;
use parry3d::partitioning::{Bvh, BvhBuildStrategy};

/// Triangles with solid below. Where several lie above each other the highest is the ground: overhangs and caves are not modelled.
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
}

impl PartialEq for Mesh {
    /// The tree follows from the triangles.
    fn eq(&self, other: &Self) -> bool {
        (&self.facets, self.origin, &self.crs) == (&other.facets, other.origin, &other.crs)
    }
}

impl Mesh {
    /// A mesh from map coordinates (m) and triangles of corner numbers; the order of corners does not matter.
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
        for (index, triangle) in triangles.iter().enumerate() {
            let corner = |k: usize| points.get(triangle[k] as usize).map(|&p| p - origin);
            let (Some(a), Some(b), Some(c)) = (corner(0), corner(1), corner(2)) else {
                return Err(TerrainError::Triangle {
                    index,
                    reason: "names a corner that is not in the list",
                });
            };
            let facet = Facet::new(a, b, c, index as u32);
            facets.push(facet.ok_or(TerrainError::Triangle {
                index,
                reason: "is vertical or has no area",
            })?);
        }
        Ok(Self::with_tree(facets, origin))
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
        }
    }

    /// Numbers of the triangles whose boxes in plan meet an area, in no particular order.
    fn candidates(&self, area: Area) -> Vec<u32> {
        self.tree.intersect_aabb(&flat(area)).collect()
    }
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
