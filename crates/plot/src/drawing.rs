use plotters::prelude::*;

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
            // The frame around the axes takes 94 by 92 pixels.
            let (w, h) = (f64::from(self.size.0) - 94.0, f64::from(self.size.1) - 92.0);
            let scale = ((x.1 - x.0) / w).max((y.1 - y.0) / h);
            let widen = |(a, b): (f64, f64), pixels: f64| {
                let extra = 0.5 * (scale * pixels - (b - a));
                (a - extra, b + extra)
            };
            (x, y) = (widen(x, w), widen(y, h));
        }
        let mut svg = String::new();
        self.draw(&mut svg, x, y).map_err(|e| PlotError::Backend {
            chart: self.title.clone(),
            cause: e.to_string(),
        })?;
        Ok(svg)
    }

    fn draw(
        &self,
        svg: &mut String,
        x: (f64, f64),
        y: (f64, f64),
    ) -> Result<(), Box<dyn std::error::Error>> {
        let root = SVGBackend::with_string(svg, self.size).into_drawing_area();
        root.fill(&WHITE)?;
        let mut chart = ChartBuilder::on(&root)
            .caption(&self.title, ("sans-serif", 17))
            .margin(10)
            .x_label_area_size(42)
            .y_label_area_size(64)
            .build_cartesian_2d(x.0..x.1, y.0..y.1)?;
        chart
            .configure_mesh()
            .light_line_style(WHITE)
            .bold_line_style(RGBColor(235, 235, 235))
            .x_labels(9)
            .y_labels(7)
            .x_label_formatter(&|v| self.x.tick(*v, x))
            .y_label_formatter(&|v| self.y.tick(*v, y))
            .x_desc(&self.x.label)
            .y_desc(&self.y.label)
            .axis_desc_style(("sans-serif", 14))
            .label_style(("sans-serif", 12))
            .draw()?;
        for shape in &self.shapes {
            if !shape
                .points()
                .iter()
                .all(|p| p.0.is_finite() && p.1.is_finite())
            {
                continue;
            }
            match shape {
                Shape::Polygon(points, colour) => {
                    let fill = RGBColor::from(*colour).mix(0.85);
                    chart.draw_series(std::iter::once(Polygon::new(points.clone(), fill)))?;
                    let edge = points.iter().chain(points.first()).copied();
                    chart
                        .draw_series(LineSeries::new(edge, RGBColor(60, 60, 60).stroke_width(1)))?;
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
        }
        drop(chart);
        root.present()?;
        Ok(())
    }
}
