//! The time of first contact against a search that shares nothing with it: an extrapolation integrator, bisection, and
//! subdivision of every interval in which a vertex could have dipped below the plane.

use crate::common;

use common::{Reference, attitude, bodies, direction, uniform};
use glam::{DQuat, DVec3};
use klast_dynamics::single::{Flight, first_contact};
use klast_dynamics::{Body, State, Twist};
use klast_geometry::{Plane, Pose, Solid};
use rand::{Rng, SeedableRng};
use rand_pcg::Pcg64;

const GRAVITY: DVec3 = DVec3::new(0.0, 0.0, -9.81);

fn lowest(body: &Body, state: &State, plane: &Plane) -> f64 {
    let height = |v: &DVec3| plane.height(state.pose.transform_point(*v));
    body.vertices()
        .iter()
        .map(height)
        .fold(f64::INFINITY, f64::min)
}

/// First time in a..=b at which the lowest vertex is below −depth, by subdivision: a vertex whose height has a
/// second derivative above −m stays above the chord minus m h²/8.
fn search(f: &dyn Fn(f64) -> f64, a: (f64, f64), b: (f64, f64), m: f64, depth: f64) -> Option<f64> {
    let h = b.0 - a.0;
    if a.1 < -depth {
        return Some(a.0);
    }
    if a.1.min(b.1) - m * h * h / 8.0 > -depth {
        return None;
    }
    let t = 0.5 * (a.0 + b.0);
    if t <= a.0 || t >= b.0 || h < 1e-13 {
        return (b.1 < -depth).then_some(b.0);
    }
    let mid = (t, f(t));
    search(f, a, mid, m, depth).or_else(|| search(f, mid, b, m, depth))
}

#[test]
fn ten_thousand_tumbling_polyhedra() {
    let mut rng = Pcg64::seed_from_u64(1);
    let bodies = bodies(&mut rng, 100);
    let (mut contacts, mut slow) = (0, 0);
    for case in 0..10_000 {
        let body = &bodies[case % bodies.len()];
        let tilt = uniform(&mut rng, 0.0, 80f64.to_radians());
        let azimuth = uniform(&mut rng, 0.0, std::f64::consts::TAU);
        let normal = DVec3::new(
            tilt.sin() * azimuth.cos(),
            tilt.sin() * azimuth.sin(),
            tilt.cos(),
        );
        let plane = Plane::new(normal, uniform(&mut rng, -3.0, 3.0)).unwrap();
        let height = body.shape().radius() * uniform(&mut rng, 1.001, 2.0);
        let start = State {
            pose: Pose {
                rotation: attitude(&mut rng),
                translation: normal * (plane.offset + height) + normal.any_orthonormal_vector(),
            },
            velocity: Twist {
                linear: direction(&mut rng) * uniform(&mut rng, 0.0, 4.0),
                angular: direction(&mut rng) * uniform(&mut rng, 0.0, 15.0),
            },
        };
        let until = 0.7;
        let flight = Flight::new(body, start, GRAVITY);
        let found = first_contact(body, &flight, &plane, 0.0, until);

        let reference = Reference::new(body, start, GRAVITY, until);
        let w = start.body_spin();
        let spin2 = w.dot(body.inertia() * w) / body.inertia().min_element();
        // |f''| ≤ g + R (ω² + |ω'|), |ω'| ≤ ω².
        let m = 9.81 + 2.0 * body.shape().radius() * spin2;
        let f = |t: f64| lowest(body, &reference.state(t), &plane);
        let expected = search(&f, (0.0, f(0.0)), (until, f(until)), m, 0.0);
        let Some(hit) = found else {
            // Nothing deeper than the stated gap may have been missed.
            assert_eq!(
                search(&f, (0.0, f(0.0)), (until, f(until)), m, 1e-12),
                None,
                "case {case}"
            );
            continue;
        };
        contacts += 1;
        let gap = f(hit.time);
        assert!(gap.abs() <= 1e-12, "case {case}: gap {gap:e}");
        match expected {
            Some(t) if hit.closing_speed > 1e-4 => assert!(
                (t - hit.time).abs() <= 1e-10,
                "case {case}: {t} {}",
                hit.time
            ),
            _ => {
                slow += 1;
                assert_eq!(
                    search(&f, (0.0, f(0.0)), (hit.time, gap), m, 1e-12),
                    None,
                    "case {case}"
                );
            }
        }
    }
    println!("{contacts} contacts, {slow} of them slower than 1e-4 m/s");
    assert!(contacts > 7_000);
}

/// A cube that turns about a horizontal axis and whose corner just reaches the plane: the height at which the lowest
/// point of its path touches is found by bisection on the plane's offset.
#[test]
fn grazing_is_found_at_the_right_depth_and_not_below() {
    let body = Body::uniform(&Solid::Cube.with_size(1.0).unwrap(), 2700.0).unwrap();
    let rotation = DQuat::from_rotation_y(0.4);
    let start = State {
        pose: Pose {
            rotation,
            translation: DVec3::new(0.0, 0.0, 5.0),
        },
        // Thrown upwards and spinning fast: several local minima of the height of each corner.
        velocity: Twist {
            linear: DVec3::new(0.0, 0.0, 1.0),
            angular: DVec3::new(3.0, 25.0, 0.0),
        },
    };
    let flight = Flight::new(&body, start, GRAVITY);
    let corner = |t: f64| lowest(&body, &flight.state(t), &Plane::new(DVec3::Z, 0.0).unwrap());
    // The first local minimum of the lowest corner, by golden section on a bracket read off a fine scan.
    let scan: Vec<f64> = (0..4000).map(|i| corner(f64::from(i) * 5e-5)).collect();
    let k = (1..3999)
        .find(|&i| scan[i] < scan[i - 1] && scan[i] < scan[i + 1])
        .unwrap();
    let (mut a, mut b) = ((k - 1) as f64 * 5e-5, (k + 1) as f64 * 5e-5);
    while b - a > 1e-9 {
        let (c, d) = (b - 0.618 * (b - a), a + 0.618 * (b - a));
        if corner(c) < corner(d) { b = d } else { a = c }
    }
    let level = corner(0.5 * (a + b));
    // The curvature is some 500 m/s²; 1e-9 s off the minimum is 1e-15 m, and so is a rounding of the height.
    for (depth, hit) in [
        (1e-13, true),
        (1e-11, true),
        (-1e-13, false),
        (-1e-11, false),
    ] {
        let plane = Plane::new(DVec3::Z, level + depth).unwrap();
        let found = first_contact(&body, &flight, &plane, 0.0, b + 1e-3);
        assert_eq!(found.is_some(), hit, "{depth:e} {found:?}");
    }
}

#[test]
fn a_body_that_leaves_the_plane_is_not_in_contact() {
    let body = Body::uniform(&Solid::Cube.with_size(1.0).unwrap(), 2700.0).unwrap();
    let plane = Plane::new(DVec3::Z, 0.0).unwrap();
    let mut rng = Pcg64::seed_from_u64(9);
    for _ in 0..1000 {
        let mut start = State::at_rest(Pose {
            rotation: attitude(&mut rng),
            translation: DVec3::ZERO,
        });
        start.pose.translation.z = -lowest(&body, &start, &plane);
        let speed = 10f64.powf(uniform(&mut rng, -6.0, 1.0));
        start.velocity.linear.z = speed;
        let flight = Flight::new(&body, start, GRAVITY);
        // Without spin it comes back with the same face down after 2 v/g.
        let hit = first_contact(&body, &flight, &plane, 0.0, 10.0).unwrap();
        // The start is rounded to 1e-16 m, which is 1e-16/v in time at the other end.
        assert!(
            (hit.time - 2.0 * speed / 9.81).abs() < 1e-14 / speed + 1e-14,
            "{speed} {}",
            hit.time
        );
        assert!((hit.closing_speed - speed).abs() < 1e-13 / speed + 1e-13);
    }
}

#[test]
fn a_corner_that_only_curves_upwards_is_carried_off() {
    // The lowest corner stands still on the plane while the spin carries it up faster than gravity takes it down.
    let body = Body::uniform(&Solid::Cube.with_size(1.0).unwrap(), 2700.0).unwrap();
    let plane = Plane::new(DVec3::Z, 0.0).unwrap();
    let mut rng = Pcg64::seed_from_u64(11);
    let mut lifted = 0;
    for _ in 0..2000 {
        let mut start = State::at_rest(Pose {
            rotation: attitude(&mut rng),
            translation: DVec3::ZERO,
        });
        start.pose.translation.z = -lowest(&body, &start, &plane);
        let corner = body
            .shape()
            .support(-start.pose.inverse_transform_vector(DVec3::Z));
        let arm = start.pose.transform_vector(body.vertices()[corner]);
        let w = direction(&mut rng) * uniform(&mut rng, 1.0, 20.0);
        start.velocity = Twist {
            linear: -w.cross(arm),
            angular: w,
        };
        let acceleration = (w.cross(w.cross(arm)) + GRAVITY).z;
        let flight = Flight::new(&body, start, GRAVITY);
        let hit = first_contact(&body, &flight, &plane, 0.0, 10.0).unwrap();
        if acceleration > 1e-3 {
            lifted += 1;
            assert!(hit.time > 1e-6, "{acceleration} {hit:?}");
        } else if acceleration < -1e-3 {
            assert!(hit.time < 1e-6, "{acceleration} {hit:?}");
        }
    }
    assert!(lifted > 100);
}

#[test]
fn answers_on_any_input() {
    let body = Body::uniform(&Solid::Octahedron.with_size(1.0).unwrap(), 2700.0).unwrap();
    let mut rng = Pcg64::seed_from_u64(13);
    let wild = |rng: &mut Pcg64| match rng.next_u64() % 6 {
        0 => 0.0,
        1 => f64::NAN,
        2 => f64::INFINITY,
        3 => uniform(rng, -1e300, 1e300),
        4 => uniform(rng, -1e-300, 1e-300),
        _ => uniform(rng, -10.0, 10.0),
    };
    for _ in 0..300 {
        let mut v = || DVec3::new(wild(&mut rng), wild(&mut rng), wild(&mut rng));
        let start = State {
            pose: Pose {
                rotation: DQuat::IDENTITY,
                translation: v(),
            },
            velocity: Twist {
                linear: v(),
                angular: v(),
            },
        };
        let flight = Flight::new(&body, start, v());
        let plane = Plane {
            normal: DVec3::Z,
            offset: 0.0,
        };
        let _ = first_contact(&body, &flight, &plane, 0.0, 5.0);
        let _ = first_contact(&body, &flight, &plane, 0.0, f64::INFINITY);
    }
}

/// No gravity and no turn: heights are straight lines. A body that stands on the plane, or leaves it, never meets it;
/// one that is below it does so at once; one that approaches does so at distance over speed.
#[test]
fn straight_lines() {
    let body = Body::uniform(&Solid::Cube.with_size(1.0).unwrap(), 2700.0).unwrap();
    let plane = Plane::new(DVec3::Z, 0.0).unwrap();
    let touch = |height: f64, up: f64, spin: f64| {
        let start = State {
            pose: Pose::from_translation(DVec3::Z * height),
            velocity: Twist {
                linear: DVec3::new(1.0, 0.5, up),
                angular: DVec3::Z * spin,
            },
        };
        let flight = Flight::new(&body, start, DVec3::X);
        let limits = [1e3, f64::INFINITY];
        limits.map(|t| first_contact(&body, &flight, &plane, 0.0, t).map(|hit| hit.time))
    };
    for spin in [0.0, 3.0] {
        for (height, up) in [(0.5, 0.0), (0.5, 7.0), (0.6, 0.0), (0.6, 7.0), (0.4, 7.0)] {
            assert_eq!(touch(height, up, spin), [None; 2], "{height} {up} {spin}");
        }
        assert_eq!(touch(0.4, 0.0, spin), [Some(0.0); 2]);
        for found in touch(2.5, -0.25, spin) {
            // Two metres at 0.25 m/s, to rounding.
            assert!((found.unwrap() - 8.0).abs() < 1e-14, "{found:?}");
        }
    }
}
