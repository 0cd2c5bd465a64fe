//! Unit cubes (2700 kg) tumble down an unbounded plane of 35°, each alone, until they have come 100 m along it, rest,
//! or 20 s are over.
//!
//! Plane coordinates: the plane is z = 0 and gravity is turned towards +x. Prints trajectories per second on one core,
//! mean and standard deviation of the arrival time and the mean speed at arrival; `KLAST_CUTOFF_STUDY=n` adds the study
//! of the cutoffs on n cubes.

use criterion::{Criterion, criterion_group, criterion_main};
use glam::{DQuat, DVec3};
use klast_dynamics::single::Workspace;
use klast_dynamics::{Body, State, Twist};
use klast_geometry::terrain::Slope;
use klast_geometry::{Plane, Pose, Solid};
use klast_rockfall::{
    Arc, Ground, GroundCoefficients, MaterialSample, Outcome, RigidRock, SlopeMaterial,
    StopConditions,
};
use klast_sampling::{Distribution, Family, Purpose, Streams};
use rayon::prelude::*;
use std::ops::ControlFlow;
use std::time::Instant;

const END: f64 = 100.0;

/// Attitudes (uniform) and spins (components uniform in ±5 rad/s) of cubes.
fn inputs(count: u64) -> Vec<(DQuat, DVec3)> {
    let streams = Streams::new(2);
    let gauss = Distribution::new(Family::Normal { mean: 0.0, sd: 1.0 }).unwrap();
    let spin = Distribution::new(Family::Uniform {
        lower: -5.0,
        upper: 5.0,
    })
    .unwrap();
    let cube = |i| {
        let (mut a, mut v) = (
            streams.rng(Purpose::Attitude, i),
            streams.rng(Purpose::Velocity, i),
        );
        let mut draw = || gauss.sample(&mut a);
        let q = DQuat::from_xyzw(draw(), draw(), draw(), draw()).normalize();
        let mut draw = || spin.sample(&mut v);
        (q, DVec3::new(draw(), draw(), draw()))
    };
    (0..count).map(cube).collect()
}

/// Cutoffs of one run, all scaled together by the study.
#[derive(Clone, Copy)]
struct Cutoffs {
    normal: f64,
    stopped: f64,
}

const CUTOFFS: Cutoffs = Cutoffs {
    normal: 0.02,
    stopped: 0.02,
};

#[derive(Default)]
struct Arrival {
    time: f64,
    speed: f64,
    impacts: u32,
    contact_steps: u32,
    unconverged: u32,
}

fn roll(
    body: &Body,
    (attitude, spin): (DQuat, DVec3),
    cutoffs: Cutoffs,
    workspace: &mut Workspace,
) -> Option<Arrival> {
    let slope = Slope::new(Plane::new(DVec3::Z, 0.0).unwrap()).unwrap();
    let ground = Ground::uniform(SlopeMaterial::constant(
        "rock",
        GroundCoefficients {
            normal_restitution: 0.35,
            tangential_restitution: 0.0,
            friction: 0.6,
        },
    ))
    .unwrap();
    let samples = [MaterialSample {
        normal_restitution: 0.35,
        tangential_restitution: 0.0,
        friction: 0.6,
        ..MaterialSample::default()
    }];
    let stop = StopConditions {
        maximum_time: 20.0,
        maximum_steps: 1_000_000,
        stopped_velocity_cutoff: cutoffs.stopped,
        normal_velocity_cutoff: cutoffs.normal,
    };
    let angle = 35f64.to_radians();
    let gravity = 9.81 * DVec3::new(angle.sin(), 0.0, -angle.cos());
    let rock = RigidRock {
        stop: &stop,
        gravity,
        ..RigidRock::new(&slope, &ground)
    };
    let start = State {
        pose: Pose::new(attitude, DVec3::new(0.0, 0.0, 5.0)).unwrap(),
        velocity: Twist::new(DVec3::ZERO, spin).unwrap(),
    };
    let mut arrival = None;
    let mut watch = |arc: &Arc| match arc.crossings(DVec3::X.truncate(), END)[0] {
        None => ControlFlow::Continue(()),
        Some(t) => {
            arrival = Some((arc.time + t, arc.velocity_at(t).length()));
            ControlFlow::Break(Outcome::Caught { barrier: 0 })
        }
    };
    let (_, _, tally) = rock.run(body, &samples, start, None, &mut watch, workspace);
    let (time, speed) = arrival?;
    Some(Arrival {
        time,
        speed,
        impacts: tally.impacts,
        contact_steps: tally.contact_steps,
        unconverged: tally.unconverged,
    })
}

fn statistics(arrivals: &[Option<Arrival>]) -> (usize, f64, f64, f64) {
    let there: Vec<&Arrival> = arrivals.iter().flatten().collect();
    let n = there.len() as f64;
    let mean = there.iter().map(|a| a.time).sum::<f64>() / n;
    let variance = there
        .iter()
        .map(|a| (a.time - mean) * (a.time - mean))
        .sum::<f64>()
        / (n - 1.0);
    (
        there.len(),
        mean,
        variance.sqrt(),
        there.iter().map(|a| a.speed).sum::<f64>() / n,
    )
}

fn study(body: &Body, count: u64) {
    let cubes = inputs(count);
    println!("cutoffs: fraction, arrivals, mean (s), sd (s), mean speed (m/s)");
    for factor in [2.0, 1.0, 0.5, 0.25] {
        let c = Cutoffs {
            normal: CUTOFFS.normal * factor,
            stopped: CUTOFFS.stopped * factor,
        };
        let arrivals: Vec<_> = cubes
            .par_iter()
            .map(|&cube| roll(body, cube, c, &mut Workspace::default()))
            .collect();
        let (n, mean, sd, speed) = statistics(&arrivals);
        println!(
            "  {factor:>5} {n:>8} {mean:.4} ± {:.4} {sd:.4} {speed:.4}",
            sd / (n as f64).sqrt()
        );
    }
}

fn cubes_on_slope(criterion: &mut Criterion) {
    let body = Body::uniform(&Solid::Cube.with_volume(1.0).unwrap(), 2700.0).unwrap();
    let cubes = inputs(1_000);
    let mut workspace = Workspace::default();
    let mut rates: Vec<f64> = Vec::new();
    let mut arrivals = Vec::new();
    for _ in 0..3 {
        let clock = Instant::now();
        arrivals = cubes
            .iter()
            .map(|&cube| roll(&body, cube, CUTOFFS, &mut workspace))
            .collect();
        rates.push(1_000.0 / clock.elapsed().as_secs_f64());
    }
    rates.sort_by(f64::total_cmp);
    let (n, mean, sd, speed) = statistics(&arrivals);
    let per = |f: fn(&Arrival) -> u32| {
        arrivals
            .iter()
            .flatten()
            .map(|a| f64::from(f(a)))
            .sum::<f64>()
            / n as f64
    };
    println!(
        "cubes on a slope: {:.0} trajectories/s on one core (median of 3); {n} arrive, mean {mean:.3} s, sd {sd:.3} s, speed {speed:.2} m/s; \
         {:.1} impacts, {:.1} contact steps each, {} unconverged",
        rates[1],
        per(|a| a.impacts),
        per(|a| a.contact_steps),
        per(|a| a.unconverged) * n as f64,
    );
    if let Some(count) = std::env::var("KLAST_CUTOFF_STUDY")
        .ok()
        .and_then(|v| v.parse().ok())
    {
        study(&body, count);
    }
    let mut next = 0;
    criterion.bench_function("cube on a slope", |b| {
        b.iter(|| {
            next = (next + 1) % cubes.len();
            roll(&body, cubes[next], CUTOFFS, &mut workspace)
        })
    });
}

criterion_group! { name = benches; config = Criterion::default().sample_size(20); targets = cubes_on_slope }
criterion_main!(benches);
