//! Where a convex polyhedron touches ground made of facets: its vertices, corners of the ground, and edges across
//! edges.

use super::Facet;
use super::body_edges::PARALLEL;
use super::facet::{Buried, entered_through};
use super::separation::FacetPatch;
use crate::{ContactPoint, ConvexPolyhedron, Manifold, Pose};
use glam::DVec3;

/// Depth, relative to the radius, below which a feature of the ground is on the far side of the body.
const DEEP: f64 = 0.1;

/// Distance, relative to the radius, within which a point of one facet is a point of another one too.
const SAME: f64 = 1e-8;

/// Fills `out` with every point where body and ground are within `margin` (m, ≥ 0) of touching.
///
/// A flat or hollow edge of the ground makes no contact of its own (its facets do), so a face slides over the seams of
/// a triangulated plane as over the plane. `feature` counts: rock vertices first, then rock faces, then pairs of edges.
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
    // A facet that is clear of the body by more than any feature may be off by touches with none, and bounds no edge or
    // corner that touches.
    let slack = 8.0 * margin + 1e-9 * body.radius();
    let mut near = std::mem::take(&mut scratch.near);
    near.clear();
    let around = scratch.surroundings(slack);
    near.extend(
        facets
            .iter()
            .filter(|f| !scratch.is_parted_from(f, around, slack)),
    );
    let whole = Buried {
        centre: pose.translation,
        radius: body.radius(),
    };
    vertex_contacts(scratch, &near, whole, (margin, depth), out);
    corner_contacts(body, scratch, &near, margin, depth, out);
    scratch.take_lower_edges(body);
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

/// Rock vertices over a facet; a vertex in the ground always has a contact.
fn vertex_contacts(
    patch: &FacetPatch,
    facets: &[Facet],
    body: Buried,
    (margin, depth): (f64, f64),
    out: &mut Manifold,
) {
    let near = 10.0 * margin;
    for (feature, v) in patch.vertices.iter().enumerate() {
        let mut buried = false;
        for facet in facets {
            let gap = facet.height(*v);
            if gap > margin || facet.is_beside(*v, margin) {
                continue;
            }
            // Deep under a facet, or behind one from within the ground: it came through another one.
            if gap < -depth || gap < 0.0 && facet.height(body.centre) <= 0.0 {
                buried = true;
                continue;
            }
            push(out, on_facet(feature, *v, facet, gap), near);
            let hollow = (facet, gap, body.centre);
            in_hollow(facets, hollow, (feature, *v), (margin, depth), out);
        }
        if buried && let Some((facet, gap)) = entered_through(facets, *v, body) {
            push(out, on_facet(feature, *v, facet, gap), near);
            let hollow = (facet, gap, body.centre);
            in_hollow(facets, hollow, (feature, *v), (margin, depth), out);
        }
    }
}

/// Where a vertex is behind a facet by a gap (m, < 0): the facets that meet the front of that facet in a hollow, and on
/// which the vertex stands although it is outside of their outline in plan. The foot of a steep facet is narrow.
fn in_hollow(
    facets: &[Facet],
    (facet, gap, centre): (&Facet, f64, DVec3),
    (feature, vertex): (usize, DVec3),
    (margin, depth): (f64, f64),
    out: &mut Manifold,
) {
    if gap >= 0.0 {
        return;
    }
    let before = vertex - facet.normal * gap;
    let meets = |other: &Facet| {
        let is_in_front = |c: &DVec3| facet.height(*c) > 1e-9 * c.distance(facet.corners[0]);
        other.corners.iter().any(is_in_front)
    };
    for other in facets {
        let gap = other.height(vertex);
        if gap <= margin
            && gap >= -depth
            && other.is_beside(vertex, margin)
            && !other.is_beside(before, margin)
            && other.height(centre) > 0.0
            && meets(other)
        {
            push(out, on_facet(feature, vertex, other, gap), 10.0 * margin);
        }
    }
}

fn on_facet(feature: usize, vertex: DVec3, facet: &Facet, gap: f64) -> ContactPoint {
    ContactPoint {
        point: vertex - facet.normal * gap,
        normal: facet.normal,
        gap,
        feature: feature as u32,
    }
}

/// Whether the ground near a point of an edge or corner lies below the plane with this normal, and somewhere strictly
/// below. Towards a corner that touches too it may rise.
fn ground_is_below(
    facets: &[Facet],
    corners: &[DVec3],
    normal: DVec3,
    (point, near): (DVec3, f64),
    touches: impl Fn(DVec3) -> bool,
) -> bool {
    let mut strictly = false;
    for facet in facets
        .iter()
        .filter(|f| corners.iter().all(|c| f.corners.contains(c)))
    {
        for other in facet.corners.iter().filter(|c| !corners.contains(c)) {
            let edge = *other - corners[0];
            let rise = normal.dot(edge) / edge.length();
            // 1e-9 rad is flat: the corners of a raster's plane miss it by rounding only.
            if rise > 1e-9 && !touches(*other) {
                return false;
            }
            strictly |= rise < -1e-9;
        }
    }
    strictly
        && !facets
            .iter()
            .any(|f| goes_on_above(f, corners, normal, (point, near)))
}

/// Whether a facet that does not have an edge (or corner) of the ground goes on from a point of it, within `near` (m),
/// above the plane with this normal: a mesh that lies beside or over another one need not share its corners.
fn goes_on_above(
    facet: &Facet,
    corners: &[DVec3],
    normal: DVec3,
    (point, near): (DVec3, f64),
) -> bool {
    let shared = |c: &DVec3| facet.corners.contains(c);
    let at_its_corner = |c: &DVec3| shared(c) && point.distance(*c) <= 10.0 * near;
    if facet.height(point).abs() > near
        || facet.is_beside(point, near)
        || corners.iter().all(shared)
        || corners.iter().any(at_its_corner)
    {
        return false;
    }
    // The same angle as for the facets that have the edge, and what the point may be off the facet.
    let rises = |c: DVec3| normal.dot(c - point) > 1e-9 * c.distance(point) + near;
    facet.corners.into_iter().any(rises)
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
    let near = SAME * body.radius();
    for (index, facet) in facets.iter().enumerate() {
        for corner in facet.corners {
            if corner.cmplt(low).any() || corner.truncate().cmpgt(high).any() {
                continue;
            }
            for &(face, normal, offset) in &patch.downward {
                // Several corners under a face carry it together although one is the highest: with that one alone the
                // face would rock from the one to the other, each time into the ground.
                let is_level = |corner: DVec3| {
                    let gap = normal.dot(corner) - offset;
                    gap <= margin && gap >= -depth
                };
                let touches = |corner: DVec3| {
                    is_level(corner) && in_face(body, patch, face, normal, corner, margin)
                };
                let around = (corner, near);
                if !is_level(corner)
                    || facets[..index].iter().any(|f| f.corners.contains(&corner))
                    || !touches(corner)
                    || !ground_is_below(facets, &[corner], -normal, around, touches)
                {
                    continue;
                }
                let gap = normal.dot(corner) - offset;
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
    let near = SAME * body.radius();
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
            for (number, rock) in &patch.lower_edges {
                let [a, b] = rock;
                let is_beside = |k: usize| {
                    (a[k] > most[k] && b[k] > most[k]) || (a[k] < least[k] && b[k] < least[k])
                };
                if (0..3).any(is_beside) {
                    continue;
                }
                let Some((point, normal, gap)) = crossing(*rock, ground) else {
                    continue;
                };
                if gap > margin
                    || gap < -depth
                    || patch.lowest(normal) < rock[0].dot(normal) - margin
                    || !ground_is_below(facets, &ground, normal, (point, near), |_| false)
                {
                    continue;
                }
                push(
                    out,
                    ContactPoint {
                        point,
                        normal,
                        gap,
                        feature: base.saturating_add(*number),
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
    if !(0.0..=1.0).contains(&s) {
        return None;
    }
    let t = between.cross(d).dot(cross) / square;
    if !(0.0..=1.0).contains(&t) {
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
