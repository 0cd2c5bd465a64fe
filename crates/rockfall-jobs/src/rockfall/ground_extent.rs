//! The ground of a scene, with what is known of its map.

use glam::DVec2;
use klast_files::crs::Crs;
use klast_geometry::terrain::{Area, Grid, Terrain};

/// The ground, as a raster where it is one, and its CRS where that is known.
pub struct Land {
    /// Queries in local coordinates.
    pub terrain: Box<dyn Terrain>,
    /// The raster.
    pub grid: Option<Grid>,
    /// CRS of the map coordinates.
    pub crs: Option<Crs>,
    /// Number of the mesh of each triangle, where the ground is several.
    pub parts: Vec<u32>,
}

impl Land {
    /// The area covered, in map coordinates.
    pub fn extent(&self) -> Area {
        let (area, origin) = (self.terrain.extent(), self.terrain.origin().truncate());
        Area {
            lower: area.lower + origin,
            upper: area.upper + origin,
        }
    }

    /// Height of the ground (m) at a place in map coordinates; none off the map and over missing data.
    #[must_use]
    pub fn height(&self, place: DVec2) -> Option<f64> {
        let origin = self.terrain.origin();
        let local = place - origin.truncate();
        let surface = self.terrain.surface(local.x, local.y)?;
        Some(surface.height + origin.z)
    }

    /// The area of maps, in local coordinates. A raster's heights are those of cell centres: maps begin at the corner
    /// of its first cell, so that cells of the same size lie over its cells.
    pub fn mapped(&self) -> Area {
        let area = self.terrain.extent();
        let Some(grid) = &self.grid else {
            return area;
        };
        let half = DVec2::splat(0.5 * grid.cell());
        Area {
            lower: area.lower - half,
            // A hair less, so that a size that is a multiple of the cell in decimals has no cell more.
            upper: area.upper + half * (1.0 - 1e-6),
        }
    }

    /// A raster.
    pub fn of_grid(grid: Grid, crs: Option<Crs>) -> Self {
        Self {
            terrain: Box::new(grid.clone()),
            grid: Some(grid),
            crs,
            parts: Vec::new(),
        }
    }

    pub fn without_crs(terrain: impl Terrain + 'static) -> Self {
        Self {
            terrain: Box::new(terrain),
            grid: None,
            crs: None,
            parts: Vec::new(),
        }
    }
}
