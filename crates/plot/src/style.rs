//! How the series of a chart are told apart: by colour, by lightness, and where there are several lines or several clouds of
//! points, by dashes and by marks, so that grey and a colour-blind eye lose nothing.

use plotters::prelude::*;

use crate::palette::line_colour;
use crate::{Mark, Series};

/// Pixels on and off.
type Dash = (u32, u32);

/// Of the first lines of a chart; those without one differ in lightness. One more than there are colours, so that no two of
/// the first fifty-six lines look alike.
const DASHES: [Option<Dash>; 8] = [
    None,
    None,
    Some((14, 4)),
    None,
    Some((9, 6)),
    Some((2, 3)),
    Some((20, 3)),
    Some((4, 8)),
];
/// Of a series that asks for dashes.
const DASHED: Dash = (6, 4);

/// The looks of one series.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Style {
    pub colour: RGBColor,
    pub dash: Option<Dash>,
    /// Which mark its points get.
    rank: usize,
}

impl Style {
    /// The styles of all series of a chart, in their order. A series with a colour of its own is left as it is.
    pub fn of_all(series: &[Series]) -> Vec<Self> {
        let (mut lines, mut clouds) = (0, 0);
        let count = |n: &mut usize, own: bool| {
            let rank = *n;
            *n += usize::from(own);
            rank
        };
        let styles = series.iter().enumerate().map(|(i, s)| {
            let own = s.colour.is_none();
            let (dash, rank) = match s.mark {
                Mark::Dashed => (Some(DASHED), 0),
                Mark::Line if own => (DASHES[count(&mut lines, own) % DASHES.len()], 0),
                Mark::Points => (None, count(&mut clouds, own)),
                _ => (None, 0),
            };
            Self {
                colour: s.colour.unwrap_or(line_colour(i)).into(),
                dash,
                rank,
            }
        });
        styles.collect()
    }

    /// The mark of a point: a dot, a triangle, a cross, a ring.
    pub fn marker<'a, C>(&self, at: C) -> DynElement<'static, SVGBackend<'a>, C>
    where
        C: Clone + 'static,
    {
        match self.rank % 4 {
            0 => Circle::new(at, 3, self.colour.filled()).into_dyn(),
            1 => TriangleMarker::new(at, 5, self.colour.filled()).into_dyn(),
            2 => Cross::new(at, 4, self.colour.stroke_width(2)).into_dyn(),
            _ => Circle::new(at, 5, self.colour.stroke_width(1)).into_dyn(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_and_clouds_are_told_apart_without_colour() {
        let line = || Series::line("", vec![]);
        let series = [
            line(),
            Series::points("", vec![]),
            line(),
            line(),
            Series::points("", vec![]),
            line().coloured(crate::ROCK),
            Series::dashed("", vec![]),
        ];
        let styles = Style::of_all(&series);
        let dashes: Vec<_> = styles.iter().map(|s| s.dash).collect();
        let long = DASHES[2];
        assert_eq!(dashes, [None, None, None, long, None, None, Some(DASHED)]);
        assert_ne!(styles[1].rank, styles[4].rank);
        // The colours come round again, the dashes do not.
        let many: Vec<Series> = (0..8).map(|_| line()).collect();
        let many = Style::of_all(&many);
        assert_eq!(many[0].colour, many[7].colour);
        assert_ne!(many[0].dash, many[7].dash);
        // Full lines that follow one another differ in grey by a fifth of the scale or more.
        let grey =
            |c: RGBColor| 0.299 * f64::from(c.0) + 0.587 * f64::from(c.1) + 0.114 * f64::from(c.2);
        assert!((grey(styles[0].colour) - grey(styles[2].colour)).abs() > 51.0);
    }
}
