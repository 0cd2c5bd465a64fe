//! A raster of the points of a cloud: the mean height of those in each cell.

use std::collections::BTreeMap;
use std::io::{Read, Seek};

use anyhow::{Result, ensure};
use glam::DVec2;

use super::{Header, Source, counted};
use crate::crs::Cure;
use crate::formats::digits::short;
use crate::formats::raster::{Raster, one_unit};

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
    let size = (header.upper - header.lower).truncate();
    ensure!(
        size.min_element() >= 0.0 && header.count > 0,
        "{} points in a box of {} by {}; accepted: one point or more (`lasinfo -repair` mends the box of a header)",
        header.count,
        short(size.x),
        short(size.y)
    );
    let cell = choice.cell.unwrap_or(0.0);
    ensure!(
        cell > 0.0 && cell.is_finite(),
        "side of a cell {cell} m; accepted: above 0 (--cell; {} points are in {} by {} m, {} m hold one on the average)",
        header.count,
        short(size.x),
        short(size.y),
        short((size.element_product() / header.count as f64).sqrt())
    );
    // The box of a header is rounded by some programs.
    let slack = header.scale.truncate();
    let (low, high) = (
        header.lower.truncate() - slack,
        header.upper.truncate() + slack,
    );
    let first = (low / cell).floor();
    let shape = (high / cell).floor() - first + 1.0;
    let most = (CELLS_A_POINT * header.count as f64).clamp(FEW_CELLS, MOST_CELLS);
    ensure!(
        shape.element_product() <= most,
        "{} x {} cells for {} points; accepted: up to {most} (a larger --cell)",
        shape.x,
        shape.y,
        header.count
    );
    let shape = shape.to_array().map(|n| n as usize);
    let mut cells = vec![(0.0_f64, 0_u32); shape[0] * shape[1]];
    let (mut classes, mut withheld, mut used) = (BTreeMap::<u8, u64>::new(), 0_u64, 0_u64);
    header.points(&mut source, &mut |point| {
        let at = point.at.truncate();
        ensure!(
            at.cmpge(low).all() && at.cmple(high).all(),
            "a point at {}, {} outside of the box of the header; accepted: a true box (`lasinfo -repair`)",
            at.x,
            at.y
        );
        if point.withheld {
            withheld += 1;
            return Ok(());
        }
        *classes.entry(point.class).or_default() += 1;
        if choice.classes.contains(&point.class) {
            let at = ((at / cell).floor() - first).to_array();
            let (sum, count) = &mut cells[at[1] as usize * shape[0] + at[0] as usize];
            *sum += point.at.z - header.lower.z;
            *count += 1;
            used += 1;
        }
        Ok(())
    })?;
    let wanted = choice
        .classes
        .iter()
        .map(u8::to_string)
        .collect::<Vec<_>>()
        .join(", ");
    ensure!(
        used > 0,
        "no point of class {wanted}; accepted: classes that the cloud has ({}), or one with ground classified \
         (`pdal translate in.las out.las smrf`)",
        counted(&classes)
    );
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
    let [west, east, south, north] = around(&cells, shape[0]);
    let rows = (south..=north).map(|row| &cells[row * shape[0] + west..=row * shape[0] + east]);
    let values: Vec<f64> = rows.flatten().map(height).collect();
    let empty = values.iter().filter(|v| v.is_nan()).count() as f64 / values.len() as f64;
    if empty > SPARSE {
        cautions.push(format!(
            "{} % of the cells have no point: a larger cell has fewer holes",
            short(100.0 * empty)
        ));
    }
    let packed = if header.packed { ", packed" } else { "" };
    let mut remarks = vec![format!(
        "LAS {}.{}, format {}{packed}, {} points; classes {}; {withheld} withheld",
        header.version.0,
        header.version.1,
        header.format,
        header.count,
        counted(&classes)
    )];
    let covered = values.iter().filter(|v| !v.is_nan()).count();
    remarks.push(format!(
        "heights are the mean of the points of class {wanted} in a cell, {} on the average",
        short(used as f64 / covered.max(1) as f64)
    ));
    let unit = one_unit([
        ("the GeoTIFF keys", unit_of_keys),
        ("the CRS", crs.as_ref().and_then(|c| c.vertical)),
        ("", None),
    ])?;
    Ok(Raster {
        columns: east - west + 1,
        rows: north - south + 1,
        cell,
        south_west: (first + DVec2::new(west as f64 + 0.5, south as f64 + 0.5)) * cell,
        values,
        crs,
        height_unit: unit,
        palette: false,
        remarks,
        cautions,
    })
}

/// The first and the last column and row that have a point.
fn around(cells: &[(f64, u32)], columns: usize) -> [usize; 4] {
    let taken = cells.iter().enumerate().filter(|(_, c)| c.1 > 0);
    let places = taken.map(|(k, _)| (k % columns, k / columns));
    places.fold([usize::MAX, 0, usize::MAX, 0], |[w, e, s, n], (x, y)| {
        [w.min(x), e.max(x), s.min(y), n.max(y)]
    })
}
