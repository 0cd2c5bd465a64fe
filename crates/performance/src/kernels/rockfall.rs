//! Rocks on a plane and on rasters.

use std::hint::black_box;

use anyhow::Result;
use glam::{DVec2, DVec3};
use klast_dynamics::single::{
    Coefficients, Friction, Limits, Options, Restitution, SingleBody, Workspace,
};
use klast_dynamics::{Body, Distribution, State, Twist};
use klast_geometry::terrain::{Grid, Slope, Terrain};
use klast_geometry::{Plane, Pose, Solid};
use klast_rockfall::lumped::{LumpedLaw, Reading, ReboundLaw, Scaling};
use klast_rockfall::rigid::RigidOptions;
use klast_rockfall::{
    Engine, Ground, GroundCoefficients, RasterFrame, Release, RockGroup, RockShape, RockSize,
    Scene, Seeder, Simulation, SlopeMaterial, StopConditions,
};

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
