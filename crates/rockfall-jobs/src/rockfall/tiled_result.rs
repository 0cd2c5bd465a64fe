//! What a run by tiles gives: maps of each tile, and counts of all rocks.

use std::collections::BTreeMap;

use glam::DVec2;
use klast_rockfall::{HazardRaster, Results as Statistics};
use klast_runs::answer::{Answer, Figure, Judgement, counted};
use klast_runs::error::Result;
use klast_runs::files::{Files, FilesExt as _, Memory};
use klast_runs::results::KindResults;
use rayon::prelude::*;
use schemars::JsonSchema;
use serde::Serialize;

use super::maps::{self, AsciiNames, Place};
use super::scene::Scene;
use super::tile_part::{Kept, Tile};
use super::tiles::Tiling;
use super::verdict::lost_rocks;

/// Tiles whose maps are made together.
const TOGETHER: usize = 64;

/// Counts of all rocks.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Summary {
    /// Number of tiles of the raster.
    pub tiles: u64,
    /// Number of tiles in which rocks start.
    pub tiles_with_rocks: u64,
    /// Number of rocks that were released.
    pub seeded: u64,
    /// Number of rocks that came to rest.
    pub stopped: u64,
    /// Number of rocks that left the raster, or were released where there is no ground or below it.
    pub left_map: u64,
    /// Number of rocks that reached the longest time or the largest number of steps before they stopped.
    pub timed_out: u64,
    /// Number of rocks whose motion is unresolved.
    pub unresolved: u64,
    /// Longest runout of the rocks that stopped (m); null without any.
    pub longest_runout_m: Option<f64>,
    /// Width of the ground that was read around each tile (m).
    pub halo_m: f64,
}

/// A tile to which rocks came, or in which they start.
#[derive(Debug, Clone, Default, Serialize, JsonSchema)]
pub struct TileRow {
    /// Number of the tile.
    pub tile: u64,
    /// South-west corner of the tile (m).
    pub x_m: f64,
    /// South-west corner of the tile (m).
    pub y_m: f64,
    /// Number of rocks that start in it.
    pub rocks: u64,
    /// Number of cells of its map that rocks reach; its maps are written if there are any.
    pub reached_cells: u64,
}

/// Rocks that start in tiles.
#[derive(Debug)]
pub struct Starts<'a> {
    /// By tile, row by row from the south-west.
    pub rocks: &'a [u64],
    /// Tiles to the east and to the north.
    pub shape: (usize, usize),
    /// South-west corner, in map coordinates.
    pub corner: DVec2,
    /// Side of a tile (m).
    pub side: f64,
}

/// Results of a run by tiles.
#[derive(Debug, JsonSchema)]
pub struct TiledResults {
    /// Counts of all rocks.
    pub summary: Summary,
    /// Rocks that start in each tile.
    #[schemars(skip)]
    rocks: Vec<u64>,
    #[schemars(skip)]
    scene: Scene,
    #[schemars(skip)]
    tiling: Tiling,
    #[schemars(skip)]
    kept: Kept,
    #[schemars(skip)]
    total: Statistics,
    #[schemars(skip)]
    said: Said,
}

/// What tiles say beside their numbers.
#[derive(Debug, Default)]
pub struct Said {
    /// Rocks that ended where heights are missing inside the raster.
    pub swallowed: u64,
    /// Rocks that are not run.
    not_run: u64,
    /// Greatest rounding of the heights of a tile (m).
    pub resolution: f64,
    /// What is doubtful, and in which tiles, by what is said beside its numbers.
    cautions: BTreeMap<String, (String, Vec<u64>)>,
}

impl Said {
    fn add(&mut self, number: u64, tile: &mut Tile) {
        self.swallowed += tile.swallowed;
        self.not_run += tile.not_run;
        self.resolution = self.resolution.max(tile.resolution);
        for caution in tile.cautions.drain(..) {
            let words = caution.chars().filter(|c| !c.is_ascii_digit());
            let alike = self.cautions.entry(words.collect());
            let (_, tiles) = alike.or_insert((caution, Vec::new()));
            tiles.push(number);
        }
    }

    /// Rocks in tiles where no height is known, in words.
    #[must_use]
    pub fn not_run(&self) -> Option<String> {
        let rocks = self.not_run;
        (rocks > 0).then(|| {
            format!("{rocks} rocks lie in tiles where all heights of their source are missing, and are not run")
        })
    }

    /// Each caution once, with the first tile that it is said of.
    #[must_use]
    pub fn cautions(&self) -> Vec<String> {
        let line = |(caution, tiles): &(String, Vec<u64>)| {
            let more = match tiles.len() {
                ..=1 => String::new(),
                all => format!(" and {} more", all - 1),
            };
            format!("tile {}{more}: {caution}", tiles[0])
        };
        self.cautions.values().map(line).collect()
    }
}

impl TiledResults {
    /// Of all tiles.
    ///
    /// # Errors
    /// A tile that cannot be read.
    pub fn of(scene: &Scene, tiling: Tiling, kept: Kept) -> Result<Self> {
        let count = tiling.count();
        let (mut total, mut with_rocks) = (Statistics::new(0, None), 0);
        let (mut rocks, mut said) = (Vec::new(), Said::default());
        let numbers: Vec<u64> = (1..=count).collect();
        let read = |number: &u64| {
            let mut tile = kept.tile(*number, count)?;
            if let Some(statistics) = &mut tile.statistics {
                statistics.raster = None;
            }
            Ok((*number, tile))
        };
        for group in numbers.chunks(TOGETHER) {
            let tiles = group.par_iter().map(read);
            for (number, mut tile) in tiles.collect::<Result<Vec<_>>>()? {
                said.add(number, &mut tile);
                let mut seeded = 0;
                if let Some(statistics) = &tile.statistics {
                    total.merge(statistics)?;
                    seeded = statistics.account.seeded;
                }
                with_rocks += u64::from(seeded > 0);
                rocks.push(seeded);
            }
        }
        let account = &total.account;
        let summary = Summary {
            tiles: count,
            tiles_with_rocks: with_rocks,
            seeded: account.seeded,
            stopped: account.stopped,
            left_map: account.left_map,
            timed_out: account.timed_out,
            unresolved: account.unresolved,
            longest_runout_m: total.runout.greatest(),
            halo_m: tiling.halo(),
        };
        Ok(Self {
            summary,
            rocks,
            scene: scene.clone(),
            tiling,
            kept,
            total,
            said,
        })
    }

    /// What its tiles say beside their numbers.
    #[must_use]
    pub fn said(&self) -> &Said {
        &self.said
    }

    /// Statistics of all rocks, without maps.
    pub fn total(&self) -> &Statistics {
        &self.total
    }

    /// How many rocks start in each tile.
    #[must_use]
    pub fn starts(&self) -> Starts<'_> {
        let own = self.tiling.own(1);
        Starts {
            rocks: &self.rocks,
            shape: self.tiling.shape(),
            corner: own.lower,
            side: self.tiling.side(),
        }
    }

    /// What all rocks did in a tile: those of its own, and those of its neighbours.
    fn raster(&self, number: u64) -> Result<HazardRaster> {
        let mut raster = HazardRaster::new(self.tiling.frame(number)?);
        let corner = self.tiling.own(number).lower;
        for from in self.tiling.neighbours(number) {
            let tile = self.kept.tile(from, self.tiling.count())?;
            if let Some(own) = tile.statistics.and_then(|s| s.raster) {
                raster.add_overlap(&own, tile.origin - corner)?;
            }
        }
        Ok(raster)
    }
}

impl KindResults for TiledResults {
    type Summary = Summary;

    fn summary(&self) -> &Summary {
        &self.summary
    }

    fn verdict(&self) -> Answer {
        let Summary {
            tiles,
            tiles_with_rocks,
            seeded,
            longest_runout_m,
            halo_m,
            left_map,
            timed_out,
            unresolved,
            ..
        } = self.summary;
        let lost = lost_rocks(left_map + timed_out + unresolved, seeded);
        Answer {
            verdict: format!(
                "{} from {tiles_with_rocks} of {}: none left the ground that was read, {halo_m} m around each tile.{lost}",
                counted(seeded, "rock"),
                counted(tiles, "tile")
            ),
            judgement: Judgement::Measured,
            outcome: "measured".to_owned(),
            figures: [
                Figure::count("rocks", seeded),
                Figure::new("longest runout", longest_runout_m, "m"),
                Figure::count("tiles with rocks", tiles_with_rocks),
            ],
        }
    }

    fn write_tables(&self, files: &mut dyn Files) -> Result<()> {
        let names = AsciiNames {
            own: self.scene.write_ascii_maps,
            rockyfor3d: self.scene.write_rockyfor3d_maps,
        };
        let tiles: Vec<u64> = (1..=self.summary.tiles).collect();
        let mut rows = Vec::new();
        for group in tiles.chunks(TOGETHER) {
            let made = group.par_iter().map(|&tile| self.tile(tile, names));
            for (row, own) in made.collect::<Result<Vec<_>>>()? {
                rows.extend(Some(row).filter(|row| row.rocks + row.reached_cells > 0));
                for name in own.names() {
                    files.bytes(name, &own.read(name).unwrap_or_default())?;
                }
            }
        }
        files.table("tiles.csv", &rows)
    }
}

impl TiledResults {
    /// A tile, and its maps if rocks came to it.
    fn tile(&self, tile: u64, names: AsciiNames) -> Result<(TileRow, Memory)> {
        let raster = self.raster(tile)?;
        let corner = self.tiling.own(tile).lower;
        let row = TileRow {
            tile,
            x_m: corner.x,
            y_m: corner.y,
            rocks: self.rocks[tile as usize - 1],
            reached_cells: raster.reached().count() as u64,
        };
        let mut files = Memory::default();
        if row.reached_cells > 0 {
            let mut statistics = Statistics::new(0, None);
            statistics.account.seeded = self.summary.seeded;
            statistics.raster = Some(raster);
            let maps = maps::maps(&self.scene, &statistics);
            let place = Place {
                origin: corner,
                crs: self.tiling.crs.clone(),
                prefix: &format!("tile_{tile}_"),
            };
            maps::write(&place, &statistics, (&maps, names), &mut files)?;
        }
        Ok((row, files))
    }
}
