//! Barriers and collectors: the design sheet and its curves.

use anyhow::Result;
use klast_plot::{Axis, LineChart, Series};
use klast_rockfall::{Gate, GateStatistics, Settled};
use klast_scenes::kinds::rockfall::barriers::Sheet as Row;
use klast_scenes::kinds::rockfall::result::Results;

use super::distribution::distribution;
use crate::sheet::Sheet;

/// The design sheet, and the figures of everything that rocks arrive at.
pub fn draw(results: &Results, sheet: &mut Sheet) -> Result<()> {
    let screens = &results.simulation.scene().gates;
    if screens.is_empty() {
        return Ok(());
    }
    sheet.page.heading("Barriers and collectors");
    design_sheet(&results.barriers, sheet);
    let measured = screens.iter().zip(&results.statistics.gates);
    for (number, (screen, statistics)) in measured.enumerate() {
        if statistics.arrived() > 0 {
            let settling = results.statistics.settling(number);
            figures(screen, statistics, &settling, sheet)?;
        }
    }
    Ok(())
}

fn design_sheet(rows: &[Row], sheet: &mut Sheet) {
    let header = [
        "name",
        "arrived",
        "held",
        "residual rate",
        "95 % energy [kJ]",
        "low",
        "high",
        "99 % energy [kJ]",
        "low",
        "high",
        "95 % top [m]",
        "99 % top [m]",
        "clearance, 95 % [m]",
        "clearance, 99 % [m]",
    ];
    let cells = |row: &Row| {
        let rounded = |x: Option<f64>| x.map_or(String::new(), |x| format!("{x:.2}"));
        let mut cells = vec![row.name.clone(), row.arrived.to_string()];
        cells.push(row.held.map_or(String::new(), |n| n.to_string()));
        let rate = row.residual_rate;
        cells.push(rate.map_or(String::new(), |x| format!("{x:.5}")));
        cells.extend(
            [
                row.energy_95_kj,
                row.energy_95_low_kj,
                row.energy_95_high_kj,
                row.energy_99_kj,
                row.energy_99_low_kj,
                row.energy_99_high_kj,
                row.top_95_m,
                row.top_99_m,
                row.clearance_95_m,
                row.clearance_99_m,
            ]
            .map(rounded),
        );
        cells
    };
    let rows: Vec<Vec<String>> = rows.iter().map(cells).collect();
    sheet.page.table(&header, &rows);
    sheet.page.text("Each rock counts once, at its first passage. Low and high bound the quantile with 95 % confidence; an empty high means too few rocks to bound it.");
}

fn figures(
    screen: &Gate,
    statistics: &GateStatistics,
    rows: &[Settled],
    sheet: &mut Sheet,
) -> Result<()> {
    let mut name: String = screen
        .name
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() { c } else { '_' })
        .collect();
    // Names of other letters may become the same file.
    while sheet.files.names().contains(&format!("energy_{name}.svg")) {
        name.push('_');
    }
    sheet.page.heading(&screen.name);
    let barrier = screen.barrier.as_ref();
    let mut show = |kind: &str, svg: &str, caption: &str| {
        sheet.figure(&format!("{kind}_{name}.svg"), svg, caption)
    };
    show(
        "energy",
        &distribution(
            &format!("{}: kinetic energy", screen.name),
            "E [kJ]",
            &statistics.energy,
            1e-3,
            barrier.map(|b| ("capacity", 1e-3 * b.capacity)),
        )?,
        "Kinetic energy of the rocks that arrive.",
    )?;
    show(
        "top",
        &distribution(
            &format!("{}: height of the top", screen.name),
            "h [m]",
            &statistics.top,
            1.0,
            barrier.map(|b| ("height of the barrier", b.height)),
        )?,
        "Height of the top of the rocks over the ground.",
    )?;
    if rows.iter().filter(|r| r.interval.1.is_finite()).count() > 1 {
        show(
            "settling",
            &settling(&screen.name, rows)?,
            "Whether there were rocks enough: how the 95 % energy settles with their number, with its 95 % confidence band.",
        )?;
    }
    let curve: Vec<(f64, f64)> = statistics
        .energy
        .exceedance()
        .into_iter()
        .map(|(e, f)| (1e-3 * e, f))
        .filter(|(e, f)| *e > 0.0 && *f > 0.0)
        .collect();
    if curve.len() > 1 {
        let chart = LineChart::new(
            &format!("{}: exceedance", screen.name),
            Axis::log("E [kJ]"),
            Axis::log("exceeded [1/a]"),
        );
        show(
            "exceedance",
            &chart.with(Series::line("", curve)).svg()?,
            "How often in a year a rock arrives with more than an energy.",
        )?;
    }
    Ok(())
}

fn settling(name: &str, rows: &[Settled]) -> Result<String> {
    // Where too few rocks bound the quantile there is no band yet.
    let rows: Vec<&Settled> = rows.iter().filter(|r| r.interval.1.is_finite()).collect();
    let n: Vec<f64> = rows.iter().map(|r| r.rocks as f64).collect();
    let of = |f: fn(&Settled) -> f64| -> Vec<f64> { rows.iter().map(|r| 1e-3 * f(r)).collect() };
    let middle = n.iter().copied().zip(of(|r| r.energy)).collect();
    let chart = LineChart::new(
        &format!("{name}: 95 % energy"),
        Axis::log("rocks"),
        Axis::new("E [kJ]"),
    )
    .with(Series::band(
        "95 % confidence",
        &n,
        &of(|r| r.interval.0),
        &of(|r| r.interval.1),
    ))
    .with(Series::line("95 % energy", middle));
    Ok(chart.svg()?)
}
