//! The same bits on any number of threads, and the bits that were.

use crate::common;

use common::{OnPlane, material};
use glam::DVec3;
use klast_dynamics::single::Limits;
use klast_dynamics::{Body, State, Twist};
use klast_geometry::{Pose, Solid};
use klast_sampling::ensemble;
use rand::SeedableRng;
use rand_pcg::Pcg64;
use std::ops::ControlFlow;

/// FNV-1a over the bits of numbers.
fn hash(bits: impl IntoIterator<Item = f64>) -> u64 {
    let fold = |h: u64, x: f64| {
        x.to_bits()
            .to_le_bytes()
            .iter()
            .fold(h, |h, b| (h ^ u64::from(*b)).wrapping_mul(0x0100_0000_01b3))
    };
    bits.into_iter().fold(0xcbf2_9ce4_8422_2325, fold)
}

/// Cubes and boxes tumble down a plane: flights of both kinds, impacts of one to four points, sliding, rolling, rest.
fn tumble(index: u64) -> u64 {
    let edges = if index.is_multiple_of(3) {
        DVec3::new(1.0, 1.4, 0.8)
    } else {
        DVec3::ONE
    };
    let body = Body::uniform(&Solid::Box { edges }.with_volume(1.0).unwrap(), 2700.0).unwrap();
    let tilt = 30f64.to_radians();
    let gravity = 9.81 * DVec3::new(libm::sin(tilt), 0.0, -libm::cos(tilt));
    let limits = Limits {
        time: 8.0,
        ..Limits::default()
    };
    let run = OnPlane::level(gravity, material(0.35, 0.6), limits);
    let mut rng = Pcg64::seed_from_u64(index);
    let pose = Pose {
        rotation: common::attitude(&mut rng),
        translation: DVec3::new(0.0, 0.0, 3.0),
    };
    let start = State {
        pose,
        velocity: Twist {
            linear: DVec3::ZERO,
            angular: common::direction(&mut rng) * 5.0,
        },
    };
    let end = run.run(&body, start, &mut ());
    let (p, v) = (end.state.pose, end.state.velocity);
    let numbers = [
        p.translation.to_array(),
        v.linear.to_array(),
        v.angular.to_array(),
    ]
    .concat();
    hash(
        numbers
            .into_iter()
            .chain(p.rotation.to_array())
            .chain([end.time, end.tally.energy.lost]),
    )
}

#[test]
fn on_any_number_of_threads() {
    let of = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .unwrap();
        let mut all = Vec::new();
        let sink = |_, h| {
            all.push(h);
            ControlFlow::Continue(())
        };
        pool.install(|| ensemble(0..60, tumble, sink));
        all
    };
    let one = of(1);
    for threads in [2, 3, 7] {
        assert_eq!(of(threads), one, "{threads} threads");
    }
    let total = one
        .iter()
        .fold(0u64, |h, x| (h ^ x).wrapping_mul(0x0100_0000_01b3));
    // If a change was meant to move the answers, put the new value here and say in the CHANGELOG what moved.
    assert_eq!(total, 0x8f7c_cb9c_3674_0912, "{total:#018x}");
}
