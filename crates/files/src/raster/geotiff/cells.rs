//! The values of the cells: samples in the order of a raster, and which of them are missing data.

use super::blocks::{Image, Window, within_memory};
use super::container::{Directory, Tiff};
use super::samples::{Form, Kind};
use crate::raster::is_sentinel;
use crate::refusal::{Result, ensure};
use klast_geometry::terrain::Values;

/// Where the rows of a window of a file go in a raster, whose first row is the southernmost.
pub(super) struct Order {
    pub window: Window,
    pub south_up: bool,
}

impl Order {
    fn columns(&self) -> usize {
        self.window.columns.len()
    }

    fn cells(&self) -> usize {
        self.columns() * self.window.rows.len()
    }

    /// Number of the first cell of a row of the window.
    fn start(&self, row: usize) -> usize {
        match self.south_up {
            true => row * self.columns(),
            false => (self.window.rows.len() - 1 - row) * self.columns(),
        }
    }
}

/// The samples of the first band; NaN is missing data: by its number, by the band of alpha, or left out of the file.
pub(super) fn values_of(
    tiff: &Tiff,
    image: &Image,
    alpha: Option<usize>,
    order: &Order,
    nodata: Option<f64>,
    remarks: &mut Vec<String>,
) -> Result<Values> {
    within_memory(
        tiff,
        order.columns() as u64,
        order.window.rows.len() as u64,
        1,
    )?;
    let mut values = image.kind.missing(order.cells());
    let missing = Missing {
        nodata,
        kind: image.kind,
    };
    let wanted: Vec<usize> = [Some(0), alpha].into_iter().flatten().collect();
    // Alpha may come before the samples of its cells: it is kept as a bit a cell.
    let mut hidden = vec![0u8; alpha.map_or(0, |_| values.len().div_ceil(8))];
    let mut left_out = 0;
    image.read(
        tiff,
        &wanted,
        &order.window,
        &mut |band, row, west, samples| {
            let first = order.start(row) + west;
            match (band, samples) {
                (0, Some(samples)) => {
                    let present = |s: f64| if missing.is(s) { f64::NAN } else { s };
                    values.put(first, samples.iter().map(|s| present(*s)));
                }
                (0, None) => left_out += 1,
                (_, Some(samples)) => {
                    let clear = samples.iter().enumerate().filter(|(_, a)| **a == 0.0);
                    clear.for_each(|(k, _)| hidden[(first + k) / 8] |= 1 << ((first + k) % 8));
                }
                (_, None) => {}
            }
        },
    )?;
    if alpha.is_some() {
        let clear = |k: usize| hidden[k / 8] >> (k % 8) & 1 == 1;
        values.update(|k, value| if clear(k) { f64::NAN } else { value });
        remarks.push("cells without alpha are missing data".to_owned());
    }
    if left_out > 0 {
        remarks.push("blocks that the file leaves out are missing data".to_owned());
    }
    Ok(values)
}

/// What samples stand for missing data: the number, once it is rounded as they are, and what is no height at all.
struct Missing {
    nodata: Option<f64>,
    kind: Kind,
}

impl Missing {
    fn is(&self, sample: f64) -> bool {
        let Some(nodata) = self.nodata else {
            return sample.is_nan() || is_sentinel(sample);
        };
        sample.is_nan()
            || sample == nodata
            || is_sentinel(sample)
            || match (self.kind.form, self.kind.bits) {
                (Form::Float, 32) => f64::from(nodata as f32) == sample,
                // Half of the step between halves is 2⁻¹¹ of the number at most.
                (Form::Float, 16) => (nodata - sample).abs() <= sample.abs() / 2048.0,
                _ => false,
            }
    }
}

/// Takes away the values outside of a mask.
pub(super) fn hide(
    tiff: &Tiff,
    directory: &Directory,
    (columns, rows): (usize, usize),
    order: &Order,
    values: &mut Values,
) -> Result<()> {
    let mask = Image::of(tiff, directory, false)?;
    ensure!(
        (mask.columns, mask.rows) == (columns, rows),
        Syntax,
        "{} x {} cells beside {columns} x {rows}",
        mask.columns,
        mask.rows
    );
    ensure!(mask.bands == 1, Several, "{} bands", mask.bands; "one");
    mask.read(tiff, &[0], &order.window, &mut |_, row, west, samples| {
        let first = order.start(row) + west;
        let width = samples.map_or(order.columns() - west, <[f64]>::len);
        for k in (0..width).filter(|k| samples.is_none_or(|s| s[*k] == 0.0)) {
            values.put(first + k, [f64::NAN]);
        }
    })
}
