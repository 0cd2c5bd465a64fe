//! An assessment: what moves the object, fragilities, rocking spectra, and what the model leaves out.

use klast_plot::{Axis, LineChart, Series};
use klast_rocking::linspace;
use klast_rocking_jobs::assess::result::Results;
use klast_runs::error::{Outside as _, Result};

use crate::page::{Picture, Section};
use crate::sheet::Sheet;

/// Sentences and figures.
pub fn draw(results: &Results, sheet: &mut Sheet) -> Result<Picture> {
    sheet.page.heading(Section::Results, "What moves it");
    sheet
        .page
        .list(Section::Results, &results.summary.thresholds);
    sheet.rows("Limit states", "result.json", &results.summary.limit_states)?;
    let fragilities = results.summary.limit_states.iter();
    let fragilities: Vec<String> = fragilities
        .map(|l| format!("Fragility, {}: {}.", l.state, l.fragility))
        .collect();
    sheet.page.list(Section::Results, &fragilities);
    sheet.rows("Records under the target", "records.csv", &results.records)?;
    if let Some(reserve) = &results.summary.reserve {
        sheet.rows(
            "Reserve energy",
            "result.json",
            std::slice::from_ref(reserve),
        )?;
    }
    let mut picture = None;
    if let Some(svg) = fragility(results)? {
        let caption = "Fragility of the limit states over the scaled records, with the 95 % band over records.";
        picture = Some(sheet.picture("fragility.svg", &svg, caption)?);
    }
    if let Some(svg) = spectra(results)? {
        let caption = "Rocking spectra of the records under the target: peak rotation over the size 2π/p of rectangles of the object's \
            slenderness; the object stands at the dashed line. Curves end where blocks overturn.";
        match picture {
            Some(_) => sheet.figure("spectrum.svg", &svg, caption)?,
            None => picture = Some(sheet.picture("spectrum.svg", &svg, caption)?),
        }
    }
    let covered = results.summary.not_covered.iter();
    let covered: Vec<String> = covered
        .map(|line| format!("Not covered: {line}."))
        .collect();
    sheet.page.list(Section::Limits, &covered);
    let none = || Picture::nothing("No record moves the object: there is no curve to draw.");
    Ok(picture.unwrap_or_else(none))
}

fn fragility(results: &Results) -> Result<Option<String>> {
    let (_, largest) = results.intensities.range();
    let x: Vec<f64> = linspace(largest / 200.0, largest, 200);
    let mut chart = LineChart::new(
        "Fragility",
        Axis::new(&results.measure.label()),
        Axis::new("probability that it is reached [-]").range(-0.05, 1.05),
    );
    let mut drawn = false;
    for (state, answer) in &results.answers {
        if let Some(curve) = answer.curve() {
            let (low, high): (Vec<f64>, Vec<f64>) = x.iter().map(|x| curve.band(*x)).unzip();
            let line = x.iter().map(|x| (*x, curve.probability(*x))).collect();
            chart = chart
                .with(Series::band("95 % band over records", &x, &low, &high))
                .with(Series::line(&state.name(), line));
            drawn = true;
        }
    }
    Ok(if drawn {
        Some(chart.svg().outside()?)
    } else {
        None
    })
}

fn spectra(results: &Results) -> Result<Option<String>> {
    let mut chart = LineChart::new(
        "Rocking spectra",
        Axis::new("2π/p [s]"),
        Axis::new("max |θ| / α [-]"),
    );
    let points = results.spectra.iter().flatten();
    if !points.clone().any(|(_, y)| y.is_finite()) {
        return Ok(None);
    }
    for line in &results.spectra {
        chart = chart.with(Series::line("", line.clone()).thin());
    }
    let own = results.own_period;
    let chart = chart.with(Series::dashed("object", vec![(own, 0.0), (own, 1.0)]));
    Ok(Some(chart.svg().outside()?))
}
