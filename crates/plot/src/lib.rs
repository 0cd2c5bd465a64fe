//! SVG charts from numbers.
//!
//! The crate contains no physics, and reads and writes no files. Each chart is a struct whose `svg()` returns the text
//! of one SVG picture. Colours differ in lightness as well as in hue, and lines in their dashes, so that a picture can
//! be read in grey. Coordinates are rounded to a hundredth of a pixel.
//!
//! * [`LineChart`]: lines, points, bands and histograms over two axes, each linear or logarithmic.
//! * [`HeatMap`]: a raster of values, or of named classes.
//! * [`Levels`]: values against their limits, a bar each.
//! * [`Drawing`]: polygons and polylines in equal aspect (profiles, bodies, space–time rows).
//! * [`Solids`]: bodies in space, projected and shaded.
//! * [`stack`]: several pictures below one another.
//!
//! ```
//! use klast_plot::{Axis, LineChart, Series};
//!
//! let parabola = (0..=20).map(|i| (f64::from(i) * 0.1, 5.0 - f64::from(i * i) * 0.01)).collect();
//! let chart = LineChart::new("A falling rock", Axis::new("t [s]"), Axis::new("z [m]"))
//!     .with(Series::line("centre", parabola));
//! assert!(chart.svg()?.starts_with("<svg"));
//! # Ok::<(), klast_plot::PlotError>(())
//! ```
#![cfg_attr(
    not(test),
    warn(clippy::unwrap_used, clippy::expect_used, clippy::panic)
)]

mod axis;
mod canvas;
mod compose;
mod contours;
mod drawing;
mod heat_map;
mod levels;
mod line_chart;
mod painter;
mod palette;
mod scale_bar;
mod series;
mod solids;
mod style;
mod svg;

pub use axis::Axis;
pub use compose::{size, stack};
pub use drawing::{Drawing, Shape};
pub use heat_map::{Cells, HeatMap, Overlay, Relief};
pub use levels::{Level, Levels};
pub use line_chart::LineChart;
pub use palette::{
    Colour, FIXED, FLOOR, MOST_STEPS, ROCK, STEEL, class_colour, line_colour, ramp, step_colour,
    stone_colour,
};
pub use series::{Mark, Series};
pub use solids::{Face, Solids};
pub use svg::escape;

/// Why a picture could not be drawn.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum PlotError {
    /// A chart without one finite point has no axes.
    #[error("{chart}: no finite value to draw; accepted: at least one finite point")]
    Empty {
        /// Title of the chart.
        chart: String,
    },
    /// An axis range that is empty, not finite, or not positive on a logarithmic axis.
    #[error(
        "axis '{axis}': range {low}..{high}; accepted: low < high, within 1e300 of 0, positive if logarithmic"
    )]
    Range {
        /// Label of the axis.
        axis: String,
        /// Lower end found.
        low: f64,
        /// Upper end found.
        high: f64,
    },
    /// A raster whose number of cells is not rows times columns.
    #[error("{chart}: {found} cells; accepted: columns x rows = {needed}")]
    Cells {
        /// Title of the chart.
        chart: String,
        /// Cells found.
        found: usize,
        /// Cells needed.
        needed: usize,
    },
}

#[doc = include_str!("../README.md")]
#[cfg(doctest)]
struct Readme;
