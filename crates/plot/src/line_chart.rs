use crate::canvas::{Entry, Frame, key};
use crate::style::Style;
use crate::svg::{Svg, n, polyline, stroke};
use crate::{Axis, Mark, PlotError, Series};

/// Lines, points, bars and bands over two axes, the key below.
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
    /// Width and height in pixels, without the key.
    pub size: (u32, u32),
}

impl LineChart {
    /// An empty chart as wide as a printed page, 680 x 400 pixels.
    #[must_use]
    pub fn new(title: &str, x: Axis, y: Axis) -> Self {
        Self {
            title: title.to_owned(),
            x,
            y,
            series: Vec::new(),
            size: (680, 400),
        }
    }

    /// The same chart with one series more.
    #[must_use]
    pub fn with(mut self, series: Series) -> Self {
        self.series.push(series);
        self
    }

    /// The same chart of another height in pixels.
    #[must_use]
    pub fn height(mut self, pixels: u32) -> Self {
        self.size.1 = pixels;
        self
    }

    /// The same chart of another width and height in pixels.
    #[must_use]
    pub fn sized(mut self, size: (u32, u32)) -> Self {
        self.size = size;
        self
    }

    /// The picture as SVG text.
    ///
    /// # Errors
    /// [`PlotError::Empty`] without a finite point, [`PlotError::Range`] for a bad axis.
    pub fn svg(&self) -> Result<String, PlotError> {
        Ok(self.drawn(self.frame()?))
    }

    fn frame(&self) -> Result<Frame<'_>, PlotError> {
        let all = || self.series.iter().flat_map(|s| s.points.iter());
        let x = self.x.ends(&self.title, all().map(|p| p.0))?;
        let bars = self
            .series
            .iter()
            .any(|s| s.mark == Mark::Bars && !self.y.log);
        let zero = bars.then_some(0.0);
        let y = self.y.ends(&self.title, all().map(|p| p.1).chain(zero))?;
        Ok(Frame::new(
            &self.title,
            self.x.spanned(x),
            self.y.spanned(y),
            self.size,
        ))
    }

    fn drawn(&self, frame: Frame) -> String {
        let styles = Style::of_all(&self.series);
        let mut svg = Svg::default();
        frame.draw(&mut svg, true);
        frame.open(&mut svg);
        for (k, (series, style)) in self.series.iter().zip(&styles).enumerate() {
            svg.raw(&format!("<g data-series=\"{k}\">"));
            self.draw(&mut svg, &frame, series, *style);
            svg.raw("</g>");
        }
        frame.close(&mut svg);
        let (wide, high) = frame.size(f64::from(self.size.0));
        let entries = self.entries(&styles);
        let [left, ..] = frame.area;
        let more = key(&mut svg, &entries, (left, high, wide - 8.0));
        svg.finish((wide, high + more), &self.words(), &frame.data())
    }

    /// Charts over the same axis below one another, their ends in line.
    ///
    /// # Errors
    /// As [`LineChart::svg`].
    pub fn panels(charts: &[Self]) -> Result<String, PlotError> {
        let frames = charts.iter().map(Self::frame);
        let frames = frames.collect::<Result<Vec<_>, _>>()?;
        let widest = |room: fn(&Frame) -> f64| frames.iter().map(room).fold(0.0, f64::max);
        let room = (widest(|f| f.area[0]), widest(|f| f.right));
        let drawn = |(chart, frame): (&Self, &Frame)| chart.drawn(frame.between(room));
        let pictures: Vec<String> = charts.iter().zip(&frames).map(drawn).collect();
        Ok(crate::compose::stack(&pictures, 1))
    }

    /// What the chart shows, for who cannot see it.
    fn words(&self) -> String {
        let named: Vec<&str> = self
            .series
            .iter()
            .map(|s| s.label.as_str())
            .filter(|l| !l.is_empty())
            .collect();
        let of = match named.is_empty() {
            true => String::new(),
            false => format!(" of {}", named.join(", ")),
        };
        let title = if self.title.is_empty() {
            "Chart"
        } else {
            &self.title
        };
        format!("{title}: {} over {}{of}", self.y.label, self.x.label)
    }

    fn draw(&self, svg: &mut Svg, frame: &Frame, series: &Series, style: Style) {
        let colour = style.colour;
        let floor = frame.inside((0.0, frame.ends.1.0.max(0.0))).1;
        for run in self.runs(series) {
            let run: Vec<(f64, f64)> = run.into_iter().map(|p| frame.inside(p)).collect();
            match series.mark {
                Mark::Line | Mark::Dashed => {
                    let look = stroke(colour, f64::from(series.width)) + &style.dashes();
                    svg.path(&polyline(&run, false), &look);
                }
                Mark::Points => {
                    // A dot on a dot is no second dot.
                    let mut seen = std::collections::HashSet::new();
                    let fresh = run.into_iter().filter(|p| seen.insert((n(p.0), n(p.1))));
                    let marks: String = fresh.map(|p| style.marker(p)).collect();
                    svg.path(&marks, &style.marks());
                }
                Mark::Bars => {
                    let bar = |w: &[(f64, f64)]| {
                        let (left, right) = (n(w[0].0), n(w[1].0));
                        format!("M{left} {}H{right}V{}H{left}Z", n(floor), n(w[0].1))
                    };
                    let bars: String = run.windows(2).map(bar).collect();
                    let look = format!(
                        "fill=\"{colour}\" fill-opacity=\"0.45\" stroke=\"{colour}\" stroke-width=\"0.6\" vector-effect=\"non-scaling-stroke\""
                    );
                    svg.path(&bars, &look);
                }
                Mark::Band => {
                    let look = format!("fill=\"{colour}\" fill-opacity=\"0.22\" stroke=\"none\"");
                    svg.path(&polyline(&run, true), &look);
                }
            }
        }
    }

    fn entries(&self, styles: &[Style]) -> Vec<Entry> {
        let named = self.series.iter().zip(styles).enumerate();
        let named = named.filter(|(_, (s, _))| !s.label.is_empty());
        named
            .map(|(k, (series, style))| {
                let (mark, style, width) = (series.mark, *style, f64::from(series.width.max(2)));
                Entry {
                    words: series.label.clone(),
                    series: Some(k),
                    mark: Box::new(move |svg, x, y| sample(svg, mark, (x, y), style, width)),
                }
            })
            .collect()
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

/// What stands before a name in the key.
fn sample(svg: &mut Svg, mark: Mark, (x, y): (f64, f64), style: Style, width: f64) {
    let colour = style.colour;
    match mark {
        Mark::Line | Mark::Dashed => {
            let d = format!("M{} {}h26", n(x - 13.0), n(y));
            svg.path(&d, &(stroke(colour, width) + &style.dashes()));
        }
        Mark::Points => svg.path(&style.marker((x, y)), &style.marks()),
        Mark::Bars | Mark::Band => {
            let d = format!("M{} {}h22v11h-22Z", n(x - 11.0), n(y - 5.5));
            svg.path(
                &d,
                &format!("fill=\"{colour}\" fill-opacity=\"0.4\" stroke=\"{colour}\""),
            );
        }
    }
}
