//! A raster in colours over two axes, with the ground under it and lines over it.

mod cells;
mod labels;
mod legend;
mod overlay;
mod relief;

use std::collections::BTreeMap;

use labels::Labels;
use legend::{bar, north};

use crate::canvas::{Frame, key};
use crate::svg::{Svg, n};
use crate::{Axis, Colour, PlotError};

pub use cells::Cells;
pub use overlay::Overlay;
pub use relief::Relief;

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
    /// The ground under them.
    pub relief: Relief,
    /// What is drawn over the raster.
    pub overlays: Vec<Overlay>,
    /// A map of land: one metre as long in x as in y, with a scale bar and an arrow to the north.
    pub land: bool,
    /// Width and height in pixels, without the key.
    pub size: (u32, u32),
    /// Height that a map of land has at most, between its axes (px): with its key it fits on a page.
    pub tallest: u32,
}

/// A map narrower than this has its key below its axis too (px).
const NARROW: f64 = 400.0;

impl HeatMap {
    /// A map of 680 x 460 pixels.
    #[must_use]
    pub fn new(title: &str, x: Axis, y: Axis, shape: (usize, usize), cells: Cells) -> Self {
        Self {
            title: title.to_owned(),
            x,
            y,
            shape,
            cells,
            relief: Relief::default(),
            overlays: Vec::new(),
            land: false,
            size: (680, 460),
            tallest: 620,
        }
    }

    /// The picture as SVG text.
    ///
    /// # Errors
    /// [`PlotError::Cells`] if the number of cells is wrong, [`PlotError::Range`] or
    /// [`PlotError::Empty`] for an axis without a range.
    pub fn svg(&self) -> Result<String, PlotError> {
        let needed = self.shape.0 * self.shape.1;
        let of_relief = [self.relief.shade.len(), self.relief.heights.len()];
        let counts = of_relief.into_iter().filter(|count| *count > 0);
        let wrong = counts
            .chain([self.cells.count()])
            .find(|count| *count != needed);
        if wrong.is_some() || needed == 0 {
            return Err(PlotError::Cells {
                chart: self.title.clone(),
                found: wrong.unwrap_or(0),
                needed: needed.max(1),
            });
        }
        let x = self.x.ends(&self.title, std::iter::empty())?;
        let y = self.y.ends(&self.title, std::iter::empty())?;
        let mut frame = Frame::new(&self.title, self.x.spanned(x), self.y.spanned(y), self.size);
        if self.land {
            frame = frame.to_scale(f64::from(self.tallest));
        }
        let limits = self.cells.limits();
        let mut svg = Svg::default();
        frame.draw(&mut svg, false);
        frame.open(&mut svg);
        self.draw_cells(&mut svg, &frame, limits);
        let contours = self.relief.draw_contours(&mut svg, &frame, self.shape);
        for overlay in &self.overlays {
            overlay.draw(&mut svg, &frame, (&self.x, &self.y));
        }
        self.draw_labels(&mut svg, &frame, &contours.heights);
        frame.close(&mut svg);
        let [left, top, w, h] = frame.area;
        if self.land {
            let scale = w / (frame.ends.0.1 - frame.ends.0.0);
            crate::scale_bar::draw(
                &mut svg,
                (left + w - 14.0, top + h - 12.0),
                0.3 * w / scale,
                scale,
            );
            north(&mut svg, (left + w - 22.0, top + 16.0));
        }
        // A narrow map leaves room for its key; a bar of colours has its name beside it.
        let least = match (self.land, &self.cells) {
            (true, Cells::Values { .. }) | (false, _) => self.size.0,
            (true, _) => self.size.0.min(420),
        };
        let (wide, high) = frame.size(f64::from(least));
        let mut below = high;
        if let Cells::Values { label, .. } = &self.cells {
            below += bar(&mut svg, (left, below), label, limits);
        }
        let mut entries = self.cells.entries();
        entries.extend(contours.entry());
        // The key of a small map needs the whole width.
        let start = if wide < NARROW { 10.0 } else { left };
        below += key(&mut svg, &entries, (start, below, wide - 8.0));
        let mut data = frame.data();
        if !self.relief.shade.is_empty() {
            // A page must not turn its light over: ridges would be valleys.
            data.push_str(" data-shaded=\"\"");
        }
        Ok(svg.finish((wide, below), &self.words(), &data))
    }

    /// The names of what is drawn over the map, then the heights of contours: over what crosses them, so that none is
    /// cut.
    fn draw_labels(&self, svg: &mut Svg, frame: &Frame, heights: &[((f64, f64), String)]) {
        let [_, _, w, h] = frame.area;
        let covered = |extent: [f64; 4]| self.covered(extent, (w, h));
        let mut labels = Labels {
            room: (w, h),
            covered: &covered,
            // The arrow to the north and the scale bar.
            taken: match self.land {
                true => vec![
                    [w - 35.0, 11.0, w - 9.0, 59.0],
                    [0.7 * w - 22.0, h - 36.0, w - 6.0, h - 4.0],
                ],
                false => Vec::new(),
            },
        };
        for overlay in self.overlays.iter().filter(|o| !o.name().is_empty()) {
            let places = overlay.places(frame, (&self.x, &self.y));
            labels.write(svg, overlay.name(), &places);
        }
        svg.raw("<g fill-opacity=\"0.8\">");
        for (at, height) in heights {
            labels.height(svg, *at, height);
        }
        svg.raw("</g>");
    }

    /// How many cells with a colour of their own lie under a rectangle of an area (px).
    fn covered(&self, [left, top, right, bottom]: [f64; 4], (w, h): (f64, f64)) -> usize {
        let (columns, rows) = self.shape;
        let cell = |x: f64, wide: f64, count: usize| {
            ((x / wide * count as f64).max(0.0) as usize).min(count - 1)
        };
        let limits = self.cells.limits();
        let across = cell(left, w, columns)..=cell(right, w, columns);
        // Rows are counted from below.
        let up = cell(h - bottom, h, rows)..=cell(h - top, h, rows);
        let under = up.flat_map(|r| across.clone().map(move |c| r * columns + c));
        under
            .filter(|k| self.cells.colour(*k, limits).is_some())
            .count()
    }

    fn words(&self) -> String {
        let names = self.overlays.iter().map(Overlay::name);
        let names: Vec<&str> = names.filter(|name| !name.is_empty()).collect();
        let with = match names.is_empty() {
            true => String::new(),
            false => format!(", with {}", names.join(", ")),
        };
        format!("Map: {}{with}", self.title)
    }

    /// One path a colour: the runs of neighbours that have it.
    fn draw_cells(&self, svg: &mut Svg, frame: &Frame, limits: (f64, f64)) {
        let (columns, rows) = self.shape;
        let [_, _, w, h] = frame.area;
        let (dx, dy) = (w / columns as f64, h / rows as f64);
        let mut paths: BTreeMap<(u8, u8, u8), String> = BTreeMap::new();
        for row in 0..rows {
            let mut start = 0;
            while start < columns {
                let colour = self.colour(row * columns + start, limits);
                let mut end = start + 1;
                while end < columns && self.colour(row * columns + end, limits) == colour {
                    end += 1;
                }
                if let Some(c) = colour {
                    let (x, y) = (dx * start as f64, h - dy * (row + 1) as f64);
                    let wide = dx * (end - start) as f64;
                    let run = format!("M{} {}h{}v{}h-{}z", n(x), n(y), n(wide), n(dy), n(wide));
                    paths.entry((c.0, c.1, c.2)).or_default().push_str(&run);
                }
                start = end;
            }
        }
        // Borders of the cells' own colour: no hairlines between neighbours.
        for ((r, g, b), d) in paths {
            let c = Colour(r, g, b);
            svg.path(
                &d,
                &format!("fill=\"{c}\" stroke=\"{c}\" stroke-width=\"0.5\""),
            );
        }
    }

    /// The colour of a cell, darker where the relief is; a cell without a value shows the relief alone.
    fn colour(&self, cell: usize, limits: (f64, f64)) -> Option<Colour> {
        let own = self.cells.colour(cell, limits);
        let Some(light) = self.relief.light(cell) else {
            return own;
        };
        let paper = Colour(240, 240, 238);
        let ground = if own.is_some() { 0.72 } else { 0.68 };
        Some(own.unwrap_or(paper).darker(ground + (1.0 - ground) * light))
    }
}
