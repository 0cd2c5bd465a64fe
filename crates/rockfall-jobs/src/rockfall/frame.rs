//! The frame in which the lines of a run are written.

use glam::DVec2;
use klast_geometry::terrain::Terrain;
use klast_runs::error::Result;

use klast_files::crs::Crs;
use klast_files::shapes::geojson::{self, Line};
use klast_runs::files::{Files, FilesExt as _};

/// The CRS of the map, and whether lines are wanted in degrees too.
#[derive(Debug, Clone, Default)]
pub struct Frame {
    /// CRS of the terrain.
    pub crs: Option<Crs>,
    /// Whether lines are written in WGS 84 beside, as RFC 7946 has them.
    pub degrees: bool,
    /// The middle of the terrain, whose shift a change of datum takes (map coordinates).
    pub middle: DVec2,
}

/// The middle of a terrain in map coordinates.
pub fn middle(terrain: &dyn Terrain) -> DVec2 {
    let extent = terrain.extent();
    terrain.origin().truncate() + 0.5 * (extent.lower + extent.upper)
}

impl Frame {
    /// Writes lines as `NAME.geojson` in the CRS of the map, and as `NAME_wgs84.geojson` where that is wanted.
    ///
    /// # Errors
    /// If a file cannot be written; a CRS from which no way to WGS 84 is known.
    pub fn write(&self, name: &str, lines: Vec<Line>, files: &mut dyn Files) -> Result<()> {
        if let (Some(crs), true) = (&self.crs, self.degrees) {
            let text = geojson::write_lines_wgs84(lines.clone(), crs, crs.degrees(self.middle))?;
            files.text(&format!("{name}_wgs84.geojson"), &text)?;
        }
        let text = geojson::write_lines(lines, self.crs.as_ref());
        files.text(&format!("{name}.geojson"), &text)
    }
}
