//! Overlap features against brute force, exact references and symmetry.

use crate::common;

use common::{Dice, FAMILIES, brute_overlap, outside, overlap_along, random_polyhedron};
use glam::{DQuat, DVec3};
use klast_geometry::{ConvexPolyhedron, NarrowPhase, Overlap, OverlapKind, Placed, Pose, Solid};
use klast_numerics::roots::bisect;

fn query(
    a: &ConvexPolyhedron,
    pose_a: &Pose,
    b: &ConvexPolyhedron,
    pose_b: &Pose,
) -> Option<Overlap> {
    let place = |shape, pose| Placed { shape, pose };
    NarrowPhase::default().overlap(place(a, pose_a), place(b, pose_b), None)
}

/// Moves B along the line of centres until the bodies overlap by about `depth` along it.
fn bring_together(
    dice: &mut Dice,
    a: &ConvexPolyhedron,
    b: &ConvexPolyhedron,
    depth: f64,
) -> (Pose, Pose) {
    let along = dice.direction();
    let pose_a = Pose {
        rotation: dice.rotation(),
        translation: dice.direction() * dice.between(0.0, 3.0),
    };
    let turned = dice.rotation();
    let world = |body: &ConvexPolyhedron, pose: &Pose| {
        body.vertices()
            .iter()
            .map(|v| pose.transform_point(*v))
            .collect::<Vec<_>>()
    };
    // The bodies touch where the least overlap over all axes is zero; that is found by bisection on the brute force.
    let at = |mid: f64| Pose {
        rotation: turned,
        translation: pose_a.translation + along * mid,
    };
    let (near, far) = bisect(0.0, 2.0 * (a.radius() + b.radius()), 40, |mid| {
        let pose = at(mid);
        query(a, &pose_a, b, &pose)
            .is_none_or(|o| overlap_along(&world(a, &pose_a), &world(b, &pose), o.normal) <= depth)
    });
    (pose_a, at(0.5 * (near + far)))
}

fn check(a: &ConvexPolyhedron, pose_a: &Pose, b: &ConvexPolyhedron, pose_b: &Pose) -> Option<f64> {
    let brute = brute_overlap(a, pose_a, b, pose_b);
    let found = query(a, pose_a, b, pose_b);
    let Some(o) = found else {
        assert!(brute.depth < 1e-10, "missed an overlap of {}", brute.depth);
        return None;
    };
    let place = |body: &ConvexPolyhedron, pose: &Pose| {
        body.vertices()
            .iter()
            .map(|v| pose.transform_point(*v))
            .collect::<Vec<_>>()
    };
    // 1e-10 is what the force law needs on bodies of size 1; the search itself is good to a few 1e-15.
    assert!(
        (o.depth - brute.depth.max(0.0)).abs() < 1e-10,
        "{o:?} {}",
        brute.depth
    );
    assert!(
        overlap_along(&place(a, pose_a), &place(b, pose_b), o.normal) - brute.depth < 1e-10,
        "no minimiser {o:?}"
    );
    if brute.second - brute.depth > 1e-8 {
        assert!(
            (o.normal - brute.normal).length() < 1e-10,
            "{o:?} {}",
            brute.normal
        );
    }
    assert!(
        outside(a, pose_a, o.point_a) < 1e-10,
        "{o:?} {}",
        outside(a, pose_a, o.point_a)
    );
    assert!(
        outside(b, pose_b, o.point_b) < 1e-10,
        "{o:?} {}",
        outside(b, pose_b, o.point_b)
    );
    assert!((o.point_a - o.point_b - o.normal * o.depth).length() < 1e-14);
    Some(o.depth)
}

#[test]
fn random_pairs_of_all_families() {
    let mut dice = Dice::new(11);
    let bodies: Vec<ConvexPolyhedron> = (0..60)
        .map(|i| random_polyhedron(&mut dice, i % FAMILIES))
        .collect();
    let mut counts = [0; 2];
    for i in 0..6000 {
        let (a, b) = (&bodies[i * 7 % 60], &bodies[(i * 13 + i / 60) % 60]);
        let depth = [0.3, 1e-2, 1e-4, 1e-7, 1e-10, 1e-12, 0.0][i % 7];
        let (pose_a, pose_b) = if i % 5 == 0 {
            // Deep: anywhere inside each other.
            let at = dice.direction() * dice.between(0.0, 0.8);
            (
                Pose::from_rotation(dice.rotation()),
                Pose {
                    rotation: dice.rotation(),
                    translation: at,
                },
            )
        } else {
            bring_together(&mut dice, a, b, depth)
        };
        counts[usize::from(check(a, &pose_a, b, &pose_b).is_some())] += 1;
    }
    assert!(counts[1] > 5000, "{counts:?}");
}

#[test]
fn a_hint_changes_nothing() {
    let mut dice = Dice::new(5);
    let mut narrow = NarrowPhase::default();
    for i in 0..1000 {
        let (a, b) = (
            random_polyhedron(&mut dice, i % FAMILIES),
            random_polyhedron(&mut dice, (i / 3) % FAMILIES),
        );
        let (pose_a, pose_b) = bring_together(&mut dice, &a, &b, 0.05);
        let (pa, pb) = (
            Placed {
                shape: &a,
                pose: &pose_a,
            },
            Placed {
                shape: &b,
                pose: &pose_b,
            },
        );
        let plain = narrow.overlap(pa, pb, None).unwrap();
        assert_eq!(Some(plain), narrow.overlap(pa, pb, Some(plain.axis)));
        let nudged = Pose {
            translation: pose_b.translation + dice.direction() * 0.03,
            ..pose_b
        };
        let other = narrow
            .overlap(
                pa,
                Placed {
                    shape: &b,
                    pose: &nudged,
                },
                None,
            )
            .map(|o| o.axis);
        assert_eq!(Some(plain), narrow.overlap(pa, pb, other));
    }
}

#[test]
fn stacked_prisms_overlap_face_on_face() {
    let mut dice = Dice::new(3);
    for solid in [
        Solid::Box {
            edges: DVec3::new(1.0, 0.5, 0.4),
        },
        Solid::Prism {
            sides: 6,
            slenderness: 0.3,
        },
        Solid::Prism {
            sides: 12,
            slenderness: 0.3,
        },
    ] {
        let body = solid.with_size(1.0).unwrap();
        let top = body.facets().iter().position(|f| f.normal.z > 0.9).unwrap();
        let height = 2.0 * body.facets()[top].offset;
        for depth in [0.0, 1e-12, 1e-9, 1e-6, 1e-3] {
            for _ in 0..200 {
                let pose = Pose {
                    rotation: dice.rotation(),
                    translation: dice.direction() * 10.0,
                };
                let above = pose * Pose::from_translation(DVec3::new(0.1, 0.05, height - depth));
                let o = query(&body, &pose, &body, &above).unwrap();
                // Coordinates of order 10 round to 2e-15, and so do gaps.
                assert!((o.depth - depth).abs() < 2e-14, "{o:?}");
                assert!((pose.inverse_transform_vector(o.normal) - DVec3::Z).length() < 1e-14);
                assert_eq!(o.kind, OverlapKind::FaceFace);
            }
        }
    }
}

fn cube_and(solid: Solid, turn: DQuat, at: DVec3) -> Overlap {
    let cube = Solid::Cube.with_size(1.0).unwrap();
    let other = solid.with_size(1.0).unwrap();
    query(
        &cube,
        &Pose::IDENTITY,
        &other,
        &Pose {
            rotation: turn,
            translation: at,
        },
    )
    .unwrap()
}

/// Each kind on a case that can be worked out on paper: a unit cube about the origin.
#[test]
fn kinds_and_points_on_paper() {
    let z = |angle| DQuat::from_rotation_z(angle);
    let x = |angle| DQuat::from_rotation_x(angle);
    let eighth = std::f64::consts::FRAC_PI_4;
    let near = |p: DVec3, q: DVec3| assert!((p - q).length() < 1e-14, "{p} {q}");
    // Unit octahedron of edge 1, its lowest vertex 1/√2 below the centre, 0.03 deep in the top face.
    let o = cube_and(
        Solid::Octahedron,
        DQuat::IDENTITY,
        DVec3::new(0.1, -0.2, 0.5 + 0.5f64.sqrt() - 0.03),
    );
    assert_eq!(o.kind, OverlapKind::VertexFace);
    near(o.point_a, DVec3::new(0.1, -0.2, 0.5));
    near(o.point_b, DVec3::new(0.1, -0.2, 0.47));
    // A cube on its edge along x, 0.1 deep: the contact set is the stretch −0.2..0.5 of that edge.
    let o = cube_and(
        Solid::Cube,
        x(eighth),
        DVec3::new(0.3, 0.0, 0.5 + 0.5f64.sqrt() - 0.1),
    );
    assert_eq!(o.kind, OverlapKind::EdgeFace);
    near(o.point_a, DVec3::new(0.15, 0.0, 0.5));
    assert!((o.depth - 0.1).abs() < 1e-15);
    // Two edges that cross at right angles, 0.2 deep: cube A's edge along z at (½, ½), B's edge along (1, −1, 0).
    let d = DVec3::new(1.0, 1.0, 0.0).normalize();
    let o = cube_and(
        Solid::Cube,
        z(eighth) * DQuat::from_rotation_y(eighth),
        d * (2.0 * 0.5f64.sqrt() - 0.2) + DVec3::Z * 0.1,
    );
    assert_eq!(o.kind, OverlapKind::EdgeEdge);
    near(o.normal, d);
    near(o.point_a, DVec3::new(0.5, 0.5, 0.1));
    // Face on face, 0.05 deep, shifted by (0.4, 0.2): the middle of the common rectangle.
    let o = cube_and(Solid::Cube, DQuat::IDENTITY, DVec3::new(0.4, 0.2, 0.95));
    assert_eq!(o.kind, OverlapKind::FaceFace);
    near(o.point_a, DVec3::new(0.2, 0.1, 0.5));
    near(o.point_b, DVec3::new(0.2, 0.1, 0.45));
}

#[test]
fn exchange_and_motion_of_the_pair() {
    let mut dice = Dice::new(8);
    for i in 0..500 {
        let (a, b) = (
            random_polyhedron(&mut dice, i % FAMILIES),
            random_polyhedron(&mut dice, (i / 5) % FAMILIES),
        );
        let (pose_a, pose_b) = bring_together(&mut dice, &a, &b, 0.02);
        let o = query(&a, &pose_a, &b, &pose_b).unwrap();
        let back = query(&b, &pose_b, &a, &pose_a).unwrap();
        // 1e-13: rounding of coordinates up to 10; ties (equal depths) are measure zero here.
        assert!((o.depth - back.depth).abs() < 1e-13);
        assert!((o.normal + back.normal).length() < 1e-11);
        assert!(
            (o.point_a - back.point_b).length() < 1e-10,
            "{o:?} {back:?}"
        );
        let world = Pose {
            rotation: dice.rotation(),
            translation: dice.direction() * 2.0,
        };
        let moved = query(&a, &(world * pose_a), &b, &(world * pose_b)).unwrap();
        assert!((o.depth - moved.depth).abs() < 1e-13);
        assert!((world.transform_vector(o.normal) - moved.normal).length() < 1e-11);
        assert!((world.transform_point(o.point_a) - moved.point_a).length() < 1e-10);
    }
}
