//! From the scene file to the runtime scene.

use super::engine::program;
use anyhow::{Context as _, Result, anyhow};
use glam::DVec3;
use klast_rockfall::{RasterFrame, Simulation};

use super::engine::{engine, gravity, stop};
use super::frame;
use super::land::Land;
use super::materials;
use super::paths::Kept;
use super::rock_classes;
use super::scene::{self, Scene};
use super::screens::screens;
use super::sources::seeders as seeders_of;
use super::terrain::terrain;
use klast_files::crs::Crs;
use klast_runs::text::SceneText;

/// Stations along a profile without a length of its own.
const STATIONS: f64 = 100.0;

/// Reads every file of the scene and checks everything.
pub fn simulation(scene: &Scene, text: &SceneText, seed: u64) -> Result<Simulation> {
    simulation_at(scene, text, seed, None)
}

/// The same with the raster terrain resampled to a cell (m).
pub fn simulation_at(
    scene: &Scene,
    text: &SceneText,
    seed: u64,
    cell: Option<f64>,
) -> Result<Simulation> {
    let land = terrain(scene, text, cell)?;
    if scene.wgs84_lines {
        let crs = land.crs.as_ref();
        let crs =
            crs.context("wgs84_lines: the terrain has no CRS; accepted: `crs` of the terrain")?;
        let at = crs.degrees(frame::middle(&*land.terrain));
        let transform = crs.to(&Crs::from_epsg(klast_files::crs::WGS84)?, at);
        let transform = transform.map_err(|why| {
            anyhow!("wgs84_lines: {why}; accepted: false, or a terrain in another CRS")
        })?;
        let accuracy = transform.accuracy();
        text.note(format!("lines in WGS 84: transformed {accuracy}"));
    }
    let ground = materials::ground(scene, text, &land)?;
    let classes = rock_classes::names(scene);
    let mut seeders = Vec::new();
    for source in &scene.sources {
        seeders.extend(seeders_of(source, &classes, text, &land)?);
    }
    let raster = match scene.map_cell_m {
        Some(cell) => Some(RasterFrame::over(land.mapped(), cell).context("map_cell_m")?),
        None => stations(scene, &land)?,
    };
    Ok(Simulation::new(klast_rockfall::Scene {
        collectors: screens(scene, text, &land)?,
        terrain: land.terrain,
        ground,
        seeders,
        engine: engine(&scene.engine)?,
        stop: stop(&scene.stop),
        gravity: DVec3::NEG_Z * gravity(&scene.engine),
        raster,
        seed,
    })?)
}

/// Stations along a profile, at which the envelopes of all rocks are taken; none over other ground.
fn stations(scene: &Scene, land: &Land) -> Result<Option<RasterFrame>> {
    let length = match &scene.terrain {
        scene::Terrain::Profile { station_m, .. } | scene::Terrain::Section { station_m, .. } => {
            *station_m
        }
        _ => return Ok(None),
    };
    let area = land.terrain.extent();
    let length = length.unwrap_or((area.upper.x - area.lower.x) / STATIONS);
    let frame = RasterFrame::stations(area, length);
    frame.map(Some).context("terrain: station_m")
}

/// Which moments of paths are kept: those that a program stores that is followed.
pub fn kept(scene: &Scene) -> Kept {
    let scene::Engine::RigidBody {
        as_program: Some(p),
        ..
    } = &scene.engine
    else {
        return Kept::Picture;
    };
    let isotropic = |shape: &scene::Shape| {
        !matches!(
            shape,
            scene::Shape::Box(_) | scene::Shape::Prism(..) | scene::Shape::Points(_)
        )
    };
    let shapes = scene.sources.iter().flat_map(|s| &s.shapes);
    let isotropic = shapes.into_iter().all(|r| isotropic(&r.shape));
    let stored = program(*p).stored_every();
    stored.map_or(Kept::Steps, |every| Kept::Stored { every, isotropic })
}
