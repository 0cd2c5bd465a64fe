//! A convex polyhedron on ground made of facets: how far apart, and where they touch.
//!
//! A facet stands for the solid below it: a prism that goes down without end. The ground is the union of these prisms, so the separation of rock and
//! ground is the least separation of the rock and one prism. For two convex solids that is the largest separation along any normal of a face or cross
//! product of two edges (separating axes: Gottschalk, Lin and Manocha 1996); a prism without bottom leaves only the axes that do not point down.
//! Vertex on facet, ground corner on rock face, and edge on edge are all among them.

use super::Facet;
use crate::{ContactPoint, ConvexPolyhedron, Manifold, Pose};
use glam::{DMat3, DVec2, DVec3};

/// A polyhedron in world coordinates: reuse it from time to time of a search.
#[derive(Debug, Clone, Default)]
pub struct FacetPatch {
    vertices: Vec<DVec3>,
    downward: Vec<(u32, DVec3, f64)>,
    /// Directions of the edges in body axes, parallel ones once, and the same in world coordinates.
    directions: Vec<DVec3>,
    edges: Vec<DVec3>,
    /// The facets of the ground that the body may touch.
    near: Vec<Facet>,
}

/// The least separation of a body from the ground.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Approach {
    /// Separation (m): above zero apart (then a lower bound of the distance, exact where the nearest features face each other), below zero overlapping.
    pub gap: f64,
    /// Its direction, from the ground to the body.
    pub normal: DVec3,
    /// Index in the list of facets.
    pub facet: usize,
}

// Two edges closer to parallel than this have no common normal worth the name: another axis takes over.
const PARALLEL: f64 = 1e-9;
/// Depth, relative to the radius, below which a feature of the ground is on the far side of the body.
const DEEP: f64 = 0.1;

impl FacetPatch {
    /// Takes up a body for [`FacetPatch::separation`].
    pub fn take(&mut self, body: &ConvexPolyhedron) {
        self.directions.clear();
        let vertices = body.vertices();
        let at = |v: u32| vertices.get(v as usize).copied().unwrap_or_default();
        for edge in body.edges() {
            let [a, b] = edge.vertices.map(at);
            let direction = (b - a).normalize_or_zero();
            // Parallel edges (a box has three directions for twelve edges) give the same axes.
            let known = |e: &DVec3| e.cross(direction).length_squared() < PARALLEL * PARALLEL;
            if !self.directions.iter().any(known) {
                self.directions.push(direction);
            }
        }
    }

    /// The separation of the body that was taken up from the ground under one facet, and its direction; beyond `far`, any lower bound above it may be given.
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

    /// Whether the body at the pose it was placed at last is clear of the ground under a facet by more than `slack`; `false` leaves it open.
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

    fn lowest(&self, axis: DVec3) -> f64 {
        self.vertices
            .iter()
            .fold(f64::INFINITY, |m, v| m.min(v.dot(axis)))
    }

    /// The box around the body, grown by `slack`, but for its top: ground reaches down without end.
    fn surroundings(&self, slack: f64) -> (DVec3, DVec2) {
        let (low, high) = self
            .vertices
            .iter()
            .fold((DVec3::INFINITY, DVec2::NEG_INFINITY), |(low, high), v| {
                (low.min(*v), high.max(v.truncate()))
            });
        (low - slack, high + slack)
    }

    /// Whether an axis of a facet's prism (its normal, the normals of its sides) alone parts the body from it by more than `slack`.
    fn is_parted_from(&self, facet: &Facet, (low, high): (DVec3, DVec2), slack: f64) -> bool {
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

    /// Separation from one facet's prism; stops early once it exceeds `enough`.
    fn beyond_facet(&self, facet: &Facet, enough: f64) -> (f64, DVec3) {
        let [a, b, c] = facet.corners;
        let base = a.dot(facet.normal);
        let (mut low, mut lowest) = (f64::INFINITY, DVec3::ZERO);
        for v in &self.vertices {
            let h = v.dot(facet.normal) - base;
            if h < low {
                (low, lowest) = (h, *v);
            }
        }
        let mut best = (low, facet.normal);
        // The lowest vertex over the facet itself: no other axis separates more.
        if best.0 > enough || facet.inside(lowest) >= 0.0 {
            return best;
        }
        let mut consider = |axis: DVec3, top: f64| {
            let gap = self.lowest(axis) - top;
            if gap > best.0 {
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

/// How far a body is from the ground; `None` without facets. The separation counts up to `far` only: beyond, any lower bound above `far` may be given.
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

/// Fills `out` with every point where body and ground are within `margin` (m, ≥ 0) of touching.
///
/// A flat or hollow edge of the ground makes no contact of its own (its facets do), so a face slides over the seams of a triangulated plane as over the
/// plane. `feature` counts: rock vertices first, then rock faces, then pairs of edges.
pub fn terrain_contact(
    body: &ConvexPolyhedron,
    pose: &Pose,
    facets: &[Facet],
    margin: f64,
    scratch: &mut FacetPatch,
    out: &mut Manifold,
) {
    scratch.place(body, pose);
    out.points.clear();
    let depth = DEEP * body.radius() + margin;
    // A facet that is clear of the body by more than any feature may be off by touches with none, and bounds no edge or corner that touches.
    let slack = 8.0 * margin + 1e-9 * body.radius();
    let mut near = std::mem::take(&mut scratch.near);
    near.clear();
    let around = scratch.surroundings(slack);
    near.extend(
        facets
            .iter()
            .filter(|f| !scratch.is_parted_from(f, around, slack)),
    );
    vertex_contacts(scratch, &near, margin, depth, out);
    corner_contacts(body, scratch, &near, margin, depth, out);
    edge_contacts(body, scratch, &near, margin, depth, out);
    scratch.near = near;
}

fn push(out: &mut Manifold, point: ContactPoint, near: f64) {
    let same = |p: &ContactPoint| {
        (p.point - point.point).length_squared() <= near * near
            && p.normal.dot(point.normal) > 1.0 - 1e-12
    };
    if !out.points.iter().any(same) {
        out.points.push(point);
    }
}

/// Rock vertices over a facet.
fn vertex_contacts(
    patch: &FacetPatch,
    facets: &[Facet],
    margin: f64,
    depth: f64,
    out: &mut Manifold,
) {
    for (feature, v) in patch.vertices.iter().enumerate() {
        for facet in facets {
            let gap = facet.height(*v);
            if gap <= margin && gap >= -depth && facet.inside(*v) >= -margin {
                let contact = ContactPoint {
                    point: *v - facet.normal * gap,
                    normal: facet.normal,
                    gap,
                    feature: feature as u32,
                };
                push(out, contact, 10.0 * margin);
            }
        }
    }
}

/// Whether the ground near `corner` lies below the plane with this normal, and somewhere strictly below.
fn ground_is_below(facets: &[Facet], corners: &[DVec3], normal: DVec3) -> bool {
    let mut strictly = false;
    for facet in facets
        .iter()
        .filter(|f| corners.iter().all(|c| f.corners.contains(c)))
    {
        for other in facet.corners.iter().filter(|c| !corners.contains(c)) {
            let edge = *other - corners[0];
            let rise = normal.dot(edge) / edge.length();
            // 1e-9 rad is flat: the corners of a raster's plane miss it by rounding only.
            if rise > 1e-9 {
                return false;
            }
            strictly |= rise < -1e-9;
        }
    }
    strictly
}

/// Corners of the ground in the faces of the rock.
fn corner_contacts(
    body: &ConvexPolyhedron,
    patch: &FacetPatch,
    facets: &[Facet],
    margin: f64,
    depth: f64,
    out: &mut Manifold,
) {
    let (low, high) = patch.surroundings(8.0 * margin + 1e-9 * body.radius());
    for (index, facet) in facets.iter().enumerate() {
        for corner in facet.corners {
            if corner.cmplt(low).any() || corner.truncate().cmpgt(high).any() {
                continue;
            }
            for &(face, normal, offset) in &patch.downward {
                let gap = normal.dot(corner) - offset;
                if gap > margin
                    || gap < -depth
                    || !in_face(body, patch, face, normal, corner, margin)
                    || facets[..index].iter().any(|f| f.corners.contains(&corner))
                    || !ground_is_below(facets, &[corner], -normal)
                {
                    continue;
                }
                let feature = (patch.vertices.len() as u32).saturating_add(face);
                push(
                    out,
                    ContactPoint {
                        point: corner,
                        normal: -normal,
                        gap,
                        feature,
                    },
                    10.0 * margin,
                );
            }
        }
    }
}

/// Whether a point lies over a face of the rock, up to a margin.
fn in_face(
    body: &ConvexPolyhedron,
    patch: &FacetPatch,
    face: u32,
    normal: DVec3,
    point: DVec3,
    margin: f64,
) -> bool {
    let loop_ = body.facet_vertices(face as usize);
    let at = |k: usize| {
        loop_
            .get(k % loop_.len().max(1))
            .and_then(|v| patch.vertices.get(*v as usize))
            .copied()
            .unwrap_or_default()
    };
    (0..loop_.len()).all(|k| {
        let side = at(k + 1) - at(k);
        normal.cross(side).dot(point - at(k)) >= -margin * side.length()
    })
}

/// Edges of the rock across edges of the ground.
fn edge_contacts(
    body: &ConvexPolyhedron,
    patch: &FacetPatch,
    facets: &[Facet],
    margin: f64,
    depth: f64,
    out: &mut Manifold,
) {
    let base = (patch.vertices.len() + body.facets().len()) as u32;
    // Two edges that cross within a gap have boxes that are no farther apart.
    let reach = DVec3::splat(depth.max(margin));
    let (low, high) = patch.surroundings(reach.x);
    for (index, facet) in facets.iter().enumerate() {
        for k in 0..3 {
            let ground = [facet.corners[k], facet.corners[(k + 1) % 3]];
            let (least, most) = (ground[0].min(ground[1]), ground[0].max(ground[1]));
            if low.cmpgt(most).any()
                || high.cmplt(least.truncate()).any()
                || !is_ridge(facets, index, ground)
            {
                continue;
            }
            let (least, most) = (least - reach, most + reach);
            for (number, edge) in body.edges().iter().enumerate() {
                let rock = edge
                    .vertices
                    .map(|v| patch.vertices.get(v as usize).copied().unwrap_or_default());
                if rock[0].min(rock[1]).cmpgt(most).any() || rock[0].max(rock[1]).cmplt(least).any()
                {
                    continue;
                }
                let Some((point, normal, gap)) = crossing(rock, ground) else {
                    continue;
                };
                if gap > margin
                    || gap < -depth
                    || patch.lowest(normal) < rock[0].dot(normal) - margin
                    || !ground_is_below(facets, &ground, normal)
                {
                    continue;
                }
                push(
                    out,
                    ContactPoint {
                        point,
                        normal,
                        gap,
                        feature: base.saturating_add(number as u32),
                    },
                    10.0 * margin,
                );
            }
        }
    }
}

/// Whether an edge of a facet may make contacts of its own: its facets are no hollow, and no facet before has it.
fn is_ridge(facets: &[Facet], index: usize, edge: [DVec3; 2]) -> bool {
    for (other, facet) in facets.iter().enumerate() {
        if other == index || !edge.iter().all(|c| facet.corners.contains(c)) {
            continue;
        }
        let third = facet.corners.iter().find(|c| !edge.contains(c));
        if other < index || third.is_some_and(|c| facets[index].height(*c) >= 0.0) {
            return false;
        }
    }
    true
}

/// Where two edges cross: point on the ground edge, normal (not downwards), signed gap.
fn crossing(rock: [DVec3; 2], ground: [DVec3; 2]) -> Option<(DVec3, DVec3, f64)> {
    let (d, e) = (rock[1] - rock[0], ground[1] - ground[0]);
    let cross = d.cross(e);
    let square = cross.length_squared();
    if square <= PARALLEL * PARALLEL * d.length_squared() * e.length_squared() {
        return None;
    }
    let between = ground[0] - rock[0];
    let s = between.cross(e).dot(cross) / square;
    let t = between.cross(d).dot(cross) / square;
    if !((0.0..=1.0).contains(&s) && (0.0..=1.0).contains(&t)) {
        return None;
    }
    let normal = cross
        / if cross.z < 0.0 {
            -square.sqrt()
        } else {
            square.sqrt()
        };
    let point = ground[0] + e * t;
    Some((point, normal, normal.dot(rock[0] + d * s - point)))
}
