use plotters::prelude::*;

use crate::canvas::{Area, Chart, Frame, picture};
use crate::style::Style;
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
            for (series, style) in self.series.iter().zip(Style::of_all(&self.series)) {
                for run in self.runs(series) {
                    draw_run(&mut chart, series, run, style, y.0)?;
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
        let named = self.series.iter().zip(Style::of_all(&self.series));
        for (row, (series, style)) in named.filter(|(s, _)| !s.label.is_empty()).enumerate() {
            let y = 46 + 20 * row as i32;
            for element in sample(series.mark, y, style) {
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
    style: Style,
    floor: f64,
) -> Result<(), Box<dyn std::error::Error>> {
    let colour = style.colour;
    let stroke = colour.stroke_width(series.width);
    match (series.mark, style.dash) {
        (Mark::Line | Mark::Dashed, Some((dash, gap))) => {
            chart.draw_series(DashedLineSeries::new(run, dash, gap, stroke))?;
        }
        (Mark::Line | Mark::Dashed, None) => {
            chart.draw_series(LineSeries::new(run, stroke))?;
        }
        (Mark::Points, _) => {
            chart.draw_series(run.into_iter().map(|p| style.marker(p)))?;
        }
        (Mark::Bars, _) => {
            let base = floor.max(0.0);
            chart.draw_series(run.windows(2).map(|w| {
                Rectangle::new(
                    [(w[0].0, base), (w[1].0, w[0].1)],
                    colour.mix(0.45).filled(),
                )
            }))?;
        }
        (Mark::Band, _) => {
            chart.draw_series(std::iter::once(Polygon::new(run, colour.mix(0.22))))?;
        }
    }
    Ok(())
}

/// What stands before a name in the key.
fn sample<'a>(
    mark: Mark,
    y: i32,
    style: Style,
) -> Vec<DynElement<'static, SVGBackend<'a>, (i32, i32)>> {
    const WIDTH: i32 = 22;
    let colour = style.colour;
    match mark {
        Mark::Line | Mark::Dashed => {
            let (dash, gap) = style.dash.unwrap_or((WIDTH as u32, 1));
            let starts = (0..WIDTH).step_by((dash + gap) as usize);
            let stroke = |x: i32| {
                let end = (x + dash as i32).min(WIDTH);
                PathElement::new(vec![(x, y), (end, y)], colour.stroke_width(2)).into_dyn()
            };
            starts.map(stroke).collect()
        }
        Mark::Points => vec![style.marker((11, y))],
        Mark::Bars | Mark::Band => {
            vec![Rectangle::new([(0, y - 5), (WIDTH, y + 5)], colour.mix(0.4).filled()).into_dyn()]
        }
    }
}
