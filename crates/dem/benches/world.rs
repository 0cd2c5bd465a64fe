//! Touching pairs and particle-steps per second: a heap of Voronoi rocks of which each touches its neighbours.
//!
//! Every tenth candidate pair or so is apart; both counts are printed. One thread, so the figures are per core. The
//! lines printed count the time the thread had a core; criterion's own times are of the wall.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use glam::DVec3;
use klast_dem::{LawTable, Motion, Particle, PenaltyLaw, Release, Settings, Voronoi, World};
use klast_geometry::ConvexPolyhedron;
use klast_sampling::{Purpose, Streams, open_uniform};
use std::hint::black_box;
use std::sync::OnceLock;
use std::time::Instant;

/// Voronoi cells of a cube, scaled about their middle: over 1 they overlap all their neighbours.
fn heap(count: usize, scale: f64) -> World {
    let mut rng = Streams::new(1).rng(Purpose::Position, 0);
    let side = (count as f64).cbrt();
    let mut draw = || open_uniform(&mut rng) * side;
    let seeds: Vec<DVec3> = (0..count)
        .map(|_| DVec3::new(draw(), draw(), draw()))
        .collect();
    let cells = Voronoi::new(DVec3::ZERO, DVec3::splat(side), &seeds)
        .unwrap()
        .cells;
    let (mut particles, mut motions) = (Vec::new(), Vec::new());
    for cell in &cells {
        let centre = cell.measure().centroid;
        let points: Vec<DVec3> = cell
            .vertices
            .iter()
            .map(|v| centre + (*v - centre) * scale)
            .collect();
        let Ok(solid) = ConvexPolyhedron::from_points(&points) else {
            continue;
        };
        let (particle, pose) = Particle::solid(&solid, 1000.0, 0).unwrap();
        particles.push(particle);
        motions.push(Motion::at(&pose));
    }
    let law = PenaltyLaw::elastic(1e6, 1.0)
        .and_then(|l| l.with_restitution(0.4, Release::NoTension))
        .and_then(|l| l.with_friction(0.2, 5e5))
        .unwrap();
    let mut settings = Settings::new(1e-4);
    settings.skin = 0.02;
    settings.damping_rate = 200.0;
    World::new(
        particles,
        motions,
        vec![],
        LawTable::new(1, law).unwrap(),
        settings,
    )
    .unwrap()
}

/// Time of this thread on a core, where the system tells (a shared machine); time of the wall otherwise.
fn seconds() -> f64 {
    static START: OnceLock<Instant> = OnceLock::new();
    let on_core = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = on_core.and_then(|s| s.split(' ').next()?.parse::<f64>().ok());
    nanoseconds.map_or_else(
        || START.get_or_init(Instant::now).elapsed().as_secs_f64(),
        |n| n * 1e-9,
    )
}

fn steps(c: &mut Criterion) {
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(1)
        .build()
        .unwrap();
    let mut group = c.benchmark_group("world");
    group.sample_size(10);
    for (name, scale) in [("dense heap", 1.01), ("loose heap", 0.97)] {
        let mut world = heap(2000, scale);
        pool.install(|| world.step().unwrap());
        let touching = world.contacts().count();
        let candidates = world.neighbour_statistics().0;
        let particles = world.particles().len();
        let repeats = 10;
        let rate = pool.install(|| {
            let start = seconds();
            (0..repeats).for_each(|_| world.step().unwrap());
            f64::from(repeats) / (seconds() - start)
        });
        println!(
            "{name}: {:.0} touching pairs/s, {:.0} candidate pairs/s, {:.0} particle-steps/s on one core ({particles} particles, {touching} touching, {candidates} candidates)",
            touching as f64 * rate,
            candidates as f64 * rate,
            particles as f64 * rate,
        );
        group.throughput(Throughput::Elements(touching.max(particles) as u64));
        group.bench_function(name, |b| {
            b.iter(|| pool.install(|| black_box(&mut world).step().unwrap()))
        });
    }
    group.finish();
}

criterion_group!(benches, steps);
criterion_main!(benches);
