//! A triangle mesh as ground.

use super::ground_triangles::{Gathered, corner_of};
use super::overhangs::{Overhang, walls_under_lips};
use super::{Area, Facet, MeshPart, Surface, Terrain, TerrainError, VerticalResolution};
use glam::{DVec2, DVec3};
use parry3d::bounding_volume::Aabb;
use parry3d::partitioning::{Bvh, BvhBuildStrategy};

/// Triangles with solid below. Where several lie above each other the highest is the ground: the space under an
/// overhang counts as solid. Under an edge at which the ground ends or folds back above other triangles of the mesh, a
/// steep facet closes the step ([`Mesh::walls`]): its upper edge is that edge, and its foot stands in front of it as
/// far as the step is high, at most 0.25 m.
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
    // Number of the triangles that are not walls.
    own: usize,
    overhang: Overhang,
}

impl PartialEq for Mesh {
    /// The tree follows from the triangles.
    fn eq(&self, other: &Self) -> bool {
        (&self.facets, self.origin, &self.crs) == (&other.facets, other.origin, &other.crs)
    }
}

impl Mesh {
    /// A mesh from map coordinates (m) and triangles of corner numbers; the order of corners does not matter. Triangles
    /// without an area in plan are passed over and counted ([`Mesh::passed_over`]): at a vertical wall the ground above
    /// it ends, and a steep facet ([`Mesh::walls`]) takes the place of the wall.
    ///
    /// # Errors
    /// A corner that is not finite or not there, a mesh without an area in plan, one that lies on its side.
    pub fn new(points: &[DVec3], triangles: &[[u32; 3]]) -> Result<Self, TerrainError> {
        let origin = corner_of(points.iter());
        let mut all = Gathered::default();
        all.add(&MeshPart { points, triangles }, origin)?;
        let mesh = Self::of(all, origin);
        let (walls, overhang) = walls_under_lips((&mesh, mesh.triangles()), |_| 0);
        let walls = walls.into_iter().map(|(_, wall)| wall).collect();
        Ok(mesh.with_walls(walls, overhang))
    }

    /// A mesh of gathered triangles.
    pub(super) fn of(gathered: Gathered, origin: DVec3) -> Self {
        let mut mesh = Self::with_tree(gathered.facets, origin);
        mesh.passed_over = gathered.passed_over;
        mesh
    }

    /// The same ground with further triangles behind the others. They close steps, and say nothing about how large or
    /// how rounded the ground is.
    pub(super) fn with_walls(self, walls: Vec<[DVec3; 3]>, overhang: Overhang) -> Self {
        if walls.is_empty() {
            return Mesh { overhang, ..self };
        }
        let own = self.own;
        let mut facets = self.facets;
        for [a, b, c] in walls {
            let id = facets.len() as u32;
            facets.extend(Facet::new(a, b, c, id));
        }
        Mesh {
            extent: self.extent,
            resolution: self.resolution,
            vertical: self.vertical,
            crs: self.crs,
            passed_over: self.passed_over,
            own,
            overhang,
            ..Self::with_tree(facets, self.origin)
        }
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

    /// Triangles without an area in plan, which are not part of the ground.
    pub fn passed_over(&self) -> usize {
        self.passed_over
    }

    /// The triangles in local coordinates.
    pub fn triangles(&self) -> &[Facet] {
        &self.facets[..self.own]
    }

    /// Steep facets that close steps, numbered behind the triangles.
    pub fn walls(&self) -> &[Facet] {
        &self.facets[self.own..]
    }

    /// Edges at which the mesh overhangs itself.
    pub fn overhang(&self) -> Overhang {
        self.overhang
    }

    fn with_tree(facets: Vec<Facet>, origin: DVec3) -> Self {
        let areas: Vec<Area> = facets.iter().map(Facet::plan).collect();
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
            own: facets.len(),
            overhang: Overhang::default(),
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
            let height = facet.height_at(plan);
            // Where two triangles meet in one height the lower number is the ground, whatever the order of the tree.
            let better =
                |b: &Surface| height > b.height || (height == b.height && facet.id < b.facet);
            if best.as_ref().is_none_or(better) {
                best = Some(Surface {
                    height,
                    normal: facet.normal,
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
