//! Overlaps where shapes, sizes and places are extreme: needles and plates 1000:1, bodies of a millimetre against
//! bodies of a kilometre, coordinates of a thousand kilometres, twins, shared faces, one body inside the other.

use crate::common;

use common::{Dice, FAMILIES, brute_overlap, outside, overlap_along, random_polyhedron};
use glam::DVec3;
use klast_geometry::{AxisFeature, ConvexPolyhedron, NarrowPhase, Overlap, Placed, Pose};

fn query(
    (a, pose_a): (&ConvexPolyhedron, &Pose),
    (b, pose_b): (&ConvexPolyhedron, &Pose),
    hint: Option<AxisFeature>,
) -> Option<Overlap> {
    let place = |shape, pose| Placed { shape, pose };
    NarrowPhase::default().overlap(place(a, pose_a), place(b, pose_b), hint)
}

fn vertices(body: &ConvexPolyhedron, pose: &Pose) -> Vec<DVec3> {
    let placed = body.vertices().iter();
    placed.map(|v| pose.transform_point(*v)).collect()
}

/// Against brute force, all lengths over `size`. 1e-10 is asked of bodies of size 1.
fn check(
    a: (&ConvexPolyhedron, &Pose),
    b: (&ConvexPolyhedron, &Pose),
    size: f64,
) -> Option<Overlap> {
    let brute = brute_overlap(a.0, a.1, b.0, b.1);
    let tolerance = 1e-10 * size;
    let Some(o) = query(a, b, None) else {
        assert!(brute.depth < tolerance, "missed {}", brute.depth / size);
        return None;
    };
    let error = (o.depth - brute.depth.max(0.0)).abs();
    assert!(error < tolerance, "{o:?} {}", brute.depth);
    let along = overlap_along(&vertices(a.0, a.1), &vertices(b.0, b.1), o.normal);
    assert!(along - brute.depth < tolerance, "no minimiser {o:?}");
    if brute.second - brute.depth > 1e-8 * size {
        assert!((o.normal - brute.normal).length() < 1e-10, "{o:?}");
    }
    assert!(outside(a.0, a.1, o.point_a) < tolerance, "{o:?}");
    assert!(outside(b.0, b.1, o.point_b) < tolerance, "{o:?}");
    let gap = o.point_a - o.point_b - o.normal * o.depth;
    assert!(gap.length() < tolerance, "{o:?}");
    // No hint changes a bit of the answer.
    for hint in [
        o.axis,
        AxisFeature::FacetA(0),
        AxisFeature::FacetB(1),
        AxisFeature::Edges(2, 3),
    ] {
        assert_eq!(query(a, b, Some(hint)), Some(o), "{hint:?}");
    }
    Some(o)
}

/// Squeezed along one axis (a plate) or along two (a needle), turned at random.
fn squeezed(dice: &mut Dice, family: usize, thin: f64) -> ConvexPolyhedron {
    loop {
        let axes = match dice.unit() < 0.5 {
            true => DVec3::new(1.0, thin, thin),
            false => DVec3::new(1.0, dice.between(0.5, 1.0), thin),
        };
        let turn = dice.rotation();
        let body = random_polyhedron(dice, family);
        let points = body.vertices().iter().map(|v| turn * (*v * axes));
        if let Ok(body) = ConvexPolyhedron::from_points(&points.collect::<Vec<_>>()) {
            return body.centred().unwrap();
        }
    }
}

fn somewhere(dice: &mut Dice, reach: f64) -> (Pose, Pose) {
    let pose_a = Pose::from_rotation(dice.rotation());
    let at = dice.direction() * dice.between(0.0, reach);
    (pose_a, Pose::new(dice.rotation(), at).unwrap())
}

#[test]
fn needles_and_plates_of_a_thousand_to_one() {
    let mut dice = Dice::new(71);
    let mut touching = 0;
    for i in 0..1500 {
        let thin = [1e-3, 1e-3, 0.02][i % 3];
        let a = squeezed(&mut dice, i % FAMILIES, thin);
        let b = match i % 2 {
            0 => squeezed(&mut dice, i / 2 % FAMILIES, thin),
            _ => random_polyhedron(&mut dice, i / 2 % FAMILIES),
        };
        // Through one another's middle half of the time.
        let (pose_a, pose_b) = somewhere(&mut dice, [1e-3, 0.8][i / 4 % 2]);
        touching += usize::from(check((&a, &pose_a), (&b, &pose_b), 1.0).is_some());
    }
    assert!(touching > 700, "{touching}");
}

#[test]
fn a_millimetre_and_a_kilometre() {
    let mut dice = Dice::new(72);
    let mut touching = 0;
    for i in 0..800 {
        let (p, q) = ([1e-3, 1.0, 1e3][i % 3], [1e-3, 1.0, 1e3][i / 3 % 3]);
        let a = random_polyhedron(&mut dice, i % FAMILIES)
            .scaled(p)
            .unwrap();
        let b = random_polyhedron(&mut dice, i / 7 % FAMILIES)
            .scaled(q)
            .unwrap();
        let (pose_a, mut pose_b) = somewhere(&mut dice, 1.0);
        pose_b.translation *= p.max(q);
        touching += usize::from(check((&a, &pose_a), (&b, &pose_b), p.max(q)).is_some());
    }
    assert!(touching > 300, "{touching}");
}

/// A common shift of a million metres rounds the poses, not the answer: here it is chosen so that it rounds nothing.
#[test]
fn a_thousand_kilometres_from_the_origin() {
    let mut dice = Dice::new(73);
    let grid = (-20f64).exp2();
    for i in 0..400 {
        let a = random_polyhedron(&mut dice, i % FAMILIES);
        let b = random_polyhedron(&mut dice, i / 6 % FAMILIES);
        let (pose_a, mut pose_b) = somewhere(&mut dice, 1.0);
        pose_b.translation = (pose_b.translation / grid).round() * grid;
        let near = check((&a, &pose_a), (&b, &pose_b), 1.0);
        let shift = DVec3::new(1e6, -2e6, 5e5);
        let moved = |pose: &Pose| Pose {
            translation: pose.translation + shift,
            ..*pose
        };
        let far = query((&a, &moved(&pose_a)), (&b, &moved(&pose_b)), None);
        let (Some(near), Some(far)) = (near, far) else {
            assert_eq!(near.is_some(), far.is_some(), "pair {i}");
            continue;
        };
        assert_eq!(
            (near.depth, near.normal, near.axis),
            (far.depth, far.normal, far.axis)
        );
        // One ulp of 2e6 m is 2.3e-10 m.
        assert!((far.point_a - near.point_a - shift).length() < 1e-9);
    }
}

#[test]
fn twins_and_bodies_within_bodies() {
    let mut dice = Dice::new(74);
    for i in 0..600 {
        let body = random_polyhedron(&mut dice, i % FAMILIES);
        let pose = Pose::new(dice.rotation(), dice.direction() * 3.0).unwrap();
        // The same body in the same place: the depth is its least width.
        assert!(check((&body, &pose), (&body, &pose), 1.0).is_some());
        // Its twin moved by a hair, or by nothing but rounding.
        let hair = [1e-15, 1e-12, 1e-9, 1e-6, 1e-3][i % 5];
        let beside = Pose {
            translation: pose.translation + dice.direction() * hair,
            ..pose
        };
        assert!(check((&body, &pose), (&body, &beside), 1.0).is_some());
        // A small one anywhere inside a large one.
        let small = body.scaled(0.05).unwrap();
        let inside = Pose::new(dice.rotation(), pose.translation + dice.direction() * 0.01);
        assert!(check((&body, &pose), (&small, &inside.unwrap()), 1.0).is_some());
    }
}

/// Two halves of a body: their common face touches exactly, or nearly, or is sunk.
#[test]
fn shared_faces() {
    let mut dice = Dice::new(75);
    let (mut touched, mut tried) = (0, 0);
    for i in 0..800 {
        let body = random_polyhedron(&mut dice, i % FAMILIES);
        let n = dice.direction();
        let heights: Vec<f64> = body.vertices().iter().map(|v| v.dot(n)).collect();
        let mut cut: Vec<DVec3> = Vec::new();
        for e in body.edges() {
            let [p, q] = e.vertices.map(|v| v as usize);
            let (h, k) = (heights[p], heights[q]);
            if h * k < 0.0 {
                let (p, q) = (body.vertices()[p], body.vertices()[q]);
                cut.push(p + (q - p) * (h / (h - k)));
            }
        }
        let half = |sign: f64| {
            let kept = body.vertices().iter().zip(&heights);
            let mut points: Vec<DVec3> = kept
                .filter(|(_, h)| **h * sign > 0.0)
                .map(|(v, _)| *v)
                .collect();
            points.extend(&cut);
            ConvexPolyhedron::from_points(&points)
        };
        let (Ok(a), Ok(b)) = (half(-1.0), half(1.0)) else {
            continue;
        };
        let pose = Pose::new(dice.rotation(), dice.direction()).unwrap();
        let sunk = [0.0, 1e-15, 1e-12, 1e-9, 1e-6, 1e-3, 1e-2][i % 7];
        let moved = Pose {
            translation: pose.translation - pose.transform_vector(n) * sunk,
            ..pose
        };
        tried += 1;
        if let Some(o) = check((&a, &pose), (&b, &moved), 1.0) {
            touched += 1;
            assert!(o.depth <= sunk + 1e-14, "{o:?}");
        }
    }
    assert!(
        tried > 700 && touched > tried * 9 / 10,
        "{touched} of {tried}"
    );
}
