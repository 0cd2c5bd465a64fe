use crate::Colour;

/// How a series is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mark {
    /// A full line.
    Line,
    /// A dashed line.
    Dashed,
    /// A dot at each point.
    Points,
    /// Bars from zero; the points are (left edge, height), the last one closes the last bar.
    Bars,
    /// The area between successive points taken as (x, low) forth and (x, high) back.
    Band,
}

/// Points with a name and a mark.
#[derive(Debug, Clone, PartialEq)]
pub struct Series {
    /// Name in the legend; none if empty.
    pub label: String,
    /// The points in data coordinates; points that are not finite break a line.
    pub points: Vec<(f64, f64)>,
    /// How they are drawn.
    pub mark: Mark,
    /// A colour of its own; otherwise the chart gives one by position.
    pub colour: Option<Colour>,
    /// Width of a line in pixels.
    pub width: u32,
}

impl Series {
    fn new(label: &str, points: Vec<(f64, f64)>, mark: Mark) -> Self {
        Self {
            label: label.to_owned(),
            points,
            mark,
            colour: None,
            width: 2,
        }
    }

    /// A full line.
    #[must_use]
    pub fn line(label: &str, points: Vec<(f64, f64)>) -> Self {
        Self::new(label, points, Mark::Line)
    }

    /// A dashed line.
    #[must_use]
    pub fn dashed(label: &str, points: Vec<(f64, f64)>) -> Self {
        Self::new(label, points, Mark::Dashed)
    }

    /// Dots.
    #[must_use]
    pub fn points(label: &str, points: Vec<(f64, f64)>) -> Self {
        Self::new(label, points, Mark::Points)
    }

    /// Bars: `edges` has one entry more than `heights`; whatever has no partner is left out.
    #[must_use]
    pub fn bars(label: &str, edges: &[f64], heights: &[f64]) -> Self {
        let mut points: Vec<_> = edges.iter().copied().zip(heights.iter().copied()).collect();
        if let Some(&edge) = edges.get(points.len()) {
            points.push((edge, 0.0));
        }
        Self::new(label, points, Mark::Bars)
    }

    /// The band between `low` and `high` over `x`.
    #[must_use]
    pub fn band(label: &str, x: &[f64], low: &[f64], high: &[f64]) -> Self {
        let forth = x.iter().copied().zip(low.iter().copied());
        let back = x.iter().copied().zip(high.iter().copied()).rev();
        Self::new(label, forth.chain(back).collect(), Mark::Band)
    }

    /// The same series in lines of one pixel: one of many.
    #[must_use]
    pub fn thin(mut self) -> Self {
        self.width = 1;
        self
    }

    /// The same series in lines of some pixels.
    #[must_use]
    pub fn wide(mut self, pixels: u32) -> Self {
        self.width = pixels;
        self
    }

    /// The same series in a given colour.
    #[must_use]
    pub fn coloured(mut self, colour: Colour) -> Self {
        self.colour = Some(colour);
        self
    }
}
