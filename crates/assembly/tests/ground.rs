//! A basin driven by pieces of a base motion is as sharp as one driven by the same motion in closed form.

use klast_assembly::{
    Assembly, Basin, BasinMotion, Block, BlockRow, Frequency, ImpactRule, Restitution, Start,
    StartVelocity,
};
use klast_ground_motion::{Component, Law};

const AMPLITUDE: f64 = 0.03;
const FREQUENCY: f64 = 1.7;
const OMEGA: f64 = std::f64::consts::TAU * FREQUENCY;

/// Three unequal blocks, of which dying sequences of impacts bring one after the other to rest at a wall.
fn released(motion: BasinMotion, shift: f64) -> Assembly {
    let block = |size, mass, friction| Block {
        size,
        mass,
        friction,
    };
    let row = BlockRow::new(vec![
        block(0.03, 0.1, 0.03),
        block(0.05, 0.3, 0.1),
        block(0.02, 0.02, 0.0),
    ])
    .unwrap();
    let basin = Basin::new(0.2, motion, Restitution::new(0.5, 0.6).unwrap()).unwrap();
    let mut start = Start::spread(3, 0.1, StartVelocity::AtRest);
    start.gaps[0] += shift;
    Assembly::new(basin, &row, &start, ImpactRule::LowestFirst).unwrap()
}

/// Largest distance of blocks in two runs.
fn apart(a: &Assembly, b: &Assembly) -> f64 {
    let (a, b) = (a.state(), b.state());
    let pairs = a.iter().zip(&b);
    pairs
        .map(|(a, b)| (a.free - b.free).abs())
        .fold(0.0, f64::max)
}

#[test]
fn dying_bounces_end_alike_under_a_sine_and_under_its_pieces() {
    let sine = Law::Sine {
        amplitude: -AMPLITUDE * OMEGA * OMEGA,
        omega: OMEGA,
        phase: 0.0,
    };
    let later = Law::Sine {
        amplitude: -AMPLITUDE * OMEGA * OMEGA,
        omega: OMEGA,
        phase: 0.7 * OMEGA,
    };
    let whole =
        Component::harmonic_displacement(AMPLITUDE, Frequency::rad_per_s(OMEGA), 0.0).unwrap();
    let two = [(0.7, sine), (f64::INFINITY, later)];
    let two = Component::chain(0.0, 0.0, AMPLITUDE * OMEGA, &two).unwrap();
    let harmonic = || BasinMotion::harmonic(AMPLITUDE, Frequency::hertz(FREQUENCY)).unwrap();
    let mut expected = released(harmonic(), 0.0);
    let mut moved = released(harmonic(), 1e-15);
    let mut runs = [
        released(BasinMotion::Ground(whole), 0.0),
        released(BasinMotion::Ground(two), 0.0),
    ];
    for time in [0.9, 0.95, 1.0, 1.3, 2.0] {
        expected.advance_to(time).unwrap();
        moved.advance_to(time).unwrap();
        // Coordinates of some 0.1 m round by 1e-17 m, the pieces carry velocities of 0.3 m/s that round by 3e-17 m/s:
        // no more than a start that differs by 1e-15 m makes.
        let allowed = apart(&expected, &moved).max(1e-15);
        for run in &mut runs {
            run.advance_to(time).unwrap();
            let found = apart(&expected, run);
            assert!(found < allowed, "{time} s: {found:e}, allowed {allowed:e}");
        }
    }
}
