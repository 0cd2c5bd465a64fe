//! What is drawn over a map.

use crate::canvas::Frame;
use crate::svg::{Anchor, Svg, n, polyline, stroke};
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

    /// Its points, in data coordinates.
    pub fn points(&self) -> &[(f64, f64)] {
        match self {
            Self::Line { points, .. } | Self::Area { points, .. } => points.as_slice(),
            Self::Point { at, .. } => std::slice::from_ref(at),
        }
    }

    /// Its points in pixels of the space between the axes.
    fn placed(&self, frame: &Frame, (x, y): (&Axis, &Axis)) -> Vec<(f64, f64)> {
        let points = self.points();
        let placed = points.iter().map(|&(a, b)| (x.place(a), y.place(b)));
        placed.map(|p| frame.inside(p)).collect()
    }

    /// Where its name may stand, the best place first: beside the upper end of a line or a point, else the lower end,
    /// half-way at last, and outside of an area.
    pub(super) fn places(&self, frame: &Frame, axes: (&Axis, &Axis)) -> Vec<((f64, f64), Anchor)> {
        let points = self.placed(frame, axes);
        let by_height = |a: &&(f64, f64), b: &&(f64, f64)| a.1.total_cmp(&b.1);
        let ends = (
            points.iter().min_by(by_height),
            points.iter().max_by(by_height),
        );
        let (Some(&top), Some(&foot)) = ends else {
            return Vec::new();
        };
        let across = points.iter().map(|p| p.0);
        let (left, right) = across.fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), x| {
            (a.min(x), b.max(x))
        });
        let beside = |(left, right): (f64, f64), y: f64| {
            let sides = [(right + 7.0, Anchor::Start), (left - 7.0, Anchor::End)];
            sides.map(|(x, anchor)| ((x, y), anchor))
        };
        let middle = 0.5 * (left + right);
        let over = [
            ((middle, top.1 - 7.0), Anchor::Middle),
            ((middle, foot.1 + 17.0), Anchor::Middle),
        ];
        match self {
            Self::Line { .. } => {
                let upper = beside((top.0, top.0), top.1 + 14.0);
                let lower = beside((foot.0, foot.0), foot.1 - 5.0);
                // A bent line does not pass half-way between its ends.
                let half = (0.5 * (top.0 + foot.0), 0.5 * (top.1 + foot.1));
                let half = (points.len() == 2).then(|| beside((half.0, half.0), half.1));
                let ends = upper.into_iter().chain(lower).chain(over);
                ends.chain(half.into_iter().flatten()).collect()
            }
            Self::Area { .. } => {
                let sides = beside((left, right), 0.5 * (top.1 + foot.1) + 4.0);
                over.into_iter().chain(sides).collect()
            }
            Self::Point { .. } => {
                let sides = beside((left, right), top.1 + 4.0);
                sides.into_iter().chain(over).collect()
            }
        }
    }

    /// Draws it over a map of two axes.
    pub(super) fn draw(&self, svg: &mut Svg, frame: &Frame, axes: (&Axis, &Axis)) {
        let points = self.placed(frame, axes);
        match self {
            Overlay::Line { colour, width, .. } => {
                let d = polyline(&points, false);
                if *width > 1.5 {
                    svg.path(&d, &stroke(Colour(255, 255, 255), width + 2.0));
                }
                svg.path(&d, &stroke(*colour, *width));
            }
            Overlay::Area { colour, .. } => {
                let look = stroke(*colour, 2.0).replace(
                    "fill=\"none\"",
                    &format!("fill=\"{colour}\" fill-opacity=\"0.18\""),
                );
                svg.path(
                    &polyline(&points, true),
                    &(look + " stroke-dasharray=\"7 4\""),
                );
            }
            Overlay::Point { colour, .. } => {
                for p in points {
                    let d = format!("M{} {}a4 4 0 1 0 8 0a4 4 0 1 0 -8 0", n(p.0 - 4.0), n(p.1));
                    svg.path(&d, &format!("fill=\"{colour}\" stroke=\"#ffffff\""));
                }
            }
        }
    }
}
