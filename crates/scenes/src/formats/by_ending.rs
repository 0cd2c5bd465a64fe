//! Readers by the ending of a file.

use anyhow::{Context as _, Result, bail};
use klast_geometry::terrain::{Grid, read_esri_ascii};

use super::triangles::Triangles;
use super::{obj, ply, stl, text};

/// A raster by the ending of its file.
///
/// # Errors
/// What its reader refuses.
pub fn raster_from(ending: &str, bytes: &[u8]) -> Result<Grid> {
    match ending {
        #[cfg(feature = "geotiff")]
        "tif" | "tiff" => super::geotiff::read(bytes),
        "asc" => Ok(read_esri_ascii(&text::ascii(bytes)?)?),
        other => bail!("'.{other}'; accepted: .asc, .tif (feature geotiff)"),
    }
}

/// A mesh by the ending of its file.
///
/// # Errors
/// What its reader refuses.
pub fn mesh_from(ending: &str, bytes: &[u8]) -> Result<Triangles> {
    match ending {
        "stl" => stl::read(bytes),
        "obj" => obj::read(bytes),
        "ply" => ply::read(bytes),
        other => bail!("'.{other}'; accepted: .stl, .obj, .ply"),
    }
}

/// Whether the name of a file has an ending, in letters of any case.
#[must_use]
pub fn is(file: &str, ending: &str) -> bool {
    file.to_ascii_lowercase().ends_with(ending)
}

/// A raster by the name of its file: GeoTIFF, else ESRI ASCII.
///
/// # Errors
/// What its reader refuses.
pub fn raster(file: &str, bytes: &[u8]) -> Result<Grid> {
    if is(file, ".tif") || is(file, ".tiff") {
        return raster_from("tif", bytes);
    }
    let grid = read_esri_ascii(&text::ascii(bytes)?);
    grid.context("accepted: an ESRI ASCII grid, or GeoTIFF ending in .tif")
}
