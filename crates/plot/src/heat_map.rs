use plotters::prelude::*;

use crate::axis::number;
use crate::canvas::{Area, Chart, Frame, picture};
use crate::{Axis, Colour, PlotError, class_colour, ramp};

/// What the cells of a raster hold, row by row from the lowest y, columns from the lowest x.
#[derive(Debug, Clone, PartialEq)]
pub enum Cells {
    /// Values with the label of their colour bar; cells that are not finite stay white.
    Values {
        /// Name and unit.
        label: String,
        /// One value a cell.
        values: Vec<f64>,
    },
    /// Indices into a list of named classes; an index past the list stays white.
    Classes {
        /// Names of the classes.
        names: Vec<String>,
        /// One index a cell.
        index: Vec<u8>,
    },
}

/// A raster over two axes whose ranges are its outer borders.
#[derive(Debug, Clone, PartialEq)]
pub struct HeatMap {
    /// Title above the map.
    pub title: String,
    /// Horizontal axis; its range is required.
    pub x: Axis,
    /// Vertical axis; its range is required.
    pub y: Axis,
    /// Columns and rows.
    pub shape: (usize, usize),
    /// The cells.
    pub cells: Cells,
    /// How light each cell lies, 0 to 1, for a relief under the map; empty for none.
    pub shade: Vec<f64>,
    /// Lines drawn over the raster, in data coordinates.
    pub lines: Vec<Vec<(f64, f64)>>,
    /// Width and height in pixels.
    pub size: (u32, u32),
}

impl HeatMap {
    /// A map of 640 x 520 pixels.
    #[must_use]
    pub fn new(title: &str, x: Axis, y: Axis, shape: (usize, usize), cells: Cells) -> Self {
        Self {
            title: title.to_owned(),
            x,
            y,
            shape,
            cells,
            shade: Vec::new(),
            lines: Vec::new(),
            size: (720, 520),
        }
    }

    /// The picture as SVG text.
    ///
    /// # Errors
    /// [`PlotError::Cells`] if the number of cells is wrong, [`PlotError::Range`] or
    /// [`PlotError::Empty`] for an axis without a range.
    pub fn svg(&self) -> Result<String, PlotError> {
        let found = match &self.cells {
            Cells::Values { values, .. } => values.len(),
            Cells::Classes { index, .. } => index.len(),
        };
        let needed = self.shape.0 * self.shape.1;
        let found = match self.shade.len() {
            0 => found,
            shades if found == needed => shades,
            _ => found,
        };
        if found != needed || needed == 0 {
            return Err(PlotError::Cells {
                chart: self.title.clone(),
                found,
                needed: needed.max(1),
            });
        }
        let x = self.x.ends(&self.title, std::iter::empty())?;
        let y = self.y.ends(&self.title, std::iter::empty())?;
        let frame = Frame {
            title: &self.title,
            x: &self.x,
            y: &self.y,
            ends: (x, y),
            grid: None,
        };
        picture(&self.title, self.size, |root| {
            let (map, side) = root.split_horizontally(self.size.0.saturating_sub(150) as i32);
            let limits = self.limits();
            self.draw(&mut frame.on(&map)?, (x, y), limits)?;
            self.key(&side, limits)
        })
    }

    fn draw(
        &self,
        chart: &mut Chart,
        (x, y): ((f64, f64), (f64, f64)),
        limits: (f64, f64),
    ) -> Result<(), Box<dyn std::error::Error>> {
        let (columns, rows) = self.shape;
        let (dx, dy) = ((x.1 - x.0) / columns as f64, (y.1 - y.0) / rows as f64);
        let pixels = chart.plotting_area().dim_in_pixel();
        let pixel = (
            (x.1 - x.0) / f64::from(pixels.0),
            (y.1 - y.0) / f64::from(pixels.1),
        );
        for row in 0..rows {
            // Neighbours of one colour become one rectangle: the files stay small.
            let mut start = 0;
            while start < columns {
                let colour = self.colour(row * columns + start, limits);
                let mut end = start + 1;
                while end < columns && self.colour(row * columns + end, limits) == colour {
                    end += 1;
                }
                if let Some(c) = colour {
                    let style = RGBColor::from(c).filled();
                    let low = (x.0 + dx * start as f64, y.0 + dy * row as f64);
                    // A pixel and a half over the next cell, which is drawn later: no hairlines between.
                    let high = (
                        x.0 + dx * end as f64 + pixel.0,
                        y.0 + dy * (row + 1) as f64 + pixel.1,
                    );
                    chart.draw_series(std::iter::once(Rectangle::new([low, high], style)))?;
                }
                start = end;
            }
        }
        for line in &self.lines {
            let placed = line
                .iter()
                .map(|&(a, b)| (self.x.place(a), self.y.place(b)));
            chart.draw_series(LineSeries::new(placed, BLACK.stroke_width(2)))?;
        }
        Ok(())
    }

    fn limits(&self) -> (f64, f64) {
        match &self.cells {
            Cells::Values { values, .. } => values
                .iter()
                .filter(|v| v.is_finite())
                .fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), &v| {
                    (a.min(v), b.max(v))
                }),
            Cells::Classes { .. } => (0.0, 1.0),
        }
    }

    /// The colour of a cell, darker where the relief is; a cell without a value shows the relief alone.
    fn colour(&self, cell: usize, limits: (f64, f64)) -> Option<Colour> {
        let own = self.own_colour(cell, limits);
        let Some(light) = self.shade.get(cell).filter(|s| s.is_finite()) else {
            return own;
        };
        // 16 steps let equal neighbours merge.
        let light = (light.clamp(0.0, 1.0) * 15.0).round() / 15.0;
        let paper = Colour(225, 225, 225);
        let ground = if own.is_some() { 0.62 } else { 0.75 };
        Some(own.unwrap_or(paper).darker(ground + (1.0 - ground) * light))
    }

    fn own_colour(&self, cell: usize, (low, high): (f64, f64)) -> Option<Colour> {
        match &self.cells {
            Cells::Values { values, .. } => {
                let v = *values.get(cell)?;
                let span = high - low;
                v.is_finite().then(|| {
                    // 64 steps are finer than the eye and let equal neighbours merge.
                    let x = if span > 0.0 { (v - low) / span } else { 0.5 };
                    ramp((x * 63.0).round() / 63.0)
                })
            }
            Cells::Classes { names, index } => {
                let class = usize::from(*index.get(cell)?);
                (class < names.len()).then(|| class_colour(class))
            }
        }
    }

    fn key(&self, side: &Area, (low, high): (f64, f64)) -> Result<(), Box<dyn std::error::Error>> {
        let font = ("sans-serif", 12).into_font();
        match &self.cells {
            Cells::Values { label, .. } => {
                side.draw(&Text::new(label.clone(), (0, 28), font.clone()))?;
                for i in 0..64 {
                    let top = 50 + (63 - i) * 5;
                    let style = RGBColor::from(ramp(f64::from(i) / 63.0)).filled();
                    side.draw(&Rectangle::new([(0, top), (18, top + 5)], style))?;
                }
                for (f, top) in [(0.0, 360), (0.5, 203), (1.0, 46)] {
                    let text = number(low + f * (high - low), high - low);
                    side.draw(&Text::new(text, (24, top), font.clone()))?;
                }
            }
            Cells::Classes { names, index } => {
                let shown = |i: &usize| index.iter().any(|c| usize::from(*c) == *i);
                for (place, i) in (0..names.len()).filter(shown).enumerate() {
                    let name = names.get(i).map_or("", String::as_str);
                    let top = 40 + 22 * place as i32;
                    let corners = [(0, top), (16, top + 14)];
                    let fill = RGBColor::from(class_colour(i)).filled();
                    side.draw(&Rectangle::new(corners, fill))?;
                    side.draw(&Rectangle::new(corners, BLACK.stroke_width(1)))?;
                    side.draw(&Text::new(name.to_owned(), (22, top + 1), font.clone()))?;
                }
            }
        }
        Ok(())
    }
}
