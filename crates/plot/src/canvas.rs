use std::error::Error;

use plotters::coord::Shift;
use plotters::prelude::*;

use crate::{Axis, PlotError, scale::Scale};

/// Part of a picture.
pub(crate) type Area<'b> = DrawingArea<SVGBackend<'b>, Shift>;

/// A framed chart to draw series on, in axis coordinates.
pub(crate) type Chart<'a, 'b> = ChartContext<'a, SVGBackend<'b>, Cartesian2d<Scale, Scale>>;

/// Makes the SVG text of a picture of `size` pixels from what `draw` puts on it.
pub(crate) fn picture(
    title: &str,
    size: (u32, u32),
    draw: impl FnOnce(&Area) -> Result<(), Box<dyn Error>>,
) -> Result<String, PlotError> {
    let mut svg = String::new();
    let backend = |e: Box<dyn Error>| PlotError::Backend {
        chart: title.to_owned(),
        cause: e.to_string(),
    };
    {
        let root = SVGBackend::with_string(&mut svg, size).into_drawing_area();
        root.fill(&WHITE).map_err(|e| backend(e.into()))?;
        draw(&root).map_err(backend)?;
        root.present().map_err(|e| backend(e.into()))?;
    }
    Ok(svg)
}

/// Title, axes and grid around a chart.
pub(crate) struct Frame<'a> {
    pub title: &'a str,
    pub x: &'a Axis,
    pub y: &'a Axis,
    /// Ends of both axes in axis coordinates.
    pub ends: ((f64, f64), (f64, f64)),
    /// Lines of the grid behind the chart; none where cells cover it.
    pub grid: Option<RGBColor>,
}

impl Frame<'_> {
    /// Draws the frame on an area and opens the chart inside.
    pub(crate) fn on<'a, 'b>(&self, area: &'a Area<'b>) -> Result<Chart<'a, 'b>, Box<dyn Error>>
    where
        'b: 'a,
    {
        let (x, y) = self.ends;
        let mut chart = ChartBuilder::on(area)
            .caption(self.title, ("sans-serif", 17))
            .margin(10)
            .x_label_area_size(42)
            .y_label_area_size(76)
            .build_cartesian_2d(
                Scale::new(x, self.x.ticks(x, 8)),
                Scale::new(y, self.y.ticks(y, 7)),
            )?;
        let tick_x = |v: &f64| self.x.tick(*v, x);
        let tick_y = |v: &f64| self.y.tick(*v, y);
        let mut mesh = chart.configure_mesh();
        mesh.x_label_formatter(&tick_x)
            .y_label_formatter(&tick_y)
            .x_desc(&self.x.label)
            .y_desc(&self.y.label)
            .axis_desc_style(("sans-serif", 14))
            .label_style(("sans-serif", 12));
        match self.grid {
            Some(colour) => mesh.bold_line_style(colour).draw()?,
            None => mesh.disable_mesh().draw()?,
        }
        Ok(chart)
    }
}
