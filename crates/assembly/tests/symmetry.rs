//! What must not change a motion: labels of equal elastic blocks, a mirror, the way the drive is written, sampling.

use std::f64::consts::{PI, TAU};

use klast_assembly::{
    Assembly, Basin, BasinMotion, Block, BlockRow, Frequency, ImpactRule, Restitution, Start,
    StartVelocity, Wave,
};
use klast_ground_motion::Component;

fn assembly(
    motion: BasinMotion,
    e: (f64, f64),
    blocks: Vec<Block>,
    start: Start,
    rule: ImpactRule,
) -> Assembly {
    let row = BlockRow::new(blocks).unwrap();
    let basin = Basin::new(
        row.total_size() + 8.0,
        motion,
        Restitution::new(e.0, e.1).unwrap(),
    )
    .unwrap();
    Assembly::new(basin, &row, &start, rule).unwrap()
}

fn unit_drive() -> BasinMotion {
    BasinMotion::harmonic(1.0, Frequency::hertz(1.0 / TAU)).unwrap()
}

fn blocks(n: usize, level: f64) -> Vec<Block> {
    vec![
        Block {
            size: 0.1,
            mass: 1.0,
            friction: level / 9.81
        };
        n
    ]
}

fn coordinates(run: &Assembly) -> Vec<f64> {
    run.state().iter().map(|b| b.free).collect()
}

/// Equal elastic blocks pass through each other but for their labels, with and without friction.
#[test]
fn elastic_blocks_are_independent_but_for_labels() {
    let n = 8;
    for level in [0.0, 0.07] {
        let start = Start::spread(n, 8.0, StartVelocity::WithBasin);
        let mut row = assembly(
            unit_drive(),
            (0.8, 1.0),
            blocks(n, level),
            start,
            ImpactRule::Complementarity,
        );
        row.advance_to(4.0 * TAU).unwrap();
        let mut alone: Vec<f64> = (0..n)
            .map(|i| {
                let gap = 8.0 * (i as f64 + 1.0) / (n as f64 + 1.0);
                let start = Start {
                    gaps: vec![gap],
                    velocity: StartVelocity::WithBasin,
                };
                let mut one = assembly(
                    unit_drive(),
                    (0.8, 0.8),
                    blocks(1, level),
                    start,
                    ImpactRule::Complementarity,
                );
                one.advance_to(4.0 * TAU).unwrap();
                one.state()[0].free
            })
            .collect();
        alone.sort_by(f64::total_cmp);
        assert!(row.counts().pair_impacts > 100);
        for (a, b) in coordinates(&row).iter().zip(&alone) {
            // Some 200 impacts, each rounding at 1e-15 with little growth.
            assert!((a - b).abs() < 1e-11, "{a} {b}");
        }
    }
}

/// Under the complementarity rule, which prefers no side, a mirrored scene moves as the mirror image.
#[test]
fn a_mirrored_scene_is_the_mirror_image() {
    let masses = [1.0, 2.5, 0.7, 1.3];
    let row: Vec<Block> = masses
        .iter()
        .map(|m| Block {
            size: 0.1 * m,
            mass: *m,
            friction: 0.004,
        })
        .collect();
    let gaps = [0.5, 1.0, 2.0, 0.25];
    let waves = |sign: f64| {
        BasinMotion::Waves(vec![
            Wave {
                amplitude: sign,
                omega: 1.0,
                phase: 0.0,
            },
            Wave {
                amplitude: 0.3 * sign,
                omega: 2.7,
                phase: 0.4,
            },
        ])
    };
    let start = Start {
        gaps: gaps.to_vec(),
        velocity: StartVelocity::WithBasin,
    };
    let mut right = assembly(
        waves(1.0),
        (0.7, 0.8),
        row.clone(),
        start,
        ImpactRule::Complementarity,
    );
    let last = 8.0 - gaps.iter().sum::<f64>();
    let mirrored = Start {
        gaps: vec![last, gaps[3], gaps[2], gaps[1]],
        velocity: StartVelocity::WithBasin,
    };
    let reversed = row.into_iter().rev().collect();
    let mut left = assembly(
        waves(-1.0),
        (0.7, 0.8),
        reversed,
        mirrored,
        ImpactRule::Complementarity,
    );
    for k in 1..=30 {
        let time = 0.5 * f64::from(k);
        right.advance_to(time).unwrap();
        left.advance_to(time).unwrap();
        let (r, l) = (coordinates(&right), coordinates(&left));
        for (a, b) in r.iter().zip(l.iter().rev()) {
            // Rounding differs between the two ends of the basin and grows over some fifty impacts.
            assert!((a - (8.0 - b)).abs() < 1e-9, "t = {time}: {r:?} {l:?}");
        }
    }
    assert!(right.counts().impacts > 20);
}

/// Two blocks that reach a resting third at one instant from both sides leave as they came.
#[test]
fn two_impacts_at_one_instant_are_one() {
    let row = vec![
        Block {
            size: 0.1,
            mass: 1.0,
            friction: 0.0
        };
        3
    ];
    let start = Start {
        gaps: vec![2.0, 2.0, 2.0],
        velocity: StartVelocity::Given(vec![1.0, 0.0, -1.0]),
    };
    let still = BasinMotion::harmonic(0.0, Frequency::hertz(1.0)).unwrap();
    let mut run = assembly(still, (1.0, 1.0), row, start, ImpactRule::Complementarity);
    run.advance_to(3.0).unwrap();
    let v: Vec<f64> = run.state().iter().map(|b| b.velocity).collect();
    assert_eq!(v, [-1.0, 0.0, 1.0]);
    assert_eq!(run.counts().impacts, 1);
}

/// One drive, written as a sine, as a sum of waves and as a piecewise base motion.
#[test]
fn the_same_drive_in_three_forms() {
    let start = || Start::touching(4, StartVelocity::AtRest);
    let make = |motion| {
        assembly(
            motion,
            (0.5, 0.8),
            blocks(4, 0.05),
            start(),
            ImpactRule::LowestFirst,
        )
    };
    let mut sine = make(unit_drive());
    let mut waves = make(BasinMotion::Waves(vec![Wave {
        amplitude: 1.0,
        omega: 1.0,
        phase: 0.0,
    }]));
    let mut piece = make(BasinMotion::Ground(
        Component::harmonic_displacement(1.0, Frequency::rad_per_s(1.0), 0.0).unwrap(),
    ));
    for k in 1..=20 {
        let time = f64::from(k);
        for run in [&mut sine, &mut waves, &mut piece] {
            run.advance_to(time).unwrap();
        }
        for (a, (b, c)) in coordinates(&sine)
            .iter()
            .zip(coordinates(&waves).iter().zip(coordinates(&piece)))
        {
            // The same closed forms reached by other roundings; a few tens of impacts.
            assert!(
                (a - b).abs() < 1e-10 && (a - c).abs() < 1e-10,
                "t = {time}: {a} {b} {c}"
            );
        }
    }
}

/// A record sampled finely from a sine approaches the sine.
#[test]
fn a_sampled_record_approaches_the_motion_it_samples() {
    use klast_ground_motion::{AccelerationUnit, Record};
    let start = || Start::touching(3, StartVelocity::AtRest);
    let make = |motion| {
        assembly(
            motion,
            (0.6, 0.7),
            blocks(3, 0.05),
            start(),
            ImpactRule::Complementarity,
        )
    };
    // A cosine displacement starts from rest: its acceleration is that of a record.
    let exact = Component::waves(1.0, Frequency::rad_per_s(1.0), PI / 2.0, 5.0).unwrap();
    let mut sine = make(BasinMotion::Ground(exact));
    let step = 1e-3;
    let count = (10.0 / step) as usize;
    let samples: Vec<f64> = (0..=count).map(|k| (k as f64 * step).cos()).collect();
    let record = Record::uniform(step, &samples, AccelerationUnit::MetrePerSecondSquared).unwrap();
    let mut sampled = make(BasinMotion::Ground(record.component(1.0).unwrap()));
    sine.advance_to(9.0).unwrap();
    sampled.advance_to(9.0).unwrap();
    for (a, b) in coordinates(&sine).iter().zip(coordinates(&sampled)) {
        // Linear interpolation errs by h²/12 of the acceleration, 8e-8; integrated twice over nine seconds, and some
        // impacts.
        assert!((a - b).abs() < 1e-4, "{a} {b}");
    }
}

/// Reading a state, keeping a log or taking a snapshot changes nothing, to the last bit.
#[test]
fn looking_does_not_disturb() {
    let start = Start::spread(8, 8.0, StartVelocity::WithBasin);
    let make = || {
        assembly(
            unit_drive(),
            (0.9, 0.95),
            blocks(8, 0.02),
            start.clone(),
            ImpactRule::Complementarity,
        )
    };
    let (mut watched, mut straight) = (make(), make());
    watched.record_events();
    for k in 1..=400 {
        watched.advance_to(0.25 * f64::from(k)).unwrap();
        let _ = (watched.state(), watched.energy(), watched.interfaces());
        watched = watched.clone();
    }
    straight.advance_to(100.0).unwrap();
    assert_eq!(watched.state(), straight.state());
    assert_eq!(watched.counts(), straight.counts());
    let impacts = watched
        .take_events()
        .iter()
        .filter(|e| matches!(e, klast_assembly::Event::Impact(_)))
        .count();
    assert_eq!(impacts as u64, straight.counts().impacts);
}
