//! Tiles of a raster that is larger than the memory: which cells each has, and which are read for it.

use std::cell::Cell;
use std::ops::Range;

use glam::{DVec2, DVec3};
use klast_files::crs::Crs;
use klast_files::raster::geotiff::Layout;
use klast_geometry::terrain::{Area, Facet, Surface, Terrain};
use klast_rockfall::{Outcome, RasterFrame, RockResult, Simulation};
use klast_runs::error::Result;
use klast_runs::faults::{At as _, Fault, Faults};
use klast_runs::text::SceneText;

use super::ground_extent::Land;
use super::input_remarks;
use super::scene::{self, Scene, Tiles};
use super::terrain::raster_ground;
use super::terrain_keys::stated_crs;

/// More tiles are not those of a raster that is meant.
const MOST: usize = 10_000_000;
/// How far two lengths of which one is a multiple of the other may be from it.
const WHOLE: f64 = 1e-6;

/// The tiles of a raster.
#[derive(Debug, Clone)]
pub struct Tiling {
    file: String,
    layout: Layout,
    /// Side of a tile and width of the ground around it, in cells.
    size: usize,
    halo: usize,
    across: usize,
    down: usize,
    /// Side of a cell of the maps (m).
    map_cell: f64,
    /// CRS of the raster.
    pub crs: Option<Crs>,
}

impl Tiling {
    /// Of a scene, with ground in place of the raster that is level and everywhere: what sources need before a height
    /// is read.
    ///
    /// # Errors
    /// What a scene with tiles must not have, a raster that cannot be read.
    pub fn of(scene: &Scene, text: &SceneText) -> Result<Option<(Self, Land)>> {
        let scene::Terrain::Raster {
            file,
            crs,
            tiles: Some(tiles),
            ..
        } = &scene.terrain
        else {
            return Ok(None);
        };
        let mut faults = Faults::default();
        refuse(scene, &mut faults);
        let seen = Cell::new(None);
        let first = |layout: &Layout| {
            seen.set(Some(*layout));
            Ok([0..1, 0..1])
        };
        let corner = text.read_raster_part(file, &first);
        let corner = faults.take("terrain.raster.file", corner);
        let cut = |layout: Layout| Self::cut(file, layout, *tiles, scene.map_cell_m);
        let made = seen.get().map(cut);
        let made = faults
            .take("terrain.raster.tiles", made.transpose())
            .flatten();
        let (mut tiling, corner) = faults.or_all(|| Some((made?, corner?)))?;
        let stated = (file.as_str(), crs.as_deref());
        tiling.crs = stated_crs("terrain.raster", stated, corner.crs)?;
        let Area { lower, upper } = tiling.whole();
        let level = Unread {
            size: upper - lower,
            cell: tiling.layout.cell,
            origin: lower,
        };
        let land = Land {
            terrain: Box::new(level),
            grid: None,
            crs: tiling.crs.clone(),
            parts: Vec::new(),
        };
        Ok(Some((tiling, land)))
    }

    fn cut(file: &str, layout: Layout, tiles: Tiles, map_cell: Option<f64>) -> Result<Self> {
        let map_cell = map_cell.unwrap_or(layout.cell);
        let mut faults = Faults::default();
        let mut cells = |key: &str, length: f64| {
            let whole = |cell: f64| {
                let count = (length / cell).round();
                let fits = (length / cell - count).abs() < WHOLE && count >= 1.0;
                fits.then_some(count as usize)
            };
            let (cells, mapped) = (whole(layout.cell), whole(map_cell));
            faults.check(cells.is_some() && mapped.is_some(), || {
                Fault::new(key, length).accepted(format!(
                    "a multiple of the cells of the raster ({} m) and of the maps ({map_cell} m)",
                    layout.cell
                ))
            });
            cells
        };
        let (size, halo) = (cells("size_m", tiles.size_m), cells("halo_m", tiles.halo_m));
        let (size, halo) = faults.or_all(|| Some((size?, halo?)))?;
        let (across, down) = (layout.columns.div_ceil(size), layout.rows.div_ceil(size));
        let count = across.saturating_mul(down);
        if count > MOST {
            let fault = Fault::new("size_m", tiles.size_m);
            return Err(fault
                .accepted(format!("up to {MOST} tiles: larger ones"))
                .into());
        }
        Ok(Self {
            file: file.to_owned(),
            layout,
            size,
            halo,
            across,
            down,
            map_cell,
            crs: None,
        })
    }

    /// How many there are.
    pub fn count(&self) -> u64 {
        (self.across * self.down) as u64
    }

    /// Tiles to the east and to the north.
    pub fn shape(&self) -> (usize, usize) {
        (self.across, self.down)
    }

    /// Side of a tile (m).
    pub fn side(&self) -> f64 {
        self.size as f64 * self.layout.cell
    }

    /// Width of the ground around a tile (m).
    pub fn halo(&self) -> f64 {
        self.halo as f64 * self.layout.cell
    }

    /// Columns and rows of a tile, by its number from 1.
    fn cells(&self, number: u64) -> [Range<usize>; 2] {
        let index = number as usize - 1;
        let place = [index % self.across, index / self.across];
        let most = [self.layout.columns, self.layout.rows];
        [0, 1].map(|k| place[k] * self.size..((place[k] + 1) * self.size).min(most[k]))
    }

    /// Those that are read for it.
    fn read_cells(&self, number: u64) -> [Range<usize>; 2] {
        let [columns, rows] = self.cells(number);
        let wider = |own: Range<usize>, most: usize| {
            own.start.saturating_sub(self.halo)..(own.end + self.halo).min(most)
        };
        [
            wider(columns, self.layout.columns),
            wider(rows, self.layout.rows),
        ]
    }

    fn area(&self, [columns, rows]: [Range<usize>; 2]) -> Area {
        let at = |column: usize, row: usize| {
            let cells = DVec2::new(column as f64 - 0.5, row as f64 - 0.5);
            self.layout.south_west + self.layout.cell * cells
        };
        Area {
            lower: at(columns.start, rows.start),
            upper: at(columns.end, rows.end),
        }
    }

    /// The area of the whole raster, in map coordinates.
    pub fn whole(&self) -> Area {
        self.area(self.layout.cells())
    }

    /// The area of a tile, in map coordinates.
    pub fn own(&self, number: u64) -> Area {
        self.area(self.cells(number))
    }

    /// Where rocks of a tile start, in map coordinates: a quarter of a cell beside the tile, so that no centre of a
    /// cell or of a square between four heights lies on a side.
    pub fn releases(&self, number: u64) -> Area {
        let quarter = DVec2::splat(0.25 * self.layout.cell);
        let own = self.own(number);
        let last = |axis: usize| {
            let most = [self.layout.columns, self.layout.rows];
            self.cells(number)[axis].end == most[axis]
        };
        let to_the_end = DVec2::new(f64::from(last(0)), f64::from(last(1)));
        Area {
            lower: own.lower + quarter,
            upper: own.upper + quarter + to_the_end * self.layout.cell,
        }
    }

    /// Cells of the map of a tile, from its south-west corner.
    pub fn frame(&self, number: u64) -> Result<RasterFrame> {
        let Area { lower, upper } = self.own(number);
        let size = (upper - lower) - DVec2::splat(WHOLE * self.map_cell);
        let (lower, upper) = (DVec2::ZERO, size);
        Ok(RasterFrame::over(Area { lower, upper }, self.map_cell).at("map_cell_m")?)
    }

    /// Numbers of the tiles whose rocks may come to a tile.
    pub fn neighbours(&self, number: u64) -> Vec<u64> {
        let own = self.cells(number);
        let reach = self.halo.div_ceil(self.size);
        let index = number as usize - 1;
        let around = |at: usize, most: usize| at.saturating_sub(reach)..(at + reach + 1).min(most);
        let columns = around(index % self.across, self.across);
        let rows = around(index / self.across, self.down);
        let numbers = rows.flat_map(|row| {
            let first = row * self.across + 1;
            columns.clone().map(move |column| (first + column) as u64)
        });
        let meets = |other: &u64| {
            let read = self.read_cells(*other);
            (0..2).all(|k| read[k].start < own[k].end && own[k].start < read[k].end)
        };
        numbers.filter(meets).collect()
    }

    /// The ground of a tile, and what is said of its heights; none where all of them are missing.
    ///
    /// # Errors
    /// A raster that cannot be read.
    pub fn ground(
        &self,
        terrain: &scene::Terrain,
        number: u64,
        text: &SceneText,
    ) -> Result<Option<(Land, Vec<String>)>> {
        let cells = self.read_cells(number);
        let raster = text.read_raster_part(&self.file, &|_| Ok(cells.clone()));
        let raster = raster.at("terrain.raster.file")?;
        if raster.values.iter().all(|height| height.is_nan()) {
            return Ok(None);
        }
        let ground = raster_ground(terrain, raster)?;
        let land = Land::of_grid(ground.grid, ground.crs);
        Ok(Some((land, ground.cautions)))
    }

    /// Whether a rock of a tile left the ground that was read where the raster goes on.
    pub fn lost(&self, number: u64, simulation: &Simulation, rock: &RockResult) -> bool {
        let left = rock.outcome == Outcome::LeftMap && !rock.off_map && !rock.below_ground;
        if !left || input_remarks::swallowed(simulation, rock) {
            return false;
        }
        let terrain = &simulation.scene().terrain;
        let (area, end) = (terrain.extent(), rock.end.truncate());
        // As `swallowed` has it: a step behind the side, or a radius before it.
        let near = 2.0 * terrain.resolution();
        let [columns, rows] = self.read_cells(number);
        (columns.start > 0 && end.x < area.lower.x + near)
            || (rows.start > 0 && end.y < area.lower.y + near)
            || (columns.end < self.layout.columns && end.x > area.upper.x - near)
            || (rows.end < self.layout.rows && end.y > area.upper.y - near)
    }
}

/// What a scene with tiles must not have, and what it needs.
fn refuse(scene: &Scene, faults: &mut Faults) {
    let screens = !scene.barriers.is_empty() || !scene.collectors.is_empty();
    // Statistics by set of parameters are of a whole map.
    let sets = scene.materials.iter().any(|m| m.posterior.is_some());
    for (key, stated) in [
        ("barriers, collectors", screens),
        ("barriers_file", scene.barriers_file.is_some()),
        ("collectors_file", scene.collectors_file.is_some()),
        ("sweeps", !scene.sweeps.is_empty()),
        ("earthworks", !scene.earthworks.is_empty()),
        ("repeat_at_cells_m", !scene.repeat_at_cells_m.is_empty()),
        ("ground", scene.ground.is_some()),
        ("materials, posterior", sets),
        ("paths", scene.paths.is_some()),
        ("write_paths", scene.write_paths > 0),
        ("orthophoto", scene.orthophoto.is_some()),
        ("wgs84_lines", scene.wgs84_lines),
    ] {
        faults.check(!stated, || {
            Fault::new(key, "stands beside the tiles of the raster").accepted("one of them")
        });
    }
    faults.check(scene.map_cell_m.is_some(), || {
        Fault::new("map_cell_m", "none").accepted("a length, as tiles have maps")
    });
    for (k, source) in scene.sources.iter().enumerate() {
        if !by_cell(source) {
            continue;
        }
        let at = |key: &str| format!("sources[{k}].{key}");
        faults.check(source.rocks_per_cell.is_some(), || {
            let fault = Fault::new(at("rocks"), "of all cells, which no tile knows");
            fault.accepted("rocks_per_cell")
        });
        faults.check(source.annual_frequency.is_none(), || {
            let fault = Fault::new(at("annual_frequency"), "of all cells, which no tile knows");
            fault.accepted("a release file")
        });
    }
}

/// Whether a source takes its places from heights.
pub fn by_cell(source: &scene::Source) -> bool {
    matches!(source.release, scene::Release::SteeperThanDeg(_))
}

/// Level ground in place of a raster of which no height has been read.
#[derive(Debug)]
struct Unread {
    size: DVec2,
    cell: f64,
    origin: DVec2,
}

impl Terrain for Unread {
    fn surface(&self, x: f64, y: f64) -> Option<Surface> {
        self.extent().contains(DVec2::new(x, y)).then_some(Surface {
            height: 0.0,
            normal: DVec3::Z,
            facet: 0,
        })
    }

    fn facets(&self, _: Area, _: &mut Vec<Facet>) {}

    fn extent(&self) -> Area {
        Area {
            lower: DVec2::ZERO,
            upper: self.size,
        }
    }

    fn resolution(&self) -> f64 {
        self.cell
    }

    fn origin(&self) -> DVec3 {
        self.origin.extend(0.0)
    }
}
