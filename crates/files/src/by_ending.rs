//! Readers by the ending of a file.

use crate::crs::Crs;
use crate::shapes::Shapes;
use crate::shapes::{geojson, layers, points, shapefile};
use anyhow::{Context as _, Result, anyhow, bail, ensure};
use klast_geometry::terrain::Grid;

use crate::mesh::stated_unit::stated_unit;
use crate::mesh::triangles::Triangles;
use crate::mesh::{obj, other_meshes, ply, stl};
use crate::raster::{Beside, Ground, Raster};
use crate::{cure, packed, text};

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
        other => bail!("'.{other}'; accepted: .asc, .tif"),
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
    if !other_meshes::is_archive(ending) {
        packed::refuse(ending, bytes)?;
    }
    other_meshes::refuse(ending, bytes)?;
    let mesh = match ending {
        "stl" => stl::read(bytes),
        "obj" => obj::read(bytes),
        _ => ply::read(bytes),
    };
    mesh.map_err(|error| match text::first_decimal_comma(bytes) {
        Some(line) => anyhow!(
            "{error:#}; the decimal marks are commas (line {line}); accepted: points as decimal marks"
        ),
        None => error,
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
        "all {lines} triangles have a corner twice; accepted: triangles with an area"
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
    cure::in_commands(file, read_raster(file, bytes, beside))
}

fn read_raster(file: &str, bytes: &[u8], beside: &Beside) -> Result<Raster> {
    packed::refuse(&ending(file), bytes)?;
    if is(file, ".tif")
        || is(file, ".tiff")
        || bytes.starts_with(b"II*\0")
        || bytes.starts_with(b"MM\0*")
    {
        return raster_as("tif", bytes, beside);
    }
    refuse_other_grids(file, bytes)?;
    if ["stl", "obj", "ply"].contains(&ending(file).as_str()) {
        bail!(
            "a mesh; accepted: an ESRI ASCII grid (.asc), GeoTIFF (.tif); in a scene the key `mesh` of the terrain takes a \
             mesh in place of `raster`"
        );
    }
    let known = ["asc", "txt", "grd", "agr", ""];
    if !known.contains(&ending(file).as_str()) && !starts_a_grid(bytes) {
        return Err(no_grid(file, bytes));
    }
    let raster = Raster::of_esri_ascii(bytes, beside);
    raster.context("accepted: an ESRI ASCII grid, or GeoTIFF ending in .tif")
}

/// What is said of a file that is no raster of a format that is read: what it is, with a way to one that is. GDAL opens
/// no file of these meshes, drawings and shapes as a raster, and none of the XML files of Japan.
fn no_grid(file: &str, bytes: &[u8]) -> anyhow::Error {
    let ending = ending(file);
    let accepted = "accepted: an ESRI ASCII grid (.asc), GeoTIFF (.tif)";
    let head = String::from_utf8_lossy(&bytes[..bytes.len().min(4096)]);
    if head.contains("fgd.gsi.go.jp") {
        return anyhow!(
            "'.{ending}' (heights of the Geospatial Information Authority of Japan, in degrees); {accepted} (the plugin \
             QuickDEM4JP of QGIS makes a GeoTIFF in a CRS in metres of it)"
        );
    }
    if let Some(what) = other_meshes::named(&ending, bytes) {
        return anyhow!(
            "'.{ending}' ({what}); {accepted}; in a scene the key `mesh` of the terrain takes a mesh (.stl, .obj, .ply) in \
             place of `raster`"
        );
    }
    let shapes = [
        "shp", "dbf", "gpkg", "geojson", "json", "kml", "kmz", "gml", "gpx", "fgb", "tab", "mif",
        "csv",
    ];
    if shapes.contains(&ending.as_str()) {
        return anyhow!(
            "'.{ending}' holds points, lines or areas; {accepted} (of points or contours with heights QGIS makes a raster, \
             with 'TIN interpolation')"
        );
    }
    if ending == "xml" {
        return anyhow!(
            "'.xml' is not read; {accepted} (an .aux.xml or .xml beside a raster is no raster)"
        );
    }
    anyhow!(
        "'.{ending}' is not read; {accepted}: `{}`",
        translated(file, file)
    )
}

/// The command that makes a GeoTIFF of a raster, which GDAL opens by the name `source`.
fn translated(source: &str, file: &str) -> String {
    let (stem, _) = cure::split(file);
    format!(
        "gdal_translate {} {}",
        cure::quoted(source),
        cure::quoted(&format!("{stem}.tif"))
    )
}

/// First bytes of rasters that are not read, whatever the ending of their file.
const GRIDS: [(&[u8], &str); 11] = [
    (b"DSRB", "a grid of Surfer"),
    (b"DSBB", "a grid of Surfer"),
    (b"DSAA", "a grid of Surfer"),
    (b"CDF\x01", "a netCDF grid (as GMT writes)"),
    (b"CDF\x02", "a netCDF grid (as GMT writes)"),
    (b"CDF\x05", "a netCDF grid (as GMT writes)"),
    (b"\x89HDF\r\n", "an HDF5 file (netCDF 4 of GMT is one)"),
    (b"\x0e\x03\x13\x01", "an HDF4 file"),
    (b"EHFA_HEADER_TAG", "a raster of Erdas Imagine"),
    (
        b"SQLite format 3\0",
        "a GeoPackage or another database of SQLite",
    ),
    (b"\0\0\0\x0cjP  ", "a picture in JPEG 2000"),
];

/// Refuses rasters of other formats by their first bytes, and headers whose heights stand elsewhere.
fn refuse_other_grids(file: &str, bytes: &[u8]) -> Result<()> {
    let (stem, _) = cure::split(file);
    let accepted = "accepted: an ESRI ASCII grid (.asc), GeoTIFF (.tif)";
    if bytes.starts_with(b"LASF") {
        bail!(
            "a point cloud; accepted: a raster (`klast convert --cell 1 {} {}`)",
            cure::quoted(file),
            cure::quoted(&format!("{stem}.tif"))
        );
    }
    if let Some((first, what)) = GRIDS.iter().find(|(first, _)| bytes.starts_with(first)) {
        // GDAL takes an HDF5 file for netCDF 4 by its ending or where it is told so.
        let command = match first.starts_with(b"\x89HDF") {
            true => translated(&format!("NETCDF:{file}"), file),
            false => translated(file, file),
        };
        bail!("{what}; {accepted}: `{command}`");
    }
    if bytes
        .trim_ascii_start()
        .get(..6)
        .is_some_and(|w| w.eq_ignore_ascii_case(b"north:"))
    {
        bail!(
            "an ASCII grid of GRASS (r.out.ascii); {accepted}: `{}`",
            translated(file, file)
        );
    }
    let data = match ending(file).as_str() {
        "sgrd" => Some(format!("{stem}.sdat")),
        "hdr" => Some(format!("{stem}.{}", ending_of_data(bytes))),
        _ => None,
    };
    if let Some(data) = data {
        let others = if is(file, ".hdr") {
            " (or the file of another ending beside it)"
        } else {
            ""
        };
        bail!(
            "a header whose heights stand in another file; {accepted}: `gdal_translate {} {}`{others}",
            cure::quoted(&data),
            cure::quoted(&format!("{stem}.tif"))
        );
    }
    if is_points(bytes) {
        bail!(
            "rows of three numbers, as of points x, y, height; {accepted}: of points in a grid `{}`",
            translated(file, file)
        );
    }
    // A text has no byte 0; the wide letters of a text in UTF-16 have.
    let wide = bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff");
    let head = &bytes[..bytes.len().min(4096)];
    if head.contains(&0) && !wide {
        bail!(
            "bytes that are no text; {accepted}: `{}`",
            translated(file, file)
        );
    }
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
    let rows: Vec<&str> = text
        .lines()
        .filter(|l| !l.trim().is_empty())
        .take(4)
        .collect();
    rows.len() == 4 && rows[1..].iter().all(|row| three(row))
}

/// Whether it begins as an ESRI grid does, whatever its name.
fn starts_a_grid(bytes: &[u8]) -> bool {
    let start = bytes
        .strip_prefix(b"\xef\xbb\xbf")
        .unwrap_or(bytes)
        .trim_ascii_start();
    start
        .get(..5)
        .is_some_and(|w| w.eq_ignore_ascii_case(b"ncols") || w.eq_ignore_ascii_case(b"nrows"))
}

/// A raster as ground, by the path of its file, with what stands beside it.
///
/// # Errors
/// A file that cannot be read, with its name; as [`raster`].
pub fn ground(path: &std::path::Path) -> Result<Ground> {
    let name = path.display().to_string();
    let bytes = crate::reading::bytes(path)?;
    let beside = Beside::find(&name, |file| crate::reading::optional(file.as_ref()))?;
    let ground = read_raster(&name, &bytes, &beside).and_then(Raster::into_ground);
    cure::in_commands(&name, ground)
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
        cure::in_commands(file, Self::by_ending(file, bytes, read))
    }

    fn by_ending(
        file: &str,
        bytes: &[u8],
        read: &mut dyn FnMut(&str) -> Result<Option<Vec<u8>>>,
    ) -> Result<Self> {
        let (stem, _) = cure::split(file);
        // A spreadsheet and a KMZ are archives of their own, which their programs open.
        if !["xlsx", "ods", "kmz"].contains(&ending(file).as_str()) {
            packed::refuse(&ending(file), bytes)?;
        }
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
                        "another program has changes of it in {stem}.{log}; accepted: a file that no program has open"
                    );
                }
                crate::shapes::geopackage::read(bytes)
            }
            #[cfg(not(feature = "geopackage"))]
            "gpkg" => {
                bail!(
                    "'.gpkg' is not read by this build; accepted: GeoJSON, shapefile (.shp), points in columns \
                     (.csv): {}, or a build with the feature geopackage",
                    layers::command(file, bytes)
                )
            }
            other @ ("xlsx" | "xls" | "ods") => {
                bail!(
                    "'.{other}' is not read; accepted: points in columns (.csv), as spreadsheets save a sheet"
                )
            }
            other @ ("kml" | "kmz" | "dxf" | "gml" | "gpx" | "fgb" | "tab" | "mif" | "dgn"
            | "sqlite") => {
                bail!(
                    "'.{other}' is not read; accepted: GeoJSON, shapefile (.shp), points in columns (.csv): {}",
                    layers::command(file, bytes)
                )
            }
            other if !other.contains("json") && !starts_json(bytes) => bail!(
                "'.{other}' is not read; accepted: GeoJSON, shapefile (.shp), points in columns (.csv)"
            ),
            _ => geojson::read(bytes),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_format_is_refused_with_the_line_that_cures_it() {
        let said = |file: &str, bytes: &[u8]| {
            format!("{:#}", raster(file, bytes, &Beside::default()).unwrap_err())
        };
        for (file, bytes) in [
            ("dem.vrt", &b"<VRTDataset rasterXSize=\"5\">"[..]),
            ("dem.img", b"EHFA_HEADER_TAG"),
            ("dem.bil", &[0xf1, 0x6c, 0x44]),
            ("dem.grd", b"DSRB\x04\0\0\0"),
            ("dem.grd", b"DSBB\x0a\0\x0a\0"),
            ("dem.grd", b"DSAA\n2 2\n0 1\n0 1\n0 1\n0 0\n1 1\n"),
        ] {
            let refused = said(file, bytes);
            assert!(
                refused.contains(&format!("`gdal_translate {file} dem.tif`")),
                "{refused}"
            );
        }
        for (file, data) in [("dem.sgrd", "dem.sdat"), ("dem.hdr", "dem.bil")] {
            let refused = said(file, b"NROWS 5");
            let cure = format!("`gdal_translate {data} dem.tif`");
            assert!(refused.contains(&cure), "{refused}");
        }
        let grass = said("dem.asc", b"north: 5200050.00\nsouth: 5200000.00\n");
        assert!(
            grass.contains("`gdal_translate dem.asc dem.tif`"),
            "{grass}"
        );
        let cloud = said("dem.laz", b"LASF");
        assert!(
            cloud.contains("`klast convert --cell 1 dem.laz dem.tif`"),
            "{cloud}"
        );
        let grid = b"ncols 2\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 1\n1 2\n3 4\n";
        assert!(raster("dem.dat", grid, &Beside::default()).is_ok());
    }
}
