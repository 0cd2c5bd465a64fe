//! Names over a map: none stands on another, and where there is a choice none stands on coloured cells.

use crate::svg::{Anchor, SMALL, Svg, width};

/// Left, top, right and bottom of a text (px).
type Extent = [f64; 4];

/// Height of digits and letters of a contour's height (px).
const HEIGHT: f64 = 13.0;

/// The texts that are written over a map.
pub(super) struct Labels<'a> {
    /// Width and height of the space between the axes.
    pub(super) room: (f64, f64),
    /// How much of a rectangle coloured cells cover.
    pub(super) covered: &'a dyn Fn(Extent) -> usize,
    pub(super) taken: Vec<Extent>,
}

impl Labels<'_> {
    /// Writes a name at the free place that covers the fewest cells, the first of several such; where none is free it
    /// is left out.
    pub(super) fn write(&mut self, svg: &mut Svg, name: &str, places: &[((f64, f64), Anchor)]) {
        let free = places.iter().filter_map(|&(at, anchor)| {
            let extent = extent(at, anchor, SMALL, name);
            self.is_free(extent).then_some((at, anchor, extent))
        });
        let best = free.min_by_key(|(_, _, extent)| (self.covered)(*extent));
        if let Some((at, anchor, extent)) = best {
            svg.halo(at, anchor, SMALL, name);
            self.taken.push(extent);
        }
    }

    /// Writes the height of a contour unless a text stands there or it would be cut.
    pub(super) fn height(&mut self, svg: &mut Svg, at: (f64, f64), height: &str) {
        let extent = extent(at, Anchor::Middle, HEIGHT, height);
        if self.is_free(extent) {
            svg.halo(at, Anchor::Middle, HEIGHT, height);
            self.taken.push(extent);
        }
    }

    /// Whether a text has room between the axes and stands on no other.
    fn is_free(&self, [a, b, c, d]: Extent) -> bool {
        let (wide, high) = (self.room.0 - 2.0, self.room.1 - 2.0);
        if a < 2.0 || b < 2.0 || c > wide || d > high {
            return false;
        }
        let apart = |t: &Extent| c < t[0] || t[2] < a || d < t[1] || t[3] < b;
        self.taken.iter().all(apart)
    }
}

/// Where a text of one line stands, with its pale edge.
fn extent((x, y): (f64, f64), anchor: Anchor, size: f64, words: &str) -> Extent {
    let wide = width(words, size);
    let left = match anchor {
        Anchor::Start => x,
        Anchor::Middle => x - 0.5 * wide,
        Anchor::End => x - wide,
    };
    let edge = 2.0;
    [
        left - edge,
        y - 0.8 * size - edge,
        left + wide + edge,
        y + 0.25 * size + edge,
    ]
}
