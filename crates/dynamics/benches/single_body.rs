//! One body on a plane: time of first contact, one impact, whole tumbling runs.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use glam::{DQuat, DVec3};
use klast_contact::ImpactLaw;
use klast_dynamics::single::{
    Coefficients, Flight, Friction, Limits, Options, Restitution, SingleBody, Workspace,
    first_contact, impact,
};
use klast_dynamics::{Body, State, Twist};
use klast_geometry::terrain::Slope;
use klast_geometry::{Manifold, Plane, Pose, Solid, plane_contact};
use klast_sampling::SplitMix64;
use std::hint::black_box;

fn uniform(rng: &mut SplitMix64) -> f64 {
    2.0 * ((rng.next() >> 11) as f64 / (1u64 << 53) as f64) - 1.0
}

fn vector(rng: &mut SplitMix64) -> DVec3 {
    DVec3::new(uniform(rng), uniform(rng), uniform(rng))
}

/// A released rock: attitude on the rotations, spin up to 8 rad/s, 5 m above the plane.
fn release(rng: &mut SplitMix64) -> State {
    let q = DQuat::from_xyzw(
        uniform(rng),
        uniform(rng),
        uniform(rng),
        uniform(rng) + 1e-3,
    )
    .normalize();
    State {
        pose: Pose {
            rotation: q,
            translation: DVec3::new(0.0, 0.0, 5.0),
        },
        velocity: Twist {
            linear: DVec3::ZERO,
            angular: 5.0 * vector(rng),
        },
    }
}

fn body(solid: Solid) -> Body {
    let shape = solid.with_volume(1.0).expect("a unit solid");
    Body::uniform(&shape, 2700.0).expect("a rock")
}

/// Gravity seen from a plane that dips by 35 degrees.
fn dipping() -> DVec3 {
    let tilt = 35f64.to_radians();
    9.81 * DVec3::new(tilt.sin(), 0.0, -tilt.cos())
}

fn material() -> Coefficients {
    Coefficients::new(Restitution(0.35), Friction(0.6)).expect("coefficients")
}

fn time_of_impact(c: &mut Criterion) {
    let plane = Plane::new(DVec3::Z, 0.0).expect("a plane");
    let mut group = c.benchmark_group("time of impact");
    for (name, solid) in [
        ("cube", Solid::Cube),
        (
            "box 1:2:3",
            Solid::Box {
                edges: DVec3::new(1.0, 2.0, 3.0),
            },
        ),
        ("icosphere of 42", Solid::Icosphere { level: 1 }),
    ] {
        let body = body(solid);
        let mut rng = SplitMix64::new(1);
        let starts: Vec<State> = (0..1000).map(|_| release(&mut rng)).collect();
        group.throughput(Throughput::Elements(starts.len() as u64));
        group.bench_function(name, |b| {
            b.iter(|| {
                starts
                    .iter()
                    .filter_map(|s| {
                        first_contact(&body, &Flight::new(&body, *s, dipping()), &plane, 0.0, 20.0)
                    })
                    .map(|hit| hit.time)
                    .sum::<f64>()
            });
        });
    }
    group.finish();
}

fn one_impact(c: &mut Criterion) {
    let plane = Plane::new(DVec3::Z, 0.0).expect("a plane");
    let material = material();
    let law = ImpactLaw::default();
    let cube = body(Solid::Cube);
    let mut group = c.benchmark_group("impact");
    group.throughput(Throughput::Elements(1));
    let quarter = std::f64::consts::FRAC_PI_4;
    let poses = [
        ("vertex", DQuat::from_xyzw(0.2, 0.3, 0.1, 0.9).normalize()),
        ("edge", DQuat::from_rotation_y(quarter)),
        ("face", DQuat::IDENTITY),
    ];
    for (name, rotation) in poses {
        let mut state = State::at_rest(Pose {
            rotation,
            translation: DVec3::ZERO,
        });
        let low = cube
            .vertices()
            .iter()
            .map(|v| (rotation * *v).z)
            .fold(0.0, f64::min);
        state.pose.translation.z = -low;
        state.velocity = Twist {
            linear: DVec3::new(3.0, 0.5, -4.0),
            angular: DVec3::new(0.3, 2.0, 1.0),
        };
        let mut contacts = Manifold::default();
        plane_contact(cube.shape(), &state.pose, &plane, 1e-9, &mut contacts);
        group.bench_function(name, |b| {
            b.iter(|| {
                impact(&cube, black_box(&state), &contacts.points, &material, &law)
                    .map(|hit| hit.after)
            });
        });
    }
    group.finish();
}

fn tumbling_run(c: &mut Criterion) {
    let ground = Slope::new(Plane::new(DVec3::Z, 0.0).expect("a plane")).expect("ground");
    let gate = Plane::new(-DVec3::X, -100.0).expect("a gate");
    let cube = body(Solid::Cube);
    let mut material = material();
    let limits = Limits {
        time: 20.0,
        ..Limits::default()
    };
    let options = Options {
        gravity: dipping(),
        limits,
        ..Options::default()
    };
    let run = SingleBody::new(&ground, options).expect("a run");
    let mut workspace = Workspace::default();
    let mut rng = SplitMix64::new(2);
    let starts: Vec<State> = (0..200).map(|_| release(&mut rng)).collect();
    let mut group = c.benchmark_group("tumbling run of 100 m at 35 degrees");
    group.sample_size(10);
    group.throughput(Throughput::Elements(starts.len() as u64));
    group.bench_function("cube", |b| {
        b.iter(|| {
            starts
                .iter()
                .map(|s| {
                    run.run(&cube, *s, &mut material, &mut { gate }, &mut workspace)
                        .time
                })
                .sum::<f64>()
        });
    });
    group.finish();
}

criterion_group!(benches, time_of_impact, one_impact, tumbling_run);
criterion_main!(benches);
