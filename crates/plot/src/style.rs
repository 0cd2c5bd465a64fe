//! How the series of a chart are told apart: by colour, by lightness, and where there are several lines or several
//! clouds of points, by dashes and by marks, so that grey and a colour-blind eye lose nothing.

use crate::palette::line_colour;
use crate::svg::n;
use crate::{Colour, Mark, Series};

/// Pixels on and off.
type Dash = (u32, u32);

/// Of the lines of a chart. One more than there are colours, so that no two of the first hundred and ten lines look
/// alike.
const DASHES: [Dash; 11] = [
    (16, 8),
    (3, 2),
    (14, 4),
    (6, 8),
    (9, 6),
    (2, 3),
    (20, 3),
    (4, 8),
    (24, 6),
    (6, 2),
    (12, 8),
];
/// Lines that are drawn full: they differ in lightness.
const FULL: [usize; 4] = [0, 1, 3, 8];
/// Of a series that asks for dashes.
const DASHED: Dash = (6, 4);

/// The looks of one series.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Style {
    pub colour: Colour,
    pub dash: Option<Dash>,
    /// Which mark its points get.
    rank: usize,
}

impl Style {
    /// The styles of all series of a chart, in their order. The dashes of a series with a colour of its own are left as
    /// they are.
    pub fn of_all(series: &[Series]) -> Vec<Self> {
        let (mut lines, mut clouds) = (0, 0);
        let styles = series.iter().enumerate().map(|(i, s)| {
            let own = s.colour.is_none();
            let count = |n: &mut usize, counts: bool| {
                let rank = *n;
                *n += usize::from(counts);
                rank
            };
            let (dash, rank) = match s.mark {
                Mark::Dashed => (Some(DASHED), 0),
                Mark::Line if own => {
                    let rank = count(&mut lines, own);
                    let dash = (!FULL.contains(&rank)).then(|| DASHES[rank % DASHES.len()]);
                    (dash, 0)
                }
                Mark::Points => (None, count(&mut clouds, true)),
                _ => (None, 0),
            };
            Self {
                colour: s.colour.unwrap_or(line_colour(i)),
                dash,
                rank,
            }
        });
        styles.collect()
    }

    /// The dashes as an attribute.
    pub fn dashes(&self) -> String {
        self.dash.map_or(String::new(), |(on, off)| {
            format!(" stroke-dasharray=\"{on} {off}\"")
        })
    }

    /// The path of a mark around a point: a dot, then open marks of growing size, so that of several at one place all
    /// are seen.
    pub fn marker(&self, (x, y): (f64, f64)) -> String {
        const RADII: [f64; 8] = [2.6, 4.6, 4.4, 5.6, 5.8, 6.4, 7.2, 8.0];
        let r = RADII[self.rank % 8];
        let at = |dx: f64, dy: f64| format!("{} {}", n(x + r * dx), n(y + r * dy));
        let round = || {
            let (left, r, d) = (at(-1.0, 0.0), n(r), n(2.0 * r));
            format!("M{left}a{r} {r} 0 1 0 {d} 0a{r} {r} 0 1 0 -{d} 0")
        };
        match self.rank % 8 {
            0 | 1 | 6 => round(),
            2 => format!("M{}L{}L{}Z", at(0.0, -1.0), at(0.9, 0.7), at(-0.9, 0.7)),
            3 => format!(
                "M{}L{}M{}L{}",
                at(-0.7, -0.7),
                at(0.7, 0.7),
                at(-0.7, 0.7),
                at(0.7, -0.7)
            ),
            4 => format!(
                "M{}L{}L{}L{}Z",
                at(0.0, -1.0),
                at(1.0, 0.0),
                at(0.0, 1.0),
                at(-1.0, 0.0)
            ),
            5 => format!(
                "M{}L{}M{}L{}",
                at(-1.0, 0.0),
                at(1.0, 0.0),
                at(0.0, -1.0),
                at(0.0, 1.0)
            ),
            _ => format!(
                "M{}L{}L{}L{}Z",
                at(-0.8, -0.8),
                at(0.8, -0.8),
                at(0.8, 0.8),
                at(-0.8, 0.8)
            ),
        }
    }

    /// Attributes of the marks.
    pub fn marks(&self) -> String {
        let colour = self.colour;
        match self.rank % 8 {
            0 => format!("fill=\"{colour}\" stroke=\"none\""),
            _ => format!(
                "fill=\"none\" stroke=\"{colour}\" stroke-width=\"1.6\" vector-effect=\"non-scaling-stroke\""
            ),
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
        let long = Some(DASHES[2]);
        assert_eq!(dashes, [None, None, None, long, None, None, Some(DASHED)]);
        assert_ne!(styles[1].rank, styles[4].rank);
        // The colours come round again, the pairs of colour and dash do not.
        let many: Vec<Series> = (0..110).map(|_| line()).collect();
        let many = Style::of_all(&many);
        assert_eq!(many[0].colour, many[10].colour);
        for (i, a) in many.iter().enumerate() {
            for (j, b) in many[..i].iter().enumerate() {
                assert!((a.colour, a.dash) != (b.colour, b.dash), "{i} and {j}");
            }
        }
        // Full lines that follow one another differ in grey by a fifth of the scale or more.
        let grey =
            |c: Colour| 0.299 * f64::from(c.0) + 0.587 * f64::from(c.1) + 0.114 * f64::from(c.2);
        assert!((grey(styles[0].colour) - grey(styles[2].colour)).abs() > 51.0);
    }

    #[test]
    fn eight_series_have_eight_colours_and_eight_marks() {
        let clouds: Vec<Series> = (0..8).map(|_| Series::points("", vec![])).collect();
        let styles = Style::of_all(&clouds);
        for (i, a) in styles.iter().enumerate() {
            for b in &styles[..i] {
                assert_ne!(a.marker((0.0, 0.0)), b.marker((0.0, 0.0)));
                let apart = |p: u8, q: u8| (i32::from(p) - i32::from(q)).pow(2);
                let (p, q) = (a.colour, b.colour);
                assert!(apart(p.0, q.0) + apart(p.1, q.1) + apart(p.2, q.2) > 60i32.pow(2));
            }
        }
    }
}
