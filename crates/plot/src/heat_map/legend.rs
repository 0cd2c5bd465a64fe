//! What the colours and marks of a heat map mean.

use super::{Cells, HeatMap};
use crate::axis::number;
use crate::canvas::Entry;
use crate::svg::{Anchor, INK, SMALL, Svg, n};
use crate::{Colour, class_colour, ramp, step_colour};

impl HeatMap {
    /// The classes that there are, with their words.
    pub(super) fn entries(&self, contours: Option<f64>) -> Vec<Entry> {
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

/// The bar of colours of continuous values, its name and three of its values; returns its height.
pub(super) fn bar(
    svg: &mut Svg,
    (left, top): (f64, f64),
    label: &str,
    (low, high): (f64, f64),
) -> f64 {
    const LONG: f64 = 320.0;
    for i in 0..64 {
        let c = ramp(f64::from(i) / 63.0);
        let x = left + LONG / 64.0 * f64::from(i);
        svg.rectangle(
            (x, top + 4.0),
            (LONG / 64.0 + 0.3, 14.0),
            &c.to_string(),
            None,
        );
    }
    svg.rectangle((left, top + 4.0), (LONG, 14.0), "none", Some(INK));
    svg.text(
        (left + LONG + 12.0, top + 16.0),
        Anchor::Start,
        SMALL,
        label,
    );
    if low.is_finite() {
        for f in [0.0, 0.5, 1.0] {
            let words = number(low + f * (high - low), high - low);
            svg.text((left + f * LONG, top + 34.0), Anchor::Middle, SMALL, &words);
        }
    }
    44.0
}

/// An arrow to the north with its letter below.
pub(super) fn north(svg: &mut Svg, (x, y): (f64, f64)) {
    svg.plate((x - 13.0, y - 5.0), (26.0, 48.0));
    let d = format!("M{} {}l7 22l-7 -5l-7 5Z", n(x), n(y));
    svg.path(&d, "fill=\"#222222\" stroke=\"#ffffff\" stroke-width=\"1\"");
    svg.halo((x, y + 37.0), Anchor::Middle, SMALL, "N");
}
