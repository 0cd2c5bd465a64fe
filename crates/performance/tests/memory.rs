//! What is held: independent of how many rocks have run, and a stated number of bytes for each body and grain.
//!
//! Counted on the thread that works: the pool has one.

use glam::DVec3;
use klast_dem::{LawTable, Motion, Particle, PenaltyLaw, Settings, World as Grains};
use klast_dynamics::{Body, Role, State, Surface, World, WorldSettings};
use klast_geometry::{Pose, Solid};
use klast_performance::kernel;
use klast_rockfall::RockResult;

fn on_one_thread<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(1)
        .build()
        .unwrap();
    pool.install(work)
}

#[test]
fn peak_memory_of_a_monte_carlo_run_does_not_grow_with_the_rocks() {
    for name in ["rigid-rocks", "lumped-rocks"] {
        // A raster of few cells is soon filled. The peak from the making of the scene on, with all that is kept.
        let peak = |repetitions: usize| {
            on_one_thread(|| {
                let counted = allocation_counter::measure(|| {
                    let mut work = kernel(name).unwrap().prepare(4).unwrap();
                    for _ in 0..repetitions {
                        work().unwrap();
                    }
                });
                counted.bytes_max as f64
            })
        };
        let (few, many) = (peak(60), peak(240));
        println!("{name}: {few:.0} bytes for 1200 rocks, {many:.0} for 4800");
        // What is added are rarer classes of the cells and the list of the longest path among more rocks, which grows
        // by doubling (58 kB at once for rigid rocks): a fifth of what a record kept of each rock would be.
        let records = (180 * 20 * size_of::<RockResult>()) as f64;
        assert!(
            many < few + 0.2 * records,
            "{name}: {few} bytes for few rocks, {many} for four times as many"
        );
    }
}

/// Bytes that one more of them costs, between two sizes.
fn each(name: &str, sizes: [usize; 2]) -> f64 {
    let held = |size: usize| {
        on_one_thread(|| {
            let mut work = None;
            let counted = allocation_counter::measure(|| {
                let mut made = kernel(name).unwrap().prepare(size).unwrap();
                made().unwrap();
                work = Some(made);
            });
            drop(work);
            counted.bytes_current as f64
        })
    };
    (held(sizes[1]) - held(sizes[0])) / (sizes[1] - sizes[0]) as f64
}

#[test]
fn a_body_and_a_grain_cost_what_is_stated() {
    // The figures of docs/src/performance.md, which hold for cubes (8 vertices, 4 to 5 contacts each) and for Voronoi
    // grains (some 24 vertices, 14 neighbours); buffers double, so a factor of 1.5 is left.
    for (name, sizes, stated) in [
        ("poured-cubes", [40, 120], 19_000.0),
        ("grain-heap", [100, 300], 20_000.0),
    ] {
        let bytes = each(name, sizes);
        println!("{name}: {bytes:.0} bytes each");
        assert!(
            bytes < 1.5 * stated,
            "{name}: {bytes} bytes each, stated {stated}"
        );
    }
}

/// Bytes held, and contacts, of a world of `columns` columns of ten cubes that stand on one another or hang `apart`.
fn world(columns: usize, apart: bool) -> (f64, f64) {
    let mut contacts = 0;
    let held = held(|| {
        let surface = Surface {
            friction: 0.5,
            restitution: 0.0,
        };
        let mut world = World::new(WorldSettings::default()).unwrap();
        let cube = Body::uniform(&Solid::Cube.with_volume(1.0).unwrap(), 2700.0).unwrap();
        let reach = 3.0 * columns as f64;
        for k in 0..10 * columns {
            let (x, z) = ((k / 10) as f64, (k % 10) as f64);
            let height = if apart { 1.0 + 2.0 * z } else { 0.5 + z };
            let pose = Pose::from_translation(DVec3::new(3.0 * x - 0.5 * reach, 0.0, height));
            let at = State::at_rest(pose);
            world.add(cube.clone(), at, Role::Free, surface).unwrap();
        }
        let corner = DVec3::new(reach, 5.0, 0.0);
        world.add_container(-corner, corner, surface).unwrap();
        for _ in 0..10 {
            contacts = world.step().unwrap().contacts;
        }
        world
    });
    (held, contacts as f64)
}

/// Bytes that `made` holds.
fn held<T>(made: impl FnOnce() -> T + Send) -> f64 {
    on_one_thread(|| {
        let mut kept = None;
        let counted = allocation_counter::measure(|| kept = Some(made()));
        drop(kept);
        counted.bytes_current as f64
    })
}

#[test]
fn a_body_and_a_contact_of_a_world_cost_what_is_stated() {
    let ((few, none), (many, _)) = (world(10, true), world(40, true));
    let body = (many - few) / 300.0;
    let ((few, c), (many, d)) = (world(10, false), world(40, false));
    let contact = ((many - few) - 300.0 * body) / (d - c);
    println!("world: {body:.0} bytes a cube, {contact:.0} bytes a contact of {d}");
    // Four under each cube at least.
    assert!(none == 0.0 && d >= 4.0 * 400.0, "{none} {d}");
    // The figures of docs/src/performance.md; lists double, so a factor of 1.5 is left. Of a contact, 1.4 kB are the
    // system of the springs that share what overlap sweeps leave: without them it holds 3.4 kB.
    assert!(body < 1.5 * 700.0, "{body} bytes a cube");
    assert!(contact < 1.5 * 4_800.0, "{contact} bytes a contact");
}

/// Bytes held by `count` cubes in a row that overlap their neighbours, or stand apart.
fn grains(count: usize, spacing: f64) -> f64 {
    held(|| {
        let cube = Solid::Cube.with_volume(1.0).unwrap();
        let (mut particles, mut motions) = (Vec::new(), Vec::new());
        for k in 0..count {
            let (particle, mut pose) = Particle::solid(&cube, 1000.0, 0).unwrap();
            pose.translation.x = spacing * k as f64;
            particles.push(particle);
            motions.push(Motion::at(&pose));
        }
        let table = LawTable::new(1, PenaltyLaw::elastic(1e6, 1.0).unwrap()).unwrap();
        let mut world =
            Grains::new(particles, motions, vec![], table, Settings::new(1e-4)).unwrap();
        world.step().unwrap();
        assert_eq!(
            world.contacts().count(),
            if spacing < 1.0 { count - 1 } else { 0 }
        );
        world
    })
}

#[test]
fn a_grain_and_a_contact_of_the_penalty_engine_cost_what_is_stated() {
    let grain = (grains(400, 2.0) - grains(100, 2.0)) / 300.0;
    let contact = (grains(400, 0.999) - grains(100, 0.999)) / 300.0 - grain;
    println!("grains: {grain:.0} bytes a cube, {contact:.0} bytes a contact");
    // As above.
    assert!(grain < 1.5 * 3_200.0, "{grain} bytes a grain");
    assert!(contact < 1.5 * 350.0, "{contact} bytes a contact");
}
