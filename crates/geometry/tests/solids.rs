//! Solids by volume and by size, and mass properties against closed forms.

use glam::{DMat3, DQuat, DVec2, DVec3};
use klast_geometry::{ConvexPolyhedron, GeometryError, Pose, Solid, extruded};

fn all() -> Vec<(Solid, usize, usize)> {
    let prism = |sides| {
        (
            Solid::Prism {
                sides,
                slenderness: 0.8,
            },
            2 * sides as usize,
            sides as usize + 2,
        )
    };
    let slab = |x, y| {
        (
            Solid::Slab {
                sides: DVec2::new(x, y),
                slenderness: 0.6,
            },
            8,
            6,
        )
    };
    vec![
        (Solid::Tetrahedron, 4, 4),
        (Solid::Cube, 8, 6),
        (Solid::Octahedron, 6, 8),
        (Solid::Dodecahedron, 20, 12),
        (Solid::Icosahedron, 12, 20),
        (Solid::Icosphere { level: 0 }, 12, 20),
        (Solid::Icosphere { level: 1 }, 42, 80),
        (Solid::Icosphere { level: 2 }, 162, 320),
        (
            Solid::Box {
                edges: DVec3::new(1.0, 2.0, 3.0),
            },
            8,
            6,
        ),
        prism(3),
        prism(4),
        prism(5),
        prism(6),
        prism(8),
        slab(5.0, 6.0),
        slab(2.0, 3.0),
        slab(1.0, 2.0),
    ]
}

#[test]
fn every_solid_by_volume_and_by_size() {
    for (solid, vertices, facets) in all() {
        let body = solid.with_volume(2.5).unwrap();
        assert_eq!(
            (body.vertices().len(), body.facets().len()),
            (vertices, facets),
            "{solid:?}"
        );
        let m = body.mass_properties(2700.0).unwrap();
        // 1e-13 relative: a few hundred roundings.
        assert!((m.mass / 6750.0 - 1.0).abs() < 1e-13, "{solid:?}");
        assert!(m.centre.length() < 1e-15, "{solid:?} {}", m.centre);
        let double =
            solid.with_size(2.0).unwrap().volume() / solid.with_size(1.0).unwrap().volume();
        assert!((double - 8.0).abs() < 1e-12, "{solid:?}");
    }
}

#[test]
fn size_is_the_length_the_documentation_names() {
    for solid in [
        Solid::Tetrahedron,
        Solid::Cube,
        Solid::Octahedron,
        Solid::Dodecahedron,
        Solid::Icosahedron,
    ] {
        let body = solid.with_size(0.7).unwrap();
        for e in body.edges() {
            let [a, b] = e.vertices.map(|v| body.vertices()[v as usize]);
            assert!(((a - b).length() - 0.7).abs() < 1e-14, "{solid:?}");
        }
    }
    let sphere = Solid::Icosphere { level: 2 }.with_size(3.0).unwrap();
    assert!((sphere.radius() - 1.5).abs() < 1e-14);
    assert!(
        (Solid::Box {
            edges: DVec3::new(1.0, 4.0, 2.0)
        }
        .with_size(3.0)
        .unwrap()
        .size()
            - 3.0)
            .abs()
            < 1e-15
    );
}

/// Principal moments for volume 1 and density 1 (closed forms, V = 1): tetrahedron a²/20, octahedron a²/10,
/// dodecahedron (39φ + 28)/150 a².
#[test]
fn moments_of_regular_solids() {
    let golden = 0.5 * (1.0 + 5f64.sqrt());
    let edge = |v: f64| (1.0 / v).cbrt();
    let dodecahedron = 0.25 * (15.0 + 7.0 * 5f64.sqrt());
    for (solid, moment) in [
        (
            Solid::Tetrahedron,
            edge(1.0 / (6.0 * 2f64.sqrt())).powi(2) / 20.0,
        ),
        (Solid::Cube, 1.0 / 6.0),
        (Solid::Octahedron, edge(2f64.sqrt() / 3.0).powi(2) / 10.0),
        (
            Solid::Dodecahedron,
            edge(dodecahedron).powi(2) * (39.0 * golden + 28.0) / 150.0,
        ),
    ] {
        let m = solid
            .with_volume(1.0)
            .unwrap()
            .mass_properties(1.0)
            .unwrap();
        assert!(
            (m.principal_inertia / moment - 1.0).abs().max_element() < 1e-13,
            "{solid:?}"
        );
        assert_eq!(
            m.principal_frame,
            DQuat::IDENTITY,
            "an isotropic body keeps its axes: {solid:?}"
        );
    }
}

#[test]
fn principal_axes_come_back_through_any_turn_and_offset() {
    let edges = DVec3::new(1.0, 2.0, 3.0);
    let body = Solid::Box { edges }.with_volume(6.0).unwrap();
    let want = DVec3::new(4.0 + 9.0, 1.0 + 9.0, 1.0 + 4.0) * 0.5;
    for k in 0..50 {
        let turn = DQuat::from_scaled_axis(DVec3::new(0.3, -0.7, 0.2) * f64::from(k));
        let pose = Pose {
            rotation: turn,
            translation: DVec3::new(5.0, -3.0, 8.0),
        };
        let m = body
            .transformed(&pose)
            .unwrap()
            .mass_properties(1.0)
            .unwrap();
        let r = DMat3::from_quat(turn);
        let inertia = r * DMat3::from_diagonal(want) * r.transpose();
        // 1e-12: eps times the squared distance from the origin over the squared size, and a margin of 20.
        assert!(
            (m.inertia() - inertia)
                .abs()
                .to_cols_array()
                .into_iter()
                .fold(0.0, f64::max)
                < 1e-12
        );
        assert!((m.centre - pose.translation).length() < 1e-13);
        let mut sorted = m.principal_inertia.to_array();
        sorted.sort_by(f64::total_cmp);
        assert!((DVec3::from(sorted) - DVec3::new(2.5, 5.0, 6.5)).length() < 1e-12);
    }
}

#[test]
fn orientation_of_the_regular_solids() {
    let bottom = |solid: Solid| {
        let body = solid.with_volume(1.0).unwrap();
        let low = body.vertices().iter().map(|v| v.z).fold(f64::MAX, f64::min);
        body.vertices()
            .iter()
            .filter(|v| v.z < low + 1e-12)
            .copied()
            .collect::<Vec<_>>()
    };
    let edge = bottom(Solid::Tetrahedron);
    assert_eq!(edge.len(), 2);
    assert!(
        (edge[0] - edge[1])
            .cross(DVec3::new(1.0, -1.0, 0.0))
            .length()
            < 1e-12
    );
    assert_eq!(bottom(Solid::Octahedron).len(), 1);
    assert_eq!(bottom(Solid::Dodecahedron).len(), 2);
    assert_eq!(bottom(Solid::Cube).len(), 4);
}

#[test]
fn bad_solids_are_refused() {
    for bad in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert!(matches!(
            Solid::Cube.with_volume(bad),
            Err(GeometryError::OutOfRange(e)) if e.field == "volume"
        ));
        assert!(Solid::Cube.with_size(bad).is_err());
        assert!(
            Solid::Box {
                edges: DVec3::new(1.0, bad, 1.0)
            }
            .with_size(1.0)
            .is_err()
        );
        assert!(
            Solid::Prism {
                sides: 5,
                slenderness: bad
            }
            .with_size(1.0)
            .is_err()
        );
        assert!(
            Solid::Slab {
                sides: DVec2::new(bad, 1.0),
                slenderness: 1.0
            }
            .with_volume(1.0)
            .is_err()
        );
        assert!(
            Solid::Cube
                .with_size(1.0)
                .unwrap()
                .mass_properties(bad)
                .is_err()
        );
        assert!(Solid::Cube.with_size(1.0).unwrap().scaled(bad).is_err());
    }
    assert!(
        Solid::Prism {
            sides: 2,
            slenderness: 1.0
        }
        .with_size(1.0)
        .is_err()
    );
    assert!(Solid::Icosphere { level: 40 }.with_size(1.0).is_err());
    assert!(extruded(&[DVec2::ZERO, DVec2::X], 1.0).is_err());
    let triangle = extruded(&[DVec2::ZERO, DVec2::X, DVec2::Y], 2.0).unwrap();
    assert!((triangle.volume() - 1.0).abs() < 1e-15);
    assert!(ConvexPolyhedron::from_points(&[]).is_err());
}

#[test]
fn a_moved_solid_is_the_same_in_any_room_and_as_built_anew() {
    let pose = Pose::new(
        DQuat::from_rotation_arc(DVec3::Z, DVec3::new(0.3, -0.5, 0.6).normalize()),
        DVec3::new(1.0, -2.0, 0.5),
    )
    .unwrap();
    let solids = [
        Solid::Cube,
        Solid::Dodecahedron,
        Solid::Icosphere { level: 1 },
        Solid::Prism {
            sides: 7,
            slenderness: 0.5,
        },
        Solid::Tetrahedron,
    ];
    // One room for all, larger and smaller than what comes into it.
    let mut room = Solid::Octahedron.with_volume(1.0).unwrap();
    for solid in solids {
        let shape = solid.with_volume(1.3).unwrap();
        shape.scaled_into(1.7, &mut room).unwrap();
        assert_eq!(room, shape.scaled(1.7).unwrap());
        shape.transformed_into(&pose, &mut room).unwrap();
        assert_eq!(room, shape.transformed(&pose).unwrap());
        let moved = shape.vertices().iter().map(|v| pose.transform_point(*v));
        let anew = ConvexPolyhedron::from_facets(moved.collect(), &shape.loops()).unwrap();
        assert_eq!(room.vertices(), anew.vertices());
        for (a, b) in room.facets().iter().zip(anew.facets()) {
            // The corner that a facet's area is taken about may be another: a few roundings.
            assert!((a.normal - b.normal).length() < 1e-14);
            assert!((a.offset - b.offset).abs() < 1e-14 * anew.radius());
        }
        assert!((room.radius() - anew.radius()).abs() < 1e-15 * anew.radius());
    }
}
