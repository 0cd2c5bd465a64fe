//! A raster of the points of a cloud: the mean height of those in each cell.

use crate::command::Command;
use crate::refusal::{Result, ensure};
use std::collections::BTreeMap;
use std::io::{Read, Seek};

use glam::DVec2;

use super::{Header, Point, Source, counted};
use crate::crs::Cure;
use crate::digits::short;
use crate::raster::{Raster, one_unit};

/// Memory for the cells of a raster: as for rasters that are read; small files have small ones.
const MOST_CELLS: f64 = (256 << 20) as f64 / 8.0;
const FEW_CELLS: f64 = 1e6;
const CELLS_A_POINT: f64 = 64.0;
/// Cells without a point from which on a larger cell is advised.
const SPARSE: f64 = 0.2;

/// Which points, and the side of a cell.
#[derive(Debug, Clone, PartialEq)]
pub struct Choice {
    /// Classes: 2 is ground.
    pub classes: Vec<u8>,
    /// Side of a cell, in the unit of the cloud; none asks what fits.
    pub cell: Option<f64>,
}

/// The raster, its cells at whole multiples of their side; missing data where a cell has no point. The file is read a
/// piece at a time: memory is that of the cells and of one chunk of packed points.
///
/// # Errors
/// What is no cloud; no side of a cell; no point of the classes; points outside of the box of the header; too many
/// cells.
pub fn raster<R: Read + Seek + Send + Sync>(file: R, choice: &Choice) -> Result<Raster> {
    let mut source = Source::new(file)?;
    let header = Header::read(&mut source)?;
    let mut cautions = Vec::new();
    let (crs, unit_of_keys) = header.crs(&mut cautions)?;
    if let Some(crs) = &crs {
        // Said before millions of points are read.
        crs.for_mechanics(header.centre(), Cure::Cloud)?;
    }
    let height_unit = one_unit([
        ("the GeoTIFF keys", unit_of_keys),
        ("the CRS", crs.as_ref().and_then(|c| c.vertical)),
        ("", None),
    ])?;
    let mut grid = Grid::over(&header, choice.cell)?;
    let mut tally = Tally::default();
    header.points(&mut source, &mut |point| {
        let at = grid.inside(point.at.truncate())?;
        if tally.counts(&point, &choice.classes) {
            grid.add(at, point.at.z - header.lower.z);
        }
        Ok(())
    })?;
    let wanted: Vec<String> = choice.classes.iter().map(u8::to_string).collect();
    let wanted = wanted.join(", ");
    ensure!(
        tally.used > 0,
        Missing, "no point of class {wanted}"; "classes that the cloud has ({}), or one with ground classified",
        counted(&tally.classes) => Command::new("pdal translate {in}.las {out}.las smrf")
    );
    let (south_west, columns, values) = grid.means(&header);
    let covered = values.iter().filter(|v| !v.is_nan()).count();
    let empty = 1.0 - covered as f64 / values.len() as f64;
    if empty > SPARSE {
        cautions.push(format!(
            "{} % of the cells have no point: a larger cell has fewer holes",
            short(100.0 * empty)
        ));
    }
    let remarks = vec![
        header.summary(&tally),
        format!(
            "heights are the mean of the points of class {wanted} in a cell, {} on the average",
            short(tally.used as f64 / covered.max(1) as f64)
        ),
    ];
    Ok(Raster {
        columns,
        rows: values.len() / columns,
        cell: grid.cell,
        south_west,
        values: values.into(),
        crs,
        height_unit,
        palette: false,
        remarks,
        cautions,
    })
}

/// The points that were read.
#[derive(Default)]
struct Tally {
    classes: BTreeMap<u8, u64>,
    withheld: u64,
    used: u64,
}

impl Tally {
    /// Whether a point is one of the classes that are wanted; it is counted.
    fn counts(&mut self, point: &Point, wanted: &[u8]) -> bool {
        if point.withheld {
            self.withheld += 1;
            return false;
        }
        *self.classes.entry(point.class).or_default() += 1;
        let used = wanted.contains(&point.class);
        self.used += u64::from(used);
        used
    }
}

impl Header {
    fn summary(&self, tally: &Tally) -> String {
        format!(
            "LAS {}.{}, format {}{}, {} points; classes {}; {} withheld",
            self.version.0,
            self.version.1,
            self.format,
            if self.packed { ", packed" } else { "" },
            self.count,
            counted(&tally.classes),
            tally.withheld
        )
    }
}

/// Sums of heights over the box of a header.
struct Grid {
    /// The box; some programs round it.
    low: DVec2,
    high: DVec2,
    cell: f64,
    /// Number of the first cell along x and along y, counted from the origin of the CRS.
    first: DVec2,
    columns: usize,
    /// Sum of the heights over the lowest point, and number of points.
    cells: Vec<(f64, u32)>,
}

impl Grid {
    fn over(header: &Header, cell: Option<f64>) -> Result<Self> {
        let size = (header.upper - header.lower).truncate();
        ensure!(
            size.min_element() >= 0.0 && header.count > 0,
            Value, "{} points in a box of {} by {}", header.count, short(size.x), short(size.y); "one point or more"
            => Command::new("lasinfo -repair").noted(" mends the box of a header")
        );
        let cell = cell.unwrap_or(0.0);
        ensure!(
            cell > 0.0 && cell.is_finite(),
            Value, "side of a cell {cell} m";
            "above 0 (--cell; {} points are in {} by {} m, {} m hold one on the average)", header.count,
            short(size.x), short(size.y), short((size.element_product() / header.count as f64).sqrt())
        );
        let slack = header.scale.truncate();
        let low = header.lower.truncate() - slack;
        let high = header.upper.truncate() + slack;
        let first = (low / cell).floor();
        let shape = (high / cell).floor() - first + 1.0;
        let most = (CELLS_A_POINT * header.count as f64).clamp(FEW_CELLS, MOST_CELLS);
        ensure!(
            shape.element_product() <= most,
            TooLarge, "{} x {} cells for {} points", shape.x, shape.y, header.count; "up to {most} (a larger --cell)"
        );
        let [columns, rows] = shape.to_array().map(|n| n as usize);
        Ok(Self {
            low,
            high,
            cell,
            first,
            columns,
            cells: vec![(0.0, 0); columns * rows],
        })
    }

    /// The point, if it is in the box.
    fn inside(&self, at: DVec2) -> Result<DVec2> {
        ensure!(
            at.cmpge(self.low).all() && at.cmple(self.high).all(),
            Syntax, "a point at {}, {} outside of the box of the header", at.x, at.y; "a true box"
            => Command::new("lasinfo -repair")
        );
        Ok(at)
    }

    fn add(&mut self, at: DVec2, height: f64) {
        let [column, row] = ((at / self.cell).floor() - self.first)
            .to_array()
            .map(|n| n as usize);
        let (sum, count) = &mut self.cells[row * self.columns + column];
        *sum += height;
        *count += 1;
    }

    /// The mean heights of the cells around all that have a point, south-western first: the centre of the first, the
    /// number of columns, the heights.
    fn means(&self, header: &Header) -> (DVec2, usize, Vec<f64>) {
        // As many digits as the heights of the cloud have.
        let steps = 1.0 / header.scale.z;
        let whole = (steps.round() - steps).abs() < 1e-9 * steps;
        let rounded = |z: f64| match whole {
            true => (z * steps).round() / steps.round(),
            false => (z / header.scale.z).round() * header.scale.z,
        };
        let height = |&(sum, count): &(f64, u32)| match count {
            0 => f64::NAN,
            n => rounded(header.lower.z + sum / f64::from(n)),
        };
        let [west, east, south, north] = self.around();
        let row = |row: usize| &self.cells[row * self.columns..][west..=east];
        let values = (south..=north).flat_map(row).map(height).collect();
        let south_west =
            (self.first + DVec2::new(west as f64 + 0.5, south as f64 + 0.5)) * self.cell;
        (south_west, east - west + 1, values)
    }

    /// The first and the last column and row that have a point.
    fn around(&self) -> [usize; 4] {
        let taken = self.cells.iter().enumerate().filter(|(_, c)| c.1 > 0);
        let places = taken.map(|(k, _)| (k % self.columns, k / self.columns));
        places.fold([usize::MAX, 0, usize::MAX, 0], |[w, e, s, n], (x, y)| {
            [w.min(x), e.max(x), s.min(y), n.max(y)]
        })
    }
}
