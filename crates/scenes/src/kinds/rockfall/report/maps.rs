//! Rasters of a rockfall run: ESRI ASCII and GeoTIFF files, and pictures over a hillshade.

use anyhow::Result;
use glam::{DVec2, DVec3};
use klast_geometry::terrain::{Terrain, write_esri_ascii};
use klast_plot::{Axis, Cells, HeatMap};
use klast_rockfall::{CellStatistics, HazardRaster, Histogram, RasterFrame, Results, Simulation};

use super::super::scene::Scene;
use crate::page::Page;
use crate::session::Session;

const NODATA: f64 = -9999.0;

/// Pictures have at most so many cells in each direction; files have all.
const PICTURE: usize = 250;

/// One map: the name of its files, what it shows in words, its label, its values.
struct Map {
    name: String,
    words: String,
    label: &'static str,
    values: Vec<f64>,
}

/// Writes every map as files, and the ones an engineer looks at first as pictures too.
pub fn write(
    scene: &Scene,
    simulation: &Simulation,
    results: &Results,
    session: &mut Session,
    page: &mut Page,
) -> Result<()> {
    let Some(raster) = &results.raster else {
        if asks_for_years(scene) {
            session.warning(
                "return_period_energies_kj, return_periods_a: there are no maps without map_cell_m",
            );
        }
        return Ok(());
    };
    // A map of them without any frequency is empty, and one without a source's frequency shows less than there is.
    let never: Vec<&str> = scene
        .sources
        .iter()
        .filter(|s| s.annual_frequency.is_none_or(|f| f == 0.0))
        .map(|s| s.name.as_str())
        .collect();
    if asks_for_years(scene) && !never.is_empty() {
        session.warning(&format!(
            "sources without an annual_frequency above 0: {}; their rocks are in no return period",
            never.join(", ")
        ));
    }
    let seeded = results.account.seeded.max(1) as f64;
    let mut maps = counts(raster, seeded);
    maps.extend(quantities(raster));
    for threshold in &scene.return_period_energies_kj {
        let period = |c: &CellStatistics| {
            Some(1.0 / c.energy.annual_exceedance(1e3 * threshold)).filter(|t| t.is_finite())
        };
        maps.push(Map {
            name: format!("return_period_{threshold}kJ"),
            words: format!("Return period of {threshold} kJ"),
            label: "T [a]",
            values: raster.map(period),
        });
    }
    for period in &scene.return_periods_a {
        let energy = |c: &CellStatistics| {
            let energy = c.energy.at_annual_exceedance(1.0 / period);
            energy.map(|v| 1e-3 * v)
        };
        maps.push(Map {
            name: format!("energy_{period}a"),
            words: format!("Energy reached once in {period} years"),
            label: "E [kJ]",
            values: raster.map(energy),
        });
    }
    page.heading("Maps");
    let frame = raster.frame();
    let picture = Picture::new(simulation, frame);
    for map in &maps {
        files(simulation, frame, map, session)?;
        let first = [
            "reach_probability",
            "energy_95",
            "height_95",
            "velocity_95",
            "deposition",
        ];
        let shown = first.contains(&map.name.as_str())
            || map.name.starts_with("return")
            || map.name.ends_with('a');
        if shown && map.values.iter().any(|v| v.is_finite()) {
            let svg = picture.svg(map)?;
            session.output.text(&format!("{}.svg", map.name), &svg)?;
            page.picture(&svg, &map.words);
        }
    }
    Ok(())
}

/// Whether maps over the years are asked for.
fn asks_for_years(scene: &Scene) -> bool {
    !(scene.return_period_energies_kj.is_empty() && scene.return_periods_a.is_empty())
}

fn counts(raster: &HazardRaster, seeded: f64) -> Vec<Map> {
    let map = |name: &str, words: &str, label, values| Map {
        name: name.to_owned(),
        words: words.to_owned(),
        label,
        values,
    };
    vec![
        map(
            "reach_probability",
            "Share of the rocks that reach a cell",
            "share of rocks [-]",
            raster.map(|c| Some(c.energy.count() as f64 / seeded)),
        ),
        map(
            "passages",
            "Passages through a cell",
            "passages [-]",
            raster.map(|c| Some(c.passages as f64)),
        ),
        map(
            "deposition",
            "Rocks at rest",
            "rocks at rest [-]",
            raster.map(|c| Some(c.deposited as f64)),
        ),
    ]
}

/// Quantiles, means and maxima of energy, speed and jump height.
fn quantities(raster: &HazardRaster) -> Vec<Map> {
    type Of = fn(&CellStatistics) -> &Histogram;
    let list: [(&str, &str, &'static str, f64, Of); 3] = [
        ("energy", "kinetic energy", "E [kJ]", 1e-3, |c| &c.energy),
        ("velocity", "speed", "v [m/s]", 1.0, |c| &c.speed),
        ("height", "jump height", "h [m]", 1.0, |c| &c.height),
    ];
    let mut maps = Vec::new();
    for (name, words, label, factor, of) in list {
        let mut add = |statistic: &str, told: &str, value: &dyn Fn(&Histogram) -> Option<f64>| {
            maps.push(Map {
                name: format!("{name}_{statistic}"),
                words: format!("{told} {words}"),
                label,
                values: raster.map(|c| value(of(c)).map(|v| v * factor)),
            });
        };
        add("mean", "Mean", &Histogram::mean);
        add("max", "Greatest", &Histogram::greatest);
        add("median", "Median", &|h| h.quantile(0.5));
        for p in [90, 95, 99] {
            let share = 0.01 * f64::from(p);
            add(&p.to_string(), &format!("{p} %"), &|h| h.quantile(share));
        }
    }
    maps
}

fn files(
    simulation: &Simulation,
    frame: &RasterFrame,
    map: &Map,
    session: &mut Session,
) -> Result<()> {
    let terrain = &simulation.scene().terrain;
    let (columns, rows) = (frame.columns as usize, frame.rows as usize);
    let centre = terrain.origin().truncate() + frame.corner + DVec2::splat(0.5 * frame.cell);
    session.output.text(
        &format!("{}.asc", map.name),
        &write_esri_ascii(columns, rows, frame.cell, centre, &map.values, NODATA),
    )?;
    #[cfg(feature = "geotiff")]
    {
        let code = terrain
            .crs()
            .and_then(|c| c.strip_prefix("EPSG:")?.parse().ok());
        let bytes =
            crate::formats::geotiff::write((columns, rows), frame.cell, centre, &map.values, code)?;
        session.output.bytes(&format!("{}.tif", map.name), &bytes)?;
    }
    Ok(())
}

/// What all pictures share: the hillshade, the gates, and how many cells become one.
struct Picture {
    frame: RasterFrame,
    corner: DVec2,
    block: usize,
    shade: Vec<f64>,
    gates: Vec<Vec<(f64, f64)>>,
}

impl Picture {
    fn new(simulation: &Simulation, frame: &RasterFrame) -> Self {
        let scene = simulation.scene();
        let terrain = &*scene.terrain;
        let largest = (frame.columns.max(frame.rows) as usize).max(1);
        let gates = scene.gates.iter();
        let mut picture = Self {
            frame: *frame,
            corner: terrain.origin().truncate() + frame.corner,
            block: largest.div_ceil(PICTURE),
            shade: Vec::new(),
            gates: gates
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
        picture.lines.clone_from(&self.gates);
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
