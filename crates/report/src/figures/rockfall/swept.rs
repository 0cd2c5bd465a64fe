//! Lines that are moved over the slope: one table and one figure of all places, not a sheet of each.

use klast_plot::{Axis, LineChart, Series};
use klast_rockfall_jobs::rockfall::place_name;
use klast_rockfall_jobs::rockfall::result::Results;
use klast_rockfall_jobs::rockfall::sensitivity::SweepRow;
use klast_runs::error::Result;

use crate::sheet::Sheet;

/// The places of each sweep.
pub fn draw(results: &Results, sheet: &mut Sheet) -> Result<()> {
    if results.sweep.is_empty() {
        return Ok(());
    }
    sheet.rows(
        "Lines that are moved over the slope",
        "sweep.csv",
        &results.sweep,
    )?;
    for (number, name) in sweeps(&results.sweep).into_iter().enumerate() {
        let rows: Vec<&SweepRow> = results.sweep.iter().filter(|r| r.sweep == name).collect();
        let line = |words: &str, of: fn(&SweepRow) -> Option<f64>| {
            let point = |r: &&SweepRow| (r.shift_m, of(r).unwrap_or(f64::NAN));
            Series::line(words, rows.iter().map(point).collect())
        };
        let x = || Axis::new("shift of the line [m]");
        let panels = [
            LineChart::new(
                &format!("{name}: rocks that arrive"),
                x(),
                Axis::new("share of the rocks [%]"),
            )
            .with(line("", |r| Some(100.0 * r.arrived_fraction))),
            LineChart::new(&format!("{name}: energy"), x(), Axis::new("E [kJ]"))
                .with(line("95 %", |r| r.energy_95_kj))
                .with(line("99 %", |r| r.energy_99_kj)),
            LineChart::new(&format!("{name}: passing height"), x(), Axis::new("h [m]"))
                .with(line("95 %", |r| r.top_95_m))
                .with(line("99 %", |r| r.top_99_m)),
        ];
        // Where no rock arrives there is nothing to draw.
        if let Ok(svg) = LineChart::panels(&panels) {
            let caption =
                "What arrives at each place of the line, over its distance from the first place.";
            sheet.figure(&format!("sweep_{}.svg", number + 1), &svg, caption)?;
        }
    }
    Ok(())
}

/// The names of the sweeps, each once.
fn sweeps(rows: &[SweepRow]) -> Vec<&str> {
    let mut names: Vec<&str> = Vec::new();
    for row in rows {
        if !names.contains(&row.sweep.as_str()) {
            names.push(&row.sweep);
        }
    }
    names
}

/// Whether a collector is a place of a sweep.
pub fn is_place(rows: &[SweepRow], name: &str) -> bool {
    rows.iter().any(|r| place_name(&r.sweep, r.place) == name)
}

/// What is written beside a line on a map: of a sweep the first place, the last, and the one with the least 95 % energy
/// of those where rocks arrive; else the name.
pub fn label(rows: &[SweepRow], name: &str) -> String {
    let Some(own) = rows.iter().find(|r| place_name(&r.sweep, r.place) == name) else {
        return name.to_owned();
    };
    let places = || rows.iter().filter(|r| r.sweep == own.sweep);
    let reached = places().filter_map(|r| Some((r.place, r.energy_95_kj?)));
    let least = reached.min_by(|a, b| a.1.total_cmp(&b.1)).map(|(k, _)| k);
    let last = places().map(|r| r.place).max();
    if least == Some(own.place) {
        return format!("{name}: least E");
    }
    match own.place == 1 || Some(own.place) == last {
        true => name.to_owned(),
        false => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_a_sweep_the_first_the_last_and_the_best_place_are_named() {
        let energies = [Some(300.0), Some(200.0), None, Some(250.0), Some(400.0)];
        let rows: Vec<SweepRow> = (1..)
            .zip(energies)
            .map(|(place, energy_95_kj)| SweepRow {
                sweep: "line".to_owned(),
                place,
                energy_95_kj,
                ..SweepRow::default()
            })
            .collect();
        let names: Vec<String> = (1..=5)
            .map(|k| label(&rows, &place_name("line", k)))
            .collect();
        assert_eq!(names, ["line 1", "line 2: least E", "", "", "line 5"]);
        assert_eq!(label(&rows, "road"), "road");
        assert!(is_place(&rows, "line 3") && !is_place(&rows, "line 6"));
    }
}
