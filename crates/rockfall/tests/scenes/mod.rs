//! Scenes that several tests run.
#![allow(dead_code)] // each test uses some of them

use glam::{DVec2, DVec3};
use klast_geometry::Solid;
use klast_geometry::terrain::{Grid, Terrain};
use klast_rockfall::lumped::{LumpedLaw, ReboundLaw};
use klast_rockfall::rigid::RigidOptions;
use klast_rockfall::*;
use klast_sampling::{Distribution, Family};

/// A rough slope of 35° on a raster at map coordinates, with a hole of missing data.
pub fn raster(seed: u64, hole: bool) -> Grid {
    let n = 24u64;
    let rough =
        |k: u64| ((k.wrapping_mul(2_654_435_761).wrapping_add(seed * 977)) % 1000) as f64 * 1e-3;
    let mut heights: Vec<f64> = (0..n * n)
        .map(|k| 100.0 - 0.7 * 2.0 * (k % n) as f64 + rough(k))
        .collect();
    if hole {
        heights[(12 * n + 12) as usize] = f64::NAN;
    }
    Grid::new(
        n as usize,
        n as usize,
        2.0,
        DVec2::new(2.6e6, 1.2e6),
        heights,
    )
    .unwrap()
}

/// One ball of 100 kg from a point.
pub fn thrower(at: DVec2) -> Seeder {
    let ball = RockGroup {
        share: 1.0,
        shape: RockShape::Sphere,
        size: RockSize::Mass(Distribution::constant(100.0)),
        density: Distribution::constant(2500.0),
        class: 0,
    };
    Seeder::new("thrower", Release::Point(at), 1, ball)
}

/// Ground of one material.
pub fn ground(normal_restitution: f64, tangential_restitution: f64, friction: f64) -> Ground {
    let coefficients = GroundCoefficients {
        normal_restitution,
        tangential_restitution,
        friction,
    };
    Ground::uniform(SlopeMaterial::constant("soil", coefficients)).unwrap()
}

fn normal(mean: f64, sd: f64, lower: f64, upper: f64) -> Distribution {
    Distribution::truncated(Family::Normal { mean, sd }, lower, upper).unwrap()
}

pub fn simulation(seed: u64, engine: Engine, count: u64, hole: bool, friction: f64) -> Simulation {
    Simulation::new(scene(seed, engine, count, hole, friction)).unwrap()
}

pub fn scene(seed: u64, engine: Engine, count: u64, hole: bool, friction: f64) -> Scene {
    let grid = raster(seed, hole);
    let extent = grid.extent();
    let material = SlopeMaterial {
        normal_restitution: normal(0.35, 0.05, 0.1, 0.6),
        friction: normal(friction, 0.1, 0.05, 2.0),
        roughness: normal(0.0, 0.05, -0.2, 0.2),
        ..SlopeMaterial::constant(
            "scree",
            GroundCoefficients {
                normal_restitution: 0.35,
                tangential_restitution: 0.8,
                friction: 0.6,
            },
        )
    };
    let group = |share, shape| RockGroup {
        share,
        shape,
        size: RockSize::Volume(
            Distribution::truncated(Family::Lognormal { mean: 0.5, sd: 0.3 }, 0.05, 3.0).unwrap(),
        ),
        density: Distribution::constant(2700.0),
        class: 0,
    };
    let groups = vec![
        group(2.0, RockShape::Solid(Solid::Cube)),
        group(
            1.0,
            RockShape::Solid(Solid::Slab {
                sides: DVec2::new(2.0, 3.0),
                slenderness: 0.4,
            }),
        ),
    ];
    let ring = |a: f64, b: f64| {
        [(a, a), (b, a), (b, b), (a, b)]
            .map(|(x, y)| DVec2::new(2.6e6 + x, 1.2e6 + y))
            .to_vec()
    };
    let area = Release::Area(Polygon::new(vec![ring(-4.0, 40.0)]).unwrap());
    let mut seeder = Seeder::new("cliff", area, count, groups[0].clone());
    seeder.groups = groups;
    seeder.height = Distribution::new(Family::Uniform {
        lower: 0.0,
        upper: 3.0,
    })
    .unwrap();
    seeder.annual_frequency = Some(0.2);
    let line = |x: f64| {
        vec![
            DVec2::new(2.6e6 + x, 1.2e6 - 10.0),
            DVec2::new(2.6e6 + x, 1.2e6 + 60.0),
        ]
    };
    let collectors = vec![
        Collector {
            name: "collector".into(),
            line: line(30.0),
            barrier: None,
        },
        Collector {
            name: "net".into(),
            line: line(36.0),
            barrier: Some(Barrier {
                height: 2.0,
                capacity: 60e3,
                flexible: None,
            }),
        },
    ];
    let stop = StopConditions {
        maximum_time: 12.0,
        ..StopConditions::default()
    };
    Scene {
        raster: Some(RasterFrame::over(extent, 4.0).unwrap()),
        terrain: Box::new(grid),
        ground: Ground::uniform(material).unwrap(),
        seeders: vec![seeder],
        engine,
        stop,
        gravity: DVec3::new(0.0, 0.0, -9.81),
        collectors,
        seed,
    }
}

pub fn rigid() -> Engine {
    Engine::Rigid(RigidOptions::default())
}
pub const LUMPED: Engine = Engine::Lumped(ReboundLaw::Manual(LumpedLaw {
    rotation: true,
    reading: lumped::Reading::Corrected,
    scaling: lumped::Scaling::METRIC,
}));

pub fn whole(simulation: &Simulation) -> Results {
    let mut results = simulation.empty_results();
    assert_eq!(
        simulation.run(0..simulation.count(), &mut results, |_, _| true),
        simulation.count()
    );
    results
}

/// Whether lumped masses with a rebound law start on a ground.
pub fn starts(law: lumped::ReboundLaw, ground: Ground) -> bool {
    let at = DVec2::new(2.6e6 + 10.0, 1.2e6 + 10.0);
    let scene = Scene {
        ground,
        engine: Engine::Lumped(law),
        seeders: vec![thrower(at)],
        ..scene(1, LUMPED, 1, false, 0.5)
    };
    Simulation::new(scene).is_ok()
}
