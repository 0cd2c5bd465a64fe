use crate::canvas::Frame;
use crate::svg::{Anchor, SMALL, Svg, polyline, stroke};
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
    pub(crate) fn points(&self) -> &[(f64, f64)] {
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
    /// An empty drawing of 680 x 460 pixels in equal aspect.
    #[must_use]
    pub fn new(title: &str, x: Axis, y: Axis) -> Self {
        Self {
            title: title.to_owned(),
            x,
            y,
            shapes: Vec::new(),
            equal_aspect: true,
            size: (680, 460),
        }
    }

    /// The picture as SVG text.
    ///
    /// # Errors
    /// [`PlotError::Empty`] without a finite point, [`PlotError::Range`] for a bad axis.
    pub fn svg(&self) -> Result<String, PlotError> {
        let all = || self.shapes.iter().flat_map(|s| s.points().iter());
        let x = self.x.ends(&self.title, all().map(|p| p.0))?;
        let y = self.y.ends(&self.title, all().map(|p| p.1))?;
        let mut frame = Frame::new(&self.title, self.x.spanned(x), self.y.spanned(y), self.size);
        if self.equal_aspect {
            let [_, _, w, h] = frame.area;
            let scale = ((x.1 - x.0) / w).max((y.1 - y.0) / h);
            let widen = |(a, b): (f64, f64), pixels: f64| {
                let extra = 0.5 * (scale * pixels - (b - a));
                (a - extra, b + extra)
            };
            frame.ends = (widen(x, w), widen(y, h));
        }
        let mut svg = Svg::default();
        frame.draw(&mut svg, true);
        frame.open(&mut svg);
        for shape in &self.shapes {
            draw(&mut svg, shape, &|p| frame.inside(p));
        }
        frame.close(&mut svg);
        let size = frame.size(f64::from(self.size.0));
        let words = format!("{}: {} over {}", self.title, self.y.label, self.x.label);
        Ok(svg.finish(size, &words, &frame.data()))
    }
}

/// Draws a shape where `place` puts its points; one with a point that has no place is left out.
pub(crate) fn draw(svg: &mut Svg, shape: &Shape, place: &dyn Fn((f64, f64)) -> (f64, f64)) {
    let points: Vec<(f64, f64)> = shape.points().iter().map(|p| place(*p)).collect();
    if !points.iter().all(|p| p.0.is_finite() && p.1.is_finite()) {
        return;
    }
    match shape {
        Shape::Polygon(_, colour) => {
            let look = format!(
                "fill=\"{colour}\" stroke=\"#3c3c3c\" stroke-width=\"0.8\" stroke-linejoin=\"round\" vector-effect=\"non-scaling-stroke\""
            );
            svg.path(&polyline(&points, true), &look);
        }
        Shape::Path(_, colour, width) => {
            svg.path(
                &polyline(&points, false),
                &stroke(*colour, f64::from(*width)),
            );
        }
        Shape::Label(text, _) => {
            if let Some(at) = points.first() {
                svg.halo(*at, Anchor::Start, SMALL, text);
            }
        }
    }
}
