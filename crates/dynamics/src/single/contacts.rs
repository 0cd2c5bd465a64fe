//! What a body touches at a pose.

use super::first_contact::Search;
use crate::{Body, State};
use glam::{DVec2, DVec3};
use klast_geometry::terrain::{
    Approach, Area, Facet, Terrain, terrain_contact, terrain_separation,
};
use klast_geometry::{ContactPoint, Manifold, Plane, Pose, Sphere, lowest_vertex, plane_contact};

/// Number of the contact of a sphere, above those of the vertices and edges of polyhedra: on facets less the facet's.
const SPHERE: u32 = u32::MAX - 1;

/// The sphere that a body is at a pose.
fn sphere_of(body: &Body, pose: &Pose) -> Option<Sphere> {
    let radius = body.sphere_radius()?;
    Some(Sphere {
        centre: pose.translation,
        radius,
    })
}

/// How far a body is from the facets at hand; see [`terrain_separation`].
pub(super) fn separation(
    body: &Body,
    pose: &Pose,
    far: f64,
    search: &mut Search,
) -> Option<Approach> {
    match sphere_of(body, pose) {
        Some(sphere) => sphere.separation(&search.facets),
        None => terrain_separation(body.shape(), pose, &search.facets, far, &mut search.patch),
    }
}

/// The lowest point of a body over a plane: its height (m), and the point in body axes; a sphere's turns with the
/// plane.
pub(super) fn lowest_point(body: &Body, pose: &Pose, plane: &Plane) -> (f64, DVec3) {
    if let Some(radius) = body.sphere_radius() {
        let down = pose.inverse_transform_vector(plane.normal) * -radius;
        return (plane.height(pose.translation) - radius, down);
    }
    let (height, vertex) = lowest_vertex(body.shape(), pose, plane);
    (
        height,
        body.vertices().get(vertex).copied().unwrap_or_default(),
    )
}

/// Fills the manifold with the contacts at a pose within a margin (m); the facets around are gathered anew.
pub(super) fn touch(
    terrain: &dyn Terrain,
    body: &Body,
    pose: &Pose,
    margin: f64,
    (search, manifold): (&mut Search, &mut Manifold),
) {
    let shape = body.shape();
    let sphere = sphere_of(body, pose);
    if let Some(plane) = terrain.as_plane() {
        match sphere {
            Some(sphere) => sphere.on_plane(&plane, margin, SPHERE, manifold),
            None => plane_contact(shape, pose, &plane, margin, manifold),
        }
        return;
    }
    gather(terrain, body, pose, margin, search);
    if let Some(sphere) = sphere {
        sphere.on_facets(&search.facets, margin, SPHERE, manifold);
        return;
    }
    // A facet whose plane is out of reach touches with none of its features.
    let reach = shape.radius() + margin;
    search
        .facets
        .retain(|f| f.height(pose.translation) <= reach);
    terrain_contact(
        shape,
        pose,
        &search.facets,
        margin,
        &mut search.patch,
        manifold,
    );
}

/// The facets under a body at a pose, and within a margin around it.
pub(super) fn gather(
    terrain: &dyn Terrain,
    body: &Body,
    pose: &Pose,
    margin: f64,
    search: &mut Search,
) {
    search.facets.clear();
    let grown = 10.0 * margin + 1e-6 * body.shape().radius();
    if let Some(radius) = body.sphere_radius() {
        let area = Area::around(pose.translation.truncate(), radius + grown);
        return terrain.facets(area, &mut search.facets);
    }
    let plan = |v: &DVec3| pose.transform_point(*v).truncate();
    let (lower, upper) = body
        .vertices()
        .iter()
        .map(plan)
        .fold((DVec2::INFINITY, DVec2::NEG_INFINITY), |(low, high), p| {
            (low.min(p), high.max(p))
        });
    // The margins of contact are looser sideways.
    let area = Area { lower, upper }.grown(grown);
    terrain.facets(area, &mut search.facets);
}

/// The contacts of a touch that is known to be there: one of them closes.
pub(super) fn touch_surely(
    terrain: &dyn Terrain,
    body: &Body,
    state: &State,
    margin: f64,
    (search, manifold): (&mut Search, &mut Manifold),
) {
    let State { pose, velocity } = state;
    touch(terrain, body, pose, margin, (search, manifold));
    let closes = |c: &ContactPoint| velocity.at(c.point - pose.translation).dot(c.normal) < 0.0;
    if manifold.points.iter().any(closes) || terrain.as_plane().is_some() {
        return;
    }
    add_nearest(body, pose, f64::INFINITY, (search, manifold));
}

/// Adds the contact along the separation of a body and the facets at hand, where it is less than a gap (m). Features
/// may meet in a place that no single test owns: an edge end over a corner.
pub(super) fn add_nearest(
    body: &Body,
    pose: &Pose,
    gap: f64,
    (search, manifold): (&mut Search, &mut Manifold),
) {
    let nearest = separation(body, pose, f64::INFINITY, search);
    let contact = nearest
        .filter(|n| n.gap < gap)
        .and_then(|n| witness(body, pose, &search.facets, &n));
    manifold.points.extend(contact);
}

/// The point where a body and the ground face each other along the direction of their separation: the body's vertex, or
/// where a face or edge of the body lies across it, the ground's corner.
fn witness(body: &Body, pose: &Pose, facets: &[Facet], near: &Approach) -> Option<ContactPoint> {
    if let Some(radius) = body.sphere_radius() {
        return Some(ContactPoint {
            point: pose.translation - near.normal * (near.gap + radius),
            normal: near.normal,
            gap: near.gap,
            feature: u32::MAX,
        });
    }
    let down = pose.inverse_transform_vector(-near.normal);
    let vertices = body.vertices();
    let vertex = vertices.get(body.shape().support(down))?;
    let level = 1e-9 * body.shape().radius();
    let ties = vertices
        .iter()
        .filter(|v| (**v - *vertex).dot(down) > -level)
        .count();
    let facet = facets.get(near.facet)?;
    let highest = facet
        .corners
        .into_iter()
        .max_by(|a, b| a.dot(near.normal).total_cmp(&b.dot(near.normal)));
    let point = match highest {
        Some(corner) if ties > 1 => corner,
        _ => pose.transform_point(*vertex),
    };
    Some(ContactPoint {
        point,
        normal: near.normal,
        gap: near.gap,
        feature: u32::MAX,
    })
}

/// The normal that all contacts share.
pub(super) fn common_normal(manifold: &Manifold) -> Option<DVec3> {
    let first = manifold.points.first()?.normal;
    let same = |c: &ContactPoint| c.normal.dot(first) > 1.0 - 1e-12;
    manifold.points.iter().all(same).then_some(first)
}
