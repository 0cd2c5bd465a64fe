//! Contact of an exact sphere with a plane, a polyhedron or another sphere: one point.

use super::pair::Placed;
use super::{ContactPoint, Manifold};
use crate::{ConvexPolyhedron, Plane};
use glam::DVec3;

/// A sphere, in the coordinates of what it touches: of the world among bodies, of the ground on a terrain.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sphere {
    /// Centre (m).
    pub centre: DVec3,
    /// Radius (m).
    pub radius: f64,
}

/// Among bodies.
impl Sphere {
    /// Signed distance of the sphere from a polyhedron (m), below zero where they overlap, and the unit direction from
    /// the polyhedron to the centre.
    pub fn apart(&self, body: Placed) -> (f64, DVec3) {
        let centre = body.pose.inverse_transform_point(self.centre);
        let (distance, normal) = from_polyhedron(body.shape, centre);
        (distance - self.radius, body.pose.transform_vector(normal))
    }

    /// The same for another sphere.
    pub fn apart_from_sphere(&self, other: &Self) -> (f64, DVec3) {
        let away = self.centre - other.centre;
        let distance = away.length();
        let normal = away.try_normalize().unwrap_or(DVec3::Z);
        (distance - self.radius - other.radius, normal)
    }

    /// The same for the space under a plane.
    pub fn apart_from_plane(&self, plane: &Plane) -> (f64, DVec3) {
        (plane.height(self.centre) - self.radius, plane.normal)
    }

    /// Adds the contact at a distance and a direction, halfway between the two surfaces, if it is within the margin.
    pub fn touch(&self, (gap, normal): (f64, DVec3), margin: f64, out: &mut Manifold) {
        if gap <= margin {
            out.points.push(ContactPoint {
                point: self.centre - normal * (self.radius + 0.5 * gap),
                normal,
                gap,
                feature: 0,
            });
        }
    }
}

/// Signed distance of a point from the surface of a polyhedron, in its own coordinates, and the unit direction away
/// from it. Inside, the facet that is nearest decides.
fn from_polyhedron(shape: &ConvexPolyhedron, point: DVec3) -> (f64, DVec3) {
    let heights = shape
        .facets()
        .iter()
        .enumerate()
        .map(|(i, f)| (f.normal.dot(point) - f.offset, i));
    let Some((highest, facet)) = heights.max_by(|a, b| a.0.total_cmp(&b.0)) else {
        return (f64::INFINITY, DVec3::Z);
    };
    let above = shape.facets().get(facet).map_or(DVec3::Z, |f| f.normal);
    if highest <= 0.0 {
        return (highest, above);
    }
    let nearest = (0..shape.facets().len()).filter_map(|i| on_facet(shape, i, point));
    let Some(nearest) = nearest.min_by(|a, b| {
        a.distance_squared(point)
            .total_cmp(&b.distance_squared(point))
    }) else {
        return (highest, above);
    };
    // Over a facet, height and normal are those of the facet, to the last bit.
    let away = point - nearest;
    let distance = away.length();
    match distance > highest {
        true => (distance, away / distance),
        false => (highest, above),
    }
}

/// The point of a facet that is nearest to a point; `None` where the point is below the facet's plane.
fn on_facet(shape: &ConvexPolyhedron, facet: usize, point: DVec3) -> Option<DVec3> {
    let plane = shape.facets().get(facet)?;
    let height = plane.normal.dot(point) - plane.offset;
    if height <= 0.0 {
        return None;
    }
    let foot = point - plane.normal * height;
    let corners = shape.facet_vertices(facet);
    let corner = |k: usize| {
        shape
            .vertices()
            .get(corners[k % corners.len()] as usize)
            .copied()
    };
    let (mut inside, mut best, mut least) = (true, foot, f64::INFINITY);
    for k in 0..corners.len() {
        let (a, b) = (corner(k)?, corner(k + 1)?);
        let along = b - a;
        inside &= plane.normal.cross(along).dot(foot - a) >= 0.0;
        let part = ((foot - a).dot(along) / along.length_squared()).clamp(0.0, 1.0);
        let near = a + along * part;
        let distance = near.distance_squared(point);
        if distance < least {
            (best, least) = (near, distance);
        }
    }
    Some(if inside { foot } else { best })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Pose, Solid};

    /// Over a face, an edge and a corner of a cube, inside it, and beside another sphere and a plane.
    #[test]
    fn distances_are_those_of_elementary_geometry() {
        let cube = Solid::Cube.with_size(2.0).unwrap();
        let pose = Pose::from_translation(DVec3::new(5.0, 0.0, 0.0));
        let body = Placed {
            shape: &cube,
            pose: &pose,
        };
        let at = |x: f64, y: f64, z: f64| Sphere {
            centre: DVec3::new(5.0 + x, y, z),
            radius: 0.5,
        };
        let third = DVec3::ONE.normalize();
        let half = DVec3::new(1.0, 0.0, 1.0).normalize();
        for (sphere, gap, normal) in [
            (at(0.3, 0.2, 1.6), 0.1, DVec3::Z),
            (at(2.0, 0.4, 2.0), 2f64.sqrt() - 0.5, half),
            (at(2.0, 2.0, 2.0), 3f64.sqrt() - 0.5, third),
            (at(0.0, 0.2, 0.9), -0.6, DVec3::Z),
        ] {
            let (found, direction) = sphere.apart(body);
            assert!((found - gap).abs() < 1e-15 && direction.distance(normal) < 1e-15);
            let mut out = Manifold::default();
            sphere.touch((found, direction), 1.0, &mut out);
            if let Some(p) = out.points.first() {
                let on_sphere = sphere.centre - normal * sphere.radius;
                assert!((p.point - on_sphere).dot(normal) + 0.5 * gap < 1e-15);
            }
        }
        let (gap, normal) = at(0.0, 0.0, 0.0).apart_from_sphere(&at(3.0, 0.0, 4.0));
        assert!((gap - 4.0).abs() < 1e-15 && normal.distance(DVec3::new(-0.6, 0.0, -0.8)) < 1e-15);
        let plane = Plane::new(DVec3::Z, -1.0).unwrap();
        assert_eq!(at(0.0, 0.0, 0.0).apart_from_plane(&plane), (0.5, DVec3::Z));
    }
}
