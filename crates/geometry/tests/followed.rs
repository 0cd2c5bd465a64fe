//! Contact points that follow their features, against searches at the poses the bodies have moved to.

use glam::{DQuat, DVec3};
use klast_geometry::{ConvexPolyhedron, FollowedPoint, Manifold, NarrowPhase, Placed, Pose, Solid};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

struct Draw(Pcg64);

impl Draw {
    fn number(&mut self) -> f64 {
        self.0.random()
    }

    /// In a cube of half the width 1.
    fn vector(&mut self) -> DVec3 {
        DVec3::from_array([0; 3].map(|_| 2.0 * self.number() - 1.0))
    }

    fn turn(&mut self, angle: f64) -> DQuat {
        DQuat::from_scaled_axis(self.vector() * angle)
    }

    fn stone(&mut self) -> ConvexPolyhedron {
        let points: Vec<DVec3> = (0..14).map(|_| self.vector().normalize()).collect();
        ConvexPolyhedron::from_points(&points).unwrap()
    }
}

/// Pairs of cubes and stones are moved by up to 6 mm and turned by up to 6 mrad from where a search found their points.
/// A point that a search there finds on the same features, along the same normal, is the followed one: place and gap
/// differ by rounding alone, whatever the slopes of faces and the angles of edges: features are recognised to 1e-9 of
/// the size, so that gaps differ by less than 1e-8 m.
#[test]
fn followed_points_are_those_of_a_search() {
    let mut draw = Draw(Pcg64::seed_from_u64(7));
    let mut narrow = NarrowPhase::default();
    let (mut found, mut again) = (Manifold::default(), Manifold::default());
    let cube = Solid::Cube.with_size(1.2).unwrap();
    // Of vertices of the first and the second, and edges.
    let mut compared = [0; 3];
    let (mut points, mut followed) = (0, 0);
    for round in 0..4000 {
        let [a, b] = [0, 1].map(|_| {
            if round % 2 == 0 {
                cube.clone()
            } else {
                draw.stone()
            }
        });
        let place = Pose::new(draw.turn(3.0), draw.vector() * 5.0).unwrap();
        // Every other pair of cubes nearly lies face on face.
        let turn = draw.turn(if round % 4 == 0 { 0.02 } else { 3.0 });
        // So far apart that they just overlap, or that a gap of up to 2 mm is left.
        let direction = draw.vector().normalize();
        let away = |distance: f64| place * Pose::new(turn, direction * distance).unwrap();
        let (mut near, mut far) = (0.0, 3.0);
        for _ in 0..40 {
            let middle = 0.5 * (near + far);
            let at = away(middle);
            let [p, q] = [(&a, &place), (&b, &at)].map(|(shape, pose)| Placed { shape, pose });
            match narrow.overlap(p, q, None) {
                Some(_) => near = middle,
                None => far = middle,
            }
        }
        let at = away(far + (draw.number() - 0.5) * 4e-3);
        let moved = Pose {
            rotation: (at.rotation * draw.turn(6e-3)).normalize(),
            translation: at.translation + draw.vector() * 6e-3 / 3f64.sqrt(),
        };
        let placed = |pose| [(&a, &place), (&b, pose)].map(|(shape, pose)| Placed { shape, pose });
        let [p, q] = placed(&at);
        narrow.manifold(p, q, 0.01, None, &mut found);
        if found.beside {
            continue;
        }
        let [p2, q2] = placed(&moved);
        narrow.manifold(p2, q2, 0.05, None, &mut again);
        let relative = place.relative(&moved);
        for point in &found.points {
            points += 1;
            let Some(known) = FollowedPoint::of(point, p, q) else {
                continue;
            };
            followed += 1;
            let turn = glam::DMat3::from_quat(relative.rotation);
            let Some(there) = known.at(&relative, &turn) else {
                continue;
            };
            let normal = place.transform_vector(there.normal);
            let same = again.points.iter().filter(|s| s.feature == point.feature);
            for s in same.filter(|s| (s.normal - normal).length() < 1e-9) {
                assert!((s.gap - there.gap).abs() < 1e-8, "{} {}", s.gap, there.gap);
                let apart = s.point.distance(place.transform_point(there.point));
                // The crossing of two edges is the gap's error over the sine of their angle, 0.02 at least.
                assert!(apart < 1e-7, "{apart}");
                compared[(point.feature >> 30) as usize] += 1;
            }
        }
    }
    assert!(compared.iter().all(|n| *n > 500), "{compared:?}");
    // Few edges run nearly along each other, or along the face they cross.
    assert!(20 * followed > 17 * points, "{followed} of {points}");
}
