//! Rocks on a plane and on rasters.

use std::hint::black_box;

use anyhow::Result;
use glam::{DVec2, DVec3};
use klast_dynamics::single::{
    Coefficients, Friction, Limits, Options, Restitution, SingleBody, Workspace,
};
use klast_dynamics::{Body, State, Twist};
use klast_geometry::terrain::{Grid, Profile, Slope, Terrain};
use klast_geometry::{Plane, Pose, Solid};
use klast_rockfall::lumped::{LumpedLaw, Reading, ReboundLaw, Scaling};
use klast_rockfall::rigid::RigidOptions;
use klast_rockfall::{
    Collector, Engine, Ground, GroundCoefficients, RasterFrame, Release, RockGroup, RockShape,
    RockSize, Scene, Seeder, Simulation, SlopeMaterial, StopConditions,
};
use klast_sampling::Distribution;

use super::{part, spread};
use crate::Work;

/// Rocks in one repetition on a raster.
const ROCKS: u64 = 20;
/// Side of every raster (m): the size sets its cells.
const SIDE: f64 = 300.0;

/// Cubes that tumble down a plane of 30° for four seconds.
pub fn falling_cubes(size: usize) -> Result<Work> {
    let body = Body::uniform(&Solid::Cube.with_volume(1.0)?, 2700.0)?;
    let slope = Slope::new(Plane::new(DVec3::new(0.5, 0.0, 0.75f64.sqrt()), 0.0)?)?;
    let mut ground = Coefficients::new(Restitution(0.35), Friction(0.6))?;
    let limits = Limits {
        time: 4.0,
        ..Limits::default()
    };
    let options = Options {
        limits,
        ..Options::default()
    };
    options.validate()?;
    let mut workspace = Workspace::default();
    Ok(Box::new(move || {
        let run = SingleBody::new(&slope, options.clone())?;
        for i in 0..size as u32 {
            let (turn, spin) = spread(i);
            let pose = Pose::new(turn, DVec3::new(0.0, 0.0, 5.0))?;
            let start = State {
                pose,
                velocity: Twist::new(DVec3::ZERO, spin)?,
            };
            black_box(run.run(&body, start, &mut ground, &mut (), &mut workspace));
        }
        Ok(size as u64)
    }))
}

/// Rigid rocks on a raster, with statistics in each of its cells.
pub fn rigid_rocks(size: usize) -> Result<Work> {
    let engine = Engine::Rigid(RigidOptions::default());
    raster(size, engine)
}

/// Lumped-mass rocks on a raster, with statistics in each of its cells.
pub fn lumped_rocks(size: usize) -> Result<Work> {
    let engine = Engine::Lumped(ReboundLaw::Manual(LumpedLaw {
        rotation: true,
        reading: Reading::Corrected,
        scaling: Scaling::METRIC,
    }));
    raster(size, engine)
}

/// A slope of 30° with waves that every raster can carry, so that the size changes the cells and not the ground.
fn slope(size: usize) -> Result<Grid> {
    let cell = SIDE / (size - 1) as f64;
    let heights = (0..size * size).map(|k| {
        let (x, y) = ((k % size) as f64 * cell, (k / size) as f64 * cell);
        200.0 - 0.577 * x + 2.0 * (0.05 * x).sin() * (0.04 * y).cos()
    });
    Ok(Grid::new(size, size, cell, DVec2::ZERO, heights.collect())?)
}

fn raster(size: usize, engine: Engine) -> Result<Work> {
    let grid = slope(size.max(4))?;
    let group = RockGroup {
        share: 1.0,
        shape: RockShape::Solid(Solid::Cube),
        size: RockSize::Volume(Distribution::constant(0.5)),
        density: Distribution::constant(2700.0),
        class: 0,
    };
    let line = Release::Line(
        (0..8)
            .map(|i| DVec2::new(20.0 + 5.0 * part(i, 0.618), 100.0 + 12.0 * f64::from(i)))
            .collect(),
    );
    let mut seeder = Seeder::new("line", line, u64::MAX / 2, group);
    seeder.height = Distribution::constant(2.0);
    let scene = Scene {
        raster: Some(RasterFrame::over(grid.extent(), grid.cell())?),
        terrain: Box::new(grid),
        ground: Ground::uniform(SlopeMaterial::constant(
            "scree",
            GroundCoefficients {
                normal_restitution: 0.35,
                tangential_restitution: 0.85,
                friction: 0.7,
            },
        ))?,
        seeders: vec![seeder],
        engine,
        stop: StopConditions::default(),
        gravity: DVec3::new(0.0, 0.0, -9.81),
        collectors: vec![],
        seed: 1,
    };
    let simulation = Simulation::new(scene)?;
    let mut results = simulation.empty_results();
    let mut next = 0;
    Ok(Box::new(move || {
        next = simulation.run(next..next + ROCKS, &mut results, |_, _| true);
        Ok(ROCKS)
    }))
}

/// Rocks in one repetition on a profile, and on a raster of noise.
const MANY: u64 = 1000;
const ON_NOISE: u64 = 100;

/// Lumped-mass rocks on a slope of 35° with a run-out, with a collector at its foot and statistics at stations: what a
/// scene on a profile records unless it asks for something else.
pub fn rocks_on_a_profile(stations: usize) -> Result<Work> {
    let mut scene = on_a_profile(3)?;
    let mut extent = scene.terrain.extent();
    let length = (extent.upper.x - extent.lower.x) / stations as f64;
    (extent.lower.y, extent.upper.y) = (0.0, 0.0);
    scene.raster = Some(RasterFrame::stations(extent, length)?);
    work(Simulation::new(scene)?, MANY)
}

/// The same rocks without stations; the size is the number of points of the profile.
pub fn rocks_without_stations(points: usize) -> Result<Work> {
    work(Simulation::new(on_a_profile(points)?)?, MANY)
}

fn on_a_profile(points: usize) -> Result<Scene> {
    let (height, foot) = (100.0, 142.814_800_674_211_45);
    let slope = points.max(3) - 2;
    let at = |k: usize| foot * k as f64 / slope as f64;
    let down = (0..slope).map(|k| DVec2::new(at(k), height * (1.0 - k as f64 / slope as f64)));
    let run_out = [(foot, 0.0), (foot + 150.0, 0.0)].map(DVec2::from);
    let profile = Profile::new(down.chain(run_out).collect())?;
    let line = vec![DVec2::new(foot - 2.0, -50.0), DVec2::new(foot - 2.0, 50.0)];
    let release = Release::Line(vec![DVec2::new(1.0, 0.0), DVec2::new(3.0, 0.0)]);
    let mut scene = spheres(Box::new(profile), release)?;
    scene.collectors = vec![at_foot(line)];
    Ok(scene)
}

/// Lumped-mass rocks on a raster whose heights scatter by up to 10 cm on a slope of 35°, with a collector and no maps.
pub fn rocks_on_noise(size: usize) -> Result<Work> {
    let (size, cell) = (size.max(4), SIDE / (size.max(4) - 1) as f64);
    let heights = (0..size * size)
        .map(|k| 200.0 - 0.7 * (k % size) as f64 * cell + 0.2 * scattered(k as u64));
    let grid = Grid::new(size, size, cell, DVec2::ZERO, heights.collect())?;
    let release = Release::Line(vec![DVec2::new(10.0, 100.0), DVec2::new(10.0, 200.0)]);
    let mut scene = spheres(Box::new(grid), release)?;
    let line = vec![DVec2::new(290.0, 1.0), DVec2::new(290.0, 299.0)];
    scene.collectors = vec![at_foot(line)];
    work(Simulation::new(scene)?, ON_NOISE)
}

/// A number from 0 to 1 for each index, without a pattern: SplitMix64.
fn scattered(index: u64) -> f64 {
    let mut z = index.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64
}

/// Spheres of 1 m³ that are let go 5 m over the ground at 1 m/s.
fn spheres(terrain: Box<dyn Terrain>, release: Release) -> Result<Scene> {
    let group = RockGroup {
        share: 1.0,
        shape: RockShape::Sphere,
        size: RockSize::Volume(Distribution::constant(1.0)),
        density: Distribution::constant(2700.0),
        class: 0,
    };
    let mut seeder = Seeder::new("top", release, u64::MAX / 2, group);
    seeder.height = Distribution::constant(5.0);
    seeder.velocity = [1.0, 0.0, 0.0].map(Distribution::constant);
    Ok(Scene {
        raster: None,
        terrain,
        ground: Ground::uniform(SlopeMaterial::constant(
            "scree",
            GroundCoefficients {
                normal_restitution: 0.35,
                tangential_restitution: 0.85,
                friction: 0.6,
            },
        ))?,
        seeders: vec![seeder],
        engine: Engine::Lumped(ReboundLaw::Manual(LumpedLaw {
            rotation: true,
            reading: Reading::Corrected,
            scaling: Scaling::METRIC,
        })),
        stop: StopConditions::default(),
        gravity: DVec3::new(0.0, 0.0, -9.81),
        collectors: vec![],
        seed: 1,
    })
}

fn at_foot(line: Vec<DVec2>) -> Collector {
    Collector {
        name: "foot".to_owned(),
        line,
        barrier: None,
    }
}

/// Runs as many rocks of a scene at a time.
fn work(simulation: Simulation, rocks: u64) -> Result<Work> {
    let mut results = simulation.empty_results();
    let mut next = 0;
    Ok(Box::new(move || {
        next = simulation.run(next..next + rocks, &mut results, |_, _| true);
        Ok(rocks)
    }))
}
