//! The depth along a facet is the overlap where that facet is the nearest, and smooth where another takes over.

use crate::common;

use common::{Draw, FAMILIES, polyhedron};
use klast_dem::{Feature, facet_depth, gap_along};
use klast_geometry::{NarrowPhase, Placed, Pose};

#[test]
fn the_facet_of_an_overlap_has_its_depth_normal_and_points() {
    let mut draw = Draw::new(11);
    let mut work = NarrowPhase::default();
    let (mut met, mut edges) = (0, 0);
    for k in 0..1500 {
        let (fa, fb) = (k % FAMILIES, (k / FAMILIES) % FAMILIES);
        let (a, b) = (polyhedron(&mut draw, fa), polyhedron(&mut draw, fb));
        let pa = Pose::new(draw.turn(), draw.direction()).unwrap();
        let direction = draw.direction();
        let far = Pose::new(draw.turn(), pa.translation + direction * 3.0).unwrap();
        let gap = gap_along(&a, &pa, &b, &far, direction);
        let depth = if k % 2 == 0 {
            draw.between(0.05, 1.2)
        } else {
            1e-3
        };
        let pb = Pose::new(far.rotation, far.translation - direction * (gap + depth)).unwrap();
        let placed = [
            Placed {
                shape: &a,
                pose: &pa,
            },
            Placed {
                shape: &b,
                pose: &pb,
            },
        ];
        let Some(overlap) = work.overlap(placed[0], placed[1], None) else {
            continue;
        };
        let feature = Feature::of(&overlap, &a, &pa, &b, &pb);
        let (d, n, middle) = facet_depth(&a, &pa, &b, &pb, feature).unwrap();
        // Coordinates of size 3: some ulp; the cross product of nearly parallel edges loses up to four digits of the
        // normal.
        assert!((d - overlap.depth).abs() < 1e-12, "{feature:?}");
        assert!((n - overlap.normal).length() < 1e-11, "{feature:?}");
        assert!((gap_along(&a, &pa, &b, &pb, n) + overlap.depth).abs() < 1e-12);
        if overlap.kind == klast_geometry::OverlapKind::VertexFace {
            assert!((middle - overlap.middle()).length() < 1e-12, "{feature:?}");
        } else {
            edges += 1;
        }
        met += 1;
        assert_eq!(feature.axis(), overlap.axis);
    }
    assert!(met > 500 && edges > 100, "{met} {edges}");
}

/// The gradient of a facet's depth is the generalised force of its own contact point: what makes it a potential.
#[test]
fn the_depth_of_a_facet_changes_as_its_contact_point_moves() {
    let mut draw = Draw::new(7);
    let mut work = NarrowPhase::default();
    for k in 0..300 {
        let (a, b) = (
            polyhedron(&mut draw, k % 5),
            polyhedron(&mut draw, k / 5 % 5),
        );
        let pa = Pose::new(draw.turn(), draw.direction() * 0.1).unwrap();
        let pb = Pose::new(draw.turn(), draw.direction() * 0.9).unwrap();
        let placed = [
            Placed {
                shape: &a,
                pose: &pa,
            },
            Placed {
                shape: &b,
                pose: &pb,
            },
        ];
        let Some(overlap) = work.overlap(placed[0], placed[1], None) else {
            continue;
        };
        let feature = Feature::of(&overlap, &a, &pa, &b, &pb);
        let (axis, h) = (draw.direction(), 1e-6);
        let moved = |s: f64| {
            let turn = glam::DQuat::from_axis_angle(axis, s);
            let pose = Pose::new(turn * pb.rotation, pb.translation + axis * s).unwrap();
            facet_depth(&a, &pa, &b, &pose, feature).unwrap().0
        };
        let slope = (moved(h) - moved(-h)) / (2.0 * h);
        let (_, n, middle) = facet_depth(&a, &pa, &b, &pb, feature).unwrap();
        let rate = -n.dot(axis + axis.cross(middle - pb.translation));
        // Central difference: h² times third derivatives that grow like 1/sin³ for nearly parallel edges, 1e-16/h
        // rounding.
        assert!((slope - rate).abs() < 1e-7, "{feature:?}: {slope} {rate}");
    }
}
