//! Closest points against the brute force over features: vertex to facet plane and outline, edge to edge.

use glam::{DQuat, DVec3};
use klast_geometry::{ConvexPolyhedron, NarrowPhase, Placed, Pose, Solid, closest_points};
use proptest::prelude::*;

/// Distance of a point to a facet of a convex body: to its plane inside the outline, else to its rim.
fn point_facet(p: DVec3, body: &ConvexPolyhedron, pose: &Pose, facet: usize) -> f64 {
    let corners: Vec<DVec3> = body
        .facet_vertices(facet)
        .iter()
        .map(|&v| pose.transform_point(body.vertices()[v as usize]))
        .collect();
    let normal = pose.transform_vector(body.facets()[facet].normal);
    let sides = || corners.iter().zip(corners.iter().cycle().skip(1));
    if sides().all(|(&a, &b)| (b - a).cross(p - a).dot(normal) >= 0.0) {
        return (p - corners[0]).dot(normal).abs();
    }
    sides()
        .map(|(&a, &b)| point_segment(p, a, b))
        .fold(f64::INFINITY, f64::min)
}

fn point_segment(p: DVec3, a: DVec3, b: DVec3) -> f64 {
    let t = ((p - a).dot(b - a) / (b - a).length_squared()).clamp(0.0, 1.0);
    p.distance(a.lerp(b, t))
}

/// Ericson's clamped closest points of two segments (2005), then each end against the other for parallel ones.
fn segment_segment(p: [DVec3; 2], q: [DVec3; 2]) -> f64 {
    let (u, v, w) = (p[1] - p[0], q[1] - q[0], p[0] - q[0]);
    let (a, b, c, d, e) = (u.dot(u), u.dot(v), v.dot(v), u.dot(w), v.dot(w));
    let mut least = f64::INFINITY;
    let det = a * c - b * b;
    if det > 1e-12 * a * c {
        let (s, t) = ((b * e - c * d) / det, (a * e - b * d) / det);
        if (0.0..=1.0).contains(&s) && (0.0..=1.0).contains(&t) {
            least = (w + s * u - t * v).length();
        }
    }
    for end in p {
        least = least.min(point_segment(end, q[0], q[1]));
    }
    for end in q {
        least = least.min(point_segment(end, p[0], p[1]));
    }
    least
}

fn brute_force(a: (&ConvexPolyhedron, &Pose), b: (&ConvexPolyhedron, &Pose)) -> f64 {
    let mut least = f64::INFINITY;
    for (one, other) in [(a, b), (b, a)] {
        for &v in one.0.vertices() {
            let p = one.1.transform_point(v);
            for facet in 0..other.0.facets().len() {
                least = least.min(point_facet(p, other.0, other.1, facet));
            }
        }
    }
    let ends = |body: (&ConvexPolyhedron, &Pose)| -> Vec<[DVec3; 2]> {
        let at = |i: u32| body.1.transform_point(body.0.vertices()[i as usize]);
        body.0.edges().iter().map(|e| e.vertices.map(at)).collect()
    };
    for p in ends(a) {
        for q in ends(b) {
            least = least.min(segment_segment(p, q));
        }
    }
    least
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn agrees_with_brute_force_for_bodies_apart(
        turns in prop::array::uniform2((-1.0..1.0f64, -1.0..1.0f64, -1.0..1.0f64, 0.1..3.0f64)),
        aim in (-1.0..1.0f64, -1.0..1.0f64, -1.0..1.0f64),
        beyond in 0.01..3.0f64,
        kinds in (0..5usize, 0..5usize),
    ) {
        let solids = [Solid::Tetrahedron, Solid::Cube, Solid::Octahedron, Solid::Dodecahedron, Solid::Icosahedron];
        let (a, b) = (solids[kinds.0].with_volume(1.0).unwrap(), solids[kinds.1].with_volume(2.0).unwrap());
        let turn = |t: (f64, f64, f64, f64)| {
            DQuat::from_axis_angle(DVec3::new(t.0, t.1, t.2).try_normalize().unwrap_or(DVec3::Z), t.3)
        };
        let along = DVec3::new(aim.0, aim.1, aim.2).try_normalize().unwrap_or(DVec3::X);
        let pose_a = Pose::from_rotation(turn(turns[0]));
        let pose_b = Pose { rotation: turn(turns[1]), translation: along * (a.radius() + b.radius() + beyond) };
        let found = closest_points(Placed { shape: &a, pose: &pose_a }, Placed { shape: &b, pose: &pose_b }).unwrap();
        let expected = brute_force((&a, &pose_a), (&b, &pose_b));
        // GJK stops at a relative 4.7e-8 of the squared distance; on facets it ends exactly.
        prop_assert!((found.distance - expected).abs() < 1e-12 * (1.0 + expected), "{} {expected}", found.distance);
        prop_assert!((found.point_a.distance(found.point_b) - found.distance).abs() < 1e-12);
    }
}

#[test]
fn bodies_that_overlap_have_none() {
    let cube = Solid::Cube.with_volume(1.0).unwrap();
    let (here, near) = (
        Pose::IDENTITY,
        Pose::from_translation(DVec3::new(0.5, 0.1, 0.2)),
    );
    let (a, b) = (
        Placed {
            shape: &cube,
            pose: &here,
        },
        Placed {
            shape: &cube,
            pose: &near,
        },
    );
    assert_eq!(closest_points(a, b), None);
    assert!(NarrowPhase::default().overlap(a, b, None).is_some());
}
