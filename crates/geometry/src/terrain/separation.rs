//! A convex polyhedron on ground made of facets: how far apart.
//!
//! A facet stands for the solid below it: a prism that goes down without end. The ground is the union of these prisms,
//! so the separation of rock and ground is the least separation of the rock and one prism. For two convex solids that
//! is the largest separation along any normal of a face or cross product of two edges (separating axes: Gottschalk, Lin
//! and Manocha 1996); a prism without bottom leaves only the axes that do not point down. Vertex on facet, ground
//! corner on rock face, and edge on edge are all among them.

use super::Facet;
use super::body_edges::{BodyEdges, PARALLEL};
use super::facet::{Buried, entered_through};
use crate::{ConvexPolyhedron, Pose};
use glam::{DMat3, DVec2, DVec3};

/// A polyhedron in world coordinates: reuse it from time to time of a search.
#[derive(Debug, Clone, Default)]
pub struct FacetPatch {
    pub(super) vertices: Vec<DVec3>,
    /// Faces that look down: number, normal and offset.
    pub(super) downward: Vec<(u32, DVec3, f64)>,
    /// Of each face whether it looks down.
    is_down: Vec<bool>,
    edges: BodyEdges,
    /// Edges of a face that looks down, with their numbers: no other edge comes down on an edge of the ground.
    pub(super) lower_edges: Vec<(u32, [DVec3; 2])>,
    /// The facets of the ground that the body may touch.
    pub(super) near: Vec<Facet>,
}

/// The least separation of a body from the ground.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Approach {
    /// Separation (m): above zero apart (then a lower bound of the distance, exact where the nearest features face each
    /// other), below zero overlapping.
    pub gap: f64,
    /// Its direction, from the ground to the body.
    pub normal: DVec3,
    /// Index in the list of facets.
    pub facet: usize,
}

impl FacetPatch {
    /// Takes up a body for [`FacetPatch::put`].
    pub fn take(&mut self, body: &ConvexPolyhedron) {
        self.edges.take(body);
    }

    /// Puts the body that was taken up at a pose, for [`FacetPatch::separation`].
    pub fn put(&mut self, body: &ConvexPolyhedron, pose: &Pose) {
        self.place(body, pose);
        self.edges.place(pose);
    }

    /// The separation of the body from the ground under one facet where it was put last, and its direction; beyond
    /// `far`, any lower bound above it may be given.
    pub fn separation(&mut self, facet: &Facet, far: f64) -> (f64, DVec3) {
        let (gap, normal, _) = self.beyond_facet(facet, far);
        (gap, normal)
    }

    /// Whether the body at the pose it was placed at last is clear of the ground under a facet by more than `slack`;
    /// `false` leaves it open.
    pub fn is_clear(&self, facet: &Facet, slack: f64) -> bool {
        self.is_parted_from(facet, self.surroundings(slack), slack)
    }

    /// Moves the body's vertices and downward faces to world coordinates.
    pub fn place(&mut self, body: &ConvexPolyhedron, pose: &Pose) {
        let turn = DMat3::from_quat(pose.rotation);
        self.vertices.clear();
        self.vertices
            .extend(body.vertices().iter().map(|v| turn * *v + pose.translation));
        self.downward.clear();
        for (k, facet) in body.facets().iter().enumerate() {
            let normal = turn * facet.normal;
            if normal.z <= 0.0 {
                self.downward.push((
                    k as u32,
                    normal,
                    facet.offset + normal.dot(pose.translation),
                ));
            }
        }
    }

    /// Finds the edges of downward faces of the body that was placed.
    pub(super) fn take_lower_edges(&mut self, body: &ConvexPolyhedron) {
        self.is_down.clear();
        self.is_down.resize(body.facets().len(), false);
        for (face, ..) in &self.downward {
            if let Some(is_down) = self.is_down.get_mut(*face as usize) {
                *is_down = true;
            }
        }
        let is_down = |f: u32| self.is_down.get(f as usize).copied().unwrap_or(false);
        self.lower_edges.clear();
        for (edge, number) in body.edges().iter().zip(0..) {
            let [a, b] = edge.vertices.map(|v| self.vertices.get(v as usize));
            let [f, g] = edge.facets;
            if let (Some(a), Some(b)) = (a, b)
                && (is_down(f) || is_down(g))
            {
                self.lower_edges.push((number, [*a, *b]));
            }
        }
    }

    pub(super) fn lowest(&self, axis: DVec3) -> f64 {
        self.vertices
            .iter()
            .fold(f64::INFINITY, |m, v| m.min(v.dot(axis)))
    }

    /// Whether all vertices are farther along an axis than a place by more than `slack`.
    fn is_beyond(&self, axis: DVec3, place: f64, slack: f64) -> bool {
        self.vertices.iter().all(|v| v.dot(axis) - place > slack)
    }

    /// The box around the body, grown by `slack`, but for its top: ground reaches down without end.
    pub(super) fn surroundings(&self, slack: f64) -> (DVec3, DVec2) {
        let (low, high) = self
            .vertices
            .iter()
            .fold((DVec3::INFINITY, DVec2::NEG_INFINITY), |(low, high), v| {
                (low.min(*v), high.max(v.truncate()))
            });
        (low - slack, high + slack)
    }

    /// Whether an axis of a facet's prism (its normal, the normals of its sides), or a face of the body that looks
    /// down, alone parts the body from it by more than `slack`.
    pub(super) fn is_parted_from(
        &self,
        facet: &Facet,
        (low, high): (DVec3, DVec2),
        slack: f64,
    ) -> bool {
        let corners = facet.corners;
        let [a, b, c] = corners;
        let (least, most) = (a.min(b).min(c), a.max(b).max(c));
        if low.cmpgt(most).any() || high.cmplt(least.truncate()).any() {
            return true;
        }
        if self.is_beyond(facet.normal, a.dot(facet.normal), slack) {
            return true;
        }
        let beyond = |(_, normal, offset): &(u32, DVec3, f64)| {
            let before = |corner: &DVec3| normal.dot(*corner) > offset + slack;
            corners.iter().all(before)
        };
        if self.downward.iter().any(beyond) {
            return true;
        }
        // The box has seen to sides along x and y.
        [(b - a, a), (c - b, b), (a - c, c)]
            .into_iter()
            .filter(|(side, _)| side.x != 0.0 && side.y != 0.0)
            .any(|(side, corner)| {
                let axis = DVec3::new(side.y, -side.x, 0.0);
                self.is_beyond(axis, corner.dot(axis), slack * axis.length())
            })
    }

    /// Separation from one facet's prism; stops early once it exceeds `enough`. With the lowest vertex, if it lies over
    /// the facet.
    fn beyond_facet(&mut self, facet: &Facet, enough: f64) -> (f64, DVec3, Option<DVec3>) {
        let base = facet.corners[0].dot(facet.normal);
        let (mut low, mut lowest, mut asked) = (f64::INFINITY, DVec3::ZERO, 0);
        for (k, v) in self.vertices.iter().enumerate() {
            let h = v.dot(facet.normal) - base;
            if h < low {
                (low, lowest, asked) = (h, *v, k);
            }
        }
        // The lowest vertex over the facet itself: no other axis separates more.
        let over = (facet.inside(lowest) >= 0.0).then_some(lowest);
        if low > enough || over.is_some() {
            return (low, facet.normal, over);
        }
        let mut axes = Axes {
            vertices: &self.vertices,
            facet,
            gap: low,
            normal: facet.normal,
            asked,
            enough,
        };
        if axes.faces(&self.downward) {
            axes.edges(&mut self.edges);
        }
        (axes.gap, axes.normal, None)
    }
}

/// The axes that may part a body from one facet's prism, and the one that parts them most so far.
struct Axes<'a> {
    vertices: &'a [DVec3],
    facet: &'a Facet,
    gap: f64,
    normal: DVec3,
    /// The vertex that settled the axis before.
    asked: usize,
    /// No axis is looked at any more beyond this gap (m).
    enough: f64,
}

impl Axes<'_> {
    /// Looks at the sides of the prism and at faces of the body that look down: axes do not point down. False where no
    /// more axes are needed.
    fn faces(&mut self, downward: &[(u32, DVec3, f64)]) -> bool {
        let [a, b, c] = self.facet.corners;
        let sides = [(b - a, a), (c - b, b), (a - c, c)];
        for (side, corner) in sides {
            let axis = DVec3::new(side.y, -side.x, 0.0).normalize_or_zero();
            if self.consider(axis, corner.dot(axis)) {
                return false;
            }
        }
        // All vertices are behind the plane of a face but for rounding.
        let rounding = 1e-9 * sides.map(|(side, _)| side.length()).iter().sum::<f64>();
        for &(_, normal, offset) in downward {
            let top = self.top(-normal);
            if -offset - top > self.gap - rounding && self.consider(-normal, top) {
                return false;
            }
        }
        true
    }

    /// Looks at pairs of edges.
    fn edges(&mut self, edges: &mut BodyEdges) {
        let [a, b, c] = self.facet.corners;
        let sides = [b - a, c - b, a - c, DVec3::Z];
        let lengths = sides.map(DVec3::length);
        for edge in edges.candidates(sides) {
            for (k, (side, length)) in sides.iter().zip(lengths).enumerate() {
                let product = edge.direction.cross(*side);
                let size = product.length();
                if edge.sides >> k & 1 == 0 || size <= PARALLEL * length {
                    continue;
                }
                let axis = product / size;
                for axis in [axis, -axis] {
                    if axis.z < 0.0 {
                        continue;
                    }
                    let top = self.top(axis);
                    let beyond = edge.end.dot(axis) - top > self.gap;
                    if beyond && self.consider(axis, top) {
                        return;
                    }
                }
            }
        }
    }

    /// Extent of the prism along an axis.
    fn top(&self, axis: DVec3) -> f64 {
        let [a, b, c] = self.facet.corners.map(|corner| corner.dot(axis));
        a.max(b).max(c)
    }

    /// Takes an axis if all vertices are farther beyond the prism along it than along the best one; one vertex that is
    /// not settles it. Whether that is enough.
    fn consider(&mut self, axis: DVec3, top: f64) -> bool {
        let (vertices, gap) = (self.vertices, self.gap);
        let beyond = |v: &DVec3| v.dot(axis) - top > gap;
        if vertices.get(self.asked).is_none_or(beyond) {
            match vertices.iter().position(|v| !beyond(v)) {
                Some(found) => self.asked = found,
                None => {
                    let along = vertices.iter().map(|v| v.dot(axis));
                    self.gap = along.fold(f64::INFINITY, f64::min) - top;
                    self.normal = axis;
                }
            }
        }
        self.gap > self.enough
    }
}

/// How far a body is from the ground; `None` without facets. The separation counts up to `far` only: beyond, any lower
/// bound above `far` may be given.
pub fn terrain_separation(
    body: &ConvexPolyhedron,
    pose: &Pose,
    facets: &[Facet],
    far: f64,
    scratch: &mut FacetPatch,
) -> Option<Approach> {
    scratch.take(body);
    scratch.put(body, pose);
    let whole = Buried {
        centre: pose.translation,
        radius: body.radius(),
    };
    let mut nearest: Option<Approach> = None;
    for (index, facet) in facets.iter().enumerate() {
        let enough = nearest.map_or(far, |n| n.gap.min(far));
        let (mut gap, mut normal, over) = scratch.beyond_facet(facet, enough);
        // Under the ground behind a steep face the way out is through the face.
        if gap < 0.0
            && let Some(vertex) = over
            && let Some((through, depth)) = entered_through(facets, vertex, whole)
            && depth > gap
        {
            (gap, normal) = (depth, through.normal);
        }
        if nearest.is_none_or(|n| gap < n.gap) {
            nearest = Some(Approach {
                gap,
                normal,
                facet: index,
            });
        }
    }
    nearest
}
