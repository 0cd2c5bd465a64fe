//! Maps of land: classes over the ground with its contours, release, barriers, collectors and trajectories.

use glam::{DVec2, DVec3};
use klast_geometry::terrain::Terrain;
use klast_plot::{Axis, Cells, HeatMap, MOST_STEPS, Overlay, Relief, stack};
use klast_rockfall::{RasterFrame, Window};
use klast_rockfall_jobs::rockfall::map::Map;
use klast_rockfall_jobs::rockfall::result::Results;
use klast_runs::error::{Outside as _, Result};
use klast_runs::files::FilesExt as _;
use std::ops::Range;

use super::overlays::{PATHS, overlays, paths};
use crate::sheet::Sheet;

/// Maps in files have at most so many cells in each direction, and those of the page; rasters have all.
const IN_FILES: usize = 250;
const ON_PAGE: usize = 150;
/// Width of a map of a file, of one of two beside each other on the page (px), and the height that each has at most.
const WHOLE: (u32, u32) = (680, 620);
const BESIDE: (u32, u32) = (340, 330);
/// The same of the map of the first page.
const FIRST: (u32, u32) = (680, 300);
/// Quantiles of fewer rocks in a cell say nothing: such cells stay free.
const FEWEST: f64 = 5.0;

/// Margin around what a map shows, of its longer side: names stand there.
const MARGIN: f64 = 0.15;

/// The maps that an engineer looks at first: each as a file, on the page two beside each other.
pub fn draw(results: &Results, sheet: &mut Sheet) -> Result<()> {
    let Some(rocks) = rocks(results) else {
        return Ok(());
    };
    let whole = Picture::new(results, &rocks, (IN_FILES, WHOLE));
    let beside = Picture::new(results, &rocks, (ON_PAGE, BESIDE));
    let mut shown: Vec<(String, &Map, bool)> = Vec::new();
    for map in results.maps.iter().filter(|m| m.first) {
        let Some((values, classes)) = rocks.classed(map) else {
            continue;
        };
        let svg = whole.svg(map, &values, &classes)?;
        sheet.files.text(&format!("{}.svg", map.name), &svg)?;
        // That one is beside the verdict.
        if map.name != REACH {
            let svg = beside.svg(map, &values, &classes)?;
            shown.push((svg, map, classes.masks));
        }
    }
    for (number, pair) in shown.chunks(2).enumerate() {
        let svgs: Vec<String> = pair.iter().map(|(svg, ..)| svg.clone()).collect();
        let words: Vec<&str> = pair.iter().map(|(_, map, _)| map.words.as_str()).collect();
        let mut caption = format!("{}, in cells of {} m.", words.join("; "), rocks.frame.cell);
        if number == 0 {
            caption += &format!(
                " Lines: up to {PATHS} of the trajectories that are written, contours of the ground, release, barriers and collectors. \
                 Larger maps are in the files of these names."
            );
            if beside.block > 1 {
                let n = beside.block;
                caption += &format!(
                    " A cell of a map stands for {n} by {n} cells, whose largest value it has, or least return period."
                );
            }
        }
        if pair.iter().any(|(.., masks)| *masks) {
            caption +=
                &format!(" Quantiles are shown where {FEWEST:.0} rocks or more cross a cell.");
        }
        sheet.page.figure(&stack(&svgs, 2), &caption);
    }
    Ok(())
}

/// The map of the first page; none without maps.
pub fn reach(results: &Results) -> Result<Option<String>> {
    let Some(rocks) = rocks(results) else {
        return Ok(None);
    };
    let Some(map) = results.maps.iter().find(|m| m.name == REACH) else {
        return Ok(None);
    };
    let mut picture = Picture::new(results, &rocks, (ON_PAGE, FIRST));
    // Trajectories would hide what the map is of.
    picture.overlays = overlays(results, Vec::new());
    let (values, classes) = match rocks.classed(map) {
        Some(classed) => classed,
        None => return Ok(None),
    };
    picture.svg(map, &values, &classes).map(Some)
}

/// The map of the share of the rocks that reach each cell.
const REACH: &str = "reach_probability";

/// The rocks of each cell, behind which the values of all maps stand.
struct Rocks<'a> {
    frame: &'a RasterFrame,
    window: Window,
    counts: Vec<f64>,
}

fn rocks(results: &Results) -> Option<Rocks<'_>> {
    let raster = results.statistics.raster.as_ref();
    let raster = raster.filter(|_| !results.maps.is_empty())?;
    let window = raster.window();
    Some(Rocks {
        frame: raster.frame(),
        counts: raster.map(&window, |c| Some(c.energy.count() as f64)),
        window,
    })
}

impl Rocks<'_> {
    /// The values of a map where enough rocks stand behind them, and their classes; none of an empty map.
    fn classed(&self, map: &Map) -> Option<(Vec<f64>, Classes)> {
        let mut classes = Classes::of(map);
        let values = masked(map, &self.counts, classes.masks);
        classes.reach(&values, is_share(map));
        values
            .iter()
            .any(|v| v.is_finite())
            .then_some((values, classes))
    }
}

/// How the values of a map are told apart.
struct Classes {
    bounds: Vec<f64>,
    /// Whether cells with few rocks stay free.
    masks: bool,
    /// Whether the least value of several cells stands for them: a return period, not an energy.
    least: bool,
}

impl Classes {
    fn of(map: &Map) -> Self {
        let (bounds, masks, least): (&[f64], bool, bool) = match map.label {
            "T [a]" => (&[10.0, 30.0, 100.0, 300.0, 1000.0], false, true),
            "E [kJ]" => (
                &[30.0, 100.0, 300.0, 1e3, 3e3, 1e4, 3e4, 1e5, 3e5],
                true,
                false,
            ),
            "v [m/s]" => (
                &[5.0, 10.0, 20.0, 30.0, 40.0, 60.0, 80.0, 120.0],
                true,
                false,
            ),
            "h [m]" => (&[0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0], true, false),
            _ if map.name == "deposition" => (&[2.0, 5.0, 10.0, 20.0], false, false),
            // In percent.
            _ => (&[0.3, 1.0, 3.0, 10.0, 30.0], false, false),
        };
        Self {
            bounds: bounds.to_vec(),
            masks,
            least,
        }
    }
}

/// The least number of bounds of a map, whatever its values: maps of several runs have these in common.
const COMMON: usize = 4;

impl Classes {
    /// Leaves bounds as far up as the values reach, the common ones first, and no more classes than there are colours.
    fn reach(&mut self, values: &[f64], share: bool) {
        let shown = values.iter().filter(|v| v.is_finite());
        let largest = shown.fold(f64::NEG_INFINITY, |a, b| a.max(*b));
        // Bounds of a share are in percent.
        let largest = if share { 100.0 * largest } else { largest };
        let reached = self.bounds.iter().filter(|b| **b <= largest).count();
        self.bounds.truncate(reached.max(COMMON));
        let most = MOST_STEPS - 1;
        if self.bounds.len() > most {
            self.bounds.drain(..self.bounds.len() - most);
        }
    }
}

/// Whether a map has fractions, which are shown in percent.
fn is_share(map: &Map) -> bool {
    map.label.starts_with("fraction")
}

/// The values of a map where enough rocks stand behind them.
fn masked(map: &Map, rocks: &[f64], masks: bool) -> Vec<f64> {
    let both = map.values.iter().zip(rocks);
    both.map(
        |(value, rocks)| match masks && (rocks.is_nan() || *rocks < FEWEST) {
            true => f64::NAN,
            false => *value,
        },
    )
    .collect()
}

/// What all figures share: the ground, what is drawn over it, and how many cells become one.
struct Picture {
    /// That of the cells shown.
    frame: RasterFrame,
    corner: DVec2,
    /// The cells that rocks came to, and columns and rows from the first shown to the first of them.
    window: Window,
    before: [u32; 2],
    block: usize,
    /// Width, and height between the axes at most (px).
    size: (u32, u32),
    relief: Relief,
    overlays: Vec<Overlay>,
}

/// Columns and rows that a map shows: with the cells that rocks came to and all that is drawn over them, and a margin.
/// The shorter side is half of the longer one or more, where the raster reaches as far.
fn shown(rocks: &Rocks, origin: DVec2, overlays: &[Overlay]) -> [Range<u32>; 2] {
    let (frame, window) = (rocks.frame, &rocks.window);
    let places = overlays.iter().flat_map(Overlay::points);
    let places = places.map(|&(x, y)| (DVec2::new(x, y) - origin - frame.corner) / frame.cell);
    let corners = [
        DVec2::new(window.columns.start.into(), window.rows.start.into()),
        DVec2::new(window.columns.end.into(), window.rows.end.into()),
    ];
    let all = || places.clone().chain(corners);
    let (least, most) = (
        all().reduce(DVec2::min).unwrap_or_default(),
        all().reduce(DVec2::max).unwrap_or_default(),
    );
    let margin = (MARGIN * (most - least).max_element()).max(1.0);
    let half = (0.5 * (most - least)).max(DVec2::splat(0.25 * (most - least).max_element()));
    let middle = 0.5 * (least + most);
    let range = |axis: usize, cells: u32| {
        let reach = half[axis] + margin;
        let first = (middle[axis] - reach).floor().max(0.0) as u32;
        let last = (middle[axis] + reach).ceil().max(0.0) as u32;
        first.min(cells - 1)..last.clamp(1, cells)
    };
    [range(0, frame.columns), range(1, frame.rows)]
}

impl Picture {
    fn new(results: &Results, rocks: &Rocks, (cells, size): (usize, (u32, u32))) -> Self {
        let scene = results.simulation.scene();
        let terrain = &*scene.terrain;
        let origin = terrain.origin().truncate();
        let overlays = overlays(results, paths(results));
        let [columns, rows] = shown(rocks, origin, &overlays);
        let frame = RasterFrame {
            corner: rocks.frame.corner
                + DVec2::new(columns.start.into(), rows.start.into()) * rocks.frame.cell,
            columns: columns.len() as u32,
            rows: rows.len() as u32,
            ..*rocks.frame
        };
        let window = &rocks.window;
        let mut picture = Self {
            frame,
            corner: origin + frame.corner,
            window: window.clone(),
            before: [
                window.columns.start.saturating_sub(columns.start),
                window.rows.start.saturating_sub(rows.start),
            ],
            block: columns.len().max(rows.len()).max(1).div_ceil(cells),
            size,
            relief: Relief::default(),
            overlays,
        };
        picture.relief = picture.ground(terrain);
        picture
    }

    /// Columns and rows of the picture.
    fn shape(&self) -> (usize, usize) {
        (
            (self.frame.columns as usize).div_ceil(self.block),
            (self.frame.rows as usize).div_ceil(self.block),
        )
    }

    /// Light from the north-west at 45°, between the darkest and the lightest slope of the map, and the heights.
    fn ground(&self, terrain: &dyn Terrain) -> Relief {
        let light = DVec3::new(-1.0, 1.0, std::f64::consts::SQRT_2).normalize();
        let side = self.frame.cell * self.block as f64;
        let (columns, rows) = self.shape();
        let cells = (0..rows).flat_map(|r| (0..columns).map(move |c| (c, r)));
        let (lit, heights): (Vec<f64>, Vec<f64>) = cells
            .map(|(c, r)| {
                let p = self.frame.corner + DVec2::new(c as f64 + 0.5, r as f64 + 0.5) * side;
                terrain.surface(p.x, p.y).map_or((f64::NAN, f64::NAN), |s| {
                    (s.normal.dot(light).max(0.0), s.height + terrain.origin().z)
                })
            })
            .unzip();
        let ends = lit
            .iter()
            .filter(|x| x.is_finite())
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), &x| {
                (a.min(x), b.max(x))
            });
        // On one plane there is no relief to see.
        let shade = match ends.1 - ends.0 < 1e-6 {
            true => Vec::new(),
            false => lit
                .iter()
                .map(|x| (x - ends.0) / (ends.1 - ends.0))
                .collect(),
        };
        Relief { shade, heights }
    }

    fn svg(&self, map: &Map, values: &[f64], classes: &Classes) -> Result<String> {
        let (columns, rows) = self.shape();
        let side = self.frame.cell * self.block as f64;
        let x = Axis::new("East [m]").range(self.corner.x, self.corner.x + side * columns as f64);
        let y = Axis::new("North [m]").range(self.corner.y, self.corner.y + side * rows as f64);
        let share = is_share(map);
        let values: Vec<f64> = values
            .iter()
            .map(|v| if share { 100.0 * v } else { *v })
            .collect();
        let label = if share {
            "share of the rocks [%]"
        } else {
            map.label
        };
        let cells = Cells::Bands {
            label: label.to_owned(),
            bounds: classes.bounds.clone(),
            dark_is_low: classes.least,
            values: self.thinned(&values, classes.least),
        };
        let title = format!("{}{}", map.words, unit(label));
        let mut picture = HeatMap::new(&title, x, y, (columns, rows), cells);
        picture.land = true;
        (picture.size.0, picture.tallest) = self.size;
        picture.relief = self.relief.clone();
        picture.overlays.clone_from(&self.overlays);
        picture.svg().outside()
    }

    /// The largest (or the least) value of each block of cells; cells that no rock has reached show the ground.
    fn thinned(&self, values: &[f64], least: bool) -> Vec<f64> {
        let (columns, rows) = self.shape();
        let width = self.window.columns.len();
        let [west, south] = self.before.map(|n| n as usize);
        let mut thin = vec![f64::NAN; columns * rows];
        for (k, &value) in values.iter().enumerate() {
            let (column, row) = (west + k % width, south + k / width);
            let at = (row / self.block) * columns + column / self.block;
            if let Some(cell) = thin.get_mut(at)
                && value != 0.0
            {
                *cell = if least {
                    cell.min(value)
                } else {
                    cell.max(value)
                };
            }
        }
        thin
    }
}

fn unit(label: &str) -> String {
    match label.rsplit_once('[') {
        Some((_, "-]")) | None => String::new(),
        Some((_, unit)) => format!(" [{unit}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bounds(label: &'static str, values: &[f64]) -> Vec<f64> {
        let map = Map {
            name: String::new(),
            words: String::new(),
            label,
            first: true,
            window: Window::around([], 1),
            values: Vec::new(),
        };
        let mut classes = Classes::of(&map);
        classes.reach(values, is_share(&map));
        classes.bounds
    }

    #[test]
    fn classes_reach_as_far_as_the_values() {
        assert_eq!(
            bounds("E [kJ]", &[f64::NAN, 20.0]),
            [30.0, 100.0, 300.0, 1e3]
        );
        assert_eq!(bounds("E [kJ]", &[4e3]), [30.0, 100.0, 300.0, 1e3, 3e3]);
        assert_eq!(bounds("E [kJ]", &[4e4]), [300.0, 1e3, 3e3, 1e4, 3e4]);
        assert_eq!(bounds("v [m/s]", &[]), [5.0, 10.0, 20.0, 30.0]);
        let share = "fraction of rocks [-]";
        assert_eq!(bounds(share, &[0.5]), [0.3, 1.0, 3.0, 10.0, 30.0]);
        assert_eq!(bounds(share, &[0.2]), [0.3, 1.0, 3.0, 10.0]);
    }
}
