//! What follows from where the vertices of a polyhedron are, and polyhedra that are moved or scaled.

use super::{ConvexPolyhedron, facets};
use crate::{GeometryError, Pose};
use glam::DVec3;
use klast_numerics::check::positive;

/// How far a vertex may stand off a facet's plane, relative to the size: room for vertices that were computed
/// as intersections of planes, far below anything a contact can see.
const PLANARITY: f64 = 1e-9;

impl ConvexPolyhedron {
    /// The same solid, its vertices moved by a pose.
    pub fn transformed(&self, pose: &Pose) -> Result<Self, GeometryError> {
        let mut out = self.clone();
        out.place(|v| pose.transform_point(v))?;
        Ok(out)
    }

    /// As [`ConvexPolyhedron::transformed`], into another polyhedron and its lists; after an error that one is of no
    /// use.
    pub fn transformed_into(&self, pose: &Pose, out: &mut Self) -> Result<(), GeometryError> {
        out.clone_from(self);
        out.place(|v| pose.transform_point(v))
    }

    /// The same solid, scaled about the origin of its coordinates.
    pub fn scaled(&self, factor: f64) -> Result<Self, GeometryError> {
        positive("factor", factor)?;
        let mut out = self.clone();
        out.place(|v| v * factor)?;
        Ok(out)
    }

    /// As [`ConvexPolyhedron::scaled`], into another polyhedron and its lists; after an error that one is of no use.
    pub fn scaled_into(&self, factor: f64, out: &mut Self) -> Result<(), GeometryError> {
        positive("factor", factor)?;
        out.clone_from(self);
        out.place(|v| v * factor)
    }

    /// Moves every vertex and measures again.
    fn place(&mut self, to: impl Fn(DVec3) -> DVec3) -> Result<(), GeometryError> {
        self.vertices.iter_mut().for_each(|v| *v = to(*v));
        self.measure()
    }

    /// Planes, directions and sizes; checks that the facets are flat and the solid is convex.
    pub(super) fn measure(&mut self) -> Result<(), GeometryError> {
        let accepted = facets::slack(&self.vertices, PLANARITY);
        for facet in 0..self.facets.len() {
            let (normal, offset) = self.plane(facet, accepted)?;
            let facet = &mut self.facets[facet];
            (facet.normal, facet.offset) = (normal, offset);
        }
        for edge in &mut self.edges {
            let [a, b] = edge.vertices.map(|v| self.vertices[v as usize]);
            let [f, g] = edge.facets.map(|f| self.facets[f as usize].normal);
            edge.direction = (b - a).normalize_or_zero();
            edge.cosine = f.dot(g);
            edge.sine_squared = 1.0 - edge.cosine * edge.cosine - 1e-14;
        }
        let (vertices, facets) = (&self.vertices, &self.facets);
        self.inner_centre = vertices.iter().sum::<DVec3>() / vertices.len() as f64;
        self.inner_radius = self.depth(self.inner_centre).max(0.0);
        self.radius = vertices.iter().map(|v| v.length()).fold(0.0, f64::max);
        self.columns.fill(vertices.iter().copied());
        self.planes
            .fill(facets.iter().map(|f| (f.normal, f.offset)));
        Ok(())
    }

    /// Normal and offset of a facet that is flat and has the solid below it. The normal of a strip is lost in the
    /// rounding of products as long as it is: where it seems not to be flat products without rounding decide.
    fn plane(&self, facet: usize, accepted: f64) -> Result<(DVec3, f64), GeometryError> {
        let (vertices, corners) = (&self.vertices, self.facet_vertices(facet));
        let plain = facets::newell(vertices, corners);
        self.plane_along(facet, plain, accepted).or_else(|_| {
            self.plane_along(facet, facets::newell_of_strip(vertices, corners), accepted)
        })
    }

    /// The same with the direction of the normal.
    fn plane_along(
        &self,
        facet: usize,
        direction: DVec3,
        accepted: f64,
    ) -> Result<(DVec3, f64), GeometryError> {
        let (vertices, corners) = (&self.vertices, self.facet_vertices(facet));
        let normal = direction.normalize_or_zero();
        let level = corners
            .iter()
            .map(|&v| vertices[v as usize].dot(normal))
            .fold(f64::NEG_INFINITY, f64::max);
        for &v in corners {
            let depth = level - vertices[v as usize].dot(normal);
            if depth > accepted || normal == DVec3::ZERO {
                return Err(GeometryError::NotFlat {
                    facet,
                    vertex: v as usize,
                    depth,
                    accepted,
                });
            }
        }
        let mut offset = level;
        for (vertex, v) in vertices.iter().enumerate() {
            let height = v.dot(normal) - level;
            if height > accepted {
                return Err(GeometryError::NotConvex {
                    facet,
                    vertex,
                    height,
                    accepted,
                });
            }
            offset = offset.max(v.dot(normal));
        }
        Ok((normal, offset))
    }
}

impl Clone for ConvexPolyhedron {
    fn clone(&self) -> Self {
        Self {
            vertices: self.vertices.clone(),
            facets: self.facets.clone(),
            corners: self.corners.clone(),
            sides: self.sides.clone(),
            edges: self.edges.clone(),
            neighbours: self.neighbours.clone(),
            neighbour_start: self.neighbour_start.clone(),
            vertex_facets: self.vertex_facets.clone(),
            vertex_edges: self.vertex_edges.clone(),
            radius: self.radius,
            inner_centre: self.inner_centre,
            inner_radius: self.inner_radius,
            columns: self.columns.clone(),
            planes: self.planes.clone(),
        }
    }

    /// List by list, each in its own room.
    fn clone_from(&mut self, other: &Self) {
        self.vertices.clone_from(&other.vertices);
        self.facets.clone_from(&other.facets);
        self.corners.clone_from(&other.corners);
        self.sides.clone_from(&other.sides);
        self.edges.clone_from(&other.edges);
        self.neighbours.clone_from(&other.neighbours);
        self.neighbour_start.clone_from(&other.neighbour_start);
        self.vertex_facets.clone_from(&other.vertex_facets);
        self.vertex_edges.clone_from(&other.vertex_edges);
        self.radius = other.radius;
        self.inner_centre = other.inner_centre;
        self.inner_radius = other.inner_radius;
        self.columns.0.clone_from(&other.columns.0);
        self.planes.0.clone_from(&other.planes.0);
    }
}
