//! Convex polyhedra with true facets: n-gons, each in one plane, each edge between two of them.

mod build;
pub(crate) mod columns;
mod facets;
mod hull;
mod measure;
mod quickhull;
mod reduce;
mod section;

use crate::{GeometryError, Pose};
use columns::{ABREAST, Columns, Planes};
use glam::DVec3;
pub use section::Section;

/// A facet's plane n·p = offset and where its corners stand in the list of corners.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Facet {
    /// Outward unit normal (Newell's, from all corners).
    pub normal: DVec3,
    /// Largest n·p over the vertices: nothing of the body lies above (m).
    pub offset: f64,
    start: u32,
    len: u32,
}

/// An edge between two facets.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Edge {
    /// Its two ends; `facets[0]` runs from the first to the second.
    pub vertices: [u32; 2],
    /// The facets on its left and right.
    pub facets: [u32; 2],
    /// Unit vector from the first vertex to the second.
    pub direction: DVec3,
    /// Cosine of the angle between the normals of the two facets.
    pub cosine: f64,
    /// Square of its sine, less the rounding of such a square where the two are nearly in one plane.
    pub(crate) sine_squared: f64,
}

/// A convex polyhedron. Built once, then unchanging; a body shares it.
#[derive(Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "Outline", into = "Outline"))]
pub struct ConvexPolyhedron {
    vertices: Vec<DVec3>,
    facets: Vec<Facet>,
    /// Corners of all facets, facet after facet.
    corners: Vec<u32>,
    /// `sides[k]` is the edge from corner k to the next corner of its facet.
    sides: Vec<u32>,
    edges: Vec<Edge>,
    /// Neighbours of vertex v are `neighbours[neighbour_start[v]..neighbour_start[v + 1]]`.
    neighbours: Vec<u32>,
    neighbour_start: Vec<u32>,
    /// Facets around a vertex, laid out like `neighbours`.
    vertex_facets: Vec<u32>,
    /// Edges at a vertex, laid out like `neighbours`.
    vertex_edges: Vec<u32>,
    radius: f64,
    /// A point well inside, and its distance from the nearest facet: a sphere that the body contains.
    inner_centre: DVec3,
    inner_radius: f64,
    /// The vertices and the planes of the facets once more, for many dot products at once.
    columns: Columns,
    planes: Planes,
}

impl ConvexPolyhedron {
    /// The vertices (m).
    pub fn vertices(&self) -> &[DVec3] {
        &self.vertices
    }

    /// The facets.
    pub fn facets(&self) -> &[Facet] {
        &self.facets
    }

    /// The edges.
    pub fn edges(&self) -> &[Edge] {
        &self.edges
    }

    /// The corners of a facet, counter-clockwise seen from outside; empty for an index out of range.
    pub fn facet_vertices(&self, facet: usize) -> &[u32] {
        self.facets
            .get(facet)
            .and_then(|f| self.corners.get(f.range()))
            .unwrap_or(&[])
    }

    /// The edges of a facet; edge k runs from corner k to corner k + 1. Empty for an index out of range.
    pub fn facet_edges(&self, facet: usize) -> &[u32] {
        self.facets
            .get(facet)
            .and_then(|f| self.sides.get(f.range()))
            .unwrap_or(&[])
    }

    /// The vertices joined to a vertex by an edge; empty for an index out of range.
    pub fn vertex_neighbours(&self, vertex: usize) -> &[u32] {
        self.around(vertex, &self.neighbours)
    }

    /// The facets that meet in a vertex; empty for an index out of range.
    pub fn vertex_facets(&self, vertex: usize) -> &[u32] {
        self.around(vertex, &self.vertex_facets)
    }

    /// The edges that meet in a vertex; empty for an index out of range.
    pub fn vertex_edges(&self, vertex: usize) -> &[u32] {
        self.around(vertex, &self.vertex_edges)
    }

    fn around<'a>(&self, vertex: usize, list: &'a [u32]) -> &'a [u32] {
        match (
            self.neighbour_start.get(vertex),
            self.neighbour_start.get(vertex + 1),
        ) {
            (Some(&a), Some(&b)) => list.get(a as usize..b as usize).unwrap_or(&[]),
            _ => &[],
        }
    }

    /// Position of a vertex; the origin for an index out of range.
    pub(crate) fn vertex(&self, index: u32) -> DVec3 {
        self.vertices
            .get(index as usize)
            .copied()
            .unwrap_or(DVec3::ZERO)
    }

    /// The vertex that lies farthest along a direction, the first of them where several tie.
    #[inline(always)]
    pub fn support(&self, direction: DVec3) -> usize {
        self.columns.foremost(direction)
    }

    /// How far the body reaches along a direction: the largest n·v over its vertices.
    #[inline(always)]
    pub fn reach(&self, direction: DVec3) -> f64 {
        self.columns.highest(direction)
    }

    /// The facet that looks most along a direction.
    #[inline(always)]
    pub(crate) fn facing(&self, direction: DVec3) -> usize {
        self.planes.facing(direction)
    }

    /// Height of each facet's plane above a point; there may be more numbers than facets.
    #[inline(always)]
    pub(crate) fn heights_above(&self, point: DVec3, out: &mut Vec<[f64; ABREAST]>) {
        self.planes.heights_above(point, out);
    }

    /// How deep a point is inside: its distance from the nearest facet's plane, below zero outside (m).
    pub fn depth(&self, point: DVec3) -> f64 {
        let depths = self.facets.iter().map(|f| f.offset - f.normal.dot(point));
        depths.fold(f64::INFINITY, f64::min)
    }

    /// Distance of the farthest vertex from the origin of the shape's coordinates (m).
    pub fn radius(&self) -> f64 {
        self.radius
    }

    /// Centre and radius (m) of a sphere inside the body: not the largest one, but found without a search.
    pub fn inner_sphere(&self) -> (DVec3, f64) {
        (self.inner_centre, self.inner_radius)
    }

    /// The largest extent along the coordinate axes (m).
    pub fn size(&self) -> f64 {
        facets::extent(&self.vertices).0
    }

    /// The same solid with its mass centre at the origin.
    pub fn centred(&self) -> Result<Self, GeometryError> {
        let mut body = self.clone();
        // A second pass takes away the rounding of the first one where the shape stood far out.
        for _ in 0..2 {
            let centre = body.mass_properties(1.0)?.centre;
            body = body.transformed(&Pose::from_translation(-centre))?;
        }
        Ok(body)
    }

    /// The corners of all facets as lists of vertex indices.
    pub fn loops(&self) -> Vec<Vec<u32>> {
        (0..self.facets.len())
            .map(|f| self.facet_vertices(f).to_vec())
            .collect()
    }
}

impl Facet {
    fn range(&self) -> std::ops::Range<usize> {
        self.start as usize..(self.start + self.len) as usize
    }
}

/// What a stored polyhedron holds: vertices and facets; the rest is derived, and checked, on loading.
#[cfg(feature = "serde")]
#[derive(serde::Serialize, serde::Deserialize)]
struct Outline {
    vertices: Vec<DVec3>,
    facets: Vec<Vec<u32>>,
}

#[cfg(feature = "serde")]
impl From<ConvexPolyhedron> for Outline {
    fn from(body: ConvexPolyhedron) -> Self {
        Outline {
            facets: body.loops(),
            vertices: body.vertices,
        }
    }
}

#[cfg(feature = "serde")]
impl TryFrom<Outline> for ConvexPolyhedron {
    type Error = GeometryError;
    fn try_from(outline: Outline) -> Result<Self, GeometryError> {
        Self::from_facets(outline.vertices, &outline.facets)
    }
}
