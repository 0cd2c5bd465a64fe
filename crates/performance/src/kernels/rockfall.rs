//! Rocks on a plane and on rasters.

use std::hint::black_box;

use anyhow::Result;
use glam::{DVec2, DVec3};
use klast_dynamics::single::{
    Coefficients, Friction, Limits, Options, Restitution, SingleBody, Workspace,
};
use klast_dynamics::{Body, Distribution, State, Twist};
use klast_geometry::terrain::{Grid, Profile, Slope, Terrain};
use klast_geometry::{Plane, Pose, Solid};
use klast_rockfall::lumped::{LumpedLaw, Reading, Scaling};
use klast_rockfall::rigid::RigidOptions;
use klast_rockfall::{
    Engine, Ground, GroundCoefficients, Layout, Polygon, RasterFrame, Release, RockGroup,
    RockShape, RockSize, Scene, Seeder, Simulation, SlopeMaterial, StopConditions,
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
    let engine = Engine::Lumped(LumpedLaw {
        rotation: true,
        reading: Reading::Corrected,
        scaling: Scaling::METRIC,
    });
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

/// Lumped masses on a raster and on a section, half of which is of another material, cut into areas.
pub fn areas(size: usize) -> Result<Work> {
    let engine = || Engine::Lumped(LumpedLaw::default());
    let points = (0..=100).map(|k| {
        let x = 0.01 * SIDE * f64::from(k);
        DVec2::new(x, 200.0 - 0.577 * x + (0.05 * x).sin())
    });
    let section = Profile::new(points.collect())?;
    let mut works = [
        rocks(Box::new(slope(100)?), None, engine(), cut(size)?)?,
        rocks(Box::new(section), None, engine(), cut(size)?)?,
    ];
    Ok(Box::new(move || works.iter_mut().map(|work| work()).sum()))
}

/// The side of the map beyond its middle of a second material, of two names in turn, in pieces x pieces areas.
fn cut(pieces: usize) -> Result<Ground> {
    let place = |k: usize| k as f64 / pieces as f64;
    let corner = |i: usize, j: usize| SIDE * DVec2::new(0.5 + 0.5 * place(i), place(j));
    let area = |k: usize| -> Result<(Polygon, u32)> {
        let (i, j) = (k % pieces, k / pieces);
        let ring = [(0, 0), (1, 0), (1, 1), (0, 1)].map(|(a, b)| corner(i + a, j + b));
        Ok((Polygon::new(vec![ring.to_vec()])?, 1 + k as u32 % 2))
    };
    let areas = (0..pieces * pieces).map(area).collect::<Result<_>>()?;
    let materials = [0.7, 0.6, 0.6].map(scree).to_vec();
    Ok(Ground::new(materials, Layout::Polygons(areas, 0))?)
}

fn scree(friction: f64) -> SlopeMaterial {
    let coefficients = GroundCoefficients {
        normal_restitution: 0.35,
        tangential_restitution: 0.85,
        friction,
    };
    SlopeMaterial::constant("scree", coefficients)
}

fn raster(size: usize, engine: Engine) -> Result<Work> {
    let grid = slope(size.max(4))?;
    let frame = RasterFrame::over(grid.extent(), grid.cell())?;
    let ground = Ground::uniform(scree(0.7))?;
    rocks(Box::new(grid), Some(frame), engine, ground)
}

fn rocks(
    terrain: Box<dyn Terrain>,
    raster: Option<RasterFrame>,
    engine: Engine,
    ground: Ground,
) -> Result<Work> {
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
        raster,
        terrain,
        ground,
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
