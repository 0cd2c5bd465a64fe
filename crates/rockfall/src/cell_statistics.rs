//! What rocks did in a cell of a raster, or between two stations.

use crate::histogram::Histogram;

/// What one rock did in one cell.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CellVisit {
    /// Number of the cell.
    pub cell: u32,
    /// How often the rock came in.
    pub entries: u32,
    /// Its greatest speed there (m/s).
    pub speed: f64,
    /// Its greatest kinetic energy (J).
    pub energy: f64,
    /// Its greatest height of the mass centre over the ground (m).
    pub height: f64,
}

/// Statistics of a cell over all rocks.
#[derive(Debug, Clone, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct CellStatistics {
    /// Entries of rocks into the cell.
    pub passages: u64,
    /// Rocks that came to rest in it.
    pub deposited: u64,
    /// Greatest speed of each rock (m/s).
    pub speed: Histogram,
    /// Greatest energy of each rock (J).
    pub energy: Histogram,
    /// Greatest height of each rock (m).
    pub height: Histogram,
}

impl CellStatistics {
    pub(crate) fn add(&mut self, visit: &CellVisit, weight: u128) {
        self.passages += u64::from(visit.entries);
        self.speed.add_units(visit.speed, weight);
        self.energy.add_units(visit.energy, weight);
        self.height.add_units(visit.height, weight);
    }

    pub(crate) fn merge(&mut self, other: &CellStatistics) {
        self.passages += other.passages;
        self.deposited += other.deposited;
        self.speed.merge(&other.speed);
        self.energy.merge(&other.energy);
        self.height.merge(&other.height);
    }
}

/// A cell; `None` where no rock came.
pub(crate) type Slot = Option<Box<CellStatistics>>;
