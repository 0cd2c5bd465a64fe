//! The reference run of many blocks against an independent event-driven code and its multi-precision twin.

use klast_assembly::*;

fn reference_run(n: usize) -> Assembly {
    // Unit amplitude and unit angular frequency: free travel 8, friction level 0.02.
    let size = 1.0 / n as f64;
    let row = BlockRow::uniform(
        n,
        Block {
            size,
            mass: 1.0,
            friction: 0.02 / 9.81,
        },
    )
    .unwrap();
    let motion = BasinMotion::harmonic(1.0, 1.0 / std::f64::consts::TAU).unwrap();
    let basin = Basin::new(9.0, motion, Restitution::new(0.9, 0.9999).unwrap()).unwrap();
    let start = Start::spread(n, 8.0, StartVelocity::WithBasin);
    Assembly::new(basin, &row, &start, ImpactRule::Complementarity).unwrap()
}

fn close(found: f64, expected: f64, relative: f64) {
    assert!(
        (found - expected).abs() <= relative * expected.abs(),
        "found {found}, expected {expected}"
    );
}

/// Independent values: event code in Python, reproduced by multi-precision arithmetic to the digits given.
/// A disturbance of 1e-12 changes them by less than 1e-11 relative, hence 1e-10 can be demanded.
fn check(
    n: usize,
    periods: f64,
    pairs: u64,
    stops: u64,
    slips: u64,
    energy: [f64; 4],
    mean: [f64; 2],
    ends: [f64; 2],
) {
    let mut run = reference_run(n);
    run.advance_to(periods * std::f64::consts::TAU).unwrap();
    let e = run.energy();
    let counts = run.counts();
    println!("{counts:?} {e:?} {:e}", e.relative_residual());
    for (found, expected) in [e.kinetic, e.drive, e.impacts, e.friction]
        .iter()
        .zip(energy)
    {
        close(*found, expected, 1e-10);
    }
    let state = run.state();
    close(
        state.iter().map(|b| b.free).sum::<f64>() / n as f64,
        mean[0],
        1e-10,
    );
    close(
        state.iter().map(|b| b.slip).sum::<f64>() / n as f64,
        mean[1],
        1e-10,
    );
    close(state[0].free, ends[0], 1e-10);
    close(state[n - 1].free, ends[1], 1e-10);
    assert_eq!(counts.slips, slips);
    // The last hops of a dying bounce depend on the cut-off: each is one impact and one stop.
    let hops = counts.stops.abs_diff(stops);
    assert!(hops <= if n > 64 { 10 } else { 0 }, "{counts:?}");
    assert_eq!(counts.pair_impacts.abs_diff(pairs), hops);
    // Rounding of a sum of 1e5 terms kept with compensation.
    assert!(
        e.relative_residual().abs() < 1e-13,
        "{:e}",
        e.relative_residual()
    );
}

#[test]
fn eight_blocks() {
    check(
        8,
        2.0,
        127,
        5,
        8,
        [
            30.85642842429543,
            52.3520892790153,
            21.72772771023826,
            3.7679331444816246,
        ],
        [4.510019099065115, 0.6578432107152088],
        [0.9746273867211398, 7.276339059915658],
    );
}

#[test]
fn sixty_four_blocks() {
    check(
        64,
        2.0,
        7729,
        70,
        64,
        [
            271.64773280221635,
            441.7488816866299,
            173.378827175032,
            28.72232170938141,
        ],
        [3.729248848303211, 0.791975693176144],
        [0.015702085442505304, 7.396761768411554],
    );
}

#[test]
fn thousand_blocks() {
    check(
        1024,
        0.5,
        147389,
        271,
        1024,
        [
            1168.876313793848,
            764.9236279385514,
            52.12053094913721,
            55.92678319556539,
        ],
        [6.2204580515051795, 0.8100326385548762],
        [3.0513284936648466, 8.0],
    );
}
