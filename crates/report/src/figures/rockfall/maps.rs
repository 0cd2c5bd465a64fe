//! Maps over a hillshade.

use anyhow::Result;
use glam::{DVec2, DVec3};
use klast_geometry::terrain::Terrain;
use klast_plot::{Axis, Cells, HeatMap};
use klast_rockfall::{RasterFrame, Simulation};
use klast_scenes::kinds::rockfall::maps::Map;
use klast_scenes::kinds::rockfall::result::Results;

use crate::sheet::Sheet;

/// Figures have at most so many cells in each direction; files have all.
const SHOWN: usize = 250;

/// The maps that an engineer looks at first.
pub fn draw(results: &Results, sheet: &mut Sheet) -> Result<()> {
    let Some(raster) = &results.statistics.raster else {
        return Ok(());
    };
    sheet.page.heading("Maps");
    let picture = Picture::new(&results.simulation, raster.frame());
    for map in results.maps.iter().filter(|m| m.first) {
        if map.values.iter().any(|v| v.is_finite()) {
            let svg = picture.svg(map)?;
            sheet.figure(&format!("{}.svg", map.name), &svg, &map.words)?;
        }
    }
    Ok(())
}

/// What all figures share: the hillshade, barriers and collectors, and how many cells become one.
struct Picture {
    frame: RasterFrame,
    corner: DVec2,
    block: usize,
    shade: Vec<f64>,
    screens: Vec<Vec<(f64, f64)>>,
}

impl Picture {
    fn new(simulation: &Simulation, frame: &RasterFrame) -> Self {
        let scene = simulation.scene();
        let terrain = &*scene.terrain;
        let largest = (frame.columns.max(frame.rows) as usize).max(1);
        let screens = scene.gates.iter();
        let mut picture = Self {
            frame: *frame,
            corner: terrain.origin().truncate() + frame.corner,
            block: largest.div_ceil(SHOWN),
            shade: Vec::new(),
            screens: screens
                .map(|g| g.line.iter().map(|p| (p.x, p.y)).collect())
                .collect(),
        };
        picture.shade = picture.hillshade(terrain);
        picture
    }

    /// Columns and rows of the picture.
    fn shape(&self) -> (usize, usize) {
        (
            (self.frame.columns as usize).div_ceil(self.block),
            (self.frame.rows as usize).div_ceil(self.block),
        )
    }

    /// Light from the north-west at 45°, between the darkest and the lightest slope of the map.
    fn hillshade(&self, terrain: &dyn Terrain) -> Vec<f64> {
        let light = DVec3::new(-1.0, 1.0, std::f64::consts::SQRT_2).normalize();
        let side = self.frame.cell * self.block as f64;
        let (columns, rows) = self.shape();
        let cells = (0..rows).flat_map(|r| (0..columns).map(move |c| (c, r)));
        let lit: Vec<f64> = cells
            .map(|(c, r)| {
                let p = self.frame.corner + DVec2::new(c as f64 + 0.5, r as f64 + 0.5) * side;
                terrain
                    .surface(p.x, p.y)
                    .map_or(f64::NAN, |s| s.normal.dot(light).max(0.0))
            })
            .collect();
        let ends = lit
            .iter()
            .filter(|x| x.is_finite())
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), &x| {
                (a.min(x), b.max(x))
            });
        // On one plane there is no relief to see.
        if ends.1 - ends.0 < 1e-6 {
            return Vec::new();
        }
        lit.iter()
            .map(|x| (x - ends.0) / (ends.1 - ends.0))
            .collect()
    }

    fn svg(&self, map: &Map) -> Result<String> {
        let (columns, rows) = self.shape();
        let side = self.frame.cell * self.block as f64;
        let x = Axis::new("x [m]").range(self.corner.x, self.corner.x + side * columns as f64);
        let y = Axis::new("y [m]").range(self.corner.y, self.corner.y + side * rows as f64);
        let cells = Cells::Values {
            label: map.label.to_owned(),
            values: self.thinned(&map.values),
        };
        let mut picture = HeatMap::new(&map.words, x, y, (columns, rows), cells);
        picture.shade.clone_from(&self.shade);
        picture.lines.clone_from(&self.screens);
        Ok(picture.svg()?)
    }

    /// The greatest value of each block of cells; cells that no rock has reached show the ground.
    fn thinned(&self, values: &[f64]) -> Vec<f64> {
        let (columns, rows) = self.shape();
        let width = self.frame.columns as usize;
        let mut thin = vec![f64::NAN; columns * rows];
        for (k, &value) in values.iter().enumerate() {
            let at = (k / width / self.block) * columns + (k % width) / self.block;
            if let Some(cell) = thin.get_mut(at)
                && value != 0.0
            {
                *cell = cell.max(value);
            }
        }
        thin
    }
}
