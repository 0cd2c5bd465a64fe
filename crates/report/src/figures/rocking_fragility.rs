//! A fragility: the curve of overturning with its bands, the curves of all states, the fractions at each scale, and the
//! response of each record over its intensity.

use klast_plot::{Axis, LineChart, Series, stack};
use klast_rocking::fragility::{
    Answer, Campaign, DamageState, Efficiency, Intensities, IntensityMeasure,
};
use klast_rocking::linspace;
use klast_rocking_jobs::rocking_fragility::result::Results;
use klast_runs::error::{Outside as _, Result};

use super::panels::HALF;
use crate::page::Picture;
use crate::sheet::Sheet;

/// Curves, fractions and responses.
pub fn draw(results: &Results, sheet: &mut Sheet) -> Result<Picture> {
    let (campaign, measure) = (&results.campaign, results.measure);
    let (values, answers) = (&results.intensities, &results.answers[..]);
    let mut picture = Picture::nothing("The scene asks for no state of damage.");
    if let Some((state, answer)) = answers.last() {
        let svg = curve(campaign, measure, values, *state, answer)?;
        let caption = "Outcome of each scaled motion (0 stands, 1 overturned), the lognormal curve fitted to them, its band over \
            records, and the binomial band that takes the scales of a record for independent.";
        picture = sheet.picture("fragility.svg", &svg, caption)?;
    }
    if answers.iter().any(|(_, answer)| answer.curve().is_some()) {
        let svg = states(measure, values, answers)?;
        let caption = "Fragility of each state of damage that has a curve.";
        sheet.figure("states.svg", &svg, caption)?;
    }
    let caption = "Fraction of the records that overturn at each scale, with exact 95 % bounds counted in records.";
    sheet.figure("fractions.svg", &fractions(campaign)?, caption)?;
    let caption = "Peak rotation of each record over its intensity (incremental dynamic analysis); a curve ends where the block overturns.";
    sheet.rows("States of damage", "result.json", &results.summary.states)?;
    sheet.rows("Sheet of the states", "sheet.csv", &results.sheet)?;
    if let Some(svg) = hazard(results)? {
        let about = "Annual frequency with which an intensity is exceeded, and the part of it at which each state is reached: the \
            frequency times the probability of the curve.";
        sheet.figure("hazard.svg", &svg, about)?;
    }
    sheet.rows(
        "Measures of intensity, the most efficient first",
        "result.json",
        &results.summary.efficiency,
    )?;
    // Those over lift-off are PGA and PGV of one block in other units.
    let own = |one: &&Efficiency| {
        use IntensityMeasure::{PgaOverLiftOff, PgvOverLiftOff};
        !matches!(one.measure, PgaOverLiftOff | PgvOverLiftOff)
    };
    let ranking = results.ranking.iter().filter(own);
    let scatters: Vec<String> = ranking
        .filter_map(|one| scatter(campaign, one).transpose())
        .collect::<Result<_>>()?;
    if !scatters.is_empty() {
        let about = "Peak rotation of the trials that rock and do not overturn over each measure of intensity, the line of least \
            squares of the logarithms, and one standard deviation about it: the less scatter, the more efficient the measure.";
        sheet.figure("efficiency.svg", &stack(&scatters, 2), about)?;
    }
    if let Some(svg) = ida(campaign, measure, values)? {
        sheet.figure("ida.svg", &svg, caption)?;
    }
    Ok(picture)
}

/// Intensities from near 0 to the largest of all trials.
fn intensities(values: &Intensities) -> Vec<f64> {
    let (_, largest) = values.range();
    linspace(largest / 200.0, largest, 200)
}

fn curve(
    campaign: &Campaign,
    measure: IntensityMeasure,
    values: &Intensities,
    state: DamageState,
    answer: &Answer,
) -> Result<String> {
    let x = intensities(values);
    let mut chart = LineChart::new(
        "Overturning fragility",
        Axis::new(&measure.label()),
        Axis::new("probability of overturning [-]").range(-0.05, 1.05),
    );
    if let Some(curve) = answer.curve() {
        let (low, high): (Vec<f64>, Vec<f64>) = x.iter().map(|x| curve.band(*x)).unzip();
        let (narrow_low, narrow_high): (Vec<f64>, Vec<f64>) =
            x.iter().map(|x| curve.binomial_band(*x, 1.96)).unzip();
        let line = |y: Vec<f64>| x.iter().copied().zip(y).collect::<Vec<_>>();
        chart = chart
            .with(Series::band("95 % band over records", &x, &low, &high))
            .with(Series::line(
                "fit",
                x.iter().map(|x| (*x, curve.probability(*x))).collect(),
            ))
            .with(Series::dashed("binomial band, lower", line(narrow_low)).thin())
            .with(Series::dashed("binomial band, upper", line(narrow_high)).thin());
    }
    let dots = campaign
        .trials(state, values)
        .into_iter()
        .map(|t| (t.intensity, f64::from(u8::from(t.reached))));
    chart
        .with(Series::points("outcomes", dots.collect()))
        .svg()
        .outside()
}

fn states(
    measure: IntensityMeasure,
    values: &Intensities,
    answers: &[(DamageState, Answer)],
) -> Result<String> {
    let x = intensities(values);
    let chart = LineChart::new(
        "Damage states",
        Axis::new(&measure.label()),
        Axis::new("probability that it is reached [-]").range(-0.05, 1.05),
    );
    let curves = answers.iter().filter_map(|(state, answer)| {
        let curve = answer.curve()?;
        let line = x.iter().map(|x| (*x, curve.probability(*x))).collect();
        Some(Series::line(&state.name(), line))
    });
    curves.fold(chart, LineChart::with).svg().outside()
}

fn fractions(campaign: &Campaign) -> Result<String> {
    let list = campaign.fractions(DamageState::Overturning);
    let x: Vec<f64> = list.iter().map(|f| f.scale).collect();
    let (low, high): (Vec<f64>, Vec<f64>) = list.iter().map(|f| f.bounds).unzip();
    let dots = list.iter().map(|f| (f.scale, f.fraction())).collect();
    let chart = LineChart::new(
        "Overturning at each scale",
        Axis::new("scale [-]"),
        Axis::new("fraction of records").range(-0.05, 1.05),
    )
    .with(Series::band("exact 95 % bounds", &x, &low, &high))
    .with(Series::points("fraction", dots));
    chart.svg().outside()
}

/// None where every record overturns at its least scale.
fn ida(
    campaign: &Campaign,
    measure: IntensityMeasure,
    values: &Intensities,
) -> Result<Option<String>> {
    let magnitudes = campaign.magnitudes();
    let chart = LineChart::new(
        "Incremental dynamic analysis",
        Axis::new(&measure.label()),
        Axis::new("peak rotation / α [-]").range(0.0, 1.5),
    );
    let curves: Vec<Vec<(f64, f64)>> = (0..campaign.records())
        .map(|record| {
            let row = campaign.row(record);
            let worst = |magnitude: f64| {
                let own = row
                    .iter()
                    .zip(campaign.scales())
                    .filter(|(_, s)| s.abs() == magnitude);
                own.fold(0.0f64, |m, (r, _)| {
                    if r.overturned || m.is_nan() {
                        f64::NAN
                    } else {
                        m.max(r.peak)
                    }
                })
            };
            let points = magnitudes
                .iter()
                .map(|m| (values.at(record, *m), worst(*m)));
            points.take_while(|(_, peak)| !peak.is_nan()).collect()
        })
        .collect();
    if curves.iter().all(Vec::is_empty) {
        return Ok(None);
    }
    let lines = curves.into_iter().map(|line| Series::line("", line).thin());
    Ok(Some(lines.fold(chart, LineChart::with).svg().outside()?))
}

/// The trials about the fit of one measure; none without a fit.
fn scatter(campaign: &Campaign, one: &Efficiency) -> Result<Option<String>> {
    let Some(fit) = one.scatter else {
        return Ok(None);
    };
    let points = campaign.rocking(&one.intensities);
    let mut x: Vec<f64> = points.iter().map(|p| p.0).collect();
    x.sort_by(f64::total_cmp);
    x.dedup();
    let ordinates = |off: f64| -> Vec<f64> { x.iter().map(|x| fit.at(*x, off)).collect() };
    let line = x.iter().map(|x| (*x, fit.at(*x, 0.0))).collect();
    let chart = LineChart::new(
        &format!("{}: scatter {:.3}", one.measure.label(), fit.deviation),
        Axis::log(&one.measure.label()),
        Axis::log("peak rotation / α [-]"),
    )
    .with(Series::band(
        "one standard deviation",
        &x,
        &ordinates(-1.0),
        &ordinates(1.0),
    ))
    .with(Series::line("fit", line))
    .with(Series::points("trials that rock", points));
    Ok(Some(chart.sized(HALF).svg().outside()?))
}

/// The hazard curve, alone and times the probability of each state; none without one.
fn hazard(results: &Results) -> Result<Option<String>> {
    let Some(hazard) = &results.hazard else {
        return Ok(None);
    };
    let points = |state: &str| -> Vec<(f64, f64, f64)> {
        let own = results.curves.iter().filter(|row| row.state == state);
        own.filter_map(|row| {
            Some((
                row.intensity,
                hazard.frequency(row.intensity)?,
                row.probability,
            ))
        })
        .collect()
    };
    let first = results.curves.first().map(|row| points(&row.state));
    let Some(first) = first.filter(|points| !points.is_empty()) else {
        return Ok(None);
    };
    // Below this a point of a logarithmic axis says nothing.
    let floor = 1e-9;
    let exceeded = first.iter().map(|(x, rate, _)| (*x, *rate)).collect();
    let mut chart = LineChart::new(
        "Hazard",
        Axis::log(&results.measure.label()),
        Axis::log("annual frequency [1/year]"),
    )
    .with(Series::dashed("exceeded", exceeded));
    for (state, answer) in &results.answers {
        if answer.curve().is_some() {
            let own = points(&state.name()).into_iter();
            let line = own.map(|(x, rate, p)| (x, rate * p));
            let line = line.filter(|(_, y)| *y > floor).collect();
            chart = chart.with(Series::line(&state.name(), line));
        }
    }
    Ok(Some(chart.svg().outside()?))
}
