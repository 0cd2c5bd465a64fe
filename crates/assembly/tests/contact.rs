//! Persistent contact: what stays together, what parts, and the impulses inside.

use std::f64::consts::TAU;

use klast_assembly::{
    Assembly, Basin, BasinMotion, Block, BlockRow, Frequency, ImpactRule, Restitution, Start,
    StartVelocity,
};

fn block(mass: f64, friction: f64) -> Block {
    Block {
        size: 0.1,
        mass,
        friction,
    }
}

fn still(blocks: Vec<Block>, e: f64, start: Start) -> Assembly {
    let row = BlockRow::new(blocks).unwrap();
    let motion = BasinMotion::harmonic(0.0, Frequency::hertz(1.0)).unwrap();
    let basin = Basin::new(
        row.total_size() + 50.0,
        motion,
        Restitution::new(e, e).unwrap(),
    )
    .unwrap();
    Assembly::new(basin, &row, &start, ImpactRule::Complementarity).unwrap()
}

/// Sliding to the right, a block with little friction pushes one with more: both slow down at the mean deceleration.
#[test]
fn the_smoother_block_behind_pushes() {
    let start = Start {
        gaps: vec![1.0, 0.0],
        velocity: StartVelocity::Given(vec![4.0, 4.0]),
    };
    let mut run = still(vec![block(2.0, 0.1), block(1.0, 0.4)], 0.5, start);
    assert_eq!(run.clusters(), [(0, 1)]);
    run.advance_to(1.0).unwrap();
    let slowing = 9.81 * (2.0 * 0.1 + 1.0 * 0.4) / 3.0;
    for b in run.state() {
        // Two multiplications away from the closed form.
        assert!((b.velocity - (4.0 - slowing)).abs() < 1e-14);
        assert!((b.free - (1.0 + 4.0 - 0.5 * slowing)).abs() < 1e-14);
    }
    run.advance_to(10.0).unwrap();
    assert_eq!(run.clusters(), [(0, 1)]);
    let stop = 1.0 + 16.0 / (2.0 * slowing);
    assert!((run.state()[0].free - stop).abs() < 1e-13 && run.state()[1].velocity == 0.0);
}

/// The other way round the contact would have to pull: it opens at once, and each slides as if alone.
#[test]
fn the_rougher_block_behind_is_left() {
    let start = Start {
        gaps: vec![1.0, 0.0],
        velocity: StartVelocity::Given(vec![4.0, 4.0]),
    };
    let mut run = still(vec![block(2.0, 0.4), block(1.0, 0.1)], 0.5, start);
    assert_eq!(run.clusters(), [(0, 0), (1, 1)]);
    run.advance_to(10.0).unwrap();
    for (b, mu) in run.state().iter().zip([0.4, 0.1]) {
        assert!(
            (b.free - (1.0 + 16.0 / (2.0 * mu * 9.81))).abs() < 1e-13,
            "{b:?}"
        );
    }
    assert_eq!(run.counts().impacts, 0);
}

/// A drive between the two thresholds moves the smooth block only where nothing holds it: away from the rough one.
#[test]
fn pooled_friction_holds_a_row_at_rest() {
    let row = || BlockRow::new(vec![block(1.0, 0.05), block(1.0, 0.15)]).unwrap();
    // Peak acceleration 0.8 m/s²: above 0.05 g = 0.49, below the pooled 0.1 g = 0.98.
    let omega = TAU;
    let motion = BasinMotion::harmonic(0.8 / (omega * omega), Frequency::hertz(1.0)).unwrap();
    let basin = Basin::new(10.2, motion, Restitution::new(0.5, 0.0).unwrap()).unwrap();
    let start = Start {
        gaps: vec![5.0, 0.0],
        velocity: StartVelocity::WithBasin,
    };
    let mut run = Assembly::new(basin, &row(), &start, ImpactRule::Complementarity).unwrap();
    // First half: the inertia force points to the right and presses the smooth block against the rough one.
    run.advance_to(0.5).unwrap();
    assert_eq!(run.clusters(), [(0, 1)]);
    assert_eq!(run.counts().slips, 0);
    // Second half: it points to the left, and the smooth block slides off alone.
    run.advance_to(0.75).unwrap();
    assert_eq!(run.clusters(), [(0, 0), (1, 1)]);
    assert_eq!(run.counts().slips, 1);
    let state = run.state();
    assert!(state[0].free < 5.0 && state[1].free == 5.0, "{state:?}");
}

/// Impulses through the contacts of a rigid row that meets the wall fall off linearly with the mass behind.
#[test]
fn impulses_inside_a_rigid_row() {
    let masses = [1.0, 2.0, 3.0, 4.0];
    let start = Start {
        gaps: vec![1.0, 0.0, 0.0, 0.0],
        velocity: StartVelocity::Given(vec![-2.0; 4]),
    };
    let mut run = still(masses.iter().map(|m| block(*m, 0.0)).collect(), 0.5, start);
    run.advance_to(1.0).unwrap();
    let (e, v) = (0.5, 2.0);
    for (i, record) in run.interfaces().iter().enumerate() {
        let behind: f64 = masses[i..].iter().sum();
        // Momentum of all that lies behind the contact.
        assert!(
            (record.impulse - (1.0 + e) * v * behind).abs() < 1e-12,
            "{i} {record:?}"
        );
        assert_eq!(record.impacts, u64::from(i < 4));
    }
    assert!(run.state().iter().all(|b| b.velocity == e * v));
}

/// A ball that bounces to rest against a wall pushed by the floor: the bounces accumulate at a known time.
#[test]
fn accumulating_impacts_end_in_contact() {
    // A basin that accelerates evenly to the right: the block falls onto the left wall.
    let pull = 2.0;
    let motion =
        BasinMotion::Ground(klast_ground_motion::Component::constant(pull, 100.0).unwrap());
    let row = BlockRow::new(vec![block(1.0, 0.0)]).unwrap();
    let e: f64 = 0.5;
    let basin = Basin::new(10.1, motion, Restitution::new(e, e).unwrap()).unwrap();
    let start = Start {
        gaps: vec![1.0],
        velocity: StartVelocity::AtRest,
    };
    let mut run = Assembly::new(basin, &row, &start, ImpactRule::Complementarity).unwrap();
    run.record_events();
    run.advance_to(10.0).unwrap();
    // Fall √(2h/a), then hops of e, e², …: the sum of the geometric series.
    let last = (2.0 / pull).sqrt() * (1.0 + 2.0 * e / (1.0 - e));
    let events = run.take_events();
    let end = events.last().unwrap().time();
    // The cut-off leaves hops of a few 1e-11 of the velocity scale out.
    assert!((end - last).abs() < 1e-8, "{end} {last}");
    let state = run.state();
    assert_eq!((state[0].free, state[0].slip), (0.0, 0.0));
    // What is left of the bounce was dissipated: potential energy of the fall, m a h.
    assert!((run.energy().impacts - pull).abs() < 1e-9);
    assert!(run.energy().relative_residual().abs() < 1e-12);
}

/// A velocity jump of the basin (the end of a lead-in out of phase) sets resting blocks sliding.
#[test]
fn a_jump_of_the_basin_velocity() {
    let motion = BasinMotion::harmonic_with_lead_in(0.001, Frequency::hertz(1.0), 0.25).unwrap();
    let before = motion.at(0.25 - 1e-12).velocity;
    let after = motion.at(0.25).velocity;
    assert!((before - after).abs() > 1e-3);
    let row = BlockRow::new(vec![block(1.0, 0.5)]).unwrap();
    let basin = Basin::new(1.1, motion, Restitution::new(0.5, 0.5).unwrap()).unwrap();
    let start = Start {
        gaps: vec![0.5],
        velocity: StartVelocity::WithBasin,
    };
    let mut run = Assembly::new(basin, &row, &start, ImpactRule::Complementarity).unwrap();
    run.advance_to(0.25).unwrap();
    let slip = run.state()[0].slip;
    // The block keeps its velocity over the jump.
    assert!((slip - (before - after)).abs() < 1e-9, "{slip}");
    run.advance_to(2.0).unwrap();
    let e = run.energy();
    assert!(e.relative_residual().abs() < 1e-12, "{e:?}");
}
