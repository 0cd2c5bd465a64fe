//! The closed form of a slide askew against small steps of the equation of motion, to the edge of a facet, to the end
//! of the time and to rest; and how few arcs show it.

use glam::DVec3;
use klast_geometry::terrain::{Mesh, Slope, Terrain};
use klast_rockfall::*;
use proptest::prelude::*;
use std::ops::ControlFlow;

const GRAVITY: DVec3 = DVec3::new(0.0, 0.0, -9.81);

struct Slid {
    outcome: Outcome,
    position: DVec3,
    velocity: DVec3,
    time: f64,
    arcs: Vec<Arc>,
}

/// A lumped mass that slides on a terrain with friction μ, for a time.
fn slid(terrain: &dyn Terrain, mu: f64, position: DVec3, velocity: DVec3, time: f64) -> Slid {
    let coefficients = GroundCoefficients {
        normal_restitution: 0.0,
        tangential_restitution: 1.0,
        friction: mu,
    };
    let ground = Ground::uniform(SlopeMaterial::constant("ground", coefficients)).unwrap();
    let samples = [MaterialSample {
        tangential_restitution: 1.0,
        friction: mu,
        ..MaterialSample::default()
    }];
    let stop = StopConditions {
        maximum_time: time,
        stopped_velocity_cutoff: 0.0,
        ..StopConditions::default()
    };
    let engine = LumpedRock::new(terrain, &ground, &stop);
    let rock = LumpedMass::of_volume(0.4).unwrap();
    let start = lumped::LumpedState {
        position,
        velocity,
        spin: DVec3::ZERO,
    };
    let mut arcs = Vec::new();
    let (outcome, end, _) = engine.run(&rock, &samples, start, None, &mut |arc| {
        arcs.push(*arc);
        ControlFlow::Continue(())
    });
    let last: &Arc = arcs.last().unwrap();
    Slid {
        outcome,
        position: end.position,
        velocity: end.velocity,
        time: last.time + last.duration,
        arcs,
    }
}

/// The same by the classical rule of Runge and Kutta of fourth order in `steps` steps.
fn stepped(normal: DVec3, mu: f64, start: (DVec3, DVec3), time: f64, steps: u32) -> (DVec3, DVec3) {
    let press = -GRAVITY.dot(normal);
    let pull = GRAVITY + normal * press;
    let rate = |v: DVec3| pull - v.normalize() * (mu * press);
    let (mut p, mut v) = start;
    let h = time / f64::from(steps);
    for _ in 0..steps {
        let a = rate(v);
        let b = rate(v + a * (0.5 * h));
        let c = rate(v + b * (0.5 * h));
        let d = rate(v + c * h);
        p += v * h + (a + b + c) * (h * h / 6.0);
        v += (a + 2.0 * (b + c) + d) * (h / 6.0);
    }
    (p, v)
}

/// A plane facet with three corners, which holds the origin, and its normal.
fn facet(slope: f64, azimuth: f64, turn: f64, size: f64) -> (Mesh, DVec3) {
    let (sine, cosine) = libm::sincos(slope);
    let (side, along) = libm::sincos(azimuth);
    let normal = DVec3::new(sine * along, sine * side, cosine);
    let corner = |k: u32| {
        let (y, x) = libm::sincos(turn + f64::from(k) * std::f64::consts::TAU / 3.0);
        let (x, y) = (size * x, size * y);
        DVec3::new(x, y, -(normal.x * x + normal.y * y) / normal.z)
    };
    let mesh = Mesh::new(&[corner(0), corner(1), corner(2)], &[[0, 1, 2]]).unwrap();
    (mesh, normal)
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(100) })]

    /// To the rim of a facet or for two seconds: place and velocity of the steps at that time, and the rim where the
    /// steps have it. No arc is more than 4 µm beside the steps.
    #[test]
    fn a_slide_is_that_of_small_steps(
        slope in 0.05..1.3f64,
        azimuth in 0.0..std::f64::consts::TAU,
        turn in 0.0..std::f64::consts::TAU,
        size in -1.0..1.5f64,
        ratio in 0.0..2.5f64,
        theta in 1e-3..3.1f64,
        speed in -0.5..1.3f64,
        side in prop::bool::ANY,
    ) {
        let (speed, size) = (10f64.powf(speed), 10f64.powf(size));
        let (mesh, normal) = facet(slope, azimuth, turn, size);
        let pull = (GRAVITY - normal * GRAVITY.dot(normal)).normalize();
        let across = normal.cross(pull) * if side { 1.0 } else { -1.0 };
        let (sine, cosine) = libm::sincos(theta);
        let velocity = speed * (pull * cosine + across * sine);
        let mu = ratio * slope.tan();
        // Heights of a mesh are over the lowest corner, or wherever its origin lies.
        let position = DVec3::ZERO - mesh.origin();
        let found = slid(&mesh, mu, position, velocity, 2.0);
        prop_assert!(found.outcome != Outcome::Stopped || ratio >= 1.0);
        // Where the motion is slow for its turning, steps are too coarse.
        let (slowest, _) = found.arcs.iter().fold((speed, 0), |(least, n), arc| (least.min(arc.velocity.length()), n + 1));
        prop_assume!(slowest > 0.2 * speed && found.velocity.length() > 0.2 * speed);
        let (p, v) = stepped(normal, mu, (position, velocity), found.time, 8_000);
        // Both round some 1e-16 of the size of the place.
        let bound = 1e-10 * (1.0 + (p - position).length());
        prop_assert!((found.position - p).length() < bound, "{} {p}", found.position);
        prop_assert!((found.velocity - v).length() < 1e-10 * (speed + v.length()), "{} {v}", found.velocity);
        if found.outcome == Outcome::LeftMap {
            let corners = [0, 1, 2].map(|k: u32| {
                let (y, x) = libm::sincos(turn + f64::from(k) * std::f64::consts::TAU / 3.0);
                glam::DVec2::new(size * x, size * y)
            });
            let plan = (p - position).truncate();
            let rim = [0, 1, 2].map(|k| {
                let side = corners[(k + 1) % 3] - corners[k];
                side.perp_dot(plan - corners[k]) / side.length()
            });
            let least = rim[0].min(rim[1]).min(rim[2]);
            prop_assert!(least.abs() < 1e-9 * size.max(1.0), "{least} m off the rim");
        } else {
            prop_assert!((found.time - 2.0).abs() < 1e-12);
        }
        for arc in found.arcs.iter().take(3) {
            for part in [0.2, 0.5, 0.8] {
                let t = part * arc.duration;
                let (p, _) = stepped(normal, mu, (position, velocity), arc.time + t, 1_000);
                let off = (arc.position_at(t) - p).length();
                prop_assert!(off < 4.1e-6, "{off}");
            }
        }
    }

    /// The rim that is met is the first: no place before lies outside the facet.
    #[test]
    fn no_slide_goes_over_a_rim_unseen(
        slope in 0.05..1.3f64,
        turn in 0.0..std::f64::consts::TAU,
        size in -1.0..1.0f64,
        ratio in 0.0..3.0f64,
        theta in 1e-6..0.999_999 * std::f64::consts::PI,
        speed in -1.0..1.3f64,
    ) {
        let (speed, size) = (10f64.powf(speed), 10f64.powf(size));
        let (mesh, normal) = facet(slope, 0.3, turn, size);
        let pull = (GRAVITY - normal * GRAVITY.dot(normal)).normalize();
        let (sine, cosine) = libm::sincos(theta);
        let velocity = speed * (pull * cosine + normal.cross(pull) * sine);
        let position = DVec3::ZERO - mesh.origin();
        let found = slid(&mesh, ratio * slope.tan(), position, velocity, 20.0);
        for arc in &found.arcs {
            for part in 1..10 {
                let p = arc.position_at(0.1 * f64::from(part) * arc.duration);
                let inside = |d: DVec3| mesh.surface(p.x + d.x, p.y + d.y).is_some();
                // 4 µm of the parabolas.
                let near = [DVec3::X, -DVec3::X, DVec3::Y, -DVec3::Y].map(|d| inside(5e-6 * d));
                prop_assert!(inside(DVec3::ZERO) || near.contains(&true), "{p}");
            }
        }
    }
}

/// As many arcs as its bend takes at 4 µm: fewer than 150 for a turn by 80° on some 60 m.
#[test]
fn a_long_slide_takes_few_arcs() {
    let angle = 30f64.to_radians();
    let slope = Slope::downhill_x(angle).unwrap();
    for ratio in [0.5, 0.95, 1.05, 1.5] {
        let found = slid(
            &slope,
            ratio * angle.tan(),
            DVec3::ZERO,
            DVec3::Y * 8.0,
            6.0,
        );
        let count = found.arcs.len();
        assert!(count < 150, "{ratio}: {count} arcs");
        let end = found.arcs.iter().fold(DVec3::ZERO, |p, arc| {
            assert!((arc.position - p).length() < 1e-5);
            arc.end()
        });
        assert!((end - found.position).length() < 5e-6);
    }
}

/// On a raster with 5 cm of noise a mass slides over some five facets a cell, each with one or two arcs.
#[test]
fn a_rough_raster_takes_few_arcs() {
    let noise = |k: usize| ((k * 2_654_435_761) % 1000) as f64 * 1e-4 - 0.05;
    let (columns, rows) = (151, 61);
    let height = |k: usize| 300.0 - 0.7 * 2.0 * (k % columns) as f64 + noise(k);
    let heights = (0..columns * rows).map(height).collect();
    let grid = klast_geometry::terrain::Grid::new(columns, rows, 2.0, glam::DVec2::ZERO, heights);
    let grid = grid.unwrap();
    let (mut arcs, mut slid_over) = (0, 0.0);
    for k in 0..40 {
        let (x, y) = (8.0, 20.3 + 2.1 * f64::from(k));
        let height = grid.surface(x, y).unwrap().height;
        let found = slid(&grid, 0.6, DVec3::new(x, y, height + 0.5), DVec3::X, 120.0);
        arcs += found.arcs.len();
        slid_over += (found.position.x - x) / 2.0;
    }
    let each = arcs as f64 / slid_over;
    println!("{} arcs a rock, {each} a cell", arcs as f64 / 40.0);
    assert!(each < 8.0, "{each} arcs a cell");
}
