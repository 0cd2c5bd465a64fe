use plotters::prelude::*;

use crate::canvas::{Chart, Frame, picture};
use crate::{Axis, Colour, PlotError};

/// One thing in a drawing, in data coordinates.
#[derive(Debug, Clone, PartialEq)]
pub enum Shape {
    /// A filled polygon with a thin dark edge.
    Polygon(Vec<(f64, f64)>, Colour),
    /// A line of a width in pixels.
    Path(Vec<(f64, f64)>, Colour, u32),
    /// A word at a place.
    Label(String, (f64, f64)),
}

impl Shape {
    fn points(&self) -> &[(f64, f64)] {
        match self {
            Shape::Polygon(points, _) | Shape::Path(points, ..) => points,
            Shape::Label(_, at) => std::slice::from_ref(at),
        }
    }
}

/// Shapes over two linear axes, in equal aspect unless told otherwise.
#[derive(Debug, Clone, PartialEq)]
pub struct Drawing {
    /// Title above the drawing.
    pub title: String,
    /// Horizontal axis.
    pub x: Axis,
    /// Vertical axis.
    pub y: Axis,
    /// What is drawn, first below last; a shape with a point that is not finite is left out.
    pub shapes: Vec<Shape>,
    /// One metre as long in x as in y.
    pub equal_aspect: bool,
    /// Width and height in pixels.
    pub size: (u32, u32),
}

impl Drawing {
    /// An empty drawing of 720 x 480 pixels in equal aspect.
    #[must_use]
    pub fn new(title: &str, x: Axis, y: Axis) -> Self {
        Self {
            title: title.to_owned(),
            x,
            y,
            shapes: Vec::new(),
            equal_aspect: true,
            size: (720, 480),
        }
    }

    /// The picture as SVG text.
    ///
    /// # Errors
    /// [`PlotError::Empty`] without a finite point, [`PlotError::Range`] for a bad axis.
    pub fn svg(&self) -> Result<String, PlotError> {
        let all = || self.shapes.iter().flat_map(|s| s.points().iter());
        let mut x = self.x.ends(&self.title, all().map(|p| p.0))?;
        let mut y = self.y.ends(&self.title, all().map(|p| p.1))?;
        if self.equal_aspect {
            // The frame around the axes takes 106 by 92 pixels.
            let (w, h) = (
                f64::from(self.size.0) - 106.0,
                f64::from(self.size.1) - 92.0,
            );
            let scale = ((x.1 - x.0) / w).max((y.1 - y.0) / h);
            let widen = |(a, b): (f64, f64), pixels: f64| {
                let extra = 0.5 * (scale * pixels - (b - a));
                (a - extra, b + extra)
            };
            (x, y) = (widen(x, w), widen(y, h));
        }
        let frame = Frame {
            title: &self.title,
            x: &self.x,
            y: &self.y,
            ends: (x, y),
            grid: Some(RGBColor(235, 235, 235)),
        };
        picture(&self.title, self.size, |root| {
            let mut chart = frame.on(root)?;
            self.shapes
                .iter()
                .try_for_each(|shape| draw(&mut chart, shape))
        })
    }
}

/// Draws a shape; one with a point that has no place is left out.
fn draw(chart: &mut Chart, shape: &Shape) -> Result<(), Box<dyn std::error::Error>> {
    if !shape
        .points()
        .iter()
        .all(|p| p.0.is_finite() && p.1.is_finite())
    {
        return Ok(());
    }
    match shape {
        Shape::Polygon(points, colour) => {
            let fill = RGBColor::from(*colour).filled();
            chart.draw_series(std::iter::once(Polygon::new(points.clone(), fill)))?;
            let edge = points.iter().chain(points.first()).copied();
            chart.draw_series(LineSeries::new(edge, RGBColor(60, 60, 60).stroke_width(1)))?;
        }
        Shape::Path(points, colour, width) => {
            let style = RGBColor::from(*colour).stroke_width(*width);
            chart.draw_series(LineSeries::new(points.iter().copied(), style))?;
        }
        Shape::Label(text, at) => {
            let font = ("sans-serif", 13).into_font();
            chart.draw_series(std::iter::once(Text::new(text.clone(), *at, font)))?;
        }
    }
    Ok(())
}
