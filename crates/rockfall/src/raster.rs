//! Hazard rasters: per cell how many rocks pass, how fast, with what energy, how high, and where they stay.

use crate::by_station::add_by_station;
use crate::cell_statistics::{CellStatistics, CellVisit, Slot};
use crate::histogram::weight_units;
use crate::window::Window;
use crate::{RockfallError, error::within};
use glam::DVec2;
use klast_geometry::terrain::Area;
use rayon::prelude::*;

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
        let number = |along: f64, of: u32| {
            let inside = along >= 0.0 && along < f64::from(of);
            inside.then_some(along as u32)
        };
        let column = number((p.x - self.corner.x) / self.cell, self.columns)?;
        if self.strip {
            return Some(column);
        }
        let row = number((p.y - self.corner.y) / self.cell, self.rows)?;
        Some(row * self.columns + column)
    }
}

/// A raster of statistics; memory grows with the cells that are reached, not with the rocks.
#[derive(Debug, Clone, PartialEq)]
pub struct HazardRaster {
    frame: RasterFrame,
    // Cells that follow each other by their numbers; `None` where no rock came to any of them.
    pages: Vec<Option<Box<Page>>>,
}

/// Cells that are kept together: of a large raster rocks come to a few.
const PAGE: usize = 256;
type Page = [Slot; PAGE];

fn page() -> Box<Page> {
    Box::new([const { None }; PAGE])
}

/// Adds visits to those of some pages, of which the first has a number.
fn add_to_pages(pages: &mut [Option<Box<Page>>], first: usize, visits: &[CellVisit], weight: f64) {
    let weight = weight_units(weight);
    for visit in visits {
        let (number, place) = (visit.cell as usize / PAGE, visit.cell as usize % PAGE);
        if let Some(own) = pages.get_mut(number.wrapping_sub(first)) {
            own.get_or_insert_with(page)[place]
                .get_or_insert_default()
                .add(visit, weight);
        }
    }
}

impl HazardRaster {
    /// An empty raster.
    pub fn new(frame: RasterFrame) -> Self {
        let cells = frame.columns as usize * frame.rows as usize;
        HazardRaster {
            frame,
            pages: vec![None; cells.div_ceil(PAGE)],
        }
    }

    fn count(&self) -> usize {
        self.frame.columns as usize * self.frame.rows as usize
    }

    /// A cell of the raster, to put something into it.
    fn slot(&mut self, number: usize) -> Option<&mut Slot> {
        let own = (number < self.count()).then(|| &mut self.pages[number / PAGE])?;
        Some(&mut own.get_or_insert_with(page)[number % PAGE])
    }

    /// Its frame.
    pub fn frame(&self) -> &RasterFrame {
        &self.frame
    }

    /// Statistics of a cell; `None` where no rock came.
    pub fn cell(&self, number: u32) -> Option<&CellStatistics> {
        let number = number as usize;
        self.pages.get(number / PAGE)?.as_ref()?[number % PAGE].as_deref()
    }

    /// The cells that rocks came to, in order of their numbers.
    pub fn reached(&self) -> impl Iterator<Item = (u32, &CellStatistics)> {
        let pages = self.pages.iter().zip((0u32..).step_by(PAGE));
        let pages = pages.filter_map(|(page, first)| Some((page.as_ref()?, first)));
        let numbered = pages.flat_map(|(page, first)| page.iter().zip(first..));
        numbered.filter_map(|(cell, number)| Some((number, cell.as_deref()?)))
    }

    /// Puts statistics into a cell; `None` where there is no such cell.
    #[cfg(feature = "serde")]
    pub(crate) fn set(&mut self, number: u32, cell: CellStatistics) -> Option<()> {
        *self.slot(number as usize)? = Some(Box::new(cell));
        Some(())
    }

    /// The least part of the raster with all cells that rocks came to.
    pub fn window(&self) -> Window {
        Window::around(self.reached().map(|cell| cell.0), self.frame.columns)
    }

    /// A value of every cell of a part, row by row from the south-west; NaN where no rock came.
    pub fn map(&self, window: &Window, value: impl Fn(&CellStatistics) -> Option<f64>) -> Vec<f64> {
        let value = |k: u32| self.cell(k).and_then(&value).unwrap_or(f64::NAN);
        window.numbers().map(value).collect()
    }

    /// Adds what some rocks did, with the weight of each. Threads share the cells: each looks at all visits and takes
    /// those to its own, so that sums are made as one thread makes them.
    pub(crate) fn add_all<'a, V>(&mut self, visits: V)
    where
        V: Iterator<Item = (&'a [CellVisit], f64)> + Clone + Sync,
    {
        // Several shares a thread, as rocks come to some of the cells.
        let shares = match rayon::current_num_threads() {
            1 => 1,
            threads => 4 * threads,
        };
        if self.frame.strip {
            return self.add_to_stations(visits, shares);
        }
        let share = self.pages.len().div_ceil(shares).max(1);
        let shares = self.pages.par_chunks_mut(share).enumerate();
        shares.for_each(|(k, pages)| {
            for (visits, weight) in visits.clone() {
                add_to_pages(pages, k * share, visits, weight);
            }
        });
    }

    fn add_to_stations<'a, V>(&mut self, visits: V, shares: usize)
    where
        V: Iterator<Item = (&'a [CellVisit], f64)> + Clone + Sync,
    {
        let count = self.count();
        let share = count.div_ceil(shares).clamp(1, PAGE);
        let pages = self.pages.par_iter_mut().enumerate();
        pages.for_each(|(k, own)| {
            let first = k * PAGE;
            let stations = &mut own.get_or_insert_with(page)[..(count - first).min(PAGE)];
            let shares = stations.par_chunks_mut(share).enumerate();
            shares.for_each(|(k, stations)| {
                add_by_station(stations, first + k * share, visits.clone());
            });
        });
    }

    pub(crate) fn deposit(&mut self, p: DVec2) {
        let place = self.frame.cell_at(p);
        if let Some(slot) = place.and_then(|k| self.slot(k as usize)) {
            slot.get_or_insert_default().deposited += 1;
        }
    }

    pub(crate) fn merge(&mut self, other: &HazardRaster) -> Result<(), RockfallError> {
        if self.frame != other.frame {
            return Err(RockfallError::Merge { what: "rasters" });
        }
        for (number, cell) in other.reached() {
            if let Some(slot) = self.slot(number as usize) {
                slot.get_or_insert_default().merge(cell);
            }
        }
        Ok(())
    }

    /// Adds those cells of a raster of another ground that this one has too; `shift` leads from the local origin of
    /// this ground to that of the other one (m).
    ///
    /// # Errors
    /// Cells of another size, or that do not lie over each other.
    pub fn add_overlap(&mut self, other: &HazardRaster, shift: DVec2) -> Result<(), RockfallError> {
        let (mine, theirs) = (self.frame, other.frame);
        let cells = (theirs.corner + shift - mine.corner) / mine.cell;
        let whole = cells.round();
        let aligned = (cells - whole).abs().max_element() < 1e-3;
        if mine.cell != theirs.cell || mine.strip || theirs.strip || !aligned {
            return Err(RockfallError::Merge { what: "rasters" });
        }
        let [east, north] = whole.as_i64vec2().to_array();
        let across = |number: u32| i64::from(number % theirs.columns) + east;
        let up = |number: u32| i64::from(number / theirs.columns) + north;
        for (number, cell) in other.reached() {
            let (column, row) = (across(number), up(number));
            let inside = (0..i64::from(mine.columns)).contains(&column)
                && (0..i64::from(mine.rows)).contains(&row);
            if inside {
                let number = row as usize * mine.columns as usize + column as usize;
                if let Some(slot) = self.slot(number) {
                    slot.get_or_insert_default().merge(cell);
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::{CellVisit, HazardRaster, RasterFrame};
    use glam::DVec2;

    /// Rocks that go on, go back, and turn back behind their first station, of few weights: station by station against
    /// rock by rock.
    #[test]
    fn stations_add_up_to_the_cells_of_a_raster() {
        let frame = |strip| RasterFrame {
            corner: DVec2::ZERO,
            cell: 1.0,
            columns: 50,
            rows: 1,
            strip,
        };
        let visit = |cell: u32, rock: u32| CellVisit {
            cell,
            entries: 1 + rock % 3,
            speed: f64::from(cell * rock % 71) / 3.0,
            energy: 1e4 / f64::from(1 + (cell + rock) % 13),
            height: f64::from((cell * rock) % 5) / 7.0,
        };
        let rocks: Vec<(Vec<CellVisit>, f64)> = (0..700u32)
            .map(|k| {
                let cells: Vec<u32> = match k % 4 {
                    0 => (k % 9..k % 41 + 9).collect(),
                    1 => (k % 7..30 + k % 11).rev().collect(),
                    2 => (10..12).chain((5..10).rev()).chain(12..30).collect(),
                    _ => (0..k % 3).collect(),
                };
                let weight = if k < 300 {
                    0.0
                } else {
                    f64::from(k / 250) * 1e-3
                };
                (cells.iter().map(|c| visit(*c, k)).collect(), weight)
            })
            .collect();
        let sums = [true, false].map(|strip| {
            let mut raster = HazardRaster::new(frame(strip));
            raster.add_all(
                rocks
                    .iter()
                    .map(|(visits, weight)| (visits.as_slice(), *weight)),
            );
            raster
        });
        assert!(sums[0].reached().eq(sums[1].reached()));
    }
}
