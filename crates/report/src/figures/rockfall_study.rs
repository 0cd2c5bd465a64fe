//! A rockfall many times over.

use anyhow::Result;
use klast_plot::{Axis, LineChart, Series};
use klast_scenes::kinds::rockfall::stations::StationRow;
use klast_scenes::kinds::rockfall_study::result::{Results, SectionStation};

use crate::page::Section;
use crate::sheet::Sheet;

/// What is found, or how much each number matters, as tables, and a chart of it.
pub fn draw(results: &Results, sheet: &mut Sheet) -> Result<()> {
    sheet.rows("What is found of each number", "found.csv", &results.found)?;
    if !results.found.is_empty() {
        sheet.page.text(
            Section::Results,
            "Open: the width of the band over that of an even spread over the range. Near 1 what was found tells nothing of the number.",
        );
    }
    sheet.rows(
        "Elementary effects (Morris 1991)",
        "effects.csv",
        &results.effects,
    )?;
    sheet.rows(
        "One number at a time",
        "sensitivity.csv",
        &results.sensitivity,
    )?;
    if results.summary.method == "sections" {
        sheet.rows("Outcomes by section", "sections.csv", &results.sections)?;
        return along(results, sheet);
    }
    chart(results, sheet)
}

/// Heights and energies of all rocks along each section.
fn along(results: &Results, sheet: &mut Sheet) -> Result<()> {
    let mut names: Vec<&str> = Vec::new();
    for row in &results.stations {
        if !names.contains(&row.section.as_str()) {
            names.push(&row.section);
        }
    }
    if names.is_empty() {
        return Ok(());
    }
    let x = || Axis::new("distance along the section [m]");
    let mut over = LineChart::new("Greatest jump height", x(), Axis::new("h [m]"));
    let mut energy = LineChart::new("Greatest kinetic energy", x(), Axis::new("E [kJ]"));
    for name in names {
        let line = |of: fn(&StationRow) -> Option<f64>| {
            let own = results.stations.iter().filter(|r| r.section == name);
            let point = |r: &SectionStation| {
                let middle = 0.5 * (r.station.from_m + r.station.to_m);
                (middle, of(&r.station).unwrap_or(f64::NAN))
            };
            Series::line(name, own.map(point).collect())
        };
        over = over.with(line(|s| s.max_height_m));
        energy = energy.with(line(|s| s.max_energy_kj));
    }
    let caption = format!(
        "Maxima over all rocks at each station, section by section; quantiles are in stations.csv ({} rows).",
        results.stations.len()
    );
    sheet.figure(
        "sections.svg",
        &LineChart::panels(&[over, energy])?,
        &caption,
    )
}

/// The effects, or the losses of the sets, or the outcomes, number by number.
fn chart(results: &Results, sheet: &mut Sheet) -> Result<()> {
    let (title, label, keys, values): (&str, &str, Vec<&str>, Vec<f64>) =
        if !results.effects.is_empty() {
            let rows = results
                .effects
                .iter()
                .map(|e| (e.key.as_str(), e.mean_absolute));
            let (keys, values) = rows.unzip();
            (
                "How much each number matters",
                "mean absolute effect, in the unit of the outcome",
                keys,
                values,
            )
        } else if !results.found.is_empty() {
            let (keys, values) = results
                .found
                .iter()
                .map(|f| (f.key.as_str(), f.open))
                .unzip();
            (
                "How much of each range is left open",
                "open fraction of the range [-]",
                keys,
                values,
            )
        } else {
            let rows = results.sensitivity.iter();
            let (keys, values) = rows
                .filter_map(|r| Some((r.key.as_str(), r.found?)))
                .unzip();
            (
                "Outcomes over each number",
                "outcome, in its unit",
                keys,
                values,
            )
        };
    let mut names: Vec<&str> = Vec::new();
    for key in &keys {
        if !names.contains(key) {
            names.push(key);
        }
    }
    let x = Axis::new("number")
        .range(0.0, names.len() as f64 + 1.0)
        .whole();
    let mut figure = LineChart::new(title, x, Axis::new(label));
    for (k, name) in names.iter().enumerate() {
        let own = keys.iter().zip(&values).filter(|(key, _)| *key == name);
        let dots = own.map(|(_, v)| ((k + 1) as f64, *v)).collect();
        figure = figure.with(Series::points(
            &format!("{}: {}", k + 1, name.replace('_', " ")),
            dots,
        ));
    }
    match figure.svg() {
        Ok(svg) => sheet.figure(
            "study.svg",
            &svg,
            "The numbers that are varied, in the order of the scene; the legend names them.",
        ),
        // No trial told anything.
        Err(_) => Ok(()),
    }
}
