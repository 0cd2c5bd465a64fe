//! Round bodies: on their rim against an integration of their own equations in other variables, sliding and at rest
//! against closed forms, striking their face against the block in the plane.

mod angle_of_turn;
mod euler_angles;

use euler_angles::{Lean, Wheel};
use glam::{DQuat, DVec3};
use klast_ground_motion::{Component, Frequency, GroundMotion};
use klast_rocking::spatial::{
    SpatialBody, SpatialMotion, SpatialOptions, SpatialOutcome, SpatialRun,
};
use klast_rocking::{Options, Restitution, RockingBlock, simulate};
use std::f64::consts::{FRAC_PI_2, PI, TAU};

const G: f64 = 9.81;

fn waves(amplitude: f64, hertz: f64, phase: f64) -> Component {
    Component::waves(amplitude, Frequency::hertz(hertz), phase, 2.0).unwrap()
}

fn along(x: Component, y: Component) -> SpatialMotion {
    SpatialMotion {
        components: [x, y, Component::at_rest()],
    }
}

fn assert_audited(run: &SpatialRun) {
    let energy = run.energy;
    let scale = energy.start.abs().max(energy.end.abs()) + energy.base_work.abs();
    assert!(energy.imbalance.abs() < 1e-9 * scale, "{energy:?}");
}

/// A lean of a cylinder of radius a and height b as the attitude and the angular velocity of a run.
fn options(lean: &Lean, options: SpatialOptions) -> SpatialOptions {
    let (sin, cos) = lean.azimuth.sin_cos();
    let across = DVec3::new(-sin, cos, 0.0);
    let attitude = DQuat::from_axis_angle(across, lean.tilt);
    let axis = attitude * DVec3::Z;
    // ω = θ′ t + ψ′ z + (n − ψ′ cos θ) e
    let own = lean.spin - lean.turns * lean.tilt.cos();
    SpatialOptions {
        attitude,
        angular_velocity: lean.tilts * across + lean.turns * DVec3::Z + own * axis,
        ..options
    }
}

fn apart(a: f64, b: f64) -> f64 {
    ((a - b + PI).rem_euclid(TAU) - PI).abs()
}

/// Five seconds on the rim, on a base at rest and on one that moves in two directions: tilt and azimuth are those of
/// the independent integration, and the energy is accounted for, however few the corners of the prism. The
/// bases push so little that the face never strikes.
#[test]
fn five_seconds_on_the_rim_are_those_of_euler_angles() {
    let cases = [
        (0.3, 1.2, 0.15, 0.7, [0.05, 0.9, -0.4], [0.0, 0.0]),
        (0.3, 1.2, 0.15, -2.0, [0.0, 1.2, 0.3], [0.3, 0.2]),
        (0.5, 0.1, 0.4, 1.0, [0.3, 2.5, -1.0], [0.5, 0.4]),
        (0.442, 3.196, 0.1, 2.5, [0.0, 0.8, 0.5], [0.1, 0.15]),
    ];
    for (radius, height, tilt, azimuth, [tilts, turns, spin], [x, y]) in cases {
        let wheel = Wheel::cylinder(radius, height, G);
        let start = Lean {
            tilt,
            azimuth,
            tilts,
            turns,
            spin,
            ..Lean::default()
        };
        let base = |t: f64| {
            let wave = |a: f64, hertz: f64, phase: f64| match t < 2.0 / hertz {
                true => a * (TAU * hertz * t + phase).sin(),
                false => 0.0,
            };
            [wave(x, 0.7, 0.0), wave(y, 0.9, 0.5)]
        };
        let expected = wheel.run(start, &base, 5.0, 1e-13, FRAC_PI_2);
        assert!(
            expected.time == 5.0 && expected.friction < 2.0,
            "{expected:?}"
        );
        assert!(expected.pressure > 0.0, "{expected:?}");
        let moves = |a: f64, hertz: f64, phase: f64| match a {
            0.0 => Component::at_rest(),
            _ => waves(a, hertz, phase),
        };
        let motion = along(moves(x, 0.7, 0.0), moves(y, 0.9, 0.5));
        let body = SpatialBody::cylinder(radius, height, 7, 2500.0).unwrap();
        let options = options(
            &start,
            SpatialOptions {
                sample: Some(5.0),
                step: 1e-3,
                ..SpatialOptions::new(5.0, 2.0)
            },
        );
        let run = body.run(&motion, G, &options).unwrap();
        assert_audited(&run);
        // Nothing but the rounding of the start.
        assert!(
            run.energy.contacts < 1e-12 * run.energy.start,
            "{:?}",
            run.energy
        );
        let last = run.samples.last().unwrap();
        let off = [
            last.tilt - expected.at.tilt,
            apart(last.azimuth, expected.at.azimuth),
        ];
        let sums = (run.largest_tilt / expected.largest - 1.0).abs();
        // The bar is 1e-6.
        assert!(
            off.iter().all(|off| off.abs() < 1e-9),
            "{off:?} {expected:?}"
        );
        // A largest tilt between two steps.
        assert!(sums < 1e-5, "{sums}");
    }
}

/// Stationary wobbling: a cylinder of radius a and height 2h tilted by θ rolls on its rim while its centre stays where
/// it is, with the precession Ω² sin θ (I₁ cos θ − I₃ (h/a) sin θ) = m g (a cos θ − h sin θ), from the balance of
/// moments of a steady precession; for h = 0 it is Euler's disc, Ω² = 4g/(a sin θ).
#[test]
fn a_cylinder_wobbles_steadily_at_the_rate_of_the_closed_form() {
    for (a, h, tilt) in [
        (0.25f64, 0.4f64, 0.15f64),
        (0.25, 1e-3, 0.05),
        (0.1, 0.02, 0.8),
    ] {
        let (sin, cos) = tilt.sin_cos();
        let (i1, i3) = (a * a / 4.0 + h * h / 3.0, a * a / 2.0);
        let drive = G * (a * cos - h * sin);
        let precession = (drive / (sin * (i1 * cos - i3 * h / a * sin))).sqrt();
        let start = Lean {
            tilt,
            turns: precession,
            // The centre stays where the rim does not slip.
            spin: h / a * precession * sin,
            ..Lean::default()
        };
        let body = SpatialBody::cylinder(a, 2.0 * h, 24, 2500.0).unwrap();
        let options = options(
            &start,
            SpatialOptions {
                step: 1e-3,
                sample: Some(1e-3),
                ..SpatialOptions::new(2.0, 10.0)
            },
        );
        let run = body.run(&SpatialMotion::default(), G, &options).unwrap();
        assert_audited(&run);
        for sample in &run.samples {
            let azimuth = precession * sample.time;
            assert!((sample.tilt / tilt - 1.0).abs() < 1e-8, "{sample:?}");
            assert!(
                apart(sample.azimuth, azimuth) < 1e-8 * (1.0 + azimuth),
                "{sample:?}"
            );
        }
    }
}

/// A cylinder that keeps to a plane is the block in the plane that has its radius, its height and its moment, impacts
/// and all (Housner 1963), whichever way the plane lies.
#[test]
fn a_cylinder_in_a_plane_is_the_plane_block() {
    let (a, height) = (0.25f64, 2.0f64);
    let moment = a * a / 4.0 + height * height / 12.0;
    let block = RockingBlock::unsymmetric(a, a, 0.5 * height, moment, G).unwrap();
    let wave = waves(4.5, 2.0, 0.0);
    let motion = GroundMotion::horizontal(wave.clone());
    let plane = simulate(&block, &Restitution::housner(), &motion, &Options::new(4.0)).unwrap();
    let body = SpatialBody::cylinder(a, height, 24, 2500.0).unwrap();
    for azimuth in [0.0, 0.6] {
        let motion = SpatialMotion {
            components: [wave.clone(), Component::at_rest(), Component::at_rest()],
        };
        let motion = motion.incident(azimuth, 1.0).unwrap();
        let options = SpatialOptions {
            step: 5e-4,
            ..SpatialOptions::new(4.0, 1.0)
        };
        let run = body.run(&motion, G, &options).unwrap();
        assert_audited(&run);
        let off = run.largest_tilt / plane.largest_rotation - 1.0;
        assert!(off.abs() < 2e-5, "{azimuth}: {off}");
    }
}

/// On ice the mass centre falls straight down: at each tilt ½ θ′² (I₁ + (dz/dθ)²) = g (z₀ − z), z = h cos θ + a sin θ.
#[test]
fn a_cylinder_on_ice_falls_by_its_energy() {
    let (a, h) = (0.25f64, 0.6f64);
    let tilt = (a / h).atan() + 0.05;
    let moment = a * a / 4.0 + h * h / 3.0;
    let body = SpatialBody::cylinder(a, 2.0 * h, 24, 2500.0).unwrap();
    let options = SpatialOptions {
        sample: Some(0.05),
        ..SpatialOptions::released(0.9, 0.0, tilt, 0.4)
    };
    let run = body.run(&SpatialMotion::default(), G, &options).unwrap();
    assert_audited(&run);
    let height = |t: f64| h * t.cos() + a * t.sin();
    assert!(run.samples.len() > 5, "{run:?}");
    for sample in run.samples.iter().skip(1) {
        let lever = a * sample.tilt.cos() - h * sample.tilt.sin();
        let rate = 2.0 * G * (height(tilt) - height(sample.tilt)) / (moment + lever * lever);
        let found = sample.angular_velocity.length();
        assert!(
            (found / rate.sqrt() - 1.0).abs() < 1e-7,
            "{found} {rate} {sample:?}"
        );
    }
}

/// A push of g R/h tips a cylinder, to any side and of however few sides the prism is; a little less does not.
#[test]
fn a_push_over_the_slenderness_tips_to_any_side() {
    let (a, height) = (0.25f64, 2.0f64);
    let body = SpatialBody::cylinder(a, height, 5, 2500.0).unwrap();
    for k in 0..7 {
        let azimuth = 0.37 + 0.9 * f64::from(k);
        for (part, tips) in [(1.0 - 1e-6, false), (1.0 + 1e-6, true)] {
            let push = Component::constant(part * G * a / (0.5 * height), 0.3).unwrap();
            let motion = along(push, Component::at_rest());
            let motion = motion.incident(azimuth, 1.0).unwrap();
            let run = body
                .run(&motion, G, &SpatialOptions::new(0.25, 1.0))
                .unwrap();
            assert_eq!(run.largest_tilt > 0.0, tips, "{azimuth} {part}: {run:?}");
        }
    }
}

/// A cylinder that rocks in a plane loses energy at each impact, as a series without end, until the cutoff ends it: it
/// stands on its face with nothing left, in a finite time, and what the cutoff took is a contact's loss.
#[test]
fn a_cylinder_that_rocks_in_a_plane_comes_to_rest() {
    let body = SpatialBody::cylinder(0.25, 0.8, 24, 2500.0).unwrap();
    let options = SpatialOptions::released(4.0, 1.0, 0.1, 0.3);
    let run = body.run(&SpatialMotion::default(), G, &options).unwrap();
    assert_audited(&run);
    assert_eq!(run.outcome, SpatialOutcome::Settled);
    assert!(run.residual_tilt < 1e-15, "{}", run.residual_tilt);
    let upright = body.body().mass() * G * 0.4;
    assert!(
        (run.energy.end / upright - 1.0).abs() < 1e-12,
        "{:?}",
        run.energy
    );
}

/// A drum that rolls on without loss stands where its energy is less than what overturns it, on a base that has come to
/// rest; on one that is to move, and with as much, that is open.
#[test]
fn what_has_too_little_energy_to_overturn_stands() {
    let body = SpatialBody::cylinder(0.25, 2.0, 24, 2500.0).unwrap();
    let critical = 0.25f64.atan();
    let start = |tilt: f64, turns: f64| Lean {
        tilt,
        turns,
        ..Lean::default()
    };
    for (tilt, turns, outcome) in [
        (0.5 * critical, 1.0, SpatialOutcome::Wobbling),
        (0.9 * critical, 3.0, SpatialOutcome::Rocking),
    ] {
        let options = options(&start(tilt, turns), SpatialOptions::new(0.3, 2.0));
        let run = body.run(&SpatialMotion::default(), G, &options).unwrap();
        assert_eq!(run.outcome, outcome, "{run:?}");
        let moves = along(waves(0.1, 1.0, 0.0), Component::at_rest());
        let run = body.run(&moves, G, &options).unwrap();
        assert_eq!(run.outcome, SpatialOutcome::Rocking, "{run:?}");
    }
}

/// With little friction the rim of a disc slides where it wobbles, and loses what friction takes; energy is accounted
/// for from sliding to sticking and back.
#[test]
fn a_disc_that_slides_loses_what_friction_takes() {
    let body = SpatialBody::cylinder(0.25, 0.2, 24, 2500.0).unwrap();
    let start = Lean {
        tilt: 0.2,
        turns: 3.0,
        spin: 1.0,
        ..Lean::default()
    };
    for friction in [0.05, 0.2] {
        let options = options(&start, SpatialOptions::new(6.0, friction));
        let run = body.run(&SpatialMotion::default(), G, &options).unwrap();
        let energy = run.energy;
        assert!(energy.imbalance.abs() < 1e-7 * energy.start, "{energy:?}");
        assert!(energy.contacts > 0.1 * energy.start, "{energy:?}");
        assert!(energy.scheme.abs() < 1e-6 * energy.start, "{energy:?}");
    }
}

/// The number of sides is that of the prism of impacts alone: a fall without one is the same to rounding, and at any
/// step.
#[test]
fn neither_sides_nor_steps_move_a_fall() {
    let motion = along(waves(2.0, 1.5, 0.0), waves(3.0, 1.0, 0.0));
    let tilts = |facets: usize, step: f64| {
        let body = SpatialBody::cylinder(0.3, 1.2, facets, 2500.0).unwrap();
        let options = SpatialOptions {
            step,
            sample: Some(0.4),
            ..SpatialOptions::released(1.2, 3.0, 0.2, 0.7)
        };
        let run = body.run(&motion, G, &options).unwrap();
        assert!(matches!(run.outcome, SpatialOutcome::Rocking));
        run.samples.last().unwrap().tilt
    };
    let expected = tilts(24, 5e-4);
    for (facets, step) in [(6, 5e-4), (600, 5e-4), (24, 1e-3), (24, 1e-2)] {
        let off = tilts(facets, step) - expected;
        assert!(off.abs() < 1e-8, "{facets} {step}: {off}");
    }
}
