//! How often a kernel asks for memory once its buffers have grown.
//!
//! Counted on the thread that works: the pool has one.

use glam::{DVec2, DVec3};
use klast_dynamics::single::{
    Coefficients, Friction, Limits, Options, Restitution, SingleBody, Workspace,
};
use klast_dynamics::{Body, State, Twist, WorldSettings};
use klast_geometry::terrain::{Grid, Slope};
use klast_geometry::{Plane, Pose, Solid};
use klast_performance::{KERNELS, Kernel};
use klast_rockfall::rigid::RigidOptions;
use klast_rockfall::{
    Engine, Ground, GroundCoefficients, Release, RockGroup, RockShape, RockSize, Scene, Seeder,
    Simulation, SlopeMaterial, StopConditions,
};
use klast_sampling::{Distribution, Family};
use klast_scenarios::{static_settings, tower};

/// Repetitions before those that count, by which every buffer is as large as it will be, and the number of those that
/// count. Poured cubes find new neighbours until they lie: twelve seconds. A rock that is the first in a bin of the
/// histogram of a cell asks for memory, ever more seldom: the repetition with the fewest allocations shows the rest.
fn repetitions(kernel: &Kernel) -> (usize, usize) {
    match kernel.name {
        "poured-cubes" => (80, 1),
        name if name.ends_with("-rocks") => (100, 8),
        name if name.starts_with("lumped-") => (8, 8),
        _ => (2, 1),
    }
}

fn on_one_thread<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(1)
        .build()
        .unwrap();
    pool.install(work)
}

/// Allocations and units of a repetition in steady state.
fn steady(kernel: &Kernel) -> (u64, u64) {
    let size = if kernel.name.ends_with("-rocks") {
        4
    } else {
        kernel.size
    };
    on_one_thread(|| {
        let mut work = kernel.prepare(size).unwrap();
        let (before, counted) = repetitions(kernel);
        for _ in 0..before {
            work().unwrap();
        }
        let counted = (0..counted).map(|_| {
            let mut units = 0;
            let counted = allocation_counter::measure(|| units = work().unwrap());
            (counted.count_total, units)
        });
        counted.min().unwrap()
    })
}

#[test]
fn steady_work_asks_for_no_memory() {
    for kernel in KERNELS {
        let (allocations, units) = steady(&kernel);
        println!("{}: {allocations} in {units} {}", kernel.name, kernel.unit);
        // States of more than four blocks are lists: an event copies some.
        let most = match kernel.name {
            "tall-stack" => 80 * units,
            _ => 0,
        };
        assert!(
            allocations <= most,
            "{}: {allocations} allocations in {units} {}",
            kernel.name,
            kernel.unit
        );
    }
}

/// Sixteen layers of planks, solved to a residual in each step by sweeps, Newton's method and the general solver in
/// turn.
#[test]
fn a_step_to_a_residual_asks_for_no_memory() {
    let allocations = on_one_thread(|| {
        let settings = WorldSettings {
            step: 1e-3,
            margin: 1e-5,
            slop: 1e-8,
            ..static_settings()
        };
        let mut world = tower(16, settings).unwrap().world;
        let mut steps = |count: usize| {
            for _ in 0..count {
                world.step().unwrap();
            }
        };
        steps(100);
        allocation_counter::measure(|| steps(20)).count_total
    });
    assert_eq!(allocations, 0);
}

/// A drum that lands flat on its twelve corners, which the general solver decides, and rolls.
#[test]
fn an_impact_of_many_points_asks_for_no_memory() {
    let allocations = on_one_thread(|| {
        let drum = Solid::Prism {
            sides: 12,
            slenderness: 1.0,
        };
        let body = Body::uniform(&drum.with_volume(1.0).unwrap(), 2700.0).unwrap();
        let slope = Slope::new(Plane::new(DVec3::Z, 0.0).unwrap()).unwrap();
        let mut ground = Coefficients::new(Restitution(0.35), Friction(0.6)).unwrap();
        let limits = Limits {
            time: 2.0,
            ..Limits::default()
        };
        let options = Options {
            gravity: DVec3::new(0.5, 0.0, -9.81),
            limits,
            ..Options::default()
        };
        let run = SingleBody::new(&slope, options).unwrap();
        let pose = Pose::from_translation(DVec3::new(0.0, 0.0, 3.0));
        let start = State {
            pose,
            velocity: Twist::ZERO,
        };
        let mut workspace = Workspace::default();
        let mut fall = || {
            run.run(&body, start, &mut ground, &mut (), &mut workspace);
        };
        fall();
        allocation_counter::measure(fall).count_total
    });
    assert_eq!(allocations, 0);
}

/// Slabs of many sizes, whose flight is that of a top, down a slope of facets.
#[test]
fn rocks_of_any_size_without_symmetry_ask_for_no_memory() {
    let heights = (0..400).map(|k| 60.0 - 3.0 * f64::from(k % 20)).collect();
    let edges = DVec3::new(1.0, 0.8, 0.4);
    let volumes = Family::Uniform {
        lower: 0.2,
        upper: 0.8,
    };
    let group = RockGroup {
        share: 1.0,
        shape: RockShape::Solid(Solid::Box { edges }),
        size: RockSize::Volume(Distribution::new(volumes).unwrap()),
        density: Distribution::constant(2700.0),
        class: 0,
    };
    let line = Release::Line(vec![DVec2::new(10.0, 30.0), DVec2::new(10.0, 70.0)]);
    let mut seeder = Seeder::new("slabs", line, u64::MAX / 2, group);
    seeder.height = Distribution::constant(2.0);
    let scene = Scene {
        raster: None,
        terrain: Box::new(Grid::new(20, 20, 5.0, DVec2::ZERO, heights).unwrap()),
        ground: Ground::uniform(SlopeMaterial::constant(
            "scree",
            GroundCoefficients {
                normal_restitution: 0.35,
                tangential_restitution: 0.85,
                friction: 0.7,
            },
        ))
        .unwrap(),
        seeders: vec![seeder],
        engine: Engine::Rigid(RigidOptions::default()),
        stop: StopConditions::default(),
        gravity: DVec3::new(0.0, 0.0, -9.81),
        collectors: vec![],
        seed: 1,
    };
    let simulation = Simulation::new(scene).unwrap();
    let allocations = on_one_thread(|| {
        let mut results = simulation.empty_results();
        // The same rocks again, since a longer path than any before is a longer list; some times, since lists change
        // hands.
        let mut run = || {
            simulation.run(0..100, &mut results, |_, _| true);
        };
        (0..5).for_each(|_| run());
        allocation_counter::measure(run).count_total
    });
    assert_eq!(allocations, 0);
}
