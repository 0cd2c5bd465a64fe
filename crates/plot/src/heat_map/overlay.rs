//! What is drawn over a map.

use crate::canvas::Frame;
use crate::svg::{Anchor, SMALL, Svg, n, polyline, stroke};
use crate::{Axis, Colour};

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

impl Overlay {
    /// Its name; empty for none.
    pub(super) fn name(&self) -> &str {
        match self {
            Self::Line { name, .. } | Self::Area { name, .. } | Self::Point { name, .. } => name,
        }
    }

    /// Draws it over a map of two axes.
    pub(super) fn draw(&self, svg: &mut Svg, frame: &Frame, (x, y): (&Axis, &Axis)) {
        let place = |points: &[(f64, f64)]| -> Vec<(f64, f64)> {
            let placed = points.iter().map(|&(a, b)| (x.place(a), y.place(b)));
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
        match self {
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
}
