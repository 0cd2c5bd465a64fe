//! Semicircular arches with the default settings on a table that leans: 2 % before the tilt of the first mechanism they
//! stand, 2 % beyond it they fall.
//!
//! Limit analysis (Heyman, J., 1966, The stone skeleton): without sliding an arch becomes a mechanism of four hinges,
//! alternately at the outer and the inner end of a joint, and the mechanism with the least load is the one that statics
//! allows.

use glam::{DVec2, DVec3};
use klast_dynamics::{Body, Role, State, Surface, World, WorldSettings};
use klast_geometry::{ConvexPolyhedron, Plane, Pose};
use klast_scenarios::voussoirs;

const GRAVITY: f64 = 9.81;

/// Area and centroid of a quadrilateral (shoelace formula).
fn weight(corners: &[DVec2; 4]) -> (f64, DVec2) {
    let (mut area, mut moment) = (0.0, DVec2::ZERO);
    for k in 0..4 {
        let (a, b) = (corners[k], corners[(k + 1) % 4]);
        area += 0.5 * a.perp_dot(b);
        moment += (a + b) * (a.perp_dot(b) / 6.0);
    }
    (area, moment / area)
}

/// Of the stones between two joints: their weights, and their weights times centroids.
fn sums(stones: &[[DVec2; 4]]) -> Vec<(f64, DVec2)> {
    let mut all = vec![(0.0, DVec2::ZERO)];
    for stone in stones {
        let (w, at) = weight(stone);
        let (total, moment) = all[all.len() - 1];
        all.push((total + w, moment + at * w));
    }
    all
}

/// The least tangent of a tilt towards +x at which four hinges let the arch move.
fn tilt_of_first_mechanism(stones: &[[DVec2; 4]]) -> f64 {
    let joints = stones.len() + 1;
    // Inner and outer end of each joint.
    let joint = |k: usize| match k < stones.len() {
        true => [stones[k][0], stones[k][1]],
        false => [stones[k - 1][3], stones[k - 1][2]],
    };
    let sums = sums(stones);
    // Power of gravity (along x, along z) as the stones between two joints turn about a point at a unit rate.
    let power = |from: usize, to: usize, centre: DVec2| {
        let total = sums[to].0 - sums[from].0;
        (sums[to].1 - sums[from].1 - centre * total).perp()
    };
    let mut least = f64::INFINITY;
    for outer_first in [0, 1] {
        let end = |k: usize, number: usize| joint(k)[(outer_first + number) % 2];
        for i in 0..joints {
            for j in i + 1..joints {
                for k in j + 1..joints {
                    for l in k + 1..joints {
                        let [a, b, c, d] = [end(i, 0), end(j, 1), end(k, 2), end(l, 3)];
                        // Velocities of the hinges b and c: ω₃ (c − d) − ω₂ (c − b) = b − a, for ω₁ = 1.
                        let (p, q) = (c - d, b - c);
                        let det = p.perp_dot(q);
                        if det.abs() < 1e-9 {
                            continue;
                        }
                        let turn = [
                            0.0,
                            1.0,
                            p.perp_dot(b - a) / det,
                            (b - a).perp_dot(q) / det,
                            0.0,
                        ];
                        // A joint opens at the end away from its hinge: at an outer one the next stones turn clockwise
                        // of those before.
                        let opens = (0..4).map(|n| {
                            let outer = (outer_first + n) % 2 == 1;
                            (turn[n + 1] - turn[n]) * if outer { -1.0 } else { 1.0 }
                        });
                        let (low, high) = opens.fold((f64::MAX, f64::MIN), |(low, high), o| {
                            (low.min(o), high.max(o))
                        });
                        if low < 0.0 && high > 0.0 {
                            continue;
                        }
                        let sense = if low >= 0.0 { 1.0 } else { -1.0 };
                        let first = power(i, j, a);
                        let third = power(k, l, d) * turn[3];
                        let total = sums[k].0 - sums[j].0;
                        let about = sums[k].1 - sums[j].1 - b * total;
                        let second = about.perp() * turn[2] + (b - a).perp() * total;
                        let all = (first + second + third) * sense;
                        if all.x > 1e-12 {
                            least = least.min(all.y / all.x);
                        }
                    }
                }
            }
        }
    }
    least
}

/// The arch on a table that leans towards +x by an angle of this tangent.
fn arch(stones: &[[DVec2; 4]], tan: f64) -> World {
    let default = WorldSettings::default();
    let angle = tan.atan();
    // The lengths of the settings are those of bodies of a metre.
    let block = stones[0][0].distance(stones[0][3]).min(1.0);
    let settings = WorldSettings {
        gravity: GRAVITY * (DVec3::X * angle.sin() - DVec3::Z * angle.cos()),
        step: 2.5e-3,
        margin: default.margin * block,
        slop: default.slop * block,
        parallel: false,
        ..default
    };
    let mut world = World::new(settings).unwrap();
    let rough = Surface {
        friction: 0.8,
        restitution: 0.0,
    };
    let floor = Plane::new(DVec3::Z, 0.0).unwrap();
    world.add_plane(floor, rough, None).unwrap();
    for corners in stones {
        let points = corners
            .iter()
            .flat_map(|c| [-0.5, 0.5].map(|y| DVec3::new(c.x, y, c.y)));
        let shape = ConvexPolyhedron::from_points(&points.collect::<Vec<_>>()).unwrap();
        let body = Body::uniform(&shape, 2400.0).unwrap();
        let state = State::at_rest(body.pose_of(&Pose::IDENTITY));
        world.add(body, state, Role::Free, rough).unwrap();
    }
    world
}

/// The farthest that a centre has moved (m).
fn moved(world: &World, start: &[DVec3]) -> f64 {
    let ways = world.states().zip(start);
    ways.map(|(s, at)| s.pose.translation.distance(*at))
        .fold(0.0, f64::max)
}

#[test]
fn two_percent_of_the_tilt_decide() {
    for count in [15, 31, 101] {
        let stones = voussoirs(count, 0.12);
        let limit = tilt_of_first_mechanism(&stones);
        let mut stands = arch(&stones, 0.98 * limit);
        let start: Vec<DVec3> = stands.states().map(|s| s.pose.translation).collect();
        for _ in 0..100 {
            let report = stands.step().unwrap();
            assert_eq!(report.solver.unconverged, 0, "{count}: {report:?}");
        }
        let way = moved(&stands, &start);
        assert!(way < 1e-6 * 0.12, "{count} stands: {way}");
        let mut falls = arch(&stones, 1.02 * limit);
        // Of the height of the crown.
        let time = 20.0 * (1.06 / GRAVITY).sqrt();
        while falls.time() < time && moved(&falls, &start) < 0.05 {
            falls.step().unwrap();
        }
        println!("{count}: falls after {} s", falls.time());
        assert!(falls.time() < time, "{count}: {}", moved(&falls, &start));
        assert_eq!(falls.ledger().unconverged, 0, "{count}");
    }
}
