//! The reference run of many blocks against an independent event-driven code and its multi-precision twin.

use crate::common;

use common::released;
use klast_assembly::{Assembly, BlockState, DEFAULT_CUTOFF, Event};

fn reference_run(n: usize) -> Assembly {
    released(n, DEFAULT_CUTOFF, 0.0)
}

fn close(found: f64, expected: f64, relative: f64) {
    assert!(
        (found - expected).abs() <= relative * expected.abs(),
        "found {found}, expected {expected}"
    );
}

/// Values of an independent event code, reproduced by multi-precision arithmetic to the digits given.
struct Expected {
    periods: f64,
    pairs: u64,
    stops: u64,
    slips: u64,
    /// Kinetic energy, work of the drive, heat of impacts, heat of friction.
    energy: [f64; 4],
    /// Mean coordinate and slip, first and last coordinate.
    state: [f64; 4],
}

/// A disturbance of 1e-12 changes these values by less than 1e-11 relative, hence 1e-10 can be demanded.
fn check(n: usize, expected: &Expected) {
    let mut run = reference_run(n);
    run.advance_to(expected.periods * std::f64::consts::TAU)
        .unwrap();
    let e = run.energy();
    for (found, expected) in [e.kinetic, e.drive, e.impacts, e.friction]
        .iter()
        .zip(expected.energy)
    {
        close(*found, expected, 1e-10);
    }
    let state = run.state();
    let mean = |f: fn(&BlockState) -> f64| state.iter().map(f).sum::<f64>() / n as f64;
    let found = [
        mean(|b| b.free),
        mean(|b| b.slip),
        state[0].free,
        state[n - 1].free,
    ];
    for (found, expected) in found.iter().zip(expected.state) {
        close(*found, expected, 1e-10);
    }
    let counts = run.counts();
    assert_eq!(counts.slips, expected.slips);
    // A bounce that dies at a wall is followed here down to the cut-off, there to the rounding of the coordinate: each
    // hop more is one impact and one stop.
    let hops = counts.stops.abs_diff(expected.stops);
    assert!(hops <= if n > 64 { 100 } else { 0 }, "{counts:?}");
    assert!(
        counts.pair_impacts.abs_diff(expected.pairs).abs_diff(hops) <= 1,
        "{counts:?}"
    );
    // Rounding of a sum of 1e5 terms kept with compensation.
    assert!(
        e.relative_residual().abs() < 1e-13,
        "{:e}",
        e.relative_residual()
    );
}

#[test]
fn eight_blocks() {
    let expected = Expected {
        periods: 2.0,
        pairs: 127,
        stops: 5,
        slips: 8,
        energy: [
            30.85642842429543,
            52.3520892790153,
            21.72772771023826,
            3.7679331444816246,
        ],
        state: [
            4.510019099065115,
            0.6578432107152088,
            0.9746273867211398,
            7.276339059915658,
        ],
    };
    check(8, &expected);
}

#[test]
fn sixty_four_blocks() {
    let expected = Expected {
        periods: 2.0,
        pairs: 7729,
        stops: 70,
        slips: 64,
        energy: [
            271.64773280221635,
            441.7488816866299,
            173.378827175032,
            28.72232170938141,
        ],
        state: [
            3.729248848303211,
            0.791975693176144,
            0.015702085442505304,
            7.396761768411554,
        ],
    };
    check(64, &expected);
}

#[test]
fn thousand_blocks() {
    let expected = Expected {
        periods: 0.5,
        pairs: 147389,
        stops: 271,
        slips: 1024,
        energy: [
            1168.876313793848,
            764.9236279385514,
            52.12053094913721,
            55.92678319556539,
        ],
        state: [
            6.2204580515051795,
            0.8100326385548762,
            3.0513284936648466,
            8.0,
        ],
    };
    check(1024, &expected);
}

/// 345 stops here, 271 in the reference: one bounce dies at the right wall, and each of its hops is one impact and one
/// stop. Here it is followed down to the cut-off of speeds, there to the hops that lift the coordinate 8 by some ten of
/// its roundings. Nothing else differs: the count does not feel a disturbance, so it is no chaos, and it falls with the
/// cut-off by the law of a dying bounce.
#[test]
fn stops_of_a_thousand_blocks_count_the_hops_of_one_bounce() {
    let run_with = |cutoff: f64, shift: f64| {
        let mut run = released(1024, cutoff, shift);
        run.record_events();
        run.advance_to(std::f64::consts::PI).unwrap();
        run
    };
    let stops = |cutoff: f64, shift: f64| run_with(cutoff, shift).counts().stops;
    let mut run = run_with(DEFAULT_CUTOFF, 0.0);
    let here = run.counts().stops;
    for shift in [1e-15, 1e-13, 1e-12] {
        assert_eq!(stops(DEFAULT_CUTOFF, shift), here, "{shift}");
    }
    // Most of the stops crowd where the bounce dies: their median is there.
    let times: Vec<f64> = run
        .take_events()
        .into_iter()
        .filter_map(|e| match e {
            Event::Stop { time, .. } => Some(time),
            _ => None,
        })
        .collect();
    let dying = times[times.len() / 2];
    println!("{} stops, the bounce dies at {dying}", times.len());
    // Away from the wall a hop is slowed by pull and floor, back it is driven by the pull less the floor.
    let (pull, floor) = (dying.sin(), 0.02);
    let kept = 0.9 * ((pull - floor) / (pull + floor)).sqrt();
    for cutoff in [1e-10, 1e-9, 1e-8, 1e-7, 1e-6] {
        let expected = here as f64 - (cutoff / DEFAULT_CUTOFF).ln() / (1.0 / kept).ln();
        let found = stops(cutoff, 0.0);
        println!("{cutoff:e}: {found} stops, {expected:.1} expected");
        // A whole number of hops on either side.
        assert!(
            (expected - found as f64).abs() <= 2.0,
            "{cutoff:e}: {found}"
        );
    }
    // Where the hops of the reference end: w²/2a of some roundings of 8, each 9e-16.
    let speed = |roundings: f64| (2.0 * pull * roundings * 9e-16).sqrt();
    let (most, least) = (stops(speed(1.0), 0.0), stops(speed(100.0), 0.0));
    println!("{least} to {most} stops if hops end between one and a hundred roundings");
    assert!((least..=most).contains(&271), "{least} {most}");
}
