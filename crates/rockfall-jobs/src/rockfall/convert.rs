//! From the scene file to the runtime scene.

use glam::DVec3;
use klast_rockfall::{Ground, RasterFrame, Seeder, Simulation};
use klast_runs::error::Result;

use super::engine::{engine, followed, gravity, stop};
use super::ground_extent::Land;
use super::paths::Kept;
use super::scene::{self, Scene};
use super::screens::screens;
use super::sources::seeders as seeders_of;
use super::terrain::terrain;
use super::{frame, materials, rock_classes};
use klast_files::crs::Crs;
use klast_runs::faults::{At as _, Fault, Faults};
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
    let land = terrain(scene, text, cell);
    let ground = |land: &Land| materials::ground(scene, text, land);
    let seeders = |land: &Land| seeders(scene, text, land);
    on(scene, text, seed, land, (ground, seeders))
}

/// The same on some land, with the materials of its ground and what draws the rocks on it.
pub fn on(
    scene: &Scene,
    text: &SceneText,
    seed: u64,
    land: Result<Land>,
    (ground, seeders): (
        impl FnOnce(&Land) -> Result<Ground>,
        impl FnOnce(&Land) -> Result<Vec<Seeder>>,
    ),
) -> Result<Simulation> {
    let mut faults = Faults::default();
    let engine = faults.take("engine", engine(&scene.engine));
    let land = faults.take("", land);
    let Some(land) = land else {
        return Err(faults.into());
    };
    if scene.wgs84_lines {
        faults.take("wgs84_lines", lines_in_degrees(text, &land));
    }
    let ground = faults.take("", ground(&land));
    let seeders = faults.take("", seeders(&land));
    let raster = match scene.map_cell_m {
        Some(cell) => {
            let frame = RasterFrame::over(land.mapped(), cell);
            faults.take("map_cell_m", frame).map(Some)
        }
        None => faults.take("", stations(scene, &land)),
    };
    let collectors = faults.take("", screens(scene, text, &land));
    let made = faults.or_all(|| {
        Some(klast_rockfall::Scene {
            collectors: collectors?,
            terrain: land.terrain,
            ground: ground?,
            seeders: seeders?,
            engine: engine?,
            stop: stop(&scene.stop),
            gravity: DVec3::NEG_Z * gravity(&scene.engine),
            raster: raster?,
            seed,
        })
    })?;
    let mut faults = Faults::default();
    let simulation = faults.take("", Simulation::new(made));
    Ok(faults.or_all(|| simulation)?)
}

/// Checks everything but sources on some land, whose ground it gives.
///
/// # Errors
/// Everything that is wrong.
pub fn checked_ground(scene: &Scene, text: &SceneText, land: &Land) -> Result<Ground> {
    let mut faults = Faults::default();
    faults.take("engine", engine(&scene.engine));
    let ground = faults.take("", materials::ground(scene, text, land));
    Ok(faults.or_all(|| ground)?)
}

/// What draws the rocks of all sources on some ground.
///
/// # Errors
/// Every source that cannot be drawn from.
pub fn seeders(scene: &Scene, text: &SceneText, land: &Land) -> Result<Vec<Seeder>> {
    let classes = rock_classes::names(scene);
    let mut faults = Faults::default();
    let mut all = Vec::new();
    for (k, source) in scene.sources.iter().enumerate() {
        let own = seeders_of(source, &classes, text, land);
        all.extend(
            faults
                .take(&format!("sources[{k}]"), own)
                .into_iter()
                .flatten(),
        );
    }
    Ok(faults.or_all(|| Some(all))?)
}

/// Notes how lines are written in the coordinates of WGS 84.
fn lines_in_degrees(text: &SceneText, land: &Land) -> Result<()> {
    let none = || Fault::new("", "the terrain has no CRS").accepted("`crs` of the terrain");
    let crs = land.crs.as_ref().ok_or_else(none)?;
    let at = crs.degrees(frame::middle(&*land.terrain));
    let transform = crs.to(&Crs::from_epsg(klast_files::crs::WGS84)?, at);
    let transform = transform
        .map_err(|why| Fault::new("", why).accepted("false, or a terrain in another CRS"))?;
    let accuracy = transform.accuracy();
    text.note(format!("lines in WGS 84: transformed {accuracy}"));
    Ok(())
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
    Ok(frame.map(Some).at("terrain.station_m")?)
}

/// Which moments of paths are kept: those that a program stores that is followed.
pub fn kept(scene: &Scene) -> Kept {
    let Some(program) = followed(&scene.engine) else {
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
    let stored = program.stored_every();
    stored.map_or(Kept::Steps, |every| Kept::Stored { every, isotropic })
}
