//! The lead-in of the shaking table in the runs of Table 9.3, against the second implementation with 77 decimals.
//!
//! Each row comes to rest against the left wall before it slides off for good, and that forgets all impacts before:
//! from then on it moves as one block, whatever the restitutions. So one block with plastic impacts is the exact
//! answer.

use crate::second;

use std::f64::consts::TAU;

use klast_assembly::{
    Assembly, Basin, BasinMotion, Block, BlockRow, Event, Frequency, ImpactRule, Restitution,
    Start, StartVelocity,
};
use second::rules::Rule;
use second::solver::{Case, Solver, What};
use second::wide::Wide;

const END: f64 = 14.0;

/// Blocks, amplitude in mm, twice the frequency in Hz.
const RUNS: [(i64, i64, i64); 5] = [(4, 40, 2), (4, 40, 4), (8, 8, 8), (8, 75, 1), (4, 75, 1)];

fn row(count: i64, amplitude: i64, double_frequency: i64, wall: f64) -> Assembly {
    let motion = BasinMotion::harmonic_with_lead_in(
        amplitude as f64 / 1e3,
        Frequency::hertz(0.5 * double_frequency as f64),
        2.0,
    )
    .unwrap();
    let basin = Basin::new(0.394, motion, Restitution::new(wall, 0.6).unwrap()).unwrap();
    let block = Block {
        size: 0.04,
        mass: 0.05224,
        friction: 0.03,
    };
    let blocks = BlockRow::uniform(count as usize, block).unwrap();
    let start = Start::touching(count as usize, StartVelocity::AtRest);
    Assembly::new(basin, &blocks, &start, ImpactRule::LowestFirst).unwrap()
}

fn one_plastic_block(count: i64, amplitude: i64, double_frequency: i64) -> Solver {
    let case = Case {
        mass: vec![1.0],
        grip: vec![0.0],
        free: Wide::int(394 - 40 * count).over(1000),
        walls: 0.0,
        blocks: 0.0,
        rule: Rule::Complementarity,
        places: vec![Wide::ZERO],
        kicked: true,
        waves: vec![(
            Wide::int(amplitude).over(1000),
            Wide::pi() * Wide::int(double_frequency),
            Wide::ZERO,
        )],
        lead_in: Some(Wide::int(2)),
        record: Vec::new(),
    };
    // μ g = 0.03 · 9.81.
    Solver::with(
        case,
        vec![Wide::int(2943).over(10_000)],
        (Wide::ZERO, Wide::ZERO),
    )
}

#[test]
fn rows_end_where_one_plastic_block_ends() {
    for (count, amplitude, double_frequency) in RUNS {
        let mut exact = one_plastic_block(count, amplitude, double_frequency);
        exact.advance(Wide::int(14));
        let (gap, slip) = exact.state()[0];
        let hit = exact
            .log
            .iter()
            .rposition(|h| matches!(h.what, What::Impact(_)));
        let left = exact.log[hit.map_or(0, |h| h + 1)..]
            .iter()
            .find(|h| matches!(h.what, What::Slip(_)));
        println!(
            "{count} blocks, {amplitude} mm, {double_frequency}/2 Hz: gap {gap} m, leaves the wall at {:?} s",
            left.map(|h| h.time)
        );
        for wall in [0.3, 0.6] {
            let mut run = row(count, amplitude, double_frequency, wall);
            run.advance_to(END).unwrap();
            let speed = 1e-3 * amplitude as f64 * TAU * 0.5 * double_frequency as f64;
            for b in run.state() {
                // What is asked of the product: 1e-9 m, and the same part of the speed of the basin.
                assert!((b.free - gap).abs() < 1e-9, "{} {gap}", b.free);
                assert!((b.slip - slip).abs() < 1e-9 * speed, "{} {slip}", b.slip);
            }
        }
    }
}

/// The acceleration of the table swings within t/t_r of u0 Ω², so a block that holds up to half of that slips within a
/// period of half the lead-in, however many periods that are.
#[test]
fn a_block_under_a_lead_in_of_any_length_slips() {
    const PERIODS: f64 = 3e5;
    let gravity = 9.81;
    let motion = BasinMotion::harmonic_with_lead_in(0.01, Frequency::hertz(1.0), PERIODS).unwrap();
    let basin = Basin::new(0.4, motion, Restitution::new(0.6, 0.6).unwrap())
        .and_then(|basin| basin.with_gravity(gravity))
        .unwrap();
    let block = Block {
        size: 0.04,
        mass: 0.05,
        friction: 0.5 * 0.01 * TAU * TAU / gravity,
    };
    let start = Start {
        gaps: vec![0.18],
        velocity: StartVelocity::AtRest,
    };
    let row = BlockRow::new(vec![block]).unwrap();
    let mut run = Assembly::new(basin, &row, &start, ImpactRule::Complementarity).unwrap();
    run.record_events();
    run.advance_to(0.5 * PERIODS + 2.0).unwrap();
    let slips: Vec<Event> = run.take_events();
    let first = slips.first().map(Event::time);
    assert!(
        first.is_some_and(|time| (time - 0.5 * PERIODS).abs() < 1.0),
        "{first:?}"
    );
}
