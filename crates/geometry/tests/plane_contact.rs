//! A polyhedron on a plane: all touching vertices, ordered, at gap 0 too.

use glam::{DMat3, DQuat, DVec3};
use klast_geometry::{
    ConvexPolyhedron, GeometryError, Manifold, Plane, Pose, Solid, lowest_vertex, plane_contact,
};
use proptest::prelude::*;

fn solids() -> Vec<ConvexPolyhedron> {
    [
        Solid::Tetrahedron,
        Solid::Cube,
        Solid::Octahedron,
        Solid::Dodecahedron,
        Solid::Icosahedron,
        Solid::Prism {
            sides: 8,
            slenderness: 0.4,
        },
        Solid::Box {
            edges: DVec3::new(1.0, 2.0, 50.0),
        },
    ]
    .iter()
    .map(|s| s.with_volume(1.0).unwrap())
    .collect()
}

/// A rotation that takes x to the normal. The shortest arc between two normals loses digits where they nearly oppose
/// each other.
fn frame(normal: DVec3) -> DQuat {
    let across = normal.any_orthonormal_vector();
    DQuat::from_mat3(&DMat3::from_cols(normal, across, normal.cross(across)))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// Each facet laid on a plane in any attitude is found whole, with gap 0, in its own order.
    #[test]
    fn a_resting_facet_is_found_whole(axis in [-1.0..1.0f64, -1.0..1.0, -1.0..1.0], spin in 0.0..6.0f64, at in [-50.0..50.0f64, -50.0..50.0, -50.0..50.0]) {
        let normal = DVec3::from(axis) + DVec3::Z * 0.1;
        let at = DVec3::from(at);
        let plane = Plane::through(at, normal).unwrap();
        let mut manifold = Manifold::default();
        for body in solids() {
            for (f, facet) in body.facets().iter().enumerate() {
                let turn = DQuat::from_axis_angle(plane.normal, spin) * frame(-plane.normal) * frame(facet.normal).inverse();
                let pose = Pose { rotation: turn.normalize(), translation: at + plane.normal * facet.offset };
                plane_contact(&body, &pose, &plane, 0.0, &mut manifold);
                let mut want = body.facet_vertices(f).to_vec();
                let mut got: Vec<u32> = manifold.points.iter().map(|p| p.feature).collect();
                // Seen from above the outline of a face that looks down runs the other way round.
                want.reverse();
                let start = want.iter().position(|v| *v == *want.iter().min().unwrap()).unwrap();
                want.rotate_left(start);
                prop_assert_eq!(&got, &want);
                got.sort_unstable();
                for p in &manifold.points {
                    prop_assert_eq!(p.gap, 0.0);
                    // 1e-13: rounding of coordinates of order 100.
                    prop_assert!(plane.height(p.point).abs() < 1e-13);
                }
            }
        }
    }

    #[test]
    fn heights_are_those_of_the_vertices(axis in [-3.0..3.0f64, -3.0..3.0, -3.0..3.0], depth in -0.5..0.5f64) {
        let plane = Plane::new(DVec3::new(0.1, -0.3, 1.0), 0.7).unwrap();
        let mut manifold = Manifold::default();
        for body in solids() {
            let mut pose = Pose::from_rotation(DQuat::from_scaled_axis(axis.into()));
            let (low, _) = lowest_vertex(&body, &pose, &plane);
            pose.translation = plane.normal * (depth - low);
            let (low, vertex) = lowest_vertex(&body, &pose, &plane);
            prop_assert!((low - depth).abs() < 1e-14);
            plane_contact(&body, &pose, &plane, 0.25, &mut manifold);
            let want: Vec<usize> = (0..body.vertices().len())
                .filter(|v| plane.height(pose.transform_point(body.vertices()[*v])) <= 0.25)
                .collect();
            prop_assert_eq!(manifold.points.len(), want.len());
            prop_assert!(want.is_empty() || want.contains(&vertex));
            for p in &manifold.points {
                let height = plane.height(pose.transform_point(body.vertices()[p.feature as usize]));
                prop_assert!((p.gap - height).abs() < 1e-14);
            }
        }
    }
}

#[test]
fn bad_planes_are_refused() {
    assert!(matches!(
        Plane::new(DVec3::ZERO, 0.0),
        Err(GeometryError::OutOfRange(e)) if e.field == "normal"
    ));
    assert!(Plane::new(DVec3::new(f64::NAN, 0.0, 1.0), 0.0).is_err());
    assert!(Plane::new(DVec3::Z, f64::INFINITY).is_err());
    assert!(Plane::through(DVec3::new(0.0, f64::NAN, 0.0), DVec3::Z).is_err());
    assert_eq!(
        Plane::through(DVec3::new(3.0, 1.0, 2.0), DVec3::Z * 5.0).unwrap(),
        Plane::new(DVec3::Z, 2.0).unwrap()
    );
}
