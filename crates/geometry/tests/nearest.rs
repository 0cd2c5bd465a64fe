//! Bodies apart whose facets do not face each other: the manifold is that of the nearest points.

use crate::common;

use common::{Dice, FAMILIES, random_polyhedron};
use glam::{DQuat, DVec3};
use klast_geometry::{
    ConvexPolyhedron, Manifold, NarrowPhase, PassingAxis, Placed, Pose, Solid, closest_points,
    passing_axis, passing_axis_of_known,
};
use std::f64::consts::{FRAC_1_SQRT_2, FRAC_PI_4};

fn placed<'a>(shape: &'a ConvexPolyhedron, pose: &'a Pose) -> Placed<'a> {
    Placed { shape, pose }
}

fn manifold(a: Placed, b: Placed, margin: f64) -> Manifold {
    let mut out = Manifold::default();
    NarrowPhase::default().manifold(a, b, margin, None, &mut out);
    out
}

fn cube() -> ConvexPolyhedron {
    Solid::Cube.with_size(1.0).unwrap()
}

/// A cube diagonally above another, and a ridge above a parallel ridge, shifted along it: two points, at the ends of
/// what the edges have in common.
#[test]
fn parallel_edges_touch_along_what_they_have_in_common() {
    let c = cube();
    let ridge = DQuat::from_rotation_y(FRAC_PI_4);
    let diagonal = DVec3::new(FRAC_1_SQRT_2, 0.0, FRAC_1_SQRT_2);
    let half = FRAC_1_SQRT_2;
    for shift in [0.0, 0.3, -0.8] {
        for (a, b, normal, gap, middle) in [
            (
                Pose::from_translation(DVec3::new(1.01, shift, 1.01)),
                Pose::IDENTITY,
                diagonal,
                0.01 * 2f64.sqrt(),
                DVec3::new(0.505, 0.0, 0.505),
            ),
            (
                Pose::new(ridge, DVec3::new(0.0, shift, 2.0 * half + 1e-3)).unwrap(),
                Pose::from_rotation(ridge),
                DVec3::Z,
                1e-3,
                DVec3::Z * (half + 5e-4),
            ),
        ] {
            let m = manifold(placed(&c, &a), placed(&c, &b), 0.05);
            assert!(m.beside);
            let mut ends: Vec<f64> = m.points.iter().map(|p| p.point.y).collect();
            ends.sort_by(f64::total_cmp);
            let expected = [(-0.5f64).max(shift - 0.5), 0.5f64.min(shift + 0.5)];
            assert_eq!(ends.len(), 2, "{m:?}");
            for (found, expected) in ends.iter().zip(expected) {
                assert!((found - expected).abs() < 1e-12, "{found} {expected}");
            }
            for p in &m.points {
                // The direction of a gap of 1e-3 between points that are right to 1e-14.
                assert!((p.normal - normal).length() < 1e-10, "{p:?}");
                assert!((p.gap - gap).abs() < 1e-12, "{p:?}");
                let off = p.point - middle;
                assert!(DVec3::new(off.x, 0.0, off.z).length() < 1e-12, "{p:?}");
            }
        }
    }
}

/// Edges that touch along a line have a gap of 0 at both ends of it.
#[test]
fn edges_that_touch_have_both_ends() {
    let c = cube();
    let at = Pose::from_translation(DVec3::new(1.0, 0.25, 1.0));
    let m = manifold(placed(&c, &at), placed(&c, &Pose::IDENTITY), 0.01);
    let mut ends: Vec<f64> = m.points.iter().map(|p| p.point.y).collect();
    ends.sort_by(f64::total_cmp);
    // Of a strip as wide as the slack of clipping two corners may lie at one end.
    ends.dedup_by(|a, b| (*a - *b).abs() < 1e-8);
    assert_eq!(ends, [-0.25, 0.5]);
    for p in &m.points {
        assert!(p.gap.abs() < 1e-15 && p.point.x == 0.5 && p.point.z == 0.5);
    }
}

/// The distance of two segments.
fn segments([p, p_end]: [DVec3; 2], [q, q_end]: [DVec3; 2]) -> f64 {
    let to = |x: DVec3, [a, b]: [DVec3; 2]| {
        let s = (x - a).dot(b - a) / (b - a).length_squared();
        x.distance(a + (b - a) * s.clamp(0.0, 1.0))
    };
    let (first, second) = ([p, p_end], [q, q_end]);
    let ends = to(p, second)
        .min(to(p_end, second))
        .min(to(q, first))
        .min(to(q_end, first));
    let (u, v, w) = (p_end - p, q_end - q, q - p);
    let cross = u.cross(v);
    let square = cross.length_squared();
    let (s, t) = (
        w.cross(v).dot(cross) / square,
        w.cross(u).dot(cross) / square,
    );
    if (0.0..=1.0).contains(&s) && (0.0..=1.0).contains(&t) {
        ends.min(w.dot(cross).abs() / square.sqrt())
    } else {
        ends
    }
}

/// The distance of two bodies that are apart, over all pairs of features.
fn brute_distance(a: Placed, b: Placed) -> f64 {
    let world = |at: Placed, v: u32| at.pose.transform_point(at.shape.vertices()[v as usize]);
    let mut least = f64::INFINITY;
    for e in a.shape.edges() {
        for f in b.shape.edges() {
            let (first, second) = (
                e.vertices.map(|v| world(a, v)),
                f.vertices.map(|v| world(b, v)),
            );
            least = least.min(segments(first, second));
        }
    }
    for (corners, body) in [(a, b), (b, a)] {
        for v in corners.shape.vertices() {
            let p = corners.pose.transform_point(*v);
            let local = body.pose.inverse_transform_point(p);
            for (k, f) in body.shape.facets().iter().enumerate() {
                let height = f.normal.dot(local) - f.offset;
                let foot = local - f.normal * height;
                let loop_of = body.shape.facet_vertices(k);
                let inside = (0..loop_of.len()).all(|i| {
                    let [p, q] = [i, (i + 1) % loop_of.len()]
                        .map(|i| body.shape.vertices()[loop_of[i] as usize]);
                    (q - p).cross(foot - p).dot(f.normal) >= 0.0
                });
                if height > 0.0 && inside {
                    least = least.min(height);
                }
            }
        }
    }
    least
}

/// Random pairs, apart by up to twice the margin: points if and only if the distance is within it, no gap under the
/// distance, and where features stand beside each other the least gap is the distance.
#[test]
fn no_gap_is_less_than_the_distance() {
    let mut dice = Dice::new(23);
    let (mut beside, mut facing, mut none) = (0, 0, 0);
    for i in 0..600 {
        let (a, b) = (
            random_polyhedron(&mut dice, i % FAMILIES),
            random_polyhedron(&mut dice, (i / 3) % FAMILIES),
        );
        let turned = |dice: &mut Dice| Pose::from_rotation(dice.rotation());
        let (mut at_a, at_b) = (turned(&mut dice), turned(&mut dice));
        let (scale, way) = (a.radius() + b.radius(), dice.direction());
        let margin = 0.05 * scale;
        // Far away, then back to the distance that is wanted; a translation along the way brings it no nearer than
        // that.
        at_a.translation = way * (3.0 * scale);
        for _ in 0..60 {
            let left = brute_distance(placed(&a, &at_a), placed(&b, &at_b))
                - 1.9 * margin * (i as f64 / 600.0);
            at_a.translation -= way * (0.999 * left);
        }
        let (pa, pb) = (placed(&a, &at_a), placed(&b, &at_b));
        let distance = brute_distance(pa, pb);
        if distance < 1e-4 * scale {
            continue;
        }
        let m = manifold(pa, pb, margin);
        assert_eq!(
            m.points.is_empty(),
            distance > margin,
            "{i} {distance} {margin}"
        );
        // Points and directions are right to 1e-13 of the size.
        let tolerance = 1e-11 * scale;
        for p in &m.points {
            assert!(p.gap > distance - tolerance, "{i} {p:?} {distance}");
        }
        let least = m.points.iter().map(|p| p.gap).fold(f64::INFINITY, f64::min);
        match (m.points.is_empty(), m.beside) {
            (true, _) => none += 1,
            (false, true) => {
                beside += 1;
                assert!(
                    (least - distance).abs() < tolerance,
                    "{i} {least} {distance}"
                );
            }
            (false, false) => facing += 1,
        }
    }
    assert!(
        beside > 100 && facing > 50 && none > 100,
        "{beside} {facing} {none}"
    );
}

/// A cube that goes down beside another is apart from it along x all the way; one that comes down on it is not.
#[test]
fn bodies_that_pass_have_an_axis_along_which_they_do() {
    let c = cube();
    let still = Pose::IDENTITY;
    let at = |x: f64, z: f64| Pose::from_translation(DVec3::new(x, 0.0, z));
    let (before, after) = (at(1.001, 1.005), at(1.001, 0.9));
    let found = passing_axis(
        placed(&c, &before),
        placed(&c, &still),
        (&after, &still),
        0.0,
    );
    let PassingAxis {
        normal: axis, gap, ..
    } = found.unwrap();
    assert_eq!(axis, DVec3::X);
    assert!((gap - 1e-3).abs() < 1e-15);
    let (before, after) = (at(0.999, 1.005), at(0.999, 0.9));
    assert_eq!(
        passing_axis(
            placed(&c, &before),
            placed(&c, &still),
            (&after, &still),
            0.0
        ),
        None
    );
}

/// How far A stands from B along a unit vector from B to A, by their corners.
fn apart(a: Placed, b: Placed, n: DVec3) -> f64 {
    let corners = |body: Placed| {
        let corners = body.shape.vertices().iter();
        let along: Vec<f64> = corners
            .map(|v| n.dot(body.pose.transform_point(*v)))
            .collect();
        along
    };
    let low = corners(a).into_iter().fold(f64::INFINITY, f64::min);
    low - corners(b).into_iter().fold(f64::NEG_INFINITY, f64::max)
}

/// The axis found is as good as the best of all normals of facets and of the directions between nearest points, though
/// most of them are not looked at: random pairs of all families that move and turn a little.
#[test]
fn the_axis_on_which_bodies_pass_is_the_best_of_all() {
    let mut dice = Dice::new(77);
    let (mut kept, mut none) = (0, 0);
    for pair in 0..3000 {
        let (a, b) = (
            random_polyhedron(&mut dice, pair % FAMILIES),
            random_polyhedron(&mut dice, pair / FAMILIES % FAMILIES),
        );
        let at = dice.direction() * dice.between(0.2, 1.1) * (a.radius() + b.radius());
        let before = [
            Pose::new(dice.rotation(), at).unwrap(),
            Pose::from_rotation(dice.rotation()),
        ];
        let after = before.map(|pose| {
            let turn = DQuat::from_scaled_axis(dice.direction() * dice.between(0.0, 0.2));
            let shift = dice.direction() * dice.between(0.0, 0.4);
            Pose::new(turn * pose.rotation, pose.translation + shift).unwrap()
        });
        let pairs = [
            (placed(&a, &before[0]), placed(&b, &before[1])),
            (placed(&a, &after[0]), placed(&b, &after[1])),
        ];
        let both = |n: DVec3| {
            let gaps = pairs.map(|(a, b)| apart(a, b, n));
            gaps[0].min(gaps[1])
        };
        let of_a = a
            .facets()
            .iter()
            .map(|f| -before[0].transform_vector(f.normal));
        let of_b = b
            .facets()
            .iter()
            .map(|f| before[1].transform_vector(f.normal));
        let between = pairs.iter().filter_map(|(a, b)| {
            let nearest = closest_points(*a, *b)?;
            (nearest.point_a - nearest.point_b).try_normalize()
        });
        let best = of_a
            .chain(of_b)
            .chain(between)
            .map(both)
            .fold(f64::NEG_INFINITY, f64::max);
        for least in [0.0, -0.05] {
            let (first, second) = pairs[0];
            let found = passing_axis(first, second, (&after[0], &after[1]), least);
            let overlaps = pairs.map(|(a, b)| {
                let overlap = NarrowPhase::default().overlap(a, b, None);
                overlap.map_or(0.0, |overlap| overlap.depth)
            });
            let poses = (&after[0], &after[1]);
            let known = passing_axis_of_known(first, second, poses, (least, overlaps));
            assert_eq!(known, found, "{pair}");
            // Vertices stand off the planes of their facets by rounding.
            let rounding = 1e-7 * (a.radius() + b.radius());
            match found {
                Some(axis) => {
                    assert!(
                        (both(axis.normal) - best).abs() < rounding,
                        "{pair}: {best}"
                    );
                    assert!(best > least - rounding);
                    kept += 1;
                }
                None => {
                    assert!(best < least + rounding, "{pair}: {best}");
                    none += 1;
                }
            }
        }
    }
    assert!(kept > 1000 && none > 1000, "{kept} {none}");
}
