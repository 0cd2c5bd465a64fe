//! The ground under a map: its shade and its contours.

use crate::Colour;
use crate::axis::number;
use crate::canvas::{Entry, Frame};
use crate::contours::Field;
use crate::svg::{Svg, n, stroke};

/// Colour of contours.
const LINE: Colour = Colour(90, 80, 70);

/// The ground under a map.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Relief {
    /// How light each cell lies, 0 to 1; empty for none.
    pub shade: Vec<f64>,
    /// Height of the middle of each cell, for contours; empty for none.
    pub heights: Vec<f64>,
}

impl Relief {
    /// How light a cell lies, in 16 steps: they let equal neighbours merge.
    pub(super) fn light(&self, cell: usize) -> Option<f64> {
        let shade = self.shade.get(cell).filter(|s| s.is_finite())?;
        Some((shade.clamp(0.0, 1.0) * 15.0).round() / 15.0)
    }

    /// Draws contours over a raster of so many columns and rows.
    pub(super) fn draw_contours(
        &self,
        svg: &mut Svg,
        frame: &Frame,
        shape: (usize, usize),
    ) -> Contours {
        let heights = &self.heights;
        if heights.is_empty() {
            return Contours::default();
        }
        let mut written = Vec::new();
        let field = Field {
            columns: shape.0,
            values: heights,
        };
        let (levels, step) = field.levels(12.0);
        let [_, _, w, h] = frame.area;
        let (dx, dy) = (w / shape.0 as f64, h / shape.1 as f64);
        let place = |(c, r): (f64, f64)| (dx * c, h - dy * r);
        for level in &levels {
            let stretches = field.line(*level);
            let d: String = stretches
                .iter()
                .map(|&[a, b]| {
                    let (a, b) = (place(a), place(b));
                    format!("M{} {}L{} {}", n(a.0), n(a.1), n(b.0), n(b.1))
                })
                .collect();
            svg.path(&d, &(stroke(LINE, 0.7) + " stroke-opacity=\"0.65\""));
            // The height where the line is nearest the lower quarter of the map.
            let quarter = stretches.iter().min_by(|a, b| {
                let far = |s: &[(f64, f64); 2]| (s[0].1 - 0.25 * shape.1 as f64).abs();
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
}

/// Where a height is written, and its digits.
type Height = ((f64, f64), String);

/// What contours leave to be written: how far they are apart, and their heights with their places.
#[derive(Default)]
pub(super) struct Contours {
    step: Option<f64>,
    pub(super) heights: Vec<Height>,
}

impl Contours {
    /// What the key says of them.
    pub(super) fn entry(&self) -> Option<Entry> {
        self.step.map(|step| Entry {
            words: format!("contours, every {} m", number(step, 0.0)),
            series: None,
            mark: Box::new(|svg, x, y| {
                svg.line((x - 12.0, y), (x + 12.0, y), LINE, 1.0);
            }),
        })
    }
}
