//! Body-steps and contacts per second: poured cubes and hulls at a fixed budget and to a residual, arch, pyramid,
//! tower.

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use klast_dynamics::{Effort, World, WorldSettings};
use klast_scenarios::{arch, ballast, cubes, lattice, pour, pyramid_rows, shaken, tower};
use std::time::Instant;

/// Steps of one sample.
const STEPS: usize = 4;

/// The world after some seconds, when contacts have formed.
fn after(mut world: World, seconds: f64) -> World {
    while world.time() < seconds {
        world.step().unwrap();
    }
    world
}

/// Body-steps and contacts per second over a few steps, for the line that is compared with other programs.
fn rates(name: &str, world: &World) {
    let (mut w, mut contacts, clock) = (world.clone(), 0, Instant::now());
    for _ in 0..5 * STEPS {
        contacts += w.step().unwrap().contacts;
    }
    let seconds = clock.elapsed().as_secs_f64();
    println!(
        "{name}: {:.0} body-steps/s, {:.0} contacts/s",
        (5 * STEPS * w.len()) as f64 / seconds,
        contacts as f64 / seconds
    );
}

/// Times steps from a state in which contacts have formed.
fn steps(c: &mut Criterion, name: &str, mut world: World, effort: Effort) {
    world
        .set_settings(WorldSettings {
            effort,
            ..*world.settings()
        })
        .unwrap();
    // One step brings the boxes and the room of the islands up to date.
    let contacts = world.step().unwrap().contacts;
    rates(name, &world);
    let mut group = c.benchmark_group("many bodies");
    group.sample_size(10);
    group.throughput(Throughput::Elements((STEPS * world.len()) as u64));
    group.bench_function(format!("{name}, {contacts} contacts"), |b| {
        b.iter_batched(
            || world.clone(),
            |mut w| {
                for _ in 0..STEPS {
                    w.step().unwrap();
                }
            },
            BatchSize::LargeInput,
        );
    });
    group.finish();
}

fn many_bodies(c: &mut Criterion) {
    let serial = WorldSettings {
        parallel: false,
        ..Default::default()
    };
    let residual = Effort::Residual {
        tolerance: 1e-6,
        sweeps: 800,
    };
    for (name, shapes) in [("cubes", cubes().unwrap()), ("hulls", ballast().unwrap())] {
        let poured = after(pour(&shapes, &lattice(1000), serial).unwrap(), 2.0);
        for (setting, effort) in [
            ("20 sweeps", Effort::Sweeps(20)),
            ("residual 1e-6", residual),
        ] {
            let name = format!("1000 poured {name}, {setting}");
            steps(c, &name, poured.clone(), effort);
        }
    }
    let to = Effort::Residual {
        tolerance: 1e-9,
        sweeps: 60,
    };
    steps(
        c,
        "arch of 31, residual 1e-9",
        after(arch(31, 0.12, 0.8).unwrap().world, 0.1),
        to,
    );
    steps(
        c,
        "pyramid of 100, residual 1e-9",
        after(shaken(&pyramid_rows(16, 9), 0.1, 0.6).unwrap().world, 0.1),
        to,
    );
    let small = WorldSettings {
        step: 1e-3,
        margin: 1e-4,
        slop: 1e-6,
        ..serial
    };
    steps(
        c,
        "tower of 30 levels, 20 sweeps",
        after(tower(30, small).unwrap().world, 0.1),
        Effort::Sweeps(20),
    );
}

criterion_group!(benches, many_bodies);
criterion_main!(benches);
