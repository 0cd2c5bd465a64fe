//! A convex polyhedron on ground made of facets: how far apart.
//!
//! A facet stands for the solid below it: a prism that goes down without end. The ground is the union of these prisms,
//! so the separation of rock and ground is the least separation of the rock and one prism. For two convex solids that
//! is the largest separation along any normal of a face or cross product of two edges (separating axes: Gottschalk, Lin
//! and Manocha 1996); a prism without bottom leaves only the axes that do not point down. Vertex on facet, ground
//! corner on rock face, and edge on edge are all among them.

use super::Facet;
use crate::{ConvexPolyhedron, Pose};
use glam::{DMat3, DVec2, DVec3};

/// A polyhedron in world coordinates: reuse it from time to time of a search.
#[derive(Debug, Clone, Default)]
pub struct FacetPatch {
    pub(super) vertices: Vec<DVec3>,
    /// Faces that look down: number, normal and offset.
    pub(super) downward: Vec<(u32, DVec3, f64)>,
    /// Directions of the edges in body axes, parallel ones once, and the same in world coordinates.
    directions: Vec<DVec3>,
    edges: Vec<DVec3>,
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

// Two edges closer to parallel than this have no common normal worth the name: another axis takes over.
pub(super) const PARALLEL: f64 = 1e-9;
/// Edges of a body from which on parallel ones are not looked for.
const MANY_EDGES: usize = 48;

impl FacetPatch {
    /// Takes up a body for [`FacetPatch::separation`].
    pub fn take(&mut self, body: &ConvexPolyhedron) {
        self.directions.clear();
        let vertices = body.vertices();
        let at = |v: u32| vertices.get(v as usize).copied().unwrap_or_default();
        for edge in body.edges() {
            let [a, b] = edge.vertices.map(at);
            let direction = (b - a).normalize_or_zero();
            // Parallel edges (a box has three directions for twelve edges) give the same axes. Hulls of many vertices
            // have next to none, and many edges to compare.
            let known = |e: &DVec3| e.cross(direction).length_squared() < PARALLEL * PARALLEL;
            if body.edges().len() > MANY_EDGES || !self.directions.iter().any(known) {
                self.directions.push(direction);
            }
        }
    }

    /// The separation of the body that was taken up from the ground under one facet, and its direction; beyond `far`,
    /// any lower bound above it may be given.
    pub fn separation(
        &mut self,
        body: &ConvexPolyhedron,
        pose: &Pose,
        facet: &Facet,
        far: f64,
    ) -> (f64, DVec3) {
        self.place(body, pose);
        self.place_edges(pose);
        self.beyond_facet(facet, far)
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

    fn place_edges(&mut self, pose: &Pose) {
        let turn = DMat3::from_quat(pose.rotation);
        self.edges.clear();
        self.edges.extend(self.directions.iter().map(|d| turn * *d));
    }

    pub(super) fn lowest(&self, axis: DVec3) -> f64 {
        self.vertices
            .iter()
            .fold(f64::INFINITY, |m, v| m.min(v.dot(axis)))
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

    /// Whether an axis of a facet's prism (its normal, the normals of its sides) alone parts the body from it by more
    /// than `slack`.
    pub(super) fn is_parted_from(
        &self,
        facet: &Facet,
        (low, high): (DVec3, DVec2),
        slack: f64,
    ) -> bool {
        let [a, b, c] = facet.corners;
        let (least, most) = (a.min(b).min(c), a.max(b).max(c));
        if low.cmpgt(most).any() || high.cmplt(least.truncate()).any() {
            return true;
        }
        if self.lowest(facet.normal) - a.dot(facet.normal) > slack {
            return true;
        }
        [(b - a, a), (c - b, b), (a - c, c)]
            .into_iter()
            .any(|(side, corner)| {
                let axis = DVec3::new(side.y, -side.x, 0.0);
                self.lowest(axis) - corner.dot(axis) > slack * axis.length()
            })
    }

    /// How far all vertices are beyond a plane, if that is more than `least`. One vertex that is not settles it: the
    /// one that settled the axis before is asked first.
    fn gap_above(&self, axis: DVec3, top: f64, least: f64, asked: &mut usize) -> Option<f64> {
        let beyond = |v: &DVec3| v.dot(axis) - top > least;
        if self.vertices.get(*asked).is_some_and(|v| !beyond(v)) {
            return None;
        }
        if let Some(found) = self.vertices.iter().position(|v| !beyond(v)) {
            *asked = found;
            return None;
        }
        Some(self.lowest(axis) - top)
    }

    /// Separation from one facet's prism; stops early once it exceeds `enough`.
    fn beyond_facet(&self, facet: &Facet, enough: f64) -> (f64, DVec3) {
        let [a, b, c] = facet.corners;
        let base = a.dot(facet.normal);
        let (mut low, mut lowest, mut asked) = (f64::INFINITY, DVec3::ZERO, 0);
        for (k, v) in self.vertices.iter().enumerate() {
            let h = v.dot(facet.normal) - base;
            if h < low {
                (low, lowest, asked) = (h, *v, k);
            }
        }
        let mut best = (low, facet.normal);
        // The lowest vertex over the facet itself: no other axis separates more.
        if best.0 > enough || facet.inside(lowest) >= 0.0 {
            return best;
        }
        let mut consider = |axis: DVec3, top: f64| {
            if let Some(gap) = self.gap_above(axis, top, best.0, &mut asked) {
                best = (gap, axis);
            }
            best.0 > enough
        };
        let top = |axis: DVec3| a.dot(axis).max(b.dot(axis)).max(c.dot(axis));
        let sides = [b - a, c - b, a - c];
        for (side, corner) in sides.iter().zip([a, b, c]) {
            let axis = DVec3::new(side.y, -side.x, 0.0).normalize_or_zero();
            if consider(axis, corner.dot(axis)) {
                return best;
            }
        }
        for &(_, normal, _) in &self.downward {
            if consider(-normal, top(-normal)) {
                return best;
            }
        }
        for edge in &self.edges {
            for side in sides.iter().copied().chain([DVec3::Z]) {
                let cross = edge.cross(side);
                let length = cross.length();
                if length <= PARALLEL * side.length() {
                    continue;
                }
                let axis = cross / if cross.z < 0.0 { -length } else { length };
                if consider(axis, top(axis)) || (axis.z == 0.0 && consider(-axis, top(-axis))) {
                    return best;
                }
            }
        }
        best
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
    scratch.place(body, pose);
    scratch.place_edges(pose);
    let mut nearest: Option<Approach> = None;
    for (index, facet) in facets.iter().enumerate() {
        let enough = nearest.map_or(far, |n| n.gap.min(far));
        let (gap, normal) = scratch.beyond_facet(facet, enough);
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
