//! Manifolds: every corner of a contact, gap 0 right, names that stay.

use crate::common;

use common::{Dice, FAMILIES, brute_overlap, outside, random_polyhedron};
use glam::{DQuat, DVec3};
use klast_geometry::{ConvexPolyhedron, Manifold, NarrowPhase, Placed, Pose, Solid};
use std::collections::BTreeSet;

fn manifold(
    a: &ConvexPolyhedron,
    pose_a: &Pose,
    b: &ConvexPolyhedron,
    pose_b: &Pose,
    margin: f64,
) -> Manifold {
    let mut out = Manifold::default();
    let place = |shape, pose| Placed { shape, pose };
    NarrowPhase::default().manifold(place(a, pose_a), place(b, pose_b), margin, None, &mut out);
    out
}

/// Three prisms, six gaps, random attitudes: all corners, normal and gap of a stack of two equal bodies.
#[test]
fn stacked_bodies_keep_every_corner() {
    let mut dice = Dice::new(5);
    let mut poses = 0;
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
        let body = solid.with_size(2.0).unwrap();
        let corners: Vec<DVec3> = body
            .vertices()
            .iter()
            .filter(|v| v.z > 0.0)
            .copied()
            .collect();
        let half = corners[0].z;
        for gap in [0.0, -1e-12, -1e-9, 1e-6, -1e-6, -1e-3] {
            for _ in 0..300 {
                let pose = Pose {
                    rotation: dice.rotation(),
                    translation: dice.direction() * 10.0,
                };
                let above = Pose {
                    rotation: pose.rotation,
                    translation: pose.transform_point(DVec3::Z * (2.0 * half + gap)),
                };
                let m = manifold(&body, &above, &body, &pose, 1e-5);
                assert_eq!(m.points.len(), corners.len());
                for p in &m.points {
                    // Coordinates of order 10 round to 2e-15; the gap is a difference of a few of them.
                    assert!((p.gap - gap).abs() < 2e-14, "{p:?} {gap}");
                    assert!((pose.inverse_transform_vector(p.normal) - DVec3::Z).length() < 1e-14);
                    let local = pose.inverse_transform_point(p.point);
                    assert!(
                        corners
                            .iter()
                            .any(|c| (*c - local).truncate().length() < 1e-8),
                        "{local}"
                    );
                }
                poses += 1;
            }
        }
    }
    assert_eq!(poses, 5400);
}

/// A turned and shifted block on another: the corners are those of the overlap of two rectangles.
#[test]
fn shifted_and_turned_blocks_meet_in_the_right_polygon() {
    let slab = Solid::Box {
        edges: DVec3::new(2.0, 2.0, 1.0),
    }
    .with_size(2.0)
    .unwrap();
    let on = |x: f64, y: f64, angle: f64| {
        let pose = Pose {
            rotation: DQuat::from_rotation_z(angle),
            translation: DVec3::new(x, y, 1.0),
        };
        manifold(&slab, &pose, &slab, &Pose::IDENTITY, 0.0)
    };
    let area = |m: &Manifold| {
        let middle = m.points.iter().map(|p| p.point).sum::<DVec3>() / m.points.len() as f64;
        let mut p: Vec<DVec3> = m.points.iter().map(|p| p.point - middle).collect();
        p.sort_by(|a, b| a.y.atan2(a.x).total_cmp(&b.y.atan2(b.x)));
        (0..p.len())
            .map(|i| 0.5 * p[i].cross(p[(i + 1) % p.len()]).z)
            .sum::<f64>()
    };
    let shifted = on(0.5, 0.25, 0.0);
    assert_eq!(shifted.points.len(), 4);
    assert!((area(&shifted) - 1.5 * 1.75).abs() < 1e-12);
    // Two squares of side 2 at 45°: a regular octagon of area 8(√2 − 1).
    let star = on(0.0, 0.0, std::f64::consts::FRAC_PI_4);
    assert_eq!(star.points.len(), 8);
    assert!((area(&star) - 8.0 * (2f64.sqrt() - 1.0)).abs() < 1e-12);
    assert!(star.points.iter().all(|p| p.gap.abs() < 1e-15));
    // Running bond: half over, still four corners, on the half.
    assert!((area(&on(1.0, 0.0, 0.0)) - 2.0).abs() < 1e-12);
}

/// No point is missed: every vertex of one body inside the other, up to the depth, is covered by the manifold's plane.
#[test]
fn random_pairs_agree_with_brute_force() {
    let mut dice = Dice::new(17);
    for i in 0..2000 {
        let (a, b) = (
            random_polyhedron(&mut dice, i % FAMILIES),
            random_polyhedron(&mut dice, (i / 7) % FAMILIES),
        );
        let at = dice.direction() * dice.between(0.3, 1.9);
        let (pose_a, pose_b) = (
            Pose::from_rotation(dice.rotation()),
            Pose {
                rotation: dice.rotation(),
                translation: at,
            },
        );
        let brute = brute_overlap(&a, &pose_a, &b, &pose_b);
        let m = manifold(&a, &pose_a, &b, &pose_b, 0.0);
        if brute.depth > 1e-6 {
            assert!(!m.points.is_empty(), "{i} {}", brute.depth);
            let deepest = m.points.iter().map(|p| -p.gap).fold(f64::MIN, f64::max);
            // A facet may stand in for two crossing edges where the depth differs by at most 1e-4 of the size (2.5
            // here).
            assert!(
                (deepest - brute.depth).abs() < 2.6e-4,
                "{i} {deepest} {}",
                brute.depth
            );
            // Farther in, a corner's partner on the other body would lie beyond that body's far side.
            for p in m.points.iter().filter(|_| brute.depth < 0.02) {
                assert!((p.normal.length() - 1.0).abs() < 1e-14);
                let (on_a, on_b) = (
                    p.point + p.normal * (0.5 * p.gap),
                    p.point - p.normal * (0.5 * p.gap),
                );
                assert!(
                    outside(&a, &pose_a, on_a) < 1e-8 && outside(&b, &pose_b, on_b) < 1e-8,
                    "{i} {p:?}"
                );
            }
        } else if brute.depth < -1e-8 {
            assert!(m.points.is_empty(), "{i} {}", brute.depth);
        }
        if brute.depth < -1e-6 && brute.depth > -0.02 {
            let near = manifold(&a, &pose_a, &b, &pose_b, 0.03);
            assert!(
                !near.points.is_empty(),
                "{i} a near pair without a point, {}",
                brute.depth
            );
        }
        let names: BTreeSet<u32> = m.points.iter().map(|p| p.feature).collect();
        assert_eq!(
            names.len(),
            m.points.len(),
            "each point has a name of its own"
        );
    }
}

#[test]
fn names_stay_while_a_block_slides_and_swap_with_the_bodies() {
    let slab = Solid::Box {
        edges: DVec3::new(2.0, 2.0, 1.0),
    }
    .with_size(2.0)
    .unwrap();
    let mut dice = Dice::new(2);
    let pose = Pose {
        rotation: dice.rotation(),
        translation: DVec3::ONE,
    };
    let names = |dx: f64, gap: f64| {
        let above = pose
            * Pose {
                rotation: DQuat::from_rotation_z(0.3),
                translation: DVec3::new(0.4 + dx, 0.3, 1.0 + gap),
            };
        manifold(&slab, &above, &slab, &pose, 1e-3)
            .points
            .iter()
            .map(|p| p.feature)
            .collect::<Vec<_>>()
    };
    let start = names(0.0, 0.0);
    for k in 0..100 {
        assert_eq!(
            start,
            names(1e-3 * f64::from(k), 1e-6 * f64::from(k % 7 - 3))
        );
    }
}

#[test]
fn a_hint_and_the_order_of_bodies_change_no_point() {
    let mut dice = Dice::new(23);
    let mut narrow = NarrowPhase::default();
    let (mut plain, mut hinted) = (Manifold::default(), Manifold::default());
    let mut near = 0;
    for i in 0..3000 {
        let (a, b) = (
            random_polyhedron(&mut dice, i % FAMILIES),
            random_polyhedron(&mut dice, (i / 4) % FAMILIES),
        );
        let (pose_a, pose_b) = (
            Pose::from_rotation(dice.rotation()),
            Pose {
                rotation: dice.rotation(),
                translation: dice.direction() * dice.between(0.5, 1.8),
            },
        );
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
        let nudged = Pose {
            translation: pose_b.translation + dice.direction() * 0.02,
            ..pose_b
        };
        let beside = narrow.manifold(
            pa,
            Placed {
                shape: &b,
                pose: &nudged,
            },
            0.05,
            None,
            &mut plain,
        );
        let axis = narrow.manifold(pa, pb, 0.05, None, &mut plain);
        near += usize::from(plain.points.iter().any(|p| p.gap > 0.0));
        for hint in [
            beside,
            axis,
            Some(klast_geometry::AxisFeature::FacetB(i as u32)),
            Some(klast_geometry::AxisFeature::Edges(3, i as u32)),
        ] {
            narrow.manifold(pa, pb, 0.05, hint, &mut hinted);
            assert_eq!(plain, hinted);
        }
    }
    assert!(near > 100, "{near}");
}

/// A cube tilted by a degree or a few over another: where two edges are nearest, the corners that come down next when
/// it turns about their crossing are points too.
#[test]
fn corners_beside_crossing_edges_are_points() {
    let cube = Solid::Cube.with_volume(1.0).unwrap();
    let mut dice = Dice::new(77);
    let (margin, mut corners) = (0.04, 0);
    for _ in 0..2000 {
        let tilt = dice.direction() * DVec3::new(1.0, 1.0, 0.0) * 0.08;
        let yaw = DQuat::from_rotation_z(dice.direction().x);
        let mut pose = Pose {
            rotation: DQuat::from_scaled_axis(tilt) * yaw,
            translation: dice.direction() * DVec3::new(0.6, 0.6, 0.0) + DVec3::Z * 1.1,
        };
        // Down until the nearest points are 1e-4 apart.
        for _ in 0..60 {
            let m = manifold(&cube, &pose, &cube, &Pose::IDENTITY, 1.0);
            let gap = m.points.iter().map(|p| p.gap).fold(f64::INFINITY, f64::min);
            pose.translation.z -= gap - 1e-4;
        }
        let m = manifold(&cube, &pose, &cube, &Pose::IDENTITY, margin);
        let lowest = m.points.iter().map(|p| p.gap).fold(f64::INFINITY, f64::min);
        for v in cube.vertices() {
            let p = pose.transform_point(*v);
            let height = p.z - 0.5;
            let inside = p.x.abs().max(p.y.abs()) < 0.48;
            if !inside || height < lowest || height > 0.9 * margin {
                continue;
            }
            corners += 1;
            // The facet may be that of the tilted cube: lengths differ by the square of a tilt of 0.08, and feet by the
            // tilt times half the height.
            let is_there = m.points.iter().any(|q| {
                (q.gap - height).abs() < 0.01 * height + 1e-6
                    && (q.point - p).truncate().length() < 0.1 * height + 1e-6
            });
            assert!(is_there, "{p} {:?}", m.points);
        }
    }
    assert!(corners > 500, "{corners}");
}

/// A cube over a roof of two facets that are nearly in one plane, and the other way round: corners over either facet
/// are points, since a body that turns a little about what touches first comes down on the other one.
#[test]
fn corners_over_both_sides_of_a_flat_roof_are_points() {
    let slope = 2e-3;
    let mut roof: Vec<DVec3> = vec![];
    for y in [-1.0, 1.0] {
        roof.push(DVec3::new(0.0, y, slope));
        for x in [-1.0, 1.0] {
            roof.extend([DVec3::new(x, y, 0.0), DVec3::new(x, y, -1.0)]);
        }
    }
    let roof = ConvexPolyhedron::from_points(&roof).unwrap();
    let cube = Solid::Cube.with_volume(1.0).unwrap();
    let mut dice = Dice::new(41);
    let (margin, mut sides) = (0.03, [0, 0]);
    for turn in 0..1000 {
        let tilt = dice.direction() * DVec3::new(1.0, 1.0, 0.0) * 0.01;
        let yaw = DQuat::from_rotation_z(dice.direction().x);
        let mut pose = Pose {
            rotation: DQuat::from_scaled_axis(tilt) * yaw,
            translation: DVec3::new(dice.between(-0.2, 0.2), dice.between(-0.2, 0.2), 0.6),
        };
        let both = |pose: &Pose, margin: f64| {
            if turn % 2 == 0 {
                manifold(&cube, pose, &roof, &Pose::IDENTITY, margin)
            } else {
                manifold(&roof, &Pose::IDENTITY, &cube, pose, margin)
            }
        };
        // Down until the nearest points are 1e-4 apart.
        for _ in 0..20 {
            let m = both(&pose, 1.0);
            let gap = m.points.iter().map(|p| p.gap).fold(f64::INFINITY, f64::min);
            pose.translation.z -= gap - 1e-4;
        }
        let m = both(&pose, margin);
        for v in cube.vertices() {
            let p = pose.transform_point(*v);
            let height = p.z - slope * (1.0 - p.x.abs());
            if height > 0.9 * margin {
                continue;
            }
            sides[usize::from(p.x > 0.0)] += 1;
            // Normals differ by at most 0.012: gaps by half its square, and feet by it times half the height.
            let is_there = m.points.iter().any(|q| {
                (q.gap - height).abs() < 1e-4 * height + 1e-9
                    && (q.point - p).truncate().length() < 0.012 * height + 1e-9
            });
            assert!(is_there, "{p} {height} {:?}", m.points);
        }
    }
    // Four lower corners a cube, on both sides of the ridge.
    assert!(sides[0] + sides[1] == 4000, "{sides:?}");
    assert!(sides[0] > 1000 && sides[1] > 1000, "{sides:?}");
}
