//! Where the cells of a raster are: north up or south up, square, from tags, transforms and world files.

use crate::command::{Command, WARP};
use crate::refusal::{Result, bail, ensure};
use glam::DVec2;

/// Sides of a cell may differ by so much: what decimals in a header leave.
const SQUARE: f64 = 1e-9;

/// The place of a raster whose rows run along parallels.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Placement {
    /// The corner where the first row and the first column begin.
    pub corner: DVec2,
    /// Steps to the east and along the rows: the second is below zero where the first row is the northern one.
    pub step: DVec2,
}

impl Placement {
    /// From x, its steps along a row and down, y, its steps along a row and down, at the outer corner of the first
    /// cell.
    ///
    /// # Errors
    /// A raster that is turned or mirrored, cells that are not square: with the command that cures it.
    pub fn of_transform([x, xe, xs, y, ye, ys]: [f64; 6]) -> Result<Self> {
        let north_up = || {
            let warp = Command::new(&format!("gdalwarp {WARP} {{in}}.tif {{out}}.tif"));
            warp.noted(" writes it north up")
        };
        ensure!(
            [x, xe, xs, y, ye, ys].iter().all(|v| v.is_finite()),
            Placement,
            "a place that is not finite"
        );
        let size = xe.abs().max(ys.abs());
        ensure!(
            xs.abs().max(ye.abs()) <= 1e-9 * size,
            Placement, "a raster that is turned or sheared"; "rows along a parallel" => north_up()
        );
        ensure!(xe > 0.0 && ys != 0.0, Placement, "cells of {xe} by {ys}"; "steps to the east above 0" => north_up());
        ensure!(
            (xe - ys.abs()).abs() <= SQUARE * xe,
            Placement, "cells of {xe} by {}", ys.abs(); "square within {SQUARE}"
            => Command::new(&format!("gdalwarp -tr {xe} {xe} {WARP} {{in}}.tif {{out}}.tif"))
        );
        Ok(Self {
            corner: DVec2::new(x, y),
            step: DVec2::new(xe, ys),
        })
    }

    /// From the six lines of a world file, whose place is the centre of the first cell.
    ///
    /// # Errors
    /// Other than six numbers; as [`Placement::of_transform`].
    pub fn of_world_file(bytes: &[u8]) -> Result<Self> {
        let text = crate::text::ascii(bytes)?;
        let mut numbers = Vec::new();
        for word in text.split_ascii_whitespace() {
            match word.parse::<f64>() {
                Ok(number) => numbers.push(number),
                Err(_) => {
                    bail!(Value, "world file: '{}'", word.chars().take(40).collect::<String>(); "six numbers")
                }
            }
        }
        let [xe, ye, xs, ys, x, y] = numbers[..] else {
            bail!(Value, "world file: {} numbers", numbers.len(); "six");
        };
        let corner = [x - 0.5 * (xe + xs), y - 0.5 * (ye + ys)];
        Self::of_transform([corner[0], xe, xs, corner[1], ye, ys])
    }

    /// Whether the first row is the southern one.
    #[must_use]
    pub fn south_up(&self) -> bool {
        self.step.y > 0.0
    }

    /// Side of a cell.
    #[must_use]
    pub fn cell(&self) -> f64 {
        self.step.x
    }

    /// Centre of the cell in the south-west.
    #[must_use]
    pub fn south_west(&self, rows: usize) -> DVec2 {
        let down = if self.south_up() {
            0.5
        } else {
            rows as f64 - 0.5
        };
        self.corner + DVec2::new(0.5 * self.step.x, down * self.step.y)
    }

    /// Whether two places of a raster of some size are the same within a hundredth of a cell.
    #[must_use]
    pub fn agrees(&self, other: &Self, columns: usize, rows: usize) -> bool {
        let size = DVec2::new(columns as f64, rows as f64);
        let [a, b] = [self, other].map(|p| (p.corner, p.corner + p.step * size));
        let near = |p: DVec2, q: DVec2| (p - q).abs().max_element() <= 0.01 * self.cell();
        near(a.0, b.0) && near(a.1, b.1)
    }
}
