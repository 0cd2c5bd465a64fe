//! What a part of a run by tiles keeps of each tile, and where it is found again.

use std::collections::BTreeMap;
use std::path::PathBuf;

use glam::DVec2;
use klast_rockfall::Results as Statistics;
use klast_runs::error::{Context as _, Result};
use klast_runs::parts::{unpack, unpacked};
use klast_runs::shard::Shard;
use serde::{Deserialize, Serialize};

/// What the rocks of a tile add up to.
#[derive(Debug, Serialize, Deserialize)]
pub struct Tile {
    /// Everything that decides the numbers.
    pub key: String,
    /// Map coordinates of the local origin of its ground.
    pub origin: DVec2,
    /// Of its rocks; none where no source lies.
    pub statistics: Option<Statistics>,
    /// Rocks that ended where heights are missing inside the raster.
    pub swallowed: u64,
    /// Rocks that are not run, as no height is known where they would start.
    pub not_run: u64,
    /// Rounding of its heights (m).
    pub resolution: f64,
    /// What is doubtful in it.
    pub cautions: Vec<String>,
}

impl Tile {
    /// One without rocks.
    pub fn without_rocks(key: String) -> Self {
        Tile {
            key,
            origin: DVec2::ZERO,
            statistics: None,
            swallowed: 0,
            not_run: 0,
            resolution: 0.0,
            cautions: Vec::new(),
        }
    }
}

/// Where tiles are that have been run.
#[derive(Debug)]
pub enum Kept {
    /// Their bytes by number.
    Packed(BTreeMap<u64, Vec<u8>>),
    /// Folders of all parts, in order.
    Folders(Vec<PathBuf>),
}

impl Kept {
    /// A tile of so many.
    ///
    /// # Errors
    /// One that cannot be read.
    pub fn tile(&self, number: u64, of: u64) -> Result<Tile> {
        match self {
            Kept::Packed(tiles) => {
                let bytes = tiles.get(&number).context("a tile that was not run")?;
                unpacked(bytes.as_slice())
            }
            Kept::Folders(folders) => {
                let count = folders.len() as u64;
                let holds = |index: &u64| {
                    Shard {
                        index: *index,
                        count,
                    }
                    .range(of)
                    .contains(&(number - 1))
                };
                let index = (1..=count).find(holds).context("a tile of no part")?;
                unpack(&folders[index as usize - 1].join(file(number)))
            }
        }
    }
}

/// Name of the file of a tile.
pub fn file(number: u64) -> String {
    format!("tile_{number}.cbor.z")
}
