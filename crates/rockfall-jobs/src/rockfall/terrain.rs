//! The terrain of a scene: read and checked.

use glam::DVec2;
use klast_files::raster::{Ground, Raster};
use klast_geometry::terrain::{Diagonal, Grid, Profile, Slope, SurveyLine};
use klast_runs::error::{Context as _, Result};
use klast_runs::{bail, ensure};

use super::ground_extent::Land;
use super::scene::{self, Scene};
use super::terrain_keys::{stated, stated_crs};
use super::{earthworks, input_remarks, meshes};
use klast_runs::faults::{At as _, Fault};
use klast_runs::text::SceneText;

pub fn terrain(scene: &Scene, text: &SceneText, cell: Option<f64>) -> Result<Land> {
    let raster_only = !scene.earthworks.is_empty() || !scene.repeat_at_cells_m.is_empty();
    ensure!(
        !raster_only || matches!(scene.terrain, scene::Terrain::Raster { .. }),
        "earthworks, repeat_at_cells_m: accepted: on a terrain of kind raster"
    );
    let point = matches!(scene.engine, scene::Engine::LumpedMass { .. });
    Ok(match &scene.terrain {
        scene::Terrain::Raster { file, .. } => {
            let raster = text.read_raster(file).at("terrain.raster.file")?;
            let ground = raster_ground(&scene.terrain, raster)?;
            input_remarks::ground(file, &ground, text);
            Land::of_grid(reshaped(ground.grid, scene, cell, text)?, ground.crs)
        }
        scene::Terrain::Mesh {
            file,
            crs,
            vertical_resolution_m,
        } => meshes::one(file, (crs.as_deref(), point), *vertical_resolution_m, text)?,
        scene::Terrain::Meshes {
            parts,
            crs,
            vertical_resolution_m,
        } => meshes::several(parts, (crs.as_deref(), point), *vertical_resolution_m, text)?,
        scene::Terrain::Profile {
            points_m,
            vertical_resolution_m,
            ..
        } => {
            let line = surveyed(points_m)?;
            input_remarks::survey(&line, text);
            let mut profile = line.profile().clone();
            if let Some(resolution) = stated("terrain.profile", *vertical_resolution_m)? {
                profile = profile.with_vertical_resolution(resolution);
            }
            Land::without_crs(profile)
        }
        scene::Terrain::Section {
            file,
            line_m,
            spacing_m,
            ..
        } => {
            let raster = text.read_raster(file).at("terrain.section.file")?;
            let ground = klast_runs::error::in_command(file, raster.into_ground());
            let ground = ground.with_context(|| file.clone())?;
            input_remarks::ground(file, &ground, text);
            let points = earthworks::section(&ground.grid, line_m, *spacing_m);
            Land::without_crs(Profile::new(points.at("terrain")?)?)
        }
        scene::Terrain::Slope { angle_deg } => {
            ensure!(
                (0.0..90.0).contains(angle_deg),
                Fault::new("terrain.slope.angle_deg", angle_deg).accepted("0 or more, below 90")
            );
            Land::without_crs(Slope::downhill_x(angle_deg.to_radians())?)
        }
    })
}

/// A raster of heights as the ground that a scene makes of it, and what was understood of it.
pub fn raster_ground(terrain: &scene::Terrain, mut raster: Raster) -> Result<Ground> {
    let scene::Terrain::Raster {
        file,
        diagonal,
        crs,
        vertical_resolution_m,
        ..
    } = terrain
    else {
        bail!("a raster of a terrain that is none");
    };
    let own = "terrain.raster";
    raster.crs = stated_crs(own, (file, crs.as_deref()), raster.crs)?;
    let ground = klast_runs::error::of_file(file, raster.into_ground());
    let ground = ground.at("terrain.raster.file")?;
    let mut grid = ground.grid.with_diagonal(match diagonal {
        scene::Diagonal::Rising => Diagonal::Rising,
        scene::Diagonal::Falling => Diagonal::Falling,
        scene::Diagonal::Bilinear => Diagonal::Bilinear(4),
    });
    if let Some(resolution) = stated(own, *vertical_resolution_m)? {
        grid = grid.with_vertical_resolution(resolution);
    }
    Ok(Ground { grid, ..ground })
}

/// The ground of the points of a profile.
pub fn surveyed(points_m: &[[f64; 2]]) -> Result<SurveyLine> {
    let points = points_m.iter().map(|p| DVec2::from_array(*p));
    Ok(SurveyLine::new(points.collect()).at("terrain.profile.points_m")?)
}

/// The grid with its earthworks, at another size of cells if one is asked for.
fn reshaped(grid: Grid, scene: &Scene, cell: Option<f64>, text: &SceneText) -> Result<Grid> {
    let grid = earthworks::stamped(grid, &scene.earthworks, text)?;
    for cell in &scene.repeat_at_cells_m {
        earthworks::check_cell(&grid, *cell).at("repeat_at_cells_m")?;
    }
    match cell {
        Some(cell) => earthworks::resampled(&grid, cell),
        None => Ok(grid),
    }
}
