//! Tangent touches: a root of the gap that double precision knows to its square or cube root only is found as a simple
//! root of the derivative.

use std::f64::consts::{PI, TAU};

use klast_assembly::analysis::{ContactPoint, FirstCollision};
use klast_assembly::{
    Assembly, Basin, BasinMotion, Block, BlockRow, Collision, Event, Frequency, ImpactRule,
    Restitution, Start, StartVelocity,
};

/// Blocks of size 1 and given frictions in a basin of unit amplitude and angular frequency without gravity's part in μ
/// g.
fn released(
    free: f64,
    e: f64,
    gaps: &[f64],
    friction: &[f64],
    velocity: StartVelocity,
) -> Assembly {
    let blocks: Vec<Block> = friction
        .iter()
        .map(|friction| Block {
            size: 1.0,
            mass: 1.0,
            friction: *friction,
        })
        .collect();
    let motion = BasinMotion::harmonic(1.0, Frequency::hertz(1.0 / TAU)).unwrap();
    let length = blocks.len() as f64 + free;
    let basin = Basin::new(length, motion, Restitution::new(e, e).unwrap())
        .unwrap()
        .with_gravity(1.0)
        .unwrap();
    let start = Start {
        gaps: gaps.to_vec(),
        velocity,
    };
    let row = BlockRow::new(blocks).unwrap();
    Assembly::new(basin, &row, &start, ImpactRule::Complementarity).unwrap()
}

fn impacts(mut run: Assembly, until: f64) -> (Assembly, Vec<Collision>) {
    run.record_events();
    run.advance_to(until).unwrap();
    let impacts = run
        .take_events()
        .into_iter()
        .filter_map(|e| match e {
            Event::Impact(c) => Some(c),
            _ => None,
        })
        .collect();
    (run, impacts)
}

/// The first impact after the kicks of the start is a touch at `time`, and is listed as such. A kick is the impact of
/// what touches a wall that starts with a velocity; `kicks` are their interfaces.
fn touches(run: Assembly, kicks: &[usize], time: f64) {
    let (run, impacts) = impacts(run, time + 0.1);
    let (start, later) = impacts.split_at(kicks.len());
    assert!(
        start.iter().map(|c| c.interface).eq(kicks.iter().copied()),
        "{start:?}"
    );
    for kick in start {
        // The wall at sin t starts with unit velocity.
        assert!(
            kick.time == 0.0 && kick.approach == 1.0 && !kick.grazing,
            "{kick:?}"
        );
    }
    let first = later.first().unwrap();
    let listed = run.grazings().first().unwrap();
    println!("{} at {:e}, expected {time}", first.time, first.approach);
    assert!(
        first.grazing && listed.time == first.time,
        "{first:?} {listed:?}"
    );
    // What is asked of event times, in parts of the period, and of the relative speed of a touch.
    assert!(
        (first.time - time).abs() < 1e-13 * TAU,
        "{}",
        first.time - time
    );
    assert!(
        listed.speed.abs() <= 1e-12 * run.velocity_scale(),
        "{listed:?}"
    );
    assert_eq!(run.counts().grazings, 1);
}

/// e = 0 and whole turns: block and wall meet with one velocity and one acceleration, a triple root.
#[test]
fn a_triple_root() {
    for turns in 0..3 {
        let free = FirstCollision::new(ContactPoint::Along, turns, 0.0)
            .unwrap()
            .ratio();
        let run = released(free, 0.0, &[0.0], &[0.0], StartVelocity::AtRest);
        touches(run, &[0], TAU * f64::from(turns + 1));
    }
}

/// A block without friction at v t + y over a wall at sin t: they touch where cos t = v, if y = sin t − v t there.
#[test]
fn a_double_root_and_its_neighbours() {
    let (velocity, time) = (0.5, PI / 3.0);
    let place = time.sin() - velocity * time;
    let at = |shift: f64| {
        released(
            3.0,
            0.5,
            &[place + shift],
            &[0.0],
            StartVelocity::Given(vec![velocity]),
        )
    };
    touches(at(0.0), &[], time);
    let (_, missed) = impacts(at(1e-13), time + 0.1);
    assert!(missed.is_empty(), "{missed:?}");
    let (_, met) = impacts(at(-1e-13), time + 0.1);
    // Half the acceleration sin t times the square of a time is the depth; the depth is rounded to 1e-16 of 1e-13.
    let speed = (2.0 * time.sin() * 1e-13_f64).sqrt();
    assert!(
        !met[0].grazing && (met[0].approach - speed).abs() < 2e-3 * speed,
        "{met:?}"
    );
}

/// Two blocks slide the same way and the one behind brakes harder: it touches the one in front where their speeds are
/// equal.
#[test]
fn a_touch_of_two_blocks() {
    let (fast, slow, hard, soft) = (5.0, 4.0, 0.75, 0.25);
    let time = (fast - slow) / (hard - soft);
    let gap = (fast - slow) * time / 2.0;
    let run = released(
        40.0,
        0.5,
        &[1.0, gap],
        &[hard, soft],
        StartVelocity::Given(vec![fast, slow]),
    );
    touches(run, &[], time);
}
