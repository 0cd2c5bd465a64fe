mod legend;

use super::canvas::Entry;
use super::svg::INK;
use std::collections::BTreeMap;

use legend::{bar, north};

use crate::axis::number;
use crate::canvas::{Frame, key};
use crate::contours::Field;
use crate::svg::{Anchor, SMALL, Svg, n, polyline, stroke};
use crate::{Axis, Colour, PlotError, class_colour, ramp, step_colour};

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
    fn count(&self) -> usize {
        match self {
            Cells::Values { values, .. } | Cells::Bands { values, .. } => values.len(),
            Cells::Classes { index, .. } => index.len(),
        }
    }
}

/// The ground under a map.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Relief {
    /// How light each cell lies, 0 to 1; empty for none.
    pub shade: Vec<f64>,
    /// Height of the middle of each cell, for contours; empty for none.
    pub heights: Vec<f64>,
}

/// Something drawn over a map, in data coordinates.
#[derive(Debug, Clone, PartialEq)]
pub enum Overlay {
    /// A line with its name beside it.
    Line {
        /// Name; none if empty.
        name: String,
        /// Its points.
        points: Vec<(f64, f64)>,
        /// Colour.
        colour: Colour,
        /// Width in pixels.
        width: f64,
    },
    /// The border of an area with its name.
    Area {
        /// Name.
        name: String,
        /// Its corners.
        points: Vec<(f64, f64)>,
        /// Colour.
        colour: Colour,
    },
    /// A point with its name.
    Point {
        /// Name; none if empty.
        name: String,
        /// Where.
        at: (f64, f64),
        /// Colour.
        colour: Colour,
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
    /// The ground under them.
    pub relief: Relief,
    /// What is drawn over the raster.
    pub overlays: Vec<Overlay>,
    /// A map of land: one metre as long in x as in y, with a scale bar and an arrow to the north.
    pub land: bool,
    /// Width and height in pixels, without the key.
    pub size: (u32, u32),
}

/// The tallest map of land (px): with its key it fits on a page.
const TALLEST: f64 = 620.0;

/// What contours leave to be written: how far they are apart, and their heights with their places.
#[derive(Default)]
struct Contours {
    step: Option<f64>,
    heights: Vec<((f64, f64), String)>,
}

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
        let mut frame = Frame::new(&self.title, (&self.x, &self.y), (x, y), self.size);
        if self.land {
            frame = frame.to_scale(TALLEST);
        }
        let limits = self.limits();
        let mut svg = Svg::default();
        frame.draw(&mut svg, false);
        frame.open(&mut svg);
        self.draw_cells(&mut svg, &frame, limits);
        let contours = self.draw_contours(&mut svg, &frame);
        for overlay in &self.overlays {
            self.draw_overlay(&mut svg, &frame, overlay);
        }
        // Over what crosses a contour, so that no height is cut.
        svg.raw("<g fill-opacity=\"0.8\">");
        for (at, height) in contours.heights {
            svg.halo(at, Anchor::Middle, 12.0, &height);
        }
        svg.raw("</g>");
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
        let (wide, high) = frame.size(if self.land {
            420.0
        } else {
            f64::from(self.size.0)
        });
        let mut below = high;
        if let Cells::Values { label, .. } = &self.cells {
            below += bar(&mut svg, (left, below), label, limits);
        }
        let entries = self.entries(contours.step);
        below += key(&mut svg, &entries, (left, below, wide - 8.0));
        Ok(svg.finish((wide, below), &self.words(), &frame.data()))
    }

    fn words(&self) -> String {
        let names = self.overlays.iter().map(|o| match o {
            Overlay::Line { name, .. }
            | Overlay::Area { name, .. }
            | Overlay::Point { name, .. } => name.as_str(),
        });
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

    /// Contours.
    fn draw_contours(&self, svg: &mut Svg, frame: &Frame) -> Contours {
        let heights = &self.relief.heights;
        if heights.is_empty() {
            return Contours::default();
        }
        let mut written = Vec::new();
        let field = Field {
            columns: self.shape.0,
            values: heights,
        };
        let (levels, step) = field.levels(12.0);
        let [_, _, w, h] = frame.area;
        let (dx, dy) = (w / self.shape.0 as f64, h / self.shape.1 as f64);
        let place = |(c, r): (f64, f64)| (dx * c, h - dy * r);
        let line = Colour(90, 80, 70);
        for level in &levels {
            let stretches = field.line(*level);
            let d: String = stretches
                .iter()
                .map(|&[a, b]| {
                    let (a, b) = (place(a), place(b));
                    format!("M{} {}L{} {}", n(a.0), n(a.1), n(b.0), n(b.1))
                })
                .collect();
            svg.path(&d, &(stroke(line, 0.7) + " stroke-opacity=\"0.65\""));
            // The height where the line is nearest the lower quarter of the map.
            let quarter = stretches.iter().min_by(|a, b| {
                let far = |s: &[(f64, f64); 2]| (s[0].1 - 0.25 * self.shape.1 as f64).abs();
                far(a).total_cmp(&far(b))
            });
            if let Some(&[at, _]) = quarter {
                written.push((place(at), number(*level, step)));
            }
        }
        Contours {
            step: (!levels.is_empty()).then_some(step),
            heights: written,
        }
    }

    fn draw_overlay(&self, svg: &mut Svg, frame: &Frame, overlay: &Overlay) {
        let place = |points: &[(f64, f64)]| -> Vec<(f64, f64)> {
            let placed = points
                .iter()
                .map(|&(a, b)| (self.x.place(a), self.y.place(b)));
            placed.map(|p| frame.inside(p)).collect()
        };
        let named = |svg: &mut Svg, name: &str, (x, y): (f64, f64)| {
            let end = if x > 0.7 * frame.area[2] {
                Anchor::End
            } else {
                Anchor::Start
            };
            let x = if end == Anchor::End { x - 7.0 } else { x + 7.0 };
            if !name.is_empty() {
                svg.halo((x, y.clamp(14.0, frame.area[3] - 6.0)), end, SMALL, name);
            }
        };
        match overlay {
            Overlay::Line {
                name,
                points,
                colour,
                width,
            } => {
                let points = place(points);
                let d = polyline(&points, false);
                if *width > 1.5 {
                    svg.path(&d, &stroke(Colour(255, 255, 255), width + 2.0));
                }
                svg.path(&d, &stroke(*colour, *width));
                if let Some(top) = points.iter().copied().min_by(|a, b| a.1.total_cmp(&b.1)) {
                    named(svg, name, (top.0, top.1 + 14.0));
                }
            }
            Overlay::Area {
                name,
                points,
                colour,
            } => {
                let points = place(points);
                let look = stroke(*colour, 2.0).replace(
                    "fill=\"none\"",
                    &format!("fill=\"{colour}\" fill-opacity=\"0.18\""),
                );
                svg.path(
                    &polyline(&points, true),
                    &(look + " stroke-dasharray=\"7 4\""),
                );
                let count = points.len().max(1) as f64;
                let sum = points
                    .iter()
                    .fold((0.0, 0.0), |s, p| (s.0 + p.0, s.1 + p.1));
                svg.halo(
                    (sum.0 / count, sum.1 / count + 4.0),
                    Anchor::Middle,
                    SMALL,
                    name,
                );
            }
            Overlay::Point { name, at, colour } => {
                for p in place(&[*at]) {
                    let d = format!("M{} {}a4 4 0 1 0 8 0a4 4 0 1 0 -8 0", n(p.0 - 4.0), n(p.1));
                    svg.path(&d, &format!("fill=\"{colour}\" stroke=\"#ffffff\""));
                    named(svg, name, (p.0, p.1 + 4.0));
                }
            }
        }
    }

    fn limits(&self) -> (f64, f64) {
        match &self.cells {
            Cells::Values { values, .. } => values
                .iter()
                .filter(|v| v.is_finite())
                .fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), &v| {
                    (a.min(v), b.max(v))
                }),
            _ => (0.0, 1.0),
        }
    }

    /// The colour of a cell, darker where the relief is; a cell without a value shows the relief alone.
    fn colour(&self, cell: usize, limits: (f64, f64)) -> Option<Colour> {
        let own = self.own_colour(cell, limits);
        let Some(light) = self.relief.shade.get(cell).filter(|s| s.is_finite()) else {
            return own;
        };
        // 16 steps let equal neighbours merge.
        let light = (light.clamp(0.0, 1.0) * 15.0).round() / 15.0;
        let paper = Colour(240, 240, 238);
        let ground = if own.is_some() { 0.72 } else { 0.68 };
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
            Cells::Bands { bounds, values, .. } => {
                let v = *values.get(cell)?;
                let class = bounds.iter().filter(|b| v >= **b).count();
                v.is_finite().then(|| step_colour(class, bounds.len() + 1))
            }
            Cells::Classes { names, index } => {
                let class = usize::from(*index.get(cell)?);
                (class < names.len()).then(|| class_colour(class))
            }
        }
    }

    /// The classes that there are, with their words.
    fn entries(&self, contours: Option<f64>) -> Vec<Entry> {
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
        match &self.cells {
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
                    class(step_colour(i, bounds.len() + 1), words);
                }
            }
            Cells::Classes { names, index } => {
                let shown = |i: usize| index.iter().any(|c| usize::from(*c) == i);
                for (i, name) in names.iter().enumerate().filter(|(i, _)| shown(*i)) {
                    class(class_colour(i), name.clone());
                }
            }
        }
        if let Some(step) = contours {
            entries.push(Entry {
                words: format!("contours, every {} m", number(step, 0.0)),
                series: None,
                mark: Box::new(|svg, x, y| {
                    svg.line((x - 12.0, y), (x + 12.0, y), Colour(90, 80, 70), 1.0);
                }),
            });
        }
        entries
    }
}
