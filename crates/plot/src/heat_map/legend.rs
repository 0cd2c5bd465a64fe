//! The bar of colours, and the arrow to the north.

use crate::axis::number;
use crate::ramp;
use crate::svg::{Anchor, INK, SMALL, Svg, n};

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
