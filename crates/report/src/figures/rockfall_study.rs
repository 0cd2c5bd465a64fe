//! A rockfall many times over.

use klast_plot::{Axis, LineChart, Series};
use klast_rockfall_jobs::rockfall::stations::StationRow;
use klast_rockfall_jobs::rockfall_study::result::{Results, SectionStation};
use klast_runs::error::Result;

use super::panels;
use crate::page::{Picture, Section};
use crate::sheet::Sheet;
use crate::words::of_key;

/// What is found, or how much each number matters, as tables, and a chart of it.
pub fn draw(results: &Results, sheet: &mut Sheet) -> Result<Picture> {
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
    if results.summary.method == "sections" {
        sheet.rows("Outcomes by section", "sections.csv", &results.sections)?;
        return along(results, sheet);
    }
    chart(results, sheet)
}

/// Heights and energies of all rocks along each section.
fn along(results: &Results, sheet: &mut Sheet) -> Result<Picture> {
    let mut names: Vec<&str> = Vec::new();
    for row in &results.stations {
        if !names.contains(&row.section.as_str()) {
            names.push(&row.section);
        }
    }
    if names.is_empty() {
        return Ok(Picture::nothing(
            "No section has a station that rocks reach.",
        ));
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
    sheet.picture(
        "sections.svg",
        &panels::panels(vec![over, energy])?,
        &caption,
    )
}

/// One dot: the outcome it belongs to, the key of the number, the value.
type Dot<'a> = (&'a str, &'a str, f64);

/// The effects, or what is left open, number by number: a panel an outcome, in its unit.
fn chart(results: &Results, sheet: &mut Sheet) -> Result<Picture> {
    let (title, mut dots): (&str, Vec<Dot>) = if !results.effects.is_empty() {
        let rows = results.effects.iter();
        let dot = rows.map(|e| (e.outcome.as_str(), e.key.as_str(), e.mean_absolute));
        ("Mean absolute effect", dot.collect())
    } else {
        let rows = results.found.iter();
        let dot = rows.map(|f| (OPEN, f.key.as_str(), f.open));
        ("How much of each range is left open", dot.collect())
    };
    dots.retain(|dot| dot.2.is_finite());
    let names = once(dots.iter().map(|dot| dot.1));
    let all: Vec<LineChart> = once(dots.iter().map(|dot| dot.0))
        .into_iter()
        .map(|outcome| panel(title, outcome, &names, &dots))
        .collect();
    match panels::panels(all) {
        Ok(svg) => sheet.picture(
            "study.svg",
            &svg,
            "The numbers that are varied, in the order of the scene; the legend names them.",
        ),
        // No trial told anything.
        Err(_) => Ok(Picture::nothing("No trial tells anything of the numbers.")),
    }
}

/// What stands for the outcome where the part of a range is meant.
const OPEN: &str = "open fraction of the range";

fn panel(title: &str, outcome: &str, names: &[&str], dots: &[Dot]) -> LineChart {
    let x = Axis::new("number")
        .range(0.0, names.len() as f64 + 1.0)
        .whole();
    let mut figure = LineChart::new(title, x, Axis::new(&label(outcome)));
    for (k, name) in names.iter().enumerate() {
        let own = dots.iter().filter(|dot| dot.0 == outcome && dot.1 == *name);
        let dots = own.map(|dot| ((k + 1) as f64, dot.2)).collect();
        let words = format!("{}: {}", k + 1, named(name));
        figure = figure.with(Series::points(&words, dots));
    }
    figure
}

/// Each of them once, in their order.
fn once<'a>(all: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let mut found: Vec<&str> = Vec::new();
    for one in all {
        if !found.contains(&one) {
            found.push(one);
        }
    }
    found
}

/// An outcome such as `road: energy_95_kj` in words with its unit.
fn label(outcome: &str) -> String {
    let (of, key) = match outcome.rsplit_once(": ") {
        Some((of, key)) => (format!("{of}: "), key),
        None => (String::new(), outcome),
    };
    let (words, unit) = of_key(key);
    let unit = if unit.is_empty() { "-" } else { &unit };
    format!("{of}{} [{unit}]", words.to_lowercase())
}

/// A key such as `/materials/0/friction` in words with its unit: `materials 1, friction`.
fn named(key: &str) -> String {
    let mut words: Vec<String> = Vec::new();
    for part in key.split('/').filter(|part| !part.is_empty()) {
        match (part.parse::<usize>(), words.last_mut()) {
            // Lists are counted from 1, as in a table.
            (Ok(number), Some(list)) => *list += &format!(" {}", number.saturating_add(1)),
            _ => match of_key(part) {
                (said, unit) if unit.is_empty() => words.push(said.to_lowercase()),
                (said, unit) => words.push(format!("{} [{unit}]", said.to_lowercase())),
            },
        }
    }
    words.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_and_outcomes_are_words_with_units() {
        assert_eq!(
            named("/materials/0/rolling_resistance"),
            "materials 1, rolling resistance"
        );
        assert_eq!(
            named("/sources/2/shapes/0/volume_m3"),
            "sources 3, shapes 1, volume [m³]"
        );
        assert_eq!(label("bench: energy_95_kj"), "bench: energy 95 [kJ]");
        assert_eq!(label("settled_fraction"), "settled fraction [-]");
    }
}
