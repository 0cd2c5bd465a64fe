//! `klast convert FOLDER FOLDER/scene.json`: the input folder of Rockyfor3D as a scene.

use std::path::Path;

use anyhow::{Result, ensure};
use klast_files::reading;
use klast_files::rockyfor3d::{Folder as Input, Form, SOIL_TYPES, Source, read};
use klast_runs::files::{FilesExt as _, Folder};
use serde_json::{Value, json};

use crate::failure::input;
use crate::terminal::{stderr_line, stdout_line};

/// Reads the folder and writes the scene into it, with a file of cells for each kind of block.
///
/// # Errors
/// What of the folder is missing, not carried or out of range; a scene that is to stand elsewhere; a folder that cannot
/// be written.
pub fn run(from: &Path, to: &Path, rocks: u64) -> Result<()> {
    let inside = to.parent().is_some_and(|folder| same(folder, from));
    let name = to
        .file_name()
        .and_then(|n| n.to_str())
        .filter(|n| n.ends_with(".json"));
    let name = input((|| {
        ensure!(
            inside && rocks > 0,
            "{} from {}; accepted: a .json in that folder, and 1 or more rocks a cell",
            to.display(),
            from.display()
        );
        name.ok_or_else(|| anyhow::anyhow!("{}; accepted: a .json", to.display()))
    })())?;
    let bytes = |name: &str| {
        let path = from.join(name);
        path.is_file().then(|| reading::bytes(&path)).transpose()
    };
    let folder = input(read(&bytes).map_err(anyhow::Error::from))?;
    let mut files = Folder::open(from)?;
    for (k, source) in folder.sources.iter().enumerate() {
        files.text(
            &cells_file(k),
            &format!("{:#}\n", cells(source, folder.cell)),
        )?;
    }
    files.text(name, &format!("{:#}\n", scene(&folder, rocks)))?;
    for left_out in &folder.left_out {
        stderr_line(format_args!("klast: note: {left_out}"));
    }
    stdout_line(to.display())?;
    Ok(())
}

fn same(a: &Path, b: &Path) -> bool {
    let of = |p: &Path| match p.as_os_str().is_empty() {
        true => Path::new(".").canonicalize(),
        false => p.canonicalize(),
    };
    of(a).ok().zip(of(b).ok()).is_some_and(|(a, b)| a == b)
}

fn cells_file(number: usize) -> String {
    format!("source_{}.geojson", number + 1)
}

/// The cells of a source as squares.
fn cells(source: &Source, side: f64) -> Value {
    let half = 0.5 * side;
    let squares: Vec<Value> = source
        .cells
        .iter()
        .map(|c| {
            let at = |x: f64, y: f64| json!([c.x + x * half, c.y + y * half]);
            json!([[
                at(-1.0, -1.0),
                at(1.0, -1.0),
                at(1.0, 1.0),
                at(-1.0, 1.0),
                at(-1.0, -1.0)
            ]])
        })
        .collect();
    json!({
        "type": "FeatureCollection",
        "features": [{
            "type": "Feature",
            "properties": {},
            "geometry": {"type": "MultiPolygon", "coordinates": squares},
        }],
    })
}

fn scene(folder: &Input, rocks: u64) -> Value {
    let sources: Vec<Value> = folder
        .sources
        .iter()
        .enumerate()
        .map(|(k, source)| {
            json!({
                "name": format!("source {}", k + 1),
                "release": {"file": cells_file(k)},
                "rocks": rocks.saturating_mul(source.cells.len() as u64),
                "shapes": [{
                    "shape": shape(source),
                    "volume_m3": source.volume(),
                    "density_kg_m3": source.density,
                }],
            })
        })
        .collect();
    json!({
        "schema": 1,
        "kind": "rockfall",
        "terrain": {"raster": {"file": "dem.asc"}},
        "materials": materials(folder),
        "layout": {"raster": {"file": "soiltype.asc", "elsewhere": SOIL_TYPES[first(folder)]}},
        "sources": sources,
        "engine": {"lumped_mass": {}},
        "map_cell_m": folder.cell,
        "write_rockyfor3d_maps": true,
    })
}

fn first(folder: &Input) -> usize {
    folder.soils.keys().next().map_or(0, |k| usize::from(*k))
}

/// The soil types up to the last of the map, so that the numbers of the raster are those of the list; one that is not
/// on the map has the numbers of the next that is.
fn materials(folder: &Input) -> Vec<Value> {
    let last = folder.soils.keys().next_back().copied().unwrap_or(0);
    let material = |code: u8| {
        let (_, soil) = folder.soils.range(code..).next()?;
        Some(json!({
            "name": SOIL_TYPES.get(usize::from(code))?,
            "normal_restitution": soil.normal_restitution,
            "tangential_restitution": soil.tangential_restitution,
            "friction_angle_deg": soil.friction_angle_deg,
            "restitution_by_speed": {"pfeiffer_bowen_m_s": 9.0},
        }))
    };
    (0..=last).filter_map(material).collect()
}

/// An ellipsoid is that of a sphere of points, which the lumped mass knows by its volume alone.
fn shape(source: &Source) -> Value {
    match source.form {
        Form::Rectangular => json!({"box": source.sizes}),
        Form::Ellipsoidal | Form::Spherical => json!("sphere"),
    }
}
