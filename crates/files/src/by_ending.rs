//! Readers by the ending of a file.

use klast_geometry::terrain::Grid;

use crate::command::split;
use crate::crs::Crs;
use crate::foreign::{self, RASTERS, SHAPES, Wanted, translated};
use crate::mesh::stated_unit::stated_unit;
use crate::mesh::triangles::Triangles;
use crate::mesh::{obj, ply, stl};
use crate::raster::{Beside, Ground, Raster};
use crate::refusal::{Context as _, Result, bail, ensure};
use crate::shapes::{Shapes, geojson, points, shapefile};
use crate::text;

/// A raster by the ending of its file, as ground.
///
/// # Errors
/// What its reader refuses.
pub fn raster_from(ending: &str, bytes: &[u8]) -> Result<Grid> {
    Ok(raster_as(ending, bytes, &Beside::default())?
        .into_ground()?
        .grid)
}

/// A raster by the ending of its file, with what stands beside it.
///
/// # Errors
/// What its reader refuses.
pub fn raster_as(ending: &str, bytes: &[u8], beside: &Beside) -> Result<Raster> {
    match ending {
        "tif" | "tiff" => crate::raster::geotiff::read(bytes, beside),
        "asc" => Raster::of_esri_ascii(bytes, beside),
        other => bail!(Foreign, "'.{other}'"; ".asc, .tif"),
    }
}

/// A mesh by the ending of its file, in metres.
///
/// # Errors
/// What its reader refuses; another unit that a comment states, with the factor to apply.
pub fn mesh_from(ending: &str, bytes: &[u8]) -> Result<Triangles> {
    if let Some(unit) = stated_unit(ending, bytes)? {
        unit.in_metres()?;
    }
    mesh_in_any_unit(ending, bytes)
}

/// A mesh by the ending of its file, in the unit that it has.
///
/// # Errors
/// What its reader refuses.
pub fn mesh_in_any_unit(ending: &str, bytes: &[u8]) -> Result<Triangles> {
    foreign::refuse(Wanted::Mesh, &format!("mesh.{ending}"), bytes)?;
    let mesh = match ending {
        "stl" => stl::read(bytes),
        "obj" => obj::read(bytes),
        "ply" => ply::read(bytes),
        _ => bail!(Foreign, "'.{ending}'"; ".stl, .obj, .ply, in metres and with z upwards"),
    };
    mesh.map_err(|mut refusal| {
        if let Some(line) = text::first_decimal_comma(bytes) {
            refusal.found += &format!("; the decimal marks are commas (line {line})");
            refusal.accepted = "points as decimal marks".into();
        }
        refusal
    })
}

/// The mesh of a body: without triangles that have a corner twice, which bound nothing; of one that is open, equal
/// corners are one, and triangles are split at corners on their edges.
///
/// # Errors
/// What its reader refuses; a mesh without any other triangle.
pub fn body_from(ending: &str, bytes: &[u8]) -> Result<Triangles> {
    let mut mesh = mesh_from(ending, bytes)?;
    mesh.weld_if_open();
    let lines = mesh.drop_lines();
    mesh.split_at_corners();
    ensure!(
        !mesh.triangles.is_empty(),
        Missing, "all {lines} triangles have a corner twice"; "triangles with an area"
    );
    Ok(mesh)
}

/// The ending of a file in small letters.
#[must_use]
pub fn ending(file: &str) -> String {
    let ending = std::path::Path::new(file).extension();
    ending.map_or(String::new(), |e| e.to_string_lossy().to_lowercase())
}

/// Whether the name of a file has an ending, in letters of any case.
#[must_use]
pub fn is(file: &str, ending: &str) -> bool {
    file.to_ascii_lowercase().ends_with(ending)
}

/// A raster by the name of its file: GeoTIFF, else ESRI ASCII.
///
/// # Errors
/// What its reader refuses; another format, with the command that makes one that is read.
pub fn raster(file: &str, bytes: &[u8], beside: &Beside) -> Result<Raster> {
    read_raster(file, bytes, beside).in_command(file)
}

fn read_raster(file: &str, bytes: &[u8], beside: &Beside) -> Result<Raster> {
    foreign::refuse(Wanted::Raster, file, bytes)?;
    let tiff = bytes.starts_with(b"II*\0") || bytes.starts_with(b"MM\0*");
    if tiff || is(file, ".tif") || is(file, ".tiff") {
        return raster_as("tif", bytes, beside);
    }
    refuse_other_texts(file, bytes)?;
    let ending = ending(file);
    let known = ["asc", "txt", "grd", "agr", ""];
    if !known.contains(&ending.as_str()) && !starts_a_grid(bytes) {
        let head = String::from_utf8_lossy(&bytes[..bytes.len().min(4096)]);
        let xml = ending == "xml";
        ensure!(
            !head.contains("fgd.gsi.go.jp"),
            Foreign, "'.{ending}' (heights of the Geospatial Information Authority of Japan, in degrees)";
            "{RASTERS} (the plugin QuickDEM4JP of QGIS makes a GeoTIFF in a CRS in metres of it)"
        );
        ensure!(!xml, Foreign, "'.xml' is not read"; "{RASTERS} (an .aux.xml or .xml beside a raster is no raster)");
        bail!(Foreign, "'.{ending}' is not read"; "{RASTERS}" => translated(file, file));
    }
    Raster::of_esri_ascii(bytes, beside).context("ESRI ASCII grid")
}

/// Refuses meshes that are read elsewhere, headers whose heights stand in another file, rows of points, and bytes that
/// are no text.
fn refuse_other_texts(file: &str, bytes: &[u8]) -> Result<()> {
    let (stem, _) = split(file);
    let ending = ending(file);
    ensure!(
        !["stl", "obj", "ply"].contains(&ending.as_str()),
        Foreign, "a mesh"; "{RASTERS}; in a scene the key `mesh` of the terrain takes a mesh in place of `raster`"
    );
    let (data, others) = match ending.as_str() {
        "sgrd" => (format!("{stem}.sdat"), ""),
        "hdr" => (
            format!("{stem}.{}", ending_of_data(bytes)),
            " (or the file of another ending beside it)",
        ),
        _ => (String::new(), ""),
    };
    if !data.is_empty() {
        let command = translated(&data, file).noted(others);
        bail!(Foreign, "a header whose heights stand in another file"; "{RASTERS}" => command);
    }
    if is_points(bytes) {
        let command = translated(file, file).led("of points in a grid ");
        bail!(Foreign, "rows of three numbers, as of points x, y, height"; "{RASTERS}" => command);
    }
    // A text has no byte 0; the wide letters of a text in UTF-16 have.
    let wide = bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff");
    let text = wide || !bytes[..bytes.len().min(4096)].contains(&0);
    ensure!(text, Foreign, "bytes that are no text"; "{RASTERS}" => translated(file, file));
    Ok(())
}

/// The ending that the data of a header `.hdr` have: ENVI's own, the layout that Esri's names, or that of its floats.
fn ending_of_data(header: &[u8]) -> &'static str {
    let text = String::from_utf8_lossy(header).to_lowercase();
    let layout = text
        .lines()
        .find_map(|line| line.trim().strip_prefix("layout"));
    match layout.map(str::trim) {
        _ if text.starts_with("envi") => "img",
        Some("bip") => "bip",
        Some("bsq") => "bsq",
        None if text.contains("ncols") && text.contains("byteorder") => "flt",
        _ => "bil",
    }
}

/// Whether bytes may be JSON, in UTF-8 or UTF-16.
fn starts_json(bytes: &[u8]) -> bool {
    let marks: [&[u8]; 3] = [b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff"];
    let bare = marks
        .iter()
        .find_map(|mark| bytes.strip_prefix(*mark))
        .unwrap_or(bytes);
    let first = bare.iter().find(|b| !b.is_ascii_whitespace() && **b != 0);
    matches!(first, Some(b'{' | b'[' | 0x1e))
}

/// Whether the first rows of a text, below a line of names at most, are three numbers each.
fn is_points(bytes: &[u8]) -> bool {
    let Ok(text) = text::ascii(&bytes[..bytes.len().min(4096)]) else {
        return false;
    };
    let three = |line: &str| {
        let words = line.split([' ', '\t', ',', ';']).filter(|w| !w.is_empty());
        let words: Vec<&str> = words.collect();
        words.len() == 3 && words.iter().all(|w| w.parse::<f64>().is_ok())
    };
    let rows = text.lines().filter(|l| !l.trim().is_empty()).take(4);
    let rows: Vec<&str> = rows.collect();
    rows.len() == 4 && rows[1..].iter().all(|row| three(row))
}

/// Whether it begins as an ESRI grid does, whatever its name.
fn starts_a_grid(bytes: &[u8]) -> bool {
    let start = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let word = start.trim_ascii_start().get(..5);
    word.is_some_and(|w| w.eq_ignore_ascii_case(b"ncols") || w.eq_ignore_ascii_case(b"nrows"))
}

/// A raster as ground, by the path of its file, with what stands beside it.
///
/// # Errors
/// A file that cannot be read, with its name; as [`raster`].
pub fn ground(path: &std::path::Path) -> Result<Ground> {
    let name = path.display().to_string();
    let bytes = crate::reading::bytes(path)?;
    let beside = Beside::find(&name, |file| crate::reading::optional(file.as_ref()))?;
    let raster = read_raster(&name, &bytes, &beside);
    raster.and_then(Raster::into_ground).in_command(&name)
}

impl Shapes {
    /// From a file by its ending: a shapefile, points in columns, else GeoJSON. `read` gives the bytes of a file beside
    /// it, if there is such a file.
    ///
    /// # Errors
    /// What its reader refuses; a format that is not read, with the command that makes one that is.
    pub fn read(
        file: &str,
        bytes: &[u8],
        read: &mut dyn FnMut(&str) -> Result<Option<Vec<u8>>>,
    ) -> Result<Self> {
        Self::by_ending(file, bytes, read).in_command(file)
    }

    fn by_ending(
        file: &str,
        bytes: &[u8],
        read: &mut dyn FnMut(&str) -> Result<Option<Vec<u8>>>,
    ) -> Result<Self> {
        let (stem, _) = split(file);
        foreign::refuse(Wanted::Shapes, file, bytes)?;
        let mut beside = |endings: [&str; 2]| -> Result<Option<Vec<u8>>> {
            for ending in endings {
                if let Some(bytes) = read(&format!("{stem}.{ending}"))? {
                    return Ok(Some(bytes));
                }
            }
            Ok(None)
        };
        match ending(file).as_str() {
            "shp" => {
                let table = beside(["dbf", "DBF"])?;
                let prj = beside(["prj", "PRJ"])?;
                let codepage = beside(["cpg", "CPG"])?;
                let mut shapes = shapefile::read(bytes, table.as_deref(), codepage.as_deref())?;
                if let Some(prj) = prj {
                    let text = text::ascii(&prj).context(".prj")?;
                    shapes.crs = Some(Crs::parse(&text).context(".prj")?);
                }
                Ok(shapes)
            }
            "csv" | "txt" | "xyz" => points::read(bytes),
            #[cfg(feature = "geopackage")]
            "gpkg" => {
                for log in ["gpkg-wal", "gpkg-journal"] {
                    ensure!(
                        read(&format!("{stem}.{log}"))?.is_none_or(|log| log.is_empty()),
                        Unreadable, "another program has changes of it in {stem}.{log}"; "a file that no program has \
                            open"
                    );
                }
                crate::shapes::geopackage::read(bytes)
            }
            other if !other.contains("json") && !starts_json(bytes) => {
                bail!(Foreign, "'.{other}' is not read"; "{SHAPES}")
            }
            _ => geojson::read(bytes),
        }
    }
}
