//! A polyhedron on a plane.

use super::{ContactPoint, Manifold};
use crate::{ConvexPolyhedron, Plane, Pose};
use glam::DVec3;

/// Fills `out` with every vertex whose height above the plane is at most `margin` (m, ≥ 0).
///
/// The points lie on the plane, below their vertices; `feature` is the vertex. They run counter-clockwise seen
/// from above, starting with the lowest vertex number, so that a resting face is its own support polygon.
/// A vertex whose height is rounding (up to 4 ulp of the coordinates involved) counts as height 0 exactly: a
/// face that rests is found whole whatever way it is turned.
pub fn plane_contact(
    body: &ConvexPolyhedron,
    pose: &Pose,
    plane: &Plane,
    margin: f64,
    out: &mut Manifold,
) {
    out.points.clear();
    let direction = pose.inverse_transform_vector(plane.normal);
    let level = plane.offset - plane.normal.dot(pose.translation);
    let rounding =
        4.0 * f64::EPSILON * (body.radius() + pose.translation.length() + plane.offset.abs());
    for (feature, v) in body.vertices().iter().enumerate() {
        let height = v.dot(direction) - level;
        let gap = if height.abs() <= rounding {
            0.0
        } else {
            height
        };
        if gap <= margin {
            let point = pose.transform_point(*v) - plane.normal * height;
            out.points.push(ContactPoint {
                point,
                normal: plane.normal,
                gap,
                feature: feature as u32,
            });
        }
    }
    order_around(plane.normal, &mut out.points);
}

/// Height of the lowest vertex above the plane (m), and that vertex; the first of them where several tie.
pub fn lowest_vertex(body: &ConvexPolyhedron, pose: &Pose, plane: &Plane) -> (f64, usize) {
    let direction = pose.inverse_transform_vector(plane.normal);
    let vertex = body.support(-direction);
    let level = plane.offset - plane.normal.dot(pose.translation);
    (body.vertex(vertex as u32).dot(direction) - level, vertex)
}

/// Sorts points counter-clockwise about their middle, the lowest feature first.
fn order_around(normal: DVec3, points: &mut [ContactPoint]) {
    if points.len() < 3 {
        return;
    }
    let middle = points.iter().map(|p| p.point).sum::<DVec3>() / points.len() as f64;
    let along = points.first().map_or(DVec3::X, |p| p.point - middle);
    let across = normal.cross(along);
    // Grows with the angle from the first point like the angle itself, without a transcendental function.
    let turn = |p: &ContactPoint| {
        let (x, y) = (
            (p.point - middle).dot(along),
            (p.point - middle).dot(across),
        );
        let diamond = x / (x.abs() + y.abs()).max(f64::MIN_POSITIVE);
        if y < 0.0 {
            3.0 + diamond
        } else {
            1.0 - diamond
        }
    };
    let first = points.first().map_or(0, |p| p.feature);
    points.sort_unstable_by(|a, b| {
        (a.feature != first)
            .cmp(&(b.feature != first))
            .then(turn(a).total_cmp(&turn(b)))
            .then(a.feature.cmp(&b.feature))
    });
}
