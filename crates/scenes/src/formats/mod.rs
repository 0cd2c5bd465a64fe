//! Files that other programs write and open. A reader takes bytes, never a path, and answers any
//! bytes with a value or an error; paths belong to the commands.

pub mod frame;
pub mod geojson;
#[cfg(feature = "geotiff")]
pub mod geotiff;
pub mod obj;
#[cfg(feature = "parquet")]
pub mod parquet;
pub mod stl;
pub mod table;
pub mod vtk;
pub mod vtu;

use anyhow::{Context as _, Result, bail};
use glam::DVec3;
use klast_geometry::terrain::{Grid, read_esri_ascii};

/// Points in metres and triangles of their indices.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Triangles {
    /// Corners.
    pub points: Vec<DVec3>,
    /// Three corners each.
    pub triangles: Vec<[u32; 3]>,
}

fn text(bytes: &[u8]) -> Result<&str> {
    std::str::from_utf8(bytes).context("not UTF-8")
}

/// A raster by the ending of its file.
///
/// # Errors
/// What its reader refuses.
pub fn raster_from(ending: &str, bytes: &[u8]) -> Result<Grid> {
    match ending {
        #[cfg(feature = "geotiff")]
        "tif" | "tiff" => geotiff::read(bytes),
        "asc" => Ok(read_esri_ascii(text(bytes)?)?),
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
        other => bail!("'.{other}'; accepted: .stl, .obj"),
    }
}
