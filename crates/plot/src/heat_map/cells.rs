//! What the cells of a raster hold, their colours and what the key says of them.

use crate::axis::number;
use crate::canvas::Entry;
use crate::svg::INK;
use crate::{Colour, class_colour, ramp, step_colour};

/// What the cells of a raster hold, row by row from the lowest y, columns from the lowest x.
#[derive(Debug, Clone, PartialEq)]
pub enum Cells {
    /// Values with the label of their colour bar; cells that are not finite stay free.
    Values {
        /// Name and unit.
        label: String,
        /// One value a cell.
        values: Vec<f64>,
    },
    /// Values in classes between bounds that rise; cells that are not finite stay free.
    Bands {
        /// Name and unit.
        label: String,
        /// Bounds between the classes: one class more than bounds.
        bounds: Vec<f64>,
        /// Whether the lowest class is the darkest: of a return period, say.
        dark_is_low: bool,
        /// One value a cell.
        values: Vec<f64>,
    },
    /// Indices into a list of named classes; an index past the list stays free.
    Classes {
        /// Names of the classes.
        names: Vec<String>,
        /// One index a cell.
        index: Vec<u8>,
    },
}

impl Cells {
    pub(super) fn count(&self) -> usize {
        match self {
            Cells::Values { values, .. } | Cells::Bands { values, .. } => values.len(),
            Cells::Classes { index, .. } => index.len(),
        }
    }

    /// Lowest and highest value.
    pub(super) fn limits(&self) -> (f64, f64) {
        match self {
            Cells::Values { values, .. } => values
                .iter()
                .filter(|v| v.is_finite())
                .fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), &v| {
                    (a.min(v), b.max(v))
                }),
            _ => (0.0, 1.0),
        }
    }

    /// The colour of a cell; none for one without a value.
    pub(super) fn colour(&self, cell: usize, (low, high): (f64, f64)) -> Option<Colour> {
        match self {
            Cells::Values { values, .. } => {
                let v = *values.get(cell)?;
                let span = high - low;
                v.is_finite().then(|| {
                    // 64 steps are finer than the eye and let equal neighbours merge.
                    let x = if span > 0.0 { (v - low) / span } else { 0.5 };
                    ramp((x * 63.0).round() / 63.0)
                })
            }
            Cells::Bands { bounds, values, .. } => {
                let v = *values.get(cell)?;
                let class = bounds.iter().filter(|b| v >= **b).count();
                v.is_finite().then(|| self.band_colour(class))
            }
            Cells::Classes { names, index } => {
                let class = usize::from(*index.get(cell)?);
                (class < names.len()).then(|| class_colour(class))
            }
        }
    }

    /// The colour of a class between bounds.
    fn band_colour(&self, class: usize) -> Colour {
        let Cells::Bands {
            bounds,
            dark_is_low,
            ..
        } = self
        else {
            return class_colour(class);
        };
        let step = match dark_is_low {
            true => bounds.len().saturating_sub(class),
            false => class,
        };
        step_colour(step, bounds.len() + 1)
    }

    /// The classes that there are, with their words.
    pub(super) fn entries(&self) -> Vec<Entry> {
        let mut entries = Vec::new();
        let mut class = |colour: Colour, words: String| {
            entries.push(Entry {
                words,
                series: None,
                mark: Box::new(move |svg, x, y| {
                    svg.rectangle(
                        (x - 9.0, y - 7.0),
                        (18.0, 14.0),
                        &colour.to_string(),
                        Some(INK),
                    );
                }),
            });
        };
        match self {
            Cells::Values { .. } => {}
            Cells::Bands { label, bounds, .. } => {
                let unit = label
                    .rsplit_once('[')
                    .map_or("", |(_, u)| u.trim_end_matches(']'));
                let unit = if unit == "-" { "" } else { unit };
                let said = |b: &f64| number(*b, 0.0);
                for i in 0..=bounds.len() {
                    let below = i.checked_sub(1).and_then(|k| bounds.get(k)).map(said);
                    let words = match (below, bounds.get(i).map(said)) {
                        (None, Some(b)) => format!("below {b} {unit}").trim_end().to_owned(),
                        (Some(a), Some(b)) => format!("{a} to {b} {unit}").trim_end().to_owned(),
                        (Some(a), None) => format!("{a} {unit} and more").replace("  ", " "),
                        (None, None) => label.clone(),
                    };
                    class(self.band_colour(i), words);
                }
            }
            Cells::Classes { names, index } => {
                let shown = |i: usize| index.iter().any(|c| usize::from(*c) == i);
                for (i, name) in names.iter().enumerate().filter(|(i, _)| shown(*i)) {
                    class(class_colour(i), name.clone());
                }
            }
        }
        entries
    }
}
