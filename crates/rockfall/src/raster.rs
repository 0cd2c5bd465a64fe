//! Hazard rasters: per cell how many rocks pass, how fast, with what energy, how high, and where they stay.

use crate::arc::Arc;
use crate::heights::{greatest, height_at};
use crate::histogram::Histogram;
use crate::{RockfallError, error::within};
use glam::DVec2;
use klast_geometry::terrain::{Area, Terrain};

/// The frame of a raster, in local coordinates of the terrain.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct RasterFrame {
    /// South-west corner of the south-west cell (m).
    pub corner: DVec2,
    /// Side of a cell (m).
    pub cell: f64,
    /// Cells along x.
    pub columns: u32,
    /// Cells along y.
    pub rows: u32,
    /// Whether y is not looked at: one row of stations along x, as wide as the ground.
    #[cfg_attr(feature = "serde", serde(default))]
    pub strip: bool,
}

impl RasterFrame {
    /// Cells of a side (m) over an area; at most 10⁸ of them.
    pub fn over(area: Area, cell: f64) -> Result<Self, RockfallError> {
        let holds = cell > 0.0 && cell <= 1e9;
        within("raster cell", cell, holds, "above 0 m, up to 1e9 m")?;
        let size = (area.upper - area.lower) / cell;
        let count = size.x.ceil().max(1.0) * size.y.ceil().max(1.0);
        within(
            "number of raster cells",
            count,
            count <= 1e8,
            "up to 1e8: a bounded terrain and a larger cell",
        )?;
        Ok(RasterFrame {
            corner: area.lower,
            cell,
            columns: size.x.ceil().max(1.0) as u32,
            rows: size.y.ceil().max(1.0) as u32,
            strip: false,
        })
    }

    /// Stations of a length (m) along x over ground that is the same for all y.
    ///
    /// # Errors
    /// Ground without ends, and too many stations.
    pub fn stations(area: Area, length: f64) -> Result<Self, RockfallError> {
        let ends = Area {
            lower: DVec2::new(area.lower.x, 0.0),
            upper: DVec2::new(area.upper.x, 0.0),
        };
        Ok(RasterFrame {
            strip: true,
            ..Self::over(ends, length)?
        })
    }

    /// Number of the cell under a point, row by row from the south-west.
    pub fn cell_at(&self, p: DVec2) -> Option<u32> {
        let mut k = (p - self.corner) / self.cell;
        if self.strip {
            k.y = 0.0;
        }
        let inside =
            k.x >= 0.0 && k.y >= 0.0 && k.x < f64::from(self.columns) && k.y < f64::from(self.rows);
        inside.then(|| k.y as u32 * self.columns + k.x as u32)
    }
}

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

/// A raster of statistics; memory grows with the cells that are reached, not with the rocks.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct HazardRaster {
    frame: RasterFrame,
    // By number of the cell; `None` where no rock came.
    cells: Vec<Option<Box<CellStatistics>>>,
}

impl HazardRaster {
    /// An empty raster.
    pub fn new(frame: RasterFrame) -> Self {
        HazardRaster {
            frame,
            cells: vec![None; frame.columns as usize * frame.rows as usize],
        }
    }

    /// Its frame.
    pub fn frame(&self) -> &RasterFrame {
        &self.frame
    }

    /// Statistics of a cell; `None` where no rock came.
    pub fn cell(&self, number: u32) -> Option<&CellStatistics> {
        self.cells.get(number as usize)?.as_deref()
    }

    /// A value of every cell, row by row from the south-west; NaN where no rock came.
    pub fn map(&self, value: impl Fn(&CellStatistics) -> Option<f64>) -> Vec<f64> {
        self.cells
            .iter()
            .map(|c| c.as_deref().and_then(&value).unwrap_or(f64::NAN))
            .collect()
    }

    pub(crate) fn add(&mut self, visits: &[CellVisit], weight: f64) {
        for visit in visits {
            let Some(slot) = self.cells.get_mut(visit.cell as usize) else {
                continue;
            };
            let cell = slot.get_or_insert_default();
            cell.passages += u64::from(visit.entries);
            cell.speed.add(visit.speed, weight);
            cell.energy.add(visit.energy, weight);
            cell.height.add(visit.height, weight);
        }
    }

    pub(crate) fn deposit(&mut self, p: DVec2) {
        let slot = self
            .frame
            .cell_at(p)
            .and_then(|k| self.cells.get_mut(k as usize));
        if let Some(slot) = slot {
            slot.get_or_insert_default().deposited += 1;
        }
    }

    pub(crate) fn merge(&mut self, other: &HazardRaster) -> Result<(), RockfallError> {
        if self.frame != other.frame {
            return Err(RockfallError::Merge { what: "rasters" });
        }
        for (mine, theirs) in self.cells.iter_mut().zip(&other.cells) {
            let Some(theirs) = theirs else { continue };
            let mine = mine.get_or_insert_default();
            mine.passages += theirs.passages;
            mine.deposited += theirs.deposited;
            mine.speed.merge(&theirs.speed);
            mine.energy.merge(&theirs.energy);
            mine.height.merge(&theirs.height);
        }
        Ok(())
    }
}

/// Times of an arc at which it is looked at, each with the height there where it is known.
pub(crate) type Cuts = Vec<(f64, Option<f64>)>;

/// Follows one rock over a raster.
#[derive(Debug, Clone)]
pub(crate) struct Footprint {
    pub visits: Vec<CellVisit>,
    last: Option<u32>,
    /// Where an arc is cut: a buffer that goes from rock to rock.
    cuts: Cuts,
}

impl Footprint {
    /// Nothing yet, in two empty lists.
    pub(crate) fn new(cuts: Cuts, visits: Vec<CellVisit>) -> Self {
        Footprint {
            visits,
            last: None,
            cuts,
        }
    }

    /// The cells met, and the buffer.
    pub(crate) fn into_parts(self) -> (Vec<CellVisit>, Cuts) {
        (self.visits, self.cuts)
    }

    /// Adds an arc with its heights at some times: cut there and where it crosses cell borders. Over a piece, speed is
    /// greatest at an end (it is convex in time), and the ground is even.
    pub(crate) fn add(
        &mut self,
        frame: &RasterFrame,
        (arc, looks): (&Arc, &[(f64, f64)]),
        mass: f64,
        terrain: &dyn Terrain,
    ) {
        let mut cuts = std::mem::take(&mut self.cuts);
        cuts.clear();
        borders(frame, arc, &mut cuts);
        join(&mut cuts, looks, arc.duration);
        // An unstable sort needs no memory; at equal times either cut gives the same height.
        cuts.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
        // A piece begins where the one before it ends.
        let mut end = None;
        for piece in cuts.windows(2) {
            let (from, to) = (piece[0].0, piece[1].0);
            let middle = 0.5 * (from + to);
            let height = |(t, known): (f64, Option<f64>)| {
                known.unwrap_or_else(|| height_at(arc, t, terrain))
            };
            match frame.cell_at(arc.position_at(middle).truncate()) {
                Some(cell) => {
                    let begin = end.unwrap_or_else(|| height(piece[0]));
                    let reached = height(piece[1]);
                    end = Some(reached);
                    self.piece(cell, arc, mass, [(from, begin), (to, reached)]);
                }
                None => (self.last, end) = (None, None),
            }
        }
        self.cuts = cuts;
    }

    fn piece(&mut self, cell: u32, arc: &Arc, mass: f64, [begin, end]: [(f64, f64); 2]) {
        let speed = arc
            .velocity_at(begin.0)
            .length()
            .max(arc.velocity_at(end.0).length());
        let height = greatest(arc, begin, end).max(0.0);
        let energy = 0.5 * mass * speed * speed + arc.rotational_energy;
        let entered = self.last != Some(cell);
        self.last = Some(cell);
        match self.visits.iter_mut().rev().find(|v| v.cell == cell) {
            Some(v) => {
                v.entries += u32::from(entered);
                (v.speed, v.energy, v.height) = (
                    v.speed.max(speed),
                    v.energy.max(energy),
                    v.height.max(height),
                );
            }
            None => self.visits.push(CellVisit {
                cell,
                entries: 1,
                speed,
                energy,
                height,
            }),
        }
    }
}

/// Adds the times at which an arc crosses borders of cells, in order.
fn borders(frame: &RasterFrame, arc: &Arc, cuts: &mut Cuts) {
    let (a, b) = (arc.position.truncate(), arc.end().truncate());
    let axes = [
        (DVec2::X, (a.x - frame.corner.x, b.x - frame.corner.x)),
        (DVec2::Y, (a.y - frame.corner.y, b.y - frame.corner.y)),
    ];
    for (axis, (from, to)) in axes.into_iter().take(if frame.strip { 1 } else { 2 }) {
        let (low, high) = (from.min(to) / frame.cell, from.max(to) / frame.cell);
        let limit = f64::from(frame.columns.max(frame.rows));
        let mut line = low.ceil().max(0.0);
        while line <= high.min(limit) {
            let offset = frame.corner.dot(axis) + line * frame.cell;
            let times = arc.crossings(axis, offset).into_iter().flatten();
            cuts.extend(times.map(|t| (t, None)));
            line += 1.0;
        }
    }
    cuts.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
}

/// Adds looks (time, height), which are in order, to the borders that are in order too. A facet that ends on a border
/// is cut there once, or rounding would take the rock to and fro.
fn join(cuts: &mut Cuts, looks: &[(f64, f64)], duration: f64) {
    let (count, hair) = (cuts.len(), 1e-12 * duration);
    let mut next = 0;
    for &(t, height) in looks {
        while next < count && cuts[next].0 < t - hair {
            next += 1;
        }
        let mut alone = true;
        for border in cuts[next..count].iter_mut() {
            if border.0 > t + hair {
                break;
            }
            (border.1, alone) = (Some(height), false);
        }
        if alone || t == 0.0 || t == duration {
            cuts.push((t, Some(height)));
        }
    }
}
