//! Structures with the default settings: what statics says stands does, at the cost of a look a step, and 2 % beyond
//! the tilt that statics gives it falls; at every scale, far from the origin and on any number of threads.

use glam::DVec3;
use klast_dynamics::{World, WorldSettings};
use klast_scenarios::{
    Masonry, Structure, bricks_in_a_wall, cubes_in_a_column, horizontal_limit, planks_in_a_tower,
    stones_in_an_arch,
};

const GRAVITY: f64 = 9.81;

fn watched(world: World) -> Masonry {
    Masonry::new(world, None)
}

/// Level, over a tenth of a second: nothing moves by a millionth of a block (a second has a hundred-thousandth), and
/// after the first steps no sweep is spent. Each step is solved.
#[test]
fn what_stands_stands_at_the_cost_of_a_look() {
    for (name, structure) in [
        ("column of 30", cubes_in_a_column(30)),
        ("column of 100", cubes_in_a_column(100)),
        ("tower of 100", planks_in_a_tower(100)),
        ("wall of 130", bricks_in_a_wall(20, 6)),
    ] {
        let mut scene = watched(structure.on_a_table(0.0, DVec3::X).unwrap());
        for k in 0..(0.1 / structure.step) as usize {
            let report = scene.world.step().unwrap();
            let counts = (report.solver.unconverged, report.exchange.driving_contacts);
            assert_eq!(counts, (0, 0), "{name} {k}");
            assert!(
                report.solver.residual <= 1e-6,
                "{name} {k}: {}",
                report.solver.residual
            );
            let sweeps = report.solver.sweeps;
            assert!(k < 2 || sweeps == 0, "{name} {k}: {sweeps} sweeps");
        }
        let moved = scene.moved();
        assert!(moved < 1e-6 * structure.block, "{name}: {moved}");
    }
}

/// 2 % before its limit it stands for 40 steps, moved by less than a millionth of a block; 2 % beyond it falls within
/// 20 √(height/g). Each step is solved.
fn decides(name: &str, structure: &Structure, limit: f64, towards: DVec3, origin: DVec3) {
    let mut stands = watched(structure.at(origin, 0.98 * limit, towards).unwrap());
    for _ in 0..40 {
        let report = stands.world.step().unwrap();
        assert_eq!(report.solver.unconverged, 0, "{name}: {report:?}");
    }
    let moved = stands.moved();
    // What coordinates cannot tell apart is no motion.
    let digits = 4.0 * origin.length() * f64::EPSILON;
    assert!(
        moved < 1e-6 * structure.block + digits,
        "{name} stands: {moved}"
    );
    let mut falls = watched(structure.at(origin, 1.02 * limit, towards).unwrap());
    let time = 20.0 * (structure.height / GRAVITY).sqrt();
    while falls.world.time() < time && falls.moved() < 0.01 * structure.height {
        falls.world.step().unwrap();
    }
    assert!(falls.world.time() < time, "{name}: moved {}", falls.moved());
    assert_eq!(falls.world.ledger().unconverged, 0, "{name}");
}

/// Closed forms: a column of n cubes overturns at tan = 1/n, a tower at its width over its height (its posts of 8 mm by
/// 24 mm tip at a third), a wall out of its plane at thickness over height.
#[test]
fn two_percent_of_the_tilt_decide() {
    for (name, structure, width, towards) in [
        ("column of 10", cubes_in_a_column(10), 1.0, DVec3::X),
        ("column of 30", cubes_in_a_column(30), 1.0, DVec3::Y),
        ("tower of 60", planks_in_a_tower(60), 0.12, DVec3::X),
        ("wall of 130", bricks_in_a_wall(20, 6), 0.25, DVec3::Y),
    ] {
        decides(
            name,
            &structure,
            width / structure.height,
            towards,
            DVec3::ZERO,
        );
    }
}

/// Near its limit a structure goes from one avalanche of slips to the next, and its first steps are the hardest: 60
/// factorisations are the bound of a step, of any kind and of all its solutions. Each step is solved, on either side.
#[test]
fn a_step_near_the_limit_takes_few_factorisations() {
    for (name, structure, width, towards) in [
        ("tower of 400", planks_in_a_tower(400), 0.12, DVec3::X),
        ("wall of 1,010", bricks_in_a_wall(20, 50), 0.25, DVec3::Y),
    ] {
        for factor in [0.98, 1.02] {
            let tan = factor * width / structure.height;
            let mut world = structure.on_a_table(tan, towards).unwrap();
            let mut most = 0;
            for _ in 0..20 {
                let report = world.step().unwrap();
                assert_eq!(report.solver.unconverged, 0, "{name} {factor}: {report:?}");
                most = most.max(report.solver.factorisations);
            }
            assert!(most > 0 && most <= 60, "{name} {factor}: {most}");
        }
    }
}

/// Walls that lean in their plane, where no closed form is known: the limit is that of the static theorem, a linear
/// programme over the forces at the ends of joints (Livesley 1978).
#[test]
fn two_percent_of_the_tilt_in_the_plane_decide() {
    for (courses, bricks) in [(8, 3), (10, 5)] {
        let wall = bricks_in_a_wall(courses, bricks);
        let limit = horizontal_limit(&wall.section(), wall.friction).unwrap();
        let name = format!("wall of {courses} by {bricks}, limit {limit:.4}");
        println!("{name}");
        decides(&name, &wall, limit, DVec3::X, DVec3::ZERO);
    }
}

/// Nothing depends on the scale of length, nor on where the origin is: the closed forms have no length in them.
#[test]
fn two_percent_decide_at_every_scale_and_place() {
    for (name, structure, width, towards) in [
        ("column of 10", cubes_in_a_column(10), 1.0, DVec3::X),
        ("tower of 40", planks_in_a_tower(40), 0.12, DVec3::X),
        ("wall of 44", bricks_in_a_wall(8, 5), 0.25, DVec3::Y),
    ] {
        let limit = width / structure.height;
        for scale in [1e-3, 1e3] {
            let name = format!("{name}, scale {scale}");
            decides(&name, &structure.scaled(scale), limit, towards, DVec3::ZERO);
        }
    }
    for (name, structure, width, towards) in [
        ("column of 10, far", cubes_in_a_column(10), 1.0, DVec3::X),
        ("tower of 40, far", planks_in_a_tower(40), 0.12, DVec3::X),
        ("wall of 44, far", bricks_in_a_wall(8, 5), 0.25, DVec3::Y),
    ] {
        let far = DVec3::new(6e5, -8e5, 0.0);
        decides(name, &structure, width / structure.height, towards, far);
    }
}

/// A structure of each kind that falls: the same bits on 1, 2, 3 and 4 threads.
#[test]
fn threads_change_no_bit() {
    for (name, structure, tan, towards) in [
        ("arch", stones_in_an_arch(15, 0.12), 0.1, DVec3::X),
        ("column", cubes_in_a_column(10), 0.12, DVec3::X),
        ("tower", planks_in_a_tower(40), 0.3, DVec3::X),
        ("wall", bricks_in_a_wall(8, 5), 0.2, DVec3::Y),
    ] {
        let run = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
            pool.build().unwrap().install(|| {
                let mut world = structure.on_a_table(tan, towards).unwrap();
                let parallel = WorldSettings {
                    parallel: true,
                    ..*world.settings()
                };
                world.set_settings(parallel).unwrap();
                for _ in 0..60 {
                    world.step().unwrap();
                }
                let bits = world.states().flat_map(|s| {
                    let (p, q) = (s.pose.translation, s.pose.rotation);
                    [p.x, p.y, p.z, q.x, q.y, q.z, q.w].map(f64::to_bits)
                });
                bits.collect::<Vec<_>>()
            })
        };
        let one = run(1);
        for threads in [2, 3, 4] {
            assert!(run(threads) == one, "{name} on {threads} threads");
        }
    }
}
