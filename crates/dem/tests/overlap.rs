//! Contact features against brute force: every face normal and every edge pair, each with its full support.

mod common;

use common::{Draw, FAMILIES, polyhedron};
use glam::DVec3;
use klast_dem::{Contact, Workspace, facet_depth, gap_along, overlap};
use klast_geometry::{ConvexPolyhedron, Pose};

/// Depth along the best of all directions that can matter, and the gap to the next one.
fn brute(
    a: &ConvexPolyhedron,
    pa: &Pose,
    b: &ConvexPolyhedron,
    pb: &Pose,
) -> (f64, Vec<(f64, DVec3)>) {
    let mut all: Vec<(f64, DVec3)> = Vec::new();
    let mut offer = |n: DVec3| {
        let depth = -gap_along(a, pa, b, pb, n);
        all.push((depth, n));
    };
    a.facets()
        .iter()
        .for_each(|f| offer(pa.transform_vector(f.normal)));
    b.facets()
        .iter()
        .for_each(|f| offer(-pb.transform_vector(f.normal)));
    let along = |body: &ConvexPolyhedron, pose: &Pose| -> Vec<DVec3> {
        body.edges()
            .iter()
            .map(|e| {
                pose.transform_vector(
                    body.vertices()[e.vertices[1] as usize]
                        - body.vertices()[e.vertices[0] as usize],
                )
            })
            .collect()
    };
    let (ea, eb) = (along(a, pa), along(b, pb));
    for u in &ea {
        for v in &eb {
            let n = u.normalize().cross(v.normalize());
            if n.length() > 1e-7 {
                offer(n.normalize());
                offer(-n.normalize());
            }
        }
    }
    all.sort_by(|x, y| x.0.total_cmp(&y.0));
    (all[0].0, all)
}

fn check(
    a: &ConvexPolyhedron,
    pa: &Pose,
    b: &ConvexPolyhedron,
    pb: &Pose,
    work: &mut Workspace,
    what: &str,
) {
    let (depth, all) = brute(a, pa, b, pb);
    match overlap(a, pa, b, pb, work) {
        Contact::Apart(direction) => {
            assert!(gap_along(a, pa, b, pb, direction) > -1e-13, "{what}");
            assert!(depth < 1e-13, "{what}: apart at depth {depth}");
        }
        Contact::Overlap(touch) => {
            // Bodies of size 2 within 3 of the origin: 1e-13 is rounding.
            assert!(
                (touch.depth - depth).abs() < 1e-12,
                "{what}: {} {depth}",
                touch.depth
            );
            let along = -gap_along(a, pa, b, pb, touch.normal);
            assert!(
                (along - depth).abs() < 1e-12,
                "{what}: the normal is no minimiser"
            );
            if all
                .iter()
                .all(|(d, n)| d - depth > 1e-8 || n.dot(all[0].1) > 1.0 - 1e-9)
            {
                assert!(touch.normal.dot(all[0].1) > 1.0 - 1e-12, "{what}");
            }
            let offset = touch.point_a - touch.point_b - touch.normal * touch.depth;
            assert!(offset.length() < 1e-12, "{what}");
            for (body, pose, point) in [(a, pa, touch.point_a), (b, pb, touch.point_b)] {
                let local = pose.inverse_transform_point(point);
                let out = body
                    .facets()
                    .iter()
                    .map(|f| f.normal.dot(local) - f.offset)
                    .fold(f64::MIN, f64::max);
                // Where two facets of the difference tie within 1e-9 the foot may leave its face by that over the angle.
                assert!(
                    out < 1e-10,
                    "{what}: point {out} outside, {:?}",
                    touch.feature
                );
            }
            let (d, n, middle) = facet_depth(a, pa, b, pb, touch.feature).unwrap();
            assert!((d - touch.depth).abs() < 1e-12 && (n - touch.normal).length() < 1e-11);
            let _ = middle;
        }
    }
}

#[test]
fn random_pairs_of_all_families_agree_with_brute_force() {
    let mut draw = Draw::new(11);
    let mut work = Workspace::default();
    for k in 0..1500 {
        let (fa, fb) = (k % FAMILIES, (k / FAMILIES) % FAMILIES);
        let (a, b) = (polyhedron(&mut draw, fa), polyhedron(&mut draw, fb));
        let pa = Pose::new(draw.turn(), draw.direction()).unwrap();
        let direction = draw.direction();
        let turn = draw.turn();
        let far = Pose::new(turn, pa.translation + direction * 3.0).unwrap();
        let gap = gap_along(&a, &pa, &b, &far, direction);
        // Deep, middling, shallow, just touching.
        for depth in [draw.between(0.1, 1.2), 1e-2, 1e-6, 1e-12, 0.0] {
            let pb = Pose::new(turn, far.translation - direction * (gap + depth)).unwrap();
            check(
                &a,
                &pa,
                &b,
                &pb,
                &mut work,
                &format!("pair {k} ({fa}, {fb}) pushed {depth}"),
            );
        }
    }
}

#[test]
fn stacked_faces_meet_in_the_middle_of_what_they_share() {
    let cube = klast_geometry::Solid::Cube.with_volume(1.0).unwrap();
    let mut draw = Draw::new(3);
    let mut work = Workspace::default();
    for depth in [1e-3, 1e-9, 0.0] {
        for _ in 0..200 {
            let turn = draw.turn();
            let shift = DVec3::new(0.3, 0.2, 1.0 - depth);
            let pa = Pose::new(turn, DVec3::ZERO).unwrap();
            let pb = Pose::new(turn, turn * shift).unwrap();
            match overlap(&cube, &pa, &cube, &pb, &mut work) {
                Contact::Apart(d) => {
                    assert!(depth == 0.0 && gap_along(&cube, &pa, &cube, &pb, d) < 4e-15)
                }
                Contact::Overlap(touch) => {
                    // A few ulp of coordinates of size 1.
                    assert!((touch.depth - depth).abs() < 4e-15);
                    // At depth 0 the smaller sideways overlaps do not compete: 0.7 and 0.8.
                    let middle = turn.inverse() * touch.middle();
                    let expected = DVec3::new(0.15, 0.1, 0.5 - 0.5 * depth);
                    assert!((middle - expected).length() < 1e-13, "{middle}");
                }
            }
        }
    }
}
