use plotters::prelude::*;

use crate::canvas::{Area, Chart, Frame, picture};
use crate::palette::line_colour;
use crate::{Axis, Mark, PlotError, Series};

/// Lines, points, bars and bands over two axes.
#[derive(Debug, Clone, PartialEq)]
pub struct LineChart {
    /// Title above the chart.
    pub title: String,
    /// Horizontal axis.
    pub x: Axis,
    /// Vertical axis.
    pub y: Axis,
    /// What is drawn, first below last.
    pub series: Vec<Series>,
    /// Width and height in pixels.
    pub size: (u32, u32),
}

impl LineChart {
    /// An empty chart of 720 x 420 pixels.
    #[must_use]
    pub fn new(title: &str, x: Axis, y: Axis) -> Self {
        Self {
            title: title.to_owned(),
            x,
            y,
            series: Vec::new(),
            size: (720, 420),
        }
    }

    /// The same chart with one series more.
    #[must_use]
    pub fn with(mut self, series: Series) -> Self {
        self.series.push(series);
        self
    }

    /// The picture as SVG text.
    ///
    /// # Errors
    /// [`PlotError::Empty`] without a finite point, [`PlotError::Range`] for a bad axis.
    pub fn svg(&self) -> Result<String, PlotError> {
        let all = || self.series.iter().flat_map(|s| s.points.iter());
        let x = self.x.ends(&self.title, all().map(|p| p.0))?;
        let bars = self
            .series
            .iter()
            .any(|s| s.mark == Mark::Bars && !self.y.log);
        let zero = bars.then_some(0.0);
        let y = self.y.ends(&self.title, all().map(|p| p.1).chain(zero))?;
        let frame = Frame {
            title: &self.title,
            x: &self.x,
            y: &self.y,
            ends: (x, y),
            grid: Some(RGBColor(225, 225, 225)),
        };
        let size = (self.size.0 + self.key_width(), self.size.1);
        picture(&self.title, size, |root| {
            let (plot, side) = root.split_horizontally(self.size.0 as i32);
            let mut chart = frame.on(&plot)?;
            for (i, series) in self.series.iter().enumerate() {
                for run in self.runs(series) {
                    draw_run(&mut chart, series, run, colour_of(series, i), y.0)?;
                }
            }
            self.key(&side)
        })
    }

    /// Width of the strip beside the chart that holds the key; the key never covers a line.
    fn key_width(&self) -> u32 {
        let longest = self.series.iter().map(|s| s.label.chars().count()).max();
        match longest.unwrap_or(0) {
            0 => 0,
            n => 40 + 7 * n as u32,
        }
    }

    fn key(&self, side: &Area) -> Result<(), Box<dyn std::error::Error>> {
        let named = self.series.iter().enumerate();
        for (row, (i, series)) in named.filter(|(_, s)| !s.label.is_empty()).enumerate() {
            let y = 46 + 20 * row as i32;
            let colour = colour_of(series, i);
            for element in sample(series.mark, y, colour) {
                side.draw(&element)?;
            }
            let font = ("sans-serif", 12).into_font();
            side.draw(&Text::new(series.label.clone(), (28, y - 6), font))?;
        }
        Ok(())
    }

    /// The points in axis coordinates, cut where a point has no place.
    fn runs(&self, series: &Series) -> Vec<Vec<(f64, f64)>> {
        let mut runs = vec![Vec::new()];
        for &(px, py) in &series.points {
            let at = (self.x.place(px), self.y.place(py));
            if at.0.is_finite() && at.1.is_finite() {
                if let Some(run) = runs.last_mut() {
                    run.push(at);
                }
            } else if runs.last().is_some_and(|run| !run.is_empty()) {
                runs.push(Vec::new());
            }
        }
        runs.retain(|run| !run.is_empty());
        runs
    }
}

fn draw_run(
    chart: &mut Chart,
    series: &Series,
    run: Vec<(f64, f64)>,
    colour: RGBColor,
    floor: f64,
) -> Result<(), Box<dyn std::error::Error>> {
    let stroke = colour.stroke_width(series.width);
    match series.mark {
        Mark::Line => {
            chart.draw_series(LineSeries::new(run, stroke))?;
        }
        Mark::Dashed => {
            chart.draw_series(DashedLineSeries::new(run, 7, 4, stroke))?;
        }
        Mark::Points => {
            chart.draw_series(run.into_iter().map(|p| Circle::new(p, 3, colour.filled())))?;
        }
        Mark::Bars => {
            let base = floor.max(0.0);
            chart.draw_series(run.windows(2).map(|w| {
                Rectangle::new(
                    [(w[0].0, base), (w[1].0, w[0].1)],
                    colour.mix(0.45).filled(),
                )
            }))?;
        }
        Mark::Band => {
            chart.draw_series(std::iter::once(Polygon::new(run, colour.mix(0.22))))?;
        }
    }
    Ok(())
}

/// The colour of a series: its own, or one by position.
fn colour_of(series: &Series, position: usize) -> RGBColor {
    series.colour.unwrap_or(line_colour(position)).into()
}

/// What stands before a name in the key.
fn sample<'a>(
    mark: Mark,
    y: i32,
    colour: RGBColor,
) -> Vec<DynElement<'static, SVGBackend<'a>, (i32, i32)>> {
    let stroke =
        |x0, x1| PathElement::new(vec![(x0, y), (x1, y)], colour.stroke_width(2)).into_dyn();
    match mark {
        Mark::Line => vec![stroke(0, 22)],
        Mark::Dashed => vec![stroke(0, 6), stroke(9, 15), stroke(18, 22)],
        Mark::Points => vec![Circle::new((11, y), 3, colour.filled()).into_dyn()],
        Mark::Bars | Mark::Band => {
            vec![Rectangle::new([(0, y - 5), (22, y + 5)], colour.mix(0.4).filled()).into_dyn()]
        }
    }
}
