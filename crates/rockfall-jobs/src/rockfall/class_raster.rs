//! A raster of numbers of materials: read, and checked against the terrain.

use std::cell::Cell;
use std::ops::Range;

use glam::DVec2;
use klast_files::command::{WARP_CLASSES, quoted, split};
use klast_files::crs::Transform;
use klast_files::digits::short;
use klast_files::raster::Raster;
use klast_files::raster::geotiff::Layout;
use klast_files::shapes::meets;
use klast_geometry::terrain::{Area, Grid};
use klast_runs::ensure;
use klast_runs::error::{Context as _, Result};
use klast_runs::faults::Fault;
use klast_runs::text::{SceneText, is_tiff};

use super::ground_extent::Land;
use super::scene::{Scene, Terrain};

/// The raster, which must meet the terrain in the same CRS. Beside tiles of the terrain only the cells of a GeoTIFF
/// that lie over the ground of a tile are read, of which all may be missing; before there is any ground, two by two.
///
/// # Errors
/// Another CRS, a raster beside the terrain, a number that is none of a material.
pub fn read(scene: &Scene, file: &str, text: &SceneText, land: &Land) -> Result<Option<Grid>> {
    let names: Vec<&str> = scene.materials.iter().map(|m| m.name.as_str()).collect();
    let tiled = matches!(scene.terrain, Terrain::Raster { tiles: Some(_), .. });
    let of_a_tile = tiled && land.grid.is_some();
    if !tiled || !is_tiff(file) {
        let raster = text.read_raster(file)?;
        if !of_a_tile {
            place(file, &raster, extent(&layout(&raster)), text, land)?;
            numbers(file, &raster, &names, text)?;
        }
        return raster
            .into_grid()
            .map(Some)
            .with_context(|| file.to_owned());
    }
    let whole = Cell::new(None);
    let raster = text.read_raster_part(file, &|all| {
        whole.set(Some(extent(all)));
        Ok(match of_a_tile {
            true => over(all, land.extent()),
            false => [0..2.min(all.columns), 0..2.min(all.rows)],
        })
    })?;
    match whole.get() {
        Some(whole) if !of_a_tile => place(file, &raster, whole, text, land)?,
        _ => drop(classes(file, &raster, &names)?),
    }
    if raster.values.iter().all(f64::is_nan) {
        return Ok(None);
    }
    raster
        .into_grid()
        .map(Some)
        .with_context(|| file.to_owned())
}

fn layout(raster: &Raster) -> Layout {
    Layout {
        columns: raster.columns,
        rows: raster.rows,
        cell: raster.cell,
        south_west: raster.south_west,
    }
}

fn extent(layout: &Layout) -> Area {
    let lower = layout.south_west - DVec2::splat(0.5 * layout.cell);
    let size = DVec2::new(layout.columns as f64, layout.rows as f64) * layout.cell;
    Area {
        lower,
        upper: lower + size,
    }
}

/// Columns and rows over an area, one more on each side, as the nearest cell counts; two or more, as a raster has.
fn over(all: &Layout, area: Area) -> [Range<usize>; 2] {
    let place = |p: DVec2| (p - all.south_west) / all.cell;
    let (lower, upper) = (place(area.lower) - 1.0, place(area.upper) + 2.0);
    let range = |axis: usize, most: usize| {
        let start = (lower[axis].max(0.0) as usize).min(most.saturating_sub(2));
        let end = (upper[axis].max(0.0) as usize).max(start + 2).min(most);
        start..end
    };
    [range(0, all.columns), range(1, all.rows)]
}

/// Checks where the whole of a raster lies.
fn place(file: &str, raster: &Raster, own: Area, text: &SceneText, land: &Land) -> Result<()> {
    if let (Some(stated), Some(ground)) = (&raster.crs, &land.crs) {
        let centre = 0.5 * (own.lower + own.upper);
        // A frame of another datum that has the same coordinates to a decimetre is the same for materials.
        let same =
            stated
                .to(ground, stated.degrees(centre))
                .is_ok_and(|transform| match transform {
                    Transform::Identity => true,
                    _ => transform
                        .apply(centre)
                        .is_ok_and(|there| (there - centre).length() < 0.1 * raster.cell),
                });
        ensure!(
            same,
            Fault::of_file(
                file,
                format!("{} beside a terrain in {}", stated.title(), ground.title())
            )
            .accepted(format!(
                "one CRS (`gdalwarp -t_srs {} {WARP_CLASSES} {} {}`)",
                ground.argument(),
                quoted(file),
                quoted(&format!("{}-new.tif", split(file).0))
            ))
        );
    }
    let ground = land.extent();
    ensure!(meets(own, ground), Fault::of_file(file, format!("the raster does not meet the terrain: x {} to {}, y {} to {} beside x {} to {}, y {} to {}", own.lower.x, own.upper.x, own.lower.y, own.upper.y, ground.lower.x, ground.upper.x, ground.lower.y, ground.upper.y)).accepted("coordinates of the terrain"));
    let slack = 0.5 * raster.cell.max(land.terrain.resolution());
    let covers = own.grown(slack).lower.cmple(ground.lower).all()
        && own.grown(slack).upper.cmpge(ground.upper).all();
    if !covers {
        text.caution(format!("layout {file}: the raster does not cover the terrain; elsewhere lies the material `elsewhere`"));
    }
    Ok(())
}

/// Says which materials a raster has.
fn numbers(file: &str, raster: &Raster, names: &[&str], text: &SceneText) -> Result<()> {
    let missing = match raster.values.iter().any(|v| v.is_nan()) {
        true => "; there lies the material `elsewhere`",
        false => "",
    };
    let classes = classes(file, raster, names)?;
    text.note(format!(
        "layout {file}: {}{missing}: {classes}",
        raster
            .described()
            .replace("heights", "numbers")
            .replace(" m,", ",")
    ));
    for caution in &raster.cautions {
        text.caution(format!("layout {file}: {caution}"));
    }
    Ok(())
}

/// How many cells of a raster each material has, in words.
///
/// # Errors
/// A number that is none of the materials, which count from 0.
fn classes(file: &str, raster: &Raster, names: &[&str]) -> Result<String> {
    let mut counts = vec![0usize; names.len()];
    for value in raster.values.iter().filter(|v| !v.is_nan()) {
        let named = || {
            names
                .iter()
                .enumerate()
                .map(|(k, name)| format!("{k} ({name})"))
        };
        let class = counts
            .get_mut(value as usize)
            .filter(|_| value >= 0.0 && value.fract() == 0.0);
        let class = class.with_context(|| {
            let all: Vec<String> = named().collect();
            format!(
                "{file}: a cell has the number {value}; accepted: {}",
                all.join(", ")
            )
        })?;
        *class += 1;
    }
    let all = raster.values.len().max(1) as f64;
    let present = counts.iter().zip(names).filter(|(count, _)| **count > 0);
    let told =
        present.map(|(count, name)| format!("{name} {} %", short(100.0 * *count as f64 / all)));
    Ok(told.collect::<Vec<_>>().join(", "))
}
