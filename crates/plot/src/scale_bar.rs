//! A bar that says how long a round number of metres is.

use crate::axis::number;
use crate::svg::{Anchor, INK, SMALL, Svg};

/// Draws a bar that ends at a point, at most `longest` metres long, at so many pixels a metre.
pub(crate) fn draw(svg: &mut Svg, (right, y): (f64, f64), longest: f64, scale: f64) {
    let decade = 10f64.powf(longest.log10().floor());
    let length = [5.0, 2.0, 1.0].map(|k| k * decade);
    let Some(length) = length.into_iter().find(|l| *l <= longest) else {
        return;
    };
    let left = right - scale * length;
    svg.plate((left - 8.0, y - 24.0), (right - left + 16.0, 32.0));
    svg.raw("<g stroke-linecap=\"square\">");
    svg.line((left, y), (right, y), crate::Colour(255, 255, 255), 7.0);
    svg.line((left, y), (right, y), INK, 3.0);
    svg.line((left, y - 5.0), (left, y), INK, 1.6);
    svg.line((right, y - 5.0), (right, y), INK, 1.6);
    svg.raw("</g>");
    let (value, unit) = match length {
        l if l >= 1000.0 => (l / 1000.0, "km"),
        l if l >= 1.0 => (l, "m"),
        l if l >= 0.01 => (100.0 * l, "cm"),
        l => (1000.0 * l, "mm"),
    };
    let words = format!("{} {unit}", number(value, 0.0));
    svg.halo(
        (0.5 * (left + right), y - 9.0),
        Anchor::Middle,
        SMALL,
        &words,
    );
}
